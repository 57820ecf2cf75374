//! Bone weights: four per vertex, which must sum to 255.

/// Weights in the same proportions that sum to 255; `None` when they already do, or when all are 0.
pub(crate) fn rescaled(weights: [u16; 4]) -> Option<[u16; 4]> {
    (Sum::of(weights) == Sum::Wrong).then(|| scaled(weights))
}

/// What the weights of a vertex sum to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sum {
    /// 255, as it must be.
    Right,
    /// 0: the vertex has no weight at all.
    Nothing,
    /// Something else.
    Wrong,
}

impl Sum {
    pub(crate) fn of(weights: [u16; 4]) -> Self {
        match weights.into_iter().map(u32::from).sum::<u32>() {
            255 => Self::Right,
            0 => Self::Nothing,
            _ => Self::Wrong,
        }
    }
}

/// Weights in the same proportions that sum to 255; the remainder of rounding is added to the largest.
fn scaled(weights: [u16; 4]) -> [u16; 4] {
    let sum: u32 = weights.into_iter().map(u32::from).sum();
    let scale = |weight: u16| u32::from(weight).saturating_mul(255).checked_div(sum).unwrap_or(0);
    let mut new = weights.map(|weight| u16::try_from(scale(weight)).unwrap_or(255));
    let rest = 255_u16.saturating_sub(new.iter().sum());
    if let Some(largest) = new.iter_mut().max_by_key(|weight| **weight) {
        *largest = largest.saturating_add(rest);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_sums_and_zero_weights_are_not_changed() {
        let cases = [
            ([255, 0, 0, 0], Sum::Right),
            ([0; 4], Sum::Nothing),
            ([254, 0, 0, 0], Sum::Wrong),
            ([65535; 4], Sum::Wrong),
        ];
        for (weights, sum) in cases {
            assert_eq!(Sum::of(weights), sum, "{weights:?}");
            assert_eq!(rescaled(weights).is_some(), sum == Sum::Wrong, "{weights:?}");
        }
    }

    #[test]
    fn scaled_weights_sum_to_255_and_keep_their_order() {
        for weights in
            [[1, 0, 0, 0], [100, 100, 100, 100], [254, 0, 0, 0], [200, 100, 3, 0], [65535, 65535, 1, 9]]
        {
            let new = scaled(weights);
            assert_eq!(new.iter().sum::<u16>(), 255, "{weights:?}");
            assert_eq!(Sum::of(new), Sum::Right);
            assert!(weights.iter().zip(new).all(|(old, new)| *old > 0 || new == 0), "{weights:?}");
        }
    }
}

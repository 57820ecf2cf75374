//! Reduces an image to at most 256 colours: exactly if it has no more, otherwise by median cut.

use std::collections::HashMap;

/// A palette and the index of each pixel.
pub struct Indexed {
    /// Red, green, blue.
    pub colors: Vec<[u8; 3]>,
    /// One index per pixel, for each level.
    pub levels: Vec<Vec<u8>>,
    /// Whether all pixels keep their colours.
    pub exact: bool,
}

/// A colour and how many pixels have it.
type Counted = ([u8; 3], u64);

/// Colours that share an entry of the palette.
struct Group {
    colors: Vec<Counted>,
    /// The channel in which they differ most.
    channel: usize,
    /// How much they differ in that channel, times the number of their pixels.
    weight: u64,
}

/// Chooses a palette for all levels together.
pub fn index(levels: &[Vec<u8>]) -> Indexed {
    let pixels = || levels.iter().flat_map(|level| level.as_chunks::<4>().0);
    let mut all: Vec<[u8; 3]> = pixels().map(|&[red, green, blue, _]| [red, green, blue]).collect();
    all.sort_unstable();
    let counted: Vec<Counted> =
        all.chunk_by(|a, b| a == b).filter_map(|same| Some((*same.first()?, same.len() as u64))).collect();
    let exact = counted.len() <= 256;
    let groups = if exact { counted.iter().map(|&one| vec![one]).collect() } else { cut(counted) };
    let colors: Vec<[u8; 3]> = groups.iter().map(|group| mean(group)).collect();
    let mut nearest: HashMap<[u8; 3], u8> = HashMap::with_capacity(groups.iter().map(Vec::len).sum());
    for (number, group) in (0_u8..=255).zip(&groups) {
        nearest.extend(group.iter().map(|&(color, _)| (color, number)));
    }
    let pick = |&[red, green, blue, _]: &[u8; 4]| nearest.get(&[red, green, blue]).copied().unwrap_or(0);
    let levels = levels.iter().map(|level| level.as_chunks::<4>().0.iter().map(pick).collect()).collect();
    Indexed { colors, levels, exact }
}

/// Splits the colours into 256 groups. Each step splits the group of the largest weight at the median of its channel.
fn cut(all: Vec<Counted>) -> Vec<Vec<Counted>> {
    let mut groups = vec![Group::new(all)];
    while groups.len() < 256 {
        let candidates = groups.iter().enumerate().filter(|(_, group)| group.colors.len() > 1);
        let widest = candidates.max_by_key(|(at, group)| (group.weight, std::cmp::Reverse(*at)));
        let Some(at) = widest.map(|(at, _)| at) else { break };
        let Group { mut colors, channel, .. } = groups.swap_remove(at);
        colors.sort_unstable_by_key(|&(color, _)| (color.get(channel).copied(), color));
        let half = colors.iter().map(|&(_, count)| count).sum::<u64>() / 2;
        let mut below = 0;
        let lower = colors.iter().take_while(|&&(_, count)| {
            below += count;
            below <= half
        });
        let middle = lower.count().clamp(1, colors.len() - 1);
        let upper = colors.split_off(middle);
        groups.push(Group::new(colors));
        groups.push(Group::new(upper));
    }
    groups.into_iter().map(|group| group.colors).collect()
}

impl Group {
    fn new(colors: Vec<Counted>) -> Self {
        let (mut least, mut most, mut pixels) = ([u8::MAX; 3], [0_u8; 3], 0);
        for (color, count) in &colors {
            pixels += count;
            least.iter_mut().zip(color).for_each(|(least, &value)| *least = value.min(*least));
            most.iter_mut().zip(color).for_each(|(most, &value)| *most = value.max(*most));
        }
        let widths = most.iter().zip(least).map(|(&most, least)| u64::from(most.saturating_sub(least)));
        let widest = widths.enumerate().max_by_key(|&(channel, width)| (width, std::cmp::Reverse(channel)));
        let (channel, width) = widest.unwrap_or((0, 0));
        Self { colors, channel, weight: width * pixels }
    }
}

fn mean(group: &[Counted]) -> [u8; 3] {
    let pixels = group.iter().map(|&(_, count)| count).sum::<u64>().max(1);
    let mut sums = [0_u64; 3];
    for (color, count) in group {
        sums.iter_mut().zip(color).for_each(|(sum, &value)| *sum += u64::from(value) * count);
    }
    sums.map(|sum| u8::try_from((sum + pixels / 2) / pixels).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let level: Vec<u8> = (0..=255_u8).flat_map(|value| [value, 255 - value, 7, value]).collect();
        let indexed = index(std::slice::from_ref(&level));
        assert!(indexed.exact);
        for (pixel, &at) in level.as_chunks::<4>().0.iter().zip(&indexed.levels[0]) {
            assert_eq!(indexed.colors[usize::from(at)], pixel[..3]);
        }
    }

    #[test]
    fn many_colours_are_approximated() {
        let level: Vec<u8> =
            (0..64_u8).flat_map(|y| (0..64_u8).flat_map(move |x| [x * 4, y * 4, (x ^ y) * 2, 255])).collect();
        let indexed = index(std::slice::from_ref(&level));
        assert!(!indexed.exact && indexed.colors.len() == 256);
        for (pixel, &at) in level.as_chunks::<4>().0.iter().zip(&indexed.levels[0]) {
            let color = indexed.colors[usize::from(at)];
            assert!(color.iter().zip(pixel).all(|(a, b)| a.abs_diff(*b) < 48));
        }
    }
}

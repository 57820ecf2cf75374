//! One of several parts of a set of files, for work that is split over machines.

use std::fmt;
use std::str::FromStr;

/// One of `count` parts. Which part a file belongs to follows from its name alone, so machines that know nothing of each
/// other take every file exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Part `index`, from 0, of `count`; `None` where there is no such part.
    #[must_use]
    pub const fn new(index: u64, count: u64) -> Option<Self> {
        if index < count { Some(Self { index, count }) } else { None }
    }

    /// Whether a file of this name belongs to the part. Both kinds of slashes count as the same.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        hash(name) % self.count == self.index
    }
}

/// FNV-1a, with the last steps of MurmurHash3: the low bits of FNV alone depend on little more than the low bits of the
/// letters. Changing this moves files to other parts, so that shards of an older version no longer fit together.
fn hash(name: &str) -> u64 {
    let slash = |byte: u8| if byte == b'\\' { b'/' } else { byte };
    let sum = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(slash(byte))).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mix = |sum: u64, factor: u64| (sum ^ (sum >> 33)).wrapping_mul(factor);
    let mixed = mix(mix(sum, 0xff51_afd7_ed55_8ccd), 0xc4ce_b9fe_1a85_ec53);
    mixed ^ (mixed >> 33)
}

impl FromStr for Shard {
    type Err = String;

    /// Written `I/N`, with I from 0 to N - 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.trim().parse::<u64>().ok()?, count.trim().parse::<u64>().ok()?))
        });
        let (index, count) = numbers.ok_or("it is written I/N, such as 0/8")?;
        Self::new(index, count).ok_or_else(|| match count {
            0 => "there must be at least one part".to_owned(),
            _ => format!("parts are numbered from 0, so the last of {count} is {}/{count}", count - 1),
        })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_in_exactly_one_part_and_parts_are_about_equal() {
        for count in [1_u64, 2, 3, 7, 100] {
            let mut sizes = vec![0_u32; usize::try_from(count).unwrap()];
            for number in 0..10_000 {
                let name = format!("models/{}/{number}.mdx", number % 13);
                let parts: Vec<u64> =
                    (0..count).filter(|index| Shard::new(*index, count).unwrap().has(&name)).collect();
                assert_eq!(parts.len(), 1, "{name}: {parts:?}");
                sizes[usize::try_from(parts[0]).unwrap()] += 1;
            }
            // Four times the spread of a fair draw.
            let fair = 10_000.0 / f64::from(u32::try_from(count).unwrap());
            let slack = 4.0 * fair.sqrt();
            assert!(sizes.iter().all(|size| (f64::from(*size) - fair).abs() < slack), "{count}: {sizes:?}");
        }
    }

    #[test]
    fn a_name_stays_in_its_part_for_ever() {
        // The offset basis of FNV-1a, and its published value for "a", through the last steps of MurmurHash3, computed
        // apart from this code.
        assert_eq!(hash(""), 0xefd0_1f60_ba99_2926);
        assert_eq!(hash("a"), 0x82a2_a958_a9be_ce5b);
        assert_eq!(hash("a\\b"), hash("a/b"));
    }

    #[test]
    fn a_part_is_written_with_a_slash_and_counted_from_zero() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, count: 8 }));
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        for wrong in ["", "3", "8/8", "0/0", "-1/3", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        assert!("8/8".parse::<Shard>().unwrap_err().contains("7/8"));
    }
}

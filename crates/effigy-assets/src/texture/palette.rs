//! At most 256 colours for a picture: exact where it has no more, else by median cut.

use std::collections::BTreeMap;

/// A palette and the index of each pixel.
pub struct Indexed {
    /// Red, green, blue.
    pub colors: Vec<[u8; 3]>,
    /// One index a pixel, level after level.
    pub levels: Vec<Vec<u8>>,
    /// Whether every pixel keeps its colour.
    pub exact: bool,
}

/// A colour and how many pixels have it.
type Counted = ([u8; 3], u64);

/// Chooses a palette for all levels together.
pub fn index(levels: &[Vec<u8>]) -> Indexed {
    let mut counts: BTreeMap<[u8; 3], u64> = BTreeMap::new();
    for &[red, green, blue, _] in levels.iter().flat_map(|level| level.as_chunks::<4>().0) {
        *counts.entry([red, green, blue]).or_default() += 1;
    }
    let all: Vec<Counted> = counts.iter().map(|(&color, &count)| (color, count)).collect();
    let exact = all.len() <= 256;
    let boxes = if exact { all.iter().map(|&one| vec![one]).collect() } else { cut(all) };
    let colors: Vec<[u8; 3]> = boxes.iter().map(|group| mean(group)).collect();
    let mut nearest: BTreeMap<[u8; 3], u8> = BTreeMap::new();
    for (number, group) in (0_u8..=255).zip(&boxes) {
        nearest.extend(group.iter().map(|&(color, _)| (color, number)));
    }
    let pick = |&[red, green, blue, _]: &[u8; 4]| nearest.get(&[red, green, blue]).copied().unwrap_or(0);
    let levels = levels.iter().map(|level| level.as_chunks::<4>().0.iter().map(pick).collect()).collect();
    Indexed { colors, levels, exact }
}

/// Splits the colours into 256 groups: again and again the group whose widest channel, weighed by its pixels, is
/// widest, at the median of that channel.
fn cut(all: Vec<Counted>) -> Vec<Vec<Counted>> {
    let mut boxes = vec![all];
    while boxes.len() < 256 {
        let widest =
            boxes.iter().enumerate().filter(|(_, group)| group.len() > 1).max_by_key(|(at, group)| {
                let pixels: u64 = group.iter().map(|&(_, count)| count).sum();
                (u64::from(spread(group).1) * pixels, std::cmp::Reverse(*at))
            });
        let Some(at) = widest.map(|(at, _)| at) else { break };
        let mut group = boxes.swap_remove(at);
        let channel = spread(&group).0;
        group.sort_by_key(|&(color, _)| (color.get(channel).copied(), color));
        let half = group.iter().map(|&(_, count)| count).sum::<u64>() / 2;
        let mut below = 0;
        let middle = group.iter().take_while(|&&(_, count)| {
            below += count;
            below <= half
        });
        let middle = middle.count().clamp(1, group.len() - 1);
        let upper = group.split_off(middle);
        boxes.push(group);
        boxes.push(upper);
    }
    boxes
}

/// The widest channel of a group and its width.
fn spread(group: &[Counted]) -> (usize, u8) {
    let width = |channel: usize| {
        let values = || group.iter().filter_map(move |(color, _)| color.get(channel).copied());
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    (0..3)
        .map(|channel| (channel, width(channel)))
        .max_by_key(|&(channel, width)| (width, 3 - channel))
        .unwrap_or((0, 0))
}

fn mean(group: &[Counted]) -> [u8; 3] {
    let pixels = group.iter().map(|&(_, count)| count).sum::<u64>().max(1);
    let channel = |at: usize| {
        let sum: u64 =
            group.iter().map(|(color, count)| u64::from(color.get(at).copied().unwrap_or(0)) * count).sum();
        u8::try_from((sum + pixels / 2) / pixels).unwrap_or(u8::MAX)
    };
    [channel(0), channel(1), channel(2)]
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
    fn many_colours_stay_near() {
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

//! Resampling with a box filter. Channels are averaged independently, without weighting colours by alpha: in Warcraft III
//! the colour of transparent pixels is visible, because alpha is where the team colour shows through.

/// The next mip level: each pixel is the rounded mean of the four pixels that it covers. Along a side of one pixel, that
/// pixel counts twice; of a side of odd length, the last row or column is left out.
pub fn halve(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let (width, height) = (width as usize, height as usize);
    let (half_width, half_height) = ((width / 2).max(1), (height / 2).max(1));
    let pixels = pixels.as_chunks::<4>().0;
    let mut half = Vec::with_capacity(half_width * half_height * 4);
    for y in 0..half_height {
        let top = row(pixels, width, (y * 2).min(height - 1));
        let bottom = row(pixels, width, (y * 2 + 1).min(height - 1));
        for x in 0..half_width {
            let (left, right) = ((x * 2).min(width - 1), (x * 2 + 1).min(width - 1));
            let four = [top.get(left), top.get(right), bottom.get(left), bottom.get(right)];
            for channel in 0..4 {
                let sum: u32 =
                    four.iter().flatten().filter_map(|pixel| pixel.get(channel)).map(|&v| u32::from(v)).sum();
                half.push(u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX));
            }
        }
    }
    half
}

fn row(pixels: &[[u8; 4]], width: usize, y: usize) -> &[[u8; 4]] {
    pixels.get(y * width..(y + 1) * width).unwrap_or_default()
}

/// An image at another size: each new pixel is the mean of the area of the old image that it covers.
pub fn resize(pixels: &[u8], from: (u32, u32), to: (u32, u32)) -> Vec<u8> {
    let across = spans(from.0, to.0);
    let down = spans(from.1, to.1);
    let pixels = pixels.as_chunks::<4>().0;
    let mut resized = Vec::with_capacity(across.len() * down.len() * 4);
    for vertical in &down {
        for horizontal in &across {
            let mut sum = [0_u128; 4];
            let mut weight = 0_u128;
            for &(y, tall) in vertical {
                let line = row(pixels, from.0 as usize, y);
                for &(x, wide) in horizontal {
                    let area = u128::from(tall) * u128::from(wide);
                    weight += area;
                    let pixel = line.get(x).copied().unwrap_or_default();
                    for (total, value) in sum.iter_mut().zip(pixel) {
                        *total += area * u128::from(value);
                    }
                }
            }
            let weight = weight.max(1);
            resized.extend(sum.map(|total| u8::try_from((total + weight / 2) / weight).unwrap_or(u8::MAX)));
        }
    }
    resized
}

/// For each new pixel along one side: the old pixels that it covers, and how much of each.
fn spans(from: u32, to: u32) -> Vec<Vec<(usize, u64)>> {
    let (from, to) = (u64::from(from), u64::from(to));
    (0..to)
        .map(|new| {
            let (start, end) = (new * from, (new + 1) * from);
            let mut covered = Vec::new();
            let mut old = start / to;
            while old * to < end {
                let part = ((old + 1) * to).min(end) - (old * to).max(start);
                covered.push((usize::try_from(old).unwrap_or(usize::MAX), part));
                old += 1;
            }
            covered
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_the_mean_of_the_one_before() {
        let four = [[0, 0, 0, 0], [4, 8, 0, 255], [8, 8, 0, 255], [4, 8, 1, 0]].concat();
        assert_eq!(halve(&four, 2, 2), [4, 6, 0, 128]);
        assert_eq!(halve(&four, 1, 4).len(), 8);
        assert_eq!(halve(&four, 4, 1), [2, 4, 0, 128, 6, 8, 1, 128]);
    }

    #[test]
    fn resizing_covers_each_pixel_once() {
        let two = [[0, 0, 0, 0], [200, 100, 50, 255]].concat();
        assert_eq!(resize(&two, (2, 1), (2, 1)), two);
        assert_eq!(resize(&two, (2, 1), (1, 1)), [100, 50, 25, 128]);
        assert_eq!(resize(&two, (2, 1), (3, 1))[4..8], [100, 50, 25, 128]);
        assert_eq!(resize(&two, (2, 1), (4, 2)).len(), 32);
    }
}

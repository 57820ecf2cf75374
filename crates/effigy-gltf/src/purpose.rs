//! Pixels as glTF wants them, which depends on what a texture is used for.

use effigy_image::{Image, to_byte};

/// What a texture is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Colour, with alpha as it is.
    Color,
    /// Colour over the given red, green, blue, which shows where the texture is transparent. The result is opaque.
    ColorOver([u8; 3]),
    /// Colour of Reforged, painted with the player's colour where the mask (the alpha of the metal and roughness map) says.
    /// `cut`: see [`Purpose::CutOut`].
    Painted { color: [u8; 3], cut: Option<u8> },
    /// Colour whose alpha is tested: rescaled such that this threshold of the game becomes one half.
    CutOut(u8),
    /// Light that is added: the brighter, the less transparent. `by_alpha`: times the texture's alpha.
    Glow { by_alpha: bool },
    /// A factor of what is behind: the darker, the less transparent. `twice`: one half leaves it as it is.
    Shade { twice: bool },
    /// A normal map of the games: red times alpha is x, green is y and counts downwards. glTF wants x and y in red and
    /// green, upwards, and z in blue.
    Normal,
    /// Roughness in green, metalness in blue.
    Material,
    /// Colour without alpha.
    Emissive,
}

impl Purpose {
    /// Whether it is a colour that is seen as it is, and not numbers.
    pub(crate) const fn is_color(self) -> bool {
        !matches!(self, Self::Normal | Self::Material)
    }

    /// The first level of an image, prepared for this purpose, and whether that changed any pixel; none when the image is empty.
    pub(crate) fn prepared(self, mut image: Image, mask: Option<&Image>) -> Option<(Image, bool)> {
        image.levels.truncate(1);
        let (width, height) = (image.width.max(1) as usize, image.height.max(1) as usize);
        let pixels = image.pixels_mut().as_chunks_mut::<4>().0;
        if pixels.is_empty() {
            return None;
        }
        let mut changed = false;
        if let (Self::Painted { color, cut }, Some(mask)) = (self, mask) {
            let masks = mask.pixels().as_chunks::<4>().0;
            let (mask_width, mask_height) = (mask.width as usize, mask.height as usize);
            for (at, pixel) in pixels.iter_mut().enumerate() {
                let (x, y) = (at % width * mask_width / width, at / width * mask_height / height);
                let [.., share] = masks.get(y * mask_width + x).copied().unwrap_or_default();
                let [r, g, b, a] = *pixel;
                let [r, g, b] = painted([r, g, b], color, share);
                let made = [r, g, b, cut.map_or(a, |threshold| rescaled(a, threshold))];
                changed |= made != *pixel;
                *pixel = made;
            }
        } else if self != Self::Color {
            for pixel in pixels {
                let made = self.prepare(*pixel);
                changed |= made != *pixel;
                *pixel = made;
            }
        }
        Some((image, changed))
    }

    fn prepare(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Color => [r, g, b, a],
            Self::ColorOver([under_r, under_g, under_b]) => {
                let mix = |over: u8, under: u8| {
                    let sum = u32::from(over) * u32::from(a) + u32::from(under) * (255 - u32::from(a));
                    u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
                };
                [mix(r, under_r), mix(g, under_g), mix(b, under_b), 255]
            }
            Self::CutOut(threshold) | Self::Painted { cut: Some(threshold), .. } => {
                [r, g, b, rescaled(a, threshold)]
            }
            Self::Painted { cut: None, .. } => [r, g, b, a],
            Self::Glow { by_alpha } => glow([r, g, b], if by_alpha { a } else { 255 }),
            Self::Shade { twice } => [0, 0, 0, 255_u8.saturating_sub(light([r, g, b], twice))],
            Self::Normal => normal(r, g, a),
            Self::Material | Self::Emissive => [r, g, b, 255],
        }
    }
}

/// How much light a factor lets through.
fn light([r, g, b]: [u8; 3], twice: bool) -> u8 {
    let mean = (u32::from(r) + u32::from(g) + u32::from(b)) / 3;
    u8::try_from(if twice { mean * 2 } else { mean }).unwrap_or(u8::MAX)
}

/// Alpha by brightness, and the colour at full brightness.
fn glow([r, g, b]: [u8; 3], alpha: u8) -> [u8; 4] {
    let most = r.max(g).max(b);
    if most == 0 {
        return [0; 4];
    }
    let share = |part: u8, whole: u8, of: u32| {
        let whole = u32::from(whole);
        u8::try_from((u32::from(part) * of + whole / 2).checked_div(whole).unwrap_or(0)).unwrap_or(u8::MAX)
    };
    [share(r, most, 255), share(g, most, 255), share(b, most, 255), share(most, 255, alpha.into())]
}

/// Alpha such that the threshold becomes one half: 127 just below it, 128 at it.
fn rescaled(alpha: u8, threshold: u8) -> u8 {
    let (a, t) = (u32::from(alpha), u32::from(threshold).clamp(1, 255));
    let value = if a < t { a * 128 / t } else { 128 + (a - t) * 127 / (255 - t).max(1) };
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// The player's colour on a skin of Reforged, as the game paints it: the hue of the colour at the brightness of the skin.
fn painted(base: [u8; 3], team: [u8; 3], mask: u8) -> [u8; 3] {
    if mask == 0 {
        return base;
    }
    let linear = |value: u8| (f32::from(value) / 255.0).powf(2.2);
    let (base, team) = (base.map(linear), team.map(linear));
    let largest = |color: [f32; 3]| color.into_iter().fold(0.0, f32::max);
    let mask = f32::from(mask) / 255.0;
    let (own, other) = (largest(base), largest(team));
    let value = own + (own.min(other) - own) * 0.95 * mask * mask;
    let mut mixed = [0; 3];
    for (into, (base, team)) in mixed.iter_mut().zip(base.into_iter().zip(team)) {
        let (base, team) = (base / (own + 0.001), team / (other + 0.001));
        *into = to_byte(((base + (team - base) * mask.sqrt()) * value).powf(1.0 / 2.2));
    }
    mixed
}

/// x from red (times alpha, as compressed normal maps keep it), y turned up, z from both.
fn normal(r: u8, g: u8, a: u8) -> [u8; 4] {
    let unit = |byte: f32| byte / 255.0 * 2.0 - 1.0;
    let x = unit(f32::from(r) * f32::from(a) / 255.0);
    let y = -unit(f32::from(g));
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    let byte = |value: f32| to_byte(value * 0.5 + 0.5);
    [byte(x), byte(y), byte(z), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_prepared_for_their_purpose() {
        let over = Purpose::ColorOver([200, 100, 50]);
        assert_eq!(over.prepare([10, 20, 30, 0]), [200, 100, 50, 255]);
        assert_eq!(over.prepare([10, 20, 30, 255]), [10, 20, 30, 255]);
        // (10 * 51 + 200 * 204) / 255 = 162; (20 * 51 + 100 * 204) / 255 = 84; (30 * 51 + 50 * 204) / 255 = 46.
        assert_eq!(over.prepare([10, 20, 30, 51]), [162, 84, 46, 255]);
        assert_eq!(Purpose::Material.prepare([10, 20, 30, 40]), [10, 20, 30, 255]);
        // 40 of 80 is half as bright: full colour at an alpha of 80, or of 80 * 128 / 255 = 40.
        assert_eq!(Purpose::Glow { by_alpha: false }.prepare([80, 40, 0, 9]), [255, 128, 0, 80]);
        assert_eq!(Purpose::Glow { by_alpha: true }.prepare([80, 40, 0, 128]), [255, 128, 0, 40]);
        assert_eq!(Purpose::Glow { by_alpha: false }.prepare([0, 0, 0, 255]), [0; 4]);
        assert_eq!(Purpose::Shade { twice: false }.prepare([255, 255, 255, 255]), [0; 4]);
        assert_eq!(Purpose::Shade { twice: true }.prepare([30, 60, 90, 255]), [0, 0, 0, 135]);
        let [x, y, z, a] = Purpose::Normal.prepare([128, 128, 0, 255]);
        assert!(x.abs_diff(128) <= 1 && y.abs_diff(127) <= 1 && z >= 254 && a == 255);
    }

    #[test]
    fn the_threshold_of_a_cut_out_becomes_one_half() {
        for threshold in 1..=255_u8 {
            assert!(
                rescaled(threshold, threshold) >= 128 && rescaled(threshold - 1, threshold) < 128,
                "{threshold}"
            );
        }
        assert_eq!([rescaled(0, 191), rescaled(255, 191), rescaled(255, 255)], [0, 255, 128]);
        // 96 * 128 / 192 = 64; 128 + (223 - 192) * 127 / 63 = 190.
        assert_eq!([rescaled(96, 192), rescaled(223, 192)], [64, 190]);
    }

    #[test]
    fn the_colour_of_the_player_is_painted_by_the_mask_alone() {
        let image = Image::new(2, 1, vec![200, 200, 200, 0, 200, 200, 200, 255]).unwrap();
        // One pixel of mask for each half.
        let mask =
            Image::new(4, 2, [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 255], [0, 0, 0, 255]].repeat(2).concat())
                .unwrap();
        let purpose = Purpose::Painted { color: [255, 0, 0], cut: None };
        let (written, _) = purpose.prepared(image, Some(&mask)).unwrap();
        let [left, right] = written.pixels().as_chunks::<4>().0 else { panic!("two pixels") };
        assert_eq!(*left, [200, 200, 200, 0]);
        // The hue is all red, as bright as the skin.
        assert!(
            right[0].abs_diff(200) <= 1 && right[1] <= 10 && right[2] <= 10 && right[3] == 255,
            "{right:?}"
        );
    }

    #[test]
    fn normals_and_painted_colours_have_their_exact_bytes() {
        // x = 200 / 255, y turned over, z = sqrt(1 - x^2 - y^2): 221.0; with an alpha of 200 x is 156.9 and z 242.1.
        assert_eq!(Purpose::Normal.prepare([200, 80, 0, 255]), [200, 175, 221, 255]);
        assert_eq!(Purpose::Normal.prepare([200, 80, 0, 200]), [157, 175, 242, 255]);
        // Computed with another program: 114.3, 177.7, 37.2 and 18.3, 36.6, 54.9.
        assert_eq!(painted([200, 100, 50], [10, 200, 30], 128), [114, 178, 37]);
        assert_eq!(painted([200, 100, 50], [10, 20, 30], 255), [18, 37, 55]);
        assert_eq!(painted([200, 100, 50], [10, 20, 30], 0), [200, 100, 50]);
        // A colour that is darker than the skin, half: 51.5, 144.0, 179.2.
        assert_eq!(painted([100, 150, 200], [3, 66, 80], 128), [52, 144, 179]);
        assert_eq!(Purpose::Shade { twice: false }.prepare([30, 60, 91, 255]), [0, 0, 0, 195]);
        assert_eq!(Purpose::Shade { twice: true }.prepare([200, 200, 200, 255]), [0; 4]);
        assert_eq!(Purpose::CutOut(192).prepare([1, 2, 3, 96]), [1, 2, 3, 64]);
        assert_eq!(Purpose::Emissive.prepare([1, 2, 3, 4]), [1, 2, 3, 255]);
        assert_eq!(Purpose::Color.prepare([1, 2, 3, 4]), [1, 2, 3, 4]);
        let cut = Purpose::Painted { color: [0; 3], cut: Some(192) };
        assert_eq!(cut.prepare([1, 2, 3, 96]), [1, 2, 3, 64]);
        assert_eq!(Purpose::Painted { color: [0; 3], cut: None }.prepare([1, 2, 3, 96]), [1, 2, 3, 96]);
        assert!(Purpose::Emissive.is_color() && !Purpose::Normal.is_color() && !Purpose::Material.is_color());
    }

    #[test]
    fn a_mask_of_another_size_is_looked_up_by_place() {
        // Two by four pixels, and a mask of four by two that covers the lower right quarter.
        let image = Image::new(2, 4, [200, 200, 200, 255].repeat(8)).unwrap();
        let mut mask = vec![0_u8; 4 * 2 * 4];
        for pixel in [6, 7] {
            mask[pixel * 4 + 3] = 255;
        }
        let mask = Image::new(4, 2, mask).unwrap();
        let purpose = Purpose::Painted { color: [255, 0, 0], cut: None };
        let (written, _) = purpose.prepared(image, Some(&mask)).unwrap();
        let painted: Vec<bool> = written.pixels().as_chunks::<4>().0.iter().map(|it| it[1] < 200).collect();
        assert_eq!(painted, [false, false, false, false, false, true, false, true]);
    }

    #[test]
    fn a_picture_says_whether_any_of_its_pixels_was_changed() {
        let two = |second: [u8; 4]| Image::new(2, 1, [[9, 9, 9, 255], second].concat()).unwrap();
        let changed = |purpose: Purpose, second: [u8; 4]| {
            let (made, changed) = purpose.prepared(two(second), None).unwrap();
            assert_eq!(changed, made.pixels() != two(second).pixels());
            changed
        };
        assert!(!changed(Purpose::Color, [1, 2, 3, 4]) && !changed(Purpose::Emissive, [1, 2, 3, 255]));
        assert!(changed(Purpose::Emissive, [1, 2, 3, 254]));
        // Without a mask nothing is painted, but its alpha is cut.
        let painted = |cut| Purpose::Painted { color: [255, 0, 0], cut };
        assert!(!changed(painted(None), [1, 2, 3, 4]));
        assert!(changed(painted(Some(192)), [1, 2, 3, 96]));
        let mask = Image::flat(1, 1, [0, 0, 0, 0]);
        let (made, changed) = painted(Some(192)).prepared(two([1, 2, 3, 96]), Some(&mask)).unwrap();
        assert_eq!((made.pixels(), changed), (&[9, 9, 9, 255, 1, 2, 3, 64][..], true));
        let (_, changed) = painted(None).prepared(two([1, 2, 3, 96]), Some(&mask)).unwrap();
        assert!(!changed);
    }

    #[test]
    fn only_the_first_level_of_a_picture_is_kept() {
        let mut image = Image::flat(2, 2, [1, 2, 3, 255]);
        image.levels.push(vec![9; 4]);
        let (made, changed) = Purpose::Color.prepared(image, None).unwrap();
        assert_eq!((made.levels.len(), changed), (1, false));
    }
}

//! Textures on the device: with mip levels made from the first, and stand-ins for what is missing.

use crate::{Gpu, Image};
use effigy_scene::{Replaceable, Role, Texture};

/// Where textures come from.
pub trait Textures {
    /// The picture of a texture; none when it cannot be found.
    fn image(&mut self, texture: &Texture) -> Option<Image>;
}

/// No textures at all: everything wears a stand-in.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTextures;

impl Textures for NoTextures {
    fn image(&mut self, _: &Texture) -> Option<Image> {
        None
    }
}

impl Image {
    fn is_sound(&self) -> bool {
        let bytes = u64::from(self.width) * u64::from(self.height) * 4;
        bytes > 0 && u64::try_from(self.pixels.len()) == Ok(bytes)
    }

    /// One colour, on more than one level: software drivers compile a shader of their own for textures with a single one.
    pub(crate) fn flat(color: [u8; 4]) -> Self {
        Self { width: 2, height: 2, pixels: color.repeat(4) }
    }

    fn by_place(side: u8, color: impl Fn(u8, u8) -> [u8; 4]) -> Self {
        let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).flat_map(|(x, y)| color(x, y));
        Self { width: side.into(), height: side.into(), pixels: pixels.collect() }
    }

    /// Two greys in squares: plainly a stand-in, and never black.
    pub(crate) fn checker() -> Self {
        Self::by_place(32, |x, y| {
            let light = (x / 8 + y / 8) % 2 == 0;
            if light { [176, 176, 176, 255] } else { [136, 136, 136, 255] }
        })
    }

    /// A soft disc, in place of a particle's texture: squares would hide the model.
    pub(crate) fn disc() -> Self {
        Self::by_place(32, |x, y| {
            let light = falloff(x, y, 2.0);
            [light, light, light, light]
        })
    }

    /// The player's glow: his colour, fading to black.
    pub(crate) fn glow(color: [u8; 3]) -> Self {
        Self::by_place(64, |x, y| {
            let x = (f32::from(x) + 0.5) / 64.0 - 0.5;
            let y = (f32::from(y) + 0.5) / 64.0 - 0.5;
            let light = (1.0 - 2.8 * x.hypot(y)).clamp(0.0, 1.0).sin();
            let [r, g, b] = color.map(|channel| byte(f32::from(channel) / 255.0 * light));
            [r, g, b, 255]
        })
    }

    /// Half the size, each pixel the mean of four.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let row = self.width as usize * 4;
        let (step_x, step_y) = (if self.width > 1 { 4 } else { 0 }, if self.height > 1 { row } else { 0 });
        let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
        for y in 0..height as usize {
            // Rows 2y and 2y + 1, or the only row twice.
            let start = if step_y > 0 { 2 * y * row } else { 0 };
            let first = self.pixels.get(start..start + row).unwrap_or(&[]);
            let second = self.pixels.get(start + step_y..start + step_y + row).unwrap_or(first);
            for x in 0..width as usize {
                let at = if step_x > 0 { 8 * x } else { 0 };
                for channel in 0..4 {
                    let one = |line: &[u8], at: usize| u16::from(line.get(at).copied().unwrap_or(0));
                    let sum = one(first, at + channel)
                        + one(first, at + step_x + channel)
                        + one(second, at + channel)
                        + one(second, at + step_x + channel);
                    pixels.push(u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX));
                }
            }
        }
        Self { width, height, pixels }
    }
}

fn falloff(x: u8, y: u8, sharpness: f32) -> u8 {
    let (x, y) = ((f32::from(x) + 0.5) / 16.0 - 1.0, (f32::from(y) + 0.5) / 16.0 - 1.0);
    byte((1.0 - x.hypot(y)).clamp(0.0, 1.0).powf(sharpness))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating cast of a colour")]
pub(crate) fn byte(value: f32) -> u8 {
    (value * 255.0).round() as u8
}

/// What a texture became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Yes,
    /// A stand-in that is as good as the original: team colour and glow, or white for a texture without a name.
    Made,
    Missing,
}

/// What a texture is for, where that decides what stands in for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A layer of a mesh.
    Layer(Role),
    /// Particles alone.
    Particles,
}

/// A normal map without bumps.
pub(crate) const FLAT_NORMAL: [u8; 4] = [128, 128, 255, 255];
/// Rough, no metal, no team colour.
pub(crate) const NO_ORM: [u8; 4] = [255, 255, 0, 0];
/// No light.
pub(crate) const NO_LIGHT: [u8; 4] = [0, 0, 0, 255];

/// The picture of a texture or what stands in for it.
pub(crate) fn load(texture: &Texture, used: Use, team: [u8; 3], source: &mut dyn Textures) -> (Image, Found) {
    if let Some(image) = source.image(texture).filter(Image::is_sound) {
        return (image, Found::Yes);
    }
    let [r, g, b] = team;
    match texture.replaceable {
        Some(Replaceable::TeamColor) => (Image::flat([r, g, b, 255]), Found::Made),
        Some(Replaceable::TeamGlow) => (Image::glow(team), Found::Made),
        None if texture.path.is_empty() => (Image::flat([255; 4]), Found::Made),
        _ => {
            let image = match used {
                Use::Particles => Image::disc(),
                Use::Layer(Role::Normal) => Image::flat(FLAT_NORMAL),
                Use::Layer(Role::Orm) => Image::flat(NO_ORM),
                Use::Layer(Role::Emissive | Role::Environment) => Image::flat(NO_LIGHT),
                Use::Layer(Role::TeamColor) => Image::flat([r, g, b, 255]),
                Use::Layer(Role::Base | Role::Second) => Image::checker(),
            };
            (image, Found::Missing)
        }
    }
}

impl Image {
    /// How many pixels have each alpha.
    fn alphas(&self) -> [usize; 256] {
        let mut counts = [0; 256];
        for [.., alpha] in self.pixels.as_chunks::<4>().0 {
            if let Some(count) = counts.get_mut(usize::from(*alpha)) {
                *count += 1;
            }
        }
        counts
    }

    /// The share of pixels that pass an alpha test.
    fn covered(&self, key: u8) -> f32 {
        let passing: usize = self.alphas().iter().skip(usize::from(key)).sum();
        passing as f32 / (self.pixels.len() / 4).max(1) as f32
    }

    /// Raises alpha until as much passes the test as in the first level: means of cut-outs would melt away.
    fn keep_covered(&mut self, key: u8, share: f32) {
        let wanted = share * (self.pixels.len() / 4) as f32;
        let mut passing = 0;
        let counts = self.alphas();
        let reached = (1..=key).rev().chain(std::iter::once(0)).find(|alpha| {
            let above = if *alpha == key { counts.iter().skip(usize::from(key)).sum() } else { 0 };
            let here = if *alpha == key { 0 } else { counts.get(usize::from(*alpha)).copied().unwrap_or(0) };
            passing += above + here;
            passing as f32 >= wanted
        });
        let Some(reached) = reached.filter(|alpha| *alpha > 0 && *alpha < key) else { return };
        for [.., alpha] in self.pixels.as_chunks_mut::<4>().0 {
            let raised = (u32::from(*alpha) * u32::from(key)).div_ceil(u32::from(reached));
            *alpha = u8::try_from(raised).unwrap_or(u8::MAX);
        }
    }
}

/// Puts a picture with all its mip levels on the device. `key` is the alpha test of cut-outs that wear it.
pub(crate) fn upload(gpu: &Gpu, mut image: Image, key: Option<u8>) -> wgpu::TextureView {
    let most = gpu.largest_side();
    while image.width > most || image.height > most {
        image = image.halved();
    }
    let levels = image.width.max(image.height).max(1).ilog2() + 1;
    let key = key.map(|key| (key, image.covered(key)));
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("texture"),
        size: wgpu::Extent3d { width: image.width, height: image.height, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for level in 0..levels {
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level: level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            &image.pixels,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(image.width * 4),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: image.width, height: image.height, depth_or_array_layers: 1 },
        );
        if level + 1 < levels {
            image = image.halved();
            if let Some((key, share)) = key {
                image.keep_covered(key, share);
            }
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_picture_is_the_mean_of_four_pixels() {
        let pixels = [10, 20, 30, 40].iter().flat_map(|value| [*value, 0, 255, 4]).collect();
        let image = Image { width: 2, height: 2, pixels };
        assert_eq!(image.halved(), Image { width: 1, height: 1, pixels: vec![25, 0, 255, 4] });
        let row = Image { width: 4, height: 1, pixels: (0..16).collect() };
        assert_eq!(row.halved(), Image { width: 2, height: 1, pixels: vec![2, 3, 4, 5, 10, 11, 12, 13] });
        let odd = Image { width: 3, height: 3, pixels: vec![7; 36] };
        assert_eq!(odd.halved(), Image { width: 1, height: 1, pixels: vec![7; 4] });
    }

    #[test]
    fn cut_outs_keep_their_share_of_the_picture_when_halved() {
        // A lattice: one pixel in two is covered, so that the mean is below any usual test.
        let pixels =
            (0..256).flat_map(|at| [0, 0, 0, if (at + at / 16) % 2 == 0 { 255 } else { 0 }]).collect();
        let image = Image { width: 16, height: 16, pixels };
        let share = image.covered(192);
        assert!((share - 0.5).abs() < 0.01);
        let mut half = image.halved();
        assert!(half.covered(192) < 0.01);
        half.keep_covered(192, share);
        assert!(half.covered(192) >= 0.5);
        let mut full = Image { width: 2, height: 2, pixels: vec![255; 16] };
        full.keep_covered(192, 1.0);
        assert_eq!(full.pixels, vec![255; 16]);
    }

    #[test]
    fn pictures_without_pixels_count_as_missing() {
        struct Empty;
        impl Textures for Empty {
            fn image(&mut self, _: &Texture) -> Option<Image> {
                Some(Image { width: 0, height: 0, pixels: Vec::new() })
            }
        }
        let texture = Texture { path: "a.blp".into(), ..Texture::default() };
        let (image, found) = load(&texture, Use::Layer(Role::Base), [0; 3], &mut Empty);
        assert_eq!(found, Found::Missing);
        assert_eq!(image, Image::checker());
        assert!(image.pixels.iter().all(|value| *value > 64));
    }
}

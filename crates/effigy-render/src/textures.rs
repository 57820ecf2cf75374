//! Textures on the device: with mip levels made from the first, and stand-ins for what is missing.

use crate::{Gpu, Image, Textures};
use effigy_scene::{Blend, Replaceable, Role, Texture, team};

/// Whether there are pixels, and as many as the size states.
fn is_sound(image: &Image) -> bool {
    let bytes = u64::from(image.width) * u64::from(image.height) * 4;
    bytes > 0 && u64::try_from(image.pixels().len()) == Ok(bytes)
}

/// One colour, with more than one mip level: software drivers compile a separate shader for textures with a single one.
pub(crate) fn flat(color: [u8; 4]) -> Image {
    Image::flat(2, 2, color)
}

/// A quiet grey, in place of the texture of a solid layer: light on it shows the shape, and it is never black.
pub(crate) const NEUTRAL: [u8; 4] = [156, 156, 156, 255];
/// The same over a solid layer of the same material, whose colour (usually the team's) shows through.
const VEIL: [u8; 4] = [156, 156, 156, 176];

/// A soft disc in each cell of a texture with this many rows and columns: squares would hide the model.
fn discs(cells: [u32; 2]) -> Image {
    on_discs(cells, |inside| [byte(inside); 4])
}

/// A picture of soft discs, one for each cell: the colour for 0 outside of them to 1 in their middle.
fn on_discs([rows, columns]: [u32; 2], color: impl Fn(f32) -> [u8; 4]) -> Image {
    let side = |cells: u32| u16::try_from((32 * cells.clamp(1, 16)).min(256)).unwrap_or(32);
    let (width, height) = (side(columns), side(rows));
    let cell = |size: u16, cells: u32| f32::from(size) / cells.clamp(1, 16) as f32;
    let (wide, high) = (cell(width, columns), cell(height, rows));
    Image::from_fn(width, height, |x, y| {
        let from_middle = |at: u16, size: f32| ((f32::from(at) + 0.5) % size) / size * 2.0 - 1.0;
        let distance = from_middle(x, wide).hypot(from_middle(y, high));
        color((1.0 - distance).clamp(0.0, 1.0).powi(2))
    })
}

/// A soft shadow: this grey, which leaves the background as it is, and half of it in the middle.
fn shade(neutral: f32) -> Image {
    on_discs([1, 1], |inside| {
        let grey = byte(neutral * (1.0 - inside / 2.0));
        [grey, grey, grey, 255]
    })
}

/// The colour or glow of the player that a path names, such as `TeamColor\\TeamColor05.blp`.
fn team_by_name(path: &str) -> Option<Image> {
    let file = path.rsplit(['\\', '/']).next()?.to_lowercase();
    let (stem, _) = file.rsplit_once('.')?;
    let player =
        |prefix: &str| -> Option<[u8; 3]> { Some(team::color(stem.strip_prefix(prefix)?.parse().ok()?)) };
    match (player("teamcolor"), player("teamglow")) {
        (Some([r, g, b]), _) => Some(flat([r, g, b, 255])),
        (_, Some(color)) => Some(Image::glow(color)),
        _ => None,
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating cast of a colour")]
pub(crate) fn byte(value: f32) -> u8 {
    (value * 255.0).round() as u8
}

/// What a texture became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Yes,
    /// A stand-in that is as good as the original: team colour and glow, or a texture without a name.
    Made,
    Missing,
}

/// What a texture is used for, which determines its stand-in. Of several uses the least counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// A layer that hides what is behind it.
    Solid,
    /// A blended layer over a solid one.
    Veil,
    /// A layer that adds or mixes: rows and columns of its cells.
    Soft([u32; 2]),
    /// A layer that darkens what is behind it.
    Darkens,
    /// A layer that darkens or brightens what is behind it.
    Shades,
    /// A layer that adds light to a solid one, or a map of light.
    Light,
    /// A normal map.
    Normal,
    /// Roughness, metal and team mask.
    Orm,
    /// Team colour.
    Team,
}

impl Use {
    /// The use of a texture in a layer; `over` is the blend of the first layer of the same material.
    pub(crate) const fn of(role: Role, blend: Blend, over: Option<Blend>) -> Self {
        let over_solid = matches!(over, Some(Blend::Opaque | Blend::AlphaKey));
        match (role, blend) {
            (Role::Normal, _) => Self::Normal,
            (Role::Orm, _) => Self::Orm,
            (Role::TeamColor, _) => Self::Team,
            (Role::Emissive | Role::Environment, _) => Self::Light,
            (Role::Base | Role::Second, Blend::Opaque | Blend::AlphaKey) => Self::Solid,
            (Role::Base | Role::Second, Blend::Alpha) if over_solid => Self::Veil,
            (Role::Base | Role::Second, Blend::Add | Blend::AddAlpha) if over_solid => Self::Light,
            (Role::Base | Role::Second, Blend::Modulate) => Self::Darkens,
            (Role::Base | Role::Second, Blend::Modulate2x) => Self::Shades,
            (Role::Base | Role::Second, _) => Self::Soft([1, 1]),
        }
    }

    pub(crate) fn stand_in(self, [r, g, b]: [u8; 3]) -> Image {
        match self {
            Self::Solid => flat(NEUTRAL),
            Self::Veil => flat(VEIL),
            Self::Soft(cells) => discs(cells),
            Self::Darkens => shade(1.0),
            Self::Shades => shade(128.0 / 255.0),
            Self::Light => flat(NO_LIGHT),
            Self::Normal => flat(FLAT_NORMAL),
            Self::Orm => flat(NO_ORM),
            Self::Team => flat([r, g, b, 255]),
        }
    }
}

/// A normal map without bumps.
pub(crate) const FLAT_NORMAL: [u8; 4] = [128, 128, 255, 255];
/// Rough, no metal, no team colour.
pub(crate) const NO_ORM: [u8; 4] = [255, 255, 0, 0];
/// No light.
pub(crate) const NO_LIGHT: [u8; 4] = [0, 0, 0, 255];

/// Pixels of a texture at most. No picture shows more of one, and a small file may hold far larger ones.
const MOST_PIXELS: u64 = 1 << 23;

fn fitted(mut image: Image) -> Image {
    while u64::from(image.width) * u64::from(image.height) > MOST_PIXELS {
        image = image.halved();
    }
    image
}

/// The image of a texture, or a stand-in.
pub(crate) fn load(texture: &Texture, used: Use, team: [u8; 3], source: &mut dyn Textures) -> (Image, Found) {
    if let Some(image) = source.image(texture).filter(is_sound) {
        return (fitted(image), Found::Yes);
    }
    let [r, g, b] = team;
    match texture.replaceable {
        Some(Replaceable::TeamColor) => (flat([r, g, b, 255]), Found::Made),
        Some(Replaceable::TeamGlow) => (Image::glow(team), Found::Made),
        None if texture.path.is_empty() => match used {
            Use::Soft(_) => (used.stand_in(team), Found::Made),
            _ => (flat([255; 4]), Found::Made),
        },
        _ => {
            if let Some(image) = team_by_name(&texture.path) {
                return (image, Found::Made);
            }
            (used.stand_in(team), Found::Missing)
        }
    }
}

/// The gamma that Return to Castle Wolfenstein starts with.
const WOLFENSTEIN_GAMMA: f32 = 1.3;

/// Applies the gamma of Wolfenstein to an image, as the game does where it cannot change that of the screen.
pub(crate) fn brighten(image: &mut Image) {
    let mut table = [0; 256];
    for (value, slot) in (0_u8..=255).zip(&mut table) {
        *slot = byte((f32::from(value) / 255.0).powf(1.0 / WOLFENSTEIN_GAMMA));
    }
    for [color @ .., _] in image.pixels_mut().as_chunks_mut::<4>().0 {
        for channel in color {
            *channel = table.get(usize::from(*channel)).copied().unwrap_or(*channel);
        }
    }
}

/// The number of pixels with each alpha.
fn alphas(image: &Image) -> [usize; 256] {
    let mut counts = [0; 256];
    for [.., alpha] in image.pixels().as_chunks::<4>().0 {
        if let Some(count) = counts.get_mut(usize::from(*alpha)) {
            *count += 1;
        }
    }
    counts
}

/// The share of pixels that pass an alpha test.
fn covered(image: &Image, key: u8) -> f32 {
    let passing: usize = alphas(image).iter().skip(usize::from(key)).sum();
    passing as f32 / (image.pixels().len() / 4).max(1) as f32
}

/// Raises alpha until as many pixels pass the test as in the first level. The means of cut-outs would fall below the
/// test, and foliage would disappear in the distance.
fn keep_covered(image: &mut Image, key: u8, share: f32) {
    let wanted = share * (image.pixels().len() / 4) as f32;
    let mut passing = 0;
    let counts = alphas(image);
    let reached = (1..=key).rev().chain(std::iter::once(0)).find(|alpha| {
        let above = if *alpha == key { counts.iter().skip(usize::from(key)).sum() } else { 0 };
        let here = if *alpha == key { 0 } else { counts.get(usize::from(*alpha)).copied().unwrap_or(0) };
        passing += above + here;
        passing as f32 >= wanted
    });
    let Some(reached) = reached.filter(|alpha| *alpha > 0 && *alpha < key) else { return };
    for [.., alpha] in image.pixels_mut().as_chunks_mut::<4>().0 {
        let raised = (u32::from(*alpha) * u32::from(key)).div_ceil(u32::from(reached));
        *alpha = u8::try_from(raised).unwrap_or(u8::MAX);
    }
}

/// Uploads an image with all its mip levels. `key` is the alpha test of the layers that use it.
pub(crate) fn upload(gpu: &Gpu, mut image: Image, key: Option<u8>) -> wgpu::TextureView {
    let most = gpu.largest_side();
    while image.width > most || image.height > most {
        image = image.halved();
    }
    let levels = image.width.max(image.height).max(1).ilog2() + 1;
    let key = key.map(|key| (key, covered(&image, key)));
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
            image.pixels(),
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
                keep_covered(&mut image, key, share);
            }
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_outs_keep_their_share_of_the_picture_when_halved() {
        // A checkerboard: every other pixel is covered, so that the mean is below any usual test.
        let image = Image::from_fn(16, 16, |x, y| [0, 0, 0, if (x + y) % 2 == 0 { 255 } else { 0 }]);
        let share = covered(&image, 192);
        assert!((share - 0.5).abs() < 0.01);
        let mut half = image.halved();
        assert!(covered(&half, 192) < 0.01);
        keep_covered(&mut half, 192, share);
        assert!(covered(&half, 192) >= 0.5);
        let mut full = flat([255; 4]);
        keep_covered(&mut full, 192, 1.0);
        assert_eq!(full, flat([255; 4]));
    }

    #[test]
    fn pictures_that_are_far_too_large_are_halved() {
        let texture = Texture { path: "a.blp".into(), ..Texture::default() };
        for (size, expected) in [([4096, 2048], [4096, 2048]), ([4096, 2049], [2048, 1024])] {
            let [width, height] = size;
            let large = move |_: &Texture| Some(Image::flat(width, height, [9; 4]));
            let (image, found) = load(&texture, Use::Solid, [0; 3], &mut { large });
            assert_eq!(([image.width, image.height], found), (expected, Found::Yes));
        }
    }

    #[test]
    fn images_without_pixels_count_as_missing() {
        let texture = Texture { path: "a.blp".into(), ..Texture::default() };
        let (image, found) = load(&texture, Use::Solid, [0; 3], &mut |_: &Texture| Some(Image::default()));
        assert_eq!(found, Found::Missing);
        assert_eq!(image, flat(NEUTRAL));
        assert!(image.pixels().iter().all(|value| *value > 64));
    }

    #[test]
    fn every_cell_of_an_atlas_has_a_disc() {
        // Two rows and four columns of 32 pixels each.
        let image = discs([2, 4]);
        assert_eq!((image.width, image.height), (128, 64));
        for (column, row) in [(0, 0), (3, 0), (1, 1), (3, 1)] {
            let (left, top) = (column * 32, row * 32);
            assert!(image.pixel(left + 16, top + 16)[3] > 200);
            assert_eq!(image.pixel(left, top), [0; 4]);
            assert_eq!(image.pixel(left + 31, top + 31), [0; 4]);
        }
        assert_eq!(discs([0, 0]).width, 32);
        assert_eq!(discs([1, u32::MAX]).width, 256);
    }

    #[test]
    fn only_solid_layers_get_an_opaque_stand_in() {
        for blend in [Blend::Alpha, Blend::Add, Blend::AddAlpha] {
            let image = Use::of(Role::Base, blend, None).stand_in([0; 3]);
            assert_eq!(image.pixel(0, 0), [0; 4], "{blend:?}");
        }
        // What multiplies leaves the background as it is.
        assert_eq!(Use::of(Role::Base, Blend::Modulate, None).stand_in([0; 3]).pixel(0, 0), [255; 4]);
        assert_eq!(Use::of(Role::Base, Blend::Modulate2x, None).stand_in([0; 3]).pixel(0, 0)[0], 128);
        let skin = Use::of(Role::Base, Blend::Alpha, Some(Blend::Opaque)).stand_in([0; 3]);
        assert_eq!(skin.pixel(0, 0), VEIL);
        assert_eq!(Use::of(Role::Base, Blend::AlphaKey, None).stand_in([0; 3]).pixel(0, 0), NEUTRAL);
    }

    #[test]
    fn team_colours_that_a_model_names_are_made_by_code() {
        let found = team_by_name(r"ReplaceableTextures\TeamColor\TeamColor05.blp").unwrap();
        // Player 5 is orange.
        assert_eq!(found.pixel(0, 0), [0xfe, 0x89, 0x0d, 255]);
        assert_eq!(team_by_name("TeamGlow/teamglow00.blp").unwrap().width, 64);
        assert!(team_by_name("TeamColor.blp").is_none() && team_by_name("x").is_none());
    }
}

//! glTF 2.0 from any model: lowered to a scene, with the textures that are found, and a report.

use crate::textures::SceneTextures;
use crate::{ConvertOptions, Converted, Format, Model, Result, Target};
use effigy_gltf::Purpose;
use effigy_image::Image;
use effigy_scene::Texture;

/// The formats that have a scene to export.
pub(crate) const FROM: &[Format] = &[Format::Mdx, Format::Mdl, Format::M2, Format::Mdc, Format::Md3];

/// Exports a model with its textures.
pub(crate) fn convert(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    let lowered = model.lower()?;
    let mut report = lowered.report;
    let scene = effigy_scene::validate(lowered.scene)?;
    let team = usize::from(options.gltf.team_color.unwrap_or(0));
    let mut file = effigy_gltf::export(&scene, &options.gltf, &mut model.textures(Some(team)))?;
    report.append(std::mem::take(&mut file.report));
    if target.format == Format::Glb {
        return Ok(Converted::file(file.into_glb()?, report));
    }
    Ok(Converted::gltf(file, report))
}

impl effigy_gltf::Textures for SceneTextures<'_> {
    fn png(&mut self, wanted: &Texture, purpose: Purpose) -> Option<Vec<u8>> {
        let image = self.image(wanted)?;
        let pixels: Vec<u8> =
            image.pixels().as_chunks::<4>().0.iter().flat_map(|pixel| prepare(*pixel, purpose)).collect();
        let image = Image::new(image.width, image.height, pixels).ok()?;
        effigy_image::png::write(&image, Default::default()).ok()
    }
}

/// A pixel as glTF wants it for this purpose.
fn prepare([r, g, b, a]: [u8; 4], purpose: Purpose) -> [u8; 4] {
    match purpose {
        Purpose::Color => [r, g, b, a],
        Purpose::ColorOver([under_r, under_g, under_b]) => {
            let mix = |over: u8, under: u8| {
                let sum = u32::from(over) * u32::from(a) + u32::from(under) * (255 - u32::from(a));
                u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
            };
            [mix(r, under_r), mix(g, under_g), mix(b, under_b), 255]
        }
        Purpose::Normal => normal(r, g, a),
        Purpose::Material | Purpose::Emissive => [r, g, b, 255],
    }
}

/// x from red (times alpha, as compressed normal maps keep it), y turned up, z from both.
fn normal(r: u8, g: u8, a: u8) -> [u8; 4] {
    let unit = |byte: f32| byte / 255.0 * 2.0 - 1.0;
    let x = unit(f32::from(r) * f32::from(a) / 255.0);
    let y = -unit(f32::from(g));
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    let byte = |value: f32| effigy_image::to_byte(value * 0.5 + 0.5);
    [byte(x), byte(y), byte(z), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_prepared_for_their_purpose() {
        assert_eq!(prepare([10, 20, 30, 0], Purpose::ColorOver([200, 100, 50])), [200, 100, 50, 255]);
        assert_eq!(prepare([10, 20, 30, 255], Purpose::ColorOver([200, 100, 50])), [10, 20, 30, 255]);
        assert_eq!(prepare([10, 20, 30, 40], Purpose::Material), [10, 20, 30, 255]);
        let [x, y, z, a] = prepare([128, 128, 0, 255], Purpose::Normal);
        assert!(x.abs_diff(128) <= 1 && y.abs_diff(127) <= 1 && z >= 254 && a == 255);
    }
}

//! From any model to the format-neutral scene.

use crate::{Error, Model, Result};
pub use effigy_convert::Lowered;

/// Shows this hair style of a character instead of the usual one. Models that are not characters, or do not have this
/// part, stay as they are.
#[cfg(feature = "assets")]
fn wear_hair(scene: &mut effigy_scene::Scene, part: u32) {
    let is_hair = |mesh: &effigy_scene::Mesh| (1..100).contains(&mesh.part);
    let meshes = scene.meshes.as_mut_slice();
    let is_character = meshes.iter().any(|mesh| is_hair(mesh) && !mesh.shown);
    if is_character && meshes.iter().any(|mesh| mesh.part == part && is_hair(mesh)) {
        meshes.iter_mut().filter(|mesh| is_hair(mesh)).for_each(|mesh| mesh.shown = mesh.part == part);
    }
}

/// Shows the plain part of each group of a character whose hair, beard or ears a helmet hides.
#[cfg(feature = "assets")]
pub(crate) fn wear_helmet(scene: &mut effigy_scene::Scene, plain: &[u32]) {
    let meshes = scene.meshes.as_mut_slice();
    for part in plain {
        let same_group = |mesh: &&mut effigy_scene::Mesh| mesh.part > 0 && mesh.part / 100 == part / 100;
        meshes.iter_mut().filter(same_group).for_each(|mesh| mesh.shown = mesh.part == *part);
    }
}

/// How an image with an alpha channel is meant where nothing says it: cut out, or blended if more of it is half
/// transparent than solid.
///
/// `None` for an image of which less than a tenth is clear: such channels are masks of something else, such as of what
/// mirrors its surroundings. `None` too for a channel that is empty because nobody has painted it.
#[cfg(feature = "assets")]
fn see_through(image: &effigy_image::Image) -> Option<effigy_scene::Blend> {
    let [mut clear, mut half, mut solid] = [0_usize; 3];
    for [.., alpha] in image.pixels().as_chunks::<4>().0 {
        match alpha {
            0..=15 => clear += 1,
            16..=239 => half += 1,
            240..=255 => solid += 1,
        }
    }
    let all = clear + half + solid;
    if clear * 10 < all || (half + solid) * 50 < all {
        return None;
    }
    Some(if half > solid { effigy_scene::Blend::Alpha } else { effigy_scene::Blend::AlphaKey })
}

impl Model {
    /// The scene that the model describes, and what became of the model on the way.
    ///
    /// Shader scripts next to the model or among the game's files are applied to models of Return to Castle
    /// Wolfenstein.
    ///
    /// # Errors
    /// When a model has no scene (a skin alone, an M2 without its skins), or its frames do not decode.
    pub fn lower(&self) -> Result<Lowered> {
        let mut lowered = self.lower_alone()?;
        crate::parts::attach(self, &mut lowered)?;
        Ok(lowered)
    }

    /// The level of detail that the scene has to be asked for: that of a body was chosen when it was opened.
    #[cfg(any(feature = "gltf", feature = "render"))]
    pub(crate) const fn level(&self, wanted: u32) -> u32 {
        if matches!(self, Self::Mds(_)) { 0 } else { wanted }
    }

    /// The scene without the models that are attached to it.
    fn lower_alone(&self) -> Result<Lowered> {
        match self {
            Self::Mdx(model) => Ok(effigy_convert::mdx::lower(model)),
            Self::M2(model) if !model.vertices.is_empty() && model.views().next().is_none() => {
                Err(crate::formats::m2::without_skins(self))
            }
            Self::M2(model) => {
                #[allow(unused_mut, reason = "it is changed only where there are files")]
                let mut lowered = effigy_convert::m2::lower(model);
                #[cfg(feature = "assets")]
                if let Some(part) = self.file().and_then(|file| self.assets().hair_part(self.naming(), file))
                {
                    wear_hair(&mut lowered.scene, part);
                }
                Ok(lowered)
            }
            Self::Mdc(model) => {
                let dressed = crate::formats::mdc::dressed(model);
                let timing = crate::formats::mdc::timing(model);
                let mut lowered = effigy_convert::mdc::lower(&dressed, &timing)?;
                self.apply_scripts(&mut lowered);
                Ok(lowered)
            }
            Self::Mds(model) => {
                let mut lowered = crate::formats::mds::lower(model)?;
                self.apply_scripts(&mut lowered);
                Ok(lowered)
            }
            #[cfg(feature = "gltf")]
            Self::Gltf(model) => {
                let (mut scene, report) = model.lower()?;
                #[cfg(feature = "assets")]
                if let Some(file) = model.origin.file.as_ref().filter(|_| scene.name.is_empty()) {
                    let name = file.file_name();
                    scene.name = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
                }
                Ok(Lowered { scene, report })
            }
            Self::Skin(_) => {
                Err(Error::unsupported("a skin has no geometry of its own").hint("open its .m2 file"))
            }
        }
    }

    /// Applies the shader scripts that are found.
    fn apply_scripts(&self, lowered: &mut Lowered) {
        #[cfg(feature = "assets")]
        if let Some(file) = &self.origin().file {
            let scripts = self.origin().assets.scripts(file);
            let report = effigy_convert::mdc::apply_shaders(&mut lowered.scene, |name| scripts.get(name));
            lowered.report.append(report);
            let mut textures = self.textures(None);
            let report = effigy_convert::mdc::apply_alpha(
                &mut lowered.scene,
                |name| scripts.get(name).is_some(),
                |texture| see_through(&textures.image(texture)?),
            );
            lowered.report.append(report);
        }
        // The closed eyes of a head are drawn only while it blinks.
        for mesh in lowered.scene.meshes.as_mut_slice() {
            mesh.shown &= mesh.name != "h_blink";
        }
    }
}

#[cfg(all(test, feature = "assets"))]
mod tests {
    use super::{see_through, wear_hair, wear_helmet};
    use effigy_image::Image;
    use effigy_scene::{Blend, Mesh, Scene};

    #[test]
    fn a_hair_style_replaces_the_usual_one_of_a_character() {
        // The body, three hair styles of which the second is shown, and gloves.
        let scene = |shown: [bool; 5]| {
            let mut scene = Scene::default();
            for (part, shown) in [0, 1, 2, 3, 401].into_iter().zip(shown) {
                scene.meshes.push(Mesh { part, shown, ..Mesh::new("part") });
            }
            scene
        };
        let usual = [true, false, true, false, true];
        for (wanted, shown, expected) in [
            (3, usual, [true, false, false, true, true]),
            (1, usual, [true, true, false, false, true]),
            // There is no such style; and a creature shows everything.
            (9, usual, usual),
            (3, [true; 5], [true; 5]),
        ] {
            let mut scene = scene(shown);
            wear_hair(&mut scene, wanted);
            let found: Vec<bool> = scene.meshes.as_slice().iter().map(|mesh| mesh.shown).collect();
            assert_eq!(found, expected, "{wanted}");
        }
    }

    #[test]
    fn a_helmet_leaves_the_plain_parts() {
        let mut scene = Scene::default();
        for (part, shown) in [(0, true), (1, false), (4, true), (101, false), (103, true), (702, true)] {
            scene.meshes.push(Mesh { part, shown, ..Mesh::new("part") });
        }
        // There is no part 701: the ears are hidden and nothing takes their place.
        wear_helmet(&mut scene, &[1, 701]);
        let shown = scene.meshes.as_slice().iter().filter(|mesh| mesh.shown).map(|mesh| mesh.part);
        assert_eq!(shown.collect::<Vec<u32>>(), [0, 1, 103]);
    }

    #[test]
    fn an_alpha_channel_that_was_painted_is_used() {
        // The alpha of each of ten rows.
        let image = |alphas: [u8; 10]| {
            Image::from_fn(10, 10, |_, y| [9, 9, 9, alphas.get(usize::from(y)).copied().unwrap_or(0)])
        };
        assert_eq!(see_through(&image([255; 10])), None);
        assert_eq!(see_through(&image([0; 10])), None);
        // A mask of what mirrors: dark, but nowhere clear.
        assert_eq!(see_through(&image([255, 255, 255, 255, 200, 120, 90, 60, 40, 20])), None);
        assert_eq!(see_through(&image([0, 0, 0, 0, 0, 128, 255, 255, 255, 255])), Some(Blend::AlphaKey));
        assert_eq!(see_through(&image([0, 0, 0, 40, 80, 120, 140, 80, 40, 0])), Some(Blend::Alpha));
    }
}

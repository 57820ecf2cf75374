//! The images of a model's scene.

use crate::Model;
use effigy_scene::Texture;

/// The textures of one model, as far as they can be found. `None` for a model without surroundings.
pub(crate) struct SceneTextures<'a> {
    #[cfg(feature = "assets")]
    found: Option<effigy_assets::ModelTextures<'a>>,
    #[cfg(not(feature = "assets"))]
    found: std::marker::PhantomData<&'a ()>,
}

impl Model {
    /// The images of the model's scene, with the colour of this player; without one, team colours are left to the
    /// caller.
    pub(crate) fn textures(&self, team: Option<usize>) -> SceneTextures<'_> {
        #[cfg(feature = "assets")]
        let found = self.file().map(|file| effigy_assets::ModelTextures {
            assets: self.assets(),
            file,
            naming: self.naming(),
            team,
        });
        #[cfg(not(feature = "assets"))]
        let (found, _) = (std::marker::PhantomData, team);
        SceneTextures { found }
    }
}

impl SceneTextures<'_> {
    /// The image of a texture, if there is one.
    pub(crate) fn image(&self, wanted: &Texture) -> Option<effigy_image::Image> {
        #[cfg(feature = "assets")]
        return self.found.as_ref()?.image(wanted);
        #[cfg(not(feature = "assets"))]
        None
    }
}

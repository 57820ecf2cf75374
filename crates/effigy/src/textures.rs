//! The images of a model's scene.

use crate::Model;
use effigy_scene::{NoTextures, Textures};

impl Model {
    /// The images of the model's scene, with the colour of this player; without one, team colours are left to whoever
    /// asks. A model that was not opened from a file has no images.
    ///
    /// An attached model's textures are looked for where that model is, after those of the model that carries it.
    #[must_use]
    pub fn textures(&self, team: Option<usize>) -> Box<dyn Textures + '_> {
        if self.parts().is_empty() {
            return self.own_textures(team);
        }
        let mut sources = vec![self.own_textures(team)];
        sources.extend(self.parts().iter().map(|part| part.model.textures(team)));
        Box::new(move |texture: &effigy_scene::Texture| sources.iter_mut().find_map(|it| it.image(texture)))
    }

    fn own_textures(&self, team: Option<usize>) -> Box<dyn Textures + '_> {
        #[cfg(feature = "assets")]
        if let Some(file) = self.file() {
            let (assets, naming) = (self.assets(), self.naming());
            let mut found = effigy_assets::ModelTextures { assets, file, naming, team };
            #[cfg(feature = "gltf")]
            if let Self::Gltf(model) = self {
                return Box::new(move |texture: &effigy_scene::Texture| {
                    let own = || model.changed_image(texture);
                    model.image(texture).or_else(|| found.image(texture)).or_else(own)
                });
            }
            return Box::new(found);
        }
        #[cfg(feature = "gltf")]
        if let Self::Gltf(model) = self {
            return Box::new(|texture: &effigy_scene::Texture| {
                model.image(texture).or_else(|| model.changed_image(texture))
            });
        }
        let _ = team;
        Box::new(NoTextures)
    }
}

//! From any model to the format-neutral scene.

use crate::{Error, Model, Result};
pub use effigy_convert::Lowered;

impl Model {
    /// The scene that the model describes, and what became of the model on the way.
    ///
    /// Shader scripts next to the model or among the game's files are applied to models of Return to Castle
    /// Wolfenstein.
    ///
    /// # Errors
    /// When a model has no scene (a skin alone, an M2 without its skins), or its frames do not decode.
    pub fn lower(&self) -> Result<Lowered> {
        match self {
            Self::Mdx(model) => Ok(effigy_convert::mdx::lower(model)),
            Self::M2(model) if !model.vertices.is_empty() && model.views().next().is_none() => {
                Err(self.without_skins())
            }
            Self::M2(model) => Ok(effigy_convert::m2::lower(model)),
            Self::Mdc(model) => {
                let mut lowered =
                    effigy_convert::mdc::lower(model, &effigy_convert::mdc::FrameTiming::default())?;
                #[cfg(feature = "assets")]
                if let Some(file) = &model.origin.file {
                    let scripts = model.origin.assets.scripts(file);
                    let report =
                        effigy_convert::mdc::apply_shaders(&mut lowered.scene, |name| scripts.get(name));
                    lowered.report.append(report);
                }
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

    /// The error for an M2 whose triangles are in `.skin` files that were not found; it names the first of them.
    fn without_skins(&self) -> Error {
        #[cfg(feature = "assets")]
        let name = self.file().map(effigy_assets::FileRef::file_name);
        #[cfg(not(feature = "assets"))]
        let name: Option<String> = None;
        let skin = name.and_then(|name| self.companions(&name).into_iter().next());
        let skin = skin.unwrap_or_else(|| "its .skin file".to_owned());
        Error::new(crate::Kind::Usage, format!("there is nothing to draw without {skin}"))
            .hint("put the .skin files next to the .m2")
    }
}

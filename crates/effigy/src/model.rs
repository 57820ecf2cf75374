//! A model of any format: one enum, so that a new format makes every match that forgets it fail to compile.

use crate::{Diagnostics, Format, Result, Summary, Verdict};
#[cfg(feature = "assets")]
use effigy_assets::{Assets, FileRef};
use effigy_wire::Visitor;
use std::ops::{Deref, DerefMut};
#[cfg(feature = "assets")]
use std::sync::Arc;

/// A model of any format, as it was read.
///
/// Each variant holds the format's own model, which is plain data to look at and to edit:
///
/// ```
/// # #[cfg(feature = "mdx")] {
/// let footman = effigy::mdx::Model::new(effigy::mdx::Dialect::Warcraft3, 800, "Footman");
/// let mut model = effigy::Model::from(footman);
/// if let effigy::Model::Mdx(mdx) = &mut model {
///     mdx.sequences.push(effigy::mdx::Sequence::default());
/// }
/// assert_eq!(model.summary().sequences.len(), 1);
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Model {
    /// Warcraft III or WoW alpha, read from binary MDX or from MDL text.
    #[cfg(feature = "mdx")]
    Mdx(Opened<effigy_mdx::Model>),
    /// World of Warcraft, with its skins and animations.
    #[cfg(feature = "m2")]
    M2(Opened<effigy_m2::Model>),
    /// The skin profile of an M2, alone. It is part of a model and has no geometry of its own.
    #[cfg(feature = "m2")]
    Skin(Opened<effigy_m2::Skin>),
    /// MDC or MD3.
    #[cfg(feature = "mdc")]
    Mdc(Opened<effigy_mdc::Model>),
    /// MDS, MDM or Enemy Territory's MDX.
    #[cfg(feature = "mds")]
    Mds(Opened<effigy_mds::Model>),
    /// glTF 2.0, with its buffers and images.
    #[cfg(feature = "gltf")]
    Gltf(Opened<effigy_gltf::Model>),
}

/// A format's own model, together with where it was read from.
///
/// It dereferences to the model. The origin lets conversions and pictures find textures and other files next to it.
#[derive(Clone, Debug)]
pub struct Opened<M> {
    model: Box<M>,
    pub(crate) origin: Origin,
}

/// Where a model was read from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The format that it was read as: MDX or MDL, MDC or MD3.
    pub(crate) format: Format,
    /// The file with its surroundings; none for a model that was made in memory.
    #[cfg(feature = "assets")]
    pub(crate) file: Option<FileRef>,
    /// The game's files.
    #[cfg(feature = "assets")]
    pub(crate) assets: Arc<Assets>,
    /// What a skin or a character file says about it.
    #[cfg(feature = "mdc")]
    pub(crate) look: crate::formats::mdc::Look,
    /// Models that are attached to it.
    #[cfg(feature = "scene")]
    pub(crate) parts: Vec<crate::Part>,
}

impl<M> Opened<M> {
    pub(crate) fn new(model: M, format: Format) -> Self {
        let origin = Origin {
            format,
            #[cfg(feature = "assets")]
            file: None,
            #[cfg(feature = "assets")]
            assets: Arc::default(),
            #[cfg(feature = "mdc")]
            look: crate::formats::mdc::Look::default(),
            #[cfg(feature = "scene")]
            parts: Vec::new(),
        };
        Self { model: Box::new(model), origin }
    }

    /// The format's own model alone.
    #[must_use]
    pub fn into_inner(self) -> M {
        *self.model
    }
}

impl<M> Deref for Opened<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.model
    }
}

impl<M> DerefMut for Opened<M> {
    fn deref_mut(&mut self) -> &mut M {
        &mut self.model
    }
}

/// Evaluates an expression for whichever model it is.
macro_rules! each {
    ($self:ident, $model:pat => $result:expr) => {
        match *$self {
            #[cfg(feature = "mdx")]
            $crate::Model::Mdx($model) => $result,
            #[cfg(feature = "m2")]
            $crate::Model::M2($model) => $result,
            #[cfg(feature = "m2")]
            $crate::Model::Skin($model) => $result,
            #[cfg(feature = "mdc")]
            $crate::Model::Mdc($model) => $result,
            #[cfg(feature = "mds")]
            $crate::Model::Mds($model) => $result,
            #[cfg(feature = "gltf")]
            $crate::Model::Gltf($model) => $result,
        }
    };
}

impl Model {
    pub(crate) const fn origin(&self) -> &Origin {
        each!(self, ref model => &model.origin)
    }

    #[cfg(any(feature = "assets", feature = "scene"))]
    pub(crate) const fn origin_mut(&mut self) -> &mut Origin {
        each!(self, ref mut model => &mut model.origin)
    }

    /// The format that it was read as.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.origin().format
    }

    /// Which game's dialect of the format, where there is more than one.
    #[must_use]
    pub fn dialect(&self) -> Option<&'static str> {
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(ref model) => Some(crate::formats::mdx::dialect(model)),
            #[cfg(feature = "m2")]
            Self::M2(ref model) => Some(model.version().game()),
            #[cfg(feature = "m2")]
            Self::Skin(_) => None,
            #[cfg(feature = "mdc")]
            Self::Mdc(_) => None,
            #[cfg(feature = "mds")]
            Self::Mds(_) => None,
            #[cfg(feature = "gltf")]
            Self::Gltf(_) => None,
        }
    }

    /// The version that the file states.
    #[must_use]
    pub fn version(&self) -> u32 {
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(ref model) => model.version(),
            #[cfg(feature = "m2")]
            Self::M2(ref model) => model.version().number(),
            #[cfg(feature = "m2")]
            Self::Skin(_) => effigy_m2::Version::WRATH.number(),
            #[cfg(feature = "mdc")]
            Self::Mdc(ref model) => model.version().unsigned_abs(),
            #[cfg(feature = "mds")]
            Self::Mds(ref model) => model.version().unsigned_abs(),
            #[cfg(feature = "gltf")]
            Self::Gltf(_) => 2,
        }
    }

    /// The model's own name; empty where it has none.
    #[must_use]
    pub fn name(&self) -> String {
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(ref model) => model.name(),
            #[cfg(feature = "m2")]
            Self::M2(ref model) => model.name().into_owned(),
            #[cfg(feature = "m2")]
            Self::Skin(_) => String::new(),
            #[cfg(feature = "mdc")]
            Self::Mdc(ref model) => model.name().into_owned(),
            #[cfg(feature = "mds")]
            Self::Mds(ref model) => model.name().into_owned(),
            #[cfg(feature = "gltf")]
            Self::Gltf(ref model) => model.name().to_owned(),
        }
    }

    /// What the reader noticed. Reading never repairs: what is odd is reported here and kept.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        each!(self, ref model => model.model.diagnostics())
    }

    /// The file's bytes: the same that were read, as long as nothing was changed.
    ///
    /// An M2 gives its main file; [`Model::save`] also writes its skins and animations.
    ///
    /// # Errors
    /// When the format cannot hold what the model holds now.
    pub fn write(&self) -> Result<Vec<u8>> {
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(ref model) if self.format() == Format::Mdl => Ok(crate::formats::mdx::print(model)),
            _ => each!(self, ref model => model.model.write()),
        }
    }

    /// Compares the bytes that the typed model gives with those it was read from.
    #[must_use]
    pub fn verify(&self, source: &[u8]) -> Verdict {
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(ref model) if self.format() == Format::Mdl => crate::formats::mdx::verify_text(model),
            _ => each!(self, ref model => model.model.verify(source)),
        }
    }

    /// Whether the format's usual layout alone, without the remembered placement of blocks, gives the same bytes;
    /// `None` for formats whose layout leaves no choice.
    #[must_use]
    pub fn verify_canonical(&self, source: &[u8]) -> Option<bool> {
        let _ = source;
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(_) => None,
            #[cfg(feature = "m2")]
            Self::M2(ref model) => Some(model.verify_canonical(source)),
            #[cfg(feature = "m2")]
            Self::Skin(ref model) => Some(model.verify_canonical(source)),
            #[cfg(feature = "mdc")]
            Self::Mdc(_) => None,
            #[cfg(feature = "mds")]
            Self::Mds(_) => None,
            #[cfg(feature = "gltf")]
            Self::Gltf(_) => None,
        }
    }

    /// Walks over every field in file order.
    pub fn visit(&self, visitor: &mut dyn Visitor) {
        let _ = &visitor;
        each!(self, ref model => model.model.visit(visitor));
    }

    /// What is in the model, in the same words for every format.
    #[must_use]
    pub fn summary(&self) -> Summary {
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(ref model) => crate::formats::mdx::summary(model),
            #[cfg(feature = "m2")]
            Self::M2(ref model) => crate::formats::m2::summary(model),
            #[cfg(feature = "m2")]
            Self::Skin(ref model) => crate::formats::m2::skin_summary(model),
            #[cfg(feature = "mdc")]
            Self::Mdc(ref model) => crate::formats::mdc::summary(model),
            #[cfg(feature = "mds")]
            Self::Mds(ref model) => crate::formats::mds::summary(model),
            #[cfg(feature = "gltf")]
            Self::Gltf(ref model) => crate::formats::gltf::summary(model),
        }
    }

    /// Names of the files that belong to a model in a file of this name (`Imp00.skin`), whether they were found or
    /// not.
    #[must_use]
    pub fn companions(&self, file_name: &str) -> Vec<String> {
        let _ = file_name;
        match *self {
            #[cfg(feature = "m2")]
            Self::M2(ref model) => {
                let all = model.attached().into_iter().chain(model.companions());
                all.filter_map(|companion| companion.file_name(model, file_name).ok()).collect()
            }
            #[cfg(feature = "gltf")]
            Self::Gltf(ref model) => model.companions(),
            _ => Vec::new(),
        }
    }

    /// Takes over the files that belong to the model, as far as `find` has them by name.
    ///
    /// # Errors
    /// When a file does not fit the model; the hint names it.
    pub fn attach(&mut self, file_name: &str, find: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<()> {
        let _ = (file_name, &find);
        match *self {
            #[cfg(feature = "m2")]
            Self::M2(ref mut model) => crate::formats::m2::attach(model, file_name, find),
            #[cfg(feature = "gltf")]
            Self::Gltf(ref mut model) => {
                crate::formats::gltf::attach(model, find);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(feature = "mdx")]
impl From<effigy_mdx::Model> for Model {
    fn from(model: effigy_mdx::Model) -> Self {
        Self::Mdx(Opened::new(model, Format::Mdx))
    }
}

#[cfg(feature = "m2")]
impl From<effigy_m2::Model> for Model {
    fn from(model: effigy_m2::Model) -> Self {
        Self::M2(Opened::new(model, Format::M2))
    }
}

#[cfg(feature = "m2")]
impl From<effigy_m2::Skin> for Model {
    fn from(skin: effigy_m2::Skin) -> Self {
        Self::Skin(Opened::new(skin, Format::Skin))
    }
}

#[cfg(feature = "mdc")]
impl From<effigy_mdc::Model> for Model {
    fn from(model: effigy_mdc::Model) -> Self {
        let format = match model.format {
            effigy_mdc::Format::Mdc => Format::Mdc,
            effigy_mdc::Format::Md3 => Format::Md3,
        };
        Self::Mdc(Opened::new(model, format))
    }
}

#[cfg(feature = "mds")]
impl From<effigy_mds::Model> for Model {
    fn from(model: effigy_mds::Model) -> Self {
        let format = match model.format {
            effigy_mds::Format::Mds => Format::Mds,
            effigy_mds::Format::Mdm => Format::Mdm,
            effigy_mds::Format::Mdx => Format::EtMdx,
        };
        Self::Mds(Opened::new(model, format))
    }
}

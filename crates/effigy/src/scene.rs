//! From any document to the format-neutral scene.

use crate::{Document, Error, Result};
pub use effigy_convert::Lowered;
pub use effigy_convert::mdc::apply_shaders;

/// The scene that a document describes, and what became of the model on the way.
///
/// # Errors
/// When a model has no scene (a skin alone), or its frames do not decode.
pub fn lower(document: &dyn Document) -> Result<Lowered> {
    let any = document.as_any();
    if let Some(model) = any.downcast_ref::<effigy_mdx::Model>() {
        return Ok(effigy_convert::mdx::lower(model));
    }
    if let Some(text) = any.downcast_ref::<crate::Text>() {
        return Ok(effigy_convert::mdx::lower(&text.0));
    }
    if let Some(model) = any.downcast_ref::<effigy_m2::Model>() {
        return Ok(effigy_convert::m2::lower(model));
    }
    if let Some(model) = any.downcast_ref::<effigy_mdc::Model>() {
        return effigy_convert::mdc::lower(model, &effigy_convert::mdc::FrameTiming::default());
    }
    Err(Error::unsupported(format!("{} files are no scene of their own", document.format().title())))
}

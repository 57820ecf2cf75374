//! From a model of any format to a scene.

use effigy::{Document, Error, Result};
use effigy_convert::Lowered;

/// The scene of a model.
pub fn lower(document: &dyn Document) -> Result<Lowered> {
    let model = document.as_any();
    if let Some(model) = model.downcast_ref::<effigy::mdx::Model>() {
        return Ok(effigy_convert::mdx::lower(model));
    }
    if let Some(effigy::Text(model)) = model.downcast_ref::<effigy::Text>() {
        return Ok(effigy_convert::mdx::lower(model));
    }
    if let Some(model) = model.downcast_ref::<effigy::m2::Model>() {
        return Ok(effigy_convert::m2::lower(model, effigy_convert::m2::Options::default()));
    }
    if let Some(model) = model.downcast_ref::<effigy::mdc::Model>() {
        return effigy_convert::mdc::lower(model, &effigy_convert::mdc::Options::default());
    }
    Err(Error::unsupported(format!("{} files hold no model that could be shown", document.format().title())))
}

//! The pictures of one model from a file, with the textures that are found for it.

use crate::batch::Loaded;
use crate::inputs::Source;
use crate::pictures::Pictures;
use crate::textures::Lookup;
use effigy::scene_graph::validate;
use effigy::{Limits, Lowered, Result};
use effigy_render::{Picture, Renderer, Shots};

/// Takes the pictures of a model.
pub fn take(
    renderer: &Renderer,
    lookup: &Lookup,
    source: &Source,
    loaded: &Loaded,
    limits: Limits,
    picture: &Picture,
) -> Result<Shots> {
    let document = loaded.document.as_ref();
    let mut lowered = effigy::lower(document)?;
    lookup.dress(source, document, &mut lowered);
    let Lowered { scene, report } = lowered;
    let mut textures = Pictures { lookup, source, document, team: 0, limits };
    let mut shots = renderer.take(&validate(scene)?, &mut textures, picture)?;
    shots.report.append(report);
    Ok(shots)
}

//! What models become in the scene, against values computed by hand.
#![allow(clippy::float_cmp, clippy::indexing_slicing, clippy::unwrap_used)]

mod fixtures;
mod frames;
mod m2;
mod mds;
mod mdx;

use effigy_mdx::{Interpolation, Key, Model, Track};
use effigy_scene::Scene;

fn floats(tag: effigy_wire::Tag, keys: &[(i32, f32)]) -> Track {
    let keys: Vec<Key<f32>> = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
    Track::new(tag, Interpolation::LINEAR, &keys).unwrap()
}

fn lowered(model: &Model) -> Scene {
    effigy_convert::mdx::lower(model).scene
}

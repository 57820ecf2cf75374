//! From a format's model to the scene (`lower`) and back.
//!
//! One folder a format. Lowering never fails: what a file got wrong is set to rest or left out, and the report says
//! so; the scene that comes out passes [`effigy_scene::validate`]. All formats share the scene's space (right-handed,
//! Z up), so no axes change here; [`effigy_scene::coordinates`] is the one file that changes them.

pub mod m2;
pub mod mdc;
pub mod mdx;

mod skinning;

use effigy_scene::Scene;
use effigy_wire::Report;

/// A scene and what became of the model on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lowered {
    /// The scene; it passes validation.
    pub scene: Scene,
    /// What was kept aside, approximated, dropped.
    pub report: Report,
}

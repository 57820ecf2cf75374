//! From a format's model to the scene (`lower`) and back.
//!
//! There is one folder per format. Faults in a file do not make lowering fail: invalid values are replaced or left out and
//! the report lists them, so that the resulting scene passes [`effigy_scene::validate`]. All formats use the coordinate
//! system of the scene (right-handed, Z up), so axes are never converted here; [`effigy_scene::coordinates`] is the only
//! file that does that.

pub mod m2;
pub mod mdc;
pub mod mds;
pub mod mdx;
pub mod raise;

mod skinning;

use effigy_scene::Scene;
use effigy_wire::Report;

/// A scene and the report of the conversion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lowered {
    /// The scene; it passes validation.
    pub scene: Scene,
    /// What was kept as extras, approximated or dropped.
    pub report: Report,
}

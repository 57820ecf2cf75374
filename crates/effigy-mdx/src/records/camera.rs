//! Cameras (`CAMS`); most models have one for the portrait or none.
//!
//! The size word keeps the size in its low 24 bits and a variant in its top byte: 0 (usual up to 1100) and 3 (usual
//! from 1200 on) add nothing, 1 and 2 add twelve bytes before the target.

use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{Codec, Cursor, FixedStr, Result, Sink, Tree, Wire, record};

record! {
    /// A camera.
    pub struct Camera(Caps) sized with variant {
        /// Kept in the top byte of the size.
        framed pub variant: u8,
        /// Its name.
        pub name: FixedStr<80>,
        /// Its position.
        (point) pub position: [f32; 3],
        /// Field of view, radians.
        (plain) pub field_of_view: f32,
        /// Distance of the far plane; nothing beyond it is drawn.
        (length) pub far_clip: f32,
        /// Distance of the near plane; nothing nearer is drawn.
        (length) pub near_clip: f32,
        /// What variants 1 and 2 add; not understood.
        pub unknown_variant_data: [u32; 3] as (|camera| VariantData(camera.variant)),
        /// The point that it looks at.
        (point) pub target: [f32; 3],
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}

struct VariantData(u8);

impl VariantData {
    const fn present(&self) -> bool {
        matches!(self.0, 1 | 2)
    }
}

impl Codec<[u32; 3], Caps> for VariantData {
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<[u32; 3]> {
        if self.present() { Wire::read(cursor, caps) } else { Ok([0; 3]) }
    }

    fn write<S: Sink>(&self, value: &[u32; 3], sink: &mut S, caps: Caps) {
        if self.present() {
            value.write(sink, caps);
        }
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<[u32; 3]> {
        if self.present() { Wire::parse(tree, caps) } else { Ok([0; 3]) }
    }
}

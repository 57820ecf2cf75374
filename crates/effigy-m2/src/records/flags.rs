//! Flag words. Unknown bits are kept.

use crate::version::Caps;
use effigy_wire::{Cursor, Error, Kind, Leaf, Result, Sink, Tree, Wire};

macro_rules! flags {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $ty:ty { $($(#[doc = $bdoc:literal])* const $bit:ident = $value:expr;)* }
    )*) => {$(
        bitflags::bitflags! {
            $(#[doc = $doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct $name: $ty { $($(#[doc = $bdoc])* const $bit = $value;)* const _ = !0; }
        }

        impl Wire<Caps> for $name {
            #[inline]
            fn read(cursor: &mut Cursor<'_>, caps: Caps) -> Result<Self> {
                Ok(Self::from_bits_retain(<$ty>::read(cursor, caps)?))
            }
            #[inline]
            fn write<S: Sink>(&self, sink: &mut S, _: Caps) {
                sink.show(Leaf::Bits(self.bits().into()));
                sink.put(&self.bits().to_le_bytes());
            }
            fn parse(tree: &Tree<'_>, _: Caps) -> Result<Self> {
                let bits = tree.flags(&[$((stringify!($bit), $value)),*])?;
                let bits = bits.try_into().map_err(|_| {
                    Error::new(Kind::Malformed, format!("{bits:#x} is too large, {:#x} is the most", <$ty>::MAX))
                })?;
                Ok(Self::from_bits_retain(bits))
            }
        }

        effigy_wire::not_spatial!($name);
    )*};
}

flags! {
    /// Properties of the whole model.
    pub struct ModelFlags: u32 {
        /// Tilts around x to follow the ground.
        const TILT_X = 1;
        /// Tilts around y to follow the ground.
        const TILT_Y = 2;
        /// The header ends with the texture combiner table (264 on).
        const COMBINERS = 8;
    }

    /// How a sequence plays.
    pub struct SequenceFlags: u32 {
        /// Plays once and holds its last pose.
        const ONCE = 1;
        /// Its keys are stored in the model (264 on).
        const EMBEDDED_0X10 = 0x10;
        /// Its keys are stored in the model (264 on).
        const EMBEDDED = 0x20;
        /// It plays the keys of another sequence (264 on).
        const ALIAS = 0x40;
        /// Blends with the one before it (264 on).
        const BLENDED = 0x80;
        /// Its keys are stored in the model (264 on).
        const EMBEDDED_0X100 = 0x100;
        /// All flags with the meaning that the keys are stored in the model.
        const ALL_EMBEDDED = 0x130;
    }

    /// How a bone follows its parent and the camera.
    pub struct BoneFlags: u32 {
        /// Does not move with its parent.
        const IGNORE_PARENT_TRANSLATION = 1;
        /// Is not scaled with its parent.
        const IGNORE_PARENT_SCALE = 2;
        /// Is not rotated with its parent.
        const IGNORE_PARENT_ROTATION = 4;
        /// Always faces the camera.
        const BILLBOARD = 8;
        /// Turns around x to face the camera.
        const BILLBOARD_X = 0x10;
        /// Turns around y to face the camera.
        const BILLBOARD_Y = 0x20;
        /// Turns around z to face the camera.
        const BILLBOARD_Z = 0x40;
        /// Has animation keys.
        const TRANSFORMED = 0x200;
    }

    /// How a surface is drawn.
    pub struct MaterialFlags: u16 {
        /// Not lit.
        const UNLIT = 1;
        /// Not fogged.
        const UNFOGGED = 2;
        /// Both sides are drawn.
        const TWO_SIDED = 4;
        /// Drawn without a depth test.
        const NO_DEPTH_TEST = 8;
        /// Drawn without writing depth.
        const NO_DEPTH_WRITE = 0x10;
    }

    /// How a texture continues beyond its edge.
    pub struct TextureFlags: u16 {
        /// Repeats in x.
        const WRAP_X = 1;
        /// Repeats in y.
        const WRAP_Y = 2;
    }

    /// How a batch is drawn.
    pub struct BatchFlags: u8 {
        /// Sorted as if it were nearer by the submesh's radius (264).
        const NEARER = 1;
        /// Sorted as if it were farther by the submesh's radius (264).
        const FARTHER = 2;
        /// Its texture is not animated.
        const STATIC = 0x10;
    }

    /// How particles behave.
    pub struct ParticleFlags: u32 {
        /// Not lit.
        const UNLIT = 1;
        /// Not fogged.
        const UNFOGGED = 8;
        /// Particles stay in the emitter's space.
        const EMITTER_SPACE = 0x10;
        /// The size is multiplied by the emitter's scale.
        const SCALED = 0x20;
        /// Particles start with the emitter's velocity.
        const INHERIT_VELOCITY = 0x40;
        /// Particles die when they move away from the emitter (sphere).
        const KILL_OUTBOUND = 0x80;
        /// Particles move upwards (sphere).
        const UPWARD = 0x100;
        /// The direction of rotation is random.
        const RANDOM_TURN = 0x200;
        /// The tail is no longer than the particle's age.
        const TAIL_GROWS = 0x400;
        /// Particles lie flat in the emitter's plane instead of facing the camera.
        const FLAT = 0x1000;
        /// Particles start on the ground.
        const ON_GROUND = 0x2000;
        /// Particles follow the emitter.
        const FOLLOW = 0x4000;
        /// All particles are emitted at once.
        const BURST = 0x8000;
        /// Each particle shows a random texture cell (264).
        const RANDOM_CELL = 0x1_0000;
        /// Draws the head (264; older versions use `head_or_tail`).
        const HEAD = 0x2_0000;
        /// Draws the tail (264; older versions use `head_or_tail`).
        const TAIL = 0x4_0000;
    }
}

//! Nodes, the common part of everything in the skeleton, and bones (`BONE`) and helpers (`HELP`), which add little to it.
//!
//! A node's size covers its own tracks only (`KGTR`, `KGRT`, `KGSC`).

use super::flags;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

flags! {
    /// Flags of a node. The bits from 0x80 on differ between the dialects: the names are Warcraft III's, and those
    /// ending in `_WOW` are WoW alpha's.
    pub struct NodeFlags {
        /// It does not move with its parent.
        const DONT_INHERIT_TRANSLATION = 1;
        /// It does not scale with its parent.
        const DONT_INHERIT_SCALING = 2;
        /// It does not turn with its parent.
        const DONT_INHERIT_ROTATION = 4;
        /// It faces the camera.
        const BILLBOARDED = 8;
        /// It turns to the camera about its x axis only.
        const BILLBOARDED_LOCK_X = 0x10;
        /// It turns to the camera about its y axis only.
        const BILLBOARDED_LOCK_Y = 0x20;
        /// It turns to the camera about its z axis only.
        const BILLBOARDED_LOCK_Z = 0x40;
        /// It is anchored to the camera.
        const CAMERA_ANCHORED = 0x80;
        /// A bone.
        const BONE = 0x100;
        /// A light.
        const LIGHT = 0x200;
        /// An event object.
        const EVENT = 0x400;
        /// An attachment.
        const ATTACHMENT = 0x800;
        /// A particle emitter of any kind.
        const PARTICLE_EMITTER = 0x1000;
        /// A collision shape.
        const COLLISION_SHAPE = 0x2000;
        /// A ribbon emitter.
        const RIBBON_EMITTER = 0x4000;
        /// `PREM`: particles are models. `PRE2`: light does not change them.
        const EMITTER_USES_MDL_OR_UNSHADED = 0x8000;
        /// `PREM`: particles are textures. `PRE2`: drawn from far to near.
        const EMITTER_USES_TGA_OR_SORT_FAR_Z = 0x1_0000;
        /// `PRE2`: particles leave along a line.
        const LINE_EMITTER = 0x2_0000;
        /// `PRE2`: fog does not change them.
        const UNFOGGED = 0x4_0000;
        /// `PRE2`: particles move with the emitter.
        const MODEL_SPACE = 0x8_0000;
        /// `PRE2`: particles lie flat in x and y.
        const XY_QUAD = 0x10_0000;
        /// `CORN`: fog does not change it.
        const POPCORN_UNFOGGED = 0x2_0000;
        /// `CORN`: the effect scales with its node.
        const POPCORN_SCALING = 0x4_0000;
        /// WoW alpha: a bone.
        const BONE_WOW = 0x80;
        /// WoW alpha: a light.
        const LIGHT_WOW = 0x100;
        /// WoW alpha: an event object.
        const EVENT_WOW = 0x200;
        /// WoW alpha: an attachment.
        const ATTACHMENT_WOW = 0x400;
        /// WoW alpha: a particle emitter.
        const PARTICLE_EMITTER_WOW = 0x800;
        /// WoW alpha: a hit test shape.
        const HIT_TEST_SHAPE_WOW = 0x1000;
        /// WoW alpha: a ribbon emitter.
        const RIBBON_EMITTER_WOW = 0x2000;
        /// WoW alpha: projected onto the ground.
        const PROJECT_WOW = 0x4000;
        /// WoW alpha: particles scale with the emitter.
        const INHERIT_SCALE_WOW = 0x10_0000;
        /// WoW alpha: new particles take over the emitter's velocity.
        const INSTANT_VELOCITY_WOW = 0x20_0000;
        /// WoW alpha: particles disappear after their first step.
        const KILL_WOW = 0x40_0000;
        /// WoW alpha: particles start with a velocity along z only.
        const Z_VELOCITY_ONLY_WOW = 0x80_0000;
        /// WoW alpha: each coordinate of a new particle is negated with a chance of one half.
        const TUMBLER_WOW = 0x100_0000;
        /// WoW alpha: tails grow from nothing.
        const TAIL_GROWS_WOW = 0x200_0000;
        /// WoW alpha: particles extend from their previous to their current position.
        const EXTRUDE_WOW = 0x400_0000;
        /// WoW alpha: particles lie flat in x and y.
        const XY_QUAD_WOW = 0x800_0000;
        /// WoW alpha: particles are projected onto the ground.
        const PARTICLE_PROJECT_WOW = 0x1000_0000;
        /// WoW alpha: particles follow each other.
        const FOLLOW_WOW = 0x2000_0000;
    }
}

record! {
    /// The common part of everything in the skeleton.
    pub struct Node(Caps) sized {
        /// Its name.
        pub name: FixedStr<80>,
        /// Its id, unique in the model; the index of its pivot.
        pub object_id: i32,
        /// Id of its parent, or -1.
        pub parent: i32 = -1,
        /// Flags.
        pub flags: NodeFlags,
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}

record! {
    /// A bone.
    pub struct Bone(Caps) {
        /// The node.
        pub node: Node,
        /// Index of the geoset that it moves, or -1 for several.
        pub geoset: i32 = -1,
        /// Index of the geoset animation that controls its visibility, or -1.
        pub geoset_animation: i32 = -1,
    }
}

record! {
    /// A node that only moves its children.
    pub struct Helper(Caps) {
        /// The node.
        pub node: Node,
    }
}

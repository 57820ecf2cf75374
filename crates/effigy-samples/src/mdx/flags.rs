//! The bit for the kind of a node: one position lower in WoW alpha than in Warcraft III, and none for its bones.

use effigy_mdx::{Dialect, NodeFlags};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Bone,
    Helper,
    Light,
    Event,
    Attachment,
    Emitter,
    Shape,
    Ribbon,
}

/// The flags of a node with no other properties.
pub(crate) const fn of(role: Role, dialect: Dialect) -> NodeFlags {
    match (dialect, role) {
        (_, Role::Helper) | (Dialect::WowAlpha, Role::Bone) => NodeFlags::empty(),
        (Dialect::Warcraft3, Role::Bone) => NodeFlags::BONE,
        (Dialect::Warcraft3, Role::Light) => NodeFlags::LIGHT,
        (Dialect::Warcraft3, Role::Event) => NodeFlags::EVENT,
        (Dialect::Warcraft3, Role::Attachment) => NodeFlags::ATTACHMENT,
        (Dialect::Warcraft3, Role::Emitter) => NodeFlags::PARTICLE_EMITTER,
        (Dialect::Warcraft3, Role::Shape) => NodeFlags::COLLISION_SHAPE,
        (Dialect::Warcraft3, Role::Ribbon) => NodeFlags::RIBBON_EMITTER,
        (Dialect::WowAlpha, Role::Light) => NodeFlags::LIGHT_WOW,
        (Dialect::WowAlpha, Role::Event) => NodeFlags::EVENT_WOW,
        (Dialect::WowAlpha, Role::Attachment) => NodeFlags::ATTACHMENT_WOW,
        (Dialect::WowAlpha, Role::Emitter) => NodeFlags::PARTICLE_EMITTER_WOW,
        (Dialect::WowAlpha, Role::Shape) => NodeFlags::HIT_TEST_SHAPE_WOW,
        (Dialect::WowAlpha, Role::Ribbon) => NodeFlags::RIBBON_EMITTER_WOW,
    }
}

//! The words of every block, field by field, in the order in which they are printed.
//!
//! Which versions have a field comes from the record's own declaration, the word of an animated field from the table of
//! tracks (`word!(KGAO => alpha)`), the names of filter modes and kinds from their `choices!`, and flags from theirs. What
//! is stated here is what only the text knows: the words of other fields, their order (which is not that of the binary
//! record), what a missing word means, and which dialect gives a flag another word. The words are not part of `record!`
//! because of that order, and because one field may have several words or none.
//!
//! Knowledge: files of the game's own tools at 800; for later versions what mdx-m3-viewer, Retera's Model Studio, HiveWE
//! and the crate `wc3` write. Words for WoW alpha are ours, since that game never had MDL.

use super::words::{Block, Fixed, Form, Word, word};
use crate::records::{
    Attachment, Bone, Camera, Choices, CollisionShape, EventObject, Extent, FaceFx, FilterMode, Geoset,
    GeosetAnimation, GeosetAnimationFlags, Helper, HitTestShape, Layer, LayerFlags, Light, LightKind,
    Material, MaterialFlags, ModelInfo, Node, NodeFlags, ParticleEmitter, ParticleEmitter2, ParticleFilter,
    PopcornEmitter, RibbonEmitter, Sequence, SequenceFlags, Sound, Texture, TextureAnimation, TextureFlags,
};
use crate::track::{Animated, Tracks};
use crate::version::Caps;

const HEAD_OR_TAIL: &[(u32, &str)] = &[(0, "Head"), (1, "Tail"), (2, "Both")];

/// Words of the node in every member of the skeleton.
pub(super) const NODE: &[Word<Node>] = &[
    word!(Node: "ObjectId", object_id),
    word!(Node: "Parent", parent).optional(),
    word!(Node: "DontInheritTranslation", flags).flag(NodeFlags::DONT_INHERIT_TRANSLATION.bits()),
    word!(Node: "DontInheritScaling", flags).flag(NodeFlags::DONT_INHERIT_SCALING.bits()),
    word!(Node: "DontInheritRotation", flags).flag(NodeFlags::DONT_INHERIT_ROTATION.bits()),
    word!(Node: "Billboarded", flags).flag(NodeFlags::BILLBOARDED.bits()),
    word!(Node: "BillboardedLockX", flags).flag(NodeFlags::BILLBOARDED_LOCK_X.bits()),
    word!(Node: "BillboardedLockY", flags).flag(NodeFlags::BILLBOARDED_LOCK_Y.bits()),
    word!(Node: "BillboardedLockZ", flags).flag(NodeFlags::BILLBOARDED_LOCK_Z.bits()),
    word!(Node: "CameraAnchored", flags).flag_in(Caps::WC3, NodeFlags::CAMERA_ANCHORED.bits()),
    word!(Node: "Flags", flags).form(Form::Rest).kept(),
];

/// Name, node and tracks of a record.
macro_rules! parts {
    ($($part:ident),*) => { $(parts!(@ $part);)* };
    (@ node) => {
        fn node(&self) -> Option<&Node> {
            Some(&self.node)
        }
        fn node_mut(&mut self) -> Option<&mut Node> {
            Some(&mut self.node)
        }
    };
    (@ tracks) => {
        fn tracks(&self) -> Option<&Tracks> {
            Some(&self.tracks)
        }
        fn tracks_mut(&mut self) -> Option<&mut Tracks> {
            Some(&mut self.tracks)
        }
    };
    (@ name) => {
        fn title(&self) -> Option<&[u8]> {
            Some(self.name.bytes())
        }
        fn title_mut(&mut self) -> Option<&mut dyn Fixed> {
            Some(&mut self.name)
        }
    };
}

impl Block for ModelInfo {
    const BLOCK: &'static str = "Model";
    const WORDS: &'static [Word<Self>] = &[
        word!("BlendTime", blend_time).optional(),
        word!("MinimumExtent", extent.min).optional(),
        word!("MaximumExtent", extent.max).optional(),
        word!("BoundsRadius", extent.radius).optional(),
        word!("AnimationFile", animation_file).optional(),
        word!("ModelFlags", flags).optional(),
        word!("NodeCount", node_count).optional(),
    ];
    fn fresh(caps: Caps) -> Self {
        let default = Self::default();
        Self { blend_time: if caps.contains(Caps::WC3) { 0 } else { default.blend_time }, ..default }
    }
    parts!(name);
}

impl Block for Sequence {
    const BLOCK: &'static str = "Anim";
    const WORDS: &'static [Word<Self>] = &[
        word!("Interval", interval),
        word!("MoveSpeed", move_speed).optional(),
        word!("NonLooping", flags).flag(SequenceFlags::NON_LOOPING.bits()),
        word!("Rarity", rarity).optional(),
        word!("Frequency", frequency).optional(),
        word!("Replay", replay).optional(),
        word!("BlendTime", blend_time).optional(),
        word!("MinimumExtent", extent.min).optional(),
        word!("MaximumExtent", extent.max).optional(),
        word!("BoundsRadius", extent.radius).optional(),
        word!("SyncPoint", sync_point).kept(),
        word!("Flags", flags).form(Form::Rest).kept(),
    ];
    parts!(name);
}

impl Block for Texture {
    const BLOCK: &'static str = "Bitmap";
    const WORDS: &'static [Word<Self>] = &[
        word!("Image", path),
        word!("ReplaceableId", replaceable).optional(),
        word!("WrapWidth", flags).flag(TextureFlags::WRAP_WIDTH.bits()),
        word!("WrapHeight", flags).flag(TextureFlags::WRAP_HEIGHT.bits()),
        word!("Flags", flags).form(Form::Rest).kept(),
    ];
}

impl Block for Material {
    const BLOCK: &'static str = "Material";
    const WORDS: &'static [Word<Self>] = &[
        word!("PriorityPlane", priority_plane).optional(),
        word!("ConstantColor", flags).flag(MaterialFlags::CONSTANT_COLOR.bits()),
        word!("TwoSided", flags).flag(MaterialFlags::TWO_SIDED.bits()),
        word!("SortPrimsNearZ", flags).flag(MaterialFlags::SORT_NEAR_Z.bits()),
        word!("SortPrimsFarZ", flags).flag(MaterialFlags::SORT_FAR_Z.bits()),
        word!("FullResolution", flags).flag(MaterialFlags::FULL_RESOLUTION.bits()),
        word!("Flags", flags).form(Form::Rest).kept(),
        word!("Shader", shader).optional(),
    ];
    fn print_more(&self, printer: &mut super::print::Printer<'_>) {
        printer.layers(self);
    }
    fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], _: bool) -> bool {
        parser.material_word(self, word)
    }
    fn settle(&mut self, parser: &mut super::parse::Parser<'_>) {
        parser.settle_material(self);
    }
}

impl Block for Layer {
    const BLOCK: &'static str = "Layer";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const WORDS: &'static [Word<Self>] = &[
        word!("FilterMode", filter_mode).form(Form::Named(FilterMode::WORDS)),
        word!("Unshaded", flags).flag(LayerFlags::UNSHADED.bits()),
        word!("SphereEnvMap", flags).flag(LayerFlags::SPHERE_ENVIRONMENT_MAP.bits()),
        word!("WrapWidth", flags).flag_in(Caps::WOW, LayerFlags::WRAP_WIDTH.bits()),
        word!("WrapHeight", flags).flag_in(Caps::WOW, LayerFlags::WRAP_HEIGHT.bits()),
        word!("TwoSided", flags).flag(LayerFlags::TWO_SIDED.bits()),
        word!("Unfogged", flags).flag(LayerFlags::UNFOGGED.bits()),
        word!("NoDepthTest", flags).flag(LayerFlags::NO_DEPTH_TEST.bits()),
        word!("NoDepthSet", flags).flag(LayerFlags::NO_DEPTH_SET.bits()),
        word!("Unlit", flags).flag_in(Caps::EMISSIVE, LayerFlags::UNLIT.bits()),
        word!("NoFallback", flags).flag_in(Caps::WOW, LayerFlags::UNLIT.bits()),
        word!("Flags", flags).form(Form::Rest).kept(),
        word!("TVertexAnimId", texture_animation).optional(),
        word!("CoordId", coordinates).optional(),
        word!(KMTA => alpha).optional(),
        word!(KMTE => emissive_gain).optional(),
        word!(KFC3 => fresnel_color).optional(),
        word!(KFCA => fresnel_opacity).optional(),
        word!(KFTC => fresnel_team_color).optional(),
    ];
    parts!(tracks);
    fn print_more(&self, printer: &mut super::print::Printer<'_>) {
        printer.layer_textures(self);
    }
    fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], is_static: bool) -> bool {
        parser.layer_word(self, word, is_static)
    }
}

impl Block for TextureAnimation {
    const BLOCK: &'static str = "TVertexAnim";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const WORDS: &'static [Word<Self>] = &[];
    parts!(tracks);
}

impl Block for Extent {
    const BLOCK: &'static str = "Anim";
    const WORDS: &'static [Word<Self>] = &[
        word!("MinimumExtent", min).optional(),
        word!("MaximumExtent", max).optional(),
        word!("BoundsRadius", radius).optional(),
    ];
}

impl Block for Geoset {
    const BLOCK: &'static str = "Geoset";
    const WORDS: &'static [Word<Self>] = &[
        word!("MinimumExtent", extent.min).optional(),
        word!("MaximumExtent", extent.max).optional(),
        word!("BoundsRadius", extent.radius).optional(),
        word!("MaterialID", material),
        word!("SelectionGroup", selection_group),
        word!("Unselectable", selection_flags).flag_in(Caps::WC3, 4),
        word!("Unselectable", selection_flags).flag_in(Caps::WOW, 1),
        word!("SelectionFlags", selection_flags).form(Form::Rest).kept(),
        word!("LevelOfDetail", lod),
        word!("Name", name).optional(),
    ];
    fn print_more(&self, printer: &mut super::print::Printer<'_>) {
        printer.mesh(self);
    }
    fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], _: bool) -> bool {
        parser.mesh_word(self, word)
    }
}

impl Block for GeosetAnimation {
    const BLOCK: &'static str = "GeosetAnim";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const WORDS: &'static [Word<Self>] = &[
        word!("GeosetId", geoset),
        word!(KGAO => alpha),
        word!("DropShadow", flags).flag_in(Caps::WC3, GeosetAnimationFlags::DROP_SHADOW.bits()),
    ];
    parts!(tracks);
    fn print_more(&self, printer: &mut super::print::Printer<'_>) {
        printer.tint(self);
    }
    fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], is_static: bool) -> bool {
        parser.tint_word(self, word, is_static)
    }
}

impl Block for Bone {
    const BLOCK: &'static str = "Bone";
    const KIND: [NodeFlags; 2] = [NodeFlags::BONE, NodeFlags::BONE_WOW];
    const WORDS: &'static [Word<Self>] = &[
        word!("GeosetId", geoset).form(Form::Reference("Multiple")),
        word!("GeosetAnimId", geoset_animation).form(Form::Reference("None")),
    ];
    parts!(node);
}

impl Block for Helper {
    const BLOCK: &'static str = "Helper";
    const WORDS: &'static [Word<Self>] = &[];
    parts!(node);
}

impl Block for Light {
    const BLOCK: &'static str = "Light";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const KIND: [NodeFlags; 2] = [NodeFlags::LIGHT, NodeFlags::LIGHT_WOW];
    const WORDS: &'static [Word<Self>] = &[
        word!("LightType", kind).form(Form::Choice(LightKind::WORDS)),
        word!(KLAS => attenuation_start),
        word!(KLAE => attenuation_end),
        word!(KLAI => intensity),
        word!(KLAC => color).form(Form::Color),
        word!(KLBI => ambient_intensity),
        word!(KLBC => ambient_color).form(Form::Color),
        word!("ShadowIntensity", shadow_intensity).with_static(),
        word!("ShadowCasting", shadow_casting).form(Form::Switch),
        word!(KLSS => shadow_range[0]),
        word!(KLSE => shadow_range[1]),
        word!(KLQF => quadratic_falloff),
        word!(KLLF => linear_falloff),
        word!(KLDA => damping),
    ];
    parts!(node, tracks);
}

impl Block for Attachment {
    const BLOCK: &'static str = "Attachment";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const KIND: [NodeFlags; 2] = [NodeFlags::ATTACHMENT, NodeFlags::ATTACHMENT_WOW];
    const WORDS: &'static [Word<Self>] =
        &[word!("AttachmentID", id), word!("Path", path).optional(), word!("Padding", padding).optional()];
    parts!(node, tracks);
}

impl Block for ParticleEmitter {
    const BLOCK: &'static str = "ParticleEmitter";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const KIND: [NodeFlags; 2] = [NodeFlags::PARTICLE_EMITTER, NodeFlags::PARTICLE_EMITTER_WOW];
    const SECTIONS: &'static [&'static str] = &["Particle"];
    const WORDS: &'static [Word<Self>] = &[
        word!("EmitterUsesMDL", node.flags).flag(NodeFlags::EMITTER_USES_MDL_OR_UNSHADED.bits()),
        word!("EmitterUsesTGA", node.flags).flag(NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z.bits()),
        word!(KPEE => emission_rate),
        word!(KPEG => gravity),
        word!(KPLN => longitude),
        word!(KPLT => latitude),
        word!(KPEL => life_span),
        word!(KPES => speed),
        word!("Path", path).inside("Particle"),
    ];
    parts!(node, tracks);
}

impl Block for ParticleEmitter2 {
    const BLOCK: &'static str = "ParticleEmitter2";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const KIND: [NodeFlags; 2] = [NodeFlags::PARTICLE_EMITTER, NodeFlags::PARTICLE_EMITTER_WOW];
    const WORDS: &'static [Word<Self>] = &[
        word!("Unshaded", node.flags).flag(NodeFlags::EMITTER_USES_MDL_OR_UNSHADED.bits()),
        word!("SortPrimsFarZ", node.flags).flag(NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z.bits()),
        word!("LineEmitter", node.flags).flag(NodeFlags::LINE_EMITTER.bits()),
        word!("Unfogged", node.flags).flag(NodeFlags::UNFOGGED.bits()),
        word!("ModelSpace", node.flags).flag(NodeFlags::MODEL_SPACE.bits()),
        word!("XYQuad", node.flags).flag_in(Caps::WC3, NodeFlags::XY_QUAD.bits()),
        word!("InheritScale", node.flags).flag_in(Caps::WOW, NodeFlags::INHERIT_SCALE_WOW.bits()),
        word!("XYQuad", node.flags).flag_in(Caps::WOW, NodeFlags::XY_QUAD_WOW.bits()),
        word!("EmitterType", emitter_type).optional(),
        word!(KP2S => speed),
        word!(KP2R => variation),
        word!(KP2L => latitude),
        word!(KPLN => longitude),
        word!(KP2G => gravity),
        word!(KP2Z => z_source),
        word!(KLIF => life_span).without_static(),
        word!(KP2E => emission_rate),
        word!(KP2N => length),
        word!(KP2W => width),
        word!("FilterMode", filter_mode).form(Form::Choice(ParticleFilter::WORDS)),
        word!("Squirt", squirt).form(Form::Switch),
        word!("Rows", rows),
        word!("Columns", columns),
        word!("HeadOrTail", head_or_tail).form(Form::Choice(HEAD_OR_TAIL)),
        word!("TailLength", tail_length),
        word!("Time", time_middle),
        word!("Alpha", segment_alphas),
        word!("ParticleScaling", segment_scales),
        word!("LifeSpanUVAnim", head_life),
        word!("DecayUVAnim", head_decay),
        word!("TailUVAnim", tail_life),
        word!("TailDecayUVAnim", tail_decay),
        word!("TextureID", texture),
        word!("PriorityPlane", priority_plane).optional(),
        word!("ReplaceableId", replaceable).optional(),
        word!("GeometryModel", geometry_model).optional(),
        word!("RecursionModel", recursion_model).optional(),
        word!("TwinkleFPS", twinkle_fps).optional(),
        word!("TwinkleOnOff", twinkle_on_off).optional(),
        word!("TwinkleScale", twinkle_scale).optional(),
        word!("InstantVelocityScale", instant_velocity_scale).optional(),
        word!("Tumble", tumble).optional(),
        word!("Drag", drag).optional(),
        word!("Spin", spin).optional(),
        word!("Wind", wind).optional(),
        word!("WindTime", wind_time).optional(),
        word!("Follow", follow).optional(),
        word!("ContentSize", content_size).optional(),
    ];
    fn fresh(_: Caps) -> Self {
        Self {
            segment_colors: [1.0; 9],
            segment_alphas: [255; 3],
            segment_scales: [1.0; 3],
            ..Self::default()
        }
    }
    parts!(node, tracks);
    fn print_more(&self, printer: &mut super::print::Printer<'_>) {
        printer.segments(self);
    }
    fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], _: bool) -> bool {
        parser.segment_word(self, word)
    }
}

impl Block for PopcornEmitter {
    const BLOCK: &'static str = "ParticleEmitterPopcorn";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const KIND: [NodeFlags; 2] = [NodeFlags::PARTICLE_EMITTER, NodeFlags::PARTICLE_EMITTER_WOW];
    const WORDS: &'static [Word<Self>] = &[
        word!("Unshaded", node.flags).flag(NodeFlags::EMITTER_USES_MDL_OR_UNSHADED.bits()),
        word!("SortPrimsFarZ", node.flags).flag(NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z.bits()),
        word!("Unfogged", node.flags).flag(NodeFlags::POPCORN_UNFOGGED.bits()),
        word!("PopcornScaling", node.flags).flag(NodeFlags::POPCORN_SCALING.bits()),
        word!(KPPL => life_span),
        word!(KPPE => emission_rate),
        word!(KPPS => speed),
        word!(KPPC => color),
        word!(KPPA => alpha),
        word!("ReplaceableId", replaceable).optional(),
        word!("Path", path),
        word!("AnimVisibilityGuide", visibility_guide).optional(),
    ];
    parts!(node, tracks);
}

impl Block for RibbonEmitter {
    const BLOCK: &'static str = "RibbonEmitter";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const KIND: [NodeFlags; 2] = [NodeFlags::RIBBON_EMITTER, NodeFlags::RIBBON_EMITTER_WOW];
    const WORDS: &'static [Word<Self>] = &[
        word!(KRHA => height_above),
        word!(KRHB => height_below),
        word!(KRAL => alpha),
        word!(KRCO => color).form(Form::Color),
        word!(KRTX => texture_slot),
        word!("EmissionRate", emission_rate),
        word!("LifeSpan", life_span),
        word!("Gravity", gravity).optional(),
        word!("Rows", rows),
        word!("Columns", columns),
        word!("MaterialID", material),
        word!("ContentSize", content_size).optional(),
    ];
    parts!(node, tracks);
}

impl Block for Camera {
    const BLOCK: &'static str = "Camera";
    const OWNER: &'static str = Self::TRACK_OWNER;
    const SECTIONS: &'static [&'static str] = &["Target"];
    const WORDS: &'static [Word<Self>] = &[
        word!("Position", position),
        word!("FieldOfView", field_of_view),
        word!("FarClip", far_clip),
        word!("NearClip", near_clip),
        word!("Position", target).inside("Target"),
        word!("Variant", variant).kept(),
        word!("VariantData", unknown_variant_data).kept(),
    ];
    fn fresh(caps: Caps) -> Self {
        let variant = if caps.contains(Caps::CAMERA_VARIANT_3) { 3 } else { 0 };
        Self { variant, ..Self::default() }
    }
    parts!(name, tracks);
    fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], _: bool) -> bool {
        parser.camera_word(self, word)
    }
}

impl Block for EventObject {
    const BLOCK: &'static str = "EventObject";
    const KIND: [NodeFlags; 2] = [NodeFlags::EVENT, NodeFlags::EVENT_WOW];
    const WORDS: &'static [Word<Self>] = &[];
    parts!(node);
    fn print_more(&self, printer: &mut super::print::Printer<'_>) {
        printer.event_track(self);
    }
    fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], _: bool) -> bool {
        parser.event_word(self, word)
    }
}

/// Shapes have a block of the same content in both dialects.
macro_rules! shape_block {
    ($($record:ident $word:literal;)*) => {$(
        impl Block for $record {
            const BLOCK: &'static str = $word;
            const KIND: [NodeFlags; 2] = [NodeFlags::COLLISION_SHAPE, NodeFlags::HIT_TEST_SHAPE_WOW];
            const WORDS: &'static [Word<Self>] = &[];
            parts!(node);
            fn print_more(&self, printer: &mut super::print::Printer<'_>) {
                printer.shape(&self.shape);
            }
            fn parse_more(&mut self, parser: &mut super::parse::Parser<'_>, word: &[u8], _: bool) -> bool {
                parser.shape_word(&mut self.shape, word)
            }
            fn settle(&mut self, parser: &mut super::parse::Parser<'_>) {
                parser.settle_shape(&mut self.shape);
            }
        }
    )*};
}

shape_block! {
    CollisionShape "CollisionShape";
    HitTestShape "HitTestShape";
}

impl Block for FaceFx {
    const BLOCK: &'static str = "FaceFX";
    const WORDS: &'static [Word<Self>] = &[word!("Path", path)];
    parts!(name);
}

impl Block for Sound {
    const BLOCK: &'static str = "Sound";
    const WORDS: &'static [Word<Self>] =
        &[word!("Path", path), word!("Volume", volume), word!("Pitch", pitch), word!("Channel", channel)];
}

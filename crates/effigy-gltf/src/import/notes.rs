//! The notes of our own exports: the inverse of what the exporter puts into `extras`.

use super::nodes::extras as all;
use super::value::Value;
use crate::base64;
use effigy_scene::{
    Animated, Attachment, Blend, Bounds, Camera, Cells, Combine, Coordinates, Effect, EmitterShape, Event,
    Extras, Id, Interpolation, Layer, LayerTexture, Light, LightKind, Material, Node, OverLife,
    ParticleEmitter, Replaceable, Ribbon, RibbonGravity, Role, Rotation, Sequence, Shape, ShapeKind,
    SortPoint, Texture, TextureTransform, Track, TransformOrder,
};

/// Names that have a meaning in the notes of the model; the others are its extras.
pub(super) const MODEL: &[&str] = &[
    "effigy",
    "rules",
    "blendTime",
    "textures",
    "modelName",
    "min",
    "max",
    "radius",
    "sequences",
    "globalSequences",
    "materials",
    "originals",
];
/// The same for nodes.
pub(super) const NODE: &[&str] = &[
    "kind",
    "billboard",
    "dontInherit",
    "cameraAnchored",
    "bindPivot",
    "gate",
    "name",
    "tracks",
    "attachment",
    "event",
    "particleEmitter",
    "ribbon",
    "effect",
    "collisionShape",
    "light",
    "camera",
];
/// The same for meshes.
pub(super) const MESH: &[&str] =
    &["mesh", "name", "shown", "sort", "min", "max", "radius", "frames", "part", "lod", "alpha", "color"];
const SEQUENCE: &[&str] = &["name", "start", "end", "looping", "moveSpeed", "min", "max", "radius"];
const MATERIAL: &[&str] = &["layers", "material", "name", "physical", "priority", "written"];
const LAYER: &[&str] = &[
    "blend",
    "unlit",
    "twoSided",
    "unfogged",
    "noDepthTest",
    "noDepthWrite",
    "alphaBelow",
    "alphaTest",
    "alpha",
    "colorAlpha",
    "color",
    "emissiveGain",
    "textures",
];
const LIGHT: &[&str] = &[
    "name",
    "kind",
    "attenuationStart",
    "attenuationEnd",
    "color",
    "intensity",
    "ambientColor",
    "ambientIntensity",
    "visibility",
    "index",
    "position",
];
const CAMERA: &[&str] =
    &["name", "position", "target", "fov", "near", "far", "translation", "targetTranslation", "roll"];
const EMITTER: &[&str] = &[
    "name",
    "shape",
    "points",
    "speed",
    "variation",
    "latitude",
    "longitude",
    "gravity",
    "lifespan",
    "rate",
    "length",
    "width",
    "zSource",
    "visibility",
    "blend",
    "texture",
    "textureIndex",
    "rows",
    "columns",
    "tailLength",
    "head",
    "tail",
    "tailGrows",
    "squirt",
    "modelSpace",
    "flat",
    "unlit",
    "unfogged",
    "sort",
    "middle",
    "colors",
    "alphas",
    "sizes",
    "cells",
    "drag",
    "spin",
    "priority",
    "index",
    "position",
];
const RIBBON: &[&str] = &[
    "name",
    "above",
    "below",
    "alpha",
    "color",
    "slot",
    "visibility",
    "lifespan",
    "rate",
    "gravity",
    "rows",
    "columns",
    "material",
    "gravityUp",
    "index",
    "position",
];
const EFFECT: &[&str] = &["name", "kind", "path", "visibility", "index", "position"];

/// What is not one of these names, as extras.
pub(super) fn rest(value: &Value, known: &[&str]) -> Extras {
    let others = value.entries().iter().filter(|(name, _)| name != "more" && !known.contains(&name.as_str()));
    let more = value.get("more").map_or(&[][..], Value::entries).iter();
    all(&Value::Object(others.chain(more).cloned().collect()))
}

/// A value that keys hold, from a list of numbers.
pub(super) trait Numbers: Copy + Default {
    const COUNT: usize;
    fn from(numbers: &[f32]) -> Self;
}
impl Numbers for f32 {
    const COUNT: usize = 1;
    fn from(numbers: &[f32]) -> Self {
        numbers.first().copied().unwrap_or_default()
    }
}
impl Numbers for u32 {
    const COUNT: usize = 1;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts of floats saturate")]
    fn from(numbers: &[f32]) -> Self {
        numbers.first().map_or(0, |it| *it as Self)
    }
}
impl Numbers for [f32; 3] {
    const COUNT: usize = 3;
    fn from(numbers: &[f32]) -> Self {
        numbers.try_into().unwrap_or_default()
    }
}
impl Numbers for Rotation {
    const COUNT: usize = 4;
    fn from(numbers: &[f32]) -> Self {
        numbers.try_into().map_or(Self::IDENTITY, Self)
    }
}

/// Numbers of a list, or of a text with their bytes.
fn floats(value: Option<&Value>) -> Vec<f32> {
    let packed = |text| base64::words(text).map(|words| words.into_iter().map(f32::from_le_bytes).collect());
    match value {
        Some(Value::Text(text)) => packed(text).unwrap_or_default(),
        value => value.and_then(Value::numbers).unwrap_or_default(),
    }
}

/// Whole numbers, written in the same way.
fn ints(value: Option<&Value>) -> Vec<i32> {
    let packed = |text| base64::words(text).map(|words| words.into_iter().map(i32::from_le_bytes).collect());
    let one = |value: &Value| value.int().and_then(|it| i32::try_from(it).ok()).unwrap_or(0);
    match value {
        Some(Value::Text(text)) => packed(text).unwrap_or_default(),
        value => value.map_or(&[][..], Value::list).iter().map(one).collect(),
    }
}

fn values<T: Numbers>(value: Option<&Value>) -> Vec<T> {
    floats(value).chunks_exact(T::COUNT).map(T::from).collect()
}

/// A track.
pub(super) fn track<T: Numbers>(value: &Value) -> Track<T> {
    let interpolation = match value.get("interpolation").and_then(Value::text) {
        Some("step") => Interpolation::Step,
        Some("hermite") => Interpolation::Hermite,
        Some("bezier") => Interpolation::Bezier,
        _ => Interpolation::Linear,
    };
    let windows: Vec<u32> =
        ints(value.get("windows")).into_iter().map(|it| u32::try_from(it).unwrap_or(0)).collect();
    let tangents = if interpolation.is_spline() {
        let (into, out) = (values::<T>(value.get("in")), values::<T>(value.get("out")));
        into.into_iter().zip(out).map(|(into, out)| [into, out]).collect()
    } else {
        Vec::new()
    };
    Track {
        interpolation,
        global: value.get("globalSequence").and_then(Value::unsigned).map(Id::new),
        times: ints(value.get("times")),
        fractions: floats(value.get("fractions")),
        values: values(value.get("values")),
        tangents,
        windows: windows.as_chunks::<2>().0.to_vec(),
        default: values(value.get("default")).first().copied().unwrap_or_default(),
    }
}

/// A value, or its keys.
pub(super) fn animated<T: Numbers>(value: &Value) -> Animated<T> {
    match value {
        Value::Object(_) => {
            let track = track::<T>(value);
            let base = values(value.get("base")).first().copied().unwrap_or(track.default);
            Animated { base, track: Some(track) }
        }
        Value::List(_) => Animated::fixed(T::from(&value.numbers().unwrap_or_default())),
        _ => Animated::fixed(T::from(&[value.number().unwrap_or_default()])),
    }
}

fn number(value: &Value, name: &str) -> f32 {
    value.get(name).and_then(Value::number).unwrap_or_default()
}
fn unsigned(value: &Value, name: &str) -> u32 {
    value.get(name).and_then(Value::unsigned).unwrap_or_default()
}
fn whole(value: &Value, name: &str) -> i32 {
    value.get(name).and_then(Value::int).and_then(|it| i32::try_from(it).ok()).unwrap_or_default()
}
fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::text).unwrap_or_default().to_owned()
}
fn truth(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::truth).unwrap_or_default()
}
fn vector(value: &Value, name: &str) -> [f32; 3] {
    value.get(name).and_then(Value::vector).unwrap_or_default()
}
fn moving<T: Numbers>(value: &Value, name: &str, otherwise: T) -> Animated<T> {
    value.get(name).map_or_else(|| Animated::fixed(otherwise), |it| animated(it))
}

pub(super) fn bounds(value: &Value) -> Bounds {
    match (value.get("min").and_then(Value::vector), value.get("max").and_then(Value::vector)) {
        (Some(min), Some(max)) => Bounds { min, max, radius: number(value, "radius") },
        _ => Bounds::EMPTY,
    }
}

pub(super) fn sequence(value: &Value) -> Option<Sequence> {
    Some(Sequence {
        name: text(value, "name"),
        start: i32::try_from(value.get("start")?.int()?).ok()?,
        end: i32::try_from(value.get("end")?.int()?).ok()?,
        looping: truth(value, "looping"),
        move_speed: number(value, "moveSpeed"),
        bounds: bounds(value),
        extras: rest(value, SEQUENCE),
    })
}

pub(super) fn texture(value: &Value) -> Texture {
    let number = value.get("replaceableId").and_then(Value::unsigned);
    let replaceable = number.map(|number| match number {
        1 if !truth(value, "other") => Replaceable::TeamColor,
        2 if !truth(value, "other") => Replaceable::TeamGlow,
        number => Replaceable::Other(number),
    });
    let repeat = match value.get("repeat").map_or(&[][..], Value::list) {
        [u, v] => [u.truth().unwrap_or(true), v.truth().unwrap_or(true)],
        _ => [true; 2],
    };
    Texture { path: text(value, "path"), replaceable, repeat }
}

pub(super) fn sort(value: &Value) -> Option<SortPoint> {
    Some(SortPoint {
        node: Id::new(value.get("node")?.unsigned()?),
        point: vector(value, "point"),
        shift: number(value, "shift"),
    })
}

/// A material, and its texture transforms by their numbers.
pub(super) fn material(value: &Value, transforms: &mut Vec<(u32, TextureTransform)>) -> Material {
    let layers = value.get("layers").map_or(&[][..], Value::list).iter();
    Material {
        name: text(value, "name"),
        priority: whole(value, "priority"),
        layers: layers.map(|it| layer(it, transforms)).collect(),
        physical: truth(value, "physical"),
        extras: rest(value, MATERIAL),
    }
}

fn layer(value: &Value, transforms: &mut Vec<(u32, TextureTransform)>) -> Layer {
    let below = value.get("alphaBelow").and_then(Value::number);
    let textures = value.get("textures").map_or(&[][..], Value::list).iter();
    Layer {
        blend: Blend::from_name(&text(value, "blend")).unwrap_or_default(),
        alpha_test: below.unwrap_or_else(|| number(value, "alphaTest")),
        alpha_below: below.is_some(),
        textures: textures.map(|it| layer_texture(it, transforms)).collect(),
        color: moving(value, "color", [1.0; 3]),
        alpha: moving(value, "alpha", 1.0),
        color_alpha: moving(value, "colorAlpha", 1.0),
        unlit: truth(value, "unlit"),
        two_sided: truth(value, "twoSided"),
        unfogged: truth(value, "unfogged"),
        no_depth_test: truth(value, "noDepthTest"),
        no_depth_write: truth(value, "noDepthWrite"),
        emissive_gain: moving(value, "emissiveGain", 1.0),
        extras: rest(value, LAYER),
    }
}

fn layer_texture(value: &Value, transforms: &mut Vec<(u32, TextureTransform)>) -> LayerTexture {
    let role = match value.get("role").and_then(Value::text) {
        Some("second") => Role::Second,
        Some("normal") => Role::Normal,
        Some("orm") => Role::Orm,
        Some("emissive") => Role::Emissive,
        Some("teamcolor") => Role::TeamColor,
        Some("environment") => Role::Environment,
        _ => Role::Base,
    };
    let coordinates = match value.get("coordinates") {
        Some(Value::Text(name)) if name == "sphere" => Coordinates::Sphere,
        Some(Value::Text(name)) if name == "ball" => Coordinates::Ball,
        Some(Value::Text(name)) if name == "room" => Coordinates::Room,
        Some(set) => Coordinates::Set(set.unsigned().unwrap_or(0)),
        None => Coordinates::Set(0),
    };
    let combines = [
        Combine::Modulate,
        Combine::ModulateColor,
        Combine::Modulate2x,
        Combine::Modulate2xColor,
        Combine::Add,
        Combine::AddColor,
        Combine::Decal,
        Combine::Fade,
    ];
    let combine = value.get("combine").and_then(Value::text);
    let combine = combines.into_iter().find(|it| Some(it.name()) == combine).unwrap_or_default();
    let transform = value.get("transform").map(|it| {
        let id = unsigned(it, "id");
        if !transforms.iter().any(|(known, _)| *known == id) {
            let order = match it.get("order").and_then(Value::text) {
                Some("moveScaleRotate") => TransformOrder::MoveScaleRotate,
                _ => TransformOrder::RotateScaleMove,
            };
            let made = TextureTransform {
                order,
                translation: moving(it, "translation", [0.0; 3]),
                rotation: moving(it, "rotation", Rotation::IDENTITY),
                scale: moving(it, "scale", [1.0; 3]),
            };
            transforms.push((id, made));
        }
        Id::new(id)
    });
    LayerTexture {
        role,
        texture: value.get("texture").and_then(Value::unsigned).map(Id::new),
        flipbook: value.get("flipbook").map(track),
        coordinates,
        transform,
        combine,
    }
}

/// Where an object is: at its own position, or at its node.
fn position(value: &Value, pivot: [f32; 3]) -> [f32; 3] {
    value.get("position").and_then(Value::vector).unwrap_or(pivot)
}

pub(super) fn attachment(value: &Value, node: Id<Node>, pivot: [f32; 3]) -> Attachment {
    Attachment {
        name: text(value, "name"),
        number: unsigned(value, "id"),
        node,
        position: position(value, pivot),
        path: text(value, "path"),
        visibility: moving(value, "visibility", 1.0),
    }
}

pub(super) fn event(value: &Value, node: Id<Node>, pivot: [f32; 3]) -> Event {
    let times = value.get("times").map_or(&[][..], Value::list).iter();
    Event {
        name: text(value, "name"),
        data: unsigned(value, "data"),
        node,
        position: position(value, pivot),
        times: times.filter_map(|it| it.int().and_then(|it| i32::try_from(it).ok())).collect(),
        global: value.get("globalSequence").and_then(Value::unsigned).map(Id::new),
    }
}

pub(super) fn shape(value: &Value, node: Id<Node>) -> Shape {
    let radius = number(value, "radius");
    let kind = match value.get("shape").and_then(Value::text) {
        Some("cylinder") => {
            ShapeKind::Cylinder { base: vector(value, "base"), height: number(value, "height"), radius }
        }
        Some("sphere") => ShapeKind::Sphere { center: vector(value, "center"), radius },
        Some("plane") => ShapeKind::Plane { length: number(value, "length"), width: number(value, "width") },
        _ => ShapeKind::Box { min: vector(value, "min"), max: vector(value, "max") },
    };
    Shape { name: text(value, "name"), node, kind }
}

pub(super) fn light(value: &Value, node: Id<Node>, pivot: [f32; 3]) -> Light {
    Light {
        name: text(value, "name"),
        kind: match value.get("kind").and_then(Value::text) {
            Some("directional") => LightKind::Directional,
            Some("ambient") => LightKind::Ambient,
            _ => LightKind::Omni,
        },
        node,
        position: position(value, pivot),
        attenuation_start: moving(value, "attenuationStart", 0.0),
        attenuation_end: moving(value, "attenuationEnd", 0.0),
        color: moving(value, "color", [1.0; 3]),
        intensity: moving(value, "intensity", 1.0),
        ambient_color: moving(value, "ambientColor", [1.0; 3]),
        ambient_intensity: moving(value, "ambientIntensity", 0.0),
        visibility: moving(value, "visibility", 1.0),
        extras: rest(value, LIGHT),
    }
}

pub(super) fn camera(value: &Value) -> Camera {
    Camera {
        name: text(value, "name"),
        position: vector(value, "position"),
        target: vector(value, "target"),
        fov: number(value, "fov"),
        near: number(value, "near"),
        far: number(value, "far"),
        translation: value.get("translation").map(track),
        target_translation: value.get("targetTranslation").map(track),
        roll: value.get("roll").map(track),
        extras: rest(value, CAMERA),
    }
}

pub(super) fn emitter(value: &Value, node: Id<Node>, pivot: [f32; 3]) -> ParticleEmitter {
    let list = |name: &str| value.get(name).and_then(Value::numbers).unwrap_or_default();
    let shape = match value.get("shape").and_then(Value::text) {
        Some("sphere") => EmitterShape::Sphere,
        Some("spline") => EmitterShape::Spline(list("points").as_chunks::<3>().0.to_vec()),
        _ => EmitterShape::Plane,
    };
    let cells: Vec<u32> =
        value.get("cells").map_or(&[][..], Value::list).iter().filter_map(Value::unsigned).collect();
    let cell = |at: usize| match cells.as_chunks::<3>().0.get(at) {
        Some([start, end, repeat]) => Cells { start: *start, end: *end, repeat: *repeat },
        None => Cells::default(),
    };
    let colors = list("colors").as_chunks::<3>().0.to_vec();
    ParticleEmitter {
        name: text(value, "name"),
        node,
        position: position(value, pivot),
        shape,
        speed: moving(value, "speed", 0.0),
        variation: moving(value, "variation", 0.0),
        latitude: moving(value, "latitude", 0.0),
        longitude: moving(value, "longitude", std::f32::consts::PI),
        gravity: moving(value, "gravity", 0.0),
        lifespan: moving(value, "lifespan", 0.0),
        rate: moving(value, "rate", 0.0),
        length: moving(value, "length", 0.0),
        width: moving(value, "width", 0.0),
        z_source: moving(value, "zSource", 0.0),
        visibility: moving(value, "visibility", 1.0),
        blend: Blend::from_name(&text(value, "blend")).unwrap_or(Blend::Alpha),
        texture: value.get("textureIndex").and_then(Value::unsigned).map(Id::new),
        cells: [unsigned(value, "rows"), unsigned(value, "columns")],
        head: truth(value, "head"),
        tail: truth(value, "tail"),
        tail_length: number(value, "tailLength"),
        tail_grows: truth(value, "tailGrows"),
        over_life: OverLife {
            middle: number(value, "middle"),
            colors: colors.try_into().unwrap_or_default(),
            alphas: list("alphas").try_into().unwrap_or_default(),
            sizes: list("sizes").try_into().unwrap_or_default(),
            head: [cell(0), cell(1)],
            tail: [cell(2), cell(3)],
        },
        squirt: truth(value, "squirt"),
        model_space: truth(value, "modelSpace"),
        flat: truth(value, "flat"),
        unlit: truth(value, "unlit"),
        unfogged: truth(value, "unfogged"),
        sort: truth(value, "sort"),
        drag: number(value, "drag"),
        spin: number(value, "spin"),
        priority: whole(value, "priority"),
        extras: rest(value, EMITTER),
    }
}

pub(super) fn ribbon(value: &Value, node: Id<Node>, pivot: [f32; 3]) -> Ribbon {
    Ribbon {
        name: text(value, "name"),
        node,
        position: position(value, pivot),
        above: moving(value, "above", 0.0),
        below: moving(value, "below", 0.0),
        alpha: moving(value, "alpha", 1.0),
        color: moving(value, "color", [1.0; 3]),
        slot: moving(value, "slot", 0),
        visibility: moving(value, "visibility", 1.0),
        lifespan: number(value, "lifespan"),
        rate: number(value, "rate"),
        cells: [unsigned(value, "rows"), unsigned(value, "columns")],
        material: value.get("material").and_then(Value::unsigned).map(Id::new),
        gravity: number(value, "gravity"),
        gravity_direction: if truth(value, "gravityUp") { RibbonGravity::Up } else { RibbonGravity::Down },
        extras: rest(value, RIBBON),
    }
}

pub(super) fn effect(value: &Value, node: Id<Node>) -> Effect {
    Effect {
        name: text(value, "name"),
        kind: text(value, "kind"),
        node,
        path: text(value, "path"),
        visibility: moving(value, "visibility", 1.0),
        extras: rest(value, EFFECT),
    }
}

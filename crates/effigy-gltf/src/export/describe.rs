//! What glTF cannot express, as `extras`. Vectors keep the scene's axes (Z up).

use crate::base64;
use crate::json::{Json, Object};
use effigy_scene::{
    Animated, Attachment, Billboard, Camera, Coordinates, Effect, EmitterShape, Event, Interpolation, Layer,
    Light, Material, Mesh, Node, NodeKind, ParticleEmitter, Ribbon, Rotation, Scene, Sequence, Shape,
    ShapeKind, Track,
};

/// A value of a key as a list of numbers.
pub(super) trait Numbers: Copy + PartialEq {
    fn numbers(self, into: &mut Vec<f32>);
}
impl Numbers for f32 {
    fn numbers(self, into: &mut Vec<f32>) {
        into.push(self);
    }
}
impl Numbers for u32 {
    fn numbers(self, into: &mut Vec<f32>) {
        into.push(self as f32);
    }
}
impl Numbers for [f32; 3] {
    fn numbers(self, into: &mut Vec<f32>) {
        into.extend(self);
    }
}
impl Numbers for Rotation {
    fn numbers(self, into: &mut Vec<f32>) {
        into.extend(self.0);
    }
}

/// How lists of keys are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lists {
    /// As numbers, for people and scripts.
    Readable,
    /// Long ones as a text with their bytes. Programs that make a tree of all extras take minutes for hundreds of thousands of
    /// numbers (assimp), and a text has half the size.
    Packed,
}

/// The longest list of numbers in packed tracks.
const LONGEST: usize = 12;

impl Lists {
    fn floats(self, list: &[f32]) -> Json {
        self.list(list, |number| number.to_le_bytes())
    }

    fn times(self, list: &[i32]) -> Json {
        self.list(list, |number| number.to_le_bytes())
    }

    fn list<'a, T: Copy>(self, list: &'a [T], bytes: impl Fn(T) -> [u8; 4]) -> Json
    where
        Json: From<&'a [T]>,
    {
        if self == Self::Readable || list.len() <= LONGEST {
            return list.into();
        }
        let bytes: Vec<u8> = list.iter().flat_map(|number| bytes(*number)).collect();
        Json::Text(base64::encode(&bytes))
    }

    fn values<T: Numbers>(self, values: impl Iterator<Item = T>) -> Json {
        let mut list = Vec::new();
        values.for_each(|value| value.numbers(&mut list));
        self.floats(&list)
    }
}

fn flat<T: Numbers>(values: impl Iterator<Item = T>) -> Json {
    Lists::Readable.values(values)
}

fn track<T: Numbers>(track: &Track<T>) -> Object {
    keys(track, Lists::Readable)
}

fn keys<T: Numbers>(track: &Track<T>, lists: Lists) -> Object {
    let kind = match track.interpolation {
        Interpolation::Step => "step",
        Interpolation::Linear => "linear",
        Interpolation::Hermite => "hermite",
        Interpolation::Bezier => "bezier",
    };
    let mut object = Object::default().with("interpolation", kind);
    if let Some(global) = track.global {
        object.set("globalSequence", global.index());
    }
    object.set("times", lists.times(&track.times));
    if !track.fractions.is_empty() {
        object.set("fractions", lists.floats(&track.fractions));
    }
    if !track.windows.is_empty() {
        let windows: Vec<i32> =
            track.windows.as_flattened().iter().map(|it| i32::try_from(*it).unwrap_or(i32::MAX)).collect();
        object.set("windows", lists.times(&windows));
    }
    object.set("default", flat(std::iter::once(track.default)));
    object.set("values", lists.values(track.values.iter().copied()));
    if track.interpolation.is_spline() {
        object.set("in", lists.values(track.tangents.iter().map(|[into, _]| *into)));
        object.set("out", lists.values(track.tangents.iter().map(|[_, out]| *out)));
    }
    object
}

/// A value, or its keys.
fn animated<T: Numbers>(value: &Animated<T>) -> Json {
    listed(value, Lists::Readable)
}

fn listed<T: Numbers>(value: &Animated<T>, lists: Lists) -> Json {
    match &value.track {
        Some(keys) => {
            let mut object = self::keys(keys, lists);
            if value.base != keys.default {
                object.set("base", flat(std::iter::once(value.base)));
            }
            object.into()
        }
        None => {
            let mut list = Vec::new();
            value.base.numbers(&mut list);
            match list.as_slice() {
                [only] => Json::Float(*only),
                many => many.into(),
            }
        }
    }
}

pub(super) fn sequence(sequence: &Sequence) -> Object {
    let mut object = Object::default()
        .with("name", sequence.name.as_str())
        .with("start", sequence.start)
        .with("end", sequence.end)
        .with("looping", sequence.looping)
        .with("moveSpeed", sequence.move_speed);
    bounds(&sequence.bounds, &mut object);
    with_extras(object, &sequence.extras)
}

pub(super) fn model(scene: &Scene) -> Object {
    let rules = Object::default()
        .with("keys", format!("{:?}", scene.key_rule).to_lowercase())
        .with("turns", format!("{:?}", scene.turn_rule).to_lowercase())
        .with("nodes", format!("{:?}", scene.node_rule).to_lowercase());
    let mut object = Object::default().with("effigy", NOTES).with("rules", rules);
    object = with_extras(object, &scene.extras);
    object.set("blendTime", scene.blend_time);
    if !scene.textures.is_empty() {
        let textures = scene.textures.as_slice().iter().map(|it| texture(it).into());
        object.set("textures", textures.collect::<Vec<Json>>());
    }
    if !scene.name.is_empty() {
        object.set("modelName", scene.name.as_str());
    }
    bounds(&scene.bounds, &mut object);
    if !scene.sequences.is_empty() {
        object.set(
            "sequences",
            scene.sequences.as_slice().iter().map(|it| sequence(it).into()).collect::<Vec<Json>>(),
        );
    }
    if !scene.global_sequences.is_empty() {
        let lengths: Vec<Json> =
            scene.global_sequences.as_slice().iter().map(|it| it.length.into()).collect();
        object.set("globalSequences", lengths);
    }
    object
}

/// The version of these notes; a reader that does not know it must not rely on them.
pub(crate) const NOTES: u32 = 1;

fn texture(texture: &effigy_scene::Texture) -> Object {
    let mut object = Object::default().with("path", texture.path.as_str());
    if let Some(replaceable) = texture.replaceable {
        object.set("replaceableId", replaceable.number());
        if let effigy_scene::Replaceable::Other(_) = replaceable {
            // World of Warcraft counts its kinds of textures with the same numbers.
            object.set("other", true);
        }
    }
    if texture.repeat != [true; 2] {
        object.set("repeat", texture.repeat.map(Json::from).to_vec());
    }
    object
}

/// Adds what only the game's format knows. A name that has another meaning here is put aside.
fn with_extras(mut object: Object, extras: &effigy_scene::Extras) -> Object {
    let mut more = Object::default();
    for (name, value) in Object::from(extras).0 {
        if object.get(&name).is_some() || name == "more" {
            more.0.push((name, value));
        } else {
            object.0.push((name, value));
        }
    }
    if !more.is_empty() {
        object.set("more", more);
    }
    object
}

fn bounds(bounds: &effigy_scene::Bounds, object: &mut Object) {
    if *bounds != effigy_scene::Bounds::EMPTY {
        object.set("min", bounds.min);
        object.set("max", bounds.max);
        object.set("radius", bounds.radius);
    }
}

/// How an empty of another program is turned and stretched at rest. Only the scene has it, for those who make something of it.
pub(crate) const REST: &str = "effigyRest";

/// The word for tracks that are not noted: the animations have all that is known of them.
pub(crate) const SAMPLED: &str = "sampled";

/// The tracks of a node as the game has them; none if it never moves. `channels` is the fingerprint of what was written of
/// them as animations: as long as it is the same, nobody has changed those.
pub(super) fn tracks(node: &Node, channels: u64) -> Option<Object> {
    let mut object = Object::default();
    let still = node.translation.base == [0.0; 3]
        && node.rotation.base == Rotation::IDENTITY
        && node.scale.base == [1.0; 3];
    if still && !node.is_animated() && channels == 0 {
        return None;
    }
    object.set("channels", format!("{channels:016x}"));
    if node.translation.is_animated() || node.translation.base != [0.0; 3] {
        object.set("translation", listed(&node.translation, Lists::Packed));
    }
    if node.rotation.is_animated() || node.rotation.base != Rotation::IDENTITY {
        object.set("rotation", listed(&node.rotation, Lists::Packed));
    }
    if node.scale.is_animated() || node.scale.base != [1.0; 3] {
        object.set("scale", listed(&node.scale, Lists::Packed));
    }
    Some(object)
}

pub(super) fn node(node: &Node) -> Object {
    let kind = match node.kind {
        NodeKind::Bone => "bone",
        NodeKind::Helper => "helper",
        NodeKind::Attachment => "attachment",
        NodeKind::Light => "light",
        NodeKind::Emitter => "emitter",
        NodeKind::Ribbon => "ribbon",
        NodeKind::Event => "event",
        NodeKind::Shape => "shape",
        NodeKind::Tag => "tag",
    };
    let mut object = Object::default().with("kind", kind);
    let billboard = match node.billboard {
        Billboard::None => None,
        Billboard::Full => Some("full"),
        Billboard::LockX => Some("lockX"),
        Billboard::LockY => Some("lockY"),
        Billboard::LockZ => Some("lockZ"),
    };
    if let Some(billboard) = billboard {
        object.set("billboard", billboard);
    }
    let ignored: Vec<Json> = [
        (node.ignore.translation, "translation"),
        (node.ignore.rotation, "rotation"),
        (node.ignore.scale, "scale"),
    ]
    .into_iter()
    .filter(|(ignored, _)| *ignored)
    .map(|(_, name)| name.into())
    .collect();
    if !ignored.is_empty() {
        object.set("dontInherit", ignored);
    }
    if node.camera_anchored {
        object.set("cameraAnchored", true);
    }
    // Not "pivot": three.js (r187) takes that for a mark of its own exporter, and moves the node.
    object.set("bindPivot", node.pivot);
    if let Some(gate) = node.gate {
        object.set("gate", gate.index());
    }
    if node.extras.get(REST).is_none() {
        return with_extras(object, &node.extras);
    }
    // What is written is placed by its own numbers.
    let mut extras = effigy_scene::Extras::default();
    for (name, value) in node.extras.iter().filter(|(name, _)| *name != REST) {
        extras.set(name, value.clone());
    }
    with_extras(object, &extras)
}

pub(super) fn mesh(mesh: &Mesh, index: usize) -> Object {
    let mut object = Object::default().with("mesh", index).with("name", mesh.name.as_str());
    if !mesh.shown {
        object.set("shown", false);
    }
    if let Some(sort) = mesh.sort {
        let parts = Object::default().with("node", sort.node.index()).with("point", sort.point);
        object.set("sort", parts.with("shift", sort.shift));
    }
    bounds(&mesh.bounds, &mut object);
    if let Some(morph) = &mesh.morph {
        object.set("frames", track(&morph.order));
    }
    if mesh.part != 0 {
        object.set("part", mesh.part);
    }
    if let Some(lod) = mesh.lod {
        object.set("lod", lod);
    }
    if mesh.alpha.is_animated() || mesh.alpha.base != 1.0 {
        object.set("alpha", animated(&mesh.alpha));
    }
    if mesh.color.is_animated() || mesh.color.base != [1.0; 3] {
        object.set("color", animated(&mesh.color));
    }
    with_extras(object, &mesh.extras)
}

pub(super) fn material(material: &Material, index: usize, scene: &Scene) -> Object {
    let layers: Vec<Json> = material.layers.iter().map(|it| layer(it, scene).into()).collect();
    let mut object =
        Object::default().with("layers", layers).with("material", index).with("name", material.name.as_str());
    if material.physical {
        object.set("physical", true);
    }
    if material.priority != 0 {
        object.set("priority", material.priority);
    }
    with_extras(object, &material.extras)
}

fn layer(layer: &Layer, scene: &Scene) -> Object {
    let mut object = Object::default().with("blend", layer.blend.name());
    let flags = [
        (layer.unlit, "unlit"),
        (layer.two_sided, "twoSided"),
        (layer.unfogged, "unfogged"),
        (layer.no_depth_test, "noDepthTest"),
        (layer.no_depth_write, "noDepthWrite"),
    ];
    for (_, name) in flags.into_iter().filter(|(set, _)| *set) {
        object.set(name, true);
    }
    if layer.alpha_test > 0.0 || layer.alpha_below {
        object.set(if layer.alpha_below { "alphaBelow" } else { "alphaTest" }, layer.alpha_test);
    }
    if layer.alpha.is_animated() || layer.alpha.base != 1.0 {
        object.set("alpha", animated(&layer.alpha));
    }
    if layer.color_alpha.is_animated() || layer.color_alpha.base != 1.0 {
        object.set("colorAlpha", animated(&layer.color_alpha));
    }
    if layer.color.is_animated() || layer.color.base != [1.0; 3] {
        object.set("color", animated(&layer.color));
    }
    if layer.emissive_gain.is_animated() || layer.emissive_gain.base != 1.0 {
        object.set("emissiveGain", animated(&layer.emissive_gain));
    }
    let textures: Vec<Json> = layer
        .textures
        .iter()
        .map(|texture| {
            let mut object = Object::default().with("role", format!("{:?}", texture.role).to_lowercase());
            if let Some(source) = texture.texture.and_then(|id| scene.textures.get(id)) {
                object.set("texture", texture.texture.map_or(0, effigy_scene::Id::index));
                object.set("path", source.path.as_str());
                if let Some(replaceable) = source.replaceable {
                    object.set("replaceableId", replaceable.number());
                }
            }
            if let Some(flipbook) = &texture.flipbook {
                let name = |index: &u32| {
                    scene.textures.get(effigy_scene::Id::new(*index)).map_or("", |it| it.path.as_str())
                };
                object.set("flipbook", track(flipbook));
                object.set(
                    "flipbookPaths",
                    flipbook.values.iter().map(|it| name(it).into()).collect::<Vec<Json>>(),
                );
            }
            match texture.coordinates {
                Coordinates::Set(0) => {}
                Coordinates::Set(set) => object.set("coordinates", set),
                Coordinates::Sphere => object.set("coordinates", "sphere"),
                Coordinates::Ball => object.set("coordinates", "ball"),
                Coordinates::Room => object.set("coordinates", "room"),
            }
            if texture.combine != effigy_scene::Combine::Modulate {
                object.set("combine", texture.combine.name());
            }
            if let Some(transform) = texture.transform.and_then(|id| scene.texture_transforms.get(id)) {
                let order = match transform.order {
                    effigy_scene::TransformOrder::RotateScaleMove => "rotateScaleMove",
                    effigy_scene::TransformOrder::MoveScaleRotate => "moveScaleRotate",
                };
                let parts = Object::default()
                    .with("id", texture.transform.map_or(0, effigy_scene::Id::index))
                    .with("order", order)
                    .with("translation", animated(&transform.translation))
                    .with("rotation", animated(&transform.rotation))
                    .with("scale", animated(&transform.scale));
                object.set("transform", parts);
            }
            object.into()
        })
        .collect();
    object.set("textures", textures);
    with_extras(object, &layer.extras)
}

pub(super) fn attachment(attachment: &Attachment) -> Object {
    let mut object = Object::default().with("name", attachment.name.as_str()).with("id", attachment.number);
    if !attachment.path.is_empty() {
        object.set("path", attachment.path.as_str());
    }
    if attachment.visibility.is_animated() || attachment.visibility.base != 1.0 {
        object.set("visibility", animated(&attachment.visibility));
    }
    object
}

pub(super) fn event(event: &Event) -> Object {
    let mut object =
        Object::default().with("name", event.name.as_str()).with("times", event.times.as_slice());
    if event.data != 0 {
        object.set("data", event.data);
    }
    if let Some(global) = event.global {
        object.set("globalSequence", global.index());
    }
    object
}

pub(super) fn shape(shape: &Shape) -> Object {
    let object = match shape.kind {
        ShapeKind::Box { min, max } => {
            Object::default().with("shape", "box").with("min", min).with("max", max)
        }
        ShapeKind::Cylinder { base, height, radius } => Object::default()
            .with("shape", "cylinder")
            .with("base", base)
            .with("height", height)
            .with("radius", radius),
        ShapeKind::Sphere { center, radius } => {
            Object::default().with("shape", "sphere").with("center", center).with("radius", radius)
        }
        ShapeKind::Plane { length, width } => {
            Object::default().with("shape", "plane").with("length", length).with("width", width)
        }
    };
    object.with("name", shape.name.as_str())
}

pub(super) fn light(light: &Light) -> Object {
    let object = Object::default()
        .with("name", light.name.as_str())
        .with("kind", format!("{:?}", light.kind).to_lowercase())
        .with("attenuationStart", animated(&light.attenuation_start))
        .with("attenuationEnd", animated(&light.attenuation_end))
        .with("color", animated(&light.color))
        .with("intensity", animated(&light.intensity))
        .with("ambientColor", animated(&light.ambient_color))
        .with("ambientIntensity", animated(&light.ambient_intensity))
        .with("visibility", animated(&light.visibility));
    with_extras(object, &light.extras)
}

pub(super) fn camera(camera: &Camera) -> Object {
    let mut object = Object::default()
        .with("name", camera.name.as_str())
        .with("position", camera.position)
        .with("target", camera.target)
        .with("fov", camera.fov);
    object.set("near", camera.near);
    object.set("far", camera.far);
    for (name, keys) in
        [("translation", &camera.translation), ("targetTranslation", &camera.target_translation)]
    {
        if let Some(keys) = keys {
            object.set(name, track(keys));
        }
    }
    if let Some(keys) = &camera.roll {
        object.set("roll", track(keys));
    }
    with_extras(object, &camera.extras)
}

pub(super) fn emitter(emitter: &ParticleEmitter, scene: &Scene) -> Object {
    let mut object = Object::default().with("name", emitter.name.as_str());
    match &emitter.shape {
        EmitterShape::Plane => object.set("shape", "plane"),
        EmitterShape::Sphere => object.set("shape", "sphere"),
        EmitterShape::Spline(points) => {
            object.set("shape", "spline");
            object.set("points", points.as_flattened());
        }
    }
    for (name, value) in [
        ("speed", &emitter.speed),
        ("variation", &emitter.variation),
        ("latitude", &emitter.latitude),
        ("longitude", &emitter.longitude),
        ("gravity", &emitter.gravity),
        ("lifespan", &emitter.lifespan),
        ("rate", &emitter.rate),
        ("length", &emitter.length),
        ("width", &emitter.width),
        ("zSource", &emitter.z_source),
        ("visibility", &emitter.visibility),
    ] {
        object.set(name, animated(value));
    }
    object.set("blend", emitter.blend.name());
    if let Some(texture) = emitter.texture.and_then(|id| scene.textures.get(id)) {
        object.set("texture", texture.path.as_str());
        object.set("textureIndex", emitter.texture.map_or(0, effigy_scene::Id::index));
    }
    let [rows, columns] = emitter.cells;
    object.set("rows", rows);
    object.set("columns", columns);
    object.set("tailLength", emitter.tail_length);
    for (set, name) in [
        (emitter.head, "head"),
        (emitter.tail, "tail"),
        (emitter.tail_grows, "tailGrows"),
        (emitter.squirt, "squirt"),
        (emitter.model_space, "modelSpace"),
        (emitter.flat, "flat"),
        (emitter.unlit, "unlit"),
        (emitter.unfogged, "unfogged"),
        (emitter.sort, "sort"),
    ] {
        if set {
            object.set(name, true);
        }
    }
    let life = &emitter.over_life;
    object.set("middle", life.middle);
    object.set("colors", life.colors.as_flattened());
    object.set("alphas", life.alphas);
    object.set("sizes", life.sizes);
    let cells: Vec<Json> = life
        .head
        .iter()
        .chain(&life.tail)
        .flat_map(|cells| [cells.start, cells.end, cells.repeat])
        .map(Json::from)
        .collect();
    object.set("cells", cells);
    object.set("drag", emitter.drag);
    object.set("spin", emitter.spin);
    object.set("priority", emitter.priority);
    with_extras(object, &emitter.extras)
}

pub(super) fn ribbon(ribbon: &Ribbon) -> Object {
    let mut object = Object::default()
        .with("name", ribbon.name.as_str())
        .with("above", animated(&ribbon.above))
        .with("below", animated(&ribbon.below))
        .with("alpha", animated(&ribbon.alpha))
        .with("color", animated(&ribbon.color))
        .with("slot", animated(&ribbon.slot))
        .with("visibility", animated(&ribbon.visibility))
        .with("lifespan", ribbon.lifespan)
        .with("rate", ribbon.rate)
        .with("gravity", ribbon.gravity);
    let [rows, columns] = ribbon.cells;
    object.set("rows", rows);
    object.set("columns", columns);
    if let Some(material) = ribbon.material {
        object.set("material", material.index());
    }
    if ribbon.gravity_direction == effigy_scene::RibbonGravity::Up {
        object.set("gravityUp", true);
    }
    with_extras(object, &ribbon.extras)
}

pub(super) fn effect(effect: &Effect) -> Object {
    let mut object = Object::default()
        .with("name", effect.name.as_str())
        .with("kind", effect.kind.as_str())
        .with("path", effect.path.as_str());
    if effect.visibility.is_animated() || effect.visibility.base != 1.0 {
        object.set("visibility", animated(&effect.visibility));
    }
    with_extras(object, &effect.extras)
}

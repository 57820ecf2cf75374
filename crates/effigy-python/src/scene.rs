//! The scene: which fields of its types the dataclasses of `pyeffigy.scene` have, in both directions.

use crate::array::Element;
use crate::give::{Class, Give, Giver, records, tuples, words};
use crate::take::{Take, field, list};
use effigy::scene::{
    AlphaRule, Attachment, Billboard, Blend, Bounds, Camera, Cells, Combine, Coordinates, Effect,
    EmitterShape, Event, Extra, Extras, Frame, GlobalSequence, Ignore, Interpolation, KeyRule, Layer,
    LayerTexture, Light, LightKind, Material, Mesh, Morph, Node, NodeKind, NodeRule, OverLife,
    ParticleEmitter, Replaceable, Ribbon, RibbonGravity, Role, Rotation, Scene, Sequence, Shape, ShapeKind,
    Skin, SortPoint, Texture, TextureTransform, Track, TransformOrder, TurnRule,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

records! { in "scene", both ways;
    Scene => "Scene" {
        name, key_rule, turn_rule, alpha_rule, node_rule, blend_time, nodes, meshes, materials, textures,
        texture_transforms, sequences, global_sequences, attachments, events, cameras, lights, emitters, ribbons,
        effects, shapes, bounds, extras,
    }
    Node => "Node" {
        name, kind, parent, pivot, ignore, billboard, camera_anchored, translation, rotation, scale, gate, extras,
    }
    Ignore => "Ignore" { translation, rotation, scale }
    Mesh => "Mesh" {
        name, positions, normals, tangents, uvs, indices, material, skin, morph, color, alpha, lod, part, sort,
        shown, bounds, extras,
    }
    Skin => "Skin" { groups, influences, vertex_groups }
    Morph => "Morph" { frames, order }
    Frame => "Frame" { positions, normals }
    SortPoint => "SortPoint" { node, point, shift }
    Material => "Material" { name, priority, layers, physical, extras }
    Layer => "Layer" {
        blend, alpha_test, alpha_below, textures, color, alpha, color_alpha, unlit, two_sided, unfogged,
        no_depth_test, no_depth_write, emissive_gain, extras,
    }
    LayerTexture => "LayerTexture" { role, texture, flipbook, coordinates, transform, combine }
    Texture => "Texture" { path, replaceable, repeat }
    TextureTransform => "TextureTransform" { order, translation, rotation, scale }
    Sequence => "Sequence" { name, start, end, looping, move_speed, bounds, extras }
    Attachment => "Attachment" { name, number, node, position, path, visibility }
    Event => "Event" { name, data, node, position, times, global as global_sequence }
    Camera => "Camera" {
        name, position, target, fov, near, far, translation, target_translation, roll, extras,
    }
    Light => "Light" {
        name, kind, node, position, attenuation_start, attenuation_end, color, intensity, ambient_color,
        ambient_intensity, visibility, extras,
    }
    Shape => "Shape" { name, node, kind as geometry }
    ParticleEmitter => "ParticleEmitter" {
        name, node, position, shape, speed, variation, latitude, longitude, gravity, lifespan, rate, length, width,
        z_source, visibility, blend, texture, cells, head, tail, tail_length, tail_grows, over_life, squirt,
        model_space, flat, unlit, unfogged, sort, drag, spin, priority, extras,
    }
    OverLife => "OverLife" { middle, colors, alphas, sizes, head, tail }
    Cells => "Cells" { start, end, repeat }
    Ribbon => "Ribbon" {
        name, node, position, above, below, alpha, color, slot, visibility, lifespan, rate, cells, material,
        gravity, gravity_direction, extras,
    }
    Effect => "Effect" { name, kind, node, path, visibility, extras }
}

words! {
    KeyRule { Wrap = "wrap", Continue = "continue", Hold = "hold" }
    TurnRule { Slerp = "slerp", Nlerp = "nlerp" }
    AlphaRule { OneStep = "one_step", TenThousandth = "ten_thousandth", AboveZero = "above_zero" }
    NodeRule { Warcraft = "warcraft", World = "world", Wolfenstein = "wolfenstein" }
    NodeKind {
        Bone = "bone", Helper = "helper", Attachment = "attachment", Light = "light", Emitter = "emitter",
        Ribbon = "ribbon", Event = "event", Shape = "shape", Tag = "tag",
    }
    Billboard { None = "none", Full = "full", LockX = "lock_x", LockY = "lock_y", LockZ = "lock_z" }
    Interpolation { Step = "step", Linear = "linear", Hermite = "hermite", Bezier = "bezier" }
    Blend {
        Opaque = "opaque", AlphaKey = "alpha_key", Alpha = "alpha", Add = "add", AddAlpha = "add_alpha",
        Modulate = "modulate", Modulate2x = "modulate2x",
    }
    Role {
        Base = "base", Second = "second", Normal = "normal", Orm = "orm", Emissive = "emissive",
        TeamColor = "team_color", Environment = "environment",
    }
    Combine {
        Modulate = "modulate", ModulateColor = "modulate_color", Modulate2x = "modulate2x",
        Modulate2xColor = "modulate2x_color", Add = "add", AddColor = "add_color", Decal = "decal", Fade = "fade",
    }
    TransformOrder { RotateScaleMove = "rotate_scale_move", MoveScaleRotate = "move_scale_rotate" }
    LightKind { Omni = "omni", Directional = "directional", Ambient = "ambient" }
    RibbonGravity { Down = "down", Up = "up" }
}

tuples!(both ways; Layer, LayerTexture, Frame, Vec<[f32; 2]>);

impl<T: Element + Give> Give for Track<T>
where
    Vec<[T; 2]>: Give,
{
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: Class = Class::new(
            "pyeffigy.scene",
            "Track",
            &[
                "interpolation",
                "global_sequence",
                "times",
                "fractions",
                "values",
                "tangents",
                "windows",
                "default",
            ],
        );
        let Self { interpolation, global, times, fractions, values, tangents, windows, default } = self;
        let [times, fractions] = [times.give(to)?, fractions.give(to)?];
        let [values, tangents, windows] = [values.give(to)?, tangents.give(to)?, windows.give(to)?];
        let [interpolation, global, default] = [interpolation.give(to)?, global.give(to)?, default.give(to)?];
        CLASS.make(to.py, [interpolation, global, times, fractions, values, tangents, windows, default])
    }
}

impl Give for Rotation {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.give(to)
    }
}

impl Give for GlobalSequence {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.length.give(to)
    }
}

impl Take for GlobalSequence {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { length: Take::take(from)? })
    }
}

impl Give for Replaceable {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.number().give(to)
    }
}

/// Only the scene knows whether a number is that of Warcraft III: see [`taken`].
impl Take for Replaceable {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        Take::take(from).map(Self::Other)
    }
}

/// A scene that a program built.
pub fn taken(from: &Bound<'_, PyAny>) -> PyResult<Scene> {
    let mut scene = Scene::take(from)?;
    if scene.node_rule == NodeRule::Warcraft {
        for texture in scene.textures.as_mut_slice() {
            let teams = [Replaceable::TeamColor, Replaceable::TeamGlow];
            let team = teams
                .into_iter()
                .find(|it| texture.replaceable.is_some_and(|own| own.number() == it.number()));
            texture.replaceable = team.or(texture.replaceable);
        }
    }
    Ok(scene)
}

impl Give for Coordinates {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Set(number) => number.give(to),
            Self::Sphere => "sphere".give(to),
            Self::Ball => "ball".give(to),
            Self::Room => "room".give(to),
        }
    }
}

impl Take for Coordinates {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(word) = String::take(from) else { return Take::take(from).map(Self::Set) };
        match word.as_str() {
            "sphere" => Ok(Self::Sphere),
            "ball" => Ok(Self::Ball),
            "room" => Ok(Self::Room),
            _ => Err(PyValueError::new_err(format!("'{word}' is none of sphere, ball, room"))),
        }
    }
}

impl Give for EmitterShape {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Plane => "plane".give(to),
            Self::Sphere => "sphere".give(to),
            Self::Spline(points) => points.give(to),
        }
    }
}

impl Take for EmitterShape {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(word) = String::take(from) else { return Take::take(from).map(Self::Spline) };
        match word.as_str() {
            "plane" => Ok(Self::Plane),
            "sphere" => Ok(Self::Sphere),
            _ => Err(PyValueError::new_err(format!("'{word}' is none of plane, sphere"))),
        }
    }
}

impl Give for ShapeKind {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        static BOX: Class = Class::new("pyeffigy.scene", "Box", &["min", "max"]);
        static CYLINDER: Class = Class::new("pyeffigy.scene", "Cylinder", &["base", "height", "radius"]);
        static SPHERE: Class = Class::new("pyeffigy.scene", "Sphere", &["center", "radius"]);
        static PLANE: Class = Class::new("pyeffigy.scene", "Plane", &["length", "width"]);
        match self {
            Self::Box { min, max } => BOX.make(to.py, [min.give(to)?, max.give(to)?]),
            Self::Cylinder { base, height, radius } => {
                CYLINDER.make(to.py, [base.give(to)?, height.give(to)?, radius.give(to)?])
            }
            Self::Sphere { center, radius } => SPHERE.make(to.py, [center.give(to)?, radius.give(to)?]),
            Self::Plane { length, width } => PLANE.make(to.py, [length.give(to)?, width.give(to)?]),
        }
    }
}

impl Take for ShapeKind {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        let class = from.get_type().name()?.to_string();
        Ok(match class.as_str() {
            "Box" => Self::Box { min: field(from, "min")?, max: field(from, "max")? },
            "Cylinder" => {
                let (base, height) = (field(from, "base")?, field(from, "height")?);
                Self::Cylinder { base, height, radius: field(from, "radius")? }
            }
            "Sphere" => Self::Sphere { center: field(from, "center")?, radius: field(from, "radius")? },
            "Plane" => Self::Plane { length: field(from, "length")?, width: field(from, "width")? },
            _ => {
                let text = format!("{class} is none of Box, Cylinder, Sphere, Plane");
                return Err(PyValueError::new_err(text));
            }
        })
    }
}

/// Bounds that the source does not state are empty.
impl Give for Bounds {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Self { min, max, radius } = *self;
        (!self.is_empty()).then_some(effigy::Bounds { min, max, radius }).give(to)
    }
}

impl Take for Bounds {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        if from.is_none() {
            return Ok(Self::EMPTY);
        }
        Ok(Self { min: field(from, "min")?, max: field(from, "max")?, radius: field(from, "radius")? })
    }
}

impl Give for Extras {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        let into = PyDict::new(to.py);
        self.iter().try_for_each(|(name, value)| into.set_item(name, value.give(to)?))?;
        Ok(into.into_any())
    }
}

impl Give for Extra {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Bool(value) => value.give(to),
            Self::Int(value) => value.give(to),
            Self::Float(value) => value.give(to),
            Self::Text(value) => value.give(to),
            Self::Floats(list) => Ok(PyList::new(to.py, list)?.into_any()),
            Self::Ints(list) => Ok(PyList::new(to.py, list)?.into_any()),
            Self::List(list) => {
                let list: Vec<_> = list.iter().map(|one| one.give(to)).collect::<PyResult<_>>()?;
                Ok(PyList::new(to.py, list)?.into_any())
            }
            Self::Map(map) => map.give(to),
        }
    }
}

impl Take for Extras {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut extras = Self::default();
        for (name, value) in from.cast::<PyDict>()? {
            extras.set(&String::take(&name)?, Extra::take(&value)?);
        }
        Ok(extras)
    }
}

/// A list of numbers of one kind is taken as such, and any other as a list of values.
impl Take for Extra {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(if from.is_instance_of::<PyBool>() {
            Self::Bool(Take::take(from)?)
        } else if from.is_instance_of::<PyInt>() {
            Self::Int(Take::take(from)?)
        } else if from.is_instance_of::<PyFloat>() {
            Self::Float(Take::take(from)?)
        } else if from.is_instance_of::<PyString>() {
            Self::Text(Take::take(from)?)
        } else if from.is_instance_of::<PyDict>() {
            Self::Map(Take::take(from)?)
        } else {
            let values: Vec<Self> = list(from)?;
            let floats =
                values.iter().map(|one| if let Self::Float(value) = one { Some(*value) } else { None });
            let ints = values.iter().map(|one| if let Self::Int(value) = one { Some(*value) } else { None });
            match (floats.collect(), ints.collect()) {
                (Some(floats), _) => Self::Floats(floats),
                (None, Some(ints)) => Self::Ints(ints),
                (None, None) => Self::List(values),
            }
        })
    }
}

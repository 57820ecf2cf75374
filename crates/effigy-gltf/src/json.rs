//! The JSON of a glTF file: ordered, with single-precision numbers printed as short as they can be.

use effigy_scene::{Extra, Extras};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A JSON value whose objects keep their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Bool(bool),
    Int(i64),
    Float(f32),
    Text(String),
    List(Vec<Json>),
    Object(Object),
}

/// Named values in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object(pub Vec<(Cow<'static, str>, Json)>);

impl Object {
    pub(crate) fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Json>) -> Self {
        self.set(name, value);
        self
    }

    pub(crate) fn set(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Json>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(crate) fn with_all(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name.as_ref(), value)?;
        }
        map.end()
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            // JSON cannot express numbers that are not finite.
            Self::Float(value) if !value.is_finite() => serializer.serialize_unit(),
            Self::Float(value) => serializer.serialize_f32(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(value)?;
                }
                list.end()
            }
            Self::Object(object) => object.serialize(serializer),
        }
    }
}

macro_rules! from {
    ($($from:ty => |$value:ident| $json:expr),* $(,)?) => { $(
        impl From<$from> for Json {
            fn from($value: $from) -> Self { $json }
        }
    )* };
}
from! {
    bool => |v| Self::Bool(v),
    i64 => |v| Self::Int(v),
    i32 => |v| Self::Int(v.into()),
    u32 => |v| Self::Int(v.into()),
    usize => |v| Self::Int(i64::try_from(v).unwrap_or(i64::MAX)),
    f32 => |v| Self::Float(v),
    &str => |v| Self::Text(v.to_owned()),
    String => |v| Self::Text(v),
    Object => |v| Self::Object(v),
    Vec<Json> => |v| Self::List(v),
    &[f32] => |v| Self::List(v.iter().map(|x| Self::Float(*x)).collect()),
    &[i32] => |v| Self::List(v.iter().map(|x| Self::Int((*x).into())).collect()),
}
impl<const N: usize> From<[f32; N]> for Json {
    fn from(values: [f32; N]) -> Self {
        Self::from(values.as_slice())
    }
}
impl From<&Extra> for Json {
    fn from(extra: &Extra) -> Self {
        match extra {
            Extra::Bool(value) => Self::Bool(*value),
            Extra::Int(value) => Self::Int(*value),
            Extra::Float(value) => Self::Float(*value),
            Extra::Text(value) => Self::Text(value.clone()),
            Extra::Floats(values) => Self::from(values.as_slice()),
            Extra::Ints(values) => Self::List(values.iter().map(|value| Self::Int(*value)).collect()),
            Extra::List(values) => Self::List(values.iter().map(Self::from).collect()),
            Extra::Map(extras) => Self::Object(extras.into()),
        }
    }
}
impl From<&Extras> for Object {
    fn from(extras: &Extras) -> Self {
        Self(extras.iter().map(|(name, value)| (Cow::Owned(name.to_owned()), value.into())).collect())
    }
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}
fn is_false(value: &bool) -> bool {
    !*value
}

/// The nearest number that a file can hold: sums of numbers that are nearly as large as they can be are infinite.
pub(crate) const fn finite(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(f32::MIN, f32::MAX) }
}

/// Makes numbers finite, and counts those that were not.
fn make_finite<'a>(values: impl IntoIterator<Item = &'a mut f32>) -> usize {
    let wrong = values.into_iter().filter(|value| !value.is_finite());
    wrong.map(|value| *value = finite(*value)).count()
}

impl Object {
    /// The same for all numbers but those of extras, which are null there: nobody has to read them.
    fn make_finite(&mut self) -> usize {
        self.0.iter_mut().filter(|(name, _)| name != "extras").map(|(_, value)| value.make_finite()).sum()
    }
}

impl Json {
    fn make_finite(&mut self) -> usize {
        match self {
            Self::Float(value) => make_finite([value]),
            Self::List(values) => values.iter_mut().map(Self::make_finite).sum(),
            Self::Object(object) => object.make_finite(),
            Self::Bool(_) | Self::Int(_) | Self::Text(_) => 0,
        }
    }
}

/// A view of a part of the buffer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub buffer: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

/// Up to four numbers, without an allocation: there are thousands of them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Corner {
    count: u8,
    numbers: [f32; 4],
}

impl Corner {
    pub(crate) fn new(from: &[f32]) -> Self {
        let mut corner = Self::default();
        for (to, from) in corner.numbers.iter_mut().zip(from) {
            *to = *from;
            corner.count += 1;
        }
        corner
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Serialize for Corner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.numbers.iter().take(self.count.into()))
    }
}

/// Typed numbers in a view.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(skip_serializing_if = "is_false")]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Corner::is_empty")]
    pub min: Corner,
    #[serde(skip_serializing_if = "Corner::is_empty")]
    pub max: Corner,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sparse: Option<Object>,
}

/// A node.
#[derive(Default, Serialize)]
pub(crate) struct Node {
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<usize>,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub extensions: Object,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub extras: Object,
}

/// What an animation channel moves.
#[derive(Serialize)]
pub(crate) struct Target {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    pub path: &'static str,
    /// Only pointers have any: kept apart, since most channels move nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Box<Object>>,
}

/// A channel of an animation.
#[derive(Serialize)]
pub(crate) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

/// Keys of an animation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct AnimationSampler {
    pub input: usize,
    pub interpolation: &'static str,
    pub output: usize,
}

/// An animation.
#[derive(Serialize)]
pub(crate) struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<AnimationSampler>,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub extras: Object,
}

/// The whole document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Root {
    pub asset: Object,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions_required: Vec<&'static str>,
    pub scene: usize,
    pub scenes: Vec<Object>,
    pub nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Object>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Object>,
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub extensions: Object,
}

impl Root {
    /// Makes all numbers finite that a reader has to read, and counts those that were not.
    pub(crate) fn make_finite(&mut self) -> usize {
        let node = |it: &mut Node| {
            let parts = it.translation.iter_mut().chain(&mut it.scale).flatten();
            make_finite(parts.chain(it.rotation.iter_mut().flatten())) + it.extensions.make_finite()
        };
        let lists = [&mut self.meshes, &mut self.skins, &mut self.cameras, &mut self.materials];
        self.nodes.iter_mut().map(node).sum::<usize>()
            + lists.into_iter().flatten().map(Object::make_finite).sum::<usize>()
            + self.extensions.make_finite()
    }

    /// The approximate length of the JSON, to allocate once.
    pub(crate) fn expected_length(&self) -> usize {
        let moved = |it: &Animation| 64 * it.channels.len() + 64 * it.samplers.len() + 256;
        let animations: usize = self.animations.iter().map(moved).sum();
        2048 + 192 * self.nodes.len() + 96 * self.accessors.len() + animations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_finite_everywhere_but_in_extras() {
        let inner = Object::default().with("a", [1.0, f32::INFINITY]).with("name", "n");
        let mut object = Object::default()
            .with("x", f32::NAN)
            .with("list", vec![Json::from(inner.clone()), Json::from(-f32::INFINITY)])
            .with("extras", inner.clone())
            .with("count", 7_u32);
        assert_eq!(object.make_finite(), 3);
        let made = Object::default().with("a", [1.0, f32::MAX]).with("name", "n");
        let expected = Object::default()
            .with("x", 0.0_f32)
            .with("list", vec![Json::from(made), Json::from(f32::MIN)])
            .with("extras", inner)
            .with("count", 7_u32);
        assert_eq!(object, expected);
        assert_eq!(object.make_finite(), 0);
    }
}

//! Any JSON value, with objects in the order of the file: for `extras`, and for walking over a whole document.

use crate::json::{Json, Object};
use effigy_scene::{Extra, Extras};
use effigy_wire::{Label, Leaf, Visitor};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess};
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

struct ValueVisitor;

impl<'de> serde::de::Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = sequence.next_element()? {
            list.push(value);
        }
        Ok(Value::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = map.next_entry()? {
            object.push(entry);
        }
        Ok(Value::Object(object))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the scene holds single-precision numbers")]
pub(crate) fn narrow(value: f64) -> f32 {
    value as f32
}

impl Value {
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) const fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Object(entries) => entries.as_slice(),
            _ => &[],
        }
    }

    pub(crate) const fn list(&self) -> &[Self] {
        match self {
            Self::List(list) => list.as_slice(),
            _ => &[],
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) const fn truth(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            // Programs that know no truth values write 0 and 1.
            Self::Int(value) => Some(*value != 0),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<f32> {
        match self {
            Self::Int(value) => Some(narrow(*value as f64)),
            Self::Float(value) => Some(narrow(*value)),
            // What is not a finite number is written as null.
            Self::Null => Some(f32::NAN),
            _ => None,
        }
    }

    pub(crate) fn int(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            // Blender gives whole numbers of single precision back as numbers with a point.
            #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
            Self::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => Some(*value as i64),
            _ => None,
        }
    }

    pub(crate) fn unsigned(&self) -> Option<u32> {
        self.int().and_then(|value| u32::try_from(value).ok())
    }

    pub(crate) fn numbers(&self) -> Option<Vec<f32>> {
        match self {
            Self::List(list) => list.iter().map(Self::number).collect(),
            _ => None,
        }
    }

    pub(crate) fn vector<const N: usize>(&self) -> Option<[f32; N]> {
        self.numbers().and_then(|list| list.try_into().ok())
    }

    /// Gives the value to a visitor: objects as fields, lists by index, lists of numbers as one leaf.
    pub(crate) fn visit(&self, visitor: &mut dyn Visitor) {
        match self {
            Self::Null => visitor.leaf(Leaf::Text(b"null")),
            Self::Bool(value) => visitor.leaf(Leaf::Text(if *value { b"true" } else { b"false" })),
            Self::Int(value) => visitor.leaf(Leaf::Signed(*value)),
            Self::Float(value) => visitor.leaf(Leaf::Float(narrow(*value))),
            Self::Text(text) => visitor.leaf(Leaf::Text(text.as_bytes())),
            Self::List(list) => {
                let is_number = |value: &Self| matches!(value, Self::Int(_) | Self::Float(_));
                if list.len() > 1 && list.iter().all(is_number) {
                    let numbers: Vec<f32> = list.iter().filter_map(Self::number).collect();
                    let numbers = effigy_wire::Numbers::F32(&numbers);
                    visitor.leaf(Leaf::Many { numbers, width: 1 });
                    return;
                }
                for (index, value) in list.iter().enumerate() {
                    visitor.enter(Label::Index(index), None);
                    value.visit(visitor);
                    visitor.leave();
                }
            }
            Self::Object(entries) => {
                for (name, value) in entries {
                    visitor.enter(Label::Field(name), None);
                    value.visit(visitor);
                    visitor.leave();
                }
            }
        }
    }
}

impl From<&Value> for Extra {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Float(f32::NAN),
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Float(value) => Self::Float(narrow(*value)),
            Value::Text(text) => Self::Text(text.clone()),
            Value::List(list) => {
                let ints: Option<Vec<i64>> =
                    list.iter().map(|it| if let Value::Int(it) = it { Some(*it) } else { None }).collect();
                let number = |it: &Value| matches!(it, Value::Float(_) | Value::Null);
                match ints {
                    Some(ints) => Self::Ints(ints),
                    None if list.iter().all(number) => {
                        Self::Floats(list.iter().filter_map(Value::number).collect())
                    }
                    None => Self::List(list.iter().map(Self::from).collect()),
                }
            }
            Value::Object(entries) => {
                let mut extras = Extras::default();
                for (name, value) in entries {
                    extras.set(name, Self::from(value));
                }
                Self::Map(extras)
            }
        }
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Float(f32::NAN),
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Float(value) => Self::Float(narrow(*value)),
            Value::Text(text) => Self::Text(text.clone()),
            Value::List(list) => Self::List(list.iter().map(Self::from).collect()),
            Value::Object(entries) => Self::Object(Object(
                entries.iter().map(|(name, value)| (name.clone().into(), Self::from(value))).collect(),
            )),
        }
    }
}

//! Reading what `lower` put aside.

use effigy_scene::{Extra, Extras};

pub(in crate::raise) fn int(extras: &Extras, name: &str) -> Option<i64> {
    match extras.get(name)? {
        Extra::Int(number) => Some(*number),
        _ => None,
    }
}

/// A whole number that has to fit into 32 bits.
pub(in crate::raise) fn word(extras: &Extras, name: &str) -> Option<u32> {
    int(extras, name).and_then(|number| u32::try_from(number).ok())
}

pub(in crate::raise) fn float(extras: &Extras, name: &str) -> Option<f32> {
    match extras.get(name)? {
        Extra::Float(number) => Some(*number),
        _ => None,
    }
}

pub(in crate::raise) fn text<'a>(extras: &'a Extras, name: &str) -> Option<&'a str> {
    match extras.get(name)? {
        Extra::Text(text) => Some(text),
        _ => None,
    }
}

pub(in crate::raise) fn floats<'a>(extras: &'a Extras, name: &str) -> Option<&'a [f32]> {
    match extras.get(name)? {
        Extra::Floats(list) => Some(list),
        _ => None,
    }
}

pub(in crate::raise) fn ints<'a>(extras: &'a Extras, name: &str) -> Option<&'a [i64]> {
    match extras.get(name)? {
        Extra::Ints(list) => Some(list),
        _ => None,
    }
}

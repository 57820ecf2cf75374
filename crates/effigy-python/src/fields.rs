//! Every field of a model as dictionaries and lists, under the names that paths are made of; and values as the text that sets them.

use effigy::wire::{Label, Leaf, Numbers, Visitor};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::HashMap;
use std::fmt::Write;

/// A field of a model, or a part with fields.
pub enum Field {
    Int(i128),
    Float(f32),
    Text(String),
    /// Text that is not all of its field: the text, and all bytes in hexadecimal.
    Padded(String, String),
    Ints(Vec<i64>, usize),
    Floats(Vec<f32>, usize),
    /// Parts that are only numbered.
    List(Vec<Self>),
    /// Parts with names, which may repeat.
    Parts(Vec<(String, Self)>),
}

/// All fields of a model.
pub fn read(model: &effigy::Model) -> Field {
    let mut reader = Reader { open: vec![Open::default()] };
    model.visit(&mut reader);
    reader.open.pop().unwrap_or_default().close()
}

/// A part whose end was not reached yet.
#[derive(Default)]
struct Open {
    name: Option<String>,
    value: Option<Field>,
    parts: Vec<(Option<String>, Field)>,
}

impl Open {
    fn close(self) -> Field {
        if let Some(value) = self.value {
            return value;
        }
        if !self.parts.is_empty() && self.parts.iter().all(|(name, _)| name.is_none()) {
            return Field::List(self.parts.into_iter().map(|(_, part)| part).collect());
        }
        let named = |(index, (name, part)): (usize, (Option<String>, Field))| {
            (name.unwrap_or_else(|| format!("[{index}]")), part)
        };
        Field::Parts(self.parts.into_iter().enumerate().map(named).collect())
    }
}

struct Reader {
    open: Vec<Open>,
}

impl Visitor for Reader {
    fn enter(&mut self, label: Label<'_>, _offset: Option<usize>) {
        let name = match label {
            Label::Field(name) => Some(name.to_owned()),
            Label::Tag(tag) => Some(tag.to_string()),
            Label::Index(_) => None,
        };
        self.open.push(Open { name, ..Open::default() });
    }

    fn leaf(&mut self, leaf: Leaf<'_>) {
        if let Some(open) = self.open.last_mut() {
            open.value = Some(value(leaf));
        }
    }

    fn leave(&mut self) {
        let Some(mut closed) = self.open.pop() else { return };
        let name = closed.name.take();
        if let Some(open) = self.open.last_mut() {
            open.parts.push((name, closed.close()));
        }
    }
}

fn value(leaf: Leaf<'_>) -> Field {
    match leaf {
        Leaf::Unsigned(number) => Field::Int(number.into()),
        Leaf::Signed(number) => Field::Int(number.into()),
        Leaf::Float(number) => Field::Float(number),
        Leaf::Bits(bits) => Field::Int(bits.into()),
        Leaf::Tag(tag) => Field::Text(tag.to_string()),
        Leaf::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Field::Text(text.to_owned()),
            Err(_) => Field::Padded(String::from_utf8_lossy(text).into_owned(), hexadecimal(text)),
        },
        Leaf::Padded { text, field } => {
            Field::Padded(String::from_utf8_lossy(text).into_owned(), hexadecimal(field))
        }
        Leaf::Bytes(bytes) => Field::Text(hexadecimal(bytes)),
        Leaf::Many { numbers, width } => match numbers {
            Numbers::U8(list) => Field::Ints(list.iter().map(|one| (*one).into()).collect(), width),
            Numbers::U16(list) => Field::Ints(list.iter().map(|one| (*one).into()).collect(), width),
            Numbers::U32(list) => Field::Ints(list.iter().map(|one| (*one).into()).collect(), width),
            Numbers::I16(list) => Field::Ints(list.iter().map(|one| (*one).into()).collect(), width),
            Numbers::I32(list) => Field::Ints(list.iter().map(|one| (*one).into()).collect(), width),
            Numbers::F32(list) => Field::Floats(list.to_vec(), width),
        },
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Field {
    /// The field as plain Python values.
    pub fn give<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Int(number) => number.into_bound_py_any(py),
            Self::Float(number) => number.into_bound_py_any(py),
            Self::Text(text) => text.into_bound_py_any(py),
            Self::Padded(text, bytes) => {
                let both = PyDict::new(py);
                both.set_item("text", text)?;
                both.set_item("bytes", bytes)?;
                Ok(both.into_any())
            }
            Self::Ints(list, width) => numbers(py, list, *width),
            Self::Floats(list, width) => numbers(py, list, *width),
            Self::List(list) => {
                let list: Vec<_> = list.iter().map(|one| one.give(py)).collect::<PyResult<_>>()?;
                Ok(PyList::new(py, list)?.into_any())
            }
            Self::Parts(parts) => {
                let into = PyDict::new(py);
                let mut times: HashMap<&str, usize> = HashMap::new();
                for (name, part) in parts {
                    // The same chunk may come twice; it is called CHUNK#2 then.
                    let number = times.entry(name).or_default();
                    *number += 1;
                    let part = part.give(py)?;
                    match number {
                        1 => into.set_item(name, part)?,
                        number => into.set_item(format!("{name}#{number}"), part)?,
                    }
                }
                Ok(into.into_any())
            }
        }
    }
}

fn numbers<'py, T: Copy + IntoPyObject<'py>>(
    py: Python<'py>,
    list: &[T],
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if width <= 1 {
        return Ok(PyList::new(py, list.iter().copied())?.into_any());
    }
    let rows: Vec<_> =
        list.chunks(width).map(|row| PyList::new(py, row.iter().copied())).collect::<PyResult<_>>()?;
    Ok(PyList::new(py, rows)?.into_any())
}

/// A Python value as the text that the library's operation `set` takes.
pub fn text_of(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return text.extract();
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(u8::from(truth.is_true()).to_string());
    }
    if value.cast::<PyInt>().is_ok() || value.cast::<PyFloat>().is_ok() {
        return Ok(match value.str()?.to_string().as_str() {
            "nan" => "NaN".to_owned(),
            other => other.to_owned(),
        });
    }
    if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
        let list: Vec<String> = value.try_iter()?.map(|one| text_of(&one?)).collect::<PyResult<_>>()?;
        return Ok(format!("[{}]", list.join(",")));
    }
    // Arrays and numbers of NumPy.
    if let Ok(plain) = value.call_method0("tolist") {
        return text_of(&plain);
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("a field is a number, a text or a list, and not {kind}")))
}

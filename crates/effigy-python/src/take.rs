//! From the dataclasses of the package to the library's types: the way back of [`crate::give`].
//!
//! Anything with the right attributes will do, and any sequence of numbers for an array: a program may build a scene of its own.

use effigy::scene::{Animated, Arena, Id, Influence, Rotation, Track};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A type that can be made from a Python object.
pub trait Take: Sized {
    /// The value.
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self>;
}

/// The value of an attribute.
pub fn field<T: Take>(from: &Bound<'_, PyAny>, name: &str) -> PyResult<T> {
    T::take(&from.getattr(name)?).map_err(|error| within(from.py(), &error, name))
}

/// The same error with the place where it happened before its text.
fn within(py: Python<'_>, error: &PyErr, place: &str) -> PyErr {
    let text = error.value(py).to_string();
    // Places follow each other as in an expression: meshes[3].material.
    let dot = if text.starts_with('[') { "" } else { "." };
    let text = if text.contains(": ") { format!("{place}{dot}{text}") } else { format!("{place}: {text}") };
    PyTypeError::new_err(text)
}

/// Every element of a sequence.
pub fn list<T: Take>(from: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let one = |(at, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        T::take(&item?).map_err(|error| within(from.py(), &error, &format!("[{at}]")))
    };
    from.try_iter()?.enumerate().map(one).collect()
}

/// Declares which types are taken field by field. The names of the fields are those of [`crate::give::records`].
macro_rules! taken {
    ($($type:ty { $($field:ident $(as $name:ident)?),* $(,)? })*) => { $(
        impl $crate::take::Take for $type {
            fn take(from: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                Ok(Self { $($field: $crate::take::field(from, $crate::give::field_name!($field $($name)?))?),* })
            }
        }
    )* };
}
pub(crate) use taken;

macro_rules! plain {
    ($($type:ty),*) => { $(
        impl Take for $type {
            fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
                from.extract()
            }
        }
    )* };
}
plain!(bool, u8, u16, u32, i32, i64, f32, String);

impl<T: Take> Take for Option<T> {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        if from.is_none() { Ok(None) } else { T::take(from).map(Some) }
    }
}

impl<T: Take, const N: usize> Take for [T; N] {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        let list: Vec<T> = list(from)?;
        let found = list.len();
        list.try_into().map_err(|_| PyValueError::new_err(format!("{found} values instead of {N}")))
    }
}

impl<T> Take for Id<T> {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        u32::take(from).map(Self::new)
    }
}

impl<T: Take> Take for Arena<T> {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(list(from)?.into_iter().collect())
    }
}

impl Take for Rotation {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        Take::take(from).map(Self)
    }
}

impl<T: Take> Take for Animated<T>
where
    Vec<T>: Take,
    Vec<[T; 2]>: Take,
{
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { base: field(from, "base")?, track: field(from, "track")? })
    }
}

impl<T: Take> Take for Track<T>
where
    Vec<T>: Take,
    Vec<[T; 2]>: Take,
{
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            interpolation: field(from, "interpolation")?,
            global: field(from, "global_sequence")?,
            times: field(from, "times")?,
            fractions: field(from, "fractions")?,
            values: field(from, "values")?,
            tangents: field(from, "tangents")?,
            windows: field(from, "windows")?,
            default: field(from, "default")?,
        })
    }
}

/// A type of numbers that NumPy and the library have.
trait Number: pyo3::buffer::Element {
    const NAME: &'static str;
}

impl Number for f32 {
    const NAME: &'static str = "float32";
}
impl Number for i32 {
    const NAME: &'static str = "int32";
}
impl Number for u32 {
    const NAME: &'static str = "uint32";
}

/// The rows of an array of this shape behind the first axis, each as its `W` numbers.
fn rows<N: Number, const W: usize>(from: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<[N; W]>> {
    static CONTIGUOUS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = from.py();
    let array = CONTIGUOUS.import(py, "numpy", "ascontiguousarray")?.call1((from, N::NAME))?;
    let found: Vec<usize> = array.getattr("shape")?.extract()?;
    let fits = found.split_first().is_some_and(|(count, rest)| *count == 0 || rest == shape);
    if !fits {
        return Err(PyValueError::new_err(format!(
            "an array of the shape {found:?} instead of n, {shape:?}"
        )));
    }
    Ok(PyBuffer::<N>::get(&array)?.to_vec(py)?.as_chunks::<W>().0.to_vec())
}

/// Declares how an element of an array is made from its numbers.
macro_rules! arrays {
    ($($element:ty: [$number:ty; $width:literal], $shape:expr, $make:expr;)*) => { $(
        impl Take for Vec<$element> {
            fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(rows::<$number, $width>(from, &$shape)?.into_iter().map($make).collect())
            }
        }
    )* };
}

arrays! {
    f32: [f32; 1], [], |[value]| value;
    [f32; 2]: [f32; 2], [2], |row| row;
    [f32; 3]: [f32; 3], [3], |row| row;
    [f32; 4]: [f32; 4], [4], |row| row;
    [[f32; 3]; 2]: [f32; 6], [2, 3], |[a, b, c, d, e, f]| [[a, b, c], [d, e, f]];
    Rotation: [f32; 4], [4], Rotation;
    [Rotation; 2]: [f32; 8], [2, 4], |[a, b, c, d, e, f, g, h]| [Rotation([a, b, c, d]), Rotation([e, f, g, h])];
    i32: [i32; 1], [], |[value]| value;
    u32: [u32; 1], [], |[value]| value;
    [u32; 2]: [u32; 2], [2], |row| row;
}

/// An array with the fields `node` and `weight`.
impl Take for Vec<Influence> {
    fn take(from: &Bound<'_, PyAny>) -> PyResult<Self> {
        let nodes: Vec<u32> = Take::take(&from.get_item("node")?)?;
        let weights: Vec<f32> = Take::take(&from.get_item("weight")?)?;
        let pairs = nodes.into_iter().zip(weights);
        Ok(pairs.map(|(node, weight)| Influence { node: Id::new(node), weight }).collect())
    }
}

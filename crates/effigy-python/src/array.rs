//! Lists of the library as NumPy arrays, without copying them.

use crate::give::{Give, Giver};
use effigy::scene::{Influence, Rotation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use std::any::Any;
use std::sync::Arc;

/// Something that owns lists and never changes them, so that their addresses stay valid as long as it lives.
pub type Keeper = Arc<dyn Any + Send + Sync>;

/// Memory of the library that NumPy can look at. An array that was made from it keeps it alive.
#[pyclass(frozen, module = "pyeffigy._pyeffigy")]
pub struct Buffer {
    /// Keeps the list where it is. It is never read: the address points into it.
    _keeper: Keeper,
    address: usize,
    shape: Vec<usize>,
    dtype: Dtype,
}

/// What a list consists of.
#[derive(Clone, Copy)]
pub enum Dtype {
    /// Numbers of one type, as NumPy writes it.
    Plain(&'static str),
    /// A node and its weight.
    Influence,
}

impl Dtype {
    fn describe<'py>(self, into: &Bound<'py, PyDict>) -> PyResult<()> {
        match self {
            Self::Plain(name) => into.set_item("typestr", name),
            Self::Influence => {
                into.set_item("typestr", "|V8")?;
                into.set_item("descr", vec![("node", NATIVE_U32), ("weight", NATIVE_F32)])
            }
        }
    }
}

const NATIVE_F32: &str = if cfg!(target_endian = "big") { ">f4" } else { "<f4" };
const NATIVE_I32: &str = if cfg!(target_endian = "big") { ">i4" } else { "<i4" };
const NATIVE_U32: &str = if cfg!(target_endian = "big") { ">u4" } else { "<u4" };

#[pymethods]
impl Buffer {
    /// Where the memory is and what is in it, as NumPy's array interface describes it. It is read only.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        interface(py, self.address, &self.shape, self.dtype)
    }
}

/// A dictionary of NumPy's array interface, version 3.
pub fn interface<'py>(
    py: Python<'py>,
    address: usize,
    shape: &[usize],
    dtype: Dtype,
) -> PyResult<Bound<'py, PyDict>> {
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    dtype.describe(&interface)?;
    interface.set_item("data", (address, true))?;
    Ok(interface)
}

/// What a list may consist of, so that NumPy understands its memory.
pub trait Element: 'static {
    /// The numbers.
    const DTYPE: Dtype;
    /// How many of them there are in one element, along each further axis.
    const SHAPE: &'static [usize];
}

macro_rules! elements {
    ($($element:ty = $dtype:expr, $shape:expr;)*) => { $(
        impl Element for $element {
            const DTYPE: Dtype = $dtype;
            const SHAPE: &'static [usize] = &$shape;
        }
    )* };
}

elements! {
    u8 = Dtype::Plain("|u1"), [];
    f32 = Dtype::Plain(NATIVE_F32), [];
    [f32; 2] = Dtype::Plain(NATIVE_F32), [2];
    [f32; 3] = Dtype::Plain(NATIVE_F32), [3];
    [f32; 4] = Dtype::Plain(NATIVE_F32), [4];
    [[f32; 3]; 2] = Dtype::Plain(NATIVE_F32), [2, 3];
    [[f32; 4]; 4] = Dtype::Plain(NATIVE_F32), [4, 4];
    Rotation = Dtype::Plain(NATIVE_F32), [4];
    [Rotation; 2] = Dtype::Plain(NATIVE_F32), [2, 4];
    i32 = Dtype::Plain(NATIVE_I32), [];
    u32 = Dtype::Plain(NATIVE_U32), [];
    [u32; 2] = Dtype::Plain(NATIVE_U32), [2];
    Influence = Dtype::Influence, [];
}

// The memory of these is described above number by number.
const _: () = assert!(size_of::<Rotation>() == 16 && size_of::<Influence>() == 8);

/// A list that `keeper` owns as a NumPy array of this shape.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    list: &[T],
    shape: Vec<usize>,
    keeper: &Keeper,
) -> PyResult<Bound<'py, PyAny>> {
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    // NumPy believes the shape: one that is larger than the list would show memory of somebody else.
    let numbers = list.len() * T::SHAPE.iter().product::<usize>();
    if shape.iter().product::<usize>() != numbers {
        return Err(PyValueError::new_err(format!("{numbers} numbers do not have the shape {shape:?}")));
    }
    let buffer =
        Buffer { _keeper: Arc::clone(keeper), address: list.as_ptr().addr(), shape, dtype: T::DTYPE };
    AS_ARRAY.import(py, "numpy", "asarray")?.call1((Bound::new(py, buffer)?,))
}

/// Lists of the object that is given are arrays in its memory.
impl<T: Element> Give for Vec<T> {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape: Vec<usize> = std::iter::once(self.len()).chain(T::SHAPE.iter().copied()).collect();
        array(to.py, self, shape, &to.keeper)
    }
}

//! From the library's types to the dataclasses of the package.

use crate::array::Keeper;
use effigy::scene::{Animated, Arena, Id};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::borrow::Cow;

/// Makes Python objects.
pub struct Giver<'py> {
    pub py: Python<'py>,
    /// The owner of all lists that become arrays.
    pub keeper: Keeper,
}

impl<'py> Giver<'py> {
    /// For values without lists.
    pub fn plain(py: Python<'py>) -> Self {
        Self { py, keeper: std::sync::Arc::new(()) }
    }

    /// For values whose lists this owner has.
    pub fn of(py: Python<'py>, keeper: Keeper) -> Self {
        Self { py, keeper }
    }
}

/// A type that Python has too.
pub trait Give {
    /// The Python object.
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>>;
}

/// A dataclass of the package.
pub struct Class {
    module: &'static str,
    name: &'static str,
    fields: &'static [&'static str],
    cell: PyOnceLock<Py<PyAny>>,
}

impl Class {
    pub const fn new(module: &'static str, name: &'static str, fields: &'static [&'static str]) -> Self {
        Self { module, name, fields, cell: PyOnceLock::new() }
    }

    /// An instance with these values, in the order of the fields.
    pub fn make<'py, const N: usize>(
        &self,
        py: Python<'py>,
        values: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.cell.get_or_try_init(py, || self.find(py))?;
        class.bind(py).call1(PyTuple::new(py, values)?)
    }

    /// Imports the class. The values are given by position, so its fields have to be those that are written here.
    fn find(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let class = py.import(self.module)?.getattr(self.name)?;
        let fields: Vec<String> = class.getattr("__match_args__")?.extract()?;
        if fields != self.fields {
            let (module, name) = (self.module, self.name);
            let text = format!("{module}.{name} has the fields {fields:?} instead of {:?}", self.fields);
            return Err(PyImportError::new_err(text));
        }
        Ok(class.unbind())
    }
}

/// Declares which fields of a type its dataclass has, in order. `global as global_sequence` gives a field another name. With
/// `both ways` the type can also be made from its dataclass.
macro_rules! records {
    (in $module:literal, both ways; $($type:ty => $class:literal { $($fields:tt)* })*) => {
        $crate::give::records! { in $module; $($type => $class { $($fields)* })* }
        $crate::take::taken! { $($type { $($fields)* })* }
    };
    (in $module:literal; $($type:ty => $class:literal { $($field:ident $(as $name:ident)?),* $(,)? })*) => { $(
        impl $crate::give::Give for $type {
            fn give<'py>(&self, to: &$crate::give::Giver<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                static CLASS: $crate::give::Class = $crate::give::Class::new(
                    concat!("pyeffigy.", $module), $class, &[$($crate::give::field_name!($field $($name)?)),*],
                );
                CLASS.make(to.py, [$($crate::give::Give::give(&self.$field, to)?),*])
            }
        }
    )* };
}
pub(crate) use records;

macro_rules! field_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:ident) => {
        stringify!($name)
    };
}
pub(crate) use field_name;

/// Declares the word for each variant of an enumeration. A new variant does not compile until it has one.
macro_rules! words {
    ($($type:ident { $($variant:ident = $word:literal),* $(,)? })*) => { $(
        impl $crate::give::Give for $type {
            fn give<'py>(&self, to: &$crate::give::Giver<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let word = match self { $(Self::$variant => $word),* };
                Ok(pyo3::types::PyString::intern(to.py, word).into_any())
            }
        }

        impl $crate::take::Take for $type {
            fn take(from: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                let word: String = from.extract()?;
                match word.as_str() {
                    $($word => Ok(Self::$variant),)*
                    _ => {
                        let known = [$($word),*].join(", ");
                        Err(pyo3::exceptions::PyValueError::new_err(format!("'{word}' is none of {known}")))
                    }
                }
            }
        }
    )* };
}
pub(crate) use words;

/// Declares types whose lists are tuples. With `both ways` the lists can also be made from tuples.
macro_rules! tuples {
    (both ways; $($type:ty),* $(,)?) => {
        $crate::give::tuples!($($type),*);
        $(impl $crate::take::Take for Vec<$type> {
            fn take(from: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                $crate::take::list(from)
            }
        })*
    };
    ($($type:ty),* $(,)?) => { $(
        impl $crate::give::Give for Vec<$type> {
            fn give<'py>(&self, to: &$crate::give::Giver<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                $crate::give::tuple(self, to)
            }
        }
    )* };
}
pub(crate) use tuples;

/// A list as a tuple.
pub fn tuple<'py, T: Give>(list: &[T], to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
    let list: Vec<Bound<'py, PyAny>> = list.iter().map(|one| one.give(to)).collect::<PyResult<_>>()?;
    Ok(PyTuple::new(to.py, list)?.into_any())
}

macro_rules! plain {
    ($($type:ty),*) => { $(
        impl Give for $type {
            fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.into_bound_py_any(to.py)
            }
        }
    )* };
}
plain!(bool, u8, u16, u32, u64, usize, i32, i64, f32, f64, String, (usize, usize), Cow<'_, str>);

impl Give for &str {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.into_bound_py_any(to.py)
    }
}

impl<T: Give> Give for Option<T> {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.as_ref().map_or_else(|| Ok(to.py.None().into_bound(to.py)), |value| value.give(to))
    }
}

impl<T: Give, const N: usize> Give for [T; N] {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        tuple(self, to)
    }
}

impl<T> Give for Id<T> {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.index().give(to)
    }
}

impl<T: Give> Give for Arena<T> {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        tuple(self.as_slice(), to)
    }
}

impl<T: Give> Give for Animated<T>
where
    effigy::scene::Track<T>: Give,
{
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: Class = Class::new("pyeffigy.scene", "Animated", &["base", "track"]);
        CLASS.make(to.py, [self.base.give(to)?, self.track.give(to)?])
    }
}

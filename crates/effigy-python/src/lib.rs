//! The native part of the Python package `pyeffigy`. It stands on the facade `effigy` alone, as the command does.
//!
//! - [`model`], [`image`] and [`assets`] are the classes that work; they let go of the interpreter while the library works.
//! - What they return is plain data: the dataclasses of `python/pyeffigy`, made by [`give`] from the library's own types, which
//!   [`scene`] and [`summary`] list field by field.
//! - [`take`] is the way back, for scenes that a program has built or changed.
//! - [`catalog`] makes rows about models for tables.
//! - [`array`] lets NumPy look at the library's lists where they are, without copying them.
//! - [`errors`] turns the library's errors into exceptions.

mod array;
mod assets;
mod catalog;
mod convert;
mod errors;
mod fields;
mod give;
mod image;
mod model;
mod opening;
mod pickle;
mod pose;
mod render;
mod scene;
mod summary;
mod take;

use pyo3::prelude::*;

/// The native part of pyeffigy. Use the package `pyeffigy`, which exports everything that is public.
#[pymodule(gil_used = false)]
mod _pyeffigy {
    #[pymodule_export]
    use super::array::Buffer;
    #[pymodule_export]
    use super::assets::{Archive, Assets};
    #[pymodule_export]
    use super::catalog::{CatalogRows, catalog, catalog_columns, catalog_row};
    #[pymodule_export]
    use super::convert::make;
    #[pymodule_export]
    use super::image::{Image, read_texture};
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::opening::{find, open};
    #[pymodule_export]
    use super::pickle::{restore_image, restore_model};
}

//! Rows about models: the same as those of `effigy catalog`, as dictionaries.

use crate::assets;
use crate::errors::{OrRaise, exception};
use crate::give::{Class, Give, Giver, tuple, words};
use crate::opening::Opening;
use effigy::catalog::{COLUMNS, CatalogOptions, Cell, Column, Field, Row, Scalar, Type, in_order};
use effigy::config::Configs;
use effigy::{Error, Finder, Format, Input, Kind, Shard, Wanted};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sides that a picture may have, as in the command.
const PIXELS: std::ops::RangeInclusive<u32> = 16..=1024;

/// The rows of `pyeffigy.catalog`, in the order of their paths. `len` is the number of all rows.
///
/// A row is made when it is asked for, without the interpreter's lock; several threads may take rows from the same object.
#[pyclass(frozen, module = "pyeffigy")]
pub struct CatalogRows {
    inputs: Vec<Input>,
    options: CatalogOptions,
    next: AtomicUsize,
}

#[pymethods]
impl CatalogRows {
    fn __len__(&self) -> usize {
        self.inputs.len()
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let input = self.inputs.get(self.next.fetch_add(1, Ordering::Relaxed));
        input.map(|input| row_dict(py, &py.detach(|| row(input, &self.options)))).transpose()
    }
}

/// One row for each model in these files, folders, archives and patterns, each once, in the order of their paths.
///
/// A row is a dictionary with the columns of `catalog_columns`: what a line of `effigy catalog` in NDJSON says of the file. Only
/// pictures differ, which are bytes here. A file that does not open has a row with its `error`. `assets` are the game's files, in
/// which textures are looked for. `format` takes the files for this format whatever their content says. `shard` is (I, N): only
/// part I of N, from 0. `thumbnails` is the width and height of a picture in each row.
#[pyfunction]
#[pyo3(signature = (*paths, assets=None, format=None, shard=None, thumbnails=None))]
pub fn catalog(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    assets: Option<&Bound<'_, PyAny>>,
    format: Option<String>,
    shard: Option<(u64, u64)>,
    thumbnails: Option<u32>,
) -> PyResult<CatalogRows> {
    let mut options = options(py, assets, format, thumbnails)?;
    if thumbnails.is_some() {
        // Without a graphics driver every row would say so.
        py.detach(effigy::Renderer::shared).or_raise(py, "")?;
    }
    let shard = match shard {
        None => None,
        Some((index, count)) => Some(Shard::new(index, count).ok_or_else(|| {
            let text = format!("shard: there is no part {index} of {count}; parts are (0, N) to (N - 1, N)");
            usage(py, text)
        })?),
    };
    let found = py.detach(|| {
        let mut finder = finder(&options);
        finder.shard = shard;
        paths.iter().for_each(|path| finder.add(path));
        let mut inputs = finder.inputs;
        in_order(&mut inputs);
        Configs::load(inputs.iter().filter_map(Input::path)).map(|configs| (inputs, configs))
    });
    let (inputs, configs) = found.map_err(|text| usage(py, text))?;
    options.configs = configs;
    Ok(CatalogRows { inputs, options, next: AtomicUsize::new(0) })
}

/// The row of one file, which may be in an archive (`map.w3x:units/footman.mdx`); `find` lists them.
///
/// It is the row that `catalog` has for this file. Whatever is wrong with the file is in the columns `error` and `error_kind`; only
/// wrong arguments raise an exception. `failed` is for programs that could not have the row made, because the process ended each
/// time for example: the row then has this text as its error, and the file is not touched.
#[pyfunction]
#[pyo3(signature = (path, *, assets=None, format=None, thumbnails=None, failed=None))]
pub fn catalog_row<'py>(
    py: Python<'py>,
    path: PathBuf,
    assets: Option<&Bound<'py, PyAny>>,
    format: Option<String>,
    thumbnails: Option<u32>,
    failed: Option<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut options = options(py, assets, format, thumbnails)?;
    let row = py.detach(|| {
        if let Some(text) = failed {
            let error = Error::new(Kind::Unsupported, text);
            let input = Input::problem(path.display().to_string(), error.clone());
            return Row::failed(&input, &error, &options);
        }
        let input = single(&path, &options);
        match Configs::load(input.path()) {
            Ok(configs) => {
                options.configs = configs;
                row(&input, &options)
            }
            Err(text) => Row::failed(&input, &Error::new(Kind::Usage, text), &options),
        }
    });
    row_dict(py, &row)
}

/// The columns of a catalogue, in order, with their types: what schemas of tables are made of.
#[pyfunction]
pub fn catalog_columns(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    tuple(COLUMNS, &Giver::plain(py))
}

fn usage(py: Python<'_>, text: String) -> PyErr {
    exception(py, &Error::new(Kind::Usage, text), "")
}

/// How rows are made. The words for the choices are those of the command, so that the column `effigy` is the same.
fn options(
    py: Python<'_>,
    assets: Option<&Bound<'_, PyAny>>,
    format: Option<String>,
    thumbnails: Option<u32>,
) -> PyResult<CatalogOptions> {
    if let Some(size) = thumbnails.filter(|size| !PIXELS.contains(size)) {
        let (least, most) = PIXELS.into_inner();
        return Err(usage(py, format!("thumbnails: {size} pixels, but {least} to {most} are possible")));
    }
    let opening = Opening { assets: assets.map(assets::of).transpose()?, format, ..Opening::default() };
    let open = opening.options(py)?;
    let words = [
        open.format.map(|format: Format| format!("from {}", format.name())),
        opening.assets.map(|assets| format!("assets {:?}", assets.get().places())),
        thumbnails.map(|size| format!("thumbnails {size}")),
    ];
    let choices = words.into_iter().flatten().collect::<Vec<_>>().join("\n");
    Ok(CatalogOptions { open, configs: Configs::default(), thumbnail: thumbnails, choices })
}

fn finder(options: &CatalogOptions) -> Finder {
    let mut finder = Finder::new(options.open.limits);
    (finder.wanted, finder.format) = (Wanted::Scenes, options.open.format);
    finder
}

/// The one input of this name, as `catalog` finds it.
fn single(path: &Path, options: &CatalogOptions) -> Input {
    let mut finder = finder(options);
    finder.add(path);
    let (name, count) = (path.display().to_string(), finder.inputs.len());
    // An archive with too much in it has a row of its own name after those of its models.
    match finder.inputs.iter().position(|input| count == 1 || input.name == name) {
        Some(at) => finder.inputs.swap_remove(at),
        None => {
            let text = format!("this stands for {count} models, and one is needed; `catalog` takes it");
            Input::problem(name, Error::new(Kind::Usage, text))
        }
    }
}

/// The row of a file. A bug of the library costs this row only, as in the command.
fn row(input: &Input, options: &CatalogOptions) -> Row {
    catch_unwind(AssertUnwindSafe(|| Row::new(input, options))).unwrap_or_else(|panic| {
        let text = format!("this is a bug in effigy, not in the file: {}", message(&*panic));
        Row::failed(input, &Error::new(Kind::Unsupported, text), options)
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

fn row_dict<'py>(py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (column, cell) in COLUMNS.iter().zip(row.cells()) {
        dict.set_item(PyString::intern(py, column.name), value(py, cell, column.kind)?)?;
    }
    Ok(dict)
}

fn value<'py>(py: Python<'py>, cell: &Cell, kind: Type) -> PyResult<Bound<'py, PyAny>> {
    match (cell, kind) {
        (Cell::Text(text), _) => text.into_bound_py_any(py),
        (Cell::Int(number), _) => number.into_bound_py_any(py),
        // A line of NDJSON has the shortest digits that give the 32 bits back, and Python reads them with 64 bits. There may be two such
        // texts, so it has to be the one that is written there.
        (Cell::Float(number), kind) => {
            cell.to_json(kind).parse().unwrap_or_else(|_| f64::from(*number)).into_bound_py_any(py)
        }
        (Cell::Double(number), _) => number.into_bound_py_any(py),
        (Cell::Bool(value), _) => value.into_bound_py_any(py),
        (Cell::Bytes(bytes), _) => Ok(PyBytes::new(py, bytes).into_any()),
        (Cell::List(list), kind) => {
            let list: Vec<_> = list.iter().map(|cell| value(py, cell, kind)).collect::<PyResult<_>>()?;
            Ok(PyList::new(py, list)?.into_any())
        }
        (Cell::Record(cells), Type::Records(fields)) => {
            let dict = PyDict::new(py);
            for (field, cell) in fields.iter().zip(cells) {
                let value = value(py, cell, Type::Scalar(field.kind))?;
                dict.set_item(PyString::intern(py, field.name), value)?;
            }
            Ok(dict.into_any())
        }
        (Cell::Null | Cell::Record(_), _) => Ok(py.None().into_bound(py)),
    }
}

words! {
    Scalar { Text = "text", Int = "int", Float = "float", Double = "double", Bool = "bool", Bytes = "bytes" }
}

static COLUMN: Class =
    Class::new("pyeffigy.results", "Column", &["name", "kind", "optional", "about", "fields"]);

impl Give for Column {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (kind, fields) = match self.kind {
            Type::Scalar(kind) => (kind.give(to)?, &[][..]),
            Type::Texts => ("texts".give(to)?, &[][..]),
            Type::Records(fields) => ("records".give(to)?, fields),
        };
        let fields = tuple(fields, to)?;
        let values = [self.name.give(to)?, kind, self.optional.give(to)?, self.about.give(to)?, fields];
        COLUMN.make(to.py, values)
    }
}

impl Give for Field {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Self { name, kind, optional } = self;
        let fields = tuple::<Self>(&[], to)?;
        COLUMN.make(to.py, [name.give(to)?, kind.give(to)?, optional.give(to)?, "".give(to)?, fields])
    }
}

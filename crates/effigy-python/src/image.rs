//! Images: textures that were read, and pictures of models.

use crate::array::{Dtype, array, interface};
use crate::errors::OrRaise;
use crate::give::{Give, Giver};
use crate::opening::{Given, given};
use effigy::assets::FileRef;
use effigy::image::{Encoding, png};
use effigy::{Error, Limits, Report};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// An image: red, green, blue and alpha, 8 bits each. `numpy.asarray` of it is the pixels, without a copy, and notebooks show it.
#[pyclass(frozen, module = "pyeffigy")]
pub struct Image {
    pub image: Arc<effigy::image::Image>,
    /// Textures that a picture of a model lacks.
    pub missing: Vec<String>,
    pub report: Report,
}

impl From<effigy::image::Image> for Image {
    fn from(image: effigy::image::Image) -> Self {
        Self { image: Arc::new(image), missing: Vec::new(), report: Report::default() }
    }
}

impl Image {
    fn shape(&self, level: usize) -> Vec<usize> {
        let (width, height) = self.image.level_size(level);
        [height, width, 4].into_iter().map(|side| usize::try_from(side).unwrap_or(0)).collect()
    }

    fn encoding(name: &str) -> effigy::Result<Encoding> {
        name.parse()
    }
}

#[pymethods]
impl Image {
    /// Width in pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.image.width
    }

    /// Height in pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.image.height
    }

    /// How many mip levels there are, the image itself among them.
    #[getter]
    fn levels(&self) -> usize {
        self.image.levels.len()
    }

    /// How the file stores it, such as `BLP1 JPEG, 8-bit alpha`.
    #[getter]
    fn stored(&self) -> &str {
        &self.image.stored
    }

    /// Whether the file stores alpha.
    #[getter]
    fn has_alpha(&self) -> bool {
        self.image.has_alpha
    }

    /// For a picture of a model: the textures that were not found. Stand-ins are shown.
    #[getter]
    fn missing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.missing)
    }

    /// For a picture of a model: what is shown differently from what the model asks for.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.report.give(&Giver::plain(py))
    }

    /// The pixels: height, width, 4. The array looks at the memory of the image and is read only.
    #[getter]
    fn pixels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.level(py, 0)
    }

    /// The pixels of a mip level; 0 is the image itself.
    fn level<'py>(&self, py: Python<'py>, level: usize) -> PyResult<Bound<'py, PyAny>> {
        let Some(pixels) = self.image.levels.get(level) else {
            return Err(PyIndexError::new_err(format!("there are {} levels", self.image.levels.len())));
        };
        let keeper: crate::array::Keeper = Arc::<effigy::image::Image>::clone(&self.image);
        array(py, pixels, self.shape(level), &keeper)
    }

    /// The pixels, as NumPy's array interface describes them.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (pixels, shape) = (self.image.pixels(), self.shape(0));
        if pixels.len() != shape.iter().product::<usize>() {
            return Err(PyValueError::new_err("the image has fewer pixels than it says"));
        }
        interface(py, pixels.as_ptr().addr(), &shape, Dtype::Plain("|u1"))
    }

    /// The bytes of an image file: `png`, `jpeg`, `tga`, `blp1-jpeg`, `dds` and the others that the documentation lists.
    #[pyo3(signature = (encoding="png"))]
    fn encode<'py>(&self, py: Python<'py>, encoding: &str) -> PyResult<Bound<'py, PyBytes>> {
        let encoded = py.detach(|| {
            let encoding = Self::encoding(encoding)?;
            effigy::Converted::from_image((*self.image).clone(), encoding)?.into_bytes()
        });
        Ok(PyBytes::new(py, &encoded.or_raise(py, "")?))
    }

    /// Writes an image file. The extension chooses the encoding, unless one is named.
    #[pyo3(signature = (path, *, encoding=None))]
    fn save(&self, py: Python<'_>, path: PathBuf, encoding: Option<&str>) -> PyResult<()> {
        let saved = py.detach(|| {
            let encoding = match encoding {
                Some(name) => Self::encoding(name)?,
                None => Encoding::by_extension(&path.to_string_lossy())
                    .ok_or_else(|| Error::usage("the extension is not that of an image"))?,
            };
            effigy::Converted::from_image((*self.image).clone(), encoding)?.save(&path)
        });
        saved.map(drop).or_raise(py, &path.display().to_string())
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let Self { image, .. } = self;
        let bytes = py.detach(|| png::write(image, png::Compression::Fast));
        Ok(PyBytes::new(py, &bytes.or_raise(py, "")?))
    }

    fn __repr__(&self) -> String {
        let effigy::image::Image { width, height, stored, .. } = &*self.image;
        let stored = if stored.is_empty() { String::new() } else { format!(", {stored}") };
        format!("<Image {width} x {height}{stored}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        crate::pickle::reduce_image(slf.py(), slf.get())
    }
}

/// Reads a texture: BLP, DDS, TGA, PNG or JPEG. The path may lead into an archive.
#[pyfunction]
pub fn read_texture(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Image> {
    let limits = Limits::DEFAULT;
    match given(source)? {
        Given::Bytes(bytes) => {
            py.detach(|| effigy::image::read_with(&bytes, &limits)).map(Image::from).or_raise(py, "")
        }
        Given::Path(path) => {
            let image = py.detach(|| {
                let file = FileRef::locate(&path, &limits)?;
                let bytes = file.read(&limits)?;
                effigy::image::read_beside(&bytes, &limits, &mut |extension| {
                    let name = effigy::assets::name::with_extension(&file.file_name(), extension);
                    file.beside(&name, &limits)
                })
            });
            image.map(Image::from).or_raise(py, &path.display().to_string())
        }
    }
}

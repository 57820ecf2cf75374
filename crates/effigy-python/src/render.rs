//! Pictures.

use crate::image::Image;
use crate::model::State;
use effigy::pictures::{Shot, Size};
use effigy::{Error, Picture};
use pyo3::prelude::*;

/// The options of a picture, as the command writes them.
pub struct Words {
    pub size: Option<String>,
    pub sequence: Option<String>,
    pub time: Option<String>,
    pub camera: Option<String>,
    pub background: Option<String>,
    pub team_color: Option<String>,
    pub overlays: Option<String>,
}

/// A number or a text.
pub fn word(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(value.str()?.to_string())
}

/// A number of pixels, or width and height.
pub fn size(size: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let Some(size) = size else { return Ok(None) };
    match size.extract::<(u32, u32)>() {
        Ok((width, height)) => Ok(Some(format!("{width}x{height}"))),
        Err(_) => size.extract::<u32>().map(|side| Some(side.to_string())),
    }
}

/// The name of a camera, or a pair of eye and target.
pub fn camera(camera: &Bound<'_, PyAny>) -> PyResult<String> {
    match camera.extract::<([f32; 3], [f32; 3])>() {
        Ok(([a, b, c], [x, y, z])) => Ok(format!("{a},{b},{c}:{x},{y},{z}")),
        Err(_) => camera.extract(),
    }
}

/// Draws a model.
pub fn render(state: &State, words: &Words, lod: u32, shadow: bool, sheet: bool) -> effigy::Result<Image> {
    let mut picture = Picture { lod, shadow, animation: words.sequence.clone(), ..Picture::default() };
    if let Some(size) = &words.size {
        let Size(sides) = size.parse()?;
        picture.size = sides;
    }
    if let Some(time) = &words.time {
        picture.time = Some(time.parse()?);
    }
    if let Some(camera) = &words.camera {
        let Ok(viewpoint) = camera.parse();
        picture.camera = viewpoint;
    }
    if let Some(background) = &words.background {
        picture.background = background.parse()?;
    }
    if let Some(color) = &words.team_color {
        picture.team_color = color.parse()?;
    }
    if let Some(overlays) = &words.overlays {
        picture.overlays = overlays.parse()?;
    }
    if sheet {
        picture.shot = Shot::Sheet;
    }
    let shots = state.model.render(&picture)?.into_shots();
    let drawn = shots.pictures.into_iter().next();
    let drawn = drawn.ok_or_else(|| Error::unsupported("nothing was drawn"))?;
    Ok(Image { missing: shots.missing, report: shots.report, ..Image::from(drawn) })
}

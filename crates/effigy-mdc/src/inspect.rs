//! Problems in a model whose parts are complete: wrong indices and numbers that are not finite.

use crate::{Format, Model, Surface, Tags, codes};
use effigy_wire::{Code, Diagnostic, Diagnostics, Severity};

/// Adds the problems of the model to the list.
pub(crate) fn model(model: &Model, found: &mut Diagnostics) {
    let mut add = |code: Code, severity: Severity, path: String, message: String| {
        found.push(Diagnostic::new(code, severity, message).in_path(path));
    };
    let mut inverted = Vec::new();
    for (index, frame) in model.frames.iter().enumerate() {
        let numbers = [frame.min, frame.max, frame.local_origin];
        if !numbers.as_flattened().iter().chain([&frame.radius]).all(|number| number.is_finite()) {
            let message = "a bound is not a finite number".to_owned();
            add(codes::NOT_FINITE, Severity::Severe, format!("frames[{index}]"), message);
        } else if frame.min.iter().zip(frame.max).any(|(&min, max)| min > max) {
            inverted.push(index);
        }
    }
    // A model that only has tags has nothing to bound, and exporters leave its bounds inverted.
    if let Some(first) = inverted.first().filter(|_| !model.surfaces.is_empty()) {
        let message = format!("inverted bounds in {} of {} frames", inverted.len(), model.frames.len());
        add(codes::BOUNDS, Severity::Warning, format!("frames[{first}]"), message);
    }
    if let Tags::Full(tags) = &model.tags {
        for (index, tag) in tags.iter().enumerate() {
            if !tag.origin.iter().chain(&tag.axes).all(|number| number.is_finite()) {
                let message = "a position or axis is not a finite number".to_owned();
                add(codes::NOT_FINITE, Severity::Severe, format!("tags[{index}]"), message);
            }
        }
    }
    for (index, surface) in model.surfaces.iter().enumerate() {
        let path = format!("surfaces[{index}]");
        self::surface(surface, model, |code, severity, field, message| {
            add(code, severity, format!("{path}{field}"), message);
        });
    }
}

fn surface(surface: &Surface, model: &Model, mut add: impl FnMut(Code, Severity, &str, String)) {
    let vertices = surface.vertex_count();
    if vertices == 0 || surface.triangles.is_empty() {
        let message = format!("{vertices} vertices, {} triangles", surface.triangles.len());
        add(codes::EMPTY_SURFACE, Severity::Unused, "", message);
    }
    if surface.shaders.is_empty() {
        add(codes::NO_SHADER, Severity::Warning, ".shaders", "no shader".to_owned());
    }
    if !surface.texcoords.as_flattened().iter().all(|number| number.is_finite()) {
        let message = "a texture coordinate is not a finite number".to_owned();
        add(codes::NOT_FINITE, Severity::Severe, ".texcoords", message);
    }
    let outside = |&index: &u32| usize::try_from(index).is_ok_and(|index| index >= vertices);
    for (index, triangle) in surface.triangles.iter().enumerate() {
        if let Some(vertex) = triangle.iter().find(|index| outside(index)) {
            let message = format!("vertex {vertex} does not exist, there are {vertices}");
            add(codes::VERTEX_INDEX, Severity::Error, &format!(".triangles[{index}]"), message);
        }
    }
    if vertices == 0 {
        return;
    }
    let frames = model.frames.len();
    if model.format == Format::Md3 {
        if surface.base_count() < frames {
            let message = format!("{} frames, but the model has {frames}", surface.base_count());
            add(codes::FRAME_COUNT, Severity::Error, ".base", message);
        }
        return;
    }
    let bases = surface.base_count();
    for (index, &entry) in surface.base_of_frame.iter().enumerate() {
        if usize::try_from(entry).is_ok_and(|entry| entry < bases) {
            continue;
        }
        let message = format!("base frame {entry} does not exist, there are {bases}");
        add(codes::FRAME_INDEX, Severity::Error, &format!(".base_of_frame[{index}]"), message);
    }
    let compressed = surface.compressed_count();
    if compressed == 0 {
        return;
    }
    for (index, &entry) in surface.compressed_of_frame.iter().enumerate() {
        if usize::try_from(entry).is_ok_and(|entry| entry >= compressed) {
            let message = format!("compressed frame {entry} does not exist, there are {compressed}");
            add(codes::FRAME_INDEX, Severity::Error, &format!(".compressed_of_frame[{index}]"), message);
        }
    }
}

//! Problems in a model whose parts are complete: wrong indices, loops and numbers that are not finite.

use crate::version::Caps;
use crate::{Model, Surface, codes};
use effigy_wire::{Code, Diagnostic, Diagnostics, Severity};

/// Adds the problems of the model to the list.
pub(crate) fn model(model: &Model, found: &mut Diagnostics) {
    let mut add = |code: Code, severity: Severity, path: String, message: String| {
        found.push(Diagnostic::new(code, severity, message).in_path(path));
    };
    let not_finite = "a number is not finite";
    if ![model.lod_scale, model.lod_bias].iter().all(|number| number.is_finite()) {
        add(codes::NOT_FINITE, Severity::Severe, "header".to_owned(), not_finite.to_owned());
    }
    for (index, frame) in model.frames.iter().enumerate() {
        let numbers = [frame.min, frame.max, frame.local_origin, frame.parent_offset];
        if !numbers.as_flattened().iter().chain([&frame.radius]).all(|number| number.is_finite()) {
            add(codes::NOT_FINITE, Severity::Severe, format!("frames[{index}]"), not_finite.to_owned());
        }
    }
    let bones = Bones { known: model.format.caps().contains(Caps::SKELETON), count: model.bones.len() };
    if bones.known && !bones.has(model.torso_parent) {
        let message =
            format!("the torso's bone {} does not exist, there are {}", model.torso_parent, bones.count);
        add(codes::BONE_INDEX, Severity::Error, "header.torso_parent".to_owned(), message);
    }
    for (index, bone) in model.bones.iter().enumerate() {
        // The distance of a root from its parent is not used, and often random.
        let distance = if bone.parent < 0 { 0.0 } else { bone.parent_dist };
        if !(bone.torso_weight.is_finite() && distance.is_finite()) {
            add(codes::NOT_FINITE, Severity::Severe, format!("bones[{index}]"), not_finite.to_owned());
        }
        if bone.parent >= 0 && !bones.has(bone.parent) {
            let message = format!("parent {} does not exist, there are {} bones", bone.parent, bones.count);
            add(codes::BONE_INDEX, Severity::Error, format!("bones[{index}].parent"), message);
        }
    }
    for index in loops(model) {
        let message = "the parents of this bone lead back to it".to_owned();
        add(codes::BONE_LOOP, Severity::Error, format!("bones[{index}].parent"), message);
    }
    for (index, tag) in model.tags.iter().enumerate() {
        let path = format!("tags[{index}]");
        if !tag.offset.iter().chain(&tag.axes).all(|number| number.is_finite()) {
            add(codes::NOT_FINITE, Severity::Severe, path.clone(), not_finite.to_owned());
        }
        if let Some(bone) = [tag.bone].iter().chain(&tag.bone_references).find(|bone| !bones.has(**bone)) {
            let message = format!("bone {bone} does not exist");
            add(codes::BONE_INDEX, Severity::Error, path, message);
        }
    }
    for (index, surface) in model.surfaces.iter().enumerate() {
        let path = format!("surfaces[{index}]");
        self::surface(surface, bones, |code, severity, field, message| {
            add(code, severity, format!("{path}{field}"), message);
        });
    }
}

/// The bones of a model. Those of an MDM are in another file.
#[derive(Clone, Copy)]
struct Bones {
    known: bool,
    count: usize,
}

impl Bones {
    fn has(self, bone: i32) -> bool {
        usize::try_from(bone).is_ok_and(|bone| !self.known || bone < self.count)
    }
}

/// The bones that are part of a loop of parents.
pub(crate) fn loops(model: &Model) -> Vec<usize> {
    let mut state = vec![0_u8; model.bones.len()];
    let parent = |bone: usize| {
        let parent = usize::try_from(model.bones.get(bone)?.parent).ok()?;
        (parent < model.bones.len()).then_some(parent)
    };
    let mut found = Vec::new();
    for start in 0..model.bones.len() {
        let mut path = Vec::new();
        let mut next = Some(start);
        while let Some(bone) = next {
            match state.get_mut(bone) {
                Some(known) if *known == 0 => *known = 1,
                Some(1) => {
                    // Everything from the first visit of this bone on is the loop.
                    let from = path.iter().position(|it| *it == bone).unwrap_or(0);
                    found.extend(path.iter().skip(from).copied());
                    break;
                }
                _ => break,
            }
            path.push(bone);
            next = parent(bone);
        }
        for bone in path {
            if let Some(known) = state.get_mut(bone) {
                *known = 2;
            }
        }
    }
    found.sort_unstable();
    found
}

fn surface(surface: &Surface, bones: Bones, mut add: impl FnMut(Code, Severity, &str, String)) {
    let vertices = surface.vertices.len();
    if vertices == 0 || surface.triangles.is_empty() {
        let message = format!("{vertices} vertices, {} triangles", surface.triangles.len());
        add(codes::EMPTY_SURFACE, Severity::Unused, "", message);
    }
    for (index, vertex) in surface.vertices.iter().enumerate() {
        if vertex.weights.is_empty() {
            let message = "the vertex follows no bone".to_owned();
            add(codes::NO_WEIGHTS, Severity::Severe, &format!(".vertices[{index}]"), message);
        }
        if let Some(weight) = vertex.weights.iter().find(|weight| !bones.has(weight.bone)) {
            let message = format!("bone {} does not exist", weight.bone);
            add(codes::BONE_INDEX, Severity::Error, &format!(".vertices[{index}]"), message);
        }
        let sound = |weight: &crate::Weight| {
            weight.weight.is_finite() && weight.offset.iter().all(|number| number.is_finite())
        };
        let own = vertex.normal.iter().chain(&vertex.texcoord).all(|number| number.is_finite());
        if !(own && vertex.weights.iter().all(sound)) {
            let message = "a number is not finite".to_owned();
            add(codes::NOT_FINITE, Severity::Severe, &format!(".vertices[{index}]"), message);
        }
    }
    let exists = |index: u32| (index as usize) < vertices;
    if let Some(at) = surface.triangles.iter().position(|triangle| !triangle.iter().all(|it| exists(*it))) {
        let message = format!("a triangle has a vertex that does not exist, there are {vertices}");
        add(codes::VERTEX_INDEX, Severity::Error, &format!(".triangles[{at}]"), message);
    }
    let sound = |entry: &i32| u32::try_from(*entry).is_ok_and(exists);
    if let Some(at) = surface.collapse_map.iter().position(|entry| !sound(entry)) {
        let message = format!("the entry names a vertex that does not exist, there are {vertices}");
        add(codes::VERTEX_INDEX, Severity::Error, &format!(".collapse_map[{at}]"), message);
    }
    if let Some(at) = surface.bone_references.iter().position(|bone| !bones.has(*bone)) {
        let message = "the bone does not exist".to_owned();
        add(codes::BONE_INDEX, Severity::Error, &format!(".bone_references[{at}]"), message);
    }
}

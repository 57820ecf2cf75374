//! Bones, vertices, and what is attached to bones.

use super::Facts;
use super::look::dangles;
use crate::findings::Findings;
use crate::rule::{Change, EVERY, rules};
use crate::weights::{Sum, rescaled};
use effigy_m2::Model;

rules! { M2
    /// Parents must come before their children, because the client computes the bones in one pass. A bone before its parent, or in a
    /// cycle with it, uses the pose of the previous frame.
    M21101 "parent not before its child" Error for EVERY => parents;
    /// The weights of a vertex must sum to 255; otherwise it is pulled to the origin or away from it. The repair scales them; a vertex
    /// without any weight is not changed.
    M21102 "weights do not sum to 255" Severe for EVERY => weights, fix normalise;
    /// A vertex refers to a bone that does not exist; the client reads beyond its list.
    M21103 "vertex attached to a missing bone" Error for EVERY => vertex_bones;
    /// An attachment, event, light, ribbon or emitter is attached to a bone that does not exist; the client reads beyond its list.
    M21104 "attached to a missing bone" Error for EVERY => attached;
    /// A triangle of the collision mesh refers to a vertex that does not exist; the client reads beyond its list.
    M21105 "collision triangle with a missing vertex" Error for EVERY => collision;
}

fn parents(model: &Facts<'_>, found: &mut Findings) {
    for (index, bone) in model.bones.iter().enumerate().filter(|(_, bone)| bone.parent != -1) {
        if usize::try_from(bone.parent).map_or(true, |parent| parent >= index) {
            found.add(format!("bones[{index}].parent"), format!("bone {index} has parent {}", bone.parent));
        }
    }
}

fn weights(model: &Facts<'_>, found: &mut Findings) {
    let wrong = |weights: [u8; 4]| Sum::of(weights.map(u16::from)) != Sum::Right;
    let count = model.vertices.iter().filter(|vertex| wrong(vertex.weights)).count();
    if count > 0 {
        let first = model.vertices.iter().position(|vertex| wrong(vertex.weights)).unwrap_or(0);
        let message = format!(
            "the weights of {count} of {} vertices, first vertex {first}, do not sum to 255",
            model.vertices.len()
        );
        let mendable = model.vertices.iter().any(|vertex| rescaled(vertex.weights.map(u16::from)).is_some());
        found.add_fixable("vertices", message, mendable);
    }
}

fn normalise(model: &mut Model) -> Vec<Change> {
    let wrong: Vec<(usize, [u8; 4])> = (model.vertices.iter().enumerate())
        .filter_map(|(index, vertex)| Some((index, rescaled(vertex.weights.map(u16::from))?)))
        .map(|(index, weights)| (index, weights.map(|weight| u8::try_from(weight).unwrap_or(u8::MAX))))
        .collect();
    for (index, weights) in &wrong {
        if let Some(vertex) = model.vertices.get_mut(*index) {
            vertex.weights = *weights;
        }
    }
    if wrong.is_empty() {
        return Vec::new();
    }
    vec![("vertices".to_owned(), format!("scaled the weights of {} vertices to 255", wrong.len()))]
}

fn vertex_bones(model: &Facts<'_>, found: &mut Findings) {
    let bones = model.bones.len();
    for (index, vertex) in model.vertices.iter().enumerate() {
        let mut weighted = vertex.bones.into_iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0);
        if let Some((bone, _)) = weighted.find(|(bone, _)| usize::from(*bone) >= bones) {
            found.add(format!("vertices[{index}]"), format!("bone {bone} does not exist, there are {bones}"));
        }
    }
}

fn attached(model: &Facts<'_>, found: &mut Findings) {
    let bones = model.bones.len();
    // Models that only hold cameras have no bones, and draw nothing that needs one.
    if bones == 0 && model.vertices.is_empty() {
        return;
    }
    let wide = |index: u32| usize::try_from(index).unwrap_or(usize::MAX);
    let attachments = model.attachments.iter().map(|one| usize::from(one.bone)).enumerate();
    let events = model.events.iter().map(|one| wide(one.bone)).enumerate();
    let ribbons = model.ribbons.iter().map(|one| wide(one.bone)).enumerate();
    let particles = model.particles.iter().map(|one| usize::from(one.bone)).enumerate();
    let lists = (attachments.map(|one| ("attachments", one)))
        .chain(events.map(|one| ("events", one)))
        .chain(ribbons.map(|one| ("ribbons", one)))
        .chain(particles.map(|one| ("particles", one)));
    for (list, (index, bone)) in lists.filter(|(_, (_, bone))| *bone >= bones) {
        found.add(format!("{list}[{index}].bone"), format!("bone {bone} does not exist, there are {bones}"));
    }
    for (index, light) in model.lights.iter().enumerate().filter(|(_, light)| dangles(light.bone, bones)) {
        found.add(
            format!("lights[{index}].bone"),
            format!("bone {} does not exist, there are {bones}", light.bone),
        );
    }
}

fn collision(model: &Facts<'_>, found: &mut Findings) {
    let vertices = model.collision_vertices.len();
    let highest = model.collision_triangles.iter().copied().max().map(usize::from);
    if let Some(highest) = highest.filter(|highest| *highest >= vertices) {
        found.add("collision_triangles", format!("vertex {highest} does not exist, there are {vertices}"));
    }
}

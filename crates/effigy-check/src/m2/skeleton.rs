//! Bones, vertices, and what hangs on bones.

use super::Facts;
use super::look::dangles;
use crate::findings::Findings;
use crate::rule::{Change, EVERY, rules};
use crate::weights::{Sum, mended};
use effigy_m2::Model;

rules! { M2
    /// Parents stand before their children, because the client computes the bones in one pass. A bone before its parent, or in a circle
    /// with it, uses the pose of the last frame or never ends.
    M21101 "parent not before its child" Error for EVERY => parents;
    /// The weights of a vertex must sum to 255; else it is pulled to the origin or away from it. The repair scales them; a vertex
    /// without any weight is left to the author.
    M21102 "weights do not sum to 255" Severe for EVERY => weights, fix normalise;
    /// A vertex names a bone that is not there; the client reads beyond its list.
    M21103 "vertex attached to a missing bone" Error for EVERY => vertex_bones;
    /// An attachment, event, light, ribbon or emitter hangs on a bone that is not there.
    M21104 "hangs on a missing bone" Error for EVERY => hangers;
    /// A triangle of the collision mesh names a vertex that is not there.
    M21105 "collision triangle without vertex" Error for EVERY => collision;
}

fn parents(model: &Facts<'_>, found: &mut Findings) {
    for (index, bone) in model.bones.iter().enumerate().filter(|(_, bone)| bone.parent != -1) {
        if usize::try_from(bone.parent).map_or(true, |parent| parent >= index) {
            found
                .add(format!("bones[{index}].parent"), format!("bone {index} hangs on bone {}", bone.parent));
        }
    }
}

fn weights(model: &Facts<'_>, found: &mut Findings) {
    let wrong = |weights: [u8; 4]| Sum::of(weights.map(u16::from)) != Sum::Right;
    let count = model.vertices.iter().filter(|vertex| wrong(vertex.weights)).count();
    if count > 0 {
        let first = model.vertices.iter().position(|vertex| wrong(vertex.weights)).unwrap_or(0);
        let message = format!("the weights of {count} of {} vertices, first {first}", model.vertices.len());
        let mendable = model.vertices.iter().any(|vertex| mended(vertex.weights.map(u16::from)).is_some());
        found.add_fixable("vertices", message, mendable);
    }
}

fn normalise(model: &mut Model) -> Vec<Change> {
    let wrong: Vec<(usize, [u8; 4])> = (model.vertices.iter().enumerate())
        .filter_map(|(index, vertex)| Some((index, mended(vertex.weights.map(u16::from))?)))
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
            found.add(format!("vertices[{index}]"), format!("bone {bone} of {bones}"));
        }
    }
}

fn hangers(model: &Facts<'_>, found: &mut Findings) {
    let bones = model.bones.len();
    // Models of a camera alone have no bones, and nothing that needs one is drawn.
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
        found.add(format!("{list}[{index}].bone"), format!("bone {bone} of {bones}"));
    }
    for (index, light) in model.lights.iter().enumerate().filter(|(_, light)| dangles(light.bone, bones)) {
        found.add(format!("lights[{index}].bone"), format!("bone {} of {bones}", light.bone));
    }
}

fn collision(model: &Facts<'_>, found: &mut Findings) {
    let vertices = model.collision_vertices.len();
    let highest = model.collision_triangles.iter().copied().max().map(usize::from);
    if let Some(highest) = highest.filter(|highest| *highest >= vertices) {
        found.add("collision_triangles", format!("vertex {highest} of {vertices}"));
    }
}

//! The check between a scene and everything that uses it.

mod repair;
mod valid;
pub(crate) mod walk;

pub use repair::repair;
pub use valid::{SceneInfo, ValidScene};

use crate::{Animated, Bounds, Id, Mesh, Node, Scene, Track};
use effigy_wire::{Error, Kind, Result};
use walk::{Sound, each_animated, each_track, fault};

fn wrong(list: &str, index: usize, field: &str, message: &str) -> Error {
    let field = if field.is_empty() { String::new() } else { format!(".{field}") };
    Error::new(Kind::Malformed, format!("{list}[{index}]{field}: {message}"))
}

/// The limits and the first fault found.
struct Check {
    sequences: usize,
    /// For each global sequence: whether a track follows it.
    globals: Vec<bool>,
    found: Option<Error>,
}

fn check_animated<T: Sound>(check: &mut Check, list: &str, i: usize, field: &str, value: &Animated<T>) {
    if !value.base.is_finite() {
        check.found.get_or_insert_with(|| wrong(list, i, field, "a number is not finite"));
    }
    if let Some(track) = &value.track {
        check_track(check, list, i, field, track);
    }
}

fn check_track<T: Sound>(check: &mut Check, list: &str, i: usize, field: &str, track: &Track<T>) {
    if let Some(used) = track.global.and_then(|id| check.globals.get_mut(id.index())) {
        *used = true;
    }
    if let Some(fault) = fault(track, check.sequences, check.globals.len()) {
        check.found.get_or_insert_with(|| wrong(list, i, field, fault));
    }
}

/// Checks every reference, count and number of a scene, once.
///
/// A scene that somebody built by hand may fail; [`repair`] makes any scene pass.
///
/// # Errors
/// The first fault and its location: a reference to nothing, a circle of parents, lists of different length, numbers
/// that are not finite.
pub fn validate(scene: Scene) -> Result<ValidScene> {
    let info = check(&scene)?;
    Ok(ValidScene::new(scene, info))
}

fn check(scene: &Scene) -> Result<SceneInfo> {
    let order = order(scene)?;
    let mut check = Check {
        sequences: scene.sequences.len(),
        globals: vec![false; scene.global_sequences.len()],
        found: None,
    };
    each_animated!(scene, as_slice, [], check_animated, &mut check);
    each_track!(scene, as_slice, [], check_track, &mut check);
    if let Some(error) = check.found {
        return Err(error);
    }
    let mut info =
        SceneInfo { order, bounds: Bounds::EMPTY, vertices: 0, triangles: 0, globals: check.globals };
    for (i, node) in scene.nodes.as_slice().iter().enumerate() {
        if !node.pivot.is_finite() {
            return Err(wrong("nodes", i, "pivot", "a number is not finite"));
        }
        if node.gate.is_some_and(|gate| gate.index() >= scene.meshes.len()) {
            return Err(wrong("nodes", i, "gate", "the mesh does not exist"));
        }
    }
    for (i, mesh) in scene.meshes.as_slice().iter().enumerate() {
        check_mesh(scene, mesh).map_err(|message| wrong("meshes", i, "", message))?;
        info.bounds = info.bounds.union(&Bounds::around(&mesh.positions));
        info.vertices += mesh.positions.len();
        info.triangles += mesh.indices.len() / 3;
    }
    for (i, material) in scene.materials.as_slice().iter().enumerate() {
        for texture in material.layers.iter().flat_map(|layer| &layer.textures) {
            let frames = texture.flipbook.iter().flat_map(|track| &track.values);
            if texture.texture.is_some_and(|id| id.index() >= scene.textures.len())
                || frames.into_iter().any(|index| *index as usize >= scene.textures.len())
            {
                return Err(wrong("materials", i, "layers", "a texture does not exist"));
            }
            if texture.transform.is_some_and(|id| id.index() >= scene.texture_transforms.len()) {
                return Err(wrong("materials", i, "layers", "a texture transform does not exist"));
            }
        }
    }
    check_fixtures(scene)?;
    Ok(info)
}

fn check_fixtures(scene: &Scene) -> Result<()> {
    let node = |list: &str, i: usize, id: Id<Node>, position: [f32; 3]| {
        if id.index() >= scene.nodes.len() {
            return Err(wrong(list, i, "node", "the node does not exist"));
        }
        if position.is_finite() { Ok(()) } else { Err(wrong(list, i, "position", "a number is not finite")) }
    };
    for (i, item) in scene.attachments.as_slice().iter().enumerate() {
        node("attachments", i, item.node, item.position)?;
    }
    for (i, item) in scene.events.as_slice().iter().enumerate() {
        node("events", i, item.node, item.position)?;
        if !item.times.is_sorted() || item.global.is_some_and(|id| id.index() >= scene.global_sequences.len())
        {
            return Err(wrong("events", i, "times", "times do not ascend, or their clock does not exist"));
        }
    }
    for (i, item) in scene.lights.as_slice().iter().enumerate() {
        node("lights", i, item.node, item.position)?;
    }
    for (i, item) in scene.emitters.as_slice().iter().enumerate() {
        node("emitters", i, item.node, item.position)?;
        if item.texture.is_some_and(|id| id.index() >= scene.textures.len()) {
            return Err(wrong("emitters", i, "texture", "the texture does not exist"));
        }
    }
    for (i, item) in scene.ribbons.as_slice().iter().enumerate() {
        node("ribbons", i, item.node, item.position)?;
        if item.material.is_some_and(|id| id.index() >= scene.materials.len()) {
            return Err(wrong("ribbons", i, "material", "the material does not exist"));
        }
    }
    for (i, item) in scene.effects.as_slice().iter().enumerate() {
        node("effects", i, item.node, [0.0; 3])?;
    }
    for (i, item) in scene.shapes.as_slice().iter().enumerate() {
        node("shapes", i, item.node, [0.0; 3])?;
    }
    for (i, camera) in scene.cameras.as_slice().iter().enumerate() {
        let numbers = [camera.fov, camera.near, camera.far];
        if !camera.position.is_finite() || !camera.target.is_finite() || !numbers.is_finite() {
            return Err(wrong("cameras", i, "", "a number is not finite"));
        }
    }
    Ok(())
}

fn check_mesh(scene: &Scene, mesh: &Mesh) -> std::result::Result<(), &'static str> {
    let count = mesh.positions.len();
    if !(mesh.normals.is_empty() || mesh.normals.len() == count) {
        return Err("as many normals as positions are needed, or none");
    }
    if !(mesh.tangents.is_empty() || mesh.tangents.len() == count) {
        return Err("as many tangents as positions are needed, or none");
    }
    if mesh.uvs.iter().any(|set| set.len() != count) {
        return Err("a texture coordinate set differs in length from the positions");
    }
    if !mesh.indices.len().is_multiple_of(3) || mesh.indices.iter().any(|index| *index as usize >= count) {
        return Err("an index is beyond the vertices, or a triangle is incomplete");
    }
    if mesh.sort.is_some_and(|sort| sort.node.index() >= scene.nodes.len()) {
        return Err("the node of its sort point does not exist");
    }
    if mesh.material.is_some_and(|id| id.index() >= scene.materials.len()) {
        return Err("the material does not exist");
    }
    let finite = mesh.positions.iter().all(Sound::is_finite)
        && mesh.normals.iter().all(Sound::is_finite)
        && mesh.tangents.iter().flatten().all(|x| x.is_finite())
        && mesh.uvs.iter().flatten().flatten().all(|x| x.is_finite());
    if !finite {
        return Err("a number is not finite");
    }
    if let Some(skin) = &mesh.skin {
        let groups = skin.groups.len();
        if skin.vertex_groups.len() != count || skin.vertex_groups.iter().any(|g| *g as usize >= groups) {
            return Err("every vertex needs a group");
        }
        let influences = skin.influences.len();
        if skin.groups.iter().any(|[start, end]| start > end || *end as usize > influences) {
            return Err("a group is beyond the influences");
        }
        if skin
            .influences
            .iter()
            .any(|one| one.node.index() >= scene.nodes.len() || !one.weight.is_finite() || one.weight < 0.0)
        {
            return Err(
                "an influence refers to a node that does not exist, or its weight is negative or not finite",
            );
        }
    }
    if let Some(morph) = &mesh.morph {
        if morph.order.values.iter().any(|frame| *frame as usize >= morph.frames.len()) {
            return Err("a morph frame does not exist");
        }
        for frame in &morph.frames {
            if frame.positions.len() != count || frame.normals.len() != mesh.normals.len() {
                return Err("a morph frame differs in its number of vertices");
            }
            if !(frame.positions.iter().all(Sound::is_finite) && frame.normals.iter().all(Sound::is_finite)) {
                return Err("a number of a morph frame is not finite");
            }
        }
    }
    Ok(())
}

/// Parents before children. A depth-first walk by parent chains, without recursion.
fn order(scene: &Scene) -> Result<Vec<Id<Node>>> {
    let mut state = vec![0_u8; scene.nodes.len()];
    let mut order = Vec::with_capacity(scene.nodes.len());
    let mut chain = Vec::new();
    for (id, _) in scene.nodes.iter() {
        let mut next = Some(id);
        while let Some(current) = next {
            let Some(mark) = state.get_mut(current.index()) else {
                return Err(wrong(
                    "nodes",
                    chain.last().map_or(0, |id: &Id<Node>| id.index()),
                    "parent",
                    "the node does not exist",
                ));
            };
            match *mark {
                0 => *mark = 1,
                1 => return Err(wrong("nodes", current.index(), "parent", "the parents form a circle")),
                _ => break,
            }
            chain.push(current);
            next = scene.nodes.get(current).and_then(|node| node.parent);
        }
        while let Some(done) = chain.pop() {
            if let Some(mark) = state.get_mut(done.index()) {
                *mark = 2;
            }
            order.push(done);
        }
    }
    Ok(order)
}

//! Making any scene valid: what a file got wrong is left out or set to its rest value, and reported.

use super::walk::{Sound, each_animated, each_track, fault};
use crate::{Animated, Id, Mesh, Node, Scene, Skin, Track};
use effigy_wire::Report;

struct Repair<'a> {
    sequences: usize,
    globals: usize,
    report: &'a mut Report,
}

fn repair_animated<T: Sound>(
    repair: &mut Repair<'_>,
    list: &str,
    i: usize,
    field: &str,
    value: &mut Animated<T>,
) {
    if !value.base.is_finite() {
        value.base = T::default();
        repair.report.approximated(
            format!("{list}[{i}].{field}"),
            "a value that is not a finite number was set to its rest value",
        );
    }
    if let Some(track) = &mut value.track {
        repair_track(repair, list, i, field, track);
        if track.is_empty() {
            value.track = None;
        }
    }
}

fn repair_track<T: Sound>(repair: &mut Repair<'_>, list: &str, i: usize, field: &str, track: &mut Track<T>) {
    let Some(fault) = fault(track, repair.sequences, repair.globals) else { return };
    repair.report.approximated(format!("{list}[{i}].{field}"), format!("track repaired: {fault}"));
    let keys = track.times.len().min(track.values.len());
    track.times.truncate(keys);
    track.values.truncate(keys);
    if !track.fractions.is_empty() {
        track.fractions.resize(keys, 0.0);
        for fraction in track.fractions.iter_mut().filter(|it| it.is_nan() || it.abs() > 0.5) {
            *fraction = 0.0;
        }
    }
    if track.interpolation.is_spline() {
        track.tangents.resize(keys, [T::default(); 2]);
    } else {
        track.tangents.clear();
    }
    if track.global.is_some_and(|id| id.index() >= repair.globals) {
        track.global = None;
    }
    if !track.default.is_finite() {
        track.default = T::default();
    }
    if !track.ascends() {
        let mut order: Vec<usize> = (0..keys).collect();
        order.sort_by(|a, b| track.time(*a).total_cmp(&track.time(*b)));
        track.fractions = order.iter().filter_map(|key| track.fractions.get(*key).copied()).collect();
        track.values = order.iter().filter_map(|key| track.values.get(*key).copied()).collect();
        track.tangents = order.iter().filter_map(|key| track.tangents.get(*key).copied()).collect();
        track.times.sort_unstable();
        track.windows.clear();
    }
    let last = u32::try_from(keys.saturating_sub(1)).unwrap_or(u32::MAX);
    if !track.windows.is_empty() {
        track.windows.resize(repair.sequences.max(track.windows.len()), [0, last]);
        for window in &mut track.windows {
            window[1] = window[1].min(last);
            window[0] = window[0].min(window[1]);
        }
    }
    let default = track.default;
    for value in track.values.iter_mut().chain(track.tangents.iter_mut().flatten()) {
        if !value.is_finite() {
            *value = default;
        }
    }
}

/// Corrects everything that would make [`crate::validate`] fail, and reports each change. Lowering calls it, so that one
/// bad track or index in a file does not cost the user the whole model.
pub fn repair(scene: &mut Scene, report: &mut Report) {
    repair_parents(scene, report);
    let mut context =
        Repair { sequences: scene.sequences.len(), globals: scene.global_sequences.len(), report };
    each_animated!(scene, as_mut_slice, [mut], repair_animated, &mut context);
    each_track!(scene, as_mut_slice, [mut], repair_track, &mut context);
    let report = context.report;

    let (nodes, meshes, materials, textures, transforms) = (
        scene.nodes.len(),
        scene.meshes.len(),
        scene.materials.len(),
        scene.textures.len(),
        scene.texture_transforms.len(),
    );
    for node in scene.nodes.as_mut_slice() {
        zero_if_not_finite(&mut node.pivot);
        node.gate = node.gate.filter(|id| id.index() < meshes);
    }
    for (i, mesh) in scene.meshes.as_mut_slice().iter_mut().enumerate() {
        let mut say = |message: &'static str| report.approximated(format!("meshes[{i}]"), message);
        mesh.sort = mesh.sort.filter(|sort| sort.node.index() < nodes);
        if mesh.material.is_some_and(|id| id.index() >= materials) {
            mesh.material = None;
            say("its material does not exist");
        }
        repair_mesh(mesh, nodes, &mut say);
    }
    for (i, material) in scene.materials.as_mut_slice().iter_mut().enumerate() {
        for texture in material.layers.iter_mut().flat_map(|layer| &mut layer.textures) {
            if texture.texture.is_some_and(|id| id.index() >= textures) {
                texture.texture = None;
                report.approximated(
                    format!("materials[{i}]"),
                    "a texture that does not exist was replaced by white",
                );
            }
            if texture.flipbook.as_ref().is_some_and(|track| {
                track.is_empty() || track.values.iter().any(|index| *index as usize >= textures)
            }) {
                texture.flipbook = None;
                report.dropped(format!("materials[{i}]"), "a flipbook refers to textures that do not exist");
            }
            texture.transform = texture.transform.filter(|id| id.index() < transforms);
        }
    }
    repair_fixtures(scene, report);
}

fn zero_if_not_finite(point: &mut [f32; 3]) {
    if !point.is_finite() {
        *point = [0.0; 3];
    }
}

fn repair_parents(scene: &mut Scene, report: &mut Report) {
    let count = scene.nodes.len();
    let mut state = vec![0_u8; count];
    let mut chain: Vec<Id<Node>> = Vec::new();
    for index in 0..count {
        let mut next = scene.nodes.id(index);
        while let Some(current) = next {
            match state.get_mut(current.index()) {
                Some(mark) if *mark == 0 => *mark = 1,
                Some(mark) if *mark == 2 => break,
                // A circle, or a parent that does not exist: the last of the chain becomes a root.
                _ => {
                    if let Some(last) = chain.last().and_then(|id| scene.nodes.get_mut(*id)) {
                        last.parent = None;
                        report.approximated(
                            format!("nodes[{index}].parent"),
                            "a parent that does not exist or is a descendant was removed",
                        );
                    }
                    break;
                }
            }
            chain.push(current);
            next = scene.nodes.get(current).and_then(|node| node.parent);
        }
        for done in chain.drain(..) {
            if let Some(mark) = state.get_mut(done.index()) {
                *mark = 2;
            }
        }
    }
}

fn repair_mesh(mesh: &mut Mesh, nodes: usize, say: &mut impl FnMut(&'static str)) {
    let count = mesh.positions.len();
    if !(mesh.normals.is_empty() || mesh.normals.len() == count) {
        mesh.normals.resize(count, [0.0, 0.0, 1.0]);
        say("normals did not match the vertices");
    }
    if !(mesh.tangents.is_empty() || mesh.tangents.len() == count) {
        mesh.tangents.clear();
        say("tangents did not match the vertices and were left out");
    }
    for set in &mut mesh.uvs {
        if set.len() != count {
            set.resize(count, [0.0; 2]);
            say("texture coordinates did not match the vertices");
        }
    }
    if !mesh.indices.len().is_multiple_of(3) || mesh.indices.iter().any(|index| *index as usize >= count) {
        mesh.indices = mesh
            .indices
            .as_chunks::<3>()
            .0
            .iter()
            .filter(|triangle| triangle.iter().all(|index| (*index as usize) < count))
            .flatten()
            .copied()
            .collect();
        say("triangles with indices beyond the vertices were left out");
    }
    let mut numbers = false;
    for value in mesh.positions.iter_mut().chain(&mut mesh.normals).flatten() {
        numbers |= zero_number(value);
    }
    for value in mesh.tangents.iter_mut().flatten() {
        numbers |= zero_number(value);
    }
    for value in mesh.uvs.iter_mut().flatten().flatten() {
        numbers |= zero_number(value);
    }
    if numbers {
        say("numbers that are not finite were set to 0");
    }
    if let Some(skin) = &mut mesh.skin {
        repair_skin(skin, count, nodes, say);
    }
    if let Some(morph) = &mut mesh.morph {
        let normals = mesh.normals.len();
        let frames = morph.frames.len();
        for frame in &mut morph.frames {
            frame.positions.resize(count, [0.0; 3]);
            frame.normals.resize(normals, [0.0, 0.0, 1.0]);
            for value in frame.positions.iter_mut().chain(&mut frame.normals).flatten() {
                zero_number(value);
            }
        }
        if morph.order.values.iter().any(|frame| *frame as usize >= frames) {
            mesh.morph = None;
            say("it refers to morph frames that do not exist and is not animated");
        }
    }
}

fn zero_number(value: &mut f32) -> bool {
    let bad = !value.is_finite();
    if bad {
        *value = 0.0;
    }
    bad
}

fn repair_skin(skin: &mut Skin, count: usize, nodes: usize, say: &mut impl FnMut(&'static str)) {
    let sound =
        |one: &crate::Influence| one.node.index() < nodes && one.weight.is_finite() && one.weight >= 0.0;
    let influences = skin.influences.len();
    let ranges = skin.groups.iter().all(|[start, end]| start <= end && *end as usize <= influences);
    if !ranges || !skin.influences.iter().all(sound) {
        let mut fixed = Skin { vertex_groups: std::mem::take(&mut skin.vertex_groups), ..Skin::default() };
        for group in 0..skin.groups.len() {
            let group = u32::try_from(group).unwrap_or(u32::MAX);
            fixed.push_group(skin.group(group).iter().filter(|one| sound(one)).copied());
        }
        *skin = fixed;
        say("vertices followed nodes that do not exist");
    }
    let groups = skin.groups.len();
    if skin.vertex_groups.len() != count || skin.vertex_groups.iter().any(|group| *group as usize >= groups) {
        let free = skin.push_group([]);
        for group in &mut skin.vertex_groups {
            if *group as usize >= groups {
                *group = free;
            }
        }
        skin.vertex_groups.resize(count, free);
        say("vertices without a group stay where they are");
    }
}

fn repair_fixtures(scene: &mut Scene, report: &mut Report) {
    let nodes = scene.nodes.len();
    macro_rules! keep_with_node {
        ($($list:ident: $($position:ident)?;)*) => { $(
            let before = scene.$list.len();
            let kept: Vec<_> = std::mem::take(&mut scene.$list).into_iter().filter(|item| item.node.index() < nodes).collect();
            if kept.len() < before {
                report.dropped(stringify!($list), "objects on a node that does not exist were left out");
            }
            scene.$list = kept.into_iter().collect();
            $( for item in scene.$list.as_mut_slice() { zero_if_not_finite(&mut item.$position); } )?
        )* };
    }
    keep_with_node! {
        attachments: position; events: position; lights: position; emitters: position; ribbons: position; effects:; shapes:;
    }
    let globals = scene.global_sequences.len();
    for event in scene.events.as_mut_slice() {
        event.times.sort_unstable();
        event.global = event.global.filter(|id| id.index() < globals);
    }
    let (textures, materials) = (scene.textures.len(), scene.materials.len());
    for emitter in scene.emitters.as_mut_slice() {
        emitter.texture = emitter.texture.filter(|id| id.index() < textures);
    }
    for ribbon in scene.ribbons.as_mut_slice() {
        ribbon.material = ribbon.material.filter(|id| id.index() < materials);
    }
    for camera in scene.cameras.as_mut_slice() {
        zero_if_not_finite(&mut camera.position);
        zero_if_not_finite(&mut camera.target);
        for number in [&mut camera.fov, &mut camera.near, &mut camera.far] {
            zero_number(number);
        }
        camera.translation.take_if(|track| track.is_empty());
        camera.target_translation.take_if(|track| track.is_empty());
        camera.roll.take_if(|track| track.is_empty());
    }
}

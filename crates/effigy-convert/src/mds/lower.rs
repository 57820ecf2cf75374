//! From MDS, or MDM with its MDX files, to the scene: bones and tags as nodes, surfaces as skinned meshes.
//!
//! The bind pose is recovered from the offsets of the vertices. Every frame that an animation shows becomes a key of every
//! bone, posed by the exact formulas with legs and torso in the same frame. Between two keys the scene turns bones relative
//! to their parents, the games in model space; at the keys both agree.

use crate::Lowered;
use effigy_mdc::sequences::Sequence as Named;
use effigy_mdc::skin::Skin as Shaders;
use effigy_mds::bind::Bind;
use effigy_mds::pose::{Formula, Moment, Place, Pose, Skeleton, TagPose};
use effigy_mds::{Caps, Model, Surface};
use effigy_scene::coordinates::flip_winding;
use effigy_scene::{
    Animated, Blend, Bounds, Extras, Id, Influence, KeyRule, Layer, LayerTexture, Material, Mesh, Node,
    NodeKind, NodeRule, Rotation, Scene, Sequence, Skin, Texture, Track,
};
use effigy_wire::{Error, Kind, Report, Result};
use glam::{Affine3A, Mat3A, Quat, Vec3A};
use std::collections::{BTreeMap, BTreeSet};

/// Milliseconds between two sequences on the timeline.
const GAP: i32 = 1000;
/// Frames per second without a list of animations.
const FPS: f32 = 20.0;

/// Frames, and how they are named.
#[derive(Clone, Debug)]
pub struct Animation<'a> {
    /// The MDS itself, or an MDX.
    pub model: &'a Model,
    /// Its named ranges of frames. Without any, all frames are one sequence.
    pub rows: Vec<Named>,
}

/// A body with everything that is needed to show it.
#[derive(Clone, Debug)]
pub struct Body<'a> {
    /// The MDS or MDM.
    pub mesh: &'a Model,
    /// Its animations; the first one gives the bones.
    pub animations: Vec<Animation<'a>>,
    /// The shaders of its surfaces.
    pub skin: Option<&'a Shaders>,
    /// The share of the vertices that is drawn, 0 to 1; `None` for all of them.
    pub detail: Option<f32>,
    /// Whose arithmetic poses the bones. Enemy Territory's table of sines makes them tremble as in that game.
    pub formula: Formula,
}

/// One key of every bone.
struct Key<'a> {
    time: i32,
    model: &'a Model,
    frame: usize,
}

/// The scene of a body.
///
/// # Errors
/// When there are no bones, or they cannot be posed.
pub fn lower(body: &Body<'_>) -> Result<Lowered> {
    let mut report = Report::default();
    let mesh = body.mesh;
    let Some(first) = body.animations.iter().find(|it| !it.model.frames.is_empty()).map(|it| it.model) else {
        return Err(Error::new(Kind::Usage, "there is nothing to draw without the bones in an MDX"));
    };
    let mut scene = Scene {
        name: short_name(&mesh.name()),
        key_rule: KeyRule::Hold,
        node_rule: NodeRule::Wolfenstein,
        ..Scene::default()
    };
    let format = if mesh.format.caps().contains(Caps::WHOLE) { "mds" } else { "mdm" };
    scene.extras.set("format", format).set("version", mesh.version()).set("name", mesh.name().as_ref());
    scene.extras.set("lodScale", mesh.lod_scale).set("lodBias", mesh.lod_bias);
    let bind = Bind::recover(mesh, first, 0)?;
    report.rebuilt(
        "bones",
        format!("the bind pose is recovered from the vertices, which fit it within {:.4} units", bind.error),
    );
    let keys = sequences(&mut scene, body, &mut report);
    let nodes = Nodes::of(body, first);
    let places = nodes.push(&mut scene, body, first, &bind, &keys)?;
    for surface in &mesh.surfaces {
        let made = surface_mesh(surface, body, &bind, &places, &mut scene);
        scene.meshes.push(made);
    }
    scene.bounds = bounds(mesh, first);
    effigy_scene::repair(&mut scene, &mut report);
    Ok(Lowered { scene, report })
}

/// The stored box of the first frame; Enemy Territory stores its corners the other way round.
fn bounds(mesh: &Model, first: &Model) -> Bounds {
    let Some(frame) = first.frames.first() else { return Bounds::EMPTY };
    let (a, b) = (frame.min, frame.max);
    let mut bounds = Bounds { min: a, max: b, radius: frame.radius };
    if !mesh.format.caps().contains(Caps::WHOLE) {
        bounds = Bounds { radius: frame.radius, ..Bounds::around([&a, &b]) };
    }
    bounds
}

/// The file name of a path without its extension.
fn short_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// Milliseconds of a frame. The games cut them to whole ones.
#[allow(clippy::cast_possible_truncation, reason = "a positive number up to 1000")]
fn frame_time(fps: f32) -> i32 {
    let fps = if fps >= 1.0 { f64::from(fps.trunc()) } else { 1.0 };
    ((1000.0 / fps).trunc() as i32).max(1)
}

/// Puts all rows one after the other on the timeline.
fn sequences<'a>(scene: &mut Scene, body: &Body<'a>, report: &mut Report) -> Vec<Key<'a>> {
    let mut keys = Vec::new();
    let mut start = 0_i32;
    let mut known = BTreeSet::new();
    for Animation { model, rows } in &body.animations {
        let frames = model.frames.len();
        if frames == 0 {
            continue;
        }
        let count = u32::try_from(frames).unwrap_or(u32::MAX);
        let all = Named { name: "all frames".into(), fps: FPS, count, ..Named::default() };
        let list = if rows.is_empty() { std::slice::from_ref(&all) } else { rows.as_slice() };
        for row in list {
            // The games find the first row of a name.
            if !known.insert(row.name.clone()) {
                continue;
            }
            let (first, count) = (row.first as usize, row.count.max(1) as usize);
            if first.checked_add(count).is_none_or(|end| end > frames) {
                let text = format!(
                    "frames {first} to {} do not exist, there are {frames}",
                    first.saturating_add(count)
                );
                report.dropped(format!("sequence {}", row.name), text);
                continue;
            }
            let step = frame_time(row.fps);
            let at = |number: usize| {
                start.saturating_add(i32::try_from(number).unwrap_or(i32::MAX).saturating_mul(step))
            };
            let shown =
                |number: usize| if row.reversed { first + count - 1 - number } else { first + number };
            keys.extend((0..count).map(|number| Key { time: at(number), model, frame: shown(number) }));
            let looping = row.loop_frames > 0;
            // From its last frame a loop goes on to the frame that it repeats from.
            if looping && count > 1 {
                let again = count - (row.loop_frames as usize).min(count);
                keys.push(Key { time: at(count), model, frame: shown(again) });
            }
            let end = at(if looping && count > 1 { count } else { count - 1 });
            let mut extras = Extras::default();
            extras.set("fps", row.fps).set("loopFrames", row.loop_frames);
            extras.set("firstFrame", row.first).set("frames", row.count);
            scene.sequences.push(Sequence {
                name: row.name.clone(),
                start,
                end,
                looping,
                move_speed: row.move_speed.max(0.0),
                extras,
                ..Sequence::default()
            });
            start = end.saturating_add(GAP);
        }
    }
    keys
}

/// Which bones become nodes, and which of them are tags.
struct Nodes {
    /// Bones that carry vertices, other bones or tags; the others are only tags.
    bones: Vec<bool>,
}

impl Nodes {
    fn of(body: &Body<'_>, skeleton: &Model) -> Self {
        let mut bones = vec![true; skeleton.bones.len()];
        if body.mesh.format.caps().contains(Caps::WHOLE) {
            let weights = body.mesh.surfaces.iter().flat_map(|it| &it.vertices).flat_map(|it| &it.weights);
            let mut used: BTreeSet<i32> = weights.map(|weight| weight.bone).collect();
            used.extend(skeleton.bones.iter().map(|bone| bone.parent));
            for tag in &body.mesh.tags {
                if let Some(bone) = usize::try_from(tag.bone).ok().and_then(|bone| bones.get_mut(bone)) {
                    *bone = used.contains(&tag.bone);
                }
            }
        }
        Self { bones }
    }

    /// Adds the bones and tags with their tracks; returns the node of each bone.
    fn push(
        &self,
        scene: &mut Scene,
        body: &Body<'_>,
        skeleton: &Model,
        bind: &Bind,
        keys: &[Key<'_>],
    ) -> Result<Vec<Option<Id<Node>>>> {
        let mesh = body.mesh;
        let posing = Skeleton::new(skeleton)?.with_formula(body.formula);
        // The games take the lengths of the bones from the file of the frame.
        let mut others: Vec<(&Model, Skeleton<'_>)> = Vec::new();
        for animation in &body.animations {
            if animation.model.bones.len() == skeleton.bones.len() {
                others.push((animation.model, Skeleton::new(animation.model)?.with_formula(body.formula)));
            }
        }
        let inverse: Vec<Affine3A> = bind.bones.iter().map(|place| affine(place).inverse()).collect();
        let mut ids = vec![None; skeleton.bones.len()];
        let mut parents = vec![None; skeleton.bones.len()];
        for &index in posing.order() {
            let Some(bone) = skeleton.bones.get(index).filter(|_| self.bones.get(index) == Some(&true))
            else {
                continue;
            };
            let parent = usize::try_from(bone.parent).ok();
            let pivot = bind.bones.get(index).map_or([0.0; 3], |place| place.translation);
            let over = parent.and_then(|parent| ids.get(parent).copied().flatten());
            let mut node = Node::new(bone.name.text().into_owned(), NodeKind::Bone, over, pivot);
            node.extras.set("torsoWeight", bone.torso_weight);
            let id = scene.nodes.push(node);
            if let Some(place) = ids.get_mut(index) {
                *place = Some(id);
            }
            if let Some(place) = parents.get_mut(index) {
                *place = parent;
            }
        }
        let mut tags = Vec::new();
        for (index, tag) in mesh.tags.iter().enumerate() {
            let bone = usize::try_from(tag.bone).ok().filter(|bone| *bone < skeleton.bones.len());
            let Some(bone) = bone else { continue };
            let whole = mesh.format.caps().contains(Caps::WHOLE);
            let own = skeleton.bones.get(bone).and_then(|bone| usize::try_from(bone.parent).ok());
            let carrier = if whole { own } else { Some(bone) };
            let over = carrier.and_then(|bone| ids.get(bone).copied().flatten());
            let node = Node::new(tag.name.text().into_owned(), NodeKind::Tag, over, [0.0; 3]);
            tags.push((index, carrier.filter(|_| over.is_some()), scene.nodes.push(node)));
        }
        let mut tracks: BTreeMap<Id<Node>, Motion> = BTreeMap::new();
        let mut pose = Pose::default();
        let mut times = Vec::with_capacity(keys.len());
        let moments = keys.iter().map(|key| (key.model, key.frame));
        let shown: Vec<(&Model, usize)> =
            if keys.is_empty() { vec![(skeleton, 0)] } else { moments.collect() };
        for (number, (model, frame)) in shown.into_iter().enumerate() {
            times.extend(keys.get(number).map(|key| key.time));
            let own = others.iter().find(|(other, _)| std::ptr::eq(*other, model)).map(|(_, own)| own);
            own.unwrap_or(&posing).pose_into(&Moment::still(model, frame), &mut pose)?;
            let world: Vec<Affine3A> =
                pose.bones.iter().zip(&inverse).map(|(place, inverse)| affine(place) * *inverse).collect();
            let local = |own: Affine3A, parent: Option<usize>| match parent.and_then(|bone| world.get(bone)) {
                Some(parent) => parent.inverse() * own,
                None => own,
            };
            for (index, id) in ids.iter().enumerate() {
                let (Some(id), Some(own)) = (id, world.get(index)) else { continue };
                let parent = parents.get(index).copied().flatten();
                let pivot = bind.bones.get(index).map_or(Vec3A::ZERO, |place| Vec3A::from(place.translation));
                tracks.entry(*id).or_default().push(local(*own, parent), pivot);
            }
            for (index, carrier, id) in &tags {
                let Some(found) = pose.tag(mesh, *index) else { continue };
                tracks.entry(*id).or_default().push(local(tag_matrix(&found), *carrier), Vec3A::ZERO);
            }
        }
        for (id, motion) in tracks {
            if let Some(node) = scene.nodes.get_mut(id) {
                motion.write(node, &times);
            }
        }
        Ok(ids)
    }
}

/// The keys of a node.
#[derive(Default)]
struct Motion {
    translations: Vec<[f32; 3]>,
    rotations: Vec<Rotation>,
}

impl Motion {
    /// Adds a local motion as translation and rotation about a pivot.
    fn push(&mut self, local: Affine3A, pivot: Vec3A) {
        let turn = Quat::from_mat3a(&local.matrix3);
        let mut turn = if turn.is_finite() { turn.normalize() } else { Quat::IDENTITY };
        // The shorter way to the key before.
        if let Some(Rotation(before)) = self.rotations.last()
            && Quat::from_array(*before).dot(turn) < 0.0
        {
            turn = -turn;
        }
        self.rotations.push(Rotation(turn.to_array()));
        let moved = local.translation - pivot + turn * pivot;
        self.translations.push(moved.to_array());
    }

    /// Writes tracks; what never changes becomes a fixed value.
    fn write(self, node: &mut Node, times: &[i32]) {
        let (Some(shift), Some(turn)) = (self.translations.first().copied(), self.rotations.first().copied())
        else {
            return;
        };
        node.translation = Animated::fixed(shift);
        node.rotation = Animated::fixed(turn);
        if times.is_empty() {
            return;
        }
        let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6);
        if !self.translations.iter().all(|other| near(other, &shift)) {
            node.translation.track = Some(Track::linear(times.to_vec(), self.translations, shift));
        }
        if !self.rotations.iter().all(|other| near(&other.0, &turn.0)) {
            node.rotation.track = Some(Track::linear(times.to_vec(), self.rotations, turn));
        }
    }
}

fn affine(place: &Place) -> Affine3A {
    let [x, y, z] = place.matrix.map(Vec3A::from);
    Affine3A { matrix3: Mat3A::from_cols(x, y, z).transpose(), translation: place.translation.into() }
}

/// Forward, left and up are the directions of a tag's X, Y and Z axes.
fn tag_matrix(tag: &TagPose) -> Affine3A {
    let [x, y, z] = tag.axes.map(|axis| Vec3A::from(axis).normalize_or_zero());
    Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation: tag.origin.into() }
}

fn surface_mesh(
    surface: &Surface,
    body: &Body<'_>,
    bind: &Bind,
    nodes: &[Option<Id<Node>>],
    scene: &mut Scene,
) -> Mesh {
    let mut mesh = Mesh::new(surface.name.text().into_owned());
    let mut skin = Skin::default();
    let mut known: BTreeMap<Vec<(i32, u32)>, u32> = BTreeMap::new();
    for vertex in &surface.vertices {
        mesh.positions.push(bind.position(&vertex.weights));
        let first = vertex.weights.first().and_then(|weight| usize::try_from(weight.bone).ok());
        let turned = first.and_then(|bone| bind.bones.get(bone)).map(|place| affine(place).matrix3);
        let normal = turned.map_or(Vec3A::from(vertex.normal), |turned| turned * Vec3A::from(vertex.normal));
        mesh.normals.push(normal.normalize_or_zero().to_array());
        let row: Vec<(i32, u32)> =
            vertex.weights.iter().map(|weight| (weight.bone, weight.weight.to_bits())).collect();
        let group = *known.entry(row).or_insert_with(|| {
            skin.push_group(vertex.weights.iter().filter(|weight| weight.weight > 0.0).filter_map(|weight| {
                let node =
                    usize::try_from(weight.bone).ok().and_then(|bone| nodes.get(bone).copied().flatten())?;
                Some(Influence { node, weight: weight.weight })
            }))
        });
        skin.vertex_groups.push(group);
    }
    mesh.skin = Some(skin);
    mesh.uvs = vec![surface.vertices.iter().map(|vertex| vertex.texcoord).collect()];
    let triangles = match body.detail {
        Some(share) => surface.collapsed(surface.drawn_vertices(share, false)),
        None => surface.triangles.clone(),
    };
    mesh.indices = triangles.into_iter().flatten().collect();
    flip_winding(&mut mesh.indices);
    mesh.material = Some(material(surface, body.skin, scene));
    mesh.extras.set("minLod", surface.min_lod);
    mesh
}

/// The shader that the skin names for a surface. The games compare the surface's name as it is with the skin's in lower case.
fn shader_of(surface: &Surface, skin: Option<&Shaders>) -> String {
    let name = surface.name.text();
    let listed = skin.and_then(|skin| skin.surfaces.iter().find(|(other, _)| *other == name));
    listed.map_or_else(|| surface.shader.text().into_owned(), |(_, shader)| shader.clone())
}

fn material(surface: &Surface, skin: Option<&Shaders>, scene: &mut Scene) -> Id<Material> {
    let path = shader_of(surface, skin);
    if let Some((id, _)) = scene.materials.iter().find(|(_, material)| material.name == path) {
        return id;
    }
    let texture = (!path.is_empty()).then(|| {
        scene.textures.push(Texture { path: path.clone(), replaceable: None, repeat: [true, true] })
    });
    let layer = Layer {
        blend: Blend::Opaque,
        textures: vec![LayerTexture { texture, ..LayerTexture::default() }],
        ..Layer::default()
    };
    scene.materials.push(Material { name: path, layers: vec![layer], ..Material::default() })
}

#[cfg(test)]
mod tests;

//! Attachments, events, cameras, lights and the collision mesh.

use super::tracks::flag;
use super::{Writer, short};
use crate::raise::table::{ATTACHMENTS, HELM};
use crate::raise::{extras, objects, portrait, timeline};
use effigy_m2::{Attachment, Camera, Event, Light, Track};
use effigy_scene::{Bounds, Extra, LightKind, NodeKind, ShapeKind};
use effigy_wire::Tag;
use std::collections::BTreeSet;

/// Attachments that every creature has: the ground, and where its name is.
const BASE: u32 = 19;
const NAME: u32 = 18;
/// Footprints of Warcraft III, and the event of a footfall.
const FOOTPRINT: &str = "FPT";
const FOOTFALL: Tag = Tag(*b"$FSD");

/// The words of an attachment of Warcraft III that say where it is, in lower case and in the order of letters: people write
/// `Hand First Right Ref` and `right hand ref`.
fn place_words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-'));
    let words = words.map(str::to_ascii_lowercase);
    let mut words: Vec<String> =
        words.filter(|word| !matches!(word.as_str(), "" | "ref" | "first")).collect();
    words.sort_unstable();
    words
}

/// The number of an attachment by its name: that of World of Warcraft, or that of Warcraft III.
pub(super) fn number(name: &str) -> Option<u32> {
    let own = |text: &str| {
        (0..64)
            .find(|id| effigy_m2::names::attachment(*id).is_some_and(|name| name.eq_ignore_ascii_case(text)))
    };
    let trimmed = name.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '-');
    let plain = trimmed.split(" - ").next().unwrap_or_default().trim();
    let words = place_words(plain);
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let known =
        || ATTACHMENTS.iter().find(|(_, known)| place_words(known) == words).map(|(number, _)| *number);
    // Weapons are held by hands.
    let hand = || has("weapon").then(|| if has("left") { 2 } else { 1 });
    known().or_else(|| own(plain)).or_else(hand)
}

impl Writer<'_> {
    pub(super) fn fixtures(&mut self) {
        self.attachments();
        self.events();
        self.lights();
        self.cameras();
        self.collision();
    }

    fn attachments(&mut self) {
        let scene = self.scene;
        let world = self.native || timeline::is_world(scene);
        let mut taken = BTreeSet::new();
        let mut left = Vec::new();
        let mut names = objects::kept(&mut self.objects.attachments);
        for source in scene.attachments.as_slice() {
            let entry = names.next();
            let id = if world { Some(source.number) } else { number(&source.name) };
            let id = id.filter(|id| self.native || taken.insert(*id));
            if let Some(entry) = entry {
                *entry = id.map(|id| effigy_m2::names::attachment(id).unwrap_or(&source.name).to_owned());
            }
            let Some(id) = id else {
                left.push(source.name.clone());
                continue;
            };
            let made = Attachment {
                id,
                bone: self.bones.of(source.node),
                position: source.position,
                animated: Track::constant(1, self.caps),
                ..Attachment::default()
            };
            self.model.attachments.push(made);
        }
        drop(names);
        if !left.is_empty() {
            let text = format!(
                "{} have no counterpart in World of Warcraft, or one that is taken: {}",
                left.len(),
                left.join(", ")
            );
            self.report.dropped("attachments", text);
        }
        let paths = scene.attachments.as_slice().iter().filter(|it| !it.path.is_empty()).count();
        if paths > 0 {
            self.report.dropped("attachments", format!("{paths} carry a model, which has no place"));
        }
        if self.native {
            return;
        }
        let top = self.top().unwrap_or(1.0);
        for (id, position) in [(BASE, [0.0; 3]), (NAME, [0.0, 0.0, top])] {
            if taken.insert(id) {
                let made = Attachment {
                    id,
                    position,
                    animated: Track::constant(1, self.caps),
                    ..Attachment::default()
                };
                self.model.attachments.push(made);
            }
        }
    }

    /// How high the model is at rest; none: it has no vertices.
    fn top(&self) -> Option<f32> {
        let meshes = self.scene.meshes.as_slice();
        let bounds = Bounds::around(meshes.iter().flat_map(|mesh| &mesh.positions));
        (!bounds.is_empty()).then_some(bounds.max[2])
    }

    fn events(&mut self) {
        let scene = self.scene;
        let world = self.native || timeline::is_world(scene);
        let mut left = BTreeSet::new();
        let mut objects = std::mem::take(&mut self.objects.events);
        let mut names = objects::kept(&mut objects);
        for source in scene.events.as_slice() {
            let id = match <[u8; 4]>::try_from(source.name.as_bytes()) {
                // In another game only the user can have called it so.
                Ok(letters) if world || source.name.starts_with('$') => Some(Tag(letters)),
                _ if source.name.starts_with(FOOTPRINT) => Some(FOOTFALL),
                _ => None,
            };
            if let Some(entry) = names.next() {
                *entry = id.map(|id| id.to_string());
            }
            let Some(id) = id else {
                left.insert(source.name.clone());
                continue;
            };
            let global = source.global.and_then(|id| i16::try_from(id.index()).ok());
            let made = Event {
                id,
                data: source.data,
                bone: u32::from(self.bones.of(source.node)),
                position: source.position,
                moments: self.moments(&source.times, global),
            };
            self.model.events.push(made);
        }
        drop(names);
        self.objects.events = objects;
        if !left.is_empty() {
            let names: Vec<&str> = left.iter().map(String::as_str).collect();
            let text = format!("{} belong to tables of another game: {}", names.len(), names.join(", "));
            self.report.dropped("events", text);
        }
    }

    fn lights(&mut self) {
        let scene = self.scene;
        let mut ambient = 0_usize;
        for source in scene.lights.as_slice() {
            ambient += usize::from(source.kind == LightKind::Ambient);
            let loose = scene.nodes.get(source.node).is_some_and(|node| node.kind == NodeKind::Helper);
            let bone = i16::try_from(self.bones.of(source.node)).unwrap_or(-1);
            let made = Light {
                kind: u16::from(source.kind != LightKind::Directional),
                // A light of an M2 without a bone has a node that never moves.
                bone: if self.native && loose { -1 } else { bone },
                position: source.position,
                ambient_color: self.track(&source.ambient_color, |value| value),
                ambient_intensity: self.track(&source.ambient_intensity, |value| value),
                diffuse_color: self.track(&source.color, |value| value),
                diffuse_intensity: self.track(&source.intensity, |value| value),
                attenuation_start: self.track(&source.attenuation_start, |value| value),
                attenuation_end: self.track(&source.attenuation_end, |value| value),
                visible: self.track(&source.visibility, flag),
            };
            self.model.lights.push(made);
        }
        if ambient > 0 {
            self.report
                .approximated("lights", format!("{ambient} that shine from everywhere shine from a point"));
        }
    }

    fn cameras(&mut self) {
        let scene = self.scene;
        for (index, source) in scene.cameras.as_slice().iter().enumerate() {
            let stored = extras::int(&source.extras, "kind").and_then(|kind| i32::try_from(kind).ok());
            let usual = if index == 0 { 0 } else { -1 };
            let near = if source.near > 0.0 || self.native { source.near } else { 0.1 };
            let made = Camera {
                kind: stored.filter(|_| self.native).unwrap_or(usual),
                fov: source.fov,
                near_clip: near,
                far_clip: if source.far > near || self.native { source.far } else { near * 1000.0 },
                position: source.position,
                target: source.target,
                position_track: self.vectors(source.translation.as_ref()),
                target_track: self.vectors(source.target_translation.as_ref()),
                roll: self.numbers(source.roll.as_ref()),
                ..Camera::default()
            };
            self.model.cameras.push(made);
            if source.extras.iter().any(|(name, _)| name != "kind") {
                self.report.dropped(format!("cameras[{index}]"), "tracks that only its own format has");
            }
        }
        let is_creature = scene.sequences.len() > 1;
        if let (true, true, false, Some(top)) =
            (scene.cameras.is_empty(), is_creature, self.native, self.top())
        {
            self.usual_cameras(top);
        }
    }

    /// The cameras that the game shows creatures with: in the corner of the screen, and in the window of a character.
    fn usual_cameras(&mut self, top: f32) {
        let attached = |id: u32| self.model.attachments.iter().find(|it| it.id == id).map(|it| it.position);
        let head = number("Head Ref").into_iter().chain([HELM]).find_map(attached);
        let far = [[top.max(1.0) * 2.2, 0.0, top / 2.0], [0.0, 0.0, top / 2.0]];
        for (kind, [position, target]) in [(0, portrait::at_head(top, head)), (1, far)] {
            self.model.cameras.push(Camera {
                kind,
                fov: portrait::FIELD,
                near_clip: (top * 0.05).max(0.01),
                far_clip: top.max(1.0) * 20.0,
                position,
                target,
                ..Camera::default()
            });
        }
        self.report.rebuilt("cameras", "those of the portrait and of the character window");
    }

    /// The collision mesh of the source, or boxes around its collision shapes.
    fn collision(&mut self) {
        let scene = self.scene;
        let (mut vertices, mut indices): (Vec<[f32; 3]>, Vec<u16>) = (Vec::new(), Vec::new());
        if let Some(Extra::Map(mesh)) = scene.extras.get("collisionMesh") {
            let scale = self.plan.scale;
            let points = extras::floats(mesh, "vertices").unwrap_or_default().as_chunks::<3>().0;
            vertices = points.iter().map(|point| point.map(|part| part * scale)).collect();
            let list = extras::ints(mesh, "indices").unwrap_or_default();
            indices = list.iter().map(|index| u16::try_from(*index).unwrap_or(u16::MAX)).collect();
        } else {
            for shape in scene.shapes.as_slice() {
                let pivot = scene.nodes.get(shape.node).map_or([0.0; 3], |node| node.pivot);
                let Some((low, high)) = corners(&shape.kind) else { continue };
                add_box(&mut vertices, &mut indices, pivot, low, high);
            }
            if !vertices.is_empty() {
                self.report.approximated("collision", "shapes became boxes that do not move");
            }
        }
        let count = vertices.len();
        let valid = |triangle: &&[u16; 3]| triangle.iter().all(|index| usize::from(*index) < count);
        let triangles: Vec<[u16; 3]> = indices.as_chunks::<3>().0.iter().filter(valid).copied().collect();
        if triangles.len().saturating_mul(3) < indices.len() || u16::try_from(count).is_err() {
            self.report
                .dropped("collision", "triangles with corners that do not exist, or too many vertices");
        }
        if triangles.is_empty() || u16::try_from(count).is_err() {
            return;
        }
        let point =
            |index: u16| glam::Vec3::from(vertices.get(usize::from(index)).copied().unwrap_or_default());
        let normal = |[a, b, c]: &[u16; 3]| {
            let (a, b, c) = (point(*a), point(*b), point(*c));
            (b - a).cross(c - a).normalize_or(glam::Vec3::Z).to_array()
        };
        let bounds = Bounds::around(&vertices);
        let ([ax, ay, az], [bx, by, bz]) = (bounds.min, bounds.max);
        self.model.collision_normals = triangles.iter().map(normal).collect();
        self.model.collision_triangles = triangles.as_flattened().into();
        self.model.collision_bounds = [ax, ay, az, bx, by, bz];
        self.model.collision_radius = bounds.size() / 2.0;
        self.model.collision_vertices = vertices.into();
    }
}

/// The box around a shape.
fn corners(kind: &ShapeKind) -> Option<([f32; 3], [f32; 3])> {
    Some(match kind {
        ShapeKind::Box { min, max } => (*min, *max),
        ShapeKind::Sphere { center: [x, y, z], radius } => {
            ([x - radius, y - radius, z - radius], [x + radius, y + radius, z + radius])
        }
        ShapeKind::Cylinder { base: [x, y, z], height, radius } => {
            ([x - radius, y - radius, *z], [x + radius, y + radius, z + height])
        }
        ShapeKind::Plane { .. } => return None,
    })
}

fn add_box(
    vertices: &mut Vec<[f32; 3]>,
    indices: &mut Vec<u16>,
    pivot: [f32; 3],
    low: [f32; 3],
    high: [f32; 3],
) {
    /// Two triangles for each side, seen from outside.
    const SIDES: [[u16; 3]; 12] = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let first = short(vertices.len());
    for corner in 0..8_u8 {
        let part = |axis: usize| {
            let side = if corner >> axis & 1 == 1 { high } else { low };
            side.get(axis).copied().unwrap_or(0.0) + pivot.get(axis).copied().unwrap_or(0.0)
        };
        vertices.push([part(0), part(1), part(2)]);
    }
    indices.extend(SIDES.as_flattened().iter().map(|index| index.saturating_add(first)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attachments_have_the_numbers_of_the_game() {
        for (name, expected) in [
            ("Origin Ref", Some(19)),
            ("OverHead Ref", Some(18)),
            ("Hand Right Ref", Some(1)),
            ("Hand Left", Some(2)),
            ("Weapon Left Ref", Some(2)),
            ("Chest Ref - 2", Some(34)),
            ("SpellLeftHand", Some(21)),
            ("Sprite First Ref", None),
            // Of ports, and of people who write them in their own way.
            ("Hand First Right Ref", Some(1)),
            ("Hand First Left Ref", Some(2)),
            ("right hand ref", Some(1)),
            ("REF_HAND_LEFT", Some(2)),
            ("Left Foot Ref", Some(47)),
            ("Hand Second Left Ref", Some(0)),
            ("Hand Second Right Ref", None),
            ("First Ref", None),
            ("", None),
        ] {
            assert_eq!(number(name), expected, "{name}");
        }
    }

    #[test]
    fn the_sides_of_a_box_look_outwards() {
        let (mut vertices, mut indices) = (Vec::new(), Vec::new());
        add_box(&mut vertices, &mut indices, [5.0, 0.0, 0.0], [-1.0; 3], [1.0; 3]);
        assert_eq!((vertices.len(), indices.len()), (8, 36));
        for triangle in indices.as_chunks::<3>().0 {
            let [a, b, c] = triangle.map(|index| glam::Vec3::from(vertices[usize::from(index)]));
            let middle = (a + b + c) / 3.0 - glam::Vec3::new(5.0, 0.0, 0.0);
            assert!((b - a).cross(c - a).dot(middle) > 0.0, "{triangle:?}");
        }
    }
}

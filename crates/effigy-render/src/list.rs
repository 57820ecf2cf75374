//! The list of draws of a picture: meshes, particles and ribbons in the games' order.
//!
//! Warcraft III draws opaque meshes first (by kind of the first layer, priority plane, file order), then everything
//! see-through by priority plane; at the same plane meshes come before particles and particles before ribbons. All
//! layers of a mesh stay together: a mesh with an opaque first layer keeps its blended layers in the opaque part, which
//! is how team colour shows through a skin. World of Warcraft differs in which layers write depth and are lit.

use crate::model::{BLACK, FIRST, FLAT_NORMAL, NO_ORM, WHITE};
use crate::pipelines::{Key, Mix, Vertex};
use crate::stage::Stage;
use crate::uniforms::{COVERS, Draw, SPHERE_BASE, SPHERE_SECOND};
use effigy_scene::sample::{LayerPose, MeshPose, TexturePose, View};
use effigy_scene::{Blend, Coordinates, Layer, Material, Mesh, NodeRule, Role, Scene};
use std::ops::Range;

/// Alpha from which a layer counts as not fading.
const SOLID: f32 = 0.99;
/// Positions farther out than this are as bad as no number.
const FARTHEST: f32 = 1e12;

/// A texture with its sampler: bit 0 repeats in u, bit 1 in v.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) texture: usize,
    pub(crate) repeat: u8,
}

impl Slot {
    const fn made(texture: usize) -> Self {
        Self { texture, repeat: 3 }
    }
}

/// The textures of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Binding {
    /// Base and second.
    Plain([Slot; 2]),
    /// Base, normal, ORM, emissive, team.
    Physical([Slot; 5]),
}

/// One draw.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) order: Order,
    pub(crate) key: Key,
    pub(crate) binding: Binding,
    pub(crate) draw: Draw,
    pub(crate) indices: Range<u32>,
}

/// See-through or not; then what decides among those, the most important first.
pub(crate) type Order = (bool, i64, i64, i64, usize);

/// All draws of a picture.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) indices: Vec<u32>,
    pub(crate) items: Vec<Item>,
    /// Triangles left out because a corner is nowhere.
    pub(crate) lost: usize,
}

fn class(blend: Blend) -> i64 {
    match blend {
        Blend::Opaque => 1,
        Blend::AlphaKey => 2,
        Blend::Alpha => 3,
        _ => 4,
    }
}

fn narrow(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

pub(crate) fn sound(point: &[f32; 3]) -> bool {
    point.iter().all(|value| value.abs() < FARTHEST)
}

impl List {
    /// Everything that shows at the stage's moment.
    pub(crate) fn new(stage: &Stage<'_>, view: &View) -> Self {
        let mut list = Self::default();
        let scene = stage.scene();
        for ((index, mesh), pose) in scene.meshes.as_slice().iter().enumerate().zip(stage.pose().meshes()) {
            if stage.draws(mesh) && pose.visible {
                list.mesh(scene, index, mesh, pose);
            }
        }
        list.particles(stage, view);
        list.ribbons(stage);
        list.items.retain(|item| !item.indices.is_empty());
        list.items.sort_by_key(|item| item.order);
        list
    }

    fn mesh(&mut self, scene: &Scene, index: usize, mesh: &Mesh, pose: &MeshPose) {
        let indices = self.triangles(mesh, pose);
        let bare = Material { layers: vec![Layer::default()], ..Material::default() };
        let bare_pose = [LayerPose { color: pose.color, visible: true, ..LayerPose::default() }];
        let (material, layers) = match mesh.material.and_then(|id| scene.materials.get(id)) {
            Some(material) => (material, pose.layers.as_slice()),
            None => (&bare, bare_pose.as_slice()),
        };
        let mut first = None;
        for (layer, posed) in material.layers.iter().zip(layers) {
            if !posed.visible {
                continue;
            }
            let style = Style::new(scene.node_rule, layer, posed.color[3]);
            let (see_through, lead) = *first.get_or_insert((style.see_through, class(style.blend)));
            let priority = i64::from(material.priority);
            let order = if see_through {
                (true, priority, 0, if scene.node_rule == NodeRule::Warcraft { lead } else { 0 }, index)
            } else {
                (false, lead, priority, 0, index)
            };
            let (binding, draw) = look(scene, material, layer, posed, &style);
            let key = Key {
                physical: material.physical,
                lit: style.lit,
                flip_back: style.lit && style.flip_back,
                sphere: is_sphere(&draw),
                second: has_second(layer) && !material.physical,
                mix: Mix::Color(style.blend),
                two_sided: layer.two_sided,
                depth_test: !layer.no_depth_test,
                depth_write: style.depth_write,
            };
            if style.fades && scene.node_rule == NodeRule::Warcraft && !layer.no_depth_write {
                let key = Key { mix: Mix::DepthOnly, depth_write: true, ..key };
                self.items.push(Item { order, key, binding, draw, indices: indices.clone() });
            }
            self.items.push(Item { order, key, binding, draw, indices: indices.clone() });
        }
    }

    /// Adds the triangles of a mesh and says where they are.
    fn triangles(&mut self, mesh: &Mesh, pose: &MeshPose) -> Range<u32> {
        let offset = narrow(self.vertices.len());
        let start = narrow(self.indices.len());
        let set = |number: usize, vertex: usize| -> [f32; 2] {
            mesh.uvs.get(number).and_then(|set| set.get(vertex)).copied().unwrap_or_default()
        };
        let mut all_sound = true;
        for (vertex, position) in pose.positions.iter().enumerate() {
            all_sound &= sound(position);
            self.vertices.push(Vertex {
                position: *position,
                normal: pose.normals.get(vertex).copied().unwrap_or_default(),
                uvs: [set(0, vertex), set(1, vertex)],
                color: [255; 4],
            });
        }
        for triangle in mesh.indices.as_chunks::<3>().0 {
            let is_sound = |index: &u32| pose.positions.get(*index as usize).is_some_and(sound);
            if all_sound || triangle.iter().all(is_sound) {
                self.indices.extend(triangle.map(|index| index.saturating_add(offset)));
            } else {
                self.lost += 1;
            }
        }
        start..narrow(self.indices.len())
    }

    /// Adds a rectangle of four corners.
    pub(crate) fn quad(&mut self, corners: [Vertex; 4]) {
        if corners.iter().all(|corner| sound(&corner.position)) {
            let at = narrow(self.vertices.len());
            self.vertices.extend(corners);
            self.indices.extend([0, 1, 2, 0, 2, 3].map(|index| at.saturating_add(index)));
        } else {
            self.lost += 2;
        }
    }
}

/// How a layer is drawn at a moment.
pub(crate) struct Style {
    pub(crate) blend: Blend,
    pub(crate) see_through: bool,
    pub(crate) depth_write: bool,
    /// An opaque or keyed layer that is partly faded out.
    fades: bool,
    lit: bool,
    flip_back: bool,
    covers: bool,
    tests: [f32; 2],
}

impl Style {
    pub(crate) fn new(rule: NodeRule, layer: &Layer, alpha: f32) -> Self {
        let solid = matches!(layer.blend, Blend::Opaque | Blend::AlphaKey);
        let fades = solid && alpha < SOLID;
        let blend = if fades { Blend::Alpha } else { layer.blend };
        let multiplies = matches!(layer.blend, Blend::Modulate | Blend::Modulate2x);
        let writes = match rule {
            NodeRule::Warcraft => solid,
            NodeRule::World => true,
        };
        Self {
            blend,
            see_through: !solid || fades,
            depth_write: writes && !layer.no_depth_write,
            fades,
            lit: !layer.unlit && (rule == NodeRule::Warcraft || !multiplies),
            flip_back: rule == NodeRule::World && layer.two_sided,
            covers: layer.blend == Blend::Opaque || (solid && !fades),
            // The key looks at the texel alone, so a fading leaf keeps its outline.
            tests: match layer.blend {
                Blend::Opaque => [0.0, 0.0],
                Blend::AlphaKey => [0.0, layer.alpha_test],
                _ => [layer.alpha_test, 0.0],
            },
        }
    }
}

pub(crate) fn has_second(layer: &Layer) -> bool {
    layer.textures.iter().any(|texture| texture.role == Role::Second)
}

pub(crate) fn is_sphere(draw: &Draw) -> bool {
    let [flags, ..] = draw.flags;
    flags & (SPHERE_BASE | SPHERE_SECOND) != 0
}

fn slot(scene: &Scene, pose: Option<&TexturePose>, missing: usize) -> Slot {
    let Some(id) = pose.and_then(|pose| pose.texture) else { return Slot::made(missing) };
    match scene.textures.get(id) {
        Some(texture) => {
            let [u, v] = texture.repeat.map(u8::from);
            Slot { texture: FIRST + id.index(), repeat: u | v << 1 }
        }
        None => Slot::made(missing),
    }
}

fn rows(matrix: [[f32; 3]; 2], set: u32) -> [[f32; 4]; 2] {
    let [[a, b, c], [d, e, f]] =
        matrix.map(|row| row.map(|value| if value.is_finite() { value } else { 0.0 }));
    [[a, b, c, if set == 1 { 1.0 } else { 0.0 }], [d, e, f, 0.0]]
}

/// Textures and numbers of a layer.
pub(crate) fn look(
    scene: &Scene,
    material: &Material,
    layer: &Layer,
    posed: &LayerPose,
    style: &Style,
) -> (Binding, Draw) {
    let of = |role: Role| {
        let at = layer.textures.iter().position(|texture| texture.role == role)?;
        Some((layer.textures.get(at)?, posed.textures.get(at)?))
    };
    let pose_of = |role: Role| of(role).map(|(_, pose)| pose);
    let mut draw =
        Draw { color: posed.color.map(|c| if c.is_finite() { c } else { 1.0 }), ..Draw::default() };
    let [tint @ .., alpha] = &mut draw.color;
    tint.iter_mut().for_each(|channel| *channel = channel.clamp(0.0, 1.0));
    *alpha = alpha.clamp(0.0, 1.0);
    let mut flags = if style.covers { COVERS } else { 0 };
    let mut coordinates = |role: Role, sphere: u32| match of(role) {
        Some((texture, pose)) => match texture.coordinates {
            Coordinates::Sphere => {
                flags |= sphere;
                rows(pose.matrix, 0)
            }
            Coordinates::Set(set) => rows(pose.matrix, set),
        },
        None => Draw::default().base,
    };
    draw.base = coordinates(Role::Base, SPHERE_BASE);
    draw.second = coordinates(Role::Second, SPHERE_SECOND);
    let gain = if posed.emissive_gain.is_finite() { posed.emissive_gain } else { 0.0 };
    let [total, texel] = style.tests;
    draw.tests = [total, texel, gain, 0.0];
    let base = slot(scene, pose_of(Role::Base), WHITE);
    let binding = if material.physical {
        Binding::Physical([
            base,
            slot(scene, pose_of(Role::Normal), FLAT_NORMAL),
            slot(scene, pose_of(Role::Orm), NO_ORM),
            slot(scene, pose_of(Role::Emissive), BLACK),
            slot(scene, pose_of(Role::TeamColor), BLACK),
        ])
    } else {
        let second = pose_of(Role::Second);
        Binding::Plain([base, slot(scene, second, WHITE)])
    };
    draw.flags = [flags, 0, 0, 0];
    (binding, draw)
}

//! The list of draws of a picture: meshes, particles and ribbons in the games' order.
//!
//! Warcraft III draws opaque meshes first (by kind of the first layer, priority plane, file order), then everything
//! transparent by priority plane; in the same plane meshes come before particles and particles before ribbons. All
//! layers of a mesh stay together: a mesh with an opaque first layer keeps its blended layers in the opaque part, which
//! is how team colour shows through a skin. World of Warcraft differs in which layers write depth and are lit, and from
//! Wrath on draws transparent meshes of one plane from far to near.

pub(crate) use crate::geometry::sound;
use crate::geometry::{Geometries, Geometry, Motion, Paint, Point, sound_matrix};
use crate::pipelines::{Key, Mix};
use crate::stage::Stage;
use crate::style::{Style, has_second, is_sphere, joins, look};
use crate::uniforms::Draw;
use crate::{Gpu, geometry};
use effigy_scene::sample::{LayerPose, MeshPose, View};
use effigy_scene::{Blend, Layer, Material, Mesh, NodeRule, SortPoint};
use effigy_wire::Result;
use glam::Vec3;
use std::ops::Range;
use std::sync::Arc;

/// A texture with its sampler: bit 0 repeats in u, bit 1 in v.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) texture: usize,
    pub(crate) repeat: u8,
}

impl Slot {
    pub(crate) const fn made(texture: usize) -> Self {
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

/// A mesh as it is at the moment.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) geometry: Arc<Geometry>,
    pub(crate) frames: [Arc<geometry::Frame>; 2],
    /// Its triangles: all of them, or those in the list's own indices.
    pub(crate) own: bool,
    indices: Range<u32>,
    /// Its first matrix.
    matrices: u32,
    /// Interpolation from its first frame (0) to the second (1).
    mixed: f32,
}

/// One draw.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) order: Order,
    pub(crate) key: Key,
    pub(crate) binding: Binding,
    pub(crate) draw: Draw,
    /// Which of the shown meshes; none: vertices and indices are the list's own.
    pub(crate) mesh: Option<usize>,
    pub(crate) indices: Range<u32>,
}

/// Transparent or not; then the other criteria, the most important first.
pub(crate) type Order = (bool, i64, i64, i64, usize);

/// All draws of a picture.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Vertices of particles and ribbons.
    pub(crate) points: Vec<Point>,
    pub(crate) paint: Vec<Paint>,
    pub(crate) indices: Vec<u32>,
    pub(crate) meshes: Vec<Shown>,
    /// The matrices that vertices of meshes follow.
    pub(crate) matrices: Vec<[[f32; 4]; 3]>,
    pub(crate) items: Vec<Item>,
    /// Triangles left out because a vertex is not finite, or out of range.
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

/// Far is less than near. Equal positions give equal numbers, so that layers in one plane never change their order.
fn nearness(stage: &Stage, sort: &SortPoint, view: &View) -> i64 {
    let place = Vec3::from(stage.pose().point(sort.node, sort.point));
    let [x, ..] = stage.pose().matrix(sort.node);
    let scale = Vec3::new(x[0], x[1], x[2]).length();
    let distance = (place.distance(Vec3::from(view.eye)) + sort.shift * scale).max(0.0);
    // The bits of positive numbers, read as an integer, have the same order as the numbers.
    -i64::from(distance.to_bits())
}

fn narrow(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl List {
    /// Everything that is visible at the stage's moment.
    pub(crate) fn new(gpu: &Gpu, known: &Geometries, stage: &Stage, view: &View) -> Result<Self> {
        let mut list = Self::default();
        for ((id, mesh), pose) in stage.scene().meshes.iter().zip(stage.pose().meshes()) {
            let index = id.index();
            if stage.draws(id, mesh) && pose.visible {
                let shown = list.show(gpu, known.get(gpu, index, mesh)?, stage, mesh)?;
                list.mesh(stage, view, index, mesh, pose, shown);
            }
        }
        list.particles(stage, view);
        list.ribbons(stage);
        list.items.retain(|item| !item.indices.is_empty());
        list.items.sort_by_key(|item| item.order);
        Ok(list)
    }

    /// What moves a mesh at the moment, and which of its triangles are finite and in range.
    fn show(&mut self, gpu: &Gpu, geometry: Arc<Geometry>, stage: &Stage, mesh: &Mesh) -> Result<Shown> {
        let first = self.matrices.len();
        stage.sampler().groups(mesh, stage.pose(), &mut self.matrices);
        let mixed = stage.sampler().mixed(mesh, stage.pose()).unwrap_or_default();
        let from = geometry.frame(gpu, mesh, mixed.from)?;
        let to =
            if mixed.to == mixed.from { Arc::clone(&from) } else { geometry.frame(gpu, mesh, mixed.to)? };
        let groups = self.matrices.get(first..).unwrap_or(&[]);
        let good: Vec<bool> = groups.iter().map(|matrix| sound_matrix(matrix, geometry.extent)).collect();
        self.lost += geometry.lost;
        let mut shown = Shown {
            indices: 0..geometry.count,
            frames: [from, to],
            geometry,
            own: false,
            matrices: narrow(first),
            mixed: mixed.t,
        };
        if good.contains(&false) || shown.frames.iter().any(|frame| !frame.sound) {
            let places =
                mesh.morph.as_ref().map(|morph| [mixed.from, mixed.to].map(|at| morph.frames.get(at)));
            let is_sound = |vertex: &u32| {
                let vertex = *vertex as usize;
                let group = mesh.skin.as_ref().and_then(|skin| skin.vertex_groups.get(vertex));
                let follows = group.is_none_or(|group| good.get(*group as usize).copied().unwrap_or(true));
                match &places {
                    Some(frames) => {
                        frames.iter().flatten().all(|frame| frame.positions.get(vertex).is_some_and(sound))
                    }
                    None => follows && mesh.positions.get(vertex).is_some_and(sound),
                }
            };
            let start = narrow(self.indices.len());
            let (triangles, _) = mesh.indices.as_chunks::<3>();
            self.indices.extend(triangles.iter().filter(|it| it.iter().all(is_sound)).flatten());
            shown.indices = start..narrow(self.indices.len());
            let kept = shown.indices.len() / 3;
            self.lost += (triangles.len() - kept).saturating_sub(shown.geometry.lost);
            shown.own = true;
        }
        Ok(shown)
    }

    fn mesh(&mut self, stage: &Stage, view: &View, index: usize, mesh: &Mesh, pose: &MeshPose, shown: Shown) {
        let scene = stage.scene();
        let bare = Material { layers: vec![Layer::default()], ..Material::default() };
        let bare_pose = [LayerPose { color: pose.color, visible: true, ..LayerPose::default() }];
        let (material, layers) = match mesh.material.and_then(|id| scene.materials.get(id)) {
            Some(material) => (material, pose.layers.as_slice()),
            None => (&bare, bare_pose.as_slice()),
        };
        let nearness = mesh.sort.map_or(0, |sort| nearness(stage, &sort, view));
        let mut first = None;
        let at = Some(self.meshes.len());
        for (layer, posed) in material.layers.iter().zip(layers) {
            if !posed.visible {
                continue;
            }
            let style = Style::new(scene.node_rule, layer, posed.color[3]);
            let (see_through, lead) = *first.get_or_insert((style.see_through, class(style.blend)));
            let priority = i64::from(material.priority);
            let order = if see_through {
                (
                    true,
                    priority,
                    0,
                    if scene.node_rule == NodeRule::Warcraft { lead } else { nearness },
                    index,
                )
            } else {
                (false, lead, priority, 0, index)
            };
            let (binding, mut draw) = look(scene, material, layer, posed, &style);
            draw.follow(shown.matrices, shown.mixed);
            let key = Key {
                motion: Motion::of(mesh),
                physical: material.physical,
                lit: style.lit,
                flip_back: style.lit && style.flip_back,
                sphere: is_sphere(&draw),
                second: has_second(layer) && !material.physical,
                joins: joins(layer),
                mix: Mix::Color(style.blend),
                tested: draw.is_tested(),
                two_sided: layer.two_sided,
                depth_test: !layer.no_depth_test,
                depth_write: style.depth_write,
            };
            if style.fades && scene.node_rule == NodeRule::Warcraft && !layer.no_depth_write {
                let key = Key { mix: Mix::DepthOnly, depth_write: true, ..key };
                self.items.push(Item { order, key, binding, draw, mesh: at, indices: shown.indices.clone() });
            }
            self.items.push(Item { order, key, binding, draw, mesh: at, indices: shown.indices.clone() });
        }
        self.meshes.push(shown);
    }

    /// Adds a rectangle of four vertices.
    pub(crate) fn quad(&mut self, corners: [(Point, Paint); 4]) {
        if corners.iter().all(|(point, _)| sound(&point.position)) {
            let at = narrow(self.points.len());
            for (point, paint) in corners {
                self.points.push(point);
                self.paint.push(paint);
            }
            self.indices.extend([0, 1, 2, 0, 2, 3].map(|index| at.saturating_add(index)));
        } else {
            self.lost += 2;
        }
    }
}

//! Lines that explain a model: bones, attachments, shapes, bounds, normals, edges, a grid.

use crate::draw_style::{Marked, Overlays};
use crate::geometry::sound;
use crate::pipelines::LineVertex;
use crate::stage::Stage;
use effigy_scene::sample::Pose;
use effigy_scene::{Bounds, Id, Node, Shape, ShapeKind};
use glam::Vec3;

const BONES: [u8; 4] = [255, 196, 64, 255];
const ATTACHMENTS: [u8; 4] = [64, 224, 255, 255];
const SHAPES: [u8; 4] = [255, 96, 200, 255];
const BOUNDS: [u8; 4] = [120, 255, 120, 255];
const NORMALS: [u8; 4] = [110, 160, 255, 255];
const EDGES: [u8; 4] = [255, 255, 255, 120];
const GRID: [u8; 4] = [160, 160, 160, 90];
const MARKED: [u8; 4] = [255, 140, 0, 255];
/// Lines at most, of all overlays together.
const MOST: usize = 2_000_000;

/// Lines that nearer surfaces hide, and lines over everything.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) inside: Vec<LineVertex>,
    pub(crate) over: Vec<LineVertex>,
}

fn line(into: &mut Vec<LineVertex>, from: Vec3, to: Vec3, color: [u8; 4]) {
    let ends = [from.to_array(), to.to_array()];
    if into.len() < MOST * 2 && ends.iter().all(sound) {
        into.extend(ends.map(|position| LineVertex { position, color }));
    }
}

fn box_lines(into: &mut Vec<LineVertex>, bounds: &Bounds, color: [u8; 4], place: &dyn Fn(Vec3) -> Vec3) {
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    let corner = |x: bool, y: bool, z: bool| {
        place(Vec3::new(
            if x { max.x } else { min.x },
            if y { max.y } else { min.y },
            if z { max.z } else { min.z },
        ))
    };
    for a in [false, true] {
        for b in [false, true] {
            line(into, corner(false, a, b), corner(true, a, b), color);
            line(into, corner(a, false, b), corner(a, true, b), color);
            line(into, corner(a, b, false), corner(a, b, true), color);
        }
    }
}

fn circle(into: &mut Vec<LineVertex>, color: [u8; 4], at: &dyn Fn(f32, f32) -> Vec3) {
    let point = |step: u8| {
        let (sin, cos) = (f32::from(step) / 32.0 * std::f32::consts::TAU).sin_cos();
        at(cos, sin)
    };
    for step in 0..32 {
        line(into, point(step), point(step + 1), color);
    }
}

impl Lines {
    pub(crate) fn new(stage: &Stage, wanted: &Overlays) -> Self {
        let mut lines = Self::default();
        if *wanted == Overlays::default() {
            return lines;
        }
        let scene = stage.scene();
        let mut pose = stage.pose().clone();
        stage.sampler().skin(&mut pose);
        let bounds =
            Bounds::around(pose.meshes().iter().flat_map(|mesh| &mesh.positions).filter(|p| sound(p)));
        let size = if bounds.is_empty() { 100.0 } else { bounds.size() };
        if wanted.grid {
            lines.grid(size);
        }
        if wanted.bounds {
            let stated = if scene.bounds.is_empty() { bounds } else { scene.bounds };
            box_lines(&mut lines.inside, &stated, BOUNDS, &|point| point);
        }
        let at = |node: Id<Node>, point: Vec3| Vec3::from(pose.point(node, point.into()));
        if wanted.bones {
            for (id, node) in scene.nodes.iter() {
                if let Some((parent_id, parent)) = node.parent.and_then(|id| Some((id, scene.nodes.get(id)?)))
                {
                    let (from, to) = (at(parent_id, parent.pivot.into()), at(id, node.pivot.into()));
                    line(&mut lines.over, from, to, BONES);
                }
            }
        }
        if wanted.attachments {
            for attachment in scene.attachments.as_slice() {
                let middle = Vec3::from(attachment.position);
                for axis in Vec3::AXES {
                    let arm = axis * size * 0.02;
                    let ends = [middle - arm, middle + arm].map(|point| at(attachment.node, point));
                    line(&mut lines.over, ends[0], ends[1], ATTACHMENTS);
                }
            }
        }
        if wanted.collision {
            for shape in scene.shapes.as_slice() {
                lines.shape(stage, shape, SHAPES);
            }
        }
        for ((id, mesh), posed) in scene.meshes.iter().zip(pose.meshes()) {
            if !posed.visible || !stage.draws(id, mesh) {
                continue;
            }
            let point = |index: u32| posed.positions.get(index as usize).map(|point| Vec3::from(*point));
            if wanted.wireframe {
                for [a, b, c] in mesh.indices.as_chunks::<3>().0 {
                    if let (Some(a), Some(b), Some(c)) = (point(*a), point(*b), point(*c)) {
                        line(&mut lines.inside, a, b, EDGES);
                        line(&mut lines.inside, b, c, EDGES);
                        line(&mut lines.inside, c, a, EDGES);
                    }
                }
            }
            if wanted.normals {
                for (position, normal) in posed.positions.iter().zip(&posed.normals) {
                    let from = Vec3::from(*position);
                    line(&mut lines.inside, from, from + Vec3::from(*normal) * size * 0.02, NORMALS);
                }
            }
        }
        if let Some(marked) = wanted.marked {
            lines.mark(stage, &pose, marked, size);
        }
        lines
    }

    /// Lines that show which part of the model is marked. A mesh is marked even if it is not visible.
    fn mark(&mut self, stage: &Stage, pose: &Pose, marked: Marked, size: f32) {
        let scene = stage.scene();
        let point = match marked {
            Marked::Mesh(id) => {
                let (Some(mesh), Some(posed)) = (scene.meshes.get(id), pose.mesh(id)) else { return };
                let point = |index: u32| posed.positions.get(index as usize).map(|point| Vec3::from(*point));
                for [a, b, c] in mesh.indices.as_chunks::<3>().0 {
                    if let (Some(a), Some(b), Some(c)) = (point(*a), point(*b), point(*c)) {
                        for (from, to) in [(a, b), (b, c), (c, a)] {
                            line(&mut self.inside, from, to, MARKED);
                        }
                    }
                }
                return;
            }
            Marked::Shape(id) => {
                if let Some(shape) = scene.shapes.get(id) {
                    self.shape(stage, shape, MARKED);
                }
                return;
            }
            Marked::Node(id) => scene.nodes.get(id).map(|node| (id, node.pivot)),
            Marked::Attachment(id) => scene.attachments.get(id).map(|it| (it.node, it.position)),
            Marked::Light(id) => scene.lights.get(id).map(|it| (it.node, it.position)),
            Marked::Emitter(id) => scene.emitters.get(id).map(|it| (it.node, it.position)),
            Marked::Ribbon(id) => scene.ribbons.get(id).map(|it| (it.node, it.position)),
        };
        let Some((node, position)) = point else { return };
        let middle = Vec3::from(pose.point(node, position));
        for axis in Vec3::AXES {
            line(&mut self.over, middle - axis * size * 0.04, middle + axis * size * 0.04, MARKED);
        }
        if matches!(marked, Marked::Node(_)) {
            for (id, child) in scene.nodes.iter().filter(|(_, child)| child.parent == Some(node)) {
                line(&mut self.over, middle, Vec3::from(pose.point(id, child.pivot)), MARKED);
            }
        }
    }

    /// Squares on the ground whose side is a round number near a tenth of the model.
    fn grid(&mut self, size: f32) {
        let step = 10.0_f32.powf((size / 8.0).clamp(1e-3, 1e9).log10().round());
        let reach = step * 10.0;
        for number in -10_i8..=10 {
            let at = f32::from(number) * step;
            line(&mut self.inside, Vec3::new(at, -reach, 0.0), Vec3::new(at, reach, 0.0), GRID);
            line(&mut self.inside, Vec3::new(-reach, at, 0.0), Vec3::new(reach, at, 0.0), GRID);
        }
    }

    fn shape(&mut self, stage: &Stage, shape: &Shape, color: [u8; 4]) {
        let lines = &mut self.over;
        let pivot = stage.scene().nodes.get(shape.node).map_or(Vec3::ZERO, |node| node.pivot.into());
        let place = |point: Vec3| Vec3::from(stage.pose().point(shape.node, (point + pivot).into()));
        match shape.kind {
            ShapeKind::Box { min, max } => {
                box_lines(lines, &Bounds { min, max, radius: 0.0 }, color, &place);
            }
            ShapeKind::Sphere { center, radius } => {
                let middle = Vec3::from(center);
                for (x, y) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
                    circle(lines, color, &|a, b| place(middle + (x * a + y * b) * radius));
                }
            }
            ShapeKind::Cylinder { base, height, radius } => {
                let base = Vec3::from(base);
                for z in [0.0, height] {
                    let middle = base + Vec3::Z * z;
                    circle(lines, color, &|a, b| place(middle + (Vec3::X * a + Vec3::Y * b) * radius));
                }
                for side in [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y] {
                    let foot = base + side * radius;
                    line(lines, place(foot), place(foot + Vec3::Z * height), color);
                }
            }
            ShapeKind::Plane { length, width } => {
                let half = Vec3::new(length / 2.0, width / 2.0, 0.0);
                let flat = Bounds { min: (-half).into(), max: half.into(), radius: 0.0 };
                box_lines(lines, &flat, color, &place);
            }
        }
    }
}

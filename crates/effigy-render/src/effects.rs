//! Particles and ribbons as triangles of the draw list.

use crate::geometry::{Motion, NO_COLOR, Paint, Point};
use crate::list::{Binding, Item, List, Slot};
use crate::model::{FIRST, WHITE};
use crate::pipelines::{Key, Mix};
use crate::stage::Stage;
use crate::style::{Style, has_second, is_sphere, joins, look};
use crate::textures::byte;
use crate::uniforms::Draw;
use effigy_scene::sample::{LayerPose, Quad, Ribbons, TexturePose, View, texture_matrix};
use effigy_scene::{Blend, Combine, Id, Layer, LayerTexture, NodeRule, ParticleEmitter, Ribbon};
use glam::Vec3;

/// Keyed particles: the games' threshold for cut-outs.
const KEY_TEST: f32 = 192.0 / 255.0;
/// Blended particles.
const BLEND_TEST: f32 = 4.0 / 255.0;

/// The normal of flat particles, and of everything that is never lit.
const UP: [f32; 3] = [0.0, 0.0, 1.0];

fn color_mark(color: [f32; 4]) -> u32 {
    u32::from_le_bytes(color.map(|channel| byte(channel.clamp(0.0, 1.0))))
}

/// A vertex that no matrix moves.
fn corner(position: [f32; 3], normal: [f32; 3], uv: [f32; 2], mark: u32) -> (Point, Paint) {
    (Point { position, normal }, Paint { uvs: [uv, uv], mark })
}

/// Squared distance along the view, for sorting; larger is nearer.
fn nearness(quad: &Quad, view: &View) -> f32 {
    quad.corners.iter().map(|corner| Vec3::from(*corner).dot(Vec3::from(view.back))).sum()
}

impl List {
    pub(crate) fn particles(&mut self, stage: &Stage, view: &View) {
        let mut quads = Vec::new();
        for (id, emitter) in stage.scene().emitters.iter() {
            if stage.hidden().emitters.contains(&id) {
                continue;
            }
            let index = id.index();
            quads.clear();
            stage.particles().quads(emitter, index, stage.pose(), view, &mut quads);
            if emitter.sort {
                quads.sort_by(|a, b| nearness(a, view).total_cmp(&nearness(b, view)));
            }
            // Particles are lit as if they faced the viewer, flat ones as if they faced upwards.
            let normal = if emitter.flat { UP } else { view.back };
            let start = self.next_index();
            for quad in &quads {
                self.quad(corners(quad, normal));
            }
            let range = start..self.next_index();
            self.items.push(particle_item(stage.scene().node_rule, index, emitter, range));
        }
    }

    fn next_index(&self) -> u32 {
        u32::try_from(self.indices.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn ribbons(&mut self, stage: &Stage) {
        let scene = stage.scene();
        for (id, ribbon) in scene.ribbons.iter() {
            if stage.hidden().ribbons.contains(&id) {
                continue;
            }
            let Some(material) = ribbon.material.and_then(|id| scene.materials.get(id)) else { continue };
            let start = self.next_index();
            self.band(stage, id, ribbon);
            let range = start..self.next_index();
            if range.is_empty() {
                continue;
            }
            for layer in &material.layers {
                let posed = ribbon_layer(stage, ribbon, layer);
                if !posed.visible {
                    continue;
                }
                let layer = Layer { unlit: true, two_sided: true, ..layer.clone() };
                let style = Style::new(scene.node_rule, &layer, posed.color[3]);
                let (binding, draw) = look(scene, material, &layer, &posed, &style);
                let binding = match binding {
                    Binding::Physical([base, ..]) => {
                        Binding::Plain([base, Slot { texture: WHITE, repeat: 3 }])
                    }
                    plain @ Binding::Plain(_) => plain,
                };
                self.items.push(Item {
                    order: (style.see_through, i64::from(material.priority), 2, 0, id.index()),
                    key: Key {
                        motion: Motion::Still,
                        physical: false,
                        lit: false,
                        flip_back: false,
                        sphere: is_sphere(&draw),
                        second: has_second(&layer),
                        joins: joins(&layer),
                        mix: Mix::Color(style.blend),
                        tested: draw.is_tested(),
                        two_sided: true,
                        depth_test: !layer.no_depth_test,
                        depth_write: style.depth_write,
                    },
                    binding,
                    draw,
                    mesh: None,
                    indices: range.clone(),
                });
            }
        }
    }

    /// The rectangles between the edges of a ribbon.
    fn band(&mut self, stage: &Stage, id: Id<Ribbon>, ribbon: &Ribbon) {
        let [rows, columns] = ribbon.cells.map(|count| count.max(1));
        let slot = stage.sampler().value(&ribbon.slot, stage.pose().moment());
        let (column, row) = ((slot % columns) as f32, (slot / columns) as f32);
        let (top, bottom) = (row / rows as f32, (row + 1.0) / rows as f32);
        let mut before: Option<[(Point, Paint); 2]> = None;
        for edge in stage.ribbons().edges(id) {
            let u = (column + Ribbons::along(ribbon, edge.age)) / columns as f32;
            let now =
                [corner(edge.above, UP, [u, top], NO_COLOR), corner(edge.below, UP, [u, bottom], NO_COLOR)];
            if let Some([above, below]) = before.replace(now) {
                let [next_above, next_below] = now;
                self.quad([above, next_above, next_below, below]);
            }
        }
    }
}

fn corners(quad: &Quad, normal: [f32; 3]) -> [(Point, Paint); 4] {
    let mark = color_mark(quad.color);
    let [a, b, c, d] = quad.corners;
    let [ua, ub, uc, ud] = quad.uvs;
    [(a, ua), (b, ub), (c, uc), (d, ud)].map(|(position, uv)| corner(position, normal, uv, mark))
}

fn particle_item(
    rule: NodeRule,
    index: usize,
    emitter: &ParticleEmitter,
    indices: std::ops::Range<u32>,
) -> Item {
    let multiplies = matches!(emitter.blend, Blend::Modulate | Blend::Modulate2x);
    let keyed = emitter.blend == Blend::AlphaKey;
    let solid = keyed || emitter.blend == Blend::Opaque;
    let texture = emitter.texture.map_or(WHITE, |id| FIRST + id.index());
    let (total, texel) = match emitter.blend {
        Blend::Opaque => (0.0, 0.0),
        Blend::AlphaKey => (0.0, KEY_TEST),
        _ => (BLEND_TEST, 0.0),
    };
    let draw = Draw {
        tests: [total, texel, 0.0, 0.0],
        flags: [if solid { crate::uniforms::COVERS } else { 0 }, 0, 0, 0],
        ..Draw::default()
    };
    Item {
        order: (true, i64::from(emitter.priority), 1, 0, index),
        key: Key {
            motion: Motion::Still,
            physical: false,
            // Warcraft III does not light particles, even if their flags ask for it.
            lit: rule == NodeRule::World && !emitter.unlit && !multiplies,
            flip_back: false,
            sphere: false,
            second: false,
            joins: [Combine::Modulate; 2],
            mix: Mix::Color(emitter.blend),
            tested: draw.is_tested(),
            two_sided: true,
            depth_test: true,
            depth_write: solid,
        },
        // Textures of particles repeat, even if their flags say otherwise.
        binding: Binding::Plain([Slot { texture, repeat: 3 }, Slot { texture: WHITE, repeat: 3 }]),
        draw,
        mesh: None,
        indices,
    }
}

/// A layer of a ribbon's material at the moment; colour and alpha of the ribbon multiplied in.
fn ribbon_layer(stage: &Stage, ribbon: &Ribbon, layer: &Layer) -> LayerPose {
    let (sampler, moment) = (stage.sampler(), stage.pose().moment());
    let [r, g, b] = sampler.value(&ribbon.color, moment);
    let [lr, lg, lb] = sampler.value(&layer.color, moment);
    let alpha = sampler.value(&ribbon.alpha, moment)
        * sampler.value(&layer.alpha, moment)
        * sampler.value(&layer.color_alpha, moment);
    let texture = |texture: &LayerTexture| TexturePose {
        texture: match &texture.flipbook {
            Some(track) => Some(Id::new(sampler.track(track, moment))),
            None => texture.texture,
        },
        matrix: match texture.transform.and_then(|id| stage.scene().texture_transforms.get(id)) {
            Some(transform) => {
                let [tx, ty, _] = sampler.value(&transform.translation, moment);
                let [_, _, z, w] = sampler.value(&transform.rotation, moment).0;
                let [sx, sy, _] = sampler.value(&transform.scale, moment);
                texture_matrix(transform.order, [tx, ty], 2.0 * z.atan2(w), [sx, sy])
            }
            None => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        },
    };
    LayerPose {
        color: [r * lr, g * lg, b * lb, alpha],
        visible: alpha >= 1.0 / 255.0 && sampler.value(&ribbon.visibility, moment) > 0.0,
        emissive_gain: 0.0,
        textures: layer.textures.iter().map(texture).collect(),
    }
}

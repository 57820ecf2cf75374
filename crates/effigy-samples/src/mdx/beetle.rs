//! The creature as an MDX model, in any version of either dialect.

use effigy_mdx::track::tags;
use effigy_mdx::{
    Attachment, BatchVertex, BatchedGeoset, Bone, Camera, Caps, CollisionShape, Dialect, EventObject,
    EventTrack, Extent, FilterMode, Geoset, GeosetAnimation, GeosetAnimationFlags, GeosetBatch, GeosetHeader,
    HitTestShape, Indices, Interpolation, Key, KeyValue, Layer, LayerFlags, Light, Material, MaterialFlags,
    Model, Node, NodeFlags, ParticleEmitter2, Primitive, RibbonEmitter, Sequence, SequenceFlags, Shape,
    Texture, TextureAnimation, TextureFlags, TextureSlot, Track, Tracks,
};
use effigy_wire::{FixedStr, Tag};

use super::flags::{self, Role};
use super::{int, pre2_content_size, word};
use crate::creature::{self, Blend, Collision, Creature, Mesh};

/// The creature as a model of this dialect and version.
#[must_use]
pub fn creature(dialect: Dialect, version: u32) -> Model {
    let beetle = creature::creature();
    let mut model = Model::new(dialect, version, beetle.name);
    let make = Maker { beetle: &beetle, dialect, caps: dialect.caps(version) };
    let whole = make.extent(beetle.meshes.iter().flat_map(|mesh| &mesh.positions));
    if let Some(info) = model.info.first_mut() {
        info.extent = whole.clone();
    }
    model.sequences = make.sequences(&whole);
    model.global_sequences.clone_from(&beetle.global_sequences);
    model.textures = make.textures();
    model.materials = make.materials();
    model.texture_animations = (beetle.texture_animations.iter())
        .map(|moving| TextureAnimation { tracks: make.track(tags::KTAT, moving).into_iter().collect() })
        .collect();
    if make.caps.contains(Caps::PLAIN_GEOSETS) {
        model.geosets = beetle.meshes.iter().map(|mesh| make.geoset(mesh)).collect();
    } else {
        model.batched_geosets =
            beetle.meshes.iter().enumerate().map(|(i, mesh)| make.batch(i, mesh)).collect();
    }
    model.geoset_animations =
        beetle.meshes.iter().enumerate().map(|(i, mesh)| make.geoset_animation(i, mesh)).collect();
    model.pivots = beetle.nodes.iter().map(|node| node.pivot).collect();
    make.add_nodes(&mut model);
    make.add_cameras(&mut model);
    model
}

struct Maker<'a> {
    beetle: &'a Creature,
    dialect: Dialect,
    caps: Caps,
}

impl Maker<'_> {
    fn is_wow(&self) -> bool {
        self.dialect == Dialect::WowAlpha
    }

    fn track<T: KeyValue>(&self, tag: Tag, track: &creature::Track<T>) -> Option<Track> {
        if track.is_empty() {
            return None;
        }
        let interpolation = match track.interpolation {
            creature::Interpolation::Step => Interpolation::STEP,
            creature::Interpolation::Linear => Interpolation::LINEAR,
            creature::Interpolation::Hermite => Interpolation::HERMITE,
        };
        let tangents = interpolation.has_tangents();
        let keys: Vec<Key<T>> = (track.keys.iter())
            .map(|key| Key {
                time: key.time.cast_signed(),
                value: key.value,
                tangents: tangents.then_some([key.arrive, key.leave]),
            })
            .collect();
        let global = track.global_sequence.map_or(-1, int);
        Track::new(tag, interpolation, &keys).ok().map(|track| track.on_global_sequence(global))
    }

    /// Visibility has a tag for each record in Warcraft III and one for all in WoW alpha.
    fn visibility(&self, tag: Tag, track: &creature::Track<f32>) -> Option<Track> {
        self.track(if self.is_wow() { tags::KVIS } else { tag }, track)
    }

    fn extent<'a>(&self, points: impl Iterator<Item = &'a [f32; 3]>) -> Extent {
        let mut extent = Extent { radius: 0.0, min: [f32::MAX; 3], max: [f32::MIN; 3] };
        for point in points {
            for (x, (min, max)) in point.iter().zip(extent.min.iter_mut().zip(&mut extent.max)) {
                *min = min.min(*x);
                *max = max.max(*x);
            }
            extent.radius = extent.radius.max(point.iter().map(|x| x * x).sum::<f32>().sqrt());
        }
        extent
    }

    fn sequences(&self, extent: &Extent) -> Vec<Sequence> {
        let chance = |name: &str| {
            if name.ends_with("- 2") {
                0.2
            } else if name == "Stand" {
                0.8
            } else {
                1.0
            }
        };
        (self.beetle.sequences.iter())
            .map(|sequence| Sequence {
                name: FixedStr::truncated(sequence.name),
                interval: [sequence.start, sequence.end],
                move_speed: sequence.move_speed,
                flags: if sequence.looping { SequenceFlags::empty() } else { SequenceFlags::NON_LOOPING },
                rarity: sequence.rarity,
                extent: extent.clone(),
                frequency: chance(sequence.name),
                replay: [1, 1],
                blend_time: 150,
                ..Sequence::default()
            })
            .collect()
    }

    fn textures(&self) -> Vec<Texture> {
        let wrap = TextureFlags::WRAP_WIDTH | TextureFlags::WRAP_HEIGHT;
        let file = |name: &str| Texture {
            path: FixedStr::truncated(&format!("{name}.tga")),
            flags: wrap,
            replaceable: 0,
        };
        (self.beetle.textures.iter())
            .map(|texture| match texture {
                creature::Texture::Picture(picture) => file(picture.name),
                creature::Texture::TeamColor if self.is_wow() => file(self.beetle.team_stand_in.name),
                creature::Texture::TeamColor => Texture { replaceable: 1, ..Texture::default() },
            })
            .collect()
    }

    fn materials(&self) -> Vec<Material> {
        let two_sided = |yes: bool| if yes { LayerFlags::TWO_SIDED } else { LayerFlags::empty() };
        let material = |material: &creature::Material| {
            let layers = material.layers.iter().map(|layer| {
                let mut flags = two_sided(material.two_sided);
                flags.set(LayerFlags::UNSHADED, layer.unshaded);
                let texture = int(layer.texture);
                let slots = self.caps.contains(Caps::TEXTURE_SLOTS);
                Layer {
                    filter_mode: match layer.blend {
                        Blend::Opaque => FilterMode::NONE,
                        Blend::Alpha => FilterMode::BLEND,
                        Blend::Add => FilterMode::ADDITIVE,
                    },
                    flags,
                    texture: if slots { 0 } else { texture },
                    slots: if slots {
                        vec![TextureSlot { texture, slot: 0, track: None }]
                    } else {
                        Vec::new()
                    },
                    texture_animation: layer.animation.map_or(-1, int),
                    ..Layer::default()
                }
            });
            Material {
                flags: if material.two_sided && self.caps.contains(Caps::EMISSIVE) {
                    MaterialFlags::TWO_SIDED
                } else {
                    MaterialFlags::empty()
                },
                shader: if self.caps.contains(Caps::SHADER_NAME) {
                    FixedStr::truncated("Shader_SD_FixedFunction")
                } else {
                    FixedStr::default()
                },
                layers: layers.collect(),
                ..Material::default()
            }
        };
        self.beetle.materials.iter().map(material).collect()
    }

    fn geoset(&self, mesh: &Mesh) -> Geoset {
        let extent = self.extent(mesh.positions.iter());
        let indices: Vec<u16> = mesh.triangles.iter().flatten().copied().collect();
        let weights: Vec<([u8; 4], [u8; 4])> =
            mesh.vertex_groups.iter().map(|&g| bones_of(mesh, g)).collect();
        Geoset {
            vertices: mesh.positions.clone(),
            normals: mesh.normals.clone(),
            uv_sets: vec![mesh.uvs.clone()],
            primitive_types: vec![Primitive::TRIANGLES.0],
            primitive_counts: vec![word(indices.len())],
            indices,
            vertex_groups: mesh.vertex_groups.clone(),
            group_sizes: mesh.groups.iter().map(|group| word(group.len())).collect(),
            group_nodes: mesh.groups.iter().flatten().map(|&node| word(node)).collect(),
            bone_indices: if self.is_wow() {
                weights.iter().map(|(bones, _)| *bones).collect()
            } else {
                Vec::new()
            },
            bone_weights: if self.is_wow() { weights.iter().map(|(_, w)| *w).collect() } else { Vec::new() },
            material: word(mesh.material),
            name: if self.caps.contains(Caps::GEOSET_LOD) {
                FixedStr::truncated(mesh.name)
            } else {
                FixedStr::default()
            },
            sequence_extents: vec![extent.clone(); self.beetle.sequences.len()],
            extent,
            ..Geoset::default()
        }
    }

    fn batch(&self, index: usize, mesh: &Mesh) -> BatchedGeoset {
        let extent = self.extent(mesh.positions.iter());
        let mut center = [0.0; 3];
        for (c, (min, max)) in center.iter_mut().zip(extent.min.iter().zip(extent.max)) {
            *c = (min + max) * 0.5;
        }
        let far = |p: &[f32; 3]| p.iter().zip(center).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
        let radius = mesh.positions.iter().map(far).fold(0.0, f32::max);
        let points = mesh.positions.iter().zip(&mesh.normals).zip(mesh.uvs.iter().zip(&mesh.vertex_groups));
        let vertices: Vec<BatchVertex> = points
            .map(|((&position, &normal), (&uv, &group))| {
                let (bones, weights) = bones_of(mesh, group);
                BatchVertex { position, weights, bones, normal, uv: [uv, [0.0; 2]] }
            })
            .collect();
        let list: Vec<u16> = mesh.triangles.iter().flatten().copied().collect();
        BatchedGeoset {
            header: GeosetHeader {
                material: word(mesh.material),
                center,
                radius,
                index: word(index),
                vertex_count: word(vertices.len()),
                index_count: word(list.len()),
                ..GeosetHeader::default()
            },
            vertices,
            batch: GeosetBatch {
                indices: Indices {
                    min_vertex: list.iter().copied().min().unwrap_or(0),
                    max_vertex: list.iter().copied().max().unwrap_or(0),
                    list,
                    ..Indices::default()
                },
                ..GeosetBatch::default()
            },
        }
    }

    fn geoset_animation(&self, index: usize, mesh: &Mesh) -> GeosetAnimation {
        let tracks = [self.track(tags::KGAO, &mesh.alpha), self.track(tags::KGAC, &mesh.color)];
        let color = !mesh.color.is_empty();
        GeosetAnimation {
            geoset: int(index),
            flags: match (color, self.is_wow()) {
                (false, _) => GeosetAnimationFlags::empty(),
                (true, true) => GeosetAnimationFlags::from_bits_retain(1),
                (true, false) => GeosetAnimationFlags::COLOR,
            },
            tracks: tracks.into_iter().flatten().collect(),
            ..GeosetAnimation::default()
        }
    }

    fn node(&self, index: usize, role: Role) -> Node {
        let Some(node) = self.beetle.nodes.get(index) else { return Node::default() };
        let mut flags = flags::of(role, self.dialect);
        flags.set(NodeFlags::BILLBOARDED, node.billboard);
        let tracks: Tracks = [
            self.track(tags::KGTR, &node.translation),
            self.track(tags::KGRT, &node.rotation),
            self.track(tags::KGSC, &node.scaling),
        ]
        .into_iter()
        .flatten()
        .collect();
        Node {
            name: FixedStr::truncated(node.name),
            object_id: int(index),
            parent: node.parent.map_or(-1, int),
            flags,
            tracks,
        }
    }

    /// The geosets that a bone moves: one, or -1 for none or several.
    fn geoset_of(&self, bone: usize) -> i32 {
        let moves = |mesh: &Mesh| mesh.groups.iter().flatten().any(|&node| node == bone);
        let mut found =
            (self.beetle.meshes.iter()).enumerate().filter(|(_, mesh)| moves(mesh)).map(|(i, _)| i);
        match (found.next(), found.next()) {
            (Some(one), None) => int(one),
            _ => -1,
        }
    }

    fn add_nodes(&self, model: &mut Model) {
        let beetle = self.beetle;
        let bones = beetle.lights.first().map_or(beetle.nodes.len(), |light| light.node);
        for index in 0..bones {
            let geoset = self.geoset_of(index);
            model.bones.push(Bone { node: self.node(index, Role::Bone), geoset, geoset_animation: geoset });
        }
        for light in &beetle.lights {
            let tracks = [
                self.track(tags::KLAI, &light.intensity_track),
                self.visibility(tags::KLAV, &light.visibility),
            ];
            model.lights.push(Light {
                node: self.node(light.node, Role::Light),
                attenuation_start: light.attenuation[0],
                attenuation_end: light.attenuation[1],
                color: light.color,
                intensity: light.intensity,
                tracks: tracks.into_iter().flatten().collect(),
                ..Light::default()
            });
        }
        for attachment in &beetle.attachments {
            let node = self.node(attachment.node, Role::Attachment);
            model.attachments.push(Attachment { node, id: attachment.id, ..Attachment::default() });
        }
        self.add_emitters(model);
        for event in &beetle.events {
            let times = event.times.iter().map(|time| time.cast_signed()).collect();
            let track = Some(EventTrack { global_sequence: -1, times });
            model.event_objects.push(EventObject { node: self.node(event.node, Role::Event), track });
        }
        for collision in &beetle.collisions {
            let (node, shape) = match *collision {
                Collision::Sphere { node, radius } => (node, Shape::Sphere { center: [0.0; 3], radius }),
                Collision::Box { node, min, max } => (node, Shape::Box { min, max }),
            };
            let node = self.node(node, Role::Shape);
            if self.is_wow() {
                model.hit_test_shapes.push(HitTestShape { node, shape });
            } else {
                model.collision_shapes.push(CollisionShape { node, shape });
            }
        }
    }

    fn add_emitters(&self, model: &mut Model) {
        for smoke in &self.beetle.smoke {
            let mut tracks = [
                self.track(tags::KP2E, &smoke.emission_track),
                self.visibility(tags::KP2V, &smoke.visibility),
            ];
            if self.is_wow() {
                // Its client reads visibility first here.
                tracks.reverse();
            }
            let colors = smoke.colors.as_flattened();
            let mut segment_colors = [0.0; 9];
            segment_colors.iter_mut().zip(colors).for_each(|(to, from)| *to = *from);
            let mut node = self.node(smoke.node, Role::Emitter);
            node.flags |= NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z;
            model.particle_emitters_2.push(ParticleEmitter2 {
                node,
                content_size: if self.is_wow() { pre2_content_size(0) } else { 0 },
                emitter_type: u32::from(self.is_wow()),
                speed: smoke.speed,
                variation: smoke.variation,
                latitude: if self.is_wow() { smoke.latitude.to_radians() } else { smoke.latitude },
                gravity: smoke.gravity,
                life_span: smoke.life_span,
                emission_rate: smoke.emission_rate,
                length: smoke.size[0],
                width: smoke.size[1],
                time_middle: 0.4,
                segment_colors,
                segment_alphas: smoke.alphas,
                segment_scales: smoke.scales,
                head_life: [0, 0, 1],
                head_decay: [0, 0, 1],
                tail_life: [0, 0, 1],
                tail_decay: [0, 0, 1],
                texture: int(smoke.texture),
                tracks: tracks.into_iter().flatten().collect(),
                ..ParticleEmitter2::default()
            });
        }
        for ribbon in &self.beetle.ribbons {
            model.ribbon_emitters.push(RibbonEmitter {
                node: self.node(ribbon.node, Role::Ribbon),
                height_above: ribbon.heights[0],
                height_below: ribbon.heights[1],
                alpha: ribbon.alpha,
                color: ribbon.color,
                life_span: ribbon.life_span,
                emission_rate: ribbon.emission_rate,
                material: word(ribbon.material),
                tracks: self.visibility(tags::KRVS, &ribbon.visibility).into_iter().collect(),
                ..RibbonEmitter::default()
            });
        }
    }

    fn add_cameras(&self, model: &mut Model) {
        for camera in &self.beetle.cameras {
            model.cameras.push(Camera {
                variant: if self.caps.contains(Caps::CAMERA_VARIANT_3) { 3 } else { 0 },
                name: FixedStr::truncated(camera.name),
                position: camera.position,
                field_of_view: camera.field_of_view,
                far_clip: camera.clip[1],
                near_clip: camera.clip[0],
                target: camera.target,
                tracks: self.track(tags::KCTR, &camera.translation).into_iter().collect(),
                ..Camera::default()
            });
        }
    }
}

/// Up to four bones of a vertex's group and their weights, which add up to 255.
fn bones_of(mesh: &Mesh, group: u8) -> ([u8; 4], [u8; 4]) {
    let nodes = mesh.groups.get(usize::from(group)).map_or(&[][..], Vec::as_slice);
    let (mut bones, mut weights) = ([0; 4], [0; 4]);
    let count = u8::try_from(nodes.len().clamp(1, 4)).unwrap_or(1);
    for ((bone, weight), node) in bones.iter_mut().zip(&mut weights).zip(nodes) {
        *bone = u8::try_from(*node).unwrap_or(u8::MAX);
        *weight = 255 / count;
    }
    if let Some(first) = weights.first_mut() {
        *first += 255 % count;
    }
    (bones, weights)
}

//! The creature's textures, materials and meshes as MDX has them.

use effigy_mdx::track::tags;
use effigy_mdx::{
    BatchVertex, BatchedGeoset, Caps, FilterMode, Geoset, GeosetAnimation, GeosetAnimationFlags, GeosetBatch,
    GeosetHeader, Indices, Layer, LayerFlags, Material, Primitive, Texture, TextureFlags, TextureSlot,
};
use effigy_wire::FixedStr;

use super::{Maker, extent};
use crate::creature::{self, Blend, Mesh};
use crate::mdx::{int, word};

impl Maker<'_> {
    pub(super) fn textures(&self) -> Vec<Texture> {
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

    pub(super) fn materials(&self) -> Vec<Material> {
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
                        // The same in Warcraft III; WoW alpha's additive mode does not look at alpha.
                        Blend::Add if self.is_wow() => FilterMode::ADD_ALPHA,
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
            Material { layers: layers.collect(), ..Material::default() }
        };
        self.beetle.materials.iter().map(material).collect()
    }

    pub(super) fn geoset(&self, mesh: &Mesh) -> Geoset {
        let extent = extent(mesh.positions.iter());
        let indices: Vec<u16> = mesh.triangles.iter().flatten().copied().collect();
        let weights: Vec<([u8; 4], [u8; 4])> =
            mesh.vertex_groups.iter().map(|&g| bones_of(mesh, g)).collect();
        let mut geoset = Geoset {
            vertices: mesh.positions.clone(),
            normals: mesh.normals.clone(),
            uv_sets: vec![mesh.uvs.clone()],
            primitive_types: vec![Primitive::TRIANGLES.0],
            primitive_counts: vec![word(indices.len())],
            indices,
            vertex_groups: mesh.vertex_groups.clone(),
            group_sizes: mesh.groups.iter().map(|group| word(group.len())).collect(),
            group_nodes: mesh.groups.iter().flatten().map(|&node| word(node)).collect(),
            material: word(mesh.material),
            name: if self.caps.contains(Caps::GEOSET_LOD) {
                FixedStr::truncated(mesh.name)
            } else {
                FixedStr::default()
            },
            sequence_extents: vec![extent.clone(); self.beetle.sequences.len()],
            extent,
            ..Geoset::default()
        };
        if self.is_wow() {
            geoset.set_influences(&weights);
        }
        geoset
    }

    pub(super) fn batch(&self, index: usize, mesh: &Mesh) -> BatchedGeoset {
        let extent = extent(mesh.positions.iter());
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

    pub(super) fn geoset_animation(&self, index: usize, mesh: &Mesh) -> GeosetAnimation {
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

//! Textures, materials, texture animations, geosets and their animations.

use effigy_mdx::{
    BatchVertex, BatchedGeoset, Caps, FilterMode, Geoset, GeosetAnimation, GeosetAnimationFlags, GeosetBatch,
    GeosetHeader, Indices, Layer, LayerFlags, Material, MaterialFlags, Model, Primitive, ShaderKind, Skin,
    Texture, TextureAnimation, TextureFlags, TextureSlot, track::tags,
};
use effigy_wire::FixedStr;

use super::Numbers;

pub(super) fn add(model: &mut Model, n: &mut Numbers) {
    model.textures = textures();
    model.materials = materials(n);
    model.texture_animations =
        (0..2).map(|_| TextureAnimation { tracks: n.tracks("texture animation") }).collect();
    if n.has(Caps::PLAIN_GEOSETS) {
        model.geosets = vec![all_primitives(n), one_triangle(n), untextured(n)];
    } else {
        model.batched_geosets = vec![batch(n, 0), batch(n, 1)];
    }
    model.geoset_animations = (0..2)
        .map(|geoset| GeosetAnimation {
            geoset,
            alpha: n.float(),
            flags: GeosetAnimationFlags::from_bits_retain(if n.is_wow() { 1 } else { 3 }),
            color: n.vector(),
            tracks: n.tracks("geoset animation"),
        })
        .collect();
}

fn textures() -> Vec<Texture> {
    let file = |path: &str, flags| Texture { replaceable: 0, path: FixedStr::truncated(path), flags };
    vec![
        file("Textures\\Everything.blp", TextureFlags::WRAP_WIDTH),
        file("Textures\\Everything_Normal.dds", TextureFlags::WRAP_HEIGHT),
        Texture {
            replaceable: 1,
            path: FixedStr::default(),
            flags: TextureFlags::WRAP_WIDTH | TextureFlags::WRAP_HEIGHT,
        },
        Texture { replaceable: 11, path: FixedStr::default(), flags: TextureFlags::from_bits_retain(0x40) },
    ]
}

fn materials(n: &mut Numbers) -> Vec<Material> {
    let mut materials: Vec<Material> = FilterMode::NAMES
        .iter()
        .zip(0_i32..)
        .map(|(&(filter_mode, _), plane)| Material {
            priority_plane: plane - 3,
            flags: if n.is_wow() {
                MaterialFlags::empty()
            } else {
                MaterialFlags::from_bits_retain(1 << plane)
            },
            shader: shader(n, "Shader_SD_FixedFunction"),
            layers: vec![layer(n, filter_mode, 1 << plane)],
        })
        .collect();
    // The Reforged kind: six layers up to 1000, six slots after it.
    let hd: Vec<Layer> = (0..6).map(|_| layer(n, FilterMode::NONE, 0x100)).collect();
    let mut reforged = Material {
        priority_plane: 0,
        flags: if n.is_wow() {
            MaterialFlags::empty()
        } else {
            MaterialFlags::TWO_SIDED | MaterialFlags::FULL_RESOLUTION
        },
        shader: shader(n, "Shader_HD_DefaultUnit"),
        layers: hd,
    };
    if n.has(Caps::TEXTURE_SLOTS) {
        reforged.layers.truncate(1);
        for layer in &mut reforged.layers {
            layer.shader = ShaderKind::HD;
            layer.slots = (0..6).map(|slot| slot_of(n, slot)).collect();
        }
    }
    materials.push(reforged);
    materials
}

fn shader(n: &Numbers, name: &str) -> FixedStr<80> {
    if n.has(Caps::SHADER_NAME) { FixedStr::truncated(name) } else { FixedStr::default() }
}

fn layer(n: &mut Numbers, filter_mode: FilterMode, flags: u32) -> Layer {
    let slots = n.has(Caps::TEXTURE_SLOTS);
    Layer {
        filter_mode,
        flags: LayerFlags::from_bits_retain(flags),
        texture: if slots { 0 } else { 1 },
        texture_animation: 1,
        coordinates: 1,
        alpha: n.float(),
        emissive_gain: if n.has(Caps::EMISSIVE) { n.float() } else { 1.0 },
        fresnel_color: if n.has(Caps::FRESNEL) { n.vector() } else { [1.0; 3] },
        fresnel_opacity: if n.has(Caps::FRESNEL) { n.float() } else { 0.0 },
        fresnel_team_color: if n.has(Caps::FRESNEL) { n.float() } else { 0.0 },
        shader: ShaderKind::SD,
        slots: if slots { vec![slot_of(n, 0)] } else { Vec::new() },
        tracks: n.tracks("layer"),
    }
}

fn slot_of(n: &mut Numbers, slot: u32) -> TextureSlot {
    // Every second one changes over time.
    let track = if slot.is_multiple_of(2) { n.track(tags::KMTF) } else { None };
    TextureSlot { texture: if slot == 3 { -1 } else { 1 }, slot, track }
}

const POINTS: usize = 8;

/// The corners of a box.
fn corners() -> Vec<[f32; 3]> {
    (0..8_u8).map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| f32::from(bit) * 20.0 - 10.0)).collect()
}

fn uvs(n: &mut Numbers, count: usize) -> Vec<[f32; 2]> {
    (0..count).map(|_| [n.float(), n.float()]).collect()
}

/// A geoset with every primitive, two sets of texture coordinates, tangents and weights.
fn all_primitives(n: &mut Numbers) -> Geoset {
    let counts = [2, 4, 3, 3, 6, 4, 4, 4, 4, 5];
    let indices = (0..counts.iter().sum::<u32>()).map(|i| u16::try_from(i * 3 % 8).unwrap_or(0)).collect();
    let mut geoset = plain(n, corners());
    geoset.primitive_types = Primitive::NAMES.iter().map(|(primitive, _)| primitive.0).collect();
    geoset.primitive_counts = counts.to_vec();
    geoset.indices = indices;
    geoset.uv_sets = vec![uvs(n, POINTS), uvs(n, POINTS)];
    if n.has(Caps::GEOSET_LOD) {
        geoset.tangents = Some((0..POINTS).map(|_| [n.float(), n.float(), n.float(), -1.0]).collect());
        geoset.skin = Some(skin(n));
    }
    geoset
}

fn skin(n: &Numbers) -> Skin {
    let row = [0_u8, 1, 2, 3, 100, 80, 50, 25];
    if n.has(Caps::WIDE_SKIN) {
        // The wider indices exist for bones beyond 255.
        let mut rows = vec![row.map(u16::from); POINTS];
        if let Some(first) = rows.first_mut().and_then(|row| row.first_mut()) {
            *first = 300;
        }
        Skin::Wide(rows)
    } else {
        Skin::Narrow(vec![row; POINTS])
    }
}

/// Tangents without weights, as some real files have them.
fn one_triangle(n: &mut Numbers) -> Geoset {
    let mut geoset = plain(n, vec![n_point(1.0), n_point(2.0), n_point(-3.0)]);
    geoset.primitive_types = vec![Primitive::TRIANGLES.0];
    geoset.primitive_counts = vec![3];
    geoset.indices = vec![0, 1, 2];
    geoset.uv_sets = vec![uvs(n, 3)];
    if n.has(Caps::GEOSET_LOD) {
        geoset.lod = -1;
        geoset.tangents = Some(vec![[1.0, 0.0, 0.0, 1.0]; 3]);
    }
    geoset
}

/// No bounds of sequences and, in Warcraft III, no texture coordinates.
fn untextured(n: &mut Numbers) -> Geoset {
    let mut geoset = plain(n, vec![n_point(4.0), n_point(5.0), n_point(-6.0)]);
    geoset.indices = vec![2, 1, 0];
    geoset.primitive_types = vec![Primitive::TRIANGLES.0];
    geoset.primitive_counts = vec![3];
    geoset.sequence_extents.clear();
    if n.is_wow() {
        geoset.uv_sets = vec![uvs(n, 3)];
    }
    geoset
}

fn n_point(x: f32) -> [f32; 3] {
    [x, x * x, 30.0 - x]
}

fn plain(n: &mut Numbers, vertices: Vec<[f32; 3]>) -> Geoset {
    let count = vertices.len();
    let lod = n.has(Caps::GEOSET_LOD);
    let mut geoset = Geoset {
        normals: vec![[0.0, 0.6, 0.8]; count],
        vertex_groups: (0..count).map(|i| u8::try_from(i % 3).unwrap_or(0)).collect(),
        group_sizes: vec![1, 2, 3],
        group_nodes: vec![0, 1, 0, 2, 1, 0],
        material: n.word() % 7,
        selection_group: n.word(),
        selection_flags: if n.is_wow() { 1 } else { 4 },
        lod: if lod { 2 } else { 0 },
        name: if lod { FixedStr::truncated("Everything_Mesh") } else { FixedStr::default() },
        extent: n.extent(),
        sequence_extents: (0..5).map(|_| n.extent()).collect(),
        vertices,
        ..Geoset::default()
    };
    if n.is_wow() {
        // Bones and equal weights of the three matrix groups.
        let rows =
            [([0; 4], [255, 0, 0, 0]), ([1, 0, 0, 0], [128, 127, 0, 0]), ([2, 1, 0, 0], [85, 85, 85, 0])];
        let rows: Vec<_> = (0..count).filter_map(|i| rows.get(i % 3).copied()).collect();
        geoset.set_influences(&rows);
    }
    geoset
}

fn batch(n: &mut Numbers, index: u32) -> BatchedGeoset {
    let vertices: Vec<BatchVertex> = (corners().into_iter())
        .map(|position| BatchVertex {
            position,
            weights: [128, 100, 27, 0],
            bones: [0, 1, 2, 0],
            normal: [0.0, 0.6, 0.8],
            uv: [[n.float(), n.float()], [n.float(), n.float()]],
        })
        .collect();
    // The first needs padding after its indices, the second does not.
    let list: Vec<u16> = if index == 0 { (0..6).collect() } else { (0..24).map(|i| i % 8).collect() };
    BatchedGeoset {
        header: GeosetHeader {
            material: n.word() % 7,
            center: n.vector(),
            radius: n.float(),
            selection_group: n.word(),
            index,
            flags: 0x71,
            vertex_count: super::super::word(vertices.len()),
            index_count: super::super::word(list.len()),
            ..GeosetHeader::default()
        },
        vertices,
        batch: GeosetBatch {
            indices: Indices {
                min_vertex: 0,
                max_vertex: list.iter().copied().max().unwrap_or(0),
                list,
                ..Indices::default()
            },
            ..GeosetBatch::default()
        },
    }
}

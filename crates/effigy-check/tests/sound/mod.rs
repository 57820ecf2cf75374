//! Models that nothing is wrong with, and that have something of everything the rules look at.

use effigy_mdc::{Format, Frame, Name, Shader, Surface, Vertex};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Attachment, Bone, Camera, Caps, CollisionShape, Dialect, EventObject, EventTrack, Extent, FaceFx, Geoset,
    GeosetAnimation, Interpolation, Key, Layer, Light, Material, Model, Node, NodeFlags, ParticleEmitter,
    ParticleEmitter2, PopcornEmitter, Primitive, RibbonEmitter, Sequence, Shape, Skin, Texture,
    TextureAnimation, TextureSlot, Track,
};
use effigy_wire::FixedStr;

fn extent() -> Extent {
    Extent { radius: 100.0, min: [-100.0; 3], max: [100.0; 3] }
}

fn node(name: &str, id: i32, flags: NodeFlags) -> Node {
    Node { name: FixedStr::new(name).unwrap(), object_id: id, flags, ..Node::default() }
}

/// A unit of Warcraft III in this version.
pub fn sound(version: u32) -> Model {
    let mut model = Model::new(Dialect::Warcraft3, version, "Sound");
    let caps = model.caps();
    let later = caps.contains(Caps::GEOSET_LOD);
    model.info[0].extent = extent();
    for (name, interval) in [("Stand", [0, 1000]), ("Walk", [2000, 3000]), ("Death", [4000, 5000])] {
        let name = FixedStr::new(name).unwrap();
        model.sequences.push(Sequence { name, interval, extent: extent(), ..Sequence::default() });
    }
    model.global_sequences.push(1000);
    let path = FixedStr::new("Textures\\Sound.blp").unwrap();
    model.textures.push(Texture { path, ..Texture::default() });
    model.textures.push(Texture { replaceable: 1, ..Texture::default() });
    let slots = [0, 1].map(|texture| TextureSlot { texture, slot: u32::from(texture == 1) * 4, track: None });
    let slots = if caps.contains(Caps::TEXTURE_SLOTS) { slots.to_vec() } else { Vec::new() };
    let layer = Layer { texture: 0, texture_animation: 0, slots, ..Layer::default() };
    let team = Layer { texture: 1, ..Layer::default() };
    let layers = if caps.contains(Caps::TEXTURE_SLOTS) { vec![layer] } else { vec![layer, team] };
    model.materials.push(Material { layers, ..Material::default() });
    let keys = [Key::new(0, [0.0_f32; 3]), Key::new(1000, [1.0, 0.0, 0.0])];
    let moving = Track::new(tags::KTAT, Interpolation::LINEAR, &keys).unwrap().on_global_sequence(0);
    model.texture_animations.push(TextureAnimation { tracks: [moving].into_iter().collect() });
    add_mesh(&mut model, version, later);
    add_nodes(&mut model, later);
    model.cameras.push(Camera {
        name: FixedStr::new("Portrait").unwrap(),
        near_clip: 8.0,
        far_clip: 1000.0,
        field_of_view: 0.8,
        ..Camera::default()
    });
    model
}

fn add_mesh(model: &mut Model, version: u32, later: bool) {
    let row: [u8; 8] = [0, 0, 0, 0, 255, 0, 0, 0];
    let skin =
        if version >= 1400 { Skin::Wide(vec![row.map(u16::from); 3]) } else { Skin::Narrow(vec![row; 3]) };
    model.geosets.push(Geoset {
        vertices: vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        uv_sets: vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![3],
        indices: vec![0, 1, 2],
        vertex_groups: if later { Vec::new() } else { vec![0; 3] },
        group_sizes: vec![1],
        group_nodes: vec![0],
        skin: later.then_some(skin),
        extent: extent(),
        sequence_extents: vec![extent(); 3],
        ..Geoset::default()
    });
    model.geoset_animations.push(GeosetAnimation { geoset: 0, ..GeosetAnimation::default() });
}

fn add_nodes(model: &mut Model, later: bool) {
    let times = [0, 500, 1000, 2000, 3000, 4000, 5000];
    let keys = times.map(|time| Key::new(time, [(time % 1000) as f32, 0.0, 0.0]));
    let track = Track::new(tags::KGTR, Interpolation::LINEAR, &keys).unwrap();
    let mut root = node("Root", 0, NodeFlags::BONE);
    root.tracks = [track].into_iter().collect();
    model.bones.push(Bone { node: root, geoset: 0, geoset_animation: 0 });
    model.lights.push(Light {
        node: node("Lamp", 1, NodeFlags::LIGHT),
        attenuation_start: 80.0,
        attenuation_end: 200.0,
        ..Light::default()
    });
    let node_of = |name, id| node(name, id, NodeFlags::ATTACHMENT);
    model.attachments.push(Attachment { node: node_of("Origin Ref", 2), ..Attachment::default() });
    model.particle_emitters.push(ParticleEmitter {
        node: node("Sparks", 3, NodeFlags::PARTICLE_EMITTER),
        path: FixedStr::new("Spark.mdl").unwrap(),
        ..ParticleEmitter::default()
    });
    model.particle_emitters_2.push(ParticleEmitter2 {
        node: node("Smoke", 4, NodeFlags::PARTICLE_EMITTER),
        speed: 10.0,
        latitude: 5.0,
        time_middle: 0.5,
        ..ParticleEmitter2::default()
    });
    let ribbon = node("Trail", 5, NodeFlags::RIBBON_EMITTER);
    model.ribbon_emitters.push(RibbonEmitter { node: ribbon, ..RibbonEmitter::default() });
    let track = Some(EventTrack { global_sequence: -1, times: vec![4500] });
    model.event_objects.push(EventObject { node: node("SNDxABCD", 6, NodeFlags::EVENT), track });
    let shape = Shape::Sphere { center: [0.0; 3], radius: 50.0 };
    model.collision_shapes.push(CollisionShape { node: node("Body", 7, NodeFlags::COLLISION_SHAPE), shape });
    let mut nodes = 8;
    if later {
        model.popcorn_emitters.push(PopcornEmitter {
            node: node("Corn", 8, NodeFlags::PARTICLE_EMITTER),
            path: FixedStr::new("a.pkb").unwrap(),
            visibility_guide: FixedStr::new("Always=on").unwrap(),
            ..PopcornEmitter::default()
        });
        nodes += 1;
        model.bind_poses = vec![[0.0; 12]; nodes + 1];
        let path = FixedStr::new("face.facefx").unwrap();
        model.face_fx.push(FaceFx { path, ..FaceFx::default() });
    }
    model.pivots = vec![[0.0; 3]; nodes];
}

/// A flat plate, seen from above.
pub fn sound_mdc() -> effigy_mdc::Model {
    let mut model = effigy_mdc::Model::new(Format::Md3);
    model.frames.push(Frame { min: [0.0; 3], max: [1.0; 3], radius: 2.0, ..Frame::default() });
    let vertex = |position: [i16; 3]| Vertex { position, normal: 0 };
    model.surfaces.push(Surface {
        name: Name::new("plate").unwrap(),
        ident: Format::Md3.surface_ident(),
        shaders: vec![Shader { name: Name::new("models/plate.tga").unwrap(), index: 0 }],
        triangles: vec![[0, 1, 2], [1, 3, 2]],
        texcoords: vec![[0.0; 2]; 4],
        base: [[0, 0, 0], [0, 64, 0], [64, 0, 0], [64, 64, 0]].map(vertex).to_vec(),
        ..Surface::default()
    });
    model
}

/// A triangle of vanilla World of Warcraft on two bones.
pub fn sound_m2() -> effigy_m2::Model {
    use effigy_m2 as m2;
    let mut model = m2::Model::new(m2::Version::VANILLA);
    model.name = m2::Block::text_of("Sound");
    model.sequences.push(m2::Sequence { end: 1000, ..m2::Sequence::default() });
    model.global_sequences.push(500);
    model.sequence_lookup.push(0);
    let translation = m2::Track {
        interpolation: 1,
        ranges: vec![[0, 1]; 2].into(),
        times: m2::Series::flat(vec![0, 1000]),
        values: m2::Series::flat(vec![[0.0; 3], [1.0; 3]]),
        ..m2::Track::default()
    };
    model.bones.push(m2::Bone { translation, ..m2::Bone::default() });
    model.bones.push(m2::Bone { parent: 0, ..m2::Bone::default() });
    let vertex = m2::Vertex { weights: [255, 0, 0, 0], ..m2::Vertex::default() };
    model.vertices = vec![vertex; 3].into();
    model.attachments.push(m2::Attachment::default());
    let name = m2::Block::text_of("World\\Sound.blp");
    model.textures.push(m2::Texture { name, ..m2::Texture::default() });
    model.materials.push(m2::Material::default());
    let weight = m2::Track::constant(32767, model.caps());
    model.weights.push(m2::TextureWeight { weight });
    model.bone_combos.push(0);
    model.texture_combos.push(0);
    model.coord_combos.push(0);
    model.weight_combos.push(0);
    model.transform_combos.push(-1);
    let submesh = m2::Submesh { vertex_count: 3, triangle_count: 3, bone_count: 1, ..m2::Submesh::default() };
    model.views.push(m2::View {
        vertices: vec![0, 1, 2].into(),
        triangles: vec![0, 1, 2].into(),
        properties: vec![[0; 4]; 3].into(),
        submeshes: vec![submesh].into(),
        batches: vec![m2::Batch::default()].into(),
        bone_limit: 256,
    });
    model
}

/// A triangle on one joint that stands and walks, with an image of 4 x 4 pixels.
pub fn sound_gltf() -> effigy_gltf::Model {
    const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAEklEQVR4nGNoaGj4j4wZSBcAAEKHJ/GaxCLSAAAAAElFTkSuQmCC";
    let animation = |name: &str| {
        format!(
            r#"{{"name":"{name}","channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}],"samplers":[{{"input":3,"output":0}}]}}"#
        )
    };
    let animations = [animation("Stand"), animation("Walk")].join(",");
    let zeros = "A".repeat(112);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],
"nodes":[{{"name":"Hip"}},{{"name":"Body","mesh":0,"skin":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":1}},"material":0}}]}}],
"skins":[{{"joints":[0]}}],
"materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
"textures":[{{"source":0}}],
"images":[{{"name":"skin","uri":"data:image/png;base64,{IMAGE}"}}],
"animations":[{animations}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC4"}},
{{"bufferView":0,"componentType":5121,"count":3,"type":"VEC4"}},
{{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":84}}],
"buffers":[{{"byteLength":84,"uri":"data:application/octet-stream;base64,{zeros}"}}]}}"#
    );
    effigy_gltf::Model::read(text.as_bytes()).unwrap()
}

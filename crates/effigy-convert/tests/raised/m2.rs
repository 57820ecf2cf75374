//! What a scene of another game becomes in World of Warcraft, against values computed by hand.

mod looks;
mod own;

use crate::raised::scene;
use effigy_convert::raise::{self, RaiseOptions, Raised};
use effigy_m2::{BoneFlags, MaterialFlags, Model, ModelFlags, ParticleFlags, Vertex, View};
use effigy_scene::{
    Animated, Attachment, Billboard, Blend, Camera, Cells, Combine, EmitterShape, Event, Extras, Id,
    Influence, Layer, LayerTexture, Light, LightKind, Material, Mesh, Node, NodeKind, NodeRule,
    ParticleEmitter, Ribbon, RibbonGravity, Scene, Shape, ShapeKind, Skin, Texture, Track, validate,
};
use effigy_wire::Tag;

/// At this version, without another unit of length.
fn raised(scene: &Scene, version: u32) -> Raised<Model> {
    let options = RaiseOptions { version, scale: Some(1.0), ..RaiseOptions::default() };
    raise::m2(&validate(scene.clone()).unwrap(), &options).unwrap()
}

fn said(made: &Raised<Model>, words: &str) -> bool {
    made.report.notes().iter().any(|note| format!("{}: {}", note.path, note.message).contains(words))
}

/// A scene of Warcraft III with two textures of which the second repeats in u alone.
fn warcraft() -> Scene {
    let mut scene = scene("mdx");
    scene.node_rule = NodeRule::Warcraft;
    scene.textures.push(Texture { path: "Skin.blp".into(), replaceable: None, repeat: [true, true] });
    scene.textures.push(Texture { path: "Glow.blp".into(), replaceable: None, repeat: [true, false] });
    scene
}

fn stage(texture: u32, combine: Combine) -> LayerTexture {
    LayerTexture { texture: Some(Id::new(texture)), combine, ..LayerTexture::default() }
}

fn layer(textures: Vec<LayerTexture>) -> Layer {
    Layer { textures, ..Layer::default() }
}

/// Gives the first mesh a material with these layers.
fn wear(scene: &mut Scene, layers: Vec<Layer>) {
    let material = scene.materials.push(Material { layers, priority: -2, ..Material::default() });
    scene.meshes.as_mut_slice()[0].material = Some(material);
}

fn node(name: &str, kind: NodeKind, parent: Option<u32>, pivot: [f32; 3]) -> Node {
    Node::new(name, kind, parent.map(Id::new), pivot)
}

/// The shares of a group, by node.
fn skin(groups: &[&[(u32, f32)]], vertex_groups: Vec<u32>) -> Skin {
    let mut skin = Skin { groups: Vec::new(), influences: Vec::new(), vertex_groups };
    for group in groups {
        let count = |skin: &Skin| u32::try_from(skin.influences.len()).unwrap();
        let start = count(&skin);
        skin.influences
            .extend(group.iter().map(|(node, weight)| Influence { node: Id::new(*node), weight: *weight }));
        let end = count(&skin);
        skin.groups.push([start, end]);
    }
    skin
}

fn view(model: &Model) -> &View {
    model.views().next().unwrap()
}

#[test]
fn flags_of_the_model_come_from_the_same_game_without_combiners() {
    let mut scene = scene("m2");
    scene.extras.set("flags", i64::from((ModelFlags::TILT_X | ModelFlags::COMBINERS).bits()));
    assert_eq!(raised(&scene, 264).model.flags, ModelFlags::TILT_X);
    scene.extras.set("format", "mdx");
    assert_eq!(raised(&scene, 264).model.flags, ModelFlags::empty());
}

#[test]
fn bones_that_move_vertices_come_first_and_after_their_parents() {
    let mut scene = warcraft();
    scene.nodes.push(node("helper", NodeKind::Helper, Some(0), [1.0, 0.0, 0.0]));
    scene.nodes.push(node("Bone_Head", NodeKind::Bone, Some(3), [0.0, 0.0, 9.0]));
    scene.nodes.push(node("Bone_Chest", NodeKind::Bone, Some(0), [0.0, 0.0, 5.0]));
    // Only a place on the head: it does not become a bone.
    scene.nodes.push(node("mark", NodeKind::Attachment, Some(2), [0.0, 0.0, 10.0]));
    scene.nodes.push(node("Head", NodeKind::Bone, Some(2), [0.0, 1.0, 9.0]));
    let turns = scene.nodes.as_mut_slice();
    turns[5].billboard = Billboard::LockZ;
    turns[3].ignore.translation = true;
    turns[2].translation.track =
        Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [0.0, 0.0, 1.0]], [0.0; 3]));
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.skin = Some(skin(&[&[(2, 1.0)], &[(2, 0.75), (0, 0.25)]], vec![0, 1, 1]));
    scene.attachments.push(Attachment {
        name: "Head Ref".into(),
        number: 0,
        node: Id::new(4),
        position: [0.0, 0.0, 10.0],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    });
    let made = raised(&scene, 264);
    let model = &made.model;
    // root; then chest and head, since the head moves vertices; then the other bone. Neither the mark nor the helper carries anything that moves.
    let bones: Vec<_> = model.bones.iter().map(|it| (it.parent, it.pivot, it.key_bone)).collect();
    assert_eq!(
        bones,
        [
            (-1, [1.0, 2.0, 3.0], 26),
            (0, [0.0, 0.0, 5.0], 4),
            (1, [0.0, 0.0, 9.0], 6),
            // There is one head, and the first has it.
            (2, [0.0, 1.0, 9.0], -1),
        ]
    );
    let flags: Vec<BoneFlags> = model.bones.iter().map(|it| it.flags).collect();
    assert_eq!(
        flags,
        [
            BoneFlags::empty(),
            BoneFlags::IGNORE_PARENT_TRANSLATION,
            BoneFlags::TRANSFORMED,
            BoneFlags::BILLBOARD_Z,
        ]
    );
    let vertices: Vec<_> = model.vertices.iter().map(|it| (it.bones, it.weights)).collect();
    assert_eq!(
        vertices,
        [
            ([2, 0, 0, 0], [255, 0, 0, 0]),
            // 191.25 and 63.75.
            ([2, 0, 0, 0], [191, 64, 0, 0]),
            ([2, 0, 0, 0], [191, 64, 0, 0])
        ]
    );
    // The attachment is on the bone that carries its node.
    let places: Vec<_> = model.attachments.iter().map(|it| (it.id, it.bone, it.position)).collect();
    assert_eq!(
        places,
        [(20, 2, [0.0, 0.0, 10.0]), (19, 0, [0.0; 3]), (18, 0, [0.0, 0.0, 10.0])],
        "{}",
        made.report
    );
    let submesh = &view(model).submeshes[0];
    assert_eq!((submesh.bone_count, submesh.bone_start, submesh.bone_influences), (2, 0, 2));
    assert_eq!(model.bone_combos.as_slice(), [0, 2]);
    // The second bone of the list is the head; without weight it is the first.
    assert_eq!(view(model).properties.as_slice(), [[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]);
    assert!(said(&made, "1 billboards"), "{}", made.report);
    assert!(!said(&made, "ignore something"), "{}", made.report);
}

#[test]
fn rules_that_the_game_does_not_have_are_reported_by_number() {
    let made = raised(&warcraft(), 264);
    assert!(made.report.notes().iter().all(|note| note.path != "nodes"), "{}", made.report);
    for (moves, turns, expected) in
        [(false, false, false), (true, false, true), (false, true, true), (true, true, true)]
    {
        let mut scene = warcraft();
        let node = &mut scene.nodes.as_mut_slice()[0];
        node.ignore.scale = true;
        if moves {
            node.translation.track = Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [1.0; 3]], [0.0; 3]));
        }
        if turns {
            let keys = vec![effigy_scene::Rotation::IDENTITY, effigy_scene::Rotation([0.0, 0.0, 1.0, 0.0])];
            node.rotation.track = Some(Track::linear(vec![0, 1000], keys, effigy_scene::Rotation::IDENTITY));
        }
        let made = raised(&scene, 264);
        assert_eq!(said(&made, "nodes: 1 nodes ignore something"), expected, "{moves} {turns}");
        scene.node_rule = NodeRule::World;
        assert!(!said(&raised(&scene, 264), "ignore something"));
    }
}

#[test]
fn the_parts_of_a_mesh_are_counted_in_the_view() {
    let mut scene = warcraft();
    scene.nodes.push(node("far", NodeKind::Bone, None, [50.0, 0.0, 0.0]));
    let mut second = Mesh::new("second");
    second.positions = vec![[40.0, 0.0, 0.0], [44.0, 0.0, 0.0], [42.0, 3.0, 0.0], [42.0, -3.0, 0.0]];
    second.normals = vec![[0.0, 1.0, 0.0]; 4];
    second.uvs = vec![vec![[0.25, 0.5]; 4], vec![[0.75, 1.0]; 4]];
    second.indices = vec![0, 1, 2, 0, 3, 1];
    second.part = 301;
    second.skin = Some(skin(&[&[(0, 0.5), (1, 0.5)]], vec![0; 4]));
    scene.meshes.push(second);
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&[(0, 1.0)]], vec![0; 3]));
    let model = raised(&scene, 264).model;
    let view = view(&model);
    let counts: Vec<_> = view
        .submeshes
        .iter()
        .map(|it| [it.vertex_start, it.vertex_count, it.triangle_start, it.triangle_count])
        .collect();
    assert_eq!(counts, [[0, 3, 0, 3], [3, 4, 3, 6]]);
    assert_eq!(view.triangles.as_slice(), [0, 1, 2, 3, 4, 5, 3, 6, 4]);
    assert_eq!(view.vertices.as_slice(), [0, 1, 2, 3, 4, 5, 6]);
    let parts: Vec<_> = view.submeshes.iter().map(|it| (it.id, it.bone_start, it.bone_count)).collect();
    // Parts of another game mean nothing in this one.
    assert_eq!(parts, [(0, 0, 1), (0, 1, 2)]);
    assert_eq!(model.bone_combos.as_slice(), [0, 0, 1]);
    // The mean of its corners, and the bone that is nearest to it.
    assert_eq!((view.submeshes[1].center, view.submeshes[1].center_bone), ([42.0, 0.0, 0.0], 1));
    let expected = Vertex {
        position: [42.0, 3.0, 0.0],
        weights: [128, 127, 0, 0],
        bones: [0, 1, 0, 0],
        normal: [0.0, 1.0, 0.0],
        uv: [0.25, 0.5],
        uv2: [0.75, 1.0],
    };
    assert_eq!(model.vertices[5], expected);
    assert_eq!(view.properties[5], [0, 1, 0, 0]);
}

#[test]
fn vertices_of_five_bones_follow_four_that_move_alike() {
    let mut scene = warcraft();
    for at in 1..5_u8 {
        scene.nodes.push(node("bone", NodeKind::Bone, None, [f32::from(at), 0.0, 0.0]));
    }
    // The weakest bone moves; the others stay, so that one of those can be left out.
    scene.nodes.as_mut_slice()[4].translation.track =
        Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [10.0, 0.0, 0.0]], [0.0; 3]));
    let shares: Vec<(u32, f32)> = vec![(0, 0.3), (1, 0.25), (2, 0.2), (3, 0.15), (4, 0.1)];
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&shares], vec![0; 3]));
    let made = raised(&scene, 264);
    // 0.45, 0.25, 0.2 and 0.1 of 255: 114.75, 63.75, 51 and 25.5. The fourth bone comes last, since it moves no vertex.
    let vertex = &made.model.vertices[0];
    assert_eq!((vertex.bones, vertex.weights), ([0, 1, 2, 3], [115, 64, 51, 25]));
    assert_eq!(made.model.bones[3].pivot, [4.0, 0.0, 0.0]);
    assert!(said(&made, "skin: vertices of more than four bones"), "{}", made.report);
    assert!(said(&made, "the largest error found is 0.00 %"), "{}", made.report);
    let four: Vec<(u32, f32)> = vec![(0, 0.3), (1, 0.3), (2, 0.2), (3, 0.2)];
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&four], vec![0; 3]));
    assert!(!said(&raised(&scene, 264), "skin:"));
}

#[test]
fn the_error_of_four_bones_is_measured() {
    let mut scene = warcraft();
    scene.sequences.push(effigy_scene::Sequence {
        name: "Walk".into(),
        start: 2000,
        end: 3000,
        ..effigy_scene::Sequence::default()
    });
    // One bone rests, three move along an axis each while it stands, and the fifth while it walks.
    let rest = [0.0; 3];
    for (stands, walks) in [
        ([10.0, 0.0, 0.0], rest),
        ([0.0, 10.0, 0.0], rest),
        ([0.0, 0.0, 10.0], rest),
        (rest, [10.0, 0.0, 0.0]),
    ] {
        let mut bone = node("bone", NodeKind::Bone, None, rest);
        let keys = vec![rest, stands, rest, walks];
        bone.translation.track = Some(Track::linear(vec![0, 1000, 2000, 3000], keys, rest));
        scene.nodes.push(bone);
    }
    let shares: Vec<(u32, f32)> = (0..5).map(|node| (node, 0.2)).collect();
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&shares], vec![0; 3]));
    let made = raised(&scene, 264);
    // Without the bone that rests the others have a quarter each: 10 * 0.05 too far along three axes, 0.866 of the size 10.954.
    assert!(said(&made, "the largest error found is 7.9"), "{}", made.report);
}

#[test]
fn fixtures_have_every_value_in_its_place() {
    let mut scene = warcraft();
    for (name, times) in [("FPTxFBL1", vec![250, 750]), ("SNDXAUCH", vec![100])] {
        let event = Event {
            name: name.into(),
            data: 7,
            node: Id::new(0),
            position: [1.0, 1.0, 0.0],
            times,
            global: None,
        };
        scene.events.push(event);
    }
    for kind in [LightKind::Omni, LightKind::Directional, LightKind::Ambient] {
        scene.lights.push(Light {
            name: "lamp".into(),
            kind,
            node: Id::new(0),
            position: [7.0, 8.0, 9.0],
            attenuation_start: Animated::fixed(1.0),
            attenuation_end: Animated::fixed(2.0),
            color: Animated::fixed([0.9, 0.8, 0.7]),
            intensity: Animated::fixed(3.0),
            ambient_color: Animated::fixed([0.1, 0.2, 0.3]),
            ambient_intensity: Animated::fixed(4.0),
            visibility: Animated::fixed(0.0),
            extras: Extras::default(),
        });
    }
    for (near, far) in [(2.0, 100.0), (0.0, 50.0), (5.0, 5.0)] {
        scene.cameras.push(Camera {
            name: "view".into(),
            position: [1.0, 2.0, 3.0],
            target: [4.0, 5.0, 6.0],
            fov: 0.75,
            near,
            far,
            translation: None,
            target_translation: None,
            roll: None,
            extras: Extras::default(),
        });
    }
    for kind in [
        ShapeKind::Sphere { center: [1.0, 2.0, 3.0], radius: 4.0 },
        ShapeKind::Cylinder { base: [0.0, 0.0, 1.0], height: 5.0, radius: 20.0 },
        ShapeKind::Plane { length: 6.0, width: 8.0 },
    ] {
        scene.shapes.push(Shape { name: "shape".into(), node: Id::new(0), kind });
    }
    let made = raised(&scene, 256);
    let model = &made.model;
    assert_eq!(model.events.len(), 1);
    let step = &model.events[0];
    assert_eq!((step.id, step.data, step.position), (Tag(*b"$FSD"), 7, [1.0, 1.0, 0.0]));
    let start = model.sequences[0].start;
    assert_eq!(step.moments.times.all(), [start + 250, start + 750]);
    assert!(said(&made, "events: 1 belong to tables of another game: SNDXAUCH"), "{}", made.report);
    let lights: Vec<_> = model.lights.iter().map(|it| (it.kind, it.bone, it.position)).collect();
    // The mesh has no bone of its own, so the first bone is one that never moves.
    assert_eq!(lights, [(1, 1, [7.0, 8.0, 9.0]), (0, 1, [7.0, 8.0, 9.0]), (1, 1, [7.0, 8.0, 9.0])]);
    let lamp = &model.lights[0];
    let numbers =
        [&lamp.attenuation_start, &lamp.attenuation_end, &lamp.diffuse_intensity, &lamp.ambient_intensity]
            .map(|track| track.values.all()[0]);
    assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(lamp.diffuse_color.values.all(), [[0.9, 0.8, 0.7]]);
    assert_eq!(lamp.ambient_color.values.all(), [[0.1, 0.2, 0.3]]);
    assert_eq!(lamp.visible.values.all(), [0]);
    assert!(said(&made, "lights: 1 that shine from everywhere"));
    let cameras: Vec<_> = model.cameras.iter().map(|it| (it.kind, it.near_clip, it.far_clip)).collect();
    assert_eq!(cameras, [(0, 2.0, 100.0), (-1, 0.1, 50.0), (-1, 5.0, 5000.0)]);
    let first = &model.cameras[0];
    assert_eq!((first.position, first.target, first.fov), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 0.75));
    // Two boxes around the pivot (1, 2, 3): the sphere's from -3 to 5, -2 to 6, -1 to 7; the cylinder's is wider.
    assert_eq!((model.collision_vertices.len(), model.collision_triangles.len()), (16, 72));
    assert_eq!(model.collision_vertices[0], [-2.0, 0.0, 2.0]);
    assert_eq!(model.collision_vertices[7], [6.0, 8.0, 10.0]);
    assert_eq!(model.collision_bounds, [-19.0, -18.0, 2.0, 21.0, 22.0, 10.0]);
    assert_eq!(model.collision_normals[0], [0.0, 0.0, -1.0]);
    assert!(said(&made, "collision: shapes became boxes"));
    // Half the diagonal of 40, 40 and 8.
    assert!((model.collision_radius - 3264.0_f32.sqrt() / 2.0).abs() < 1e-3);
}

#[test]
fn attachments_without_a_counterpart_are_listed() {
    let mut scene = warcraft();
    for (name, path) in [("Origin Ref", ""), ("Sprite First Ref", "x.mdx"), ("Origin Ref - 2", "")] {
        scene.attachments.push(Attachment {
            name: name.into(),
            number: 0,
            node: Id::new(0),
            position: [1.0, 2.0, 3.0],
            path: path.into(),
            visibility: Animated::fixed(1.0),
        });
    }
    let made = raised(&scene, 264);
    let words =
        "2 have no counterpart in World of Warcraft, or one that is taken: Sprite First Ref, Origin Ref - 2";
    assert!(said(&made, words), "{}", made.report);
    assert!(said(&made, "1 carry a model"));
    let ids: Vec<u32> = made.model.attachments.iter().map(|it| it.id).collect();
    assert_eq!(ids, [19, 18]);
    assert!(!said(&raised(&warcraft(), 264), "attachments:"));
}

#[test]
fn particles_and_ribbons_have_every_value_in_its_place() {
    let mut scene = warcraft();
    let mut emitter = ParticleEmitter::new("smoke", Id::new(0));
    emitter.position = [1.0, 2.0, 4.0];
    emitter.texture = Some(Id::new(1));
    for (value, number) in [
        (&mut emitter.speed, 1.0),
        (&mut emitter.variation, 2.0),
        (&mut emitter.latitude, 3.0),
        (&mut emitter.longitude, 4.0),
        (&mut emitter.gravity, 5.0),
        (&mut emitter.lifespan, 6.0),
        (&mut emitter.rate, 7.0),
        (&mut emitter.length, 8.0),
        (&mut emitter.width, 9.0),
    ] {
        *value = Animated::fixed(number);
    }
    emitter.over_life.sizes = [1.0, 2.0, 0.5];
    emitter.over_life.alphas = [1.0, 0.5, 0.0];
    emitter.over_life.middle = 0.25;
    emitter.over_life.colors = [[0.2, 0.4, 0.6], [0.0, 0.2, 1.0], [1.0, 0.8, 0.6]];
    emitter.over_life.head = [Cells { start: 1, end: 2, repeat: 3 }, Cells { start: 4, end: 5, repeat: 6 }];
    emitter.over_life.tail =
        [Cells { start: 7, end: 8, repeat: 9 }, Cells { start: 10, end: 11, repeat: 12 }];
    (emitter.cells, emitter.priority, emitter.tail_length) = ([2, 4], -3, 0.5);
    (emitter.drag, emitter.spin, emitter.blend) = (0.75, 1.5, Blend::AddAlpha);
    for (head, tail, flat, shape) in [
        (true, false, true, EmitterShape::Plane),
        (false, true, false, EmitterShape::Sphere),
        (true, true, false, EmitterShape::Plane),
    ] {
        scene.emitters.push(ParticleEmitter { head, tail, flat, shape, sort: flat, ..emitter.clone() });
    }
    scene.emitters.push(ParticleEmitter { texture: None, ..emitter });
    let material = scene.materials.push(Material {
        layers: vec![Layer {
            blend: Blend::Add,
            two_sided: true,
            ..layer(vec![stage(1, Combine::Modulate)])
        }],
        ..Material::default()
    });
    let ribbon = |gravity_direction, material| Ribbon {
        name: "trail".into(),
        node: Id::new(0),
        position: [1.0, 2.0, 3.0],
        above: Animated::fixed(10.0),
        below: Animated::fixed(20.0),
        alpha: Animated::fixed(0.5),
        color: Animated::fixed([0.1, 0.2, 0.3]),
        slot: Animated::fixed(3),
        visibility: Animated::fixed(1.0),
        lifespan: 2.0,
        rate: 15.5,
        cells: [2, 4],
        material,
        gravity: 5.0,
        gravity_direction,
        extras: Extras::default(),
    };
    scene.ribbons.push(ribbon(RibbonGravity::Up, Some(material)));
    scene.ribbons.push(ribbon(RibbonGravity::Down, Some(material)));
    scene.ribbons.push(ribbon(RibbonGravity::Down, None));
    let made = raised(&scene, 256);
    let model = &made.model;
    assert_eq!(model.particles.len(), 3);
    assert!(said(&made, "particles: 1 have no texture"), "{}", made.report);
    assert!(said(&made, "particles: 1 are sorted by distance"));
    let kinds: Vec<_> = model
        .particles
        .iter()
        .map(|it| (it.kind, it.head_or_tail, it.flags.contains(ParticleFlags::FLAT)))
        .collect();
    assert_eq!(kinds, [(1, 0, true), (2, 1, false), (1, 2, false)]);
    let it = &model.particles[0];
    let numbers = [
        &it.speed,
        &it.speed_variation,
        &it.vertical_range,
        &it.horizontal_range,
        &it.gravity,
        &it.lifespan,
        &it.rate,
        &it.length,
        &it.width,
    ];
    assert_eq!(numbers.map(|track| track.values.all()[0]), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    // The first texture is not used, and the first bone carries the mesh.
    assert_eq!((it.position, it.texture, it.blend, it.bone), ([1.0, 2.0, 4.0], 0, 4, 1));
    assert_eq!((it.rows, it.columns, it.priority_plane), (2, 4, -3));
    // Blue first; 0.5 of 255 is rounded up.
    assert_eq!(it.colors, [153, 102, 51, 255, 255, 51, 0, 128, 153, 204, 255, 0]);
    assert_eq!((it.scales, it.middle), ([1.0, 2.0, 0.5], 0.25));
    assert_eq!((it.cells.head_life, it.cells.head_decay), ([1, 2, 3], [4, 5, 6]));
    assert_eq!((it.cells.tail_life, it.cells.tail_decay), ([7, 8], [10, 11]));
    assert_eq!([it.tail_length, it.drag, it.spin, it.burst_multiplier], [0.5, 0.75, 1.5, 1.0]);
    assert_eq!((it.twinkle_scale, it.twinkle_speed, it.twinkle_percent), ([1.0; 2], 0.0, 0.0));
    assert_eq!(model.ribbons.len(), 2);
    assert!(said(&made, "ribbons: trail has no texture"));
    assert_eq!([model.ribbons[0].gravity, model.ribbons[1].gravity], [5.0, -5.0]);
    let it = &model.ribbons[0];
    assert_eq!((it.edges_per_second, it.edge_lifetime, it.position), (15.5, 2.0, [1.0, 2.0, 3.0]));
    assert_eq!([it.height_above.values.all()[0], it.height_below.values.all()[0]], [10.0, 20.0]);
    assert_eq!((it.color.values.all()[0], it.alpha.values.all()[0]), ([0.1, 0.2, 0.3], 16384));
    assert_eq!(
        (it.rows, it.columns, it.texture_slot.values.all()[0], it.visible.values.all()[0]),
        (2, 4, 3, 1)
    );
    assert_eq!(it.textures.as_slice(), [0]);
    let material = &model.materials[usize::from(it.materials[0])];
    assert_eq!(
        (material.blend, material.flags),
        (3, MaterialFlags::TWO_SIDED | MaterialFlags::NO_DEPTH_WRITE)
    );
}

#[test]
fn bones_whose_number_is_too_large_leave_their_vertices_to_their_parents() {
    let mut scene = warcraft();
    for at in 1..300 {
        scene.nodes.push(node("bone", NodeKind::Bone, Some(at - 1), [0.0; 3]));
    }
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.skin = Some(skin(&[&[(255, 1.0)], &[(256, 1.0)], &[(299, 1.0)]], vec![0, 1, 2]));
    let made = raised(&scene, 264);
    assert!(said(&made, "bones: 2 bones beyond the 256th"), "{}", made.report);
    assert!(made.model.vertices.iter().all(|it| it.bones == [255, 0, 0, 0]));
}

#[test]
fn creatures_get_the_cameras_that_the_game_shows_them_with() {
    let mut scene = warcraft();
    // What does not move is not a creature.
    assert!(raised(&scene, 264).model.cameras.is_empty());
    let death = effigy_scene::Sequence { name: "Death".into(), start: 2000, end: 3000, ..Default::default() };
    scene.sequences.push(death);
    let made = raised(&scene, 264);
    let places = |model: &Model| -> Vec<_> {
        model.cameras.iter().map(|it| (it.kind, it.position, it.target)).collect()
    };
    // It is 10 high. Its head is at 0.85 of that.
    let window = (1, [22.0, 0.0, 5.0], [0.0, 0.0, 5.0]);
    assert_eq!(places(&made.model), [(0, [12.0, -1.5, 8.5], [0.0, 0.0, 8.5]), window]);
    assert_eq!(made.model.camera_lookup.as_slice(), [0, 1]);
    let [first, _] = made.model.cameras.as_slice() else { panic!("two cameras") };
    assert_eq!((first.fov, first.near_clip, first.far_clip), (0.7, 0.5, 200.0));
    assert!(said(&made, "cameras: those of the portrait and of the character window"));
    for (number, name) in [(11, "Helm"), (20, "Head Ref")] {
        let node = scene.nodes.push(node(name, NodeKind::Attachment, None, [1.0, 2.0, 3.0]));
        scene.attachments.push(Attachment {
            name: name.into(),
            number,
            node,
            position: [1.0, 2.0, 7.0 + number as f32],
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
        let z = 7.0 + number as f32;
        assert_eq!(places(&raised(&scene, 264).model)[0], (0, [13.0, 0.5, z], [1.0, 2.0, z]), "{name}");
    }
}

#[test]
fn bounds_are_those_of_the_posed_vertices() {
    let mut scene = warcraft();
    scene.nodes.as_mut_slice()[0].translation.track =
        Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [10.0, 0.0, 0.0]], [0.0; 3]));
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&[(0, 1.0)]], vec![0; 3]));
    let model = raised(&scene, 264).model;
    // From (0, -2, 0) to (4, 0, 10), and moved by 10 at the end.
    assert_eq!(model.bounds, [0.0, -2.0, 0.0, 14.0, 0.0, 10.0]);
    assert_eq!(model.sequences[0].bounds, model.bounds);
    // The farthest corner from the origin.
    assert!((model.radius - 300.0_f32.sqrt()).abs() < 1e-4, "{}", model.radius);
    assert_eq!(model.sequences[0].radius, model.radius);
}

#[test]
fn events_of_a_global_sequence_keep_its_number_and_their_times() {
    for version in [256, 264] {
        let mut scene = warcraft();
        scene.global_sequences.push(effigy_scene::GlobalSequence { length: 300 });
        let second = scene.global_sequences.push(effigy_scene::GlobalSequence { length: 900 });
        scene.events.push(Event {
            name: "FPTxFBL1".into(),
            data: 7,
            node: Id::new(0),
            position: [1.0, 1.0, 0.0],
            times: vec![100, 800],
            global: Some(second),
        });
        let made = raised(&scene, version);
        let moments = &made.model.events[0].moments;
        assert_eq!((moments.global_sequence, moments.times.all()), (1, &[100, 800][..]), "{version}");
    }
}

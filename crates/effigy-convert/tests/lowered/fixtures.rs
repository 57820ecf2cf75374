//! Lights, cameras, ribbons, events and shapes of MDX in the scene, against values written by hand.

use crate::lowered::{floats, lowered};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Attachment, Bone, Camera, CollisionShape, Dialect, EventObject, EventTrack, Key, Light,
    LightKind as Kind, Material, Model, Node, RibbonEmitter, Shape as MdxShape, Track,
};
use effigy_scene::{Id, Interpolation, LightKind, NodeKind, RibbonGravity, ShapeKind};
use effigy_wire::FixedStr;

const LINEAR: effigy_mdx::Interpolation = effigy_mdx::Interpolation::LINEAR;

fn node(name: &str, id: i32) -> Node {
    Node { name: FixedStr::new(name).unwrap(), object_id: id, parent: -1, ..Node::default() }
}

fn warcraft() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "model");
    model.bones.push(Bone { node: node("root", 0), ..Bone::default() });
    model.pivots = (0..8_u8).map(|id| [f32::from(id), 0.0, 1.0]).collect();
    model
}

#[test]
fn lights_by_the_low_byte_of_their_kind() {
    let mut model = warcraft();
    for (index, kind) in [0, 1, 2, 512, 513].into_iter().enumerate() {
        let mut light = Light {
            node: node("lamp", i32::try_from(index).unwrap() + 1),
            kind: Kind(kind),
            attenuation_start: 80.0,
            attenuation_end: 200.0,
            color: [0.1, 0.2, 0.3],
            intensity: 3.0,
            ambient_color: [0.4, 0.5, 0.6],
            ambient_intensity: 4.0,
            ..Light::default()
        };
        for (tag, value) in
            [(tags::KLAS, 1.0), (tags::KLAE, 2.0), (tags::KLAI, 3.0), (tags::KLBI, 4.0), (tags::KLAV, 0.0)]
        {
            light.tracks.set(floats(tag, &[(0, value), (10, value + 0.5)]));
        }
        let keys = [Key::new(0, [0.1, 0.2, 0.3_f32])];
        light.tracks.set(Track::new(tags::KLAC, LINEAR, &keys).unwrap());
        model.lights.push(light);
    }
    let scene = lowered(&model);
    let kinds: Vec<_> = scene.lights.as_slice().iter().map(|it| it.kind).collect();
    use LightKind::{Ambient, Directional, Omni};
    assert_eq!(kinds, [Omni, Directional, Ambient, Omni, Directional]);
    let light = &scene.lights.as_slice()[1];
    // Bones come first, so the second light is node 2, with the object id 2.
    assert_eq!((light.node.index(), light.position), (2, [2.0, 0.0, 1.0]));
    assert_eq!(scene.nodes.as_slice()[2].kind, NodeKind::Light);
    let values = |value: &effigy_scene::Animated<f32>| (value.base, value.track.as_ref().unwrap().values[0]);
    assert_eq!(values(&light.attenuation_start), (80.0, 1.0));
    assert_eq!(values(&light.attenuation_end), (200.0, 2.0));
    assert_eq!(values(&light.intensity), (3.0, 3.0));
    assert_eq!(values(&light.ambient_intensity), (4.0, 4.0));
    assert_eq!(light.visibility.track.as_ref().unwrap().interpolation, Interpolation::Step);
    assert_eq!((light.color.base, light.ambient_color.base), ([0.1, 0.2, 0.3], [0.4, 0.5, 0.6]));
    // Keys of colours are stored blue first.
    assert_eq!(light.color.track.as_ref().unwrap().values, [[0.3, 0.2, 0.1]]);
}

#[test]
fn cameras_keep_their_planes_and_tracks() {
    let mut model = warcraft();
    let mut camera = Camera {
        name: FixedStr::new("Portrait").unwrap(),
        position: [1.0, 2.0, 3.0],
        target: [4.0, 5.0, 6.0],
        field_of_view: 0.7,
        near_clip: 8.0,
        far_clip: 900.0,
        ..Camera::default()
    };
    let vector = |tag, x: f32| Track::new(tag, LINEAR, &[Key::new(0, [x, 0.0, 0.0_f32])]).unwrap();
    camera.tracks.set(vector(tags::KCTR, 1.0));
    camera.tracks.set(vector(tags::KTTR, 2.0));
    camera.tracks.set(floats(tags::KCRL, &[(0, 3.0)]));
    model.cameras.push(camera);
    let scene = lowered(&model);
    let it = &scene.cameras.as_slice()[0];
    assert_eq!((it.name.as_str(), it.position, it.target), ("Portrait", [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
    assert_eq!([it.fov, it.near, it.far], [0.7, 8.0, 900.0]);
    assert_eq!(it.translation.as_ref().unwrap().values, [[1.0, 0.0, 0.0]]);
    assert_eq!(it.target_translation.as_ref().unwrap().values, [[2.0, 0.0, 0.0]]);
    assert_eq!(it.roll.as_ref().unwrap().values, [3.0]);
    assert!(it.extras.is_empty());
}

#[test]
fn ribbons_attachments_and_events_are_located_at_their_nodes() {
    let mut model = warcraft();
    model.materials.push(Material::default());
    model.global_sequences = vec![500];
    let mut ribbon = RibbonEmitter {
        node: node("trail", 1),
        height_above: 10.0,
        height_below: 20.0,
        alpha: 0.5,
        color: [0.1, 0.2, 0.3],
        life_span: 2.5,
        texture_slot: 3,
        emission_rate: 40,
        rows: 2,
        columns: 4,
        material: 0,
        gravity: 9.0,
        ..RibbonEmitter::default()
    };
    ribbon.tracks.set(floats(tags::KRHA, &[(0, 1.0)]));
    ribbon.tracks.set(floats(tags::KRHB, &[(0, 2.0)]));
    ribbon.tracks.set(floats(tags::KRAL, &[(0, 0.25)]));
    model.ribbon_emitters.push(ribbon);
    let path = FixedStr::new("effect.mdl").unwrap();
    model.attachments.push(Attachment { node: node("Hand Ref", 2), id: 7, path, ..Attachment::default() });
    let track = Some(EventTrack { global_sequence: 0, times: vec![10, 20] });
    model.event_objects.push(EventObject { node: node("SNDXAAAA", 3), track });
    model.event_objects.push(EventObject { node: node("SPLXAAAA", 4), track: Some(EventTrack::default()) });
    let scene = lowered(&model);
    let it = &scene.ribbons.as_slice()[0];
    assert_eq!((it.name.as_str(), it.position, it.material), ("trail", [1.0, 0.0, 1.0], Some(Id::new(0))));
    let values = |value: &effigy_scene::Animated<f32>| (value.base, value.track.as_ref().unwrap().values[0]);
    assert_eq!(
        [values(&it.above), values(&it.below), values(&it.alpha)],
        [(10.0, 1.0), (20.0, 2.0), (0.5, 0.25)]
    );
    assert_eq!((it.slot.base, it.lifespan, it.rate, it.cells), (3, 2.5, 40.0, [2, 4]));
    assert_eq!(
        (it.gravity, it.gravity_direction, it.color.base),
        (9.0, RibbonGravity::Down, [0.1, 0.2, 0.3])
    );
    let it = &scene.attachments.as_slice()[0];
    assert_eq!(
        (it.name.as_str(), it.number, it.position, it.path.as_str()),
        ("Hand Ref", 7, [2.0, 0.0, 1.0], "effect.mdl")
    );
    let [sound, splat] = scene.events.as_slice() else { panic!() };
    assert_eq!(
        (sound.name.as_str(), sound.position, sound.global),
        ("SNDXAAAA", [3.0, 0.0, 1.0], Some(Id::new(0)))
    );
    assert_eq!((&sound.times[..], splat.global, splat.times.len()), (&[10, 20][..], None, 0));
    let kinds: Vec<NodeKind> = scene.nodes.as_slice().iter().map(|it| it.kind).collect();
    assert!(
        [NodeKind::Attachment, NodeKind::Ribbon, NodeKind::Event].iter().all(|kind| kinds.contains(kind))
    );
    assert_eq!(scene.nodes.get(sound.node).unwrap().name, "SNDXAAAA");
}

#[test]
fn shapes_of_both_kinds_of_tools() {
    let mut model = warcraft();
    let (min, max) = ([-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]);
    let list = [
        (MdxShape::Box { min, max }, ShapeKind::Box { min, max }),
        (MdxShape::Sphere { center: max, radius: 5.0 }, ShapeKind::Sphere { center: max, radius: 5.0 }),
        (
            MdxShape::Cylinder { base: min, height: 4.0, radius: 2.0 },
            ShapeKind::Cylinder { base: min, height: 4.0, radius: 2.0 },
        ),
        (MdxShape::Plane { length: 6.0, width: 7.0 }, ShapeKind::Plane { length: 6.0, width: 7.0 }),
        (MdxShape::TwoPointPlane([min, max]), ShapeKind::Box { min, max }),
        // From z = -3 to z = 3.
        (
            MdxShape::TwoPointCylinder { points: [min, max], radius: 2.0 },
            ShapeKind::Cylinder { base: min, height: 6.0, radius: 2.0 },
        ),
    ];
    for (index, (shape, _)) in list.iter().enumerate() {
        let node = node("shape", i32::try_from(index).unwrap() + 1);
        model.collision_shapes.push(CollisionShape { node, shape: *shape });
    }
    let scene = lowered(&model);
    let kinds: Vec<ShapeKind> = scene.shapes.as_slice().iter().map(|it| it.kind).collect();
    assert_eq!(kinds, list.map(|(_, kind)| kind));
    assert_eq!(scene.shapes.as_slice()[2].node.index(), 3);
}

//! All nodes of the skeleton. Their ids are in the order that WoW alpha's client requires.

use effigy_mdx::{
    Attachment, Bone, Caps, CollisionShape, EventObject, EventTrack, Helper, HitTestShape, Light, LightKind,
    Model, Node, NodeFlags, ParticleEmitter, ParticleEmitter2, ParticleFilter, PopcornEmitter, RibbonEmitter,
    Shape,
};
use effigy_wire::FixedStr;

use super::Numbers;
use crate::mdx::flags::{self, Role};
use crate::mdx::{int, pre2_content_size};

pub(super) fn add(model: &mut Model, n: &mut Numbers) {
    let mut ids = Ids { next: 0 };
    for (index, name) in ["Root", "Arm", "Hand"].into_iter().enumerate() {
        let mut node = ids.node(n, name, Role::Bone);
        // All seven bits for inheritance and billboards.
        node.flags |= NodeFlags::from_bits_retain([0x00, 0x2a, 0x55].get(index).copied().unwrap_or(0));
        model.bones.push(Bone { node, geoset: int(index) - 1, geoset_animation: 1 - int(index) });
    }
    for (kind, _) in LightKind::NAMES {
        let node = ids.node(n, "Light", Role::Light);
        model.lights.push(light(n, node, *kind));
    }
    for name in ["Helper", "Second Helper"] {
        model.helpers.push(Helper { node: ids.node(n, name, Role::Helper) });
    }
    for (name, id) in [("Origin Ref", 0), ("Hand Right Ref", 5), ("Overhead Ref", 19)] {
        model.attachments.push(Attachment {
            node: ids.node(n, name, Role::Attachment),
            id,
            padding: if n.is_wow() { 255 } else { 0 },
            path: FixedStr::truncated("Everything\\Hat.mdx"),
            tracks: n.tracks("attachment"),
        });
    }
    emitters(model, n, &mut ids);
    for (name, times, global_sequence) in [("SNDxEVRY", vec![10, 20, 900], -1), ("FPT0EVRY", vec![], 1)] {
        let track = Some(EventTrack { global_sequence, times });
        model.event_objects.push(EventObject { node: ids.node(n, name, Role::Event), track });
    }
    for shape in shapes(n) {
        let node = ids.node(n, "Shape", Role::Shape);
        if n.is_wow() {
            model.hit_test_shapes.push(HitTestShape { node, shape });
        } else {
            model.collision_shapes.push(CollisionShape { node, shape });
        }
    }
    model.pivots = (0..ids.next).map(|_| n.vector()).collect();
}

/// Assigns object ids.
struct Ids {
    next: i32,
}

impl Ids {
    fn node(&mut self, n: &mut Numbers, name: &str, role: Role) -> Node {
        let object_id = self.next;
        self.next += 1;
        Node {
            name: FixedStr::truncated(&format!("{name} {object_id}")),
            object_id,
            parent: if object_id == 0 { -1 } else { object_id / 2 },
            flags: flags::of(role, n.dialect),
            tracks: n.tracks("node"),
        }
    }
}

fn light(n: &mut Numbers, node: Node, kind: LightKind) -> Light {
    let (casting, falloff) = (n.has(Caps::SHADOW_CASTING), n.has(Caps::LIGHT_FALLOFF));
    let plain = Light::default();
    Light {
        node,
        kind,
        shadow_casting: u32::from(casting),
        attenuation_start: n.float(),
        attenuation_end: n.float(),
        color: n.vector(),
        intensity: n.float(),
        ambient_color: n.vector(),
        ambient_intensity: n.float(),
        shadow_intensity: if n.has(Caps::SHADOW_INTENSITY) { n.float() } else { plain.shadow_intensity },
        shadow_range: if casting { [n.float(), n.float()] } else { [0.0; 2] },
        quadratic_falloff: if falloff { n.float() } else { plain.quadratic_falloff },
        linear_falloff: if falloff { n.float() } else { plain.linear_falloff },
        damping: if falloff { n.float() } else { plain.damping },
        tracks: n.tracks("light"),
    }
}

fn emitters(model: &mut Model, n: &mut Numbers, ids: &mut Ids) {
    for bit in [NodeFlags::EMITTER_USES_MDL_OR_UNSHADED, NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z] {
        let mut node = ids.node(n, "Emitter", Role::Emitter);
        node.flags |= bit;
        model.particle_emitters.push(ParticleEmitter {
            node,
            emission_rate: n.float(),
            gravity: n.float(),
            longitude: n.float(),
            latitude: n.float(),
            path: FixedStr::truncated("Everything\\Particle.mdx"),
            life_span: n.float(),
            speed: n.float(),
            tracks: n.tracks("particle emitter"),
        });
    }
    for ((filter, _), index) in ParticleFilter::NAMES.iter().zip(0_u32..) {
        let node = ids.node(n, "Emitter Two", Role::Emitter);
        model.particle_emitters_2.push(particles(n, node, *filter, index));
    }
    if n.has(Caps::EMISSIVE) {
        model.popcorn_emitters.push(PopcornEmitter {
            node: ids.node(n, "Popcorn", Role::Emitter),
            life_span: n.float(),
            emission_rate: n.float(),
            speed: n.float(),
            color: n.vector(),
            alpha: n.float(),
            replaceable: 1,
            path: FixedStr::truncated("Everything\\Popcorn.pkfx"),
            visibility_guide: FixedStr::truncated("Always=on, Death=off"),
            tracks: n.tracks("popcorn emitter"),
        });
    }
    model.ribbon_emitters.push(RibbonEmitter {
        node: ids.node(n, "Ribbon", Role::Ribbon),
        height_above: n.float(),
        height_below: n.float(),
        alpha: n.float(),
        color: n.vector(),
        life_span: n.float(),
        texture_slot: n.word(),
        emission_rate: n.word(),
        rows: n.word(),
        columns: n.word(),
        material: 1,
        gravity: n.float(),
        tracks: n.tracks("ribbon emitter"),
        ..RibbonEmitter::default()
    });
}

fn particles(n: &mut Numbers, mut node: Node, filter_mode: ParticleFilter, index: u32) -> ParticleEmitter2 {
    let wow = n.is_wow();
    // Each of the emitter's own bits on one of the five; WoW alpha has more of them.
    node.flags |= NodeFlags::from_bits_retain(0x8000 << index);
    if wow {
        node.flags |= NodeFlags::from_bits_retain(0x10_0000 << index | 0x200_0000 << index);
    } else if index == 4 {
        node.flags |= NodeFlags::XY_QUAD;
    }
    let spline = if wow && index == 3 { vec![n.vector(), n.vector(), n.vector()] } else { Vec::new() };
    let words = |n: &mut Numbers| [n.word(), n.word(), n.word()];
    let only_wow = |n: &mut Numbers| if wow { n.float() } else { 0.0 };
    let plain = ParticleEmitter2::default();
    ParticleEmitter2 {
        node,
        content_size: if wow { pre2_content_size(spline.len()) } else { plain.content_size },
        emitter_type: if wow { index.min(3) } else { 0 },
        speed: n.float(),
        variation: n.float(),
        latitude: n.float(),
        longitude: only_wow(n),
        gravity: n.float(),
        z_source: only_wow(n),
        life_span: n.float(),
        emission_rate: n.float(),
        length: n.float(),
        width: n.float(),
        filter_mode,
        rows: n.word(),
        columns: n.word(),
        head_or_tail: index % 3,
        tail_length: n.float(),
        time_middle: 0.5,
        segment_colors: [n.vector(), n.vector(), n.vector()].as_flattened().try_into().unwrap_or([0.0; 9]),
        segment_alphas: [250, 120, 3],
        segment_scales: n.vector(),
        head_life: words(n),
        head_decay: words(n),
        tail_life: words(n),
        tail_decay: words(n),
        texture: 1,
        squirt: index % 2,
        priority_plane: -2,
        replaceable: n.word() % 3,
        geometry_model: if wow { FixedStr::truncated("Everything\\Leaf.mdx") } else { plain.geometry_model },
        recursion_model: if wow {
            FixedStr::truncated("Everything\\Spark.mdx")
        } else {
            plain.recursion_model
        },
        twinkle_fps: if wow { n.float() } else { plain.twinkle_fps },
        twinkle_on_off: if wow { 1.0 } else { 0.0 },
        twinkle_scale: [only_wow(n), only_wow(n)],
        instant_velocity_scale: only_wow(n),
        tumble: std::array::from_fn(|_| only_wow(n)),
        drag: only_wow(n),
        spin: only_wow(n),
        wind: std::array::from_fn(|_| only_wow(n)),
        wind_time: only_wow(n),
        follow: std::array::from_fn(|_| only_wow(n)),
        spline,
        tracks: n.tracks("particle emitter 2"),
    }
}

/// Every shape; what modelling tools write for planes and cylinders exists in Warcraft III only.
fn shapes(n: &mut Numbers) -> Vec<Shape> {
    let mut shapes = vec![
        Shape::Box { min: n.vector().map(|x| -x), max: n.vector() },
        Shape::Cylinder { base: n.vector(), height: n.float(), radius: n.float() },
        Shape::Sphere { center: n.vector(), radius: n.float() },
        Shape::Plane { length: n.float(), width: n.float() },
    ];
    if !n.is_wow() {
        shapes.push(Shape::TwoPointPlane([n.vector(), n.vector()]));
        shapes.push(Shape::TwoPointCylinder { points: [n.vector(), n.vector()], radius: n.float() });
    }
    shapes
}

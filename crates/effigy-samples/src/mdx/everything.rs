//! One model per version that uses every chunk, every track, every primitive, every shape and several sets of texture
//! coordinates, with a different number in each field, so that exchanging two fields is noticed.

mod nodes;
mod numbers;
mod surface;

use effigy_mdx::{
    Camera, Caps, CollisionMesh, Dialect, Extent, FaceFx, Model, Sequence, SequenceFlags, Sound,
};
use effigy_wire::{FixedStr, Tag};

use numbers::Numbers;

/// The model that uses everything of this dialect and version.
#[must_use]
pub fn everything(dialect: Dialect, version: u32) -> Model {
    let caps = dialect.caps(version);
    let mut n = Numbers::new(dialect, caps);
    let mut model = Model::new(dialect, version, "Everything");
    let wow = dialect == Dialect::WowAlpha;
    for info in &mut model.info {
        info.animation_file = FixedStr::truncated("Everything\\Animations.mdx");
        info.extent = n.extent();
        info.blend_time = if wow { info.blend_time } else { 210 };
        info.flags = if wow { 5 } else { 0 };
    }
    model.sequences = ["Stand", "Stand - 2", "Walk", "Attack Slam", "Death"]
        .into_iter()
        .zip(0_u32..)
        .map(|(name, i)| Sequence {
            name: FixedStr::truncated(name),
            interval: [i * 1000, i * 1000 + 900],
            move_speed: n.float(),
            flags: if i == 4 { SequenceFlags::NON_LOOPING } else { SequenceFlags::empty() },
            rarity: if wow { 0.0 } else { n.float() },
            sync_point: if wow { 0 } else { n.word() },
            extent: n.extent(),
            frequency: if wow { 0.125 } else { 0.0 },
            replay: if wow { [n.word(), n.word()] } else { [0; 2] },
            blend_time: if wow { n.word() } else { 0 },
        })
        .collect();
    model.global_sequences = vec![1000, 2500, 4000];
    surface::add(&mut model, &mut n);
    nodes::add(&mut model, &mut n);
    model.cameras = cameras(&mut n);
    if wow {
        model.collision_mesh = vec![CollisionMesh {
            vertices: vec![[-20.0, -20.0, 0.0], [20.0, -20.0, 0.0], [20.0, 20.0, 0.0], [-20.0, 20.0, 0.5]],
            indices: vec![0, 1, 2, 0, 2, 3],
            normals: vec![[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
        }];
    } else {
        model.gliders = vec![0, 1];
        model.sounds = vec![Sound {
            path: FixedStr::truncated("Sound\\Everything.wav"),
            volume: n.float(),
            pitch: n.float(),
            channel: n.word(),
        }];
    }
    if caps.contains(Caps::EMISSIVE) {
        model.face_fx = ["Node", "Second"]
            .map(|name| FaceFx {
                name: FixedStr::truncated(name),
                path: FixedStr::truncated(&format!("Everything\\{name}.facefx_ingame")),
            })
            .to_vec();
        let poses = model.nodes().count() + 1;
        model.bind_poses = (0..poses)
            .map(|_| [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, n.float(), n.float(), n.float()])
            .collect();
    }
    // What tools have added to real files.
    model.push_chunk(Tag(*b"MDVI"), b"an odd length".to_vec());
    model.push_chunk(Tag(*b"INFO"), Vec::new());
    super::count_nodes(&mut model);
    model
}

fn cameras(n: &mut Numbers) -> Vec<Camera> {
    // 1 and 2 hold twelve bytes more; they came with the variants.
    let variants: &[u8] = if n.has(Caps::CAMERA_VARIANT_3) { &[3, 0, 1, 2] } else { &[0] };
    variants
        .iter()
        .map(|&variant| Camera {
            variant,
            name: FixedStr::truncated(&format!("Camera {variant}")),
            position: n.vector(),
            field_of_view: 0.75,
            far_clip: n.float(),
            near_clip: n.float(),
            unknown_variant_data: if matches!(variant, 1 | 2) {
                [n.word(), n.word(), n.word()]
            } else {
                [0; 3]
            },
            target: n.vector(),
            tracks: n.tracks("camera"),
        })
        .collect()
}

/// Bounds with a different number in each place.
fn extent(n: &mut Numbers) -> Extent {
    Extent { radius: n.float(), min: n.vector().map(|x| -x), max: n.vector() }
}

//! Keyframes: the sampled poses of each sequence, without keys that interpolation between their neighbours gives anyway.

use super::math::{NO_ROTATION, Quat, Vec3, X, Y, Z, length, mix, settle, settle3, sub, then, turn};
use super::pose::{Act, pose, reach};
use super::skeleton::Skeleton;
use super::{Creature, Interpolation, Key, Node, Sequence, Track};

/// One turn of the key.
pub(crate) const KEY_PERIOD: u32 = 3000;
/// One cycle of the fire's texture.
pub(crate) const FIRE_PERIOD: u32 = 4000;

const fn sequence(name: &'static str, start: u32, end: u32, looping: bool) -> Sequence {
    Sequence { name, start, end, move_speed: 0.0, looping, rarity: 0.0 }
}

pub(crate) const SEQUENCES: [Sequence; 6] = [
    sequence("Stand", 100, 2100, true),
    Sequence { rarity: 4.0, ..sequence("Stand - 2", 2200, 4600, true) },
    Sequence { move_speed: 150.0, ..sequence("Walk", 4700, 5500, true) },
    sequence("Attack", 5600, 6600, false),
    sequence("Death", 6700, 9200, false),
    sequence("Portrait", 9300, 11300, true),
];

/// The kind of pose for each of [`SEQUENCES`].
const ACTS: [Act; 6] = [Act::Stand, Act::Look, Act::Walk, Act::Attack, Act::Death, Act::Stand];

/// Collects the keys of one node.
#[derive(Default)]
struct Keys {
    translation: Vec<(u32, Vec3)>,
    rotation: Vec<(u32, Quat)>,
    scaling: Vec<(u32, Vec3)>,
}

pub(crate) fn animate(creature: &mut Creature, s: &Skeleton) {
    let mut rest = [[0.0; 3]; 6];
    for (foot, leg) in rest.iter_mut().zip(&s.legs) {
        *foot = leg.foot;
    }
    let body_pivot = s.nodes.get(s.body).map_or([0.0; 3], |n| n.pivot);
    let mut keys: Vec<Keys> = s.nodes.iter().map(|_| Keys::default()).collect();
    let mut set =
        |node: usize, time: u32, shift: Option<Vec3>, rotation: Option<Quat>, size: Option<Vec3>| {
            let Some(keys) = keys.get_mut(node) else { return };
            keys.translation.extend(shift.map(|v| (time, v)));
            keys.rotation.extend(rotation.map(|v| (time, v)));
            keys.scaling.extend(size.map(|v| (time, v)));
        };
    let (mut fade, mut shine) = (Vec::new(), Vec::new());
    for (sequence, act) in SEQUENCES.iter().zip(ACTS) {
        for (time, t) in moments(sequence) {
            let p = pose(act, t, &rest);
            set(s.root, time, Some(p.root), None, None);
            set(s.body, time, Some(p.body.0), Some(p.body.1), None);
            set(s.head, time, None, Some(p.head), None);
            for (side, (&jaw, &case)) in [1.0, -1.0].into_iter().zip(s.jaws.iter().zip(&s.cases)) {
                set(jaw, time, None, Some(turn(Z, side * p.jaws)), None);
                let open = then(
                    turn(Z, -side * 0.55 * p.cases),
                    then(turn(Y, 0.42 * p.cases), turn(X, -side * 0.35 * p.cases)),
                );
                set(case, time, None, Some(open), None);
            }
            set(s.arm, time, None, Some(p.arm), None);
            set(s.lantern, time, None, Some(p.lantern), None);
            set(s.glow, time, None, None, Some([p.glow_size; 3]));
            for (&node, angle) in s.banner.iter().zip(p.banner) {
                set(node, time, None, Some(turn(Z, angle)), None);
            }
            for (leg, foot) in s.legs.iter().zip(p.feet) {
                let (thigh, shin) = reach(leg, foot, body_pivot, p.body);
                set(leg.thigh, time, None, Some(thigh), None);
                set(leg.shin, time, None, Some(shin), None);
            }
            fade.push((time, p.fade));
            shine.push((time, p.shine * p.fade));
        }
    }
    for (i, (node, keys)) in creature.nodes.iter_mut().zip(keys).enumerate() {
        write_keys(node, keys, i == s.body);
    }
    if let Some(key) = creature.nodes.get_mut(s.key) {
        key.rotation = winding();
    }
    let (glow, lamp) = (super::texture::material::GLOW, super::texture::material::LAMP);
    for mesh in &mut creature.meshes {
        let values = if mesh.material == glow { &shine } else { &fade };
        mesh.alpha.keys = thin(values, |a, b, t| a + (b - a) * t, |a, b| (a - b).abs())
            .into_iter()
            .map(|(time, v)| Key { time, value: settle(v), arrive: 0.0, leave: 0.0 })
            .collect();
        if mesh.material == lamp {
            mesh.color = dimming();
        }
    }
}

/// Eyes and lantern go dark in death. Colours have keys in each sequence: without any they would be black.
fn dimming() -> Track<Vec3> {
    let bright = SEQUENCES.iter().filter(|s| s.name != "Death").flat_map(|s| [(s.start, 1.0), (s.end, 1.0)]);
    let death = [(6700, 1.0), (7450, 0.9), (7900, 0.5), (8000, 0.7), (8250, 0.2), (9200, 0.2)];
    let mut keys: Vec<Key<Vec3>> = bright
        .chain(death)
        .map(|(time, light)| Key { time, value: settle3([light; 3]), ..Key::default() })
        .collect();
    keys.sort_by_key(|key| key.time);
    Track { keys, ..Track::default() }
}

/// The moments at which a sequence is sampled: its ends, and about every 67 ms between them.
fn moments(sequence: &Sequence) -> impl Iterator<Item = (u32, f32)> + use<> {
    let (start, span) = (sequence.start, sequence.end - sequence.start);
    let steps = span.div_ceil(67).max(1);
    (0..=steps).map(move |i| {
        let t = u16::try_from(i).map_or(0.0, f32::from) / u16::try_from(steps).map_or(1.0, f32::from);
        (start + span * i / steps, t)
    })
}

fn write_keys(node: &mut Node, keys: Keys, smooth: bool) {
    let far3 = |a: Vec3, b: Vec3| length(sub(a, b));
    let translation = thin(&keys.translation, mix, far3);
    node.translation = if smooth { hermite(&translation) } else { linear(&translation) };
    node.scaling = linear(&thin(&keys.scaling, mix, far3));
    let spherical = |a: Quat, b: Quat, t: f32| {
        let sign = if a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>() < 0.0 { -1.0 } else { 1.0 };
        let mut q: Quat = [0.0; 4];
        for ((q, a), b) in q.iter_mut().zip(a).zip(b) {
            *q = a + (b * sign - a) * t;
        }
        let l = q.iter().map(|x| x * x).sum::<f32>().sqrt();
        q.map(|x| x / l)
    };
    let apart = |a: Quat, b: Quat| {
        30.0 * (1.0 - a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>().abs()).max(0.0).sqrt()
    };
    let rotation = thin(&keys.rotation, spherical, apart);
    if rotation.iter().any(|(_, q)| *q != NO_ROTATION) {
        node.rotation.keys = rotation
            .into_iter()
            .map(|(time, q)| Key { time, value: q.map(settle), arrive: [0.0; 4], leave: [0.0; 4] })
            .collect();
    }
}

/// Drops keys that interpolation between their neighbours gives anyway. The ends of sequences are kept.
fn thin<T: Copy>(
    keys: &[(u32, T)],
    between: impl Fn(T, T, f32) -> T,
    apart: impl Fn(T, T) -> f32,
) -> Vec<(u32, T)> {
    let edge = |time: u32| SEQUENCES.iter().any(|s| s.start == time || s.end == time);
    let mut kept: Vec<(u32, T)> = Vec::new();
    // Keys dropped since the last one kept: all of them must stay near the straight line.
    let mut dropped: Vec<(u32, T)> = Vec::new();
    for (i, &key) in keys.iter().enumerate() {
        let Some(&next) = keys.get(i + 1) else {
            kept.push(key);
            continue;
        };
        let needed = edge(key.0)
            || kept.last().is_none_or(|&(from, start)| {
                let span = next.0 - from;
                dropped.iter().chain([&key]).any(|&(time, value)| {
                    let t = ratio(time - from, span);
                    apart(between(start, next.1, t), value) > 0.04
                })
            });
        if needed {
            kept.push(key);
            dropped.clear();
        } else {
            dropped.push(key);
        }
    }
    kept
}

pub(super) fn ratio(part: u32, whole: u32) -> f32 {
    let short = |x: u32| u16::try_from(x).map_or(0.0, f32::from);
    if whole == 0 { 0.0 } else { short(part) / short(whole) }
}

fn linear(keys: &[(u32, Vec3)]) -> Track<Vec3> {
    let still = keys.iter().all(|k| keys.first().is_some_and(|f| f.1 == k.1));
    if still {
        return Track::default();
    }
    let keys = keys.iter().map(|&(time, v)| Key { time, value: settle3(v), ..Key::default() }).collect();
    Track { keys, ..Track::default() }
}

/// Tangents computed from the neighbours; zero at the ends of a sequence, so that sequences do not influence each other.
fn hermite(keys: &[(u32, Vec3)]) -> Track<Vec3> {
    let edge = |time: u32| SEQUENCES.iter().any(|s| s.start == time || s.end == time);
    let mut out = Vec::new();
    for (i, &(time, value)) in keys.iter().enumerate() {
        let (before, after) = (i.checked_sub(1).and_then(|i| keys.get(i)), keys.get(i + 1));
        let (mut arrive, mut leave) = ([0.0; 3], [0.0; 3]);
        if let (Some(&(t0, v0)), Some(&(t2, v2)), false) = (before, after, edge(time)) {
            let slope = sub(v2, v0);
            arrive = settle3(super::math::scale(slope, ratio(time - t0, t2 - t0)));
            leave = settle3(super::math::scale(slope, ratio(t2 - time, t2 - t0)));
        }
        out.push(Key { time, value: settle3(value), arrive, leave });
    }
    Track { interpolation: Interpolation::Hermite, global_sequence: None, keys: out }
}

/// The key turns forever, in four quarter turns.
fn winding() -> Track<Quat> {
    let keys = (0..=4_u8)
        .map(|quarter| {
            let q = turn(X, f32::from(quarter) * std::f32::consts::FRAC_PI_2);
            Key { time: u32::from(quarter) * KEY_PERIOD / 4, value: q.map(settle), ..Key::default() }
        })
        .collect();
    Track { interpolation: Interpolation::Linear, global_sequence: Some(0), keys }
}

/// The fire's texture drifts.
pub(crate) fn fire() -> Track<Vec3> {
    let key = |time, value| Key { time, value, ..Key::default() };
    let keys = vec![key(0, [0.0; 3]), key(FIRE_PERIOD, [0.0, 1.0, 0.0])];
    Track { interpolation: Interpolation::Linear, global_sequence: Some(1), keys }
}

//! A second, plain implementation of M2 posing, in double precision and without any optimisation.
//!
//! It is written from the description of the clients in `docs/formats/m2.md` and shares no code with the lowering or the
//! sampler: it reads the tracks of the file, not those of the scene. Only the reader of the format is used by both.

use effigy_m2::{Bone, BoneFlags, Caps, Key, Model, SequenceFlags, Track};

pub type Vector = [f64; 3];

/// How a client blends two rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// Along the shorter arc at constant speed: 256 to 263.
    Slerp,
    /// Component by component, then normalised; the signs of the keys are not changed: 264.
    Nlerp,
}

/// The three columns of a basis and a translation.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    pub columns: [Vector; 3],
    pub translation: Vector,
}

const IDENTITY: Matrix =
    Matrix { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn scaled(a: Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

fn length(a: Vector) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

impl Matrix {
    pub fn turn(&self, v: Vector) -> Vector {
        let [x, y, z] = self.columns;
        add(add(scaled(x, v[0]), scaled(y, v[1])), scaled(z, v[2]))
    }

    pub fn point(&self, v: Vector) -> Vector {
        add(self.turn(v), self.translation)
    }

    fn after(&self, other: &Self) -> Self {
        Self {
            columns: other.columns.map(|column| self.turn(column)),
            translation: self.point(other.translation),
        }
    }
}

/// A moment of a model.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    pub sequence: usize,
    /// Milliseconds since the sequence started.
    pub elapsed: f64,
    /// Milliseconds since the model appeared.
    pub clock: f64,
}

/// What two keys give at a fraction of the time between them.
type Mix<'a, T, V> = &'a dyn Fn(T, T, f64) -> V;

/// The sequence whose keys are played: from 264 on an alias refers to another one.
fn source(model: &Model, sequence: usize) -> usize {
    let mut at = sequence;
    for _ in 0..model.sequences.len() {
        let Some(found) = model.sequences.get(at) else { return at };
        if !found.flags.contains(SequenceFlags::ALIAS) || found.flags.contains(SequenceFlags::EMBEDDED) {
            return at;
        }
        let next = usize::from(found.alias);
        if next == at || next >= model.sequences.len() {
            return at;
        }
        at = next;
    }
    at
}

/// The value of a track at a moment.
fn sample<T: Key, V>(model: &Model, track: &Track<T>, time: Time, default: V, mix: Mix<'_, T, V>) -> V {
    let nested = model.caps().contains(Caps::NESTED);
    let global = usize::try_from(track.global_sequence).ok();
    let (times, values, now, first, last) = if nested {
        let wanted = if global.is_some() { 0 } else { source(model, time.sequence) };
        // A track with fewer lists than sequences uses its first one.
        let list = if wanted < track.times.part_count() { wanted } else { 0 };
        let times = track.times.part(list);
        (times, track.values.part(list), time.elapsed, 0, times.len().saturating_sub(1))
    } else {
        let times = track.times.all();
        let end = times.len().saturating_sub(1);
        let start = model.sequences.get(time.sequence).map_or(0.0, |found| f64::from(found.start));
        let [first, last] = match track.ranges.get(time.sequence) {
            Some(&[first, last]) if global.is_none() => [first as usize, last as usize],
            _ => [0, end],
        };
        (times, track.values.all(), start + time.elapsed, first, last)
    };
    if times.is_empty() || values.is_empty() {
        return default;
    }
    let now = match global {
        None => now,
        Some(global) => match model.global_sequences.get(global) {
            Some(&length) if length > 0 => time.clock % f64::from(length),
            _ => return mix(values[0], values[0], 0.0),
        },
    };
    let at = |key: usize| values[key.min(values.len() - 1)];
    if first >= last {
        return mix(at(first), at(first), 0.0);
    }
    let mut key = first;
    while key < last && f64::from(times[key + 1]) <= now {
        key += 1;
    }
    // The key after the range has an influence, too; before the first key and after the last one the value holds.
    if track.interpolation == 0 || key + 1 >= times.len() {
        return mix(at(key), at(key), 0.0);
    }
    let (from, to) = (f64::from(times[key]), f64::from(times[key + 1]));
    let part = if to > from { ((now - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
    mix(at(key), at(key + 1), part)
}

fn vector(a: [f32; 3], b: [f32; 3], part: f64) -> Vector {
    let [a, b] = [a, b].map(|v| v.map(f64::from));
    add(scaled(a, 1.0 - part), scaled(b, part))
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { q.map(|x| x / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

fn rotation(blend: Blend, a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    let (a, mut b) = (unit(a), unit(b));
    let weighted = |b: [f64; 4], [x, y]: [f64; 2]| unit(std::array::from_fn(|i| a[i] * x + b[i] * y));
    if blend == Blend::Nlerp {
        return weighted(b, [1.0 - part, part]);
    }
    let mut cosine: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    if cosine < 0.0 {
        b = b.map(|x| -x);
        cosine = -cosine;
    }
    let angle = cosine.min(1.0).acos();
    if angle < 1e-6 {
        return weighted(b, [1.0 - part, part]);
    }
    weighted(b, [((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin()])
}

/// The rotation matrix of a quaternion x, y, z, w.
fn basis([x, y, z, w]: [f64; 4]) -> [Vector; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn turn(model: &Model, bone: &Bone, time: Time, blend: Blend) -> [f64; 4] {
    let identity = [0.0, 0.0, 0.0, 1.0];
    if model.caps().contains(Caps::PACKED_ROTATION) {
        let unpack = |packed: [u16; 4]| packed.map(|word| f64::from(word) / 32767.5 - 1.0);
        return sample(model, &bone.packed_rotation, time, identity, &|a, b, part| {
            rotation(blend, unpack(a), unpack(b), part)
        });
    }
    sample(model, &bone.rotation, time, identity, &|a: [f32; 4], b, part| {
        rotation(blend, a.map(f64::from), b.map(f64::from), part)
    })
}

/// What a bone takes over from its parent: the basis by flags 2 and 4, the position of the pivot by flag 1.
fn inherited(bone: &Bone, parent: &Matrix) -> Matrix {
    let (no_scale, no_turn) = (
        bone.flags.contains(BoneFlags::IGNORE_PARENT_SCALE),
        bone.flags.contains(BoneFlags::IGNORE_PARENT_ROTATION),
    );
    let column = |index: usize| {
        let (own, size) = (parent.columns[index], length(parent.columns[index]));
        match (no_turn, no_scale) {
            (false, false) => own,
            (false, true) if size > 0.0 => scaled(own, 1.0 / size),
            (false, true) => own,
            (true, false) => scaled(IDENTITY.columns[index], size),
            (true, true) => IDENTITY.columns[index],
        }
    };
    let mut result = Matrix { columns: [column(0), column(1), column(2)], translation: [0.0; 3] };
    if !bone.flags.contains(BoneFlags::IGNORE_PARENT_TRANSLATION) {
        let pivot = bone.pivot.map(f64::from);
        result.translation = add(parent.point(pivot), scaled(result.turn(pivot), -1.0));
    }
    result
}

/// The matrix of every bone, from the bind pose to the pose. Billboards are not turned.
pub fn bones(model: &Model, time: Time, blend: Blend) -> Vec<Matrix> {
    let mut made: Vec<Matrix> = Vec::new();
    for bone in &model.bones {
        let parent = usize::try_from(bone.parent).ok().and_then(|parent| made.get(parent));
        let above = parent.map_or(IDENTITY, |parent| inherited(bone, parent));
        let pivot = bone.pivot.map(f64::from);
        let moved = sample(model, &bone.translation, time, [0.0; 3], &vector);
        let size = sample(model, &bone.scale, time, [1.0; 3], &vector);
        let [x, y, z] = basis(turn(model, bone, time, blend));
        let own = Matrix {
            columns: [scaled(x, size[0]), scaled(y, size[1]), scaled(z, size[2])],
            translation: add(pivot, moved),
        };
        let back = Matrix { translation: scaled(pivot, -1.0), ..IDENTITY };
        made.push(above.after(&own).after(&back));
    }
    made
}

/// A vertex moved by its bones.
pub fn vertex(vertex: &effigy_m2::Vertex, bones: &[Matrix]) -> Vector {
    let position = vertex.position.map(f64::from);
    if vertex.weights == [0; 4] {
        return bones.get(usize::from(vertex.bones[0])).map_or(position, |bone| bone.point(position));
    }
    let mut sum = [0.0; 3];
    for (weight, bone) in vertex.weights.into_iter().zip(vertex.bones) {
        if let Some(bone) = bones.get(usize::from(bone)) {
            sum = add(sum, scaled(bone.point(position), f64::from(weight) / 255.0));
        }
    }
    sum
}

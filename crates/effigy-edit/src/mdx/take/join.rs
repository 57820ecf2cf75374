//! Keys of one track added to those of another. A track has one interpolation, so where the two differ both become what holds either of
//! them exactly: steps become lines with a jump, and lines become splines with straight tangents.

use super::Taken;
use effigy_mdx::{Interpolation, Key, Track, ValueKind};

/// A value that can be scaled and put onto a line.
trait Joint: effigy_mdx::KeyValue {
    fn times(self, scale: f32) -> Self;
    /// The way from another value, divided by a number.
    fn since(self, other: Self, parts: f32) -> Self;
    fn plus(self, other: Self) -> Self;
    /// The same value as near to the other as it can be written.
    fn near(self, other: Self) -> Self;
    /// A spline of rotations goes along the arc between its tangents; one of numbers has slopes.
    const TURNS: bool;
}

impl Joint for [f32; 3] {
    const TURNS: bool = false;
    fn times(self, scale: f32) -> Self {
        self.map(|value| value * scale)
    }
    fn since(self, other: Self, parts: f32) -> Self {
        ((glam::Vec3::from(self) - glam::Vec3::from(other)) / parts).into()
    }
    fn plus(self, other: Self) -> Self {
        (glam::Vec3::from(self) + glam::Vec3::from(other)).into()
    }
    fn near(self, _: Self) -> Self {
        self
    }
}

impl Joint for [f32; 4] {
    const TURNS: bool = true;
    fn times(self, _: f32) -> Self {
        self
    }
    fn since(self, _: Self, _: f32) -> Self {
        self
    }
    fn plus(self, _: Self) -> Self {
        self
    }
    fn near(self, other: Self) -> Self {
        let dot: f32 = self.iter().zip(other).map(|(a, b)| a * b).sum();
        if dot < 0.0 { self.map(|part| -part) } else { self }
    }
}

/// Adds the keys of the sequences that are taken; distances become `scale` times as long.
pub(super) fn extend(own: &mut Track, other: &Track, taken: &[Taken<'_>], scale: f32) {
    let scale = if own.tag() == effigy_mdx::track::tags::KGTR { scale } else { 1.0 };
    match own.kind() {
        ValueKind::Rotation => join::<[f32; 4]>(own, other, taken, scale),
        _ => join::<[f32; 3]>(own, other, taken, scale),
    }
}

fn join<T: Joint>(own: &mut Track, other: &Track, taken: &[Taken<'_>], scale: f32) {
    let (Some(kept), Some(source)) = (own.keys::<T>(), other.keys::<T>()) else { return };
    let kept: Vec<Key<T>> = kept.collect();
    let source: Vec<Key<T>> = source.collect();
    let goal = if kept.is_empty() {
        other.interpolation()
    } else {
        common(own.interpolation(), other.interpolation())
    };
    let mut keys = changed(kept, own.interpolation(), goal);
    let before = keys.len();
    for one in taken {
        let inside = source.iter().filter(|key| one.contains(key.time));
        let inside = inside.map(|key| Key {
            time: one.moved(key.time),
            value: key.value.times(scale),
            tangents: key.tangents.map(|pair| pair.map(|it| it.times(scale))),
        });
        keys.extend(changed(inside.collect(), other.interpolation(), goal));
    }
    if keys.len() > before {
        // The values are of the kind that the track has.
        _ = own.set_keys(goal, &keys);
    }
}

/// The interpolation that holds keys of both.
fn common(a: Interpolation, b: Interpolation) -> Interpolation {
    Interpolation(a.0.max(b.0))
}

/// Keys of another interpolation that draw the same curve.
fn changed<T: Joint>(mut keys: Vec<Key<T>>, from: Interpolation, to: Interpolation) -> Vec<Key<T>> {
    if from == to {
        return keys;
    }
    if from == Interpolation::STEP {
        keys = jumps(&keys);
    }
    match to {
        Interpolation::HERMITE | Interpolation::BEZIER if !from.has_tangents() => straight(&keys, to),
        Interpolation::BEZIER if !T::TURNS => {
            // Slopes per segment become control points.
            for key in &mut keys {
                let zero = key.value.since(key.value, 1.0);
                let [into, out] = key.tangents.unwrap_or([zero; 2]);
                key.tangents =
                    Some([key.value.plus(zero.since(into, 3.0)), key.value.plus(out.since(zero, 3.0))]);
            }
            keys
        }
        _ => keys,
    }
}

/// Each value is held until a millisecond before the next.
fn jumps<T: Joint>(keys: &[Key<T>]) -> Vec<Key<T>> {
    let mut made = Vec::with_capacity(keys.len() * 2);
    for (at, key) in keys.iter().enumerate() {
        made.push(*key);
        let next = keys.get(at + 1).map(|next| next.time.saturating_sub(1)).filter(|time| *time > key.time);
        made.extend(next.map(|time| Key::new(time, key.value)));
    }
    made
}

/// Lines as splines.
fn straight<T: Joint>(keys: &[Key<T>], to: Interpolation) -> Vec<Key<T>> {
    let mut made: Vec<Key<T>> = keys.to_vec();
    for at in 1..made.len() {
        let before = made.get(at - 1).map(|it| it.value);
        if let (Some(before), Some(key)) = (before, made.get_mut(at)) {
            key.value = key.value.near(before);
        }
    }
    let values: Vec<T> = made.iter().map(|key| key.value).collect();
    for (at, key) in made.iter_mut().enumerate() {
        if T::TURNS {
            key.tangents = Some([key.value; 2]);
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| values.get(at)).copied().unwrap_or(key.value);
        let after = values.get(at + 1).copied().unwrap_or(key.value);
        key.tangents = Some(if to == Interpolation::BEZIER {
            [key.value.plus(before.since(key.value, 3.0)), key.value.plus(after.since(key.value, 3.0))]
        } else {
            [key.value.since(before, 1.0), after.since(key.value, 1.0)]
        });
    }
    made
}

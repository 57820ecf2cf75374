//! Particles: three fixed keys over the life (before 264), or any number of keys (264).

use crate::model::Model;
use crate::records::{Cells, Particle, ParticleFlags};
use crate::track::LifeTrack;
use effigy_wire::Report;

/// The time of the end of a particle's life.
const DEATH: u16 = 32767;

pub(super) fn to_free(model: &mut Model, report: &mut Report) {
    for (index, particle) in model.contents.particles.iter_mut().enumerate() {
        let before = particle.clone();
        free(particle);
        let mut back = particle.clone();
        fixed(&mut back);
        let path = |field: &str| format!("particles[{index}].{field}");
        if back.middle.to_bits() != before.middle.to_bits() {
            report.approximated(
                path("middle"),
                format!("{} is rounded to a multiple of 1/32767", before.middle),
            );
        }
        if back.colors != before.colors {
            report.approximated(path("colors"), "colours over the life do not come back exactly");
        }
        if back.scales.map(f32::to_bits) != before.scales.map(f32::to_bits) {
            report.approximated(path("scales"), "sizes over the life do not come back exactly");
        }
        if back.cells != before.cells {
            report.approximated(path("cells"), "the number of repetitions changes");
        }
        if back.flags != before.flags || back.head_or_tail != before.head_or_tail {
            report.approximated(path("head_or_tail"), "264 stores it in flags");
        }
    }
}

pub(super) fn to_fixed(model: &mut Model, report: &mut Report) {
    for (index, particle) in model.contents.particles.iter_mut().enumerate() {
        if !fixed(particle) {
            let message = "keys over the life are reduced to birth, middle and death";
            report.approximated(format!("particles[{index}]"), message);
        }
    }
}

/// Before 262 the blend mode and the type are words. Some converters copied both bytes of later files into the first
/// word, so its high byte is the type.
pub(super) fn to_bytes(model: &mut Model, report: &mut Report) {
    for (index, particle) in model.contents.particles.iter_mut().enumerate() {
        let [blend, kind] = particle.blend.to_le_bytes();
        if kind == 0 && particle.kind <= u8::MAX.into() {
            continue;
        }
        let message = format!("{} and {} do not fit into bytes", particle.blend, particle.kind);
        report.approximated(format!("particles[{index}].blend"), message);
        if particle.kind == 0 {
            particle.kind = kind.into();
        }
        particle.blend = blend.into();
        particle.kind = particle.kind.min(u8::MAX.into());
    }
}

fn free(particle: &mut Particle) {
    let middle = to_time(particle.middle);
    let three = [0, middle, DEATH];
    let colors = particle.colors.as_chunks::<4>().0;
    particle.color_life = life(three, colors.iter().map(|&[b, g, r, _]| [r, g, b].map(f32::from)));
    particle.alpha_life = life(three, colors.iter().map(|&[.., alpha]| to_fixed_point(alpha)));
    particle.scale_life = life(three, particle.scales.iter().map(|&scale| [scale; 2]));
    let Cells { head_life, head_decay, tail_life: [tail_a, tail_b], tail_decay: [tail_c, tail_d] } =
        particle.cells;
    particle.head_cell_life = cells(middle, head_life, head_decay);
    particle.tail_cell_life = cells(middle, [tail_a, tail_b, 1], [tail_c, tail_d, 1]);
    let drawn = match particle.head_or_tail {
        0 => ParticleFlags::HEAD,
        1 => ParticleFlags::TAIL,
        _ => ParticleFlags::HEAD | ParticleFlags::TAIL,
    };
    particle.flags |= drawn;
    let empty = Particle::default();
    particle.middle = empty.middle;
    particle.colors = empty.colors;
    particle.scales = empty.scales;
    particle.cells = empty.cells;
}

/// Replaces any number of keys by three. Returns whether nothing was lost.
fn fixed(particle: &mut Particle) -> bool {
    let tracks = [&particle.color_life.times, &particle.alpha_life.times, &particle.scale_life.times];
    let middle = tracks.iter().find_map(|times| match times.as_slice() {
        &[_, middle, _] => Some(middle),
        _ => None,
    });
    let middle = middle.unwrap_or(DEATH / 2);
    let three = [0, middle, DEATH];
    let mut exact = tracks.iter().all(|times| times.as_slice() == three);

    particle.middle = from_time(middle);
    let color = keys(&particle.color_life, three, [255.0; 3], crate::mix::floats);
    let alpha = keys(&particle.alpha_life, three, DEATH, mix_words);
    let scale = keys(&particle.scale_life, three, [1.0; 2], crate::mix::floats);
    for (place, ([r, g, b], alpha)) in
        particle.colors.as_chunks_mut::<4>().0.iter_mut().zip(color.into_iter().zip(alpha))
    {
        let color = [b, g, r].map(to_byte);
        exact &= color.map(f32::from) == [b, g, r];
        let [b, g, r] = color;
        *place = [b, g, r, from_fixed_point(alpha)];
        exact &= to_fixed_point(from_fixed_point(alpha)) == alpha;
    }
    exact &= scale.iter().all(|[x, y]| x.to_bits() == y.to_bits());
    particle.scales = scale.map(|[x, _]| x);

    let (head_life, head_decay, head_exact) = uncells(middle, &particle.head_cell_life);
    let ([tail_a, tail_b, tail_r], [tail_c, tail_d, tail_s], tail_exact) =
        uncells(middle, &particle.tail_cell_life);
    exact &= head_exact && tail_exact && tail_r == 1 && tail_s == 1;
    particle.cells =
        Cells { head_life, head_decay, tail_life: [tail_a, tail_b], tail_decay: [tail_c, tail_d] };

    let (head, tail) =
        (particle.flags.contains(ParticleFlags::HEAD), particle.flags.contains(ParticleFlags::TAIL));
    particle.head_or_tail = match (head, tail) {
        (true, true) => 2,
        (false, true) => 1,
        (true, false) => 0,
        (false, false) => particle.head_or_tail,
    };
    particle.flags.remove(ParticleFlags::HEAD | ParticleFlags::TAIL);
    particle.color_life = LifeTrack::default();
    particle.alpha_life = LifeTrack::default();
    particle.scale_life = LifeTrack::default();
    particle.head_cell_life = LifeTrack::default();
    particle.tail_cell_life = LifeTrack::default();
    exact
}

fn life<T>(times: [u16; 3], values: impl Iterator<Item = T>) -> LifeTrack<T> {
    LifeTrack { times: times.to_vec().into(), values: values.collect() }
}

/// Keys that run from the first to the last cell as often as stated, before the middle and after it: a sawtooth.
fn cells(middle: u16, first: [u16; 3], second: [u16; 3]) -> LifeTrack<u16> {
    let mut track = LifeTrack::default();
    saw(&mut track, 0, middle, first);
    saw(&mut track, middle, DEATH, second);
    track
}

fn saw(track: &mut LifeTrack<u16>, from: u16, to: u16, [begin, end, repeat]: [u16; 3]) {
    // More repetitions than that are not visible.
    let repeat = repeat.clamp(1, 64);
    let at = |tooth: u16| {
        let way = u32::from(to.saturating_sub(from)).saturating_mul(tooth.into()) / u32::from(repeat);
        from.saturating_add(u16::try_from(way).unwrap_or(u16::MAX))
    };
    for tooth in 0..repeat {
        track.times.extend([at(tooth), at(tooth.saturating_add(1))]);
        track.values.extend([begin, end]);
    }
}

/// The numbers that a sawtooth was made from, and whether they reproduce its keys exactly.
fn uncells(middle: u16, track: &LifeTrack<u16>) -> ([u16; 3], [u16; 3], bool) {
    if track.times.is_empty() {
        return ([0, 0, 1], [0, 0, 1], true);
    }
    let teeth = track.times.as_chunks::<2>().0.iter().filter(|pair| pair[1] <= middle).count();
    let total = track.times.len() / 2;
    let half = |from: usize, count: usize, to: u16| {
        let values = track.values.get(from.saturating_mul(2)..).unwrap_or_default();
        match values {
            [begin, end, ..] if count > 0 => [*begin, *end, u16::try_from(count).unwrap_or(u16::MAX)],
            _ => {
                let held = sample(track, to, 0, |value, _, _| value);
                [held, held, 1]
            }
        }
    };
    // Even a half of length 0 has one tooth.
    let teeth = if teeth == total && total > 1 { total.saturating_sub(1) } else { teeth };
    let (first, second) = (half(0, teeth, 0), half(teeth, total.saturating_sub(teeth), middle));
    let again = cells(middle, first, second);
    let exact = &again == track;
    if exact {
        return (first, second, true);
    }
    let at = |time| sample(track, time, 0, |value, _, _| value);
    ([at(0), at(middle), 1], [at(middle), at(DEATH), 1], false)
}

/// The values at three times. Keys at exactly these times are taken as they are: with the middle at birth or death two of
/// them have the same time, and the time alone would find only one of them.
fn keys<T: Copy>(track: &LifeTrack<T>, three: [u16; 3], default: T, mix: impl Fn(T, T, f32) -> T) -> [T; 3] {
    match track.values.as_slice() {
        &[birth, middle, death] if track.times.as_slice() == three => [birth, middle, death],
        _ => three.map(|time| sample(track, time, default, &mix)),
    }
}

/// The value at a time. Before the first and after the last key their values are used.
fn sample<T: Copy>(track: &LifeTrack<T>, time: u16, default: T, mix: impl Fn(T, T, f32) -> T) -> T {
    let next = track.times.partition_point(|&key| key <= time);
    let key = |index: usize| track.times.get(index).copied().zip(track.values.get(index).copied());
    match (next.checked_sub(1).and_then(key), key(next)) {
        (Some((before, value)), Some((after, other))) => {
            let way = f32::from(after.saturating_sub(before)).max(1.0);
            mix(value, other, f32::from(time.saturating_sub(before)) / way)
        }
        (Some((_, value)), None) | (None, Some((_, value))) => value,
        (None, None) => track.values.last().copied().unwrap_or(default),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn mix_words(value: u16, next: u16, at: f32) -> u16 {
    crate::mix::float(value.into(), next.into(), at).round() as u16
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn to_byte(value: f32) -> u8 {
    value.round() as u8
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn to_time(part: f32) -> u16 {
    ((f64::from(part) * f64::from(DEATH)).round() as u16).min(DEATH)
}

/// The shortest decimal number that [`to_time`] turns into this time: people write 0.5, not 0.500015.
#[allow(clippy::cast_possible_truncation, reason = "between 0 and 1")]
fn from_time(time: u16) -> f32 {
    let exact = f64::from(time) / f64::from(DEATH);
    (0..7)
        .map(|digits| {
            let scale = 10_f64.powi(digits);
            ((exact * scale).round() / scale) as f32
        })
        .find(|&part| to_time(part) == time)
        .unwrap_or(exact as f32)
}

fn to_fixed_point(byte: u8) -> u16 {
    let scaled = u32::from(byte).saturating_mul(DEATH.into()).saturating_add(127) / 255;
    u16::try_from(scaled).unwrap_or(DEATH)
}

fn from_fixed_point(word: u16) -> u8 {
    let scaled = u32::from(word.min(DEATH)).saturating_mul(255).saturating_add(16383) / u32::from(DEATH);
    u8::try_from(scaled).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_alpha_comes_back() {
        for byte in 0..=u8::MAX {
            assert_eq!(from_fixed_point(to_fixed_point(byte)), byte);
        }
        assert_eq!((to_fixed_point(0), to_fixed_point(255)), (0, DEATH));
    }

    #[test]
    fn the_middle_comes_back_as_a_short_decimal_number() {
        for part in [0.0, 0.5, 0.25, 0.1, 0.333, 0.1234, 1.0] {
            assert_eq!(from_time(to_time(part)), part);
        }
    }

    #[test]
    fn cells_come_back_however_often_they_repeat() {
        for middle in [1, 8000, 16384, 32000] {
            for first in [[0, 7, 1], [3, 3, 1], [0, 15, 4], [9, 2, 2]] {
                for second in [[8, 16, 1], [0, 0, 1], [16, 31, 3]] {
                    if middle == 1 && first[2] > 1 {
                        continue;
                    }
                    let track = cells(middle, first, second);
                    assert_eq!(uncells(middle, &track), (first, second, true), "{middle}");
                }
            }
        }
    }

    #[test]
    fn an_emitter_comes_back() {
        let particle = Particle {
            flags: ParticleFlags::UNLIT,
            middle: 0.4,
            colors: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            scales: [0.1, 2.0, 0.0],
            cells: Cells {
                head_life: [0, 7, 1],
                head_decay: [8, 15, 2],
                tail_life: [1, 2],
                tail_decay: [3, 4],
            },
            head_or_tail: 2,
            ..Particle::default()
        };
        let mut other = particle.clone();
        free(&mut other);
        assert_eq!(other.color_life.values.as_slice()[0], [3.0, 2.0, 1.0]);
        assert!(other.flags.contains(ParticleFlags::HEAD | ParticleFlags::TAIL));
        assert!(fixed(&mut other));
        assert_eq!(other, particle);
    }

    #[test]
    fn all_three_keys_come_back_when_the_middle_is_at_birth_or_death() {
        for middle in [0.0, 1.0] {
            let particle = Particle {
                middle,
                colors: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
                scales: [0.25, 2.0, 8.0],
                cells: Cells { head_life: [0, 0, 1], head_decay: [0, 0, 1], ..Cells::default() },
                ..Particle::default()
            };
            let mut other = particle.clone();
            free(&mut other);
            fixed(&mut other);
            assert_eq!((other.colors, other.scales), (particle.colors, particle.scales), "{middle}");
        }
    }
}

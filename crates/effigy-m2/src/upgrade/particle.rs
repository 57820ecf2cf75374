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
            let (middle, now) = (before.middle, back.middle);
            let text = if (middle - now).abs() > 1e-4 {
                format!("{middle} became {now}: the middle is between birth and death, 0 to 1")
            } else {
                format!("{middle} is rounded to a multiple of 1/32767")
            };
            report.approximated(path("middle"), text);
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

    fn notes(report: &Report) -> Vec<&str> {
        report.notes().iter().map(|note| note.path.as_str()).collect()
    }

    #[test]
    fn what_does_not_come_back_from_free_keys_is_reported() {
        let plain = || Particle {
            middle: 0.5,
            cells: Cells { head_life: [0, 7, 1], head_decay: [8, 15, 2], ..Cells::default() },
            ..Particle::default()
        };
        let often = Cells { head_life: [0, 7, 65], ..plain().cells };
        for (particle, path) in [
            (plain(), None),
            (Particle { middle: 0.123_456_7, ..plain() }, Some("particles[0].middle")),
            (Particle { cells: often, ..plain() }, Some("particles[0].cells")),
            (Particle { head_or_tail: 2, ..plain() }, None),
            (Particle { head_or_tail: 3, ..plain() }, Some("particles[0].head_or_tail")),
            (Particle { flags: ParticleFlags::HEAD, ..plain() }, Some("particles[0].head_or_tail")),
        ] {
            let mut model = Model::new(crate::Version::VANILLA);
            model.particles = vec![particle].into();
            let mut report = Report::default();
            to_free(&mut model, &mut report);
            assert_eq!(notes(&report), path.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_two_bytes_of_converters_are_taken_apart() {
        for (blend, kind, expected, noted) in [
            (4, 1, (4, 1), false),
            (255, 255, (255, 255), false),
            (0x0204, 0, (4, 2), true),
            (0x0204, 3, (4, 3), true),
            (4, 256, (4, 255), true),
        ] {
            let mut model = Model::new(crate::Version::VANILLA);
            model.particles = vec![Particle { blend, kind, ..Particle::default() }].into();
            let mut report = Report::default();
            to_bytes(&mut model, &mut report);
            let particle = &model.particles[0];
            assert_eq!((particle.blend, particle.kind), expected, "{blend} {kind}");
            assert_eq!(notes(&report) == ["particles[0].blend"], noted, "{blend} {kind}");
        }
    }

    #[test]
    fn three_keys_become_free_keys() {
        let mut particle = Particle {
            flags: ParticleFlags::UNLIT,
            middle: 0.5,
            colors: [1, 2, 3, 0, 5, 6, 7, 255, 9, 10, 11, 128],
            scales: [0.25, 2.0, 8.0],
            cells: Cells {
                head_life: [0, 7, 2],
                head_decay: [8, 15, 1],
                tail_life: [1, 2],
                tail_decay: [3, 4],
            },
            ..Particle::default()
        };
        free(&mut particle);
        // 0.5 * 32767 = 16383.5, rounded up; 128 / 255 * 32767 = 16447.7.
        let three = [0, 16384, 32767];
        assert_eq!(particle.color_life.times.as_slice(), three);
        assert_eq!(
            particle.color_life.values.as_slice(),
            [[3.0, 2.0, 1.0], [7.0, 6.0, 5.0], [11.0, 10.0, 9.0]]
        );
        assert_eq!(particle.alpha_life.times.as_slice(), three);
        assert_eq!(particle.alpha_life.values.as_slice(), [0, 32767, 16448]);
        assert_eq!(particle.scale_life.times.as_slice(), three);
        assert_eq!(particle.scale_life.values.as_slice(), [[0.25; 2], [2.0; 2], [8.0; 2]]);
        assert_eq!(particle.head_cell_life.times.as_slice(), [0, 8192, 8192, 16384, 16384, 32767]);
        assert_eq!(particle.head_cell_life.values.as_slice(), [0, 7, 0, 7, 8, 15]);
        assert_eq!(particle.tail_cell_life.times.as_slice(), [0, 16384, 16384, 32767]);
        assert_eq!(particle.tail_cell_life.values.as_slice(), [1, 2, 3, 4]);
        assert_eq!((particle.middle, particle.colors, particle.scales), (0.0, [0; 12], [0.0; 3]));
        for (head_or_tail, drawn) in [(0, 0x2_0000), (1, 0x4_0000), (2, 0x6_0000), (7, 0x6_0000)] {
            let mut particle = Particle { head_or_tail, flags: ParticleFlags::UNLIT, ..Particle::default() };
            free(&mut particle);
            assert_eq!(particle.flags.bits(), drawn | 1, "{head_or_tail}");
        }
    }

    /// Free keys that three fixed ones express exactly.
    fn exact() -> Particle {
        let three = [0, 16384, DEATH];
        Particle {
            flags: ParticleFlags::UNLIT | ParticleFlags::HEAD,
            color_life: life(three, [[3.0, 2.0, 1.0], [7.0, 6.0, 5.0], [11.0, 10.0, 9.0]].into_iter()),
            alpha_life: life(three, [0, DEATH, 16448].into_iter()),
            scale_life: life(three, [[0.25; 2], [2.0; 2], [8.0; 2]].into_iter()),
            ..Particle::default()
        }
    }

    #[test]
    fn free_keys_become_three_keys_and_losses_are_noticed() {
        let mut particle = exact();
        assert!(fixed(&mut particle));
        assert_eq!((particle.middle, particle.scales), (0.5, [0.25, 2.0, 8.0]));
        assert_eq!(particle.colors, [1, 2, 3, 0, 5, 6, 7, 255, 9, 10, 11, 128]);
        assert_eq!((particle.flags, particle.head_or_tail), (ParticleFlags::UNLIT, 0));
        let empty = LifeTrack::default();
        assert_eq!((&particle.head_cell_life, &particle.tail_cell_life), (&empty, &empty));
        type Change = (&'static str, fn(&mut Particle));
        let changes: [Change; 8] = [
            ("two keys of colour", |it| it.color_life = life2([[3.0; 3], [5.0; 3]])),
            ("half a step of colour", |it| it.color_life.values[1][2] = 5.5),
            ("alpha between two bytes", |it| it.alpha_life.values[0] = 100),
            ("width and height", |it| it.scale_life.values[2] = [8.0, 4.0]),
            ("cells of the head", |it| it.head_cell_life = life2([1, 5])),
            ("cells of the tail", |it| it.tail_cell_life = life2([1, 5])),
            ("repeated cells of the tail before the middle", |it| {
                it.tail_cell_life = cells(16384, [0, 7, 2], [8, 15, 1]);
            }),
            ("repeated cells of the tail after the middle", |it| {
                it.tail_cell_life = cells(16384, [0, 7, 1], [8, 15, 2]);
            }),
        ];
        for (name, change) in changes {
            let mut particle = exact();
            change(&mut particle);
            assert!(!fixed(&mut particle), "{name}");
        }
        let mut repeated = exact();
        repeated.head_cell_life = cells(16384, [0, 7, 2], [8, 15, 3]);
        assert!(fixed(&mut repeated));
        assert_eq!((repeated.cells.head_life, repeated.cells.head_decay), ([0, 7, 2], [8, 15, 3]));
    }

    /// Two keys, at birth and death.
    fn life2<T>(values: [T; 2]) -> LifeTrack<T> {
        LifeTrack { times: vec![0, DEATH].into(), values: values.into_iter().collect() }
    }

    #[test]
    fn other_numbers_of_keys_are_sampled_at_three_times() {
        let mut particle = Particle {
            color_life: life2([[0.0; 3], [200.0, 100.0, 48.0]]),
            alpha_life: LifeTrack { times: vec![0, 8192, DEATH].into(), values: vec![0, 32767, 0].into() },
            scale_life: LifeTrack { times: vec![100].into(), values: vec![[4.0; 2]].into() },
            ..Particle::default()
        };
        assert!(!fixed(&mut particle));
        // The first track with three keys names the middle: 8192 / 32767 is 0.25 of the life.
        assert_eq!(particle.middle, 0.25);
        // 200, 100 and 48 times 8192 / 32767: 50.002, 25.001, 12.0004.
        assert_eq!(particle.colors, [0, 0, 0, 0, 12, 25, 50, 255, 48, 100, 200, 0]);
        assert_eq!(particle.scales, [4.0; 3]);
        // Without three keys anywhere the middle is half of the life, and what has no keys has its default.
        let mut bare = Particle { alpha_life: life2([0, 32767]), ..Particle::default() };
        assert!(!fixed(&mut bare));
        assert_eq!((bare.middle, bare.scales), (0.499_98, [1.0; 3]));
        // 16383 / 32767 of 255 is 127.496.
        assert_eq!(bare.colors, [255, 255, 255, 0, 255, 255, 255, 127, 255, 255, 255, 255]);
    }

    #[test]
    fn what_is_drawn_is_a_number_before_264() {
        for (flags, expected) in [(0x2_0000, 0), (0x4_0000, 1), (0x6_0000, 2), (0, 9)] {
            let flags = ParticleFlags::from_bits_retain(flags | 0x11);
            let mut particle = Particle { flags, head_or_tail: 9, ..exact() };
            fixed(&mut particle);
            assert_eq!((particle.head_or_tail, particle.flags.bits()), (expected, 0x11));
        }
    }

    #[test]
    fn each_half_of_the_life_is_divided_evenly_between_its_repetitions() {
        let track = cells(16000, [0, 7, 2], [8, 15, 3]);
        // 16767 / 3 = 5589.
        let times = [0, 8000, 8000, 16000, 16000, 21589, 21589, 27178, 27178, 32767];
        assert_eq!(track.times.as_slice(), times);
        assert_eq!(track.values.as_slice(), [0, 7, 0, 7, 8, 15, 8, 15, 8, 15]);
        assert_eq!(cells(16000, [0, 7, 0], [8, 15, 1]).times.as_slice(), [0, 16000, 16000, 32767]);
        assert_eq!(cells(16000, [0, 7, 999], [8, 15, 1]).times.len(), 2 * 64 + 2);
    }

    #[test]
    fn cells_that_are_no_sawtooth_are_sampled() {
        let track = |times: &[u16], values: &[u16]| LifeTrack { times: times.into(), values: values.into() };
        for (middle, track, expected) in [
            (16384, track(&[], &[]), ([0, 0, 1], [0, 0, 1], true)),
            // One key is held.
            (16384, track(&[0], &[5]), ([5, 5, 1], [5, 5, 1], false)),
            // One tooth over the whole life: the cell in the middle is the first, since cells do not blend.
            (16384, track(&[0, DEATH], &[1, 9]), ([1, 1, 1], [1, 9, 1], false)),
            // One tooth before the middle, and its last cell after it.
            (16384, track(&[0, 16384], &[1, 9]), ([1, 9, 1], [9, 9, 1], false)),
            (16384, track(&[0, 8000, 9000, DEATH], &[1, 2, 3, 4]), ([1, 3, 1], [3, 4, 1], false)),
            // The middle is at the end: the half of length 0 has one tooth.
            (DEATH, cells(DEATH, [1, 2, 2], [3, 4, 1]), ([1, 2, 2], [3, 4, 1], true)),
        ] {
            assert_eq!(uncells(middle, &track), expected, "{middle} {track:?}");
        }
    }

    #[test]
    fn numbers_are_converted_by_rounding() {
        for (part, time) in [(0.0, 0), (0.25, 8192), (0.5, 16384), (1.0, 32767), (2.0, 32767), (-1.0, 0)] {
            assert_eq!(to_time(part), time, "{part}");
        }
        // 10000 / 32767 = 0.305185...; four digits are enough: 0.3052 * 32767 = 10000.49, but 0.305 * 32767 = 9993.9.
        for (time, part) in [(0, 0.0), (8192, 0.25), (10_000, 0.3052), (32_767, 1.0)] {
            assert_eq!(from_time(time), part, "{time}");
        }
        for (byte, word) in [(1, 128), (2, 257), (127, 16319), (128, 16448), (254, 32639)] {
            assert_eq!((to_fixed_point(byte), from_fixed_point(word)), (word, byte), "{byte}");
        }
        assert_eq!([64, 65, 40_000].map(from_fixed_point), [0, 1, 255]);
        assert_eq!([-3.0, 0.4, 12.5, 254.6, 999.0].map(to_byte), [0, 0, 13, 255, 255]);
        assert_eq!(mix_words(100, 201, 0.5), 151);
        let track = LifeTrack { times: vec![100, 200].into(), values: vec![10.0, 20.0].into() };
        let values = [0, 100, 125, 150, 200, 300].map(|time| sample(&track, time, -1.0, crate::mix::float));
        assert_eq!(values, [10.0, 10.0, 12.5, 15.0, 20.0, 20.0]);
        assert_eq!(sample(&LifeTrack::default(), 5, -1.0, crate::mix::float), -1.0);
    }
}

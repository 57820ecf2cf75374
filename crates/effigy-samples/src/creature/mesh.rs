//! The creature's meshes, part by part.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::Mesh;
use super::math::{Vec3, X, Y, Z, add, cross, mix, scale, sub, unit};
use super::shape::{Area, Builder};
use super::skeleton::{FLAME, HOOK, Leg, PIPES, POLE, Skeleton};
use super::texture::{atlas, material};

/// All meshes, in drawing order.
pub(crate) fn meshes(s: &Skeleton) -> Vec<Mesh> {
    vec![hull(s), legs(s), cases(s), furnace(s), lamps(s), banner(s), glow(s)]
}

/// A curve with two control points.
fn bezier([a, b, c, d]: [Vec3; 4]) -> impl Fn(f32) -> Vec3 {
    move |t| {
        let (ab, bc, cd) = (mix(a, b, t), mix(b, c, t), mix(c, d, t));
        mix(mix(ab, bc, t), mix(bc, cd, t), t)
    }
}

const EYE_RADIUS: f32 = 12.0;

/// Centre and direction of an eye; `side` is 1 on the left, -1 on the right.
fn eye(side: f32) -> (Vec3, Vec3) {
    ([70.0, 14.0 * side, 68.0], unit([0.86, 0.42 * side, 0.28]))
}

/// Belly, head, pipes, key, lantern frame, pole: everything of plain metal or wood except the legs.
fn hull(s: &Skeleton) -> Mesh {
    let mut b = Builder::new("Hull", material::METAL);
    b.ball((12, 5), atlas::BELLY, &[s.body], [-2.0, 0.0, 55.0], [53.0, 37.0, 25.0]);
    // A seam of rivets where the wing cases rest, and a collar for the head.
    b.grid((16, 1), atlas::GEAR, &[s.body], |u, v| {
        let (sin, cos) = (-u * TAU).sin_cos();
        let out = 1.02 - 0.02 * v;
        [-2.0 + cos * 54.5 * out, sin * 39.0 * out, 54.0 + v * 6.0]
    });
    b.lathe(12, atlas::COPPER, &[s.body], ([36.0, 0.0, 58.0], X), &[[0.0, 24.0], [8.0, 24.0], [12.0, 18.0]]);
    head(&mut b, s);
    for (side, pipe) in [1.0, -1.0].into_iter().zip(PIPES) {
        let path = bezier([
            [-34.0, 22.0 * side, 48.0],
            [-66.0, 26.0 * side, 38.0],
            [-73.0, 23.0 * side, 56.0],
            pipe,
        ]);
        b.tube((6, 5), atlas::COPPER, &[s.body], (&path, Y), |t| 5.0 + 1.5 * t);
        let along = unit(sub(path(1.0), path(0.97)));
        b.lathe(
            7,
            atlas::IRON,
            &[s.body],
            (pipe, along),
            &[[-8.0, 6.6], [-7.0, 8.4], [0.0, 8.8], [-6.0, 5.6]],
        );
    }
    key(&mut b, s);
    lantern(&mut b, s);
    // The banner's pole with its cross-bar and knob.
    b.tube((5, 1), atlas::WOOD, &[s.body], (|t| add(POLE, [0.0, 0.0, 76.0 * t]), X), |_| 2.2);
    b.lathe(7, atlas::BRASS, &[s.body], (POLE, Z), &[[0.0, 8.0], [4.0, 7.0], [9.0, 3.6], [12.0, 2.2]]);
    b.ball((6, 4), atlas::BRASS, &[s.body], add(POLE, [0.0, 0.0, 78.0]), [4.0, 4.0, 4.5]);
    b.finish()
}

fn head(b: &mut Builder, s: &Skeleton) {
    b.ball((12, 7), atlas::BRASS, &[s.head], [60.0, 0.0, 58.0], [23.0, 25.0, 20.0]);
    for (side, jaw) in [1.0, -1.0].into_iter().zip(s.jaws) {
        let (centre, out) = eye(side);
        let rim = EYE_RADIUS;
        b.lathe(
            10,
            atlas::COPPER,
            &[s.head],
            (centre, out),
            &[[-6.0, rim + 0.5], [1.0, rim + 2.6], [3.6, rim + 2.0], [3.0, rim - 0.8]],
        );
        // Jaws like a stag beetle's.
        let path = bezier([
            [70.0, 11.0 * side, 47.0],
            [86.0, 26.0 * side, 42.0],
            [106.0, 22.0 * side, 42.0],
            [108.0, 3.0 * side, 46.0],
        ]);
        b.tube((5, 5), atlas::IRON, &[jaw], (path, Z), |t| 5.4 * (1.0 - t).powf(0.7));
        // Feelers.
        let tip = [92.0, 30.0 * side, 92.0];
        b.tube(
            (3, 3),
            atlas::COPPER,
            &[s.head],
            (
                bezier([
                    [62.0, 8.0 * side, 76.0],
                    [62.0, 12.0 * side, 104.0],
                    [82.0, 22.0 * side, 108.0],
                    tip,
                ]),
                [0.5, -side, 0.0],
            ),
            |t| 1.6 - 0.7 * t,
        );
        b.ball((5, 3), atlas::BRASS, &[s.head], tip, [3.0, 3.0, 3.0]);
    }
}

fn key(b: &mut Builder, s: &Skeleton) {
    let origin = [-52.0, 0.0, 66.0];
    b.lathe(
        8,
        atlas::IRON,
        &[s.body],
        (origin, [-1.0, 0.0, 0.0]),
        &[[0.0, 11.0], [5.0, 10.0], [6.0, 6.0], [6.0, 0.0]],
    );
    b.lathe(
        6,
        atlas::BRASS,
        &[s.key],
        (origin, [-1.0, 0.0, 0.0]),
        &[[4.0, 3.0], [20.0, 3.0], [21.0, 5.0], [26.0, 5.0], [27.0, 0.0]],
    );
    for side in [1.0, -1.0] {
        // An ear of the key: a ring that leans outwards.
        let centre = add(origin, [-29.0, 0.0, 13.0 * side]);
        b.tube(
            (4, 7),
            atlas::BRASS,
            &[s.key],
            (
                |t| {
                    let (sin, cos) = (t * TAU).sin_cos();
                    add(centre, [cos * 8.5, 0.0, sin * 11.0])
                },
                Y,
            ),
            |_| 3.0,
        );
    }
}

fn lantern(b: &mut Builder, s: &Skeleton) {
    let path =
        bezier([[36.0, 0.0, 84.0], [18.0, 0.0, 150.0], [92.0, 0.0, 186.0], add(HOOK, [0.0, 0.0, 3.0])]);
    b.tube((5, 8), atlas::COPPER, &[s.arm], (path, Y), |t| 4.2 - 2.2 * t);
    b.lathe(6, atlas::BRASS, &[s.arm], ([36.0, 0.0, 84.0], Z), &[[-4.0, 9.0], [4.0, 8.0], [8.0, 4.4]]);
    let hang = &[s.lantern];
    b.tube(
        (3, 6),
        atlas::IRON,
        hang,
        (
            |t| {
                let (sin, cos) = (t * TAU).sin_cos();
                add(HOOK, [cos * 3.6, 0.0, sin * 3.6 - 2.5])
            },
            Y,
        ),
        |_| 0.9,
    );
    // Roof and floor have six sides, like the cage.
    b.lathe(
        6,
        atlas::BRASS,
        hang,
        (FLAME, Z),
        &[[11.0, 13.0], [13.0, 13.5], [18.0, 7.0], [21.0, 5.5], [22.0, 0.0]],
    );
    b.lathe(6, atlas::BRASS, hang, (FLAME, Z), &[[11.0, 0.0], [11.0, 13.0]]);
    b.lathe(
        6,
        atlas::BRASS,
        hang,
        (FLAME, Z),
        &[[-16.0, 0.0], [-15.0, 6.0], [-13.0, 12.0], [-10.0, 12.0], [-10.0, 0.0]],
    );
    for i in 0_u8..6 {
        let (sin, cos) = (f32::from(i) / 6.0 * TAU).sin_cos();
        // The posts are at the six corners of the roof and the floor.
        let foot = add(FLAME, [cos * 11.3, sin * 11.3, -10.0]);
        b.tube((3, 1), atlas::IRON, hang, (|t| add(foot, [0.0, 0.0, 21.5 * t]), X), |_| 1.3);
    }
}

fn legs(s: &Skeleton) -> Mesh {
    let mut b = Builder::new("Legs", material::METAL);
    for leg in &s.legs {
        add_leg(&mut b, leg);
    }
    b.finish()
}

fn add_leg(b: &mut Builder, leg: &Leg) {
    let &Leg { thigh, shin, hip, knee, foot } = leg;
    let out = unit([foot[0] - hip[0], foot[1] - hip[1], 0.0]);
    let side = cross(out, Z);
    b.ball((6, 3), atlas::IRON, &[thigh], hip, [9.0, 9.0, 9.0]);
    b.tube((5, 2), atlas::LEG, &[thigh], (|t| mix(hip, knee, t), side), |t| {
        6.0 + 2.2 * (t * PI).sin() - 1.8 * t
    });
    b.ball((6, 3), atlas::COPPER, &[shin], knee, [6.8, 6.8, 6.8]);
    // The shin bows outwards and ends in a point.
    let bow = add(mix(knee, foot, 0.45), scale(out, 9.0));
    let path = bezier([knee, bow, mix(bow, foot, 0.55), foot]);
    b.tube((5, 4), atlas::LEG, &[shin], (path, side), |t| {
        (5.2 + 2.0 * (t * 1.6 * PI).sin().max(0.0)) * (1.0 - t).powf(0.75) + 1.0 * (1.0 - t)
    });
}

/// The wing cases: painted outside, dark inside.
fn cases(s: &Skeleton) -> Mesh {
    let mut b = Builder::new("Wing Cases", material::TEAM);
    for (side, case) in [1.0, -1.0].into_iter().zip(s.cases) {
        let surface = move |u: f32, v: f32, size: f32| {
            let (sin, cos) = (0.035 + u * (FRAC_PI_2 - 0.02)).sin_cos();
            // Round in front, drawn out behind.
            let angle = 0.30 + v * (PI - 0.34);
            let ring = angle.sin().max(0.0).powf(0.62);
            let y = 43.0 * size * ring * sin.powf(0.9) + 1.2;
            let z = 42.0 * size * ring * cos + 57.0 - 2.0 * u;
            [-4.0 + angle.cos() * 60.0 * size, y * side, z]
        };
        // Seen from outside the left one runs the other way round.
        if side > 0.0 {
            b.grid((6, 8), atlas::CASE, &[case], |u, v| surface(u, v, 1.0));
            b.grid((3, 5), atlas::CASE_INSIDE, &[case], |u, v| surface(1.0 - u, v, 0.97));
        } else {
            b.grid((6, 8), atlas::CASE.mirrored(), &[case], |u, v| surface(1.0 - u, v, 1.0));
            b.grid((3, 5), atlas::CASE_INSIDE, &[case], |u, v| surface(u, v, 0.97));
        }
    }
    b.finish()
}

/// The fire under the wing cases, visible in the gap between them.
fn furnace(s: &Skeleton) -> Mesh {
    let mut b = Builder::new("Furnace", material::FIRE);
    let whole = Area { from: [0.0, 0.0], to: [2.0, 1.0] };
    b.grid((6, 6), whole, &[s.body], |u, v| {
        let ((sin, cos), angle) = ((u * PI).sin_cos(), 0.25 + v * (PI - 0.5));
        let ring = angle.sin().powf(0.62);
        [-4.0 + angle.cos() * 56.0, -cos * 38.0 * ring, 57.0 + sin * 39.0 * ring]
    });
    b.finish()
}

/// Eyes and the lantern's glass.
fn lamps(s: &Skeleton) -> Mesh {
    let mut b = Builder::new("Lamps", material::LAMP);
    for side in [1.0, -1.0] {
        let (centre, out) = eye(side);
        let profile: Vec<[f32; 2]> = [0.1_f32, 0.5, 0.85, 1.2, FRAC_PI_2]
            .iter()
            .map(|a| [a.sin() * EYE_RADIUS, a.cos() * EYE_RADIUS])
            .collect();
        b.lathe(10, atlas::EYE, &[s.head], (centre, out), &profile);
    }
    b.lathe(6, atlas::GLASS, &[s.lantern], (FLAME, Z), &[[-10.0, 9.5], [0.0, 10.2], [11.0, 10.2]]);
    b.finish()
}

fn banner(s: &Skeleton) -> Mesh {
    let mut b = Builder::new("Banner", material::BANNER);
    let [first, second, third] = s.banner;
    let nodes = move |v: f32| match v {
        v if v < 0.25 => vec![first],
        v if v < 0.42 => vec![first, second],
        v if v < 0.6 => vec![second],
        v if v < 0.75 => vec![second, third],
        _ => vec![third],
    };
    b.bending_grid((2, 8), atlas::BANNER, nodes, |u, v| {
        // The end is cut like a swallow's tail.
        let notch = 16.0 * ease_in(v) * (1.0 - (2.0 * u - 1.0).abs());
        let droop = 4.0 * v * v;
        [POLE[0] - 1.0 - 62.0 * v + notch, 0.0, 160.0 - 33.0 * u * (1.0 - 0.12 * v) - droop]
    });
    b.finish()
}

fn ease_in(v: f32) -> f32 {
    v * v * v
}

fn glow(s: &Skeleton) -> Mesh {
    let mut b = Builder::new("Glow", material::GLOW);
    let whole = Area { from: [0.0, 0.0], to: [1.0, 1.0] };
    b.sheet(whole, &[s.glow], add(FLAME, [0.0, -38.0, 38.0]), [0.0, 76.0, 0.0], [0.0, 0.0, -76.0]);
    // A billboard shows its +X side.
    b.flip();
    b.finish()
}

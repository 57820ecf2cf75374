//! Poses of the creature: one for each moment of each sequence. Feet stay in place: the legs bend to reach them.

use super::math::{
    Quat, Vec3, X, Y, Z, add, cross, ease, hump, inverse, rotate, sub, then, turn, unit, wave,
};
use super::skeleton::Leg;

/// Which sequence a pose belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Stand,
    Look,
    Walk,
    Attack,
    Death,
}

/// Everything that moves, at one moment.
pub(crate) struct Pose {
    pub(crate) root: Vec3,
    pub(crate) body: (Vec3, Quat),
    pub(crate) head: Quat,
    /// How far the jaws are open, radians.
    pub(crate) jaws: f32,
    /// How far the wing cases are open, 0..1.
    pub(crate) cases: f32,
    pub(crate) arm: Quat,
    pub(crate) lantern: Quat,
    /// Sideways turns of the banner's three parts, radians.
    pub(crate) banner: [f32; 3],
    pub(crate) glow_size: f32,
    /// Targets of the feet.
    pub(crate) feet: [Vec3; 6],
    pub(crate) fade: f32,
    pub(crate) shine: f32,
}

/// The pose of a sequence at `t` from 0 to 1.
pub(crate) fn pose(act: Act, t: f32, rest: &[Vec3; 6]) -> Pose {
    let breath = wave(t);
    let mut p = Pose {
        root: [0.0; 3],
        body: ([0.0, 0.0, 1.6 * breath], turn(Y, 0.015 * wave(t + 0.2))),
        head: turn(Y, 0.05 * wave(t + 0.1)),
        jaws: 0.10 + 0.05 * breath,
        cases: 0.04 + 0.03 * wave(t - 0.1),
        arm: turn(Y, 0.03 * wave(t)),
        lantern: then(turn(Y, 0.10 * wave(t - 0.2)), turn(X, 0.06 * wave(t + 0.3))),
        banner: [0.0, 0.14, 0.28].map(|lag| 0.26 * wave(t - lag) + 0.05 * wave(2.0 * t - lag)),
        glow_size: 1.0 + 0.07 * wave(3.0 * t),
        feet: *rest,
        fade: 1.0,
        shine: 0.85 + 0.15 * wave(2.0 * t),
    };
    match act {
        Act::Stand => {}
        Act::Look => look(&mut p, t),
        Act::Walk => walk(&mut p, t),
        Act::Attack => attack(&mut p, t),
        Act::Death => death(&mut p, t),
    }
    p
}

/// Looks left and right, then stretches its wing cases.
fn look(p: &mut Pose, t: f32) {
    let side = hump(0.04, 0.18, 0.34, t) - hump(0.26, 0.42, 0.56, t);
    p.head = then(turn(Z, 0.55 * side), turn(X, 0.18 * side));
    let stretch = hump(0.54, 0.72, 0.98, t);
    p.cases += 0.9 * stretch + 0.10 * stretch * wave(t * 12.0);
    p.body = ([0.0, 0.0, 1.6 * wave(t) + 4.0 * stretch], turn(Y, -0.14 * stretch));
    p.jaws += 0.35 * stretch;
    p.arm = then(turn(Z, 0.25 * side), turn(Y, 0.10 * stretch));
    p.lantern = turn(X, -0.30 * (side - 0.4 * wave(t * 2.0)));
    p.glow_size += 0.25 * stretch;
    // One fore leg taps the ground.
    if let Some(foot) = p.feet.first_mut() {
        foot[2] += 9.0 * (hump(0.10, 0.15, 0.20, t) + hump(0.22, 0.27, 0.32, t));
    }
}

/// The feet in two sets of three, one set always on the ground.
fn walk(p: &mut Pose, t: f32) {
    for (i, foot) in (0_u8..).zip(&mut p.feet) {
        let second = matches!(i, 1 | 2 | 5);
        let phase = (t + if second { 0.5 } else { 0.0 }).rem_euclid(1.0);
        // 0.8 s at 150 units per second is 120 units per cycle; each foot is on the ground for half of it.
        let (along, up) = if phase < 0.5 {
            (30.0 - 120.0 * phase, 0.0)
        } else {
            let s = (phase - 0.5) * 2.0;
            (-30.0 + 60.0 * ease(0.0, 1.0, s), 20.0 * (s * std::f32::consts::PI).sin())
        };
        *foot = add(*foot, [along, 0.0, up]);
    }
    p.body = (
        [0.0, 0.0, 2.5 * wave(2.0 * t)],
        then(turn(X, 0.06 * wave(t)), turn(Y, 0.04 + 0.03 * wave(2.0 * t + 0.2))),
    );
    p.head = then(turn(Z, 0.08 * wave(t + 0.1)), turn(Y, -0.06 * wave(2.0 * t)));
    p.cases = 0.06 + 0.05 * wave(2.0 * t).abs();
    p.arm = turn(Y, -0.05 + 0.05 * wave(2.0 * t - 0.1));
    p.lantern = then(turn(Y, 0.22 + 0.16 * wave(2.0 * t - 0.25)), turn(X, 0.14 * wave(t - 0.2)));
    p.banner = [0.0, 0.16, 0.32].map(|lag| 0.30 * wave(t - lag) + 0.10 * wave(2.0 * t - lag));
}

/// Rears up with open wings, snaps, and swings the lantern over its head like a flail.
fn attack(p: &mut Pose, t: f32) {
    let (back, strike) = (hump(0.0, 0.30, 0.46, t), hump(0.34, 0.50, 0.95, t));
    p.body = (
        [-16.0 * back + 26.0 * strike, 0.0, 10.0 * back - 4.0 * strike],
        turn(Y, -0.34 * back + 0.16 * strike),
    );
    p.head = turn(Y, -0.20 * back + 0.25 * strike);
    p.jaws = 0.10 + 0.75 * back - 0.10 * strike;
    p.cases = 0.05 + 0.85 * back + 0.25 * strike;
    p.arm = turn(Y, -0.55 * back + 0.85 * strike);
    p.lantern = turn(Y, 0.9 * back - 1.1 * strike + 0.35 * hump(0.6, 0.75, 1.0, t));
    p.glow_size = 1.0 + 0.7 * strike;
    p.shine = 1.0;
    let raise = 22.0 * back * (1.0 - strike);
    for (side, foot) in [1.0, -1.0].into_iter().zip(&mut p.feet) {
        *foot = add(*foot, [10.0 * back + 20.0 * strike, 4.0 * side * back, raise]);
    }
}

/// Staggers, its legs give way, the lantern drops and its light goes out; then it fades.
fn death(p: &mut Pose, t: f32) {
    let stagger = hump(0.0, 0.10, 0.24, t);
    let fall = ease(0.14, 0.40, t);
    let bounce = 5.0 * hump(0.40, 0.46, 0.54, t);
    let still = 1.0 - ease(0.3, 0.6, t);
    p.body = (
        [-6.0 * stagger, 0.0, 6.0 * stagger - 29.0 * fall + bounce],
        then(turn(X, 0.20 * fall + 0.10 * stagger), turn(Y, -0.16 * stagger + 0.06 * fall)),
    );
    p.head = then(turn(Y, 0.34 * fall - 0.2 * stagger), turn(X, -0.25 * fall));
    p.jaws = 0.10 + 0.5 * stagger + 0.35 * fall;
    p.cases = 0.05 + 0.6 * stagger + 0.45 * fall + 0.05 * still * wave(t * 9.0);
    p.arm = then(turn(Y, 0.62 * fall + 0.06 * hump(0.42, 0.47, 0.56, t)), turn(Z, 0.25 * fall));
    p.lantern = then(turn(Y, -0.62 * fall), turn(X, 0.5 * fall * wave(t * 5.0) * (1.0 - ease(0.4, 0.75, t))));
    p.banner = [0.22, 0.34, 0.18].map(|hang| hang * fall + still * 0.26 * wave(t));
    let splay = 20.0 * fall;
    for (i, foot) in (0_u8..).zip(&mut p.feet) {
        let out = unit([foot[0], foot[1], 0.0]);
        let twitch = 5.0 * hump(0.5, 0.53, 0.57, t + 0.02 * f32::from(i));
        *foot = add(*foot, [out[0] * splay, out[1] * splay, twitch + 8.0 * stagger * f32::from(i % 2)]);
    }
    p.shine = (0.85 + 0.15 * wave(t * 23.0)) * (1.0 - ease(0.30, 0.62, t));
    p.glow_size = 1.0 - 0.8 * ease(0.3, 0.62, t);
    p.root = [0.0, 0.0, -14.0 * ease(0.86, 1.0, t)];
    p.fade = 1.0 - ease(0.86, 1.0, t);
}

/// The turns of thigh and shin that put the foot on `target`, given the body's movement.
pub(crate) fn reach(
    leg: &Leg,
    target: Vec3,
    body_pivot: Vec3,
    (shift, turned): (Vec3, Quat),
) -> (Quat, Quat) {
    // The target in the space of the body at rest.
    let target = add(rotate(inverse(turned), sub(sub(target, shift), body_pivot)), body_pivot);
    let (rest, aim) = (sub(leg.foot, leg.hip), sub(target, leg.hip));
    let yaw = aim[1].atan2(aim[0]) - rest[1].atan2(rest[0]);
    let yaw = (yaw + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
    // What remains is a triangle in a vertical plane: r outwards, z up.
    let flat = |v: Vec3| (v[0].hypot(v[1]), v[2]);
    let (one, two) = (leg.thigh_length(), leg.shin_length());
    let (r, z) = flat(aim);
    let far = r.hypot(z).clamp((one - two).abs() + 1.0, one + two - 0.5);
    let at_hip = ((one * one + far * far - two * two) / (2.0 * one * far)).clamp(-1.0, 1.0).acos();
    let to_target = z.atan2(r);
    let thigh = to_target + at_hip;
    let (knee_r, knee_z) = (one * thigh.cos(), one * thigh.sin());
    let shin = (far * to_target.sin() - knee_z).atan2(far * to_target.cos() - knee_r);
    let (kr, kz) = flat(sub(leg.knee, leg.hip));
    let (fr, fz) = flat(rest);
    let lift = thigh - kz.atan2(kr);
    let bend = shin - (fz - kz).atan2(fr - kr) - lift;
    let axis = cross(unit([rest[0], rest[1], 0.0]), Z);
    (then(turn(Z, yaw), turn(axis, lift)), turn(axis, bend))
}

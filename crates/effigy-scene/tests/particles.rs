//! Particles against answers computed by hand: birth, flight, death, and the rectangles that are drawn.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{Moment, Particle, Particles, Quad, Sampler, View};
use effigy_scene::{
    Animated, Cells, EmitterShape, Id, Interpolation, Mesh, Node, NodeKind, NodeRule, ParticleEmitter,
    Rotation, Scene, Sequence, Track, ValidScene, validate,
};
use std::f32::consts::{FRAC_1_SQRT_2, PI};

/// An emitter that emits `count` particles at once, at the first step, at the age of 0.
fn burst(count: f32) -> ParticleEmitter {
    let mut emitter = ParticleEmitter::new("emitter", Id::new(0));
    emitter.rate = Animated::fixed(count);
    emitter.lifespan = Animated::fixed(100.0);
    emitter.squirt = true;
    emitter
}

/// One node that rests at the origin, and emitters on it.
fn scene(emitters: impl IntoIterator<Item = ParticleEmitter>) -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(Sequence { end: 10_000, ..Sequence::default() });
    scene.nodes.push(Node::new("node", NodeKind::Emitter, None, [0.0; 3]));
    scene.emitters = emitters.into_iter().collect();
    scene
}

/// Steps of these lengths in seconds, each at the moment at which it ends, and the particles after each.
fn history(scene: &Scene, seed: u64, steps: &[f32]) -> Vec<Vec<Particle>> {
    let scene = validate(scene.clone()).unwrap();
    let sampler = Sampler::new(&scene);
    let (mut pose, mut particles) = (sampler.pose(), Particles::new(&sampler, seed, 10_000));
    let mut time = 0.0;
    let step = |seconds: &f32| {
        time += f64::from(*seconds) * 1000.0;
        sampler.sample(&Moment::new(Id::new(0), time), None, &mut pose);
        particles.step(&sampler, &pose, *seconds);
        particles.of(Id::new(0)).to_vec()
    };
    steps.iter().map(step).collect()
}

/// The newborn particles of a burst.
fn born(emitter: ParticleEmitter) -> Vec<Particle> {
    history(&scene([emitter]), 1, &[0.25]).remove(0)
}

fn near(a: [f32; 3], b: [f32; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4)
}

#[track_caller]
fn assert_near(a: [f32; 3], b: [f32; 3]) {
    assert!(near(a, b), "{a:?} is not {b:?}");
}

/// Smallest and largest of some numbers.
fn range(numbers: impl Iterator<Item = f32>) -> [f32; 2] {
    numbers.fold([f32::MAX, f32::MIN], |[least, most], number| [least.min(number), most.max(number)])
}

/// The numbers are inside a range and come within 2 % of both ends.
#[track_caller]
fn assert_fills(numbers: impl Iterator<Item = f32>, [least, most]: [f32; 2]) {
    let [a, b] = range(numbers);
    let slack = 0.02 * (most - least);
    assert!(a >= least - 1e-4 && a <= least + slack, "the least is {a}, not {least}");
    assert!(b <= most + 1e-4 && b >= most - slack, "the most is {b}, not {most}");
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}

#[test]
fn parts_of_particles_are_saved_up_for_the_next_step() {
    // 6 per second in steps of 1/4 s: 1.5 each, so 1, 2, 1, 2.
    let mut emitter = burst(6.0);
    emitter.squirt = false;
    let counts: Vec<usize> =
        history(&scene([emitter]), 1, &[0.25; 4]).iter().map(std::vec::Vec::len).collect();
    assert_eq!(counts, [1, 3, 4, 6]);
}

#[test]
fn particles_of_a_step_are_born_all_through_it() {
    let mut emitter = burst(4000.0);
    emitter.squirt = false;
    let steps = history(&scene([emitter.clone()]), 1, &[0.25]);
    assert_eq!(steps[0].len(), 1000);
    assert_fills(steps[0].iter().map(|particle| particle.age), [0.0, 0.25]);
    // A life of half a step: about half of them are over before the step ends.
    emitter.lifespan = Animated::fixed(0.125);
    let left = history(&scene([emitter.clone()]), 1, &[0.25]).remove(0);
    assert!((400..600).contains(&left.len()), "{}", left.len());
    assert_fills(left.iter().map(|particle| particle.age), [0.0, 0.125]);
    emitter.lifespan = Animated::fixed(0.0);
    emitter.squirt = true;
    assert!(born(emitter).is_empty());
}

#[test]
fn a_particle_ages_and_is_gone_when_its_age_reaches_its_life() {
    let mut emitter = burst(3.0);
    emitter.lifespan = Animated::fixed(0.5);
    let steps = history(&scene([emitter]), 1, &[0.25; 3]);
    let ages: Vec<Vec<f32>> =
        steps.iter().map(|step| step.iter().map(|particle| particle.age).collect()).collect();
    assert_eq!(ages, [vec![0.0; 3], vec![0.25; 3], vec![]]);
    assert!(steps[0].iter().all(|particle| particle.lifespan == 0.5));
}

#[test]
fn a_step_is_at_most_half_a_second_long_and_never_negative() {
    let steps = history(&scene([burst(1.0)]), 1, &[0.25, 9.0, -1.0]);
    assert_eq!(steps.iter().map(|step| step[0].age).collect::<Vec<_>>(), [0.0, 0.5, 0.5]);
}

#[test]
fn a_squirt_happens_once_each_time_the_rate_rises() {
    let mut emitter = burst(0.0);
    // The rate at 250, 500, 750 ... ms.
    let rates = [2.9, 5.0, 0.02, 3.0, 3.0, 0.03, 4.0];
    let times = (1..).map(|i| i * 250).take(rates.len()).collect();
    let track = Track { interpolation: Interpolation::Step, ..Track::linear(times, rates.to_vec(), 0.0) };
    emitter.rate.track = Some(track);
    let counts: Vec<usize> =
        history(&scene([emitter]), 1, &[0.25; 7]).iter().map(std::vec::Vec::len).collect();
    // 2 (2.9 is rounded down); nothing while open; 0.02 closes it; 3; nothing; 0.03 does not close it; nothing.
    assert_eq!(counts, [2, 2, 2, 5, 5, 5, 5]);
}

#[test]
fn nothing_is_emitted_while_the_emitter_is_hidden_or_the_rate_is_negative() {
    assert_eq!(born(burst(5.0)).len(), 5);
    let mut hidden = burst(5.0);
    hidden.visibility = Animated::fixed(0.0);
    assert!(born(hidden).is_empty());
    let mut negative = burst(-50.0);
    negative.squirt = false;
    // A negative rate must not be saved up either: 4 more per second bring 1 in 1/4 s.
    let track = Track::linear(vec![250, 500], vec![-50.0, 4.0], 0.0);
    negative.rate.track = Some(track);
    let counts: Vec<usize> =
        history(&scene([negative]), 1, &[0.25; 2]).iter().map(std::vec::Vec::len).collect();
    assert_eq!(counts, [0, 1]);
    // The node is gated by a mesh with alpha 0.
    let mut gated = scene([burst(5.0)]);
    let mut mesh = Mesh::new("mesh");
    mesh.alpha = Animated::fixed(0.0);
    let mesh = gated.meshes.push(mesh);
    gated.nodes.as_mut_slice()[0].gate = Some(mesh);
    assert!(history(&gated, 1, &[0.25]).remove(0).is_empty());
}

#[test]
fn particles_fly_on_a_parabola() {
    let mut emitter = burst(1.0);
    emitter.speed = Animated::fixed(10.0);
    emitter.gravity = Animated::fixed(8.0);
    let steps = history(&scene([emitter]), 1, &[0.25, 0.5, 0.5]);
    // z = 10 t - 8/2 t^2, v = 10 - 8 t at t = 0, 1/2, 1: exact at any length of the step.
    for (step, (z, v)) in steps.iter().zip([(0.0, 10.0), (4.0, 6.0), (6.0, 2.0)]) {
        assert_near(step[0].position, [0.0, 0.0, z]);
        assert_near(step[0].velocity, [0.0, 0.0, v]);
    }
}

#[test]
fn drag_takes_a_share_of_the_speed_and_never_turns_it_around() {
    let mut emitter = burst(1.0);
    emitter.speed = Animated::fixed(8.0);
    emitter.drag = 0.5;
    let steps = history(&scene([emitter.clone()]), 1, &[0.25, 0.5, 0.5]);
    // 8 * 1/2 = 4 up, then 3/4 of the speed is left: 6 * 1/2 = 3 more, then 4.5.
    assert_near(steps[1][0].position, [0.0, 0.0, 4.0]);
    assert_near(steps[2][0].position, [0.0, 0.0, 7.0]);
    assert_near(steps[2][0].velocity, [0.0, 0.0, 4.5]);
    emitter.drag = 10.0;
    let steps = history(&scene([emitter]), 1, &[0.25, 0.5, 0.5]);
    assert_near(steps[2][0].position, [0.0, 0.0, 4.0]);
    assert_near(steps[2][0].velocity, [0.0; 3]);
}

#[test]
fn a_plane_is_filled_and_its_sides_follow_the_rule_of_the_game() {
    for (rule, [x, y]) in [(NodeRule::Warcraft, [3.0, 1.0]), (NodeRule::World, [1.0, 3.0])] {
        let mut emitter = burst(1000.0);
        emitter.length = Animated::fixed(6.0);
        emitter.width = Animated::fixed(2.0);
        let mut scene = scene([emitter]);
        scene.node_rule = rule;
        let particles = history(&scene, 1, &[0.25]).remove(0);
        assert_fills(particles.iter().map(|particle| particle.position[0]), [-x, x]);
        assert_fills(particles.iter().map(|particle| particle.position[1]), [-y, y]);
        assert!(particles.iter().all(|particle| particle.position[2] == 0.0));
        // Independent of each other: all four quarters hold about as many.
        let quarter = |p: &&Particle| p.position[0] > 0.0 && p.position[1] > 0.0;
        assert!((200..300).contains(&particles.iter().filter(quarter).count()));
    }
}

#[test]
fn a_plane_emits_into_a_cone_about_z() {
    let mut emitter = burst(2000.0);
    emitter.speed = Animated::fixed(10.0);
    emitter.latitude = Animated::fixed(PI / 6.0);
    let particles = born(emitter.clone());
    // Half-angle 30 degrees: from the axis at most 10 sin 30 = 5, along it at least 10 cos 30 = 8.6603.
    assert!(particles.iter().all(|particle| (length(particle.velocity) - 10.0).abs() < 1e-3));
    assert_fills(particles.iter().map(|particle| particle.velocity[2]), [8.660_254, 10.0]);
    assert_fills(particles.iter().map(|particle| particle.velocity[0]), [-5.0, 5.0]);
    assert_fills(particles.iter().map(|particle| particle.velocity[1]), [-5.0, 5.0]);
    // Without a turn about the axis all fly in one plane: the emitter's XZ, which is the node's YZ.
    emitter.longitude = Animated::fixed(0.0);
    let particles = born(emitter);
    assert_fills(particles.iter().map(|particle| particle.velocity[1]), [-5.0, 5.0]);
    assert!(particles.iter().all(|particle| particle.velocity[0].abs() < 1e-4));
}

#[test]
fn a_sphere_is_a_shell_and_particles_fly_away_from_its_middle() {
    let mut emitter = burst(2000.0);
    emitter.shape = EmitterShape::Sphere;
    emitter.length = Animated::fixed(2.0);
    emitter.width = Animated::fixed(5.0);
    emitter.speed = Animated::fixed(10.0);
    emitter.latitude = Animated::fixed(PI / 6.0);
    let particles = born(emitter.clone());
    assert_fills(particles.iter().map(|particle| length(particle.position)), [2.0, 5.0]);
    for particle in &particles {
        let outward = particle.position.map(|x| x / length(particle.position) * 10.0);
        assert_near(particle.velocity, outward);
    }
    // The latitude counts from the equator: 10 sin 30 = 5 up and down; all around it.
    assert_fills(particles.iter().map(|particle| particle.velocity[2]), [-5.0, 5.0]);
    assert_fills(particles.iter().map(|particle| particle.velocity[0]), [-10.0, 10.0]);
    assert_fills(particles.iter().map(|particle| particle.velocity[1]), [-10.0, 10.0]);
    // Without longitude: the emitter's XZ plane, forward only, which is the node's +Y.
    emitter.longitude = Animated::fixed(0.0);
    let particles = born(emitter);
    assert_fills(particles.iter().map(|particle| particle.velocity[1]), [8.660_254, 10.0]);
    assert!(particles.iter().all(|particle| particle.velocity[0].abs() < 1e-4));
}

fn along_spline(points: &[[f32; 3]], from: f32, to: f32) -> ParticleEmitter {
    let mut emitter = burst(500.0);
    emitter.shape = EmitterShape::Spline(points.to_vec());
    emitter.model_space = true;
    emitter.length = Animated::fixed(from);
    emitter.width = Animated::fixed(to);
    emitter.longitude = Animated::fixed(0.0);
    emitter
}

#[test]
fn a_spline_emits_between_two_places_on_a_chain_of_curves() {
    let arch = [[0.0; 3], [0.0, 8.0, 0.0], [8.0, 8.0, 0.0], [8.0, 0.0, 0.0]];
    let at = |points: &[[f32; 3]], u: f32| born(along_spline(points, u, u))[0].position;
    // Bernstein at 1/4: 27/64, 27/64, 9/64, 1/64: x = 8 (9 + 1)/64, y = 8 (27 + 9)/64.
    assert_near(at(&arch, 0.25), [1.25, 4.5, 0.0]);
    assert_near(at(&arch, 0.5), [4.0, 6.0, 0.0]);
    // A second curve, straight up from the end of the first: 3/4 of the chain is its middle.
    let chain = [&arch[..], &[[8.0, 0.0, 1.0], [8.0, 0.0, 2.0], [8.0, 0.0, 3.0]]].concat();
    assert_near(at(&chain, 0.75), [8.0, 0.0, 1.5]);
    assert_near(at(&chain, 0.25), [4.0, 6.0, 0.0]);
    assert_near(at(&chain, 0.5), [8.0, 0.0, 0.0]);
    assert_near(at(&chain, 1.0), [8.0, 0.0, 3.0]);
    assert_near(at(&chain, 7.0), [8.0, 0.0, 3.0]);
    assert_near(at(&chain, -7.0), [0.0, 0.0, 0.0]);
    // Fewer points than a curve needs: the first one, or the origin.
    assert_near(at(&[[1.0, 2.0, 3.0], [4.0; 3], [5.0; 3]], 0.5), [1.0, 2.0, 3.0]);
    assert_near(at(&[], 0.5), [0.0; 3]);
    let line = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
    let particles = born(along_spline(&line, 0.25, 0.75));
    assert_fills(particles.iter().map(|particle| particle.position[0]), [0.75, 2.25]);
    assert!(particles.iter().all(|particle| particle.velocity == [0.0; 3]));
}

#[test]
fn a_spline_emits_to_its_sides_when_it_has_a_latitude() {
    let mut emitter = along_spline(&[[1.0, 2.0, 3.0]], 0.0, 0.0);
    emitter.speed = Animated::fixed(10.0);
    emitter.latitude = Animated::fixed(PI / 6.0);
    emitter.longitude = Animated::fixed(4.0);
    let particles = born(emitter);
    assert_fills(particles.iter().map(|particle| particle.velocity[1]), [-5.0, 5.0]);
    let mut shifts = Vec::new();
    for particle in &particles {
        assert!((length(particle.velocity) - 10.0).abs() < 1e-3 && particle.velocity[0] == 0.0);
        let [x, y, z] = particle.position;
        let shift = [x - 1.0, y - 2.0, z - 3.0];
        assert_near(shift, particle.velocity.map(|v| v / 10.0 * length(shift)));
        shifts.push(length(shift));
    }
    assert_fills(shifts.into_iter(), [0.0, 4.0]);
}

#[test]
fn a_source_on_the_axis_makes_particles_fly_away_from_it() {
    let mut emitter = burst(100.0);
    emitter.length = Animated::fixed(8.0);
    emitter.width = Animated::fixed(6.0);
    emitter.speed = Animated::fixed(10.0);
    emitter.z_source = Animated::fixed(5.0);
    for particle in born(emitter) {
        let [x, y, z] = particle.position;
        let away = [x, y, z - 5.0];
        assert_near(particle.velocity, away.map(|part| part / length(away) * 10.0));
    }
}

#[test]
fn the_speed_varies_by_its_share() {
    let mut emitter = burst(1000.0);
    emitter.speed = Animated::fixed(10.0);
    emitter.variation = Animated::fixed(0.5);
    assert_fills(born(emitter).iter().map(|particle| particle.velocity[2]), [5.0, 15.0]);
}

#[test]
fn the_node_carries_position_and_direction() {
    // A half turn about X and a shift by (1, 2, 3): the emitter at (0, 1, 1) goes to (1, 1, 2), its Z axis points down.
    let mut emitter = burst(1.0);
    emitter.position = [0.0, 1.0, 1.0];
    emitter.speed = Animated::fixed(10.0);
    let mut turned = scene([emitter]);
    let node = &mut turned.nodes.as_mut_slice()[0];
    node.translation = Animated::fixed([1.0, 2.0, 3.0]);
    node.rotation = Animated::fixed(Rotation([1.0, 0.0, 0.0, 0.0]));
    let particle = history(&turned, 1, &[0.25]).remove(0)[0];
    assert_near(particle.position, [1.0, 1.0, 2.0]);
    assert_near(particle.velocity, [0.0, 0.0, -10.0]);
    // In model space a particle keeps the emitter's axes.
    turned.emitters.as_mut_slice()[0].model_space = true;
    let particle = history(&turned, 1, &[0.25]).remove(0)[0];
    assert_near(particle.position, [0.0; 3]);
    assert_near(particle.velocity, [0.0, 0.0, 10.0]);
}

#[test]
fn places_follow_from_the_seed_by_splitmix64() {
    // By a program of its own: the stream of emitter i begins at seed ^ (i + 1) * 0xA24BAED4963EE407 (modulo 2^64); the
    // first two of each six numbers u give (2 u - 1) / 2 across the width (Y) and, negative, along the length (X).
    let mut emitter = burst(2.0);
    emitter.length = Animated::fixed(4.0);
    emitter.width = Animated::fixed(2.0);
    let scene = validate(scene([emitter.clone(), emitter])).unwrap();
    let sampler = Sampler::new(&scene);
    let (mut pose, mut particles) = (sampler.pose(), Particles::new(&sampler, 1, 10));
    sampler.sample(&Moment::new(Id::new(0), 0.0), None, &mut pose);
    particles.step(&sampler, &pose, 0.25);
    let expected = [
        [[-1.769_654_3, 0.550_026_06, 0.0], [0.773_432_5, 0.124_177_456, 0.0]],
        [[1.492_731_1, 0.290_448_07, 0.0], [1.684_364_6, -0.562_243_7, 0.0]],
    ];
    for (i, expected) in (0..).zip(expected) {
        let emitted = particles.of(Id::new(i));
        assert_near(emitted[0].position, expected[0]);
        assert_near(emitted[1].position, expected[1]);
    }
    assert_eq!(
        particles
            .of(Id::new(0))
            .iter()
            .chain(particles.of(Id::new(1)))
            .map(|p| p.mirrored)
            .collect::<Vec<_>>(),
        [false, false, false, true]
    );
    assert!(particles.of(Id::new(2)).is_empty());
}

/// What is drawn of a scene's first emitter after these steps, seen from far along +X: right is +Y, up is +Z.
fn drawn(scene: &ValidScene, steps: &[f32]) -> (Vec<Particle>, Vec<Quad>) {
    let sampler = Sampler::new(scene);
    let (mut pose, mut particles) = (sampler.pose(), Particles::new(&sampler, 1, 100));
    let mut time = 0.0;
    for seconds in steps {
        time += f64::from(*seconds) * 1000.0;
        sampler.sample(&Moment::new(Id::new(0), time), None, &mut pose);
        particles.step(&sampler, &pose, *seconds);
    }
    let view = View::look_at([100.0, 0.0, 0.0], [0.0; 3]);
    let mut quads = Vec::new();
    particles.quads(&scene.emitters.as_slice()[0], 0, &pose, &view, &mut quads);
    (particles.of(Id::new(0)).to_vec(), quads)
}

fn quads(emitter: ParticleEmitter, steps: &[f32]) -> Vec<Quad> {
    drawn(&validate(scene([emitter])).unwrap(), steps).1
}

#[track_caller]
fn assert_corners(quad: &Quad, corners: [[f32; 3]; 4]) {
    for (corner, expected) in quad.corners.iter().zip(corners) {
        assert!(near(*corner, expected), "{:?} are not {corners:?}", quad.corners);
    }
}

/// One particle that lives 2 seconds, with different values at start, middle (a quarter of its life) and end.
fn changing() -> ParticleEmitter {
    let mut emitter = burst(1.0);
    emitter.lifespan = Animated::fixed(2.0);
    let life = &mut emitter.over_life;
    life.middle = 0.25;
    life.colors = [[0.0, 0.2, 1.0], [1.0, 0.6, 0.0], [0.0, 1.0, 0.4]];
    life.alphas = [0.0, 1.0, 0.5];
    life.sizes = [2.0, 6.0, 14.0];
    emitter
}

#[test]
fn colour_alpha_and_size_change_in_two_halves_of_life() {
    // Part p of a half is drawn as t = 0.99 p + 0.005. At 1/4 s, u = 1/8: p = 1/2 and t = 1/2 of the first half.
    let early = quads(changing(), &[0.25, 0.25]);
    assert_eq!(early.len(), 1);
    let [r, g, b, a] = early[0].color;
    assert_near([r, g, b], [0.5, 0.4, 0.5]);
    assert!((a - 0.5).abs() < 1e-5);
    // Half the edge is 4. Corners: left top, right top, right bottom, left bottom.
    assert_corners(&early[0], [[0.0, -4.0, 4.0], [0.0, 4.0, 4.0], [0.0, 4.0, -4.0], [0.0, -4.0, -4.0]]);
    assert_eq!(early[0].uvs, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    // At 7/8 s, u = 7/16: p = (7/16 - 1/4) / (3/4) = 1/4 and t = 0.2525 of the second half:
    // red 1 - t, green 0.6 + 0.4 t, blue 0.4 t, alpha 1 - t/2, size 6 + 8 t.
    let late = quads(changing(), &[0.25, 0.5, 0.375]);
    let [r, g, b, a] = late[0].color;
    assert_near([r, g, b], [0.7475, 0.701, 0.101]);
    assert!((a - 0.87375).abs() < 1e-5);
    assert_near(late[0].corners[1], [0.0, 8.02, 8.02]);
    // Exactly in the middle the first half still counts: t = 0.995, size 2 + 4 t.
    let middle = quads(changing(), &[0.25, 0.5]);
    assert_near(middle[0].corners[1], [0.0, 5.98, 5.98]);
    // Without a first half a newborn particle shows its start: t = 0.005.
    let mut emitter = changing();
    emitter.over_life.middle = 0.0;
    assert_near(quads(emitter, &[0.25])[0].corners[1], [0.0, 2.02, 2.02]);
}

/// The rectangle of the texture at half (t = 1/2) or a quarter (t = 0.2525) of the first half of life.
fn cell(cells: Cells, quarter: bool) -> [f32; 4] {
    let mut emitter = changing();
    emitter.over_life.middle = if quarter { 0.5 } else { 0.25 };
    emitter.cells = [2, 4];
    emitter.over_life.head[0] = cells;
    let uvs = quads(emitter, &[0.25, 0.25])[0].uvs;
    assert_eq!(uvs, [uvs[0], [uvs[2][0], uvs[0][1]], uvs[2], [uvs[0][0], uvs[2][1]]]);
    [uvs[0][0], uvs[0][1], uvs[2][0], uvs[2][1]]
}

#[test]
fn cells_play_forwards_backwards_and_repeatedly() {
    // Two rows of four: cell n is column n % 4 of row n / 4; cells are 1/4 wide and 1/2 high.
    let cells = |start, end, repeat| Cells { start, end, repeat };
    // 2 to 7 are six cells: 2 + 6/2 = 5 at half of the time, 2 + 6 * 0.2525 = 3.5 at a quarter.
    assert_eq!(cell(cells(2, 7, 1), false), [0.25, 0.5, 0.5, 1.0]);
    assert_eq!(cell(cells(2, 7, 1), true), [0.75, 0.0, 1.0, 0.5]);
    // Backwards 7 to 2: 8 - 6 * 0.2525 = 6.5 at a quarter.
    assert_eq!(cell(cells(7, 2, 1), true), [0.5, 0.5, 0.75, 1.0]);
    // Three times in the same time: 3 * 0.2525 = 0.7575 of the run, 2 + 6 * 0.7575 = 6.5.
    assert_eq!(cell(cells(2, 7, 3), true), [0.5, 0.5, 0.75, 1.0]);
    // 3/2 at half of the time is 1/2 of the second run.
    assert_eq!(cell(cells(2, 7, 3), false), [0.25, 0.5, 0.5, 1.0]);
    assert_eq!(cell(cells(6, 6, 1), true), [0.5, 0.5, 0.75, 1.0]);
    assert_eq!(cell(cells(1, 0, 0), true), [0.25, 0.0, 0.5, 0.5]);
    // The second half of life has cells of its own.
    let mut emitter = changing();
    emitter.cells = [0, 2];
    emitter.over_life.head[1] = cells(1, 1, 1);
    assert_eq!(quads(emitter, &[0.25, 0.5, 0.375])[0].uvs[0], [0.5, 0.0]);
}

#[test]
fn a_spinning_quad_turns_and_some_turn_the_other_way() {
    // Half a turn per second, 1/2 s: a quarter turn: right becomes up, up becomes left.
    let turned = |x: f32| [[0.0, -x, -x], [0.0, -x, x], [0.0, x, x], [0.0, x, -x]];
    let other = |x: f32| [[0.0, x, x], [0.0, x, -x], [0.0, -x, -x], [0.0, -x, x]];
    let mut emitter = burst(20.0);
    emitter.over_life.sizes = [3.0; 3];
    emitter.spin = PI;
    for quad in quads(emitter.clone(), &[0.25, 0.5]) {
        assert_corners(&quad, turned(3.0));
    }
    // 30 degrees: 3 (cos + sin) and 3 (cos - sin).
    emitter.spin = PI / 3.0;
    let (far, close) = (4.098_076, 1.098_076);
    for quad in quads(emitter.clone(), &[0.25, 0.5]) {
        assert_corners(
            &quad,
            [[0.0, -far, close], [0.0, close, far], [0.0, far, -close], [0.0, -close, -far]],
        );
    }
    // With a negative spin those that are mirrored turn like the positive ones.
    emitter.spin = -PI;
    let (particles, quads) = drawn(&validate(scene([emitter])).unwrap(), &[0.25, 0.5]);
    assert_eq!((particles.len(), quads.len()), (20, 20));
    let mirrored = particles.iter().filter(|particle| particle.mirrored).count();
    assert!((3..18).contains(&mirrored));
    for (particle, quad) in particles.iter().zip(&quads) {
        assert_corners(quad, if particle.mirrored { turned(3.0) } else { other(3.0) });
    }
}

/// A particle that flies with (3, 4, 0) from (0, 0, 1), out of a node that is turned so.
fn flying(change: impl FnOnce(&mut ParticleEmitter)) -> Scene {
    let mut emitter = burst(1.0);
    emitter.position = [0.0, 0.0, 1.0];
    emitter.speed = Animated::fixed(5.0);
    emitter.over_life.sizes = [2.0; 3];
    change(&mut emitter);
    let mut scene = scene([emitter]);
    // Z to X is a quarter turn about Y; X to (3, 4)/5 a turn about Z whose half has cos = 2/sqrt 5, sin = 1/sqrt 5.
    let (c, s) = (2.0 / 5.0_f32.sqrt() * FRAC_1_SQRT_2, 1.0 / 5.0_f32.sqrt() * FRAC_1_SQRT_2);
    let node = &mut scene.nodes.as_mut_slice()[0];
    node.pivot = [0.0, 0.0, 1.0];
    // (0, 0, sin, cos) * (0, h, 0, h), h = 1 / sqrt 2.
    node.rotation = Animated::fixed(Rotation([-s, c, s, c]));
    scene
}

#[test]
fn a_flat_quad_lies_along_its_flight() {
    // Up is (3, 4)/5, right is (4, -3)/5, both times 2: up (1.2, 1.6), right (1.6, -1.2). After 1/2 s at (1.5, 2, 1).
    let scene = validate(flying(|emitter| emitter.flat = true)).unwrap();
    let (_, quads) = drawn(&scene, &[0.25, 0.5]);
    let corners = [[1.1, 4.8, 1.0], [4.3, 2.4, 1.0], [1.9, -0.8, 1.0], [-1.3, 1.6, 1.0]];
    assert_corners(&quads[0], corners);
    // In model space the drawn quad is the same.
    let scene = validate(flying(|emitter| (emitter.flat, emitter.model_space) = (true, true))).unwrap();
    let (particles, quads) = drawn(&scene, &[0.25, 0.5]);
    assert_near(particles[0].position, [0.0, 0.0, 2.5]);
    assert_corners(&quads[0], corners);
    // A particle that flies straight up has no direction to lie along: it faces the camera.
    let mut emitter = burst(1.0);
    emitter.flat = true;
    emitter.speed = Animated::fixed(1.0);
    emitter.over_life.sizes = [2.0; 3];
    let quad = self::quads(emitter, &[0.25])[0];
    assert_corners(&quad, [[0.0, -2.0, 2.0], [0.0, 2.0, 2.0], [0.0, 2.0, -2.0], [0.0, -2.0, -2.0]]);
}

#[test]
fn a_tail_is_a_streak_against_the_flight() {
    // Flying up at 10 units per second, 1/2 s long: 5 units. Its side is up x toward the viewer = +Y, times 2.
    let mut emitter = burst(1.0);
    emitter.speed = Animated::fixed(10.0);
    (emitter.head, emitter.tail, emitter.tail_length) = (false, true, 0.5);
    emitter.over_life.sizes = [2.0; 3];
    emitter.cells = [2, 4];
    emitter.over_life.head[0] = Cells { start: 1, end: 1, repeat: 1 };
    emitter.over_life.tail[0] = Cells { start: 6, end: 6, repeat: 1 };
    emitter.over_life.middle = 1.0;
    let tail = quads(emitter.clone(), &[0.25, 0.25]);
    assert_eq!(tail.len(), 1);
    assert_corners(&tail[0], [[0.0, 2.0, 2.5], [0.0, 2.0, -2.5], [0.0, -2.0, -2.5], [0.0, -2.0, 2.5]]);
    assert_eq!(tail[0].uvs, [[0.5, 0.5], [0.75, 0.5], [0.75, 1.0], [0.5, 1.0]]);
    // A tail that grows covers the 1/4 s that the particle has lived: it ends where the particle was born.
    emitter.tail_grows = true;
    let tail = quads(emitter.clone(), &[0.25, 0.25]);
    assert_near(tail[0].corners[1], [0.0, 2.0, 0.0]);
    // Head and tail together, with their own cells; a newborn particle whose tail grows has none yet.
    emitter.head = true;
    let both = quads(emitter.clone(), &[0.25, 0.25]);
    assert_eq!(both.iter().map(|quad| quad.uvs[0]).collect::<Vec<_>>(), [[0.25, 0.0], [0.5, 0.5]]);
    assert_eq!(quads(emitter, &[0.25]).len(), 1);
}

use super::*;
use effigy_scene::sample::Motion;
use effigy_scene::{NodeKind, Rotation, Scene, Skin, ValidScene, validate};

fn scene(mesh: Mesh, nodes: usize) -> ValidScene {
    let mut scene = Scene::default();
    for _ in 0..nodes {
        scene.nodes.push(Node::new("n", NodeKind::Bone, None, [0.0; 3]));
    }
    scene.meshes.push(mesh);
    validate(scene).unwrap()
}

fn posed(scene: &ValidScene, motions: &[Motion]) -> Pose {
    let sampler = Sampler::new(scene);
    let mut pose = sampler.pose();
    sampler.place(motions, &mut pose);
    pose
}

fn matrices(scene: &ValidScene, motions: &[Motion]) -> Matrices {
    let mut matrices = Matrices::default();
    matrices.take(&scene.nodes, &posed(scene, motions));
    matrices
}

fn influence(node: usize, weight: f32) -> Influence {
    Influence { node: Id::new(u32::try_from(node).unwrap()), weight }
}

#[test]
fn bounds_are_those_of_the_moved_vertices() {
    let mut mesh = Mesh::new("m");
    mesh.positions = vec![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [9.0, 9.0, 9.0]];
    let mut skin = Skin { vertex_groups: vec![0, 0, 1, 0], ..Skin::default() };
    for node in 0..2 {
        skin.push_group([influence(node, 1.0)]);
    }
    mesh.skin = Some(skin);
    // A quarter turn about z and one up; the other three down.
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    let turned = Motion {
        translation: [0.0, 0.0, 1.0],
        rotation: Rotation([0.0, 0.0, quarter, quarter]),
        ..Motion::default()
    };
    let down = Motion { translation: [0.0, 0.0, -3.0], ..Motion::default() };
    let pose = matrices(&scene(mesh.clone(), 2), &[turned, down]);
    let near = |found: &Bounds, low: [f32; 3], high: [f32; 3]| {
        let found = found.min.iter().chain(&found.max);
        assert!(found.zip(low.iter().chain(&high)).all(|(a, b)| (a - b).abs() < 1e-5), "{low:?} {high:?}");
    };
    let mut movable = Movable::new(&mesh, 0..3);
    let mut bounds = Bounds::EMPTY;
    movable.add_to(&mut bounds, &pose);
    // (0, 1, 1), (-2, 0, 1) and (0, 0, 0).
    near(&bounds, [-2.0, 0.0, 0.0], [0.0, 1.0, 1.0]);
    // Larger bounds stay as they are, and the box of the first group alone is not what counts: (0, 1, 1) is inside.
    let mut wide = Bounds { min: [-2.5, -0.5, -0.5], max: [0.5, 4.0, 4.0], radius: 0.0 };
    movable.add_to(&mut wide, &pose);
    near(&wide, [-2.5, -0.5, -0.5], [0.5, 4.0, 4.0]);
    let mut narrow = Bounds { min: [-1.0, 0.0, 0.0], max: [0.5, 4.0, 4.0], radius: 0.0 };
    movable.add_to(&mut narrow, &pose);
    near(&narrow, [-2.0, 0.0, 0.0], [0.5, 4.0, 4.0]);
    // Without a skin, and without weights, nothing moves.
    let mut still = Bounds::EMPTY;
    let mut light = mesh.clone();
    light.skin.as_mut().unwrap().influences.iter_mut().for_each(|it| it.weight = 0.0);
    Movable::new(&light, 0..3).add_to(&mut still, &pose);
    near(&still, [0.0; 3], [1.0, 2.0, 3.0]);
    mesh.skin = None;
    Movable::whole(&mesh).add_to(&mut still, &pose);
    near(&still, [0.0; 3], [9.0; 3]);
}

/// More groups than are looked at without asking nodes, in poses that grow and shrink, next to every vertex moved by hand.
#[test]
fn groups_that_are_left_out_do_not_matter() {
    let mut mesh = Mesh::new("m");
    let mut skin = Skin::default();
    let mut random = 7_u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) as f32 / 65_535.0
    };
    for group in 0..60_usize {
        let share = next();
        // Every tenth group has weights that are more than a whole.
        let more = if group % 10 == 9 { 1.5 } else { 1.0 };
        skin.push_group([
            influence(group % 7, share * more),
            influence((group + 3) % 7, (1.0 - share) * more),
        ]);
        for _ in 0..5 {
            mesh.positions.push([next() * 4.0 - 2.0, next() * 4.0 - 2.0, next() * 4.0 - 2.0]);
            skin.vertex_groups.push(u32::try_from(group).unwrap());
        }
    }
    mesh.skin = Some(skin.clone());
    let scene = scene(mesh.clone(), 7);
    let mut movable = Movable::whole(&mesh);
    for _ in 0..20 {
        let mut bounds = Bounds::EMPTY;
        let mut expected = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for _ in 0..3 {
            let motions: Vec<Motion> = (0..7)
                .map(|_| Motion {
                    translation: [next() * 9.0, next(), next() * 3.0],
                    rotation: Rotation([0.0, 0.0, 0.0, 1.0]),
                    scale: [0.5 + next(); 3],
                })
                .collect();
            movable.add_to(&mut bounds, &matrices(&scene, &motions));
            for (point, group) in mesh.positions.iter().zip(&skin.vertex_groups) {
                for axis in 0..3 {
                    let moved = |it: &Influence| {
                        let motion = motions[it.node.index()];
                        it.weight * (motion.scale[axis] * point[axis] + motion.translation[axis])
                    };
                    let at: f32 = skin.group(*group).iter().map(moved).sum();
                    expected[0][axis] = expected[0][axis].min(at);
                    expected[1][axis] = expected[1][axis].max(at);
                }
            }
        }
        for (found, expected) in [bounds.min, bounds.max].into_iter().zip(expected) {
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
        }
    }
}

#[test]
fn the_error_of_weights_is_how_far_they_move_a_vertex() {
    // One node moves by (3, 4, 0), one by (0, 0, 12), the third rests.
    let moved = |translation| Motion { translation, ..Motion::default() };
    let motions = [moved([3.0, 4.0, 0.0]), Motion::default(), moved([0.0, 0.0, 12.0])];
    let pose = matrices(&scene(Mesh::new("m"), 3), &motions);
    let off = |lists: &[&[(u32, f32)]], worst| {
        let mut inexact = Inexact::default();
        lists.iter().for_each(|rest| inexact.push(rest, &[[0.0; 3], [7.0, 8.0, 9.0]]));
        inexact.error(&pose, worst)
    };
    let near = |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-5, "{found}, not {wanted}");
    near(off(&[&[(0, 0.1), (1, -0.1)]], 0.0), 0.5);
    near(off(&[&[(1, 0.1), (0, -0.1)]], 0.0), 0.5);
    // (0.6, 0.8, 0) of the first and (0, 0, -1.2) of the third.
    near(off(&[&[(1, -0.1), (0, 0.2), (2, -0.1)]], 0.0), 2.44_f32.sqrt());
    // The largest of all groups, in any order.
    let groups: [&[(u32, f32)]; 3] =
        [&[(0, 0.1), (1, -0.1)], &[(0, 0.0), (2, 0.1), (1, -0.1)], &[(0, 0.2), (1, -0.2)]];
    near(off(&groups, 0.0), 1.2);
    near(off(&[groups[2], groups[1], groups[0]], 0.0), 1.2);
    // Weights that do not sum to 0 move far points most: a tenth of the length of (7, 8, 9).
    near(off(&[&[(1, 0.1)]], 0.0), 0.1 * 194.0_f32.sqrt());
    // What is known to be worse stays.
    near(off(&groups, 1.19), 1.2);
    assert_eq!(off(&groups, 1.21), 1.21);
    let mut nothing = Inexact::default();
    nothing.push(&[(0, 1.0)], &[]);
    nothing.push(&[], &[[1.0; 3]]);
    assert_eq!(nothing.error(&pose, 0.0), 0.0);
}

/// The middle of the two vertices stays where it is: only the size of their box says that they move.
#[test]
fn the_error_of_weights_is_found_on_both_sides_of_a_turn() {
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    let turned = Motion { rotation: Rotation([0.0, 0.0, quarter, quarter]), ..Motion::default() };
    let matrices = matrices(&scene(Mesh::new("m"), 2), &[turned, Motion::default()]);
    let mut inexact = Inexact::default();
    for x in [10.0, -10.0] {
        inexact.push(&[(0, 0.1), (1, -0.1)], &[[x, 0.0, 0.0]]);
    }
    // From (10, 0, 0) to (0, 10, 0), a tenth of it.
    assert!((inexact.error(&matrices, 0.0) - 2.0_f32.sqrt()).abs() < 1e-5);
}

#[test]
fn closed_bounds_have_the_radius_of_their_farthest_corner() {
    let bounds = Bounds { min: [-3.0, 1.0, -12.0], max: [2.0, 4.0, 5.0], radius: 1.0 };
    // Of 3, 4 and 12.
    assert_eq!(closed(bounds), Bounds { radius: 13.0, ..bounds });
    assert_eq!(closed(Bounds::EMPTY), Bounds { min: [0.0; 3], max: [0.0; 3], radius: 0.0 });
}

#[test]
fn particles_reach_as_far_as_they_fly_and_fall() {
    use effigy_scene::Animated;
    let scene = scene(Mesh::new("m"), 1);
    let sampler = Sampler::new(&scene);
    let moved = Motion { translation: [10.0, 20.0, 30.0], ..Motion::default() };
    let pose = posed(&scene, &[moved]);
    let mut emitter = ParticleEmitter::new("p", Id::new(0));
    emitter.position = [1.0, 2.0, 3.0];
    emitter.lifespan = Animated::fixed(2.0);
    emitter.speed = Animated::fixed(-3.0);
    emitter.gravity = Animated::fixed(-4.0);
    (emitter.length, emitter.width) = (Animated::fixed(-5.0), Animated::fixed(1.0));
    (emitter.rate, emitter.visibility) = (Animated::fixed(1.0), Animated::fixed(1.0));
    emitter.over_life.sizes = [0.25, 0.5, 0.125];
    let moment = Moment { sequence: None, time: 0.0, clock: 0.0 };
    let found = |emitter: &ParticleEmitter, farthest: f32| {
        let bounds = reach(&sampler, emitter, &moment, &pose, farthest);
        (bounds.min, bounds.max)
    };
    // 3 * 2 + 4 * 2 * 2 / 2 + 5 / 2 + 0.5 = 17 around (11, 22, 33).
    assert_eq!(found(&emitter, 100.0), ([-6.0, 5.0, 16.0], [28.0, 39.0, 50.0]));
    assert_eq!(found(&emitter, 1.0), ([10.0, 21.0, 32.0], [12.0, 23.0, 34.0]));
    let nothing = (Bounds::EMPTY.min, Bounds::EMPTY.max);
    let hidden = ParticleEmitter { visibility: Animated::fixed(0.0), ..emitter.clone() };
    let idle = ParticleEmitter { rate: Animated::fixed(0.0), ..emitter.clone() };
    assert_eq!((found(&hidden, 9.0), found(&idle, 9.0)), (nothing, nothing));
    (emitter.length, emitter.width) = (Animated::fixed(1.0), Animated::fixed(5.0));
    emitter.lifespan = Animated::fixed(-2.0);
    // Without life there is only the place where they start: 5 / 2 + 0.5.
    assert_eq!(found(&emitter, 100.0), ([8.0, 19.0, 30.0], [14.0, 25.0, 36.0]));
}

//! Ribbons against answers computed by hand: where edges are left, how old they are, how they fall and vanish.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{Edge, Moment, Ribbons, Sampler};
use effigy_scene::{
    Animated, Extras, Id, Mesh, Node, NodeKind, Ribbon, RibbonGravity, Rotation, Scene, Sequence, Track,
    validate,
};

fn ribbon(rate: f32) -> Ribbon {
    Ribbon {
        name: "trail".into(),
        node: Id::new(0),
        position: [0.0, 0.0, 7.0],
        above: Animated::fixed(3.0),
        below: Animated::fixed(2.0),
        alpha: Animated::fixed(1.0),
        color: Animated::fixed([1.0; 3]),
        slot: Animated::fixed(0),
        visibility: Animated::fixed(1.0),
        lifespan: 100.0,
        rate,
        cells: [1, 1],
        material: None,
        gravity: 0.0,
        gravity_direction: RibbonGravity::Down,
        extras: Extras::default(),
    }
}

/// A node that moves along X by 8 units per second, with a ribbon.
fn scene(ribbon: Ribbon) -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(Sequence { end: 10_000, ..Sequence::default() });
    let mut node = Node::new("node", NodeKind::Ribbon, None, [0.0; 3]);
    node.translation.track = Some(Track::linear(vec![0, 10_000], vec![[0.0; 3], [80.0, 0.0, 0.0]], [0.0; 3]));
    scene.nodes.push(node);
    scene.ribbons.push(ribbon);
    scene
}

/// The edges after steps of these lengths, each at the moment at which it ends. The first begins at 0.
fn edges(scene: &Scene, cap: usize, steps: &[f32]) -> Vec<Edge> {
    let scene = validate(scene.clone()).unwrap();
    let sampler = Sampler::new(&scene);
    let (mut pose, mut ribbons) = (sampler.pose(), Ribbons::new(&sampler, cap));
    let mut time = 0.0;
    for seconds in std::iter::once(&0.0).chain(steps) {
        time += f64::from(*seconds) * 1000.0;
        sampler.sample(&Moment::new(Id::new(0), time), None, &mut pose);
        ribbons.step(&sampler, &pose, *seconds);
    }
    ribbons.edges(Id::new(0)).copied().collect()
}

/// X and age of the edges.
fn places(edges: &[Edge]) -> Vec<[f32; 2]> {
    edges.iter().map(|edge| [edge.above[0], edge.age]).collect()
}

#[track_caller]
fn assert_places(edges: &[Edge], expected: &[[f32; 2]]) {
    let places = places(edges);
    let near = places.len() == expected.len()
        && places
            .iter()
            .zip(expected)
            .all(|([x, age], [ex, eage])| (x - ex).abs() < 1e-4 && (age - eage).abs() < 1e-5);
    assert!(near, "{places:?} are not {expected:?}");
}

#[test]
fn edges_are_left_at_even_distances_with_the_age_of_their_place() {
    // 6 per second in steps of 1/4 s, in which the node moves by 2: an edge every 1/6 s, every 4/3 units.
    // The head first. After 1/4 s: one edge at 4/3, left 1/12 s ago.
    assert_places(&edges(&scene(ribbon(6.0)), 100, &[0.25]), &[[2.0, 0.0], [4.0 / 3.0, 1.0 / 12.0]]);
    // After 1/2 s: edges at 4 (now), 8/3 (1/6 s ago) and 4/3 (1/3 s ago).
    assert_places(
        &edges(&scene(ribbon(6.0)), 100, &[0.25, 0.25]),
        &[[4.0, 0.0], [4.0, 0.0], [8.0 / 3.0, 1.0 / 6.0], [4.0 / 3.0, 1.0 / 3.0]],
    );
    // Less than one edge per second counts as one.
    assert_places(&edges(&scene(ribbon(0.1)), 100, &[0.5, 0.5]), &[[8.0, 0.0], [8.0, 0.0]]);
    // A step without time leaves nothing.
    assert_places(&edges(&scene(ribbon(6.0)), 100, &[0.0, 0.0, -1.0]), &[[0.0, 0.0]]);
}

#[test]
fn an_edge_spans_the_nodes_y_axis_above_and_below_its_position() {
    let still = |rotation: Rotation| {
        let mut scene = scene(ribbon(4.0));
        let node = &mut scene.nodes.as_mut_slice()[0];
        node.translation = Animated::fixed([1.0, 2.0, 3.0]);
        node.rotation = Animated::fixed(rotation);
        edges(&scene, 100, &[0.25])
    };
    for edge in still(Rotation::IDENTITY) {
        assert_eq!((edge.above, edge.below), ([1.0, 5.0, 10.0], [1.0, 0.0, 10.0]));
    }
    // A half turn about X: Y points to -Y, and the position (0, 0, 7) is at -7.
    for edge in still(Rotation([1.0, 0.0, 0.0, 0.0])) {
        assert_eq!((edge.above, edge.below), ([1.0, -1.0, -4.0], [1.0, 4.0, -4.0]));
    }
}

#[test]
fn edges_vanish_when_their_age_reaches_their_life() {
    let mut short = ribbon(4.0);
    short.lifespan = 0.5;
    // One edge per step of 1/4 s: those of age 0 and 1/4 remain.
    assert_places(&edges(&scene(short.clone()), 100, &[0.25; 4]), &[[8.0, 0.0], [8.0, 0.0], [6.0, 0.25]]);
    // A life below 1/4 s counts as 1/4 s.
    short.lifespan = 0.0;
    short.rate = 8.0;
    assert_places(&edges(&scene(short), 100, &[0.25; 4]), &[[8.0, 0.0], [8.0, 0.0], [7.0, 0.125]]);
}

#[test]
fn a_step_longer_than_the_life_begins_anew() {
    let mut short = ribbon(2.0);
    short.lifespan = 0.5;
    // As long as the life: the edge between old and new place is still left (2 per second: at the end of the step).
    short.rate = 4.0;
    assert_places(&edges(&scene(short.clone()), 100, &[0.25, 0.5]), &[[6.0, 0.0], [6.0, 0.0], [4.0, 0.25]]);
    // Longer: there is no old place, so that both edges of the 3/4 s are at the new one, at 2 + 6.
    let begun = edges(&scene(short), 100, &[0.25, 0.75]);
    assert_places(&begun, &[[8.0, 0.0], [8.0, 0.0], [8.0, 0.25], [8.0, 0.5]]);
}

#[test]
fn edges_fall_with_the_square_of_their_age() {
    for (direction, sign) in [(RibbonGravity::Down, -1.0), (RibbonGravity::Up, 1.0)] {
        let mut falling = ribbon(4.0);
        (falling.gravity, falling.gravity_direction) = (16.0, direction);
        // 16 age^2 at the ages 0 (head and newest), 1/4, 1/2, 3/4.
        let edges = edges(&scene(falling), 100, &[0.25; 4]);
        let expected = [0.0, 0.0, 1.0, 4.0, 9.0].map(|fall| 7.0 + sign * fall);
        assert_eq!(edges.iter().map(|edge| edge.above[2]).collect::<Vec<_>>(), expected);
        assert_eq!(edges.iter().map(|edge| edge.below[2]).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_hidden_ribbon_leaves_no_edges_and_keeps_the_old_ones() {
    // Visible at 0 and 250 ms, hidden at 500 and 750, visible at 1000. The end of each track is its value at those times.
    let blink = || Track {
        interpolation: effigy_scene::Interpolation::Step,
        ..Track::linear(vec![0, 500, 1000], vec![1.0, 0.0, 1.0], 0.0)
    };
    let mut hidden = ribbon(4.0);
    hidden.visibility.track = Some(blink());
    let mut clear = ribbon(4.0);
    clear.alpha.track = Some(blink());
    let mut gated = scene(ribbon(4.0));
    let mut mesh = Mesh::new("mesh");
    mesh.alpha.track = Some(blink());
    let mesh = gated.meshes.push(mesh);
    gated.nodes.as_mut_slice()[0].gate = Some(mesh);
    for scene in [scene(hidden), scene(clear), gated] {
        assert_places(&edges(&scene, 100, &[0.25]), &[[2.0, 0.0], [2.0, 0.0]]);
        assert_places(&edges(&scene, 100, &[0.25; 3]), &[[2.0, 0.5]]);
        // It begins anew where it shows again.
        assert_places(&edges(&scene, 100, &[0.25; 4]), &[[8.0, 0.0], [8.0, 0.0], [2.0, 0.75]]);
    }
    // What was saved up for the next edge is gone too: 1/2 before it hides, 1/2 after it shows.
    let mut slow = ribbon(2.0);
    slow.visibility.track = Some(blink());
    assert_places(&edges(&scene(slow), 100, &[0.25; 4]), &[[8.0, 0.0]]);
}

#[test]
fn there_are_never_more_edges_than_the_cap() {
    // 16 in a step; the three that are taken are the first of it: 1/16, 2/16, 3/16 of 2 units, newest first.
    let capped = edges(&scene(ribbon(64.0)), 3, &[0.25]);
    assert_places(&capped, &[[2.0, 0.0], [0.375, 0.203_125], [0.25, 0.218_75], [0.125, 0.234_375]]);
    assert_eq!(edges(&scene(ribbon(1e9)), 3, &[0.25; 4]).len(), 4);
    assert_eq!(edges(&scene(ribbon(64.0)), 0, &[0.25; 4]).len(), 1);
}

#[test]
fn the_texture_runs_along_the_life_of_an_edge() {
    let mut ribbon = ribbon(4.0);
    ribbon.lifespan = 2.0;
    assert_eq!([0.5, 2.0, 9.0, -1.0].map(|age| Ribbons::along(&ribbon, age)), [0.25, 1.0, 1.0, 0.0]);
    ribbon.lifespan = 0.1;
    assert_eq!(Ribbons::along(&ribbon, 0.125), 0.5);
}

//! In which order see-through meshes are drawn when their file leaves it to their distance.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_scene::{Animated, Blend, Mesh, Node, NodeKind, NodeRule, Scene, SortPoint};

/// A near square before a far one in the file, half see-through; each is sorted by its own place, shifted.
fn two(shifts: Option<[f32; 2]>, far_node: [f32; 3]) -> Scene {
    let mut scene = Scene { node_rule: NodeRule::World, ..Scene::default() };
    let still = scene.nodes.push(Node::new("still", NodeKind::Bone, None, [0.0; 3]));
    let mut moved = Node::new("moved", NodeKind::Bone, None, [0.0; 3]);
    moved.translation = Animated::fixed(far_node);
    let moved = scene.nodes.push(moved);
    for (at, (x, color, node)) in
        [(1.0, "10,20,30,128", still), (0.0, "200,100,50,128", moved)].iter().enumerate()
    {
        let layer = layer(&mut scene, color, Blend::Alpha);
        let sort = shifts.map(|shifts| SortPoint { node: *node, point: [*x, 0.0, 0.0], shift: shifts[at] });
        add(&mut scene, Mesh { sort, ..square(*x, 2.0) }, 0, vec![layer]);
    }
    scene
}

fn over(s: [f32; 3], d: [f32; 3]) -> [f32; 3] {
    let a = 128.0 / 255.0;
    [0, 1, 2].map(|at| s[at] * a + d[at] * (1.0 - a))
}

const NEAR: [f32; 3] = [10.0, 20.0, 30.0];
const FAR: [f32; 3] = [200.0, 100.0, 50.0];

#[test]
fn far_meshes_are_drawn_first_where_the_format_sorts() {
    let Some(renderer) = renderer() else { return };
    let back = BACKGROUND.map(f32::from);
    // By the file's order the near one writes depth first and hides the other.
    near(middle(renderer, &two(None, [0.0; 3])), over(NEAR, back));
    near(middle(renderer, &two(Some([0.0, 0.0]), [0.0; 3])), over(NEAR, over(FAR, back)));
}

#[test]
fn a_shift_and_the_node_change_the_distance_that_counts() {
    let Some(renderer) = renderer() else { return };
    let back = BACKGROUND.map(f32::from);
    // The eye is at 10: the near square counts as 9 + 2, the far one as 10.
    near(middle(renderer, &two(Some([2.0, 0.0]), [0.0; 3])), over(NEAR, back));
    near(middle(renderer, &two(Some([2.0, 2.0]), [0.0; 3])), over(NEAR, over(FAR, back)));
    // The far one's node carries its point to 8.
    near(middle(renderer, &two(Some([0.0, 0.0]), [2.0, 0.0, 0.0])), over(NEAR, back));
}

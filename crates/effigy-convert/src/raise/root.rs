//! What concerns the whole skeleton: a node above all others, and flags that mean something else in Warcraft III.

use super::timeline::{Change, Clip};
use effigy_scene::{Billboard, Id, Node, NodeKind, NodeRule, Scene, Track};
use effigy_wire::Report;

/// Adds a node above all others for sequences in which the whole model sinks or is not visible.
pub(super) fn add_root(scene: &mut Scene, clips: &[Clip], depth: f32) {
    if clips.iter().all(|clip| clip.change == Change::Nothing) {
        return;
    }
    let mut root = Node::new("Root", NodeKind::Helper, None, [0.0; 3]);
    let times: Vec<i32> = clips.iter().flat_map(|clip| [clip.start, clip.end]).collect();
    if clips.iter().any(|clip| clip.change == Change::Sink) {
        let ends =
            |clip: &Clip| [[0.0; 3], if clip.change == Change::Sink { [0.0, 0.0, -depth] } else { [0.0; 3] }];
        let values = clips.iter().flat_map(ends).collect();
        root.translation.track = Some(Track::linear(times.clone(), values, [0.0; 3]));
    }
    if clips.iter().any(|clip| clip.change == Change::Vanish) {
        let size = |clip: &Clip| [[if clip.change == Change::Vanish { 0.0 } else { 1.0 }; 3]; 2];
        let values = clips.iter().flat_map(size).collect();
        root.scale.track = Some(Track::linear(times, values, [1.0; 3]));
    }
    let id: Id<Node> = scene.nodes.push(root);
    for (index, node) in scene.nodes.as_mut_slice().iter_mut().enumerate() {
        if node.parent.is_none() && index != id.index() {
            node.parent = Some(id);
        }
    }
}

/// Reports nodes whose flags mean something else in Warcraft III.
pub(super) fn node_rules(scene: &mut Scene, report: &mut Report) {
    if scene.node_rule == NodeRule::Warcraft {
        return;
    }
    let mut odd = 0_usize;
    let mut turned = 0_usize;
    for node in scene.nodes.as_slice() {
        let ignore = node.ignore;
        odd += usize::from(
            (ignore.rotation || ignore.scale)
                && !ignore.translation
                && (node.translation.is_animated()
                    || (ignore.rotation && ignore.scale && node.rotation.is_animated())),
        );
        turned += usize::from(node.billboard != Billboard::None);
    }
    if odd > 0 {
        let text = format!(
            "{odd} nodes ignore rotation or scale of their parents, which Warcraft III does in another order"
        );
        report.approximated("nodes", text);
    }
    if turned > 0 {
        let text = format!(
            "{turned} billboards: World of Warcraft turns them to the screen, Warcraft III to the eye"
        );
        report.approximated("nodes", text);
    }
    scene.node_rule = NodeRule::Warcraft;
}

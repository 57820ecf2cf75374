//! Names that the model's file has in another encoding.

use effigy_scene::{Id, Node, Scene};
use effigy_wire::Report;

/// What stands for bytes that are not UTF-8.
const UNREADABLE: char = char::REPLACEMENT_CHARACTER;

/// How many names and paths of a model have bytes that could not be read. What has the name of its node does not count again.
fn unreadable(scene: &Scene) -> usize {
    let count = |names: &mut dyn Iterator<Item = &str>| names.filter(|it| it.contains(UNREADABLE)).count();
    let of_node = |node: Id<Node>, name: &str| scene.nodes.get(node).is_some_and(|it| it.name == name);
    let own = |list: &mut dyn Iterator<Item = (Id<Node>, &str)>| {
        list.filter(|(node, name)| name.contains(UNREADABLE) && !of_node(*node, name)).count()
    };
    [
        count(&mut std::iter::once(scene.name.as_str())),
        count(&mut scene.nodes.as_slice().iter().map(|it| it.name.as_str())),
        count(&mut scene.meshes.as_slice().iter().map(|it| it.name.as_str())),
        count(&mut scene.materials.as_slice().iter().map(|it| it.name.as_str())),
        count(&mut scene.textures.as_slice().iter().map(|it| it.path.as_str())),
        count(&mut scene.sequences.as_slice().iter().map(|it| it.name.as_str())),
        count(&mut scene.cameras.as_slice().iter().map(|it| it.name.as_str())),
        count(&mut scene.attachments.as_slice().iter().map(|it| it.path.as_str())),
        count(&mut scene.effects.as_slice().iter().map(|it| it.path.as_str())),
        own(&mut scene.attachments.as_slice().iter().map(|it| (it.node, it.name.as_str()))),
        own(&mut scene.events.as_slice().iter().map(|it| (it.node, it.name.as_str()))),
        own(&mut scene.lights.as_slice().iter().map(|it| (it.node, it.name.as_str()))),
        own(&mut scene.emitters.as_slice().iter().map(|it| (it.node, it.name.as_str()))),
        own(&mut scene.ribbons.as_slice().iter().map(|it| (it.node, it.name.as_str()))),
        own(&mut scene.effects.as_slice().iter().map(|it| (it.node, it.name.as_str()))),
    ]
    .iter()
    .sum()
}

/// Reports names that the file cannot have as they are: JSON is UTF-8, and older models have the encoding of their author.
pub(super) fn note_unreadable(scene: &Scene, report: &mut Report) {
    let count = unreadable(scene);
    if count > 0 {
        let text = format!("{count} are not UTF-8; {UNREADABLE} (U+FFFD) stands for what could not be read");
        report.approximated("names", text);
    }
}

//! Places to attach models to, by name in any spelling.

use crate::{Id, Node, NodeKind, Scene};

/// A place to attach a model to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The node that carries it.
    pub node: Id<Node>,
    /// Where it is in the bind pose, in model space.
    pub position: [f32; 3],
}

/// Words that say nothing about the place.
const EMPTY_WORDS: [&str; 6] = ["ref", "tag", "attachment", "attach", "point", "md3"];

/// The words of a name in lower case, sorted: `hand-right`, `Hand Right Ref` and `RightHand` have the same ones.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let camel = letter.is_uppercase() && before.is_lowercase();
        let digit = letter.is_ascii_digit() != before.is_ascii_digit() && before.is_alphanumeric();
        if camel || digit || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty() && !EMPTY_WORDS.contains(&word.as_str()));
    words.sort();
    words
}

/// Whether two names mean the same place: they have the same words, in any order, case and punctuation.
#[must_use]
pub fn same_place(a: &str, b: &str) -> bool {
    a == b || words(a) == words(b)
}

/// The place of this name: an attachment by its name or number, else a tag, else any other node. The exact spelling wins.
#[must_use]
pub fn find_place(scene: &Scene, name: &str) -> Option<Place> {
    let attachments = || {
        scene
            .attachments
            .iter()
            .map(|(_, it)| (it.name.as_str(), it.number, Place { node: it.node, position: it.position }))
    };
    let nodes = |points: bool| {
        let is_point = |node: &Node| matches!(node.kind, NodeKind::Tag | NodeKind::Attachment);
        let chosen = scene.nodes.iter().filter(move |(_, node)| is_point(node) == points);
        chosen.map(|(id, node)| (node.name.as_str(), Place { node: id, position: node.pivot }))
    };
    let exact = attachments().find(|(own, ..)| *own == name).map(|(.., place)| place);
    let exact =
        exact.or_else(|| nodes(true).chain(nodes(false)).find(|(own, _)| *own == name).map(|it| it.1));
    let number = || {
        let number: u32 = name.parse().ok()?;
        attachments().find(|(_, own, _)| *own == number).map(|(.., place)| place)
    };
    if words(name).is_empty() {
        return exact;
    }
    exact
        .or_else(number)
        .or_else(|| attachments().find(|(own, ..)| same_place(own, name)).map(|(.., place)| place))
        .or_else(|| nodes(true).chain(nodes(false)).find(|(own, _)| same_place(own, name)).map(|it| it.1))
}

/// The names of all attachments and tags, for error messages.
#[must_use]
pub fn places(scene: &Scene) -> Vec<&str> {
    let tags =
        scene.nodes.iter().filter(|(_, node)| node.kind == NodeKind::Tag).map(|(_, node)| node.name.as_str());
    let mut names: Vec<&str> = scene.attachments.iter().map(|(_, it)| it.name.as_str()).chain(tags).collect();
    names.sort_unstable();
    names.dedup();
    names
}

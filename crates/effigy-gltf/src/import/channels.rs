//! What animations move: properties of nodes, and what pointers lead to.

use super::document::{AnimationSamplerJson, Document};
use effigy_wire::Report;
use std::collections::HashMap;

/// A channel of an animation; `clip` is the sequence that the animation plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channel<'a> {
    pub clip: usize,
    pub sampler: &'a AnimationSamplerJson,
}

/// A property of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Path {
    fn of(name: &str) -> Option<Self> {
        match name {
            "translation" => Some(Self::Translation),
            "rotation" => Some(Self::Rotation),
            "scale" => Some(Self::Scale),
            "weights" => Some(Self::Weights),
            _ => None,
        }
    }
}

/// All channels by what they move, in the order of the animations.
#[derive(Debug, Default)]
pub(crate) struct Channels<'a> {
    nodes: HashMap<(usize, Path), Vec<Channel<'a>>>,
    /// By the text of the pointer, in the order of the file.
    pub pointers: Vec<(&'a str, Vec<Channel<'a>>)>,
}

/// The node and the property of a pointer such as `/nodes/3/rotation`.
fn node_of(pointer: &str) -> Option<(usize, Path)> {
    let (index, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    Some((index.parse().ok()?, Path::of(property)?))
}

impl<'a> Channels<'a> {
    /// All channels; `sequences` holds the sequence that each animation plays.
    pub(crate) fn collect(document: &'a Document, sequences: &[usize], report: &mut Report) -> Self {
        let mut channels = Self::default();
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = sequences.iter().copied().zip(0..).collect();
        order.sort_unstable();
        for (clip, number) in order {
            let Some(animation) = document.animations.get(number) else { continue };
            for (index, channel) in animation.channels.iter().enumerate() {
                let lost = || format!("animations[{number}].channels[{index}]");
                let Some(sampler) = animation.samplers.get(channel.sampler) else {
                    report.dropped(lost(), "its sampler does not exist");
                    continue;
                };
                let entry = Channel { clip, sampler };
                let pointer = channel.target.extensions.pointer.as_ref().map(|it| it.pointer.as_str());
                let node = channel.target.node.zip(Path::of(&channel.target.path));
                if let Some(key) = pointer.map_or(node, node_of) {
                    let list = channels.nodes.entry(key).or_default();
                    if list.last().is_some_and(|last| last.clip == clip) {
                        report.dropped(lost(), "another channel of the animation moves the same thing");
                    } else {
                        list.push(entry);
                    }
                } else if let Some(pointer) = pointer {
                    let place = *known.entry(pointer).or_insert_with(|| {
                        channels.pointers.push((pointer, Vec::new()));
                        channels.pointers.len() - 1
                    });
                    if let Some((_, list)) = channels.pointers.get_mut(place) {
                        list.push(entry);
                    }
                }
            }
        }
        channels
    }

    /// The channels of a property of a node.
    pub(crate) fn of(&self, node: usize, path: Path) -> &[Channel<'a>] {
        self.nodes.get(&(node, path)).map_or(&[], Vec::as_slice)
    }

    /// Whether a node's translation, rotation or scale has keys.
    pub(crate) fn moves(&self, node: usize) -> bool {
        [Path::Translation, Path::Rotation, Path::Scale].iter().any(|path| !self.of(node, *path).is_empty())
    }
}

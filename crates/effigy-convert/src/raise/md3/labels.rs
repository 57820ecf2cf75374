//! Names that fit into the fields of the format and stay different from each other.

use super::Run;
use crate::raise::RaiseOptions;
use crate::raise::objects::{ObjectNames, chosen};
use crate::raise::words::cut;
use effigy_scene::{Id, Node, NodeKind, Scene};
use effigy_wire::Report;
use std::collections::BTreeSet;

/// Bytes of the name of a frame, without the zero that ends it.
const FRAME: usize = 15;
/// Bytes of every other name, without the zero that ends it.
pub(super) const LONG: usize = 63;
/// Tags that every engine of the family can load.
const TAGS: usize = 16;

/// What makes the name of a sequence different from others: nothing, then `_b` to `_z`, then `_ba` and so on. It ends in a letter,
/// since the number of the frame follows.
fn ending(mut number: usize) -> String {
    if number == 0 {
        return String::new();
    }
    let mut letters = Vec::new();
    while number > 0 {
        letters.push(b'a' + u8::try_from(number % 26).unwrap_or(0));
        number /= 26;
    }
    letters.push(b'_');
    letters.iter().rev().copied().map(char::from).collect()
}

/// What the names of each sequence's frames start with; the number of the frame follows. Engines that know sequences by these names,
/// such as that of Sonic Robo Blast 2, need the number whole and the names different.
pub(super) fn frames(runs: &[Run], report: &mut Report) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut starts = Vec::with_capacity(runs.len());
    let mut changed: Vec<&str> = Vec::new();
    for run in runs {
        let digits = run.count.saturating_sub(1).to_string().len();
        let mut attempts = (0_usize..).map(|number| {
            let ending = ending(number);
            format!("{}{ending}", cut(&run.name, FRAME.saturating_sub(digits + ending.len())))
        });
        let start =
            attempts.find(|start| (0..run.count).all(|frame| !taken.contains(&format!("{start}{frame}"))));
        let start = start.unwrap_or_default();
        taken.extend((0..run.count).map(|frame| format!("{start}{frame}")));
        if start != run.name {
            changed.push(&run.name);
        }
        starts.push(start);
    }
    if let Some(first) = changed.first() {
        let text = format!(
            "{} have other names in the names of their frames, which hold {FRAME} bytes and have to differ, such as {first}",
            changed.len()
        );
        report.approximated("sequences", text);
    }
    starts
}

/// Lower case letters and digits, and `_` for everything else.
pub(super) fn lower(name: &str, usual: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = name.chars().map(safe).take(48).collect();
    if name.is_empty() { usual.to_owned() } else { name }
}

/// A name that engines keep: lower case, and no `_` before the last letter, where ioquake3 cuts.
pub(super) fn surface(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = lower(name, "surface");
    if name.len() >= 2 && name.get(name.len() - 2..name.len() - 1) == Some("_") {
        name.push('0');
        name.push('0');
    }
    let mut number = 1_u32;
    let mut unique = name.clone();
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{name}part{number:02}");
    }
    unique
}

/// A tag on its way into the model.
pub(super) struct NamedTag {
    pub name: String,
    pub node: Id<Node>,
    pub position: [f32; 3],
}

/// Old and new names; no new name: it was left out.
pub(super) type Renamed = Vec<(String, Option<String>)>;

/// Attachments and tags as tags, by the names that the user chose or that engines look for. The user knows an attachment by the name of
/// its node, if that is what made it one.
pub(super) fn tags(
    scene: &Scene,
    objects: &ObjectNames,
    options: &RaiseOptions,
    report: &mut Report,
) -> (Vec<NamedTag>, Renamed) {
    let olds = objects.attachments.iter().filter(|(_, new)| new.is_some()).map(|(old, _)| old);
    let attachments = scene.attachments.as_slice().iter().zip(olds);
    let attachments = attachments.map(|(it, old)| (old, usual_tag(&it.name), it.node, it.position));
    let nodes = scene.nodes.iter().filter(|(_, node)| node.kind == NodeKind::Tag);
    let nodes = nodes.map(|(id, node)| (&node.name, node.name.clone(), id, node.pivot));
    let (mut found, mut renamed) = (Vec::new(), Renamed::new());
    let mut taken = BTreeSet::new();
    let (mut beyond, mut shortened) = (0_usize, 0_usize);
    for (old, usual, node, position) in attachments.chain(nodes) {
        let wanted = chosen(&options.names.attachments, old).unwrap_or(&usual);
        if wanted.is_empty() || found.len() == TAGS {
            beyond += usize::from(!wanted.is_empty());
            renamed.push((old.clone(), None));
            continue;
        }
        let mut attempts = (1_u32..).map(|number| {
            let ending = if number == 1 { String::new() } else { number.to_string() };
            format!("{}{ending}", cut(wanted, LONG - ending.len()))
        });
        let name = attempts.find(|name| !taken.contains(name)).unwrap_or_default();
        taken.insert(name.clone());
        shortened += usize::from(wanted.len() > LONG);
        renamed.push((old.clone(), Some(name.clone())));
        found.push(NamedTag { name, node, position });
    }
    if beyond > 0 {
        report.dropped("attachments", format!("engines load {TAGS} tags; {beyond} are left out"));
    }
    if shortened > 0 {
        report.approximated("attachments", format!("{shortened} names are shortened to {LONG} bytes"));
    }
    (found, renamed)
}

/// What an attachment is called as a tag. Engines look for the first three.
fn usual_tag(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.strip_suffix(" ref").unwrap_or(&name) {
        "hand right" | "handright" => "tag_weapon".to_owned(),
        "head" => "tag_head".to_owned(),
        "chest" => "tag_torso".to_owned(),
        other => format!("tag_{}", lower(other.trim(), "point")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, count: usize) -> Run {
        Run { name: name.to_owned(), sequence: None, first: 0, count, looping: false }
    }

    #[test]
    fn frames_keep_their_number_and_have_names_of_their_own() {
        let mut report = Report::default();
        // 15 bytes: with numbers of two digits 13 are left for the sequence, of which two may be needed to tell them apart.
        let runs = [
            run("Long_Melee_Attack_Chop", 11),
            run("Long_Melee_Attack_Slice", 10),
            run("Long_Melee_Attack_Stab", 1),
            run("Walk", 11),
            // `Walk` and 10, or `Walk1` and 0?
            run("Walk1", 1),
            run("Walk", 2),
            run("Stand", 3),
        ];
        let starts = frames(&runs, &mut report);
        let wanted =
            ["Long_Melee_At", "Long_Melee_Att", "Long_Melee_A_b", "Walk", "Walk1_b", "Walk_b", "Stand"];
        assert_eq!(starts, wanted);
        assert_eq!(report.notes().len(), 1);
        assert!(report.notes()[0].message.starts_with("5 have other names"), "{report}");
        let mut report = Report::default();
        frames(&runs[6..], &mut report);
        assert!(report.is_empty());
    }

    #[test]
    fn endings_are_letters() {
        let endings: Vec<String> = [0, 1, 25, 26, 27].into_iter().map(ending).collect();
        assert_eq!(endings, ["", "_b", "_z", "_ba", "_bb"]);
    }
}

//! What the name of a node means, without what the user says.

use super::Game;
use crate::raise::words::{without_copy_number, without_ending};

/// First letters of events of Warcraft III: sounds, splats, splats on the ground, spawned models, footprints.
const EVENTS: [&str; 5] = ["SND", "SPL", "UBR", "SPN", "FPT"];
/// Tags of Quake's engines, and the same places in Warcraft III.
const TAGS: [(&str, &str); 3] =
    [("tag_weapon", "Hand Right Ref"), ("tag_head", "Head Ref"), ("tag_torso", "Chest Ref")];
/// What a node is taken for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    Attachment(String),
    Tag(String),
    Event(String),
    Shape(String, Form),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Box,
    Sphere,
}

/// The attachment that a name means: `Hand Right Ref`, `hand_right_ref`, `HandRef`.
fn attachment(name: &str) -> Option<String> {
    let start = name.strip_suffix("Ref").or_else(|| without_ending(name, "ref"))?;
    let joined = start.ends_with(|c: char| c.is_lowercase()) && name.ends_with("Ref");
    let place = start.trim_end_matches(|c: char| !c.is_alphanumeric());
    if place.is_empty() || (place.len() == start.len() && !joined) {
        return None;
    }
    // Spaces do not survive every program.
    let place = if place.contains(' ') { place.to_owned() } else { place.replace('_', " ") };
    Some(format!("{place} Ref"))
}

/// The event that a name means: three letters, a letter that tells equal ones apart, and four that are the game's own name.
fn event(name: &str) -> Option<&str> {
    let (event, rest) = name.split_at_checked(8)?;
    let (kind, own) = event.split_at_checked(4)?;
    let (kind, apart) = kind.split_at_checked(3)?;
    // Words such as SPLATTER are not events.
    let apart = apart.contains(['x', 'X', 'y', 'Y']) || apart.contains(|c: char| c.is_ascii_digit());
    let own = own.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit());
    let ends = !rest.starts_with(char::is_alphanumeric);
    (EVENTS.contains(&kind) && apart && own && ends).then_some(event)
}

/// The collision shape that a name means.
fn form(name: &str) -> Option<Form> {
    let name = name.to_ascii_lowercase();
    if !name.starts_with("collision") {
        return None;
    }
    if name.contains("sphere") {
        return Some(Form::Sphere);
    }
    name.contains("box").then_some(Form::Box)
}

fn is_tag(name: &str) -> bool {
    name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("tag_")) && name.len() > 4
}

/// The attachment of Warcraft III at the place of a tag.
fn place_of_tag(name: &str) -> String {
    if let Some((_, place)) = TAGS.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
        return (*place).to_owned();
    }
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        format!("{first}{}", letters.as_str())
    };
    let parts = name.get(4..).unwrap_or_default().split('_').filter(|part| !part.is_empty()).map(capital);
    format!("{} Ref", parts.collect::<Vec<_>>().join(" "))
}

/// What a node of this name is taken for.
pub(super) fn guess(name: &str, game: Game) -> Option<Role> {
    let name = without_copy_number(name).trim();
    if is_tag(name) {
        return Some(match game {
            Game::Quake => Role::Tag(name.to_owned()),
            _ => Role::Attachment(place_of_tag(name)),
        });
    }
    if let Some(event) = event(name) {
        return Some(Role::Event(event.to_owned()));
    }
    if let Some(form) = form(name) {
        return Some(Role::Shape(name.to_owned(), form));
    }
    attachment(name).map(Role::Attachment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_objects() {
        let point = |name: &str| Some(Role::Attachment(name.to_owned()));
        let happens = |name: &str| Some(Role::Event(name.to_owned()));
        for (name, expected) in [
            ("Hand Right Ref", point("Hand Right Ref")),
            ("Hand Right Ref.001", point("Hand Right Ref")),
            ("hand_right_ref", point("hand right Ref")),
            ("HandRef", point("Hand Ref")),
            ("Xref", None),
            ("Ref", None),
            (" Ref", None),
            ("Reference", None),
            ("SNDxAHFS", happens("SNDxAHFS")),
            ("SNDXAHFS.002", happens("SNDXAHFS")),
            ("FPTyFBL1 left foot", happens("FPTyFBL1")),
            ("UBR0DHLB", happens("UBR0DHLB")),
            ("FTPxFBL1", None),
            ("SPLATTER", None),
            ("SPLxOBL", None),
            ("SNDxAHFSA", None),
            ("sndxahfs", None),
            ("Collision Box", Some(Role::Shape("Collision Box".to_owned(), Form::Box))),
            ("CollisionSphere01.003", Some(Role::Shape("CollisionSphere01".to_owned(), Form::Sphere))),
            ("Collision", None),
            ("Box Collision", None),
            ("tag_weapon", point("Hand Right Ref")),
            ("Tag_Torso.001", point("Chest Ref")),
            ("tag_left_foot", point("Left Foot Ref")),
            ("tag_", None),
            ("Cube", None),
        ] {
            assert_eq!(guess(name, Game::Warcraft), expected, "{name}");
        }
        assert_eq!(guess("tag_flag.001", Game::Quake), Some(Role::Tag("tag_flag".to_owned())));
    }
}

//! The words of tracks: which track a word means in a block, and which word a track has there.

use crate::records::{Layer, Node, TextureAnimation};
use crate::track::{ANY, Animated, TRACKS, TrackInfo};
use crate::version::Caps;
use effigy_wire::Tag;

/// Capabilities that move a track elsewhere in the text. Other tracks keep their word in versions that do not play them;
/// visibility is `KVIS` in WoW alpha, and textures in slots have words of their own.
const MOVED: Caps = Caps::WC3.union(Caps::LAYER_TEXTURE_TRACK);

/// Records that `KVIS` does not show or hide.
const ALWAYS_SHOWN: [&str; 3] = [Node::TRACK_OWNER, Layer::TRACK_OWNER, TextureAnimation::TRACK_OWNER];

/// Whether a block of this owner has a word for the track.
fn fits(info: &TrackInfo, owner: &str, caps: Caps) -> bool {
    if info.owner == ANY {
        return caps.contains(info.needs) && !ALWAYS_SHOWN.contains(&owner);
    }
    (info.owner == owner || info.also == owner) && caps.contains(info.needs.intersection(MOVED))
}

/// The word and the inner block of a track, when it is one that the owner is known to have.
pub(super) fn track_word(owner: &str, tag: Tag, caps: Caps) -> Option<(&'static str, &'static str)> {
    let info = TrackInfo::of(tag).filter(|info| fits(info, owner, caps))?;
    Some((info.word, info.section))
}

/// The track that a word means in a block: one of the inner block that is open, else one of the block itself, else one
/// of any inner block, because tools differ in what they put inside.
pub(super) fn track_tag(owner: &str, word: &[u8], section: &str, caps: Caps) -> Option<Tag> {
    let mut best: Option<(u8, Tag)> = None;
    for info in TRACKS {
        if info.word.as_bytes().eq_ignore_ascii_case(word) && fits(info, owner, caps) {
            let rank = match info.section {
                inner if inner == section => return Some(info.tag),
                "" => 0,
                _ if section.is_empty() => 1,
                _ => continue,
            };
            if best.is_none_or(|(other, _)| rank < other) {
                best = Some((rank, info.tag));
            }
        }
    }
    best.map(|(_, tag)| tag)
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Attachment, Camera, Light, ParticleEmitter, ParticleEmitter2};
    use crate::track::tags::{KCRL, KCTR, KFC3, KGTR, KLAV, KMTF, KPEL, KPLN, KTAT, KTTR, KVIS};
    use crate::version::Dialect;

    const NODE: &str = Node::TRACK_OWNER;
    const LAYER: &str = Layer::TRACK_OWNER;
    const CAMERA: &str = Camera::TRACK_OWNER;
    const LIGHT: &str = Light::TRACK_OWNER;
    const EMITTER: &str = ParticleEmitter::TRACK_OWNER;

    #[test]
    fn a_word_means_a_track_of_its_block_inner_block_and_version() {
        let (old, slots) = (Dialect::Warcraft3.caps(800), Dialect::Warcraft3.caps(1100));
        let wow = Dialect::WowAlpha.caps(1300);
        for (owner, word, section, caps, tag) in [
            (NODE, "Translation", "", old, Some(KGTR)),
            (TextureAnimation::TRACK_OWNER, "translation", "", old, Some(KTAT)),
            (CAMERA, "Translation", "", old, Some(KCTR)),
            (CAMERA, "Translation", "Target", old, Some(KTTR)),
            // A word of the block in an inner block, and the other way round.
            (CAMERA, "Rotation", "Target", old, Some(KCRL)),
            (EMITTER, "LifeSpan", "", old, Some(KPEL)),
            (EMITTER, "LifeSpan", "Particle", old, Some(KPEL)),
            (EMITTER, "LifeSpan", "Target", old, None),
            // Two kinds of emitters share a track.
            (EMITTER, "Longitude", "", old, Some(KPLN)),
            (ParticleEmitter2::TRACK_OWNER, "Longitude", "", old, Some(KPLN)),
            (LIGHT, "Longitude", "", old, None),
            (LIGHT, "Visibility", "", old, Some(KLAV)),
            (LIGHT, "Visibility", "", wow, Some(KVIS)),
            (Attachment::TRACK_OWNER, "Visibility", "", wow, Some(KVIS)),
            (LAYER, "Visibility", "", wow, None),
            (NODE, "Visibility", "", wow, None),
            (LAYER, "TextureID", "", old, Some(KMTF)),
            (LAYER, "TextureID", "", slots, None),
            // Tracks keep their word in versions that do not play them.
            (LAYER, "FresnelColor", "", old, Some(KFC3)),
            (LIGHT, "Sparkle", "", old, None),
        ] {
            assert_eq!(track_tag(owner, word.as_bytes(), section, caps), tag, "{owner} {word} {section}");
        }
        for (owner, tag, caps, word) in [
            (NODE, KGTR, old, Some(("Translation", ""))),
            (CAMERA, KGTR, old, None),
            (CAMERA, KTTR, old, Some(("Translation", "Target"))),
            (LIGHT, KVIS, old, None),
            (LIGHT, KVIS, wow, Some(("Visibility", ""))),
            (LIGHT, Tag(*b"ABCD"), wow, None),
        ] {
            assert_eq!(track_word(owner, tag, caps), word, "{owner} {tag}");
        }
    }
}

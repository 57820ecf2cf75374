//! The tables in `docs/formats/mdx.md`, generated from the declarations that also read and write the format.

use crate::chunks::ChunkKind;
use crate::records::{
    Attachment, Bone, Camera, CollisionMesh, CollisionShape, EventObject, Extent, FaceFx, Geoset,
    GeosetAnimation, GeosetBatch, GeosetHeader, Helper, HitTestShape, Layer, Light, Material, ModelInfo,
    Node, ParticleEmitter, ParticleEmitter2, PopcornEmitter, RibbonEmitter, Sequence, Sound, Texture,
    TextureAnimation, TextureSlot,
};
use crate::track::{TRACKS, TrackInfo, ValueKind};
use crate::version::{Caps, Dialect};
use effigy_wire::{RecordTable, record_table};
use std::fmt::Write;

/// The records, in the order of the page.
const RECORDS: &[RecordTable<Caps>] = &[
    record_table::<Caps, Extent>,
    record_table::<Caps, ModelInfo>,
    record_table::<Caps, Sequence>,
    record_table::<Caps, Texture>,
    record_table::<Caps, TextureAnimation>,
    record_table::<Caps, Material>,
    record_table::<Caps, Layer>,
    record_table::<Caps, TextureSlot>,
    record_table::<Caps, Geoset>,
    record_table::<Caps, GeosetHeader>,
    record_table::<Caps, GeosetBatch>,
    record_table::<Caps, GeosetAnimation>,
    record_table::<Caps, Node>,
    record_table::<Caps, Bone>,
    record_table::<Caps, Helper>,
    record_table::<Caps, Light>,
    record_table::<Caps, Attachment>,
    record_table::<Caps, ParticleEmitter>,
    record_table::<Caps, ParticleEmitter2>,
    record_table::<Caps, PopcornEmitter>,
    record_table::<Caps, RibbonEmitter>,
    record_table::<Caps, Camera>,
    record_table::<Caps, EventObject>,
    record_table::<Caps, CollisionShape>,
    record_table::<Caps, HitTestShape>,
    record_table::<Caps, CollisionMesh>,
    record_table::<Caps, FaceFx>,
    record_table::<Caps, Sound>,
];

/// All tables as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(&mut out);
    out
}

fn write_all(out: &mut String) -> std::fmt::Result {
    writeln!(out, "### Chunks\n\n| tag | in | holds |\n|---|---|---|")?;
    for kind in ChunkKind::ALL {
        writeln!(out, "| `{}` | {} | {} |", kind.tag(), versions(kind.needs()), kind.doc().trim())?;
    }
    writeln!(out, "\n### Tracks\n\n| tag | of | in | MDL word | value | what |\n|---|---|---|---|---|---|")?;
    for track in TRACKS {
        let value = match track.kind {
            ValueKind::Float => "f32",
            ValueKind::Vector => "f32 x 3",
            ValueKind::Color => "f32 x 3, colour",
            ValueKind::Rotation => "f32 x 4; 64 bits in WoW alpha",
            ValueKind::Index => "u32",
        };
        let TrackInfo { tag, owner, also, word, section, doc, .. } = track;
        let also = if also.is_empty() { String::new() } else { format!(", {also}") };
        let section = if section.is_empty() { String::new() } else { format!(" in {section}") };
        let needs = versions(track.needs);
        writeln!(out, "| `{tag}` | {owner}{also} | {needs} | {word}{section} | {value} | {doc} |")?;
    }
    writeln!(out, "\n### Records")?;
    RECORDS.iter().try_for_each(|table| table(out, versions))
}

/// The versions that have a capability, in words.
fn versions(caps: Caps) -> String {
    let mut words = Vec::new();
    for dialect in [Dialect::Warcraft3, Dialect::WowAlpha] {
        let all = dialect.versions();
        let with: Vec<u32> =
            all.iter().copied().filter(|version| dialect.caps(*version).contains(caps)).collect();
        let list = |versions: &[u32]| versions.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        if with.len() == all.len() {
            words.push(dialect.to_string());
        } else if let (Some(first), true) = (with.first(), all.ends_with(&with)) {
            words.push(format!("{dialect} {first}+"));
        } else if !with.is_empty() {
            words.push(format!("{dialect} {}", list(&with)));
        }
    }
    if words.len() == 2 && caps.is_empty() { "all".to_owned() } else { words.join("; ") }
}

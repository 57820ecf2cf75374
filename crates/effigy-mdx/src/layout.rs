//! The format's tables, made from the declarations that read and write it: what `docs/formats/mdx.md` shows.

use crate::chunks::ChunkKind;
use crate::records::{
    Attachment, Bone, Camera, CollisionMesh, CollisionShape, EventObject, Extent, FaceFx, Geoset,
    GeosetAnimation, GeosetBatch, GeosetHeader, Helper, HitTestShape, Layer, Light, Material, ModelInfo,
    Node, ParticleEmitter, ParticleEmitter2, PopcornEmitter, RibbonEmitter, Sequence, Sound, Texture,
    TextureAnimation, TextureSlot,
};
use crate::track::{TRACKS, ValueKind};
use crate::version::{Caps, Dialect};
use effigy_wire::{Frame, Record};
use std::fmt::Write;

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
    writeln!(out, "\n### Tracks\n\n| tag | of | MDL word | value | what |\n|---|---|---|---|---|")?;
    for track in TRACKS {
        let value = match track.kind {
            ValueKind::Float => "f32",
            ValueKind::Vector => "f32 x 3",
            ValueKind::Color => "f32 x 3, colour",
            ValueKind::Rotation => "f32 x 4; 64 bits in WoW alpha",
            ValueKind::Index => "u32",
        };
        writeln!(out, "| `{}` | {} | {} | {value} | {} |", track.tag, track.owner, track.word, track.doc)?;
    }
    writeln!(out, "\n### Records")?;
    record::<Extent>(out)?;
    record::<ModelInfo>(out)?;
    record::<Sequence>(out)?;
    record::<Texture>(out)?;
    record::<TextureAnimation>(out)?;
    record::<Material>(out)?;
    record::<Layer>(out)?;
    record::<TextureSlot>(out)?;
    record::<Geoset>(out)?;
    record::<GeosetHeader>(out)?;
    record::<GeosetBatch>(out)?;
    record::<GeosetAnimation>(out)?;
    record::<Node>(out)?;
    record::<Bone>(out)?;
    record::<Helper>(out)?;
    record::<Light>(out)?;
    record::<Attachment>(out)?;
    record::<ParticleEmitter>(out)?;
    record::<ParticleEmitter2>(out)?;
    record::<PopcornEmitter>(out)?;
    record::<RibbonEmitter>(out)?;
    record::<Camera>(out)?;
    record::<EventObject>(out)?;
    record::<CollisionShape>(out)?;
    record::<HitTestShape>(out)?;
    record::<CollisionMesh>(out)?;
    record::<FaceFx>(out)?;
    record::<Sound>(out)
}

fn record<R: Record<Caps>>(out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n#### {}\n\n{}", R::NAME, R::DOC.trim())?;
    match R::SIZED {
        Frame::None => {}
        Frame::Sized => writeln!(out, "Begins with its size in bytes, that word included.")?,
        Frame::SizedIf(caps) => writeln!(out, "Begins with its size in bytes in {}.", versions(caps))?,
        Frame::SizedWith(field) => {
            writeln!(
                out,
                "Begins with its size in bytes (24 bits) and, in the top byte of that word, `{field}`."
            )?;
        }
    }
    writeln!(out, "\n| field | type | in | what |\n|---|---|---|---|")?;
    for field in R::FIELDS {
        let within = field.caps.map_or_else(|| "all".to_owned(), versions);
        let doc = field.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(out, "| {} | {} | {within} | {} |", field.name, field.ty, doc.replace('|', "\\|"))?;
    }
    Ok(())
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

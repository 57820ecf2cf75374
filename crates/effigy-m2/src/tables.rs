//! The tables of `docs/formats/m2.md`, generated from the declarations that read and write the format.

use crate::block::{Element, record_size};
use crate::contents::Contents;
use crate::records::{
    Attachment, Batch, Bone, Camera, Cells, Color, Event, Flipbook, Light, Material, Particle, Playable,
    Ribbon, ScalarKey, Sequence, Submesh, Texture, TextureTransform, TextureWeight, VectorKey, Vertex, View,
};
use crate::skin::ShadowBatch;
use crate::track::{LifeTrack, Moments, Track};
use crate::version::{Caps, Version};
use effigy_wire::{RecordTable, Wire, record_table};
use std::fmt::Write;

/// The versions that get a column each.
const VERSIONS: [u32; 5] = [256, 260, 262, 264, 272];

/// The records, in the order of the page.
const RECORDS: &[RecordTable<Caps>] = &[
    record_table::<Caps, Contents>,
    record_table::<Caps, Sequence>,
    record_table::<Caps, Playable>,
    record_table::<Caps, Bone>,
    record_table::<Caps, Vertex>,
    record_table::<Caps, View>,
    record_table::<Caps, Submesh>,
    record_table::<Caps, Batch>,
    record_table::<Caps, ShadowBatch>,
    record_table::<Caps, Color>,
    record_table::<Caps, Texture>,
    record_table::<Caps, TextureWeight>,
    record_table::<Caps, TextureTransform>,
    record_table::<Caps, Flipbook>,
    record_table::<Caps, Material>,
    record_table::<Caps, Attachment>,
    record_table::<Caps, Event>,
    record_table::<Caps, Moments>,
    record_table::<Caps, Light>,
    record_table::<Caps, Camera>,
    record_table::<Caps, VectorKey>,
    record_table::<Caps, ScalarKey>,
    record_table::<Caps, Ribbon>,
    record_table::<Caps, Particle>,
    record_table::<Caps, Cells>,
];

/// All tables as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_all(&mut out);
    out
}

fn write_all(out: &mut String) -> std::fmt::Result {
    sizes(out)?;
    writeln!(out, "\n### Records")?;
    RECORDS.iter().try_for_each(|table| table(out, versions))
}

/// Size in bytes of each record in each version.
fn sizes(out: &mut String) -> std::fmt::Result {
    let caps: Vec<Caps> =
        VERSIONS.iter().filter_map(|&number| Version::new(number).ok()).map(Version::caps).collect();
    writeln!(
        out,
        "### Sizes in bytes\n\n| record | 256 | 260 | 262 | 264 | 272 |\n|---|---|---|---|---|---|"
    )?;
    let mut row = |name: &str, size: &dyn Fn(Caps) -> usize| {
        write!(out, "| {name} |")?;
        for &caps in &caps {
            write!(out, " {:#x} |", size(caps))?;
        }
        writeln!(out)
    };
    row("header, with magic and version", &|caps| record_size::<Contents>(caps).saturating_add(8))?;
    row("track", &track_size::<Track<f32>>)?;
    row("moments", &track_size::<Moments>)?;
    row("track over a life", &track_size::<LifeTrack<f32>>)?;
    row("sequence", &Sequence::size)?;
    row("bone", &Bone::size)?;
    row("vertex", &Vertex::size)?;
    row("view", &View::size)?;
    row("submesh", &Submesh::size)?;
    row("batch", &Batch::size)?;
    row("color", &Color::size)?;
    row("texture", &Texture::size)?;
    row("texture weight", &TextureWeight::size)?;
    row("texture transform", &TextureTransform::size)?;
    row("material", &Material::size)?;
    row("attachment", &Attachment::size)?;
    row("event", &Event::size)?;
    row("light", &Light::size)?;
    row("camera", &Camera::size)?;
    row("ribbon", &Ribbon::size)?;
    row("particle", &Particle::size)
}

fn track_size<T: Wire<Caps> + Default>(caps: Caps) -> usize {
    record_size::<T>(caps)
}

/// The versions that have a capability, in words.
fn versions(caps: Caps) -> String {
    let known = |number: &u32| Version::new(*number).is_ok_and(|version| version.caps().contains(caps));
    let first = (256..=272).find(known);
    let last = (256..=272).rfind(known);
    match (first, last) {
        (Some(256), Some(last)) => format!("to {last}"),
        (Some(first), Some(272)) => format!("{first}+"),
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_sizes_of_real_files() {
        let caps = |number| Version::new(number).unwrap().caps();
        for (number, sizes) in [
            (256, [0x144, 0x1c, 0x44, 0x6c, 0x20, 0xd4, 0x7c, 0xdc, 0x1f8]),
            (260, [0x144, 0x1c, 0x44, 0x70, 0x30, 0xd4, 0x7c, 0xdc, 0x1f8]),
            (263, [0x144, 0x1c, 0x44, 0x70, 0x30, 0xd4, 0x7c, 0xdc, 0x1f8]),
            (264, [0x130, 0x14, 0x40, 0x58, 0x30, 0x9c, 0x64, 0xb0, 0x1dc]),
            (272, [0x130, 0x14, 0x40, 0x58, 0x30, 0x9c, 0x74, 0xb0, 0x1ec]),
        ] {
            let caps = caps(number);
            let found = [
                record_size::<Contents>(caps) + 8,
                record_size::<Track<f32>>(caps),
                Sequence::size(caps),
                Bone::size(caps),
                Submesh::size(caps),
                Light::size(caps),
                Camera::size(caps),
                Ribbon::size(caps),
                Particle::size(caps),
            ];
            assert_eq!(found, sizes, "{number}");
        }
    }
}

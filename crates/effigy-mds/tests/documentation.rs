//! The tables in `docs/formats/mds.md` agree with the records.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mds::games::GAMES;
use effigy_mds::records::{Header, SurfaceHeader, TagHeader, VertexHeader};
use effigy_mds::{Bone, Caps, Format, Frame};
use effigy_wire::{Capabilities, Dump, Label, Leaf, Record, Sink, Visitor, Wire};
use std::collections::BTreeMap;

#[derive(Default)]
struct Offsets(BTreeMap<String, usize>);

impl Visitor for Offsets {
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
        if let Label::Field(name) = label {
            self.0.insert(name.to_owned(), offset.unwrap());
        }
    }
    fn leaf(&mut self, _: Leaf<'_>) {}
    fn leave(&mut self) {}
}

fn table<T: Record<Caps> + Wire<Caps> + Default>(formats: &[(&str, Format)]) -> String {
    let mut lines = String::from("|");
    let mut columns = Vec::new();
    let mut sizes = String::from("|");
    for (name, format) in formats {
        let mut offsets = Offsets::default();
        let mut dump = Dump::new(&mut offsets, 0, true);
        T::default().write(&mut dump, format.caps());
        sizes.push_str(&format!(" {} |", dump.position()));
        lines.push_str(&format!(" {name} |"));
        columns.push(offsets.0);
    }
    lines.push_str(" field | type | meaning |\n|");
    lines.push_str(&"---|".repeat(formats.len() + 3));
    for field in T::FIELDS {
        lines.push_str("\n|");
        for (column, (_, format)) in columns.iter().zip(formats) {
            match field.caps.is_none_or(|needed| format.caps().has(needed)) {
                true => lines.push_str(&format!(" {} |", column[field.name])),
                false => lines.push_str(" - |"),
            }
        }
        let ty = match field.ty {
            "Name" => "char[64]".to_owned(),
            "Word" => "char[4]".to_owned(),
            other => other.to_owned(),
        };
        lines.push_str(&format!(" `{}` | `{ty}` | {} |", field.name, field.doc.trim()));
    }
    format!("{lines}\n{sizes} | | size |\n")
}

#[test]
fn the_page_has_the_tables_of_the_records() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/mds.md");
    let text = std::fs::read_to_string(page).unwrap();
    let (mds, mdm, mdx) = (("MDS", Format::Mds), ("MDM", Format::Mdm), ("MDX", Format::Mdx));
    for table in [
        table::<Header>(&[mds, mdm, mdx]),
        table::<Frame>(&[mds, mdx]),
        table::<Bone>(&[mds, mdx]),
        table::<SurfaceHeader>(&[mds, mdm]),
        table::<VertexHeader>(&[mds, mdm]),
        table::<TagHeader>(&[mds, mdm]),
    ] {
        assert!(text.contains(&table), "the page should have this table:\n\n{table}");
    }
    for game in GAMES {
        let row = format!("| {} | {} | {} |\n", game.name, game.vertices, game.indices);
        assert!(text.contains(&row), "the page should have this row:\n\n{row}");
    }
}

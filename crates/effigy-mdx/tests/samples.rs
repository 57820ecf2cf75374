//! Every MDX sample opens, has the expected diagnostics, is written back byte for byte, and contains what it should.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};

use effigy_mdx::track::TRACKS;
use effigy_mdx::{Caps, ChunkKind, Dialect, Lists, Model, codes};
use effigy_samples::mdx;
use effigy_wire::{Flat, Status};

fn versions() -> impl Iterator<Item = (Dialect, u32)> {
    [Dialect::Warcraft3, Dialect::WowAlpha]
        .into_iter()
        .flat_map(|d| d.versions().iter().map(move |&v| (d, v)))
}

fn leaves(model: &Model) -> Vec<(String, String)> {
    let mut flat = Flat::default();
    model.visit(&mut flat);
    flat.leaves
}

/// Both models in every version.
fn models() -> Vec<(String, Model)> {
    versions()
        .flat_map(|(dialect, version)| {
            [
                (format!("creature {dialect} {version}"), mdx::creature(dialect, version)),
                (format!("everything {dialect} {version}"), mdx::everything(dialect, version)),
            ]
        })
        .collect()
}

#[test]
fn names_and_file_names_are_unique() {
    let samples = effigy_samples::mdx::samples();
    let names: BTreeSet<_> = samples.iter().map(|sample| &sample.name).collect();
    let files: BTreeSet<_> = samples.iter().map(|sample| &sample.file_name).collect();
    assert_eq!([names.len(), files.len()], [samples.len(); 2]);
    assert!(samples.iter().all(|sample| !sample.bytes.is_empty()));
}

#[test]
fn every_model_is_reproduced_from_its_values_alone() {
    for (name, model) in models() {
        let bytes = model.write().unwrap();
        let back = effigy_mdx::read(&bytes).unwrap();
        let verdict = back.verify(&bytes);
        assert_eq!(verdict.status, Status::Identical, "{name}: {verdict:?}");
        assert_eq!(back.write().unwrap(), bytes, "{name}");
        assert_eq!(
            (back.dialect(), back.version(), back.layout()),
            (model.dialect(), model.version(), model.version())
        );
    }
}

#[test]
fn every_model_is_read_with_the_values_it_was_made_of() {
    for (name, model) in models() {
        let back = effigy_mdx::read(&model.write().unwrap()).unwrap();
        let (made, read) = (leaves(&model), leaves(&back));
        assert_eq!(made.len(), read.len(), "{name}");
        for (made, read) in made.iter().zip(&read) {
            // Packed rotations lose a little; the two tests below look at them.
            let rotation = made.0.contains("KGRT") || made.0.contains("KTAR");
            if !(rotation && model.dialect() == Dialect::WowAlpha) {
                assert_eq!(made, read, "{name}");
            }
        }
    }
}

/// A field that the version does not store has its default value; otherwise it would be lost without a report.
#[test]
fn warcraft_models_are_equal_after_reading() {
    for (name, model) in models().into_iter().filter(|(_, model)| model.dialect() == Dialect::Warcraft3) {
        let back = effigy_mdx::read(&model.write().unwrap()).unwrap();
        let (made, read): (&Lists, &Lists) = (&model, &back);
        assert!(made == read, "{name}");
    }
}

#[test]
fn packed_rotations_are_within_a_millionth() {
    for version in Dialect::WowAlpha.versions() {
        let model = mdx::creature(Dialect::WowAlpha, *version);
        let back = effigy_mdx::read(&model.write().unwrap()).unwrap();
        let mut seen = 0;
        for (made, read) in model.bones.iter().zip(&back.bones) {
            let keys = |bone: &effigy_mdx::Bone| -> Vec<[f32; 4]> {
                let track = bone.node.tracks.get(effigy_mdx::track::tags::KGRT);
                track
                    .map(|t| t.keys::<[f32; 4]>().unwrap().map(|key| key.value).collect())
                    .unwrap_or_default()
            };
            for (a, b) in keys(made).into_iter().zip(keys(read)) {
                // q and -q are the same rotation, and the packing keeps w positive. Only the product of w and its
                // error is bounded: w follows from the rest, which is of unit length but for rounding.
                let apart = [1.0, -1.0].map(|sign| {
                    let [x, y, z, w]: [f32; 4] = std::array::from_fn(|i| (sign * a[i] - b[i]).abs());
                    x.max(y).max(z).max(w * b[3] * 0.01)
                });
                assert!(apart[0].min(apart[1]) <= 1.0e-6, "{a:?} became {b:?}");
                seen += 1;
            }
        }
        assert!(seen > 500, "{seen} keys");
    }
}

#[test]
fn the_creature_has_no_diagnostics() {
    for (dialect, version) in versions() {
        let back = effigy_mdx::read(&mdx::creature(dialect, version).write().unwrap()).unwrap();
        let said: Vec<_> = back.diagnostics().iter().map(ToString::to_string).collect();
        assert!(said.is_empty(), "{dialect} {version}: {said:?}");
    }
}

#[test]
fn everything_has_two_unknown_chunks_and_no_other_oddity() {
    for (dialect, version) in versions() {
        let back = effigy_mdx::read(&mdx::everything(dialect, version).write().unwrap()).unwrap();
        let said: Vec<_> = back.diagnostics().iter().map(|d| d.code).collect();
        assert_eq!(said, [codes::UNKNOWN_CHUNK; 2], "{dialect} {version}");
    }
}

#[test]
fn everything_has_every_chunk_of_its_version() {
    let reforged = [ChunkKind::PopcornEmitters, ChunkKind::FaceFx, ChunkKind::BindPoses];
    for (dialect, version) in versions() {
        let model = mdx::everything(dialect, version);
        for &kind in ChunkKind::ALL {
            let wow_only = kind == ChunkKind::HitTestShapes;
            let warcraft_only = matches!(kind, ChunkKind::Sounds | ChunkKind::Gliders);
            let expected = model.caps().contains(kind.needs())
                && (!reforged.contains(&kind) || model.caps().contains(Caps::EMISSIVE))
                && (!wow_only || dialect == Dialect::WowAlpha)
                && (!warcraft_only || dialect == Dialect::Warcraft3);
            assert_eq!(model.count(kind) > 0, expected, "{dialect} {version}: {kind:?}");
        }
    }
}

#[test]
fn every_track_occurs_somewhere_with_every_interpolation() {
    let mut found: BTreeMap<String, BTreeSet<(String, u32)>> = BTreeMap::new();
    let mut interpolations = BTreeSet::new();
    let mut clocks = BTreeSet::new();
    for (dialect, version) in versions() {
        for (path, value) in leaves(&mdx::everything(dialect, version)) {
            let parts: Vec<&str> = path.split('.').collect();
            let [.., tag, field] = parts[..] else { continue };
            match field {
                "interpolation" => {
                    found.entry(tag.to_owned()).or_default().insert((dialect.to_string(), version));
                    interpolations.insert(value);
                }
                "global_sequence" => _ = clocks.insert(value),
                _ => {}
            }
        }
    }
    for track in TRACKS {
        assert!(found.contains_key(&track.tag.to_string()), "no sample has {}", track.tag);
    }
    assert_eq!(interpolations.into_iter().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    assert!(clocks.contains("-1") && clocks.len() >= 3, "{clocks:?}");
}

#[test]
fn object_ids_are_positions_in_the_order_of_chunks() {
    // WoW alpha's client refuses other orders.
    for (name, model) in models() {
        let ids: Vec<i32> = model.nodes().map(|(_, node)| node.object_id).collect();
        let expected: Vec<i32> = (0..).take(ids.len()).collect();
        assert_eq!(ids, expected, "{name}");
        assert_eq!(model.pivots.len(), ids.len(), "{name}");
    }
}

#[test]
fn each_oddity_is_reported_and_preserved() {
    for oddity in mdx::oddities() {
        let name = &oddity.sample.name;
        let model = effigy_mdx::read(&oddity.sample.bytes).unwrap();
        let said: Vec<_> = model.diagnostics().iter().map(|d| d.code).collect();
        assert_eq!(said, oddity.codes, "{name}: {:?}", model.diagnostics());
        assert_eq!(model.verify(&oddity.sample.bytes).status, oddity.status, "{name}");
        assert_eq!(model.write().unwrap(), oddity.sample.bytes, "{name}");
    }
}

#[test]
fn an_oddity_survives_an_edit_elsewhere() {
    for oddity in mdx::oddities().iter().filter(|oddity| oddity.status == Status::Identical) {
        let name = &oddity.sample.name;
        let mut model = effigy_mdx::read(&oddity.sample.bytes).unwrap();
        for texture in &mut model.textures {
            texture.path.set("Another\\Path.blp").unwrap();
        }
        let edited = model.write().unwrap();
        assert_eq!(edited.len(), oddity.sample.bytes.len(), "{name}");
        let changed = edited.iter().zip(&oddity.sample.bytes).filter(|(a, b)| a != b).count();
        assert!((1..=20).contains(&changed), "{name}: {changed} bytes changed");
    }
}

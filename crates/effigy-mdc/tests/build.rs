//! Models built from the fields that a dump shows: the same bytes, for samples and for every real file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use crate::bend;

use bend::{built, fields, with_word, word};
use effigy_mdc::{Format, Model, Tags, read};
use effigy_samples::mdc as samples;
use effigy_wire::{Kind, Tree};

#[test]
fn every_sample_comes_back_from_its_fields() {
    for (name, bytes) in samples::all().unwrap() {
        let model = read(&bytes).unwrap();
        let again = built(model.format, &fields(&model)).unwrap();
        assert_eq!(again, model, "{name}");
        assert!(again.write().unwrap() == bytes, "{name}");
        // Only a file with a layout of its own says so.
        let mut usual = model.clone();
        usual.forget_placement();
        assert_eq!(fields(&model).contains("\"placement\""), usual.write().unwrap() != bytes, "{name}");
    }
}

#[test]
fn every_real_file_comes_back_from_its_fields() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let mut files = [0, 0];
    for entry in effigy_testkit::index(&corpus) {
        if !matches!(entry.format.as_str(), "mdc" | "md3") || entry.is_malformed() {
            continue;
        }
        let bytes = std::fs::read(&entry.path).unwrap();
        let model = read(&bytes).unwrap();
        match built(model.format, &fields(&model)).and_then(|model| model.write()) {
            Ok(again) => assert!(again == bytes, "{} differs", entry.name),
            Err(error) => panic!("{}: {error}", entry.name),
        }
        files[usize::from(model.format == Format::Md3)] += 1;
    }
    println!("{} MDC and {} MD3 files come back", files[0], files[1]);
    assert!(files[0] >= 32 && files[1] >= 10, "{files:?}");
}

/// The part at a path such as `surfaces.0.header.flags`.
fn part<'t, 'a>(parts: &'t mut [Tree<'a>], path: &str) -> &'t mut Tree<'a> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let found = match first.parse::<usize>() {
        Ok(index) => &mut parts[index],
        Err(_) => parts.iter_mut().find(|part| part.name == first).unwrap_or_else(|| panic!("{path}")),
    };
    if rest.is_empty() { found } else { part(&mut found.parts, rest) }
}

/// The model after a change of its tree of fields.
fn changed(model: &Model, change: impl FnOnce(&mut Vec<Tree<'_>>)) -> effigy_wire::Result<Model> {
    let text = fields(model);
    let mut trees = Tree::parse(&text).unwrap();
    change(&mut trees);
    Model::build(model.format, &Tree::of(trees))
}

#[test]
fn a_changed_value_changes_its_bytes_and_nothing_else() {
    for bytes in
        [samples::mdc().write().unwrap(), samples::odd_order().unwrap(), samples::with_filler().unwrap()]
    {
        let model = read(&bytes).unwrap();
        let at = word(&bytes, "header.flags");
        let again =
            changed(&model, |trees| part(trees, "header.flags").value = Some("70000".into())).unwrap();
        assert!(again.write().unwrap() == with_word(&bytes, at, 70000));
        // The offsets of parts are not values: they follow from the lists.
        let offset = changed(&model, |trees| {
            part(trees, "header.num_frames").value = Some("3".into());
            part(trees, "surfaces.0.header.num_triangles").value = Some("0".into());
        });
        assert!(offset.unwrap().write().unwrap() == bytes);
    }
}

#[test]
fn not_a_number_and_minus_zero_keep_their_bits() {
    let mut model = samples::md3();
    let odd = [0xffc0_0001, 0x7f80_0001, 0x8000_0000].map(f32::from_bits);
    model.frames[0].min = odd;
    model.surfaces[0].texcoords[0] = [odd[1], f32::NEG_INFINITY];
    let again = built(Format::Md3, &fields(&model)).unwrap();
    assert_eq!(again.frames[0].min.map(f32::to_bits), odd.map(f32::to_bits));
    assert_eq!(again.surfaces[0].texcoords[0].map(f32::to_bits), [0x7f80_0001, 0xff80_0000]);
}

#[test]
fn one_triangle_more_moves_what_follows_by_twelve_bytes() {
    for bytes in
        [samples::mdc().write().unwrap(), samples::odd_order().unwrap(), samples::with_filler().unwrap()]
    {
        let mut model = read(&bytes).unwrap();
        let again = changed(&model, |trees| {
            let list = part(trees, "surfaces.0.triangles");
            let text = list.value.as_ref().unwrap().strip_suffix(']').unwrap().to_owned();
            list.value = Some(format!("{text},[2,1,0]]").into());
        })
        .unwrap();
        model.surfaces[0].triangles.push([2, 1, 0]);
        let longer = again.write().unwrap();
        assert_eq!(longer.len(), bytes.len() + 12);
        assert_eq!(read(&longer).unwrap(), model);
    }
}

#[test]
fn one_tag_less_has_one_pose_less_in_every_frame() {
    let model = samples::mdc();
    let again = changed(&model, |trees| {
        part(trees, "tag_names").parts.pop();
        let poses = &mut part(trees, "tags").parts;
        *poses = std::mem::take(poses).into_iter().step_by(2).collect();
    });
    let Tags::Packed { names, poses } = &model.tags else { panic!("tags of an MDC") };
    let expected: Vec<_> = poses.iter().step_by(2).cloned().collect();
    let again = read(&again.unwrap().write().unwrap()).unwrap();
    assert_eq!(again.tags, Tags::Packed { names: names[..1].to_vec(), poses: expected });
    // 64 bytes of the name, and 12 for each frame.
    let smaller = 64 + 12 * model.frames.len();
    assert_eq!(again.write().unwrap().len() + smaller, model.write().unwrap().len());
}

#[test]
fn what_is_not_a_field_or_does_not_fit_is_an_error_with_its_path() {
    type Change = fn(&mut Vec<Tree<'_>>);
    let cases: [(Change, &str, &str); 9] = [
        (|trees| trees[0].name = "head".into(), "", "'head'"),
        (|trees| part(trees, "header.version").value = Some("3".into()), "header.version", "2 is needed"),
        (|trees| part(trees, "header.ident").value = Some("\"IDP3\"".into()), "header.ident", "IDPC"),
        (|trees| part(trees, "frames.1.radius").value = Some("true".into()), "frames[1].radius", "a number"),
        (|trees| part(trees, "surfaces.0.base").value = Some("[1]".into()), "surfaces[0].base", "by 4"),
        (|trees| part(trees, "surfaces.1.base").value = Some("[40000]".into()), "surfaces[1].base", "32767"),
        (|trees| part(trees, "surfaces").value = Some("[]".into()), "surfaces", "a list of parts"),
        (|trees| part(trees, "surfaces.2.base_of_frame").value = Some("[]".into()), "surfaces[2]", "entries"),
        (|trees| part(trees, "frames").parts.clear(), "", "at least one frame"),
    ];
    for (change, path, words) in cases {
        let error = changed(&samples::mdc(), change).unwrap_err();
        assert_eq!(error.path(), path, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let error = built(Format::Md3, &fields(&samples::mdc())).unwrap_err();
    assert_eq!(error.path(), "header.ident", "{error}");
}

#[test]
fn a_layout_that_makes_no_sense_is_not_used_and_a_huge_one_is_an_error() {
    let bytes = samples::odd_order().unwrap();
    let mut model = read(&bytes).unwrap();
    model.forget_placement();
    let usual = model.write().unwrap();
    let model = read(&bytes).unwrap();
    for (path, value) in [
        ("header.ofs_frames", "4"),
        ("header.ofs_tags", "-5"),
        ("header.ofs_surfaces", "2147483647"),
        ("surfaces.0.header.ofs_end", "0"),
        ("placement.length", "0"),
        ("placement.length", "100"),
    ] {
        let again = changed(&model, |trees| part(trees, path).value = Some(value.to_owned().into())).unwrap();
        assert!(again.write().unwrap() == usual, "{path} = {value}");
    }
    for huge in ["2000000000", "18446744073709551615"] {
        let again =
            changed(&model, |trees| part(trees, "placement.length").value = Some(huge.to_owned().into()));
        assert_eq!(again.unwrap_err().kind(), Kind::Limit);
    }
}

//! Setting fields of models that are built from the tree of their fields: the field changes, and nothing else does.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use effigy_edit::{Done, Operation, m2, mdc, mds};
use effigy_samples::Sample;
use effigy_wire::{Json, Kind, Result, Visitor};

fn dump(visit: impl FnOnce(&mut dyn Visitor)) -> String {
    let mut json = Json::new(false);
    visit(&mut json);
    json.into_text()
}

/// Sets a field and gives the texts before and after that differ, one for each field.
fn differences<M: Clone>(
    model: &M,
    (path, value): (&str, &str),
    apply: impl Fn(&mut M, &Operation) -> Result<Done>,
    visit: impl Fn(&M, &mut dyn Visitor),
) -> Result<Vec<(String, String)>> {
    let mut changed = model.clone();
    let operation = Operation::parse("set", &format!("{path}={value}"))?;
    let done = apply(&mut changed, &operation)?;
    let [before, after] = [model, &changed].map(|model| dump(|visitor| visit(model, visitor)));
    let fields = |text: &str| text.split("{\"name\"").map(str::to_owned).collect::<Vec<_>>();
    let (before, after) = (fields(&before), fields(&after));
    assert_eq!(before.len(), after.len(), "{path}");
    let found: Vec<_> = before.into_iter().zip(after).filter(|(old, new)| old != new).collect();
    assert_eq!(done.changed, found.len(), "{path}");
    Ok(found)
}

fn sample(samples: Vec<Sample>, name: &str) -> Vec<u8> {
    samples.into_iter().find(|sample| sample.file_name == name).unwrap().bytes
}

#[test]
fn fields_of_an_mdc_are_set_one_by_one() {
    let bytes = sample(effigy_samples::mdc::samples(), "chest.mdc");
    let model = effigy_mdc::read(&bytes).unwrap();
    let set = |field| differences(&model, field, mdc::apply, effigy_mdc::Model::visit);
    let all = set(("frames[*].radius", "77.5")).unwrap();
    assert_eq!(all.len(), 24);
    assert!(all.iter().all(|(_, new)| new.contains("77.5")), "{all:?}");
    assert_eq!(set(("surfaces[1].shaders[0].name", "models/other.tga")).unwrap().len(), 1);
    assert_eq!(set(("surfaces[0].triangles[0]", "[2,1,0]")).unwrap().len(), 1);
    for (field, wanted) in [
        (("header.num_frames", "9"), "follows from"),
        (("frames[99].radius", "1"), "no field"),
        (("frames[0].radius", "wide"), ""),
    ] {
        let error = set(field).unwrap_err();
        assert!(error.to_string().contains(wanted), "{field:?}: {error}");
    }
    // The file that is written has the value, and reads back.
    let mut changed = model;
    mdc::set(&mut changed, "frames[3].radius", "-0.0").unwrap();
    let again = effigy_mdc::read(&changed.write().unwrap()).unwrap();
    assert_eq!(again.frames[3].radius.to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn fields_of_an_mds_are_set_one_by_one() {
    let samples = effigy_samples::mds::samples();
    let bytes = samples.into_iter().find(|sample| sample.file_name.ends_with(".mds")).unwrap().bytes;
    let model = effigy_mds::read(&bytes).unwrap();
    let set = |field| differences(&model, field, mds::apply, effigy_mds::Model::visit);
    assert_eq!(set(("bones[1].parent_dist", "12.25")).unwrap().len(), 1);
    assert_eq!(set(("bones[0].name", "Root")).unwrap().len(), 1);
    assert_eq!(set(("nothing", "1")).unwrap_err().kind(), Kind::Usage);
}

#[test]
fn fields_of_an_m2_are_set_and_its_other_files_stay() {
    let samples = effigy_samples::m2::samples();
    let bytes = sample(samples.clone(), "m2-264-everything.m2");
    let mut model = effigy_m2::read(&bytes).unwrap();
    for companion in model.companions() {
        let name = companion.file_name(&model, "m2-264-everything.m2").unwrap();
        if let Some(file) = samples.iter().find(|sample| sample.file_name == name) {
            model.attach(companion, &file.bytes).unwrap();
        }
    }
    let attached = model.attached();
    assert!(attached.len() > 4, "skins and an animation");
    let files = |model: &effigy_m2::Model| -> Vec<Vec<u8>> {
        model.attached().into_iter().map(|one| model.write_companion(one).unwrap()).collect()
    };
    let before = files(&model);
    let mut changed = model.clone();
    m2::set(&mut changed, "sequences[0].move_speed", "4.5").unwrap();
    assert_eq!(changed.sequences[0].move_speed.to_bits(), 4.5_f32.to_bits());
    assert_eq!((changed.attached(), files(&changed)), (attached, before));
    // Only these four bytes of the file are others.
    let (old, new) = (model.write().unwrap(), changed.write().unwrap());
    let differ = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    assert!(old.len() == new.len() && (1..=4).contains(&differ), "{differ} bytes");
}

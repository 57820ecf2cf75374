//! Conversion between expansions: a model of one version becomes one of another, with a report of what changed.
//!
//! What both versions can represent is converted exactly. Small data that 264 has no field for (the timeline, the
//! playable lookup, distances of bones) is stored after the end of the model, outside all blocks, and is used on the way
//! back. Each part is converted back at once and compared, so that the report lists exactly what would not come back.

pub(crate) mod aside;
mod complete;
mod lookup;
mod particle;
mod sequence;
mod skeleton;
mod split;
mod timeline;
mod view;

use crate::block::Block;
use crate::model::{Model, read};
use crate::records::{ModelFlags, View};
use crate::skin::Skin;
use crate::version::{Caps, Version};
use effigy_wire::{Error, Kind, Record, Report, Result};

impl Model {
    /// The same model in another version, and a report of what that version cannot represent. Keys in `.anim` files and
    /// views in `.skin` files are converted too if they are attached.
    ///
    /// # Errors
    /// When the version cannot be written, or the result would be too large for it.
    pub fn upgrade(&self, target: Version) -> Result<(Self, Report)> {
        if !target.is_target() {
            let message =
                format!("models can be converted to versions up to {}, not {target}", Version::WRATH);
            return Err(Error::new(Kind::Usage, message));
        }
        let mut report = Report::default();
        if target == self.version() {
            return Ok((self.clone(), report));
        }
        let (from, to) = (self.caps(), target.caps());
        let gains = |caps: Caps| to.contains(caps) && !from.contains(caps);
        let mut model = self.clone();
        for path in self.lost() {
            report.dropped(path.as_str(), "it could not be read");
        }
        leave_shell(&mut model, &mut report);
        if gains(Caps::FIXED_FOV) {
            fix_fov(&mut model, &mut report);
        }
        if gains(Caps::NESTED) {
            model.aside = Some(aside::Aside::of(&model));
            timeline::to_lists(&mut model, &mut report)?;
            skeleton::report_paths(&model, &mut report);
            sequence::to_durations(&mut model);
            lookup::to_hashed(&mut model, &mut report);
            view::to_skins(&mut model, &mut report);
        }
        let mut restored = false;
        if gains(Caps::TIMELINE) {
            let aside = model.aside.take().filter(|aside| aside.agrees(&model));
            skeleton::report_paths(&model, &mut report);
            sequence::to_timeline(&mut model, aside.as_ref(), &mut report)?;
            timeline::to_ranges(&mut model, &mut report)?;
            lookup::to_direct(&mut model, to, aside.as_ref(), &mut report);
            view::to_views(&mut model, aside.as_ref(), &mut report)?;
            skeleton::restore_distances(&mut model, aside.as_ref());
            restored = aside.is_some();
        }
        if from.contains(Caps::PLAYABLE) && to.contains(Caps::PLAYABLE) {
            lookup::convert_playable(&mut model, from, to, &mut report);
        }
        if gains(Caps::FREE_LIFE) {
            particle::to_free(&mut model, &mut report);
        }
        if gains(Caps::FIXED_LIFE) {
            particle::to_fixed(&mut model, &mut report);
        }
        if gains(Caps::BYTE_EMITTER) {
            particle::to_bytes(&mut model, &mut report);
        }
        if gains(Caps::PACKED_ROTATION) {
            skeleton::pack_rotations(&mut model, &mut report);
        }
        if gains(Caps::FLOAT_ROTATION) {
            skeleton::unpack_rotations(&mut model);
        }
        skeleton::convert_words(&mut model, from, to, restored, &mut report);
        if gains(Caps::SORTING) {
            view::add_sorting(&mut model, &mut report);
        } else if from.contains(Caps::SORTING) && !to.contains(Caps::SORTING) {
            view::drop_sorting(&mut model, &mut report);
        }
        losses(&model, to, &mut report);
        if (gains(Caps::SKINS) || gains(Caps::VIEWS)) && model.flags.contains(ModelFlags::COMBINERS) {
            report.dropped("model.flags", "the flag for the combiner table");
            model.flags.remove(ModelFlags::COMBINERS);
        }
        settle(model, target).map(|model| (model, report))
    }
}

/// Sets the version. Writing and reading the model again leaves exactly what the version can represent.
fn settle(mut model: Model, target: Version) -> Result<Model> {
    // The header of the target version does not have these.
    if target.caps().contains(Caps::SKINS) {
        model.contents.flipbooks = Block::default();
    } else {
        model.contents.combiners = Block::default();
    }
    model.set_version(target);
    let mut settled = read(&model.write_canonical()?)?;
    for skin in &model.skins {
        settled.skins.push(Skin::read(&skin.write_canonical()?)?);
    }
    Ok(settled)
}

fn leave_shell(model: &mut Model, report: &mut Report) {
    if let Some(shell) = model.shell.take() {
        for chunk in shell.before.iter().chain(&shell.after) {
            report.dropped(chunk.tag.to_string(), "the target version has no chunks");
        }
    }
}

/// Replaces an animated field of view by its first value.
fn fix_fov(model: &mut Model, report: &mut Report) {
    for (index, camera) in model.cameras.iter_mut().enumerate() {
        let keys = std::mem::take(&mut camera.fov_track);
        camera.fov = keys.values.all().first().map_or(0.0, |key| key.value);
        if keys.values.all().len() > 1 {
            report.approximated(format!("cameras[{index}].fov_track"), "only its first value is kept");
        }
    }
}

/// Reports the remaining data that the target version has no field for.
fn losses(model: &Model, to: Caps, report: &mut Report) {
    fn list<T: Record<Caps>>(items: &[T], name: &str, to: Caps, report: &mut Report) {
        for (index, item) in items.iter().enumerate() {
            item.losses(to, &format!("{name}[{index}]"), report);
        }
    }
    model.contents.losses(to, "model", report);
    list(&model.sequences, "sequences", to, report);
    list(&model.bones, "bones", to, report);
    list(&model.cameras, "cameras", to, report);
    list(&model.ribbons, "ribbons", to, report);
    list(&model.particles, "particles", to, report);
}

/// All views of a model, those in the model and those in skins.
fn views_mut(model: &mut Model) -> impl Iterator<Item = &mut View> {
    let Model { contents, skins, .. } = model;
    contents.views.iter_mut().chain(skins.iter_mut().map(|skin| &mut **skin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Camera, Flipbook, Particle, Playable, Ribbon, ScalarKey, Sequence};
    use crate::shell::{Chunk, Shell};
    use crate::track::Track;
    use effigy_wire::{Outcome, Tag};

    fn version(number: u32) -> Version {
        Version::new(number).unwrap()
    }

    fn paths(report: &Report, outcome: Outcome) -> Vec<&str> {
        report.notes().iter().filter(|note| note.outcome == outcome).map(|note| note.path.as_str()).collect()
    }

    #[test]
    fn the_flag_of_the_combiner_table_is_removed_between_views_and_skins() {
        for (from, to, stays) in [(260, 263, true), (263, 264, false), (264, 263, false), (265, 264, true)] {
            let mut model = Model::new(version(from));
            model.flags = ModelFlags::TILT_X;
            let (plain, report) = model.upgrade(version(to)).unwrap();
            assert_eq!((plain.flags, report.is_lossy()), (ModelFlags::TILT_X, false), "{from} {to}");
            model.flags |= ModelFlags::COMBINERS;
            let (made, report) = model.upgrade(version(to)).unwrap();
            let flags = if stays { model.flags } else { ModelFlags::TILT_X };
            assert_eq!(made.flags, flags, "{from} {to}");
            let noted: &[&str] = if stays { &[] } else { &["model.flags"] };
            assert_eq!(paths(&report, Outcome::Dropped), noted, "{from} {to}");
        }
    }

    #[test]
    fn only_versions_up_to_wrath_are_targets() {
        let error = Model::new(Version::WRATH).upgrade(version(265)).unwrap_err();
        assert_eq!(error.kind(), Kind::Usage);
    }

    #[test]
    fn an_animated_field_of_view_becomes_its_first_value() {
        let camera = |keys: &[f32]| {
            let mut fov_track = Track::default();
            if !keys.is_empty() {
                let key = |&value: &f32| ScalarKey { value, ..ScalarKey::default() };
                fov_track.times.push_part(&vec![0; keys.len()]);
                fov_track.values.push_part(&keys.iter().map(key).collect::<Vec<_>>());
            }
            Camera { fov_track, ..Camera::default() }
        };
        let mut model = Model::new(version(265));
        model.cameras = vec![camera(&[]), camera(&[0.5]), camera(&[0.75, 0.9])].into();
        let (made, report) = model.upgrade(Version::WRATH).unwrap();
        assert_eq!(made.cameras.iter().map(|camera| camera.fov).collect::<Vec<_>>(), [0.0, 0.5, 0.75]);
        assert_eq!(paths(&report, Outcome::Approximated), ["cameras[2].fov_track"]);
        assert!(paths(&report, Outcome::Dropped).is_empty(), "{report}");
    }

    #[test]
    fn what_the_target_has_no_field_for_is_reported_and_gone() {
        let mut model = Model::new(Version::WRATH);
        model.ribbons = vec![Ribbon { priority_plane: 3, ..Ribbon::default() }].into();
        model.particles = vec![Particle { lifespan_variation: 1.0, ..Particle::default() }].into();
        let (made, report) = model.upgrade(version(263)).unwrap();
        let dropped = paths(&report, Outcome::Dropped);
        assert_eq!(dropped, ["ribbons[0].priority_plane", "particles[0].lifespan_variation"]);
        assert_eq!((made.ribbons[0].priority_plane, made.particles[0].lifespan_variation), (0, 0.0));
        let mut model = Model::new(version(260));
        model.flipbooks = vec![Flipbook::default()].into();
        let (made, report) = model.upgrade(Version::WRATH).unwrap();
        assert_eq!(paths(&report, Outcome::Dropped), ["model.flipbooks"]);
        assert!(made.flipbooks.is_empty());
        assert_eq!(model.upgrade(version(263)).unwrap().0.flipbooks.len(), 1);
    }

    #[test]
    fn the_chunks_around_a_model_are_reported_and_left() {
        let chunk = |tag: &[u8; 4]| Chunk { tag: Tag(*tag), bytes: vec![1, 2] };
        let mut model = Model::new(version(272));
        model.shell = Some(Shell { before: vec![chunk(b"AFID")], after: vec![chunk(b"SFID")], rest: vec![] });
        let (made, report) = model.upgrade(Version::WRATH).unwrap();
        assert_eq!(paths(&report, Outcome::Dropped), ["AFID", "SFID"]);
        assert_eq!(made.shell, None);
    }

    #[test]
    fn a_kept_table_of_playable_animations_is_converted_only_if_its_version_is_known() {
        for (kept, rows) in [(None, 203), (Some(version(260)), 201), (Some(Version::VANILLA), 203)] {
            let mut model = Model::new(Version::WRATH);
            model.sequences = vec![Sequence { duration: 10, ..Sequence::default() }].into();
            model.aside = Some(aside::Aside {
                timings: vec![aside::Timing { start: 5, end: 15, flags: 1 }],
                playable: vec![Playable { animation: 0, mode: 3 }; 203],
                version: kept,
                ..aside::Aside::default()
            });
            let (made, report) = model.upgrade(Version::VANILLA).unwrap();
            assert_eq!(made.playable_lookup.len(), rows, "{kept:?}");
            // The two rows that are left out do not follow the rule.
            let lost: &[&str] =
                if rows == 201 { &["playable_lookup[201]", "playable_lookup[202]"] } else { &[] };
            assert_eq!(paths(&report, Outcome::Dropped), lost, "{kept:?}");
        }
    }
}

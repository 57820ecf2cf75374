//! Converts a model to another version of the same dialect directly, since a detour through a scene would lose data.
//!
//! An upgrade loses nothing: new fields get their usual values, and what is stored elsewhere (textures in slots, skin
//! weights in 16 bits, geosets in batches) is moved. A downgrade reports the fields that the target does not store, from the
//! records' own declarations, and rebuilds what the older game can show in another way: slots become layers, skin weights
//! become matrix groups, the finest level of detail is kept.

mod batches;
mod geosets;
mod materials;

use crate::chunks::ChunkKind;
use crate::model::{Content, Model};
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{Error, Report, Result};

/// Chunks that came with version 900.
const REFORGED: &[ChunkKind] = &[ChunkKind::PopcornEmitters, ChunkKind::FaceFx, ChunkKind::BindPoses];

/// The variants of a camera that only depend on the version.
const PLAIN_CAMERAS: [u8; 2] = [0, 3];

impl Model {
    /// The same model at another version of its dialect, and what that lost.
    ///
    /// # Errors
    /// When the version is not known in this dialect.
    pub fn upgrade(&self, version: u32) -> Result<(Self, Report)> {
        if !self.dialect.knows(version) {
            let known = self.dialect.versions();
            return Err(Error::unrepresentable(format!(
                "{} has the versions {known:?}, not {version}",
                self.dialect
            )));
        }
        let mut report = Report::default();
        let mut model = self.clone();
        let (from, to) = (self.caps(), self.dialect.caps(version));
        model.version = version;
        model.layout = version;
        if from != to {
            convert(&mut model, from, to, &mut report);
        }
        Ok((model, report))
    }
}

fn convert(model: &mut Model, from: Caps, to: Caps, report: &mut Report) {
    for (tag, ..) in model.kept_chunks().filter(|(_, _, opaque)| *opaque) {
        report.approximated(
            tag.to_string(),
            "the chunk could not be decoded and keeps the layout of the old version",
        );
    }
    let gains = |cap| to.contains(cap) && !from.contains(cap);
    if gains(Caps::TEXTURE_SLOTS) {
        materials::into_slots(&mut model.lists.materials, report);
    } else if from.contains(Caps::TEXTURE_SLOTS) && !to.contains(Caps::TEXTURE_SLOTS) {
        materials::out_of_slots(&mut model.lists.materials, to, report);
    } else if from.contains(Caps::SHADER_NAME) && !to.contains(Caps::SHADER_NAME) {
        materials::without_shaders(&mut model.lists.materials, to, report);
    }
    if to.contains(Caps::WC3) && !to.contains(Caps::GEOSET_LOD) && from.contains(Caps::GEOSET_LOD) {
        geosets::make_classic(model, report);
    }
    geosets::resize_skins(&mut model.lists.geosets, to, report);
    if gains(Caps::BATCHED_GEOSETS) {
        batches::into_batches(&mut model.lists, report);
        rename_kind(model, ChunkKind::Geosets, ChunkKind::BatchedGeosets);
    } else if gains(Caps::PLAIN_GEOSETS) {
        batches::out_of_batches(&mut model.lists, report);
        rename_kind(model, ChunkKind::BatchedGeosets, ChunkKind::Geosets);
    }
    let variant = if to.contains(Caps::CAMERA_VARIANT_3) { 3 } else { 0 };
    if to.contains(Caps::WC3) && from.contains(Caps::CAMERA_VARIANT_3) != to.contains(Caps::CAMERA_VARIANT_3)
    {
        let plain = |variant: &u8| PLAIN_CAMERAS.contains(variant);
        model
            .lists
            .cameras
            .iter_mut()
            .filter(|camera| plain(&camera.variant))
            .for_each(|camera| camera.variant = variant);
    }
    model.lists.losses(to, report);
    drop_tracks(model, to);
}

/// Changes the kind of records of a chunk; its position in the file stays the same.
fn rename_kind(model: &mut Model, old: ChunkKind, new: ChunkKind) {
    for slot in &mut model.slots {
        if let Content::Records { kind, guard, .. } = &mut slot.content
            && *kind == old
        {
            *kind = new;
            *guard = None;
        }
    }
}

/// Removes the tracks that the target does not play; they were reported with the records' losses.
fn drop_tracks(model: &mut Model, to: Caps) {
    let clean = |tracks: &mut Tracks| tracks.0.retain(|track| crate::losses::plays(track.tag(), to));
    let lists = &mut model.lists;
    lists
        .materials
        .iter_mut()
        .flat_map(|material| &mut material.layers)
        .for_each(|layer| clean(&mut layer.tracks));
    lists.lights.iter_mut().for_each(|light| clean(&mut light.tracks));
    lists.cameras.iter_mut().for_each(|camera| clean(&mut camera.tracks));
}

/// Removes the chunks that classic Warcraft III does not have.
fn drop_reforged_chunks(model: &mut Model, report: &mut Report) {
    for kind in REFORGED {
        let count = model.lists.count(*kind);
        if count > 0 || model.slots.iter().any(|slot| slot.tag == kind.tag()) {
            if count > 0 {
                report.dropped(
                    kind.tag().to_string(),
                    format!("{count} records that classic Warcraft III does not support"),
                );
            }
            model.delete_chunk(kind.tag());
        }
    }
}

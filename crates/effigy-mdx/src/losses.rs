//! What is lost when a record is converted to another version, found from the records' own declarations.

use crate::records::{
    Attachment, BatchedGeoset, Bone, Camera, CollisionMesh, CollisionShape, EventObject, FaceFx, Geoset,
    GeosetAnimation, Helper, HitTestShape, Layer, Light, Material, ModelInfo, ParticleEmitter,
    ParticleEmitter2, PopcornEmitter, RibbonEmitter, Sequence, Sound, Texture, TextureAnimation,
};
use crate::track::{TrackInfo, Tracks};
use crate::version::Caps;
use effigy_wire::{Record, Report, Tag};

/// Reports the fields of a record that a version with the given capabilities does not store.
pub(crate) trait Losses {
    fn losses_in(&self, target: Caps, path: &str, report: &mut Report);
}

/// Capabilities that do not decide whether an upgrade keeps a track: an upgrade stays within its dialect, and it moves the
/// textures of layers into slots itself.
const HANDLED: Caps = Caps::WC3.union(Caps::WOW).union(Caps::LAYER_TEXTURE_TRACK);

/// Whether a version with these capabilities plays tracks with this tag.
pub(crate) fn plays(tag: Tag, caps: Caps) -> bool {
    TrackInfo::of(tag).is_none_or(|info| caps.contains(info.needs.difference(HANDLED)))
}

fn tracks(list: &Tracks, target: Caps, path: &str, report: &mut Report) {
    for track in list.iter().filter(|track| !plays(track.tag(), target)) {
        report.dropped(format!("{path}.{}", track.tag()), "the target version does not play this track");
    }
}

macro_rules! with_tracks {
    ($($record:ty: $($list:ident).+;)*) => {$(
        impl Losses for $record {
            fn losses_in(&self, target: Caps, path: &str, report: &mut Report) {
                self.losses(target, path, report);
                tracks(&self.$($list).+, target, path, report);
            }
        }
    )*};
}

with_tracks! {
    TextureAnimation: tracks;
    Layer: tracks;
    GeosetAnimation: tracks;
    Light: tracks;
    Attachment: tracks;
    ParticleEmitter: tracks;
    ParticleEmitter2: tracks;
    PopcornEmitter: tracks;
    RibbonEmitter: tracks;
    Camera: tracks;
    Bone: node.tracks;
    Helper: node.tracks;
    EventObject: node.tracks;
    CollisionShape: node.tracks;
    HitTestShape: node.tracks;
}

macro_rules! without_tracks {
    ($($record:ty),*) => {$(
        impl Losses for $record {
            fn losses_in(&self, target: Caps, path: &str, report: &mut Report) {
                self.losses(target, path, report);
            }
        }
    )*};
}

without_tracks!(ModelInfo, Sequence, Texture, Geoset, CollisionMesh, FaceFx, Sound);

impl Losses for Material {
    fn losses_in(&self, target: Caps, path: &str, report: &mut Report) {
        self.losses(target, path, report);
        for (index, layer) in self.layers.iter().enumerate() {
            layer.losses_in(target, &format!("{path}.layers[{index}]"), report);
        }
    }
}

impl Losses for BatchedGeoset {
    fn losses_in(&self, _: Caps, _: &str, _: &mut Report) {}
}

impl Losses for u32 {
    fn losses_in(&self, _: Caps, _: &str, _: &mut Report) {}
}

impl<const N: usize> Losses for [f32; N] {
    fn losses_in(&self, _: Caps, _: &str, _: &mut Report) {}
}

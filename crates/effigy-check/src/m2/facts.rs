//! What the rules look at: the model, and all its tracks without regard to the type of their values.

use effigy_m2::{Caps, Key, Model, Moments, Track};
use std::ops::Deref;

/// A model with its tracks in one list.
pub(crate) struct Facts<'a> {
    model: &'a Model,
    pub tracks: Vec<TrackAt<'a>>,
}

/// A track with values of any type.
pub(crate) struct TrackAt<'a> {
    place: (&'static str, usize, &'static str),
    pub interpolation: i16,
    pub global_sequence: i16,
    pub ranges: &'a [[u32; 2]],
    /// One list before 264, one per sequence from 264 on.
    pub times: Vec<&'a [u32]>,
    /// How many values each of these lists has; `None` for events, which have none.
    pub values: Option<Vec<usize>>,
}

impl TrackAt<'_> {
    pub fn path(&self) -> String {
        let (list, index, field) = self.place;
        format!("{list}[{index}].{field}")
    }
}

impl Deref for Facts<'_> {
    type Target = Model;
    fn deref(&self) -> &Model {
        self.model
    }
}

impl<'a> Facts<'a> {
    pub fn new(model: &'a Model) -> Self {
        let mut tracks = Vec::new();
        macro_rules! tracks {
            ($($list:ident { $($field:ident)+ })+) => {$(
                for (index, record) in model.$list.iter().enumerate() {
                    $(tracks.push(view((stringify!($list), index, stringify!($field)), &record.$field));)+
                }
            )+};
        }
        tracks! {
            bones { translation rotation packed_rotation scale }
            colors { rgb alpha }
            weights { weight }
            transforms { translation rotation scale }
            attachments { animated }
            lights {
                ambient_color ambient_intensity diffuse_color diffuse_intensity attenuation_start attenuation_end visible
            }
            cameras { position_track target_track roll fov_track }
            ribbons { color alpha height_above height_below texture_slot visible }
            particles {
                speed speed_variation vertical_range horizontal_range gravity lifespan rate length width z_source enabled
            }
        }
        for (index, event) in model.events.iter().enumerate() {
            tracks.push(moments(("events", index, "moments"), &event.moments));
        }
        Self { model, tracks }
    }

    /// Whether all sequences share one timeline.
    pub fn has_timeline(&self) -> bool {
        self.model.caps().contains(Caps::TIMELINE)
    }
}

fn view<'a, T: Key>(place: (&'static str, usize, &'static str), track: &'a Track<T>) -> TrackAt<'a> {
    let parts = track.times.part_count();
    let (times, values) = if parts == 0 {
        (vec![track.times.all()], vec![track.values.all().len()])
    } else {
        // Lists in a `.anim` file that was not read cannot be checked.
        let here = |part: &usize| !track.times.is_absent(*part) && !track.values.is_absent(*part);
        let here: Vec<usize> = (0..parts).filter(here).collect();
        let times = here.iter().map(|part| track.times.part(*part)).collect();
        (times, here.iter().map(|part| track.values.part(*part).len()).collect())
    };
    TrackAt {
        place,
        interpolation: track.interpolation,
        global_sequence: track.global_sequence,
        ranges: track.ranges.as_slice(),
        times,
        values: Some(values),
    }
}

fn moments<'a>(place: (&'static str, usize, &'static str), moments: &'a Moments) -> TrackAt<'a> {
    let parts = moments.times.part_count();
    let times = if parts == 0 {
        vec![moments.times.all()]
    } else {
        (0..parts).map(|part| moments.times.part(part)).collect()
    };
    TrackAt {
        place,
        interpolation: moments.interpolation,
        global_sequence: moments.global_sequence,
        ranges: moments.ranges.as_slice(),
        times,
        values: None,
    }
}

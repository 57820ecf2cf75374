//! What is attached to the skeleton besides meshes and emitters: attachments, events, lights, cameras, shapes, faces.

use super::Facts;
use super::sequences::PLACED;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_mdx::{Dialect, Shape};

rules! { Mdx
    /// Buffs and spell effects are put on `Origin Ref`. Without it the game puts them at the model's origin, which often looks right,
    /// but some effects are not shown at all. Add an attachment of that name.
    MDX2101 "no Origin attachment" Warning for PLACED => no_origin;
    /// The path of an attached model should end in `.mdl` or `.mdx`. Published maps have other paths and work; nothing is attached there.
    MDX2102 "attachment path is not a model" Warning for EVERY => attachment_path;
    /// An event object without times crashes Warcraft III when the model loads. Remove it or give it a time. In WoW alpha such events
    /// mark a position.
    MDX2103 "event without times" Error for EVERY => event_without_times;
    /// The first three letters of the name are the kind of event (SND sound, FPT footprint, SPL splat, UBR uber splat, SPN spawn), the last
    /// four its id, with a digit or an x between them: eight letters in all. The game looks them up in its tables; with a name of another
    /// form, the event is ignored. Models that ship with the game have such events.
    MDX2104 "event name without a meaning" Warning for EVERY => event_name;
    /// The event runs on a global sequence that does not exist; the game reads beyond its list and may crash.
    MDX2105 "event refers to a missing global sequence" Error for EVERY => event_global;
    /// The time is not in any sequence, so that the event never happens.
    MDX2106 "event that never happens" Unused for EVERY => event_outside;
    /// The game reliably shows lights that begin to fade at 80 or more and end at 200 or less.
    MDX2107 "unusual light range" Warning for EVERY => light_range;
    /// The light ends at or before the distance where it begins to fade; it is drawn as a hard spot or not at all.
    MDX2108 "light ends before it fades" Warning for EVERY => light_backwards;
    /// The near plane must lie in front of the far one, and both in front of the camera; otherwise the camera shows nothing.
    MDX2109 "camera planes out of order" Severe for EVERY => camera_planes;
    /// The path of a face animation must end in `.facefx` or `.facefx_ingame`; the game does not load other files.
    MDX2110 "face animation path is not a .facefx" Error for EVERY => face_path;
    /// The plane has the eight bytes of Blizzard's own layout, where the community's tools write and expect 24 or 28. They read past
    /// its end and refuse or crash on the whole file; whether every game version reads it is not known. Replace it with a box.
    MDX2111 "collision plane that tools cannot read" Error for EVERY => short_plane;
}

fn no_origin(model: &Facts<'_>, found: &mut Findings) {
    let is_origin = |name: &str| name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("origin"));
    let any = model.attachments.iter().any(|attachment| is_origin(attachment.node.name.text().trim()));
    if model.dialect() == Dialect::Warcraft3 && !any && !super::nodes::hides(model, b"ATCH") {
        found.add("ATCH", "no attachment has the name Origin Ref");
    }
}

pub(super) fn ends_with(path: &[u8], extensions: &[&str]) -> bool {
    let path = path.to_ascii_lowercase();
    extensions.iter().any(|extension| path.ends_with(extension.as_bytes()))
}

fn attachment_path(model: &Facts<'_>, found: &mut Findings) {
    for (index, attachment) in model.attachments.iter().enumerate().filter(|(_, one)| !one.path.is_empty()) {
        if !ends_with(attachment.path.text_bytes(), &[".mdl", ".mdx"]) {
            found.add(
                format!("ATCH[{index}].path"),
                format!("\"{}\" is not a .mdl or .mdx file", attachment.path),
            );
        }
    }
}

fn event_without_times(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, event) in model.event_objects.iter().enumerate() {
        if event.track.as_ref().is_none_or(|track| track.times.is_empty()) {
            found.add(format!("EVTS[{index}]"), format!("\"{}\" has no time", event.node.name));
        }
    }
}

/// The kinds of events.
const EVENTS: [&[u8]; 5] = [b"SND", b"FPT", b"SPL", b"UBR", b"SPN"];

fn event_name(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, event) in model.event_objects.iter().enumerate() {
        let name = event.node.name.text_bytes();
        let known =
            EVENTS.iter().any(|event| name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(event)));
        if !known || name.len() != 8 {
            let message = format!("\"{}\" is not of the form SNDxABCD", event.node.name);
            found.add(format!("EVTS[{index}].node.name"), message);
        }
    }
}

fn event_global(model: &Facts<'_>, found: &mut Findings) {
    let count = model.global_sequences.len();
    for (index, event) in model.event_objects.iter().enumerate() {
        if let Some(track) = &event.track
            && super::nodes::dangles(track.global_sequence, count)
        {
            let message =
                format!("global sequence {} does not exist, there are {count}", track.global_sequence);
            found.add(format!("EVTS[{index}].track.global_sequence"), message);
        }
    }
}

fn event_outside(model: &Facts<'_>, found: &mut Findings) {
    let clock = super::survey::Clock::new(model);
    for (index, event) in model.event_objects.iter().enumerate() {
        let Some(track) = event.track.as_ref().filter(|track| track.global_sequence < 0) else { continue };
        let outside = track.times.iter().filter(|time| **time != 0 && !clock.plays(**time)).count();
        if outside > 0 && !model.sequences.is_empty() {
            let message = format!("{outside} of {} times are not in any sequence", track.times.len());
            found.add(format!("EVTS[{index}].track.times"), message);
        }
    }
}

fn light_range(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, light) in model.lights.iter().enumerate() {
        let (start, end) = (light.attenuation_start, light.attenuation_end);
        if start < 80.0 || end > 200.0 {
            let message = format!("it fades from {start} to {end}; 80 to 200 are safe");
            found.add(format!("LITE[{index}].attenuation_start"), message);
        }
    }
}

fn light_backwards(model: &Facts<'_>, found: &mut Findings) {
    for (index, light) in model.lights.iter().enumerate() {
        let (start, end) = (light.attenuation_start, light.attenuation_end);
        if end <= start {
            found.add(format!("LITE[{index}].attenuation_end"), format!("it fades from {start} to {end}"));
        }
    }
}

fn camera_planes(model: &Facts<'_>, found: &mut Findings) {
    for (index, camera) in model.cameras.iter().enumerate() {
        let (near, far) = (camera.near_clip, camera.far_clip);
        if near < 0.0 || far <= near {
            let message = format!("\"{}\" shows what is {near} to {far} away", camera.name);
            found.add(format!("CAMS[{index}].far_clip"), message);
        }
    }
}

fn face_path(model: &Facts<'_>, found: &mut Findings) {
    for (index, face) in model.face_fx.iter().enumerate().filter(|(_, face)| !face.path.is_empty()) {
        if !ends_with(face.path.text_bytes(), &[".facefx", ".facefx_ingame"]) {
            found.add(format!("FAFX[{index}].path"), format!("\"{}\" is not a .facefx file", face.path));
        }
    }
}

fn short_plane(model: &Facts<'_>, found: &mut Findings) {
    for (index, shape) in model.collision_shapes.iter().enumerate() {
        if let Shape::Plane { length, width } = shape.shape {
            found.add(
                format!("CLID[{index}].shape"),
                format!("a plane of {length} by {width} in eight bytes"),
            );
        }
    }
}

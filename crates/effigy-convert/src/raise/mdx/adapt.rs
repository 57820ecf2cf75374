//! A scene of another game, changed to Warcraft III's units, timeline, names and rules.

use super::footsteps::{self, Footsteps};
use super::{emitters, extras};
use crate::raise::looks::{self, LookRules};
use crate::raise::objects::{self, NameList, ObjectNames};
use crate::raise::table::{ATTACHMENTS, HELM};
use crate::raise::timeline::{self, Clip};
use crate::raise::{RaiseOptions, RaisedTexture, keys, root, scale, units};
use effigy_m2::ParticleFlags;
use effigy_mdx::Caps;
use effigy_scene::{
    Animated, Attachment, Extra, Id, Interpolation, Node, NodeKind, ParticleEmitter, Scene, Sequence, Track,
    ValidScene, validate,
};
use effigy_wire::{Outcome, Report, Result};

/// Speeds of creatures that state none, in yards per second: walk, run, sprint.
const SPEEDS: [(&str, f32); 3] = [("Walk Fast", 11.9), ("Walk", 7.0), ("Walk Swim", 4.7)];
/// What the writer gets: the scene, the textures to write, old and new names of sequences.
type Adapted = (ValidScene, Vec<RaisedTexture>, Vec<(String, Option<String>)>);

pub(super) fn adapt(
    source: &ValidScene,
    options: &RaiseOptions,
    caps: Caps,
    objects: &mut ObjectNames,
    report: &mut Report,
) -> Result<Adapted> {
    let (mut scene, by) = scale::into_game(source, options, units::Unit::Warcraft, false);
    speeds(&mut scene, by);
    root::node_rules(&mut scene, report);
    let physical = caps.contains(Caps::EMISSIVE);
    let rules =
        LookRules { physical, lods: caps.contains(Caps::GEOSET_LOD), folder: &options.texture_folder };
    let textures = looks::looks(&mut scene, rules, report);
    let scene = validate(scene)?;
    let clips = timeline::plan(&scene, options, report);
    let mut scene = keys::retimed(&scene, &clips, options, keys::WARCRAFT, report)?;
    let depth = (units::scene_height(source, options) * by).max(1.0);
    root::add_root(&mut scene, &clips, depth);
    particles(&mut scene, &clips, report);
    attachments(&mut scene, options, &mut objects.attachments, report);
    events(&mut scene, &clips, options, &mut objects.events, report);
    cameras(&mut scene);
    let names =
        source.sequences.iter().map(|(id, sequence)| (sequence.name.clone(), new_name(&clips, id))).collect();
    Ok((validate(scene)?, textures, names))
}

fn new_name(clips: &[Clip], id: Id<Sequence>) -> Option<String> {
    let clips = clips.iter().filter(|clip| clip.source == Some(id) && clip.hold.is_none());
    // What was made from it is not its name, unless there is nothing else.
    clips.min_by_key(|clip| clip.made).map(|clip| clip.name.clone())
}

/// Creatures that walk without a stated speed get a usual one.
fn speeds(scene: &mut Scene, by: f32) {
    if !timeline::is_world(scene) {
        return;
    }
    let speed = |id: u16| match id {
        4 => 2.5,
        5 => SPEEDS[1].1,
        143 => SPEEDS[0].1,
        42 => SPEEDS[2].1,
        _ => 0.0,
    };
    for sequence in scene.sequences.as_mut_slice() {
        if sequence.move_speed == 0.0 {
            sequence.move_speed = timeline::animation(sequence).map_or(0.0, speed) * by;
        }
    }
}

/// Particles with what Warcraft III has for them.
fn particles(scene: &mut Scene, clips: &[Clip], report: &mut Report) {
    let mut notes: Vec<(&str, f32)> = Vec::new();
    let mut note = |what: &'static str, size: f32| match notes.iter_mut().find(|(known, _)| *known == what) {
        Some((_, largest)) => *largest = largest.max(size),
        None => notes.push((what, size)),
    };
    let most = |value: &Animated<f32>| match &value.track {
        Some(track) => track.values.iter().copied().fold(0.0, f32::max),
        None => value.base,
    };
    let is_m2 = units::format(scene) == "m2";
    for emitter in scene.emitters.as_mut_slice() {
        if is_m2 {
            behaviour(emitter, &mut note);
        }
        if !emitters::is_plane(&emitter.shape) {
            note(
                "particles that start on a sphere or a curve start in its rectangle and fly in all directions",
                0.0,
            );
            let radius = most(&emitter.length).max(most(&emitter.width));
            emitter.length = Animated::fixed(2.0 * radius);
            emitter.width = Animated::fixed(2.0 * radius);
            emitter.latitude = Animated::fixed(std::f32::consts::PI);
            emitter.longitude = Animated::fixed(std::f32::consts::PI);
        }
        let life = most(&emitter.lifespan);
        if emitter.lifespan.is_animated() {
            note("a life that changes becomes its longest", life);
        }
        emitter.lifespan = Animated::fixed(life.max(0.0));
        let turn = most(&emitter.longitude);
        if turn > 0.0 && turn < 3.0 {
            note("a limited longitude has no place; particles fly all around (limit in radians)", turn);
        }
        if turn != 0.0 {
            emitter.longitude = Animated::fixed(std::f32::consts::PI);
        }
        if emitter.z_source != Animated::fixed(0.0) {
            note("particles that fly away from a point fly along their emitter", 0.0);
            emitter.z_source = Animated::fixed(0.0);
        }
        if emitter.drag > 0.0 && life > 0.0 {
            // The speed that goes as far in the same life.
            let loss = emitter.drag * life;
            let share = (1.0 - (-loss).exp()) / loss;
            note("drag becomes a lower speed that goes as far (share of the speed that is left)", share);
            scale_values(&mut emitter.speed, share);
            emitter.drag = 0.0;
        }
        if emitter.spin != 0.0 {
            note("spinning has no place (radians per second)", emitter.spin.abs());
            emitter.spin = 0.0;
        }
        if emitter.tail_grows && emitter.tail {
            // How long a tail is on average that grows with the age of its particle.
            let grown = emitter.tail_length.min(life);
            emitter.tail_length = if life > 0.0 { grown - grown * grown / (2.0 * life) } else { 0.0 };
            note("tails that grow have their mean length at once (seconds)", emitter.tail_length);
            emitter.tail_grows = false;
        }
        emitter.over_life.middle = emitter.over_life.middle.clamp(0.0, 1.0);
        if emitter.flat && most(&emitter.speed) <= 0.0 {
            note(
                "flat particles without speed get a small one, since the game does not show them otherwise",
                0.01,
            );
            emitter.speed = Animated::fixed(0.01);
        }
        if emitter.squirt && !emitter.rate.is_animated() {
            emitter.rate.track = Some(bursts(emitter.rate.base, &emitter.visibility, clips));
        }
        for (name, text) in [
            ("geometryModel", "particles that are models become squares"),
            ("recursionModel", "emitters on particles have no place"),
        ] {
            if extras::text(&emitter.extras, name).is_some_and(|path| !path.is_empty()) {
                note(text, 0.0);
            }
        }
        if let Some(Extra::Floats(twinkle)) = emitter.extras.get("twinkle")
            && twinkle.iter().all(|number| *number != 0.0)
            && !twinkle.is_empty()
        {
            note("twinkling has no place", 0.0);
        }
        if let Some(&[x, y, z]) = extras::floats(&emitter.extras, "wind")
            && [x, y, z] != [0.0; 3]
        {
            note("wind has no place (units per second)", x.abs().max(y.abs()).max(z.abs()));
        }
    }
    for (what, size) in notes {
        let text = if size > 0.0 { format!("{what}: at most {size:.2}") } else { what.to_owned() };
        report.approximated("particles", text);
    }
}

/// What only World of Warcraft's particles do.
fn behaviour(emitter: &ParticleEmitter, note: &mut impl FnMut(&'static str, f32)) {
    let bits = extras::word(&emitter.extras, "flags").unwrap_or(0);
    let flags = ParticleFlags::from_bits_retain(bits);
    for (flag, text) in [
        (ParticleFlags::FOLLOW, "particles that follow their emitter stay behind"),
        (ParticleFlags::RANDOM_CELL, "particles that show a random picture show the same one"),
        (ParticleFlags::INHERIT_VELOCITY, "particles do not start with the velocity of their emitter"),
    ] {
        if flags.contains(flag) {
            note(text, 0.0);
        }
    }
    let sizes = extras::floats(&emitter.extras, "scaleValues").unwrap_or_default().as_chunks::<2>().0;
    let uneven = |[x, y]: &[f32; 2]| if *x == *y { 0.0 } else { (x.max(*y) / x.min(*y).max(1e-6)).abs() };
    let most = sizes.iter().map(uneven).fold(0.0, f32::max);
    if most > 1.001 {
        note("particles that are longer in one direction become square (length over width)", most);
    }
}

fn scale_values(value: &mut Animated<f32>, by: f32) {
    value.base *= by;
    for key in value
        .track
        .iter_mut()
        .flat_map(|track| track.values.iter_mut().chain(track.tangents.iter_mut().flatten()))
    {
        *key *= by;
    }
}

/// Milliseconds for which the rate of a burst is there: the game emits when it changes.
const BURST: i32 = 33;

/// A burst whenever the emitter is switched on: at the start of a sequence, or within it.
fn bursts(rate: f32, visibility: &Animated<f32>, clips: &[Clip]) -> Track<f32> {
    let mut track = Track::linear(Vec::new(), Vec::new(), 0.0);
    track.interpolation = Interpolation::Step;
    for clip in clips {
        let mut put = |time: i32, value: f32| {
            if track.times.last().is_none_or(|last| *last < time) {
                track.times.push(time);
                track.values.push(value);
            }
        };
        let starts = if clip.is_quiet() { Vec::new() } else { switched_on(visibility, clip) };
        if starts.first() != Some(&clip.start) {
            put(clip.start, 0.0);
        }
        for (at, start) in starts.iter().enumerate() {
            put(*start, rate);
            // The next burst needs a change of the rate, too.
            let next = starts.get(at.saturating_add(1)).map_or(clip.end, |next| next.saturating_sub(1));
            put(start.saturating_add(BURST).min(next), 0.0);
        }
        put(clip.end, 0.0);
    }
    track
}

/// When something that is hidden before a sequence begins to be shown in it.
fn switched_on(visibility: &Animated<f32>, clip: &Clip) -> Vec<i32> {
    let Some(track) = &visibility.track else {
        return if visibility.base > 0.0 { vec![clip.start] } else { Vec::new() };
    };
    let keys = track.times.iter().zip(&track.values);
    let inside = keys.filter(|(time, _)| (clip.start..clip.end).contains(*time));
    let mut shown = false;
    let mut starts = Vec::new();
    for (time, value) in inside {
        if *value > 0.0 && !shown {
            starts.push(*time);
        }
        shown = *value > 0.0;
    }
    starts
}

/// Attachments by the names that the game looks for.
fn attachments(scene: &mut Scene, options: &RaiseOptions, names: &mut NameList, report: &mut Report) {
    let world = timeline::is_world(scene);
    let head = ATTACHMENTS.iter().find(|(_, name)| *name == "Head Ref").map_or(0, |(number, _)| *number);
    let has_head = scene.attachments.as_slice().iter().any(|it| it.number == head);
    let mut left = 0_usize;
    let mut kept = Vec::new();
    let mut names = objects::kept(names);
    for mut attachment in std::mem::take(&mut scene.attachments) {
        // Those of other games have it already.
        let chosen = options.names.attachments.get(&attachment.name).filter(|_| world).cloned();
        let known =
            ATTACHMENTS.iter().find(|(number, _)| *number == attachment.number).map(|(_, name)| *name);
        let helm = (attachment.number == HELM && !has_head).then_some("Head Ref");
        let name = match (chosen, world) {
            (Some(name), _) => Some(name).filter(|name| !name.is_empty()),
            (None, true) => known.or(helm).map(str::to_owned),
            (None, false) => Some(attachment.name.clone()),
        };
        if let Some(entry) = names.next() {
            entry.clone_from(&name);
        }
        match name {
            Some(name) => {
                attachment.name = name;
                kept.push(attachment);
            }
            None => left += 1,
        }
    }
    if left > 0 {
        report.dropped("attachments", format!("{left} have no counterpart in Warcraft III"));
    }
    if !kept.iter().any(|it| it.name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("origin"))) {
        let node = scene.nodes.push(Node::new("Origin Ref", NodeKind::Attachment, None, [0.0; 3]));
        kept.push(Attachment {
            name: "Origin Ref".to_owned(),
            number: 0,
            node,
            position: [0.0; 3],
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
    }
    scene.attachments = kept.into_iter().collect();
}

/// Footsteps become footprints; moments of a blow or a spell are fields of the editor and are only reported.
fn events(
    scene: &mut Scene,
    clips: &[Clip],
    options: &RaiseOptions,
    names: &mut NameList,
    report: &mut Report,
) {
    if !timeline::is_world(scene) {
        return;
    }
    let mut left = 0_usize;
    let mut kept = Vec::new();
    let mut names = objects::kept(names);
    let is_chosen =
        |name: &String| !name.starts_with('$') && options.names.events.values().any(|chosen| chosen == name);
    let mut steps = Footsteps::new(scene.events.as_slice().iter());
    for mut event in std::mem::take(&mut scene.events) {
        let entry = names.next();
        if is_chosen(&event.name) && !event.times.is_empty() {
            kept.push(event);
            continue;
        }
        if footsteps::is_footfall(&event) {
            // Its name stays in the list: it becomes two.
            kept.extend(steps.prints(event));
            continue;
        }
        let side = match event.name.get(..3) {
            Some("$FL" | "$RL" | "$WL") => Some(footsteps::LEFT),
            Some("$FR" | "$RR" | "$WR") => Some(footsteps::RIGHT),
            _ => None,
        };
        let point = match event.name.as_str() {
            "$HIT" | "$CAH" => Some("damage point"),
            "$CST" | "$CSL" | "$CSR" => Some("cast point"),
            _ => None,
        };
        let side = side.filter(|_| !event.times.is_empty());
        if let Some(entry) = entry {
            *entry = side.map(str::to_owned);
        }
        if let Some(name) = side {
            event.name = name.to_owned();
            kept.push(event);
            continue;
        }
        if let Some(point) = point {
            for clip in clips.iter().filter(|clip| clip.hold.is_none()) {
                if let Some(time) = event.times.iter().find(|time| (clip.start..=clip.end).contains(time)) {
                    let seconds = f64::from(time.saturating_sub(clip.start)) / 1000.0;
                    let text =
                        format!("{point} of {}: {seconds:.2} s, a field of the Object Editor", clip.name);
                    report.add(Outcome::KeptAside, format!("event {}", event.name), text);
                }
            }
            continue;
        }
        left += 1;
    }
    steps.report(report);
    if left > 0 {
        report.dropped(
            "events",
            format!("{left} are sounds and places that Warcraft III has other tables for"),
        );
    }
    scene.events = kept.into_iter().collect();
}

/// Planes of cameras in order, as the game needs them.
fn cameras(scene: &mut Scene) {
    for camera in scene.cameras.as_mut_slice() {
        camera.near = if camera.near > 0.0 { camera.near } else { 1.0 };
        if camera.far <= camera.near {
            camera.far = camera.near * 1000.0;
        }
    }
}

#[cfg(test)]
mod tests;

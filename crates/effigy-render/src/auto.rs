//! The camera and the sequence that show a model as people expect it.
//!
//! Portraits and scenes, such as the screens behind menus, are made for their own camera; a free camera would show a wall.
//! Flat models are seen face on. Everything else is seen from between front and side.

use crate::camera::{Camera, Direction};
use crate::framing::{Span, Subject};
use crate::picture::Picture;
use crate::stage::Stage;
use effigy_scene::sample::Moment;
use effigy_scene::{Billboard, Bounds, Id, NodeRule, Scene, Sequence};
use glam::Vec3;

/// Words in names of sequences that only units and buildings have. A scene or a portrait has none of them.
const UNIT: [&str; 7] = ["walk", "run", "attack", "death", "spell", "birth", "decay"];
/// Beginnings of names of models that are scenes.
const SCENES: [&str; 4] = ["ui_", "loadingscreen", "mainmenu", "flyby"];
/// A model is flat if it is thinner than this share of its second side.
const FLAT: f32 = 0.02;

/// How a model is best seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Best {
    /// Through its camera of this number: a portrait, or a scene.
    Own(usize),
    /// From a direction.
    From(Direction),
}

/// The last part of a path, without its extension, in lower case.
fn stem(name: &str) -> String {
    let file = name.rsplit(['\\', '/']).next().unwrap_or_default().to_lowercase();
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => file,
    }
}

/// Whether the name of a model, or of its file, says that it is made for a camera of its own: a portrait
/// (`Footman_Portrait.mdx`) or a scene (`UI_MainMenu.m2`).
#[must_use]
pub fn names_a_view(name: &str) -> bool {
    let stem = stem(name);
    names_a_portrait(&stem) || SCENES.iter().any(|scene| stem.starts_with(scene)) || stem.contains("flyby")
}

fn names_a_portrait(name: &str) -> bool {
    stem(name).trim_end_matches(|end: char| end.is_ascii_digit()).ends_with("portrait")
}

fn words(name: &str) -> Vec<String> {
    let parts = name.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

fn is_unit(scene: &Scene) -> bool {
    let sequences = scene.sequences.as_slice();
    sequences.iter().any(|sequence| words(&sequence.name).iter().any(|word| UNIT.contains(&word.as_str())))
}

/// Whether a model is a portrait: it is called one, or it has a sequence for portraits and none of a unit.
pub(crate) fn is_portrait(scene: &Scene) -> bool {
    let has_portrait = || {
        let mut sequences = scene.sequences.as_slice().iter();
        sequences.any(|sequence| sequence.name.to_lowercase().contains("portrait"))
    };
    names_a_portrait(&scene.name) || (has_portrait() && !is_unit(scene))
}

/// Whether the first camera of a model is inside the box around it.
fn is_inside(stage: &Stage, subject: &Subject) -> bool {
    let Some(camera) = stage.scene().cameras.as_slice().first() else { return false };
    let eye = stage.sampler().camera(camera, &Moment::default()).position;
    let Bounds { min, max, .. } = subject.bounds;
    eye.iter().zip(min).zip(max).all(|((at, low), high)| *at > low && *at < high)
}

/// The side from which a flat model is seen face on; none for a model that is not flat.
pub(crate) fn face_of(stage: &Stage, subject: &Subject) -> Option<Direction> {
    let scene = stage.scene();
    let turns = scene.nodes.as_slice().iter().any(|node| node.billboard != Billboard::None);
    if turns || stage.has_effects() || subject.bounds.is_empty() {
        return None;
    }
    let size = Vec3::from(subject.bounds.max) - Vec3::from(subject.bounds.min);
    let mut sides = size.to_array();
    sides.sort_unstable_by(f32::total_cmp);
    let [thin, next, _] = sides;
    if thin > next * FLAT || next <= 0.0 {
        return None;
    }
    let axes = [(size.x, Vec3::X), (size.y, Vec3::NEG_Y), (size.z, Vec3::Z)];
    let (_, axis) = axes.into_iter().min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let behind = subject.facing.dot(axis) < 0.0;
    Some(Direction::along(if behind { -axis } else { axis }))
}

/// How a model is best seen.
pub(crate) fn best(stage: &Stage, subject: &Subject) -> Best {
    let scene = stage.scene();
    let own = !scene.cameras.is_empty()
        && (is_portrait(scene)
            || names_a_view(&scene.name)
            || (!is_unit(scene)
                && (scene.node_rule == NodeRule::World
                    || is_inside(stage, subject)
                    || face_of(stage, subject).is_some())));
    if own {
        return Best::Own(0);
    }
    Best::From(face_of(stage, subject).unwrap_or(Direction::THREE_QUARTER))
}

/// How far the name of a sequence is from a plain stand; none for one that is not a stand.
fn distance_from_stand(name: &str) -> Option<(usize, u32)> {
    let words = words(name);
    let (first, rest) = words.split_first()?;
    if !first.starts_with("stand") {
        return None;
    }
    let joined = if first == "stand" { 0 } else { 4 };
    let number = rest.iter().find_map(|word| word.parse().ok()).unwrap_or(0);
    // What was built or has changed is farther from a plain stand than what the unit does.
    let weight = |word: &String| match word.as_str() {
        word if word.parse::<u32>().is_ok() => 0,
        "alternate" | "upgrade" | "swim" | "portrait" | "cinematic" => 3,
        _ => 1,
    };
    Some((joined + rest.iter().map(weight).sum::<usize>(), number))
}

impl Stage {
    /// The sequence that best shows the model: a plain stand before other stands, else a birth, else the first. A portrait
    /// plays a sequence for portraits, a soldier of Wolfenstein his plainest idle.
    #[must_use]
    pub fn default_sequence(scene: &Scene) -> Option<Id<Sequence>> {
        if is_portrait(scene)
            && let Some(found) = Self::portrait_sequence(scene)
        {
            return Some(found);
        }
        if scene.node_rule == NodeRule::Wolfenstein
            && let Some(found) = effigy_scene::idle_sequence(&scene.sequences)
        {
            return Some(found);
        }
        let named = |test: &dyn Fn(&str) -> bool| {
            scene.sequences.iter().find(|(_, sequence)| test(&sequence.name.to_lowercase())).map(|(id, _)| id)
        };
        let stands =
            scene.sequences.iter().filter_map(|(id, found)| Some((distance_from_stand(&found.name)?, id)));
        stands
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, id)| id)
            .or_else(|| Self::portrait_sequence(scene))
            .or_else(|| named(&|name| name.starts_with("birth")))
            .or_else(|| scene.sequences.id(0))
    }

    /// Goes to the moment that [`crate::Renderer::take`] shows where nobody asks for one, and returns the camera of that picture, in this
    /// width / height. Unlike it, nothing else is tried where that moment shows nothing.
    pub fn pose_for_still(&mut self, aspect: f32) -> Camera {
        let sequence = Self::default_sequence(self.scene());
        let length = sequence.and_then(|id| self.scene().sequences.get(id)).map_or(0, Sequence::length);
        // A model of frames is framed by the first, in which it is whole.
        let frames = self.scene().meshes.as_slice().iter().any(|mesh| mesh.morph.is_some());
        let (framed, time) = match frames {
            true => (None, 0.0),
            false => (sequence, Picture::default().milliseconds(f64::from(length))),
        };
        match best(self, &self.subject(sequence, Span::At(0.0), None)) {
            Best::From(direction) => {
                let subject = self.subject_from(framed, Span::At(time), direction, aspect);
                let camera = Camera::around(&subject.points, direction, aspect);
                self.start(sequence, time, Some(&camera.view));
                camera
            }
            Best::Own(number) => {
                let bounds = self.subject(framed, Span::At(time), None).bounds;
                self.start(sequence, time, None);
                let own = self.scene().cameras.as_slice().get(number);
                let pose = own.map(|own| self.sampler().camera(own, self.pose().moment()));
                let camera = match pose {
                    Some(pose) => Camera::of_model(&pose, aspect, &bounds),
                    None => self.camera(sequence, Direction::FRONT, aspect),
                };
                self.show(Some(&camera.view));
                camera
            }
        }
    }

    /// The plainest sequence for portraits; none where the model has no such sequence.
    #[must_use]
    pub fn portrait_sequence(scene: &Scene) -> Option<Id<Sequence>> {
        let distance = |name: &str| {
            let words = words(name);
            let at = words.iter().position(|word| word == "portrait")?;
            let talks = words.iter().any(|word| word == "talk");
            let number: u32 = words.iter().find_map(|word| word.parse().ok()).unwrap_or(0);
            Some((talks, words.iter().filter(|word| word.parse::<u32>().is_err()).count(), at, number))
        };
        let all = scene.sequences.iter().filter_map(|(id, found)| Some((distance(&found.name)?, id)));
        all.min_by_key(|(distance, _)| *distance).map(|(_, id)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(name: &str, sequences: &[&str]) -> Scene {
        let mut scene = Scene { name: name.into(), ..Scene::default() };
        for name in sequences {
            scene.sequences.push(Sequence { name: (*name).into(), ..Sequence::default() });
        }
        scene
    }

    #[test]
    fn a_plain_stand_comes_first() {
        for (names, expected) in [
            (vec!["Walk", "Stand Alternate", "Stand - 2", "Stand -1", "Stand"], 4),
            (vec!["Stand Upgrade First", "Stand Ready", "Stand - 3", "Stand - 2"], 3),
            (vec!["StandWound", "Stand 1", "Death"], 1),
            (vec!["Stand Alternate", "Stand Ready"], 1),
            (vec!["Death", "Birth"], 1),
            (vec!["Death", "Portrait Talk", "Portrait"], 2),
        ] {
            let found = Stage::default_sequence(&scene("Footman", &names)).unwrap();
            assert_eq!(found.index(), expected, "{names:?}");
        }
        assert!(Stage::default_sequence(&scene("Footman", &[])).is_none());
    }

    #[test]
    fn a_soldier_waits() {
        let names = ["death_gut", "stand_binoculars", "relaxed_idle_2h_1", "alert_idle_2h"];
        let soldier = Scene { node_rule: NodeRule::Wolfenstein, ..scene("body", &names) };
        assert_eq!(Stage::default_sequence(&soldier).unwrap().index(), 2);
        // Without an idle it is the first.
        let seated = Scene { node_rule: NodeRule::Wolfenstein, ..scene("body", &["seated", "base_frame"]) };
        assert_eq!(Stage::default_sequence(&seated).unwrap().index(), 0);
    }

    #[test]
    fn a_portrait_plays_its_sequence() {
        let names = ["Stand", "Portrait Talk", "Portrait - 2", "Portrait - 1"];
        assert_eq!(Stage::default_sequence(&scene("Peon_Portrait", &names)).unwrap().index(), 3);
        // Without a name, a model of only these is a portrait; one that walks is not.
        assert_eq!(Stage::default_sequence(&scene("Peon", &names)).unwrap().index(), 3);
        let names = ["Stand", "Walk", "Portrait"];
        assert_eq!(Stage::default_sequence(&scene("Peon", &names)).unwrap().index(), 0);
    }

    #[test]
    fn names_say_what_a_model_is_made_for() {
        for name in
            [r"Units\Human\Footman_Portrait.mdx", "UI_MainMenu.m2", "thrall_portrait1.mdx", "FlyByOrc.m2"]
        {
            assert!(names_a_view(name), "{name}");
        }
        for name in ["Footman.mdx", "PortraitFrame.mdx", "guide_ui_x.m2", ""] {
            assert!(!names_a_view(name), "{name}");
        }
    }
}

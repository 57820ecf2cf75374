//! What a program shows where nothing plays, and the order of the animations.

use crate::ExportOptions;
use effigy_scene::sample::Moment;
use effigy_scene::{Id, NodeRule, Scene, Sequence, idle_sequence};
use effigy_wire::{Error, Kind, Result};

/// Names that a message lists, at most.
const MOST_NAMES: usize = 20;

/// Words in the names of sequences that hold a message of the author instead of a motion.
const CREDITS: &[&str] = &[
    "http",
    "www.",
    ".com",
    ".net",
    ".org",
    "made by",
    "created by",
    "model by",
    "credit",
    "author",
    "copyright",
];

fn is_stand(sequence: &Sequence) -> bool {
    sequence.name.get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("stand"))
}

fn is_credit(sequence: &Sequence) -> bool {
    let name = sequence.name.to_lowercase();
    CREDITS.iter().any(|word| name.contains(word))
}

/// All sequences: the first Stand (of a soldier of Wolfenstein his plainest idle), then the others in the order of the file,
/// then credits.
pub(super) fn play_list(scene: &Scene) -> Vec<Id<Sequence>> {
    let stand = || scene.sequences.iter().find(|(_, it)| is_stand(it) && !is_credit(it)).map(|(id, _)| id);
    let idle = idle_sequence(&scene.sequences).filter(|_| scene.node_rule == NodeRule::Wolfenstein);
    let first = idle.or_else(stand);
    let mut list: Vec<_> = scene.sequences.iter().collect();
    list.sort_by_cached_key(|(id, sequence)| (Some(*id) != first, is_credit(sequence)));
    list.into_iter().map(|(id, _)| id).collect()
}

/// The state where nothing plays: the pose of the options, or the beginning of the first Stand, or of the first sequence.
pub(super) fn moment(scene: &Scene, options: &ExportOptions) -> Result<Moment> {
    let named = |name: &str| scene.sequences.iter().find(|(_, it)| it.name.eq_ignore_ascii_case(name));
    if let Some(still) = &options.pose {
        let Some((id, sequence)) = named(&still.sequence) else {
            return Err(no_sequence(scene, &still.sequence));
        };
        let time = f64::from(still.time * 1000.0).clamp(0.0, f64::from(sequence.length()));
        return Ok(Moment { sequence: Some(id), time, clock: time });
    }
    if let Some(first) = options.animations.first()
        && !options.animations.iter().any(|name| named(name).is_some())
    {
        return Err(no_sequence(scene, first));
    }
    Ok(Moment { sequence: play_list(scene).first().copied(), time: 0.0, clock: 0.0 })
}

fn no_sequence(scene: &Scene, name: &str) -> Error {
    let names: Vec<&str> =
        scene.sequences.as_slice().iter().map(|it| it.name.as_str()).take(MOST_NAMES).collect();
    let error = Error::new(Kind::Usage, format!("there is no sequence '{name}'"));
    if names.is_empty() { error } else { error.hint(format!("there are: {}", names.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stand_is_first_and_credits_are_last() {
        let mut scene = Scene::default();
        for name in ["Made by Somebody", "Birth", "stand - 1", "Stand", "Visit www.example.com", "Death"] {
            scene.sequences.push(Sequence { name: name.into(), ..Sequence::default() });
        }
        let order: Vec<usize> = play_list(&scene).into_iter().map(Id::index).collect();
        assert_eq!(order, [2, 1, 3, 5, 0, 4]);
        let at_rest =
            |scene: &Scene| moment(scene, &ExportOptions::default()).ok().and_then(|it| it.sequence);
        assert_eq!(at_rest(&scene).map(Id::index), Some(2));
        assert_eq!(at_rest(&Scene::default()), None);
    }

    #[test]
    fn a_soldier_rests_in_his_plainest_idle() {
        let mut scene = Scene { node_rule: NodeRule::Wolfenstein, ..Scene::default() };
        for name in ["death_gut", "stand_binoculars", "alert_idle_2h"] {
            scene.sequences.push(Sequence { name: name.into(), ..Sequence::default() });
        }
        let order: Vec<usize> = play_list(&scene).into_iter().map(Id::index).collect();
        assert_eq!(order, [2, 0, 1]);
    }
}

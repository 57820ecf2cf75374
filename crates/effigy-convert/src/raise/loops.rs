//! Which sequences start again at their end.
//!
//! Formats of games say it for each sequence. glTF does not: there it follows from the name, by the words of Warcraft III, unless the
//! file says it in a note of our own.

use super::{Names, names, table, units, words};
use effigy_scene::{Extra, Scene, Sequence};

/// The extra in which `effigy_gltf` keeps what a file says itself.
const STATED: &str = "loops";

/// Whether a sequence of glTF loops, by the name that it has in Warcraft III.
pub(super) fn by_name(sequence: &Sequence, name: &str) -> bool {
    match sequence.extras.get(STATED) {
        Some(Extra::Bool(stated)) => *stated,
        _ => names::loops(name),
    }
}

/// What a name of any program means in Warcraft III. Names of World of Warcraft say it exactly: a `StandWound` is not a Stand.
pub(super) fn meaning(name: &str) -> String {
    let row = effigy_m2::names::animation_id(words::title(name)).and_then(table::name_of);
    let guessed = || names::meaning(name).map(|(meaning, _)| meaning);
    row.map(str::to_owned).or_else(guessed).unwrap_or_else(|| name.to_owned())
}

/// Whether a sequence of a scene loops; `name` is what the user calls it, or its own name.
pub(super) fn of(scene: &Scene, sequence: &Sequence, name: &str) -> bool {
    if units::format(scene) == "gltf" { by_name(sequence, &meaning(name)) } else { sequence.looping }
}

/// Decides it for all sequences of a scene, so that also the sampler knows where they end.
pub(super) fn settle(scene: &mut Scene, chosen: &Names) {
    let loops = |it: &Sequence| of(scene, it, chosen.sequences.get(&it.name).unwrap_or(&it.name));
    let all: Vec<bool> = scene.sequences.as_slice().iter().map(loops).collect();
    for (sequence, looping) in scene.sequences.as_mut_slice().iter_mut().zip(all) {
        sequence.looping = looping;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(format: &str, names: &[&str]) -> Scene {
        let mut scene = Scene::default();
        scene.extras.set("format", format);
        for name in names {
            scene.sequences.push(Sequence { name: (*name).into(), looping: true, ..Sequence::default() });
        }
        scene
    }

    fn settled(mut scene: Scene, chosen: &Names) -> Vec<bool> {
        settle(&mut scene, chosen);
        scene.sequences.as_slice().iter().map(|it| it.looping).collect()
    }

    #[test]
    fn gltf_loops_by_the_meaning_of_its_names() {
        let names = [
            ("Idle", true),
            ("Death_A", false),
            ("Armature|Running_A-loop", true),
            ("1H_Melee_Attack_Chop", false),
            ("Hit_A", false),
            ("StandWound", false),
            ("AttackUnarmed", false),
            ("Something", true),
        ];
        let (all, expected): (Vec<_>, Vec<_>) = names.into_iter().unzip();
        assert_eq!(settled(scene("gltf", &all), &Names::default()), expected);
        // Other formats say it themselves.
        assert_eq!(settled(scene("mdx", &["Death", "Stand"]), &Names::default()), [true, true]);
    }

    #[test]
    fn the_name_that_the_user_chose_counts_and_what_the_file_says_wins() {
        let mut chosen = Names::default();
        for (old, new) in [("Pose", "Death"), ("Death", "Stand")] {
            chosen.sequences.insert(old.to_owned(), new.to_owned());
        }
        assert_eq!(settled(scene("gltf", &["Pose", "Death"]), &chosen), [false, true]);
        let mut stated = scene("gltf", &["Death", "Walk"]);
        for (sequence, loops) in stated.sequences.as_mut_slice().iter_mut().zip([true, false]) {
            sequence.extras.set("loops", loops);
        }
        assert_eq!(settled(stated, &Names::default()), [true, false]);
    }
}

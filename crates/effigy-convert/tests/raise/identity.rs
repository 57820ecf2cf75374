//! MDX to a scene and back: nothing is lost that the report does not name.

use crate::raise::posed;
use effigy_convert::raise::{self, RaiseOptions};
use effigy_mdx::{Dialect, Model};
use effigy_scene::{Arena, Extras, Id, Influence, Node, Scene, Skin, validate};
use effigy_testkit::{corpus, files};
use std::fmt::Debug;

/// The model that a scene becomes, read back from its bytes.
fn again(scene: Scene, version: u32) -> (Model, effigy_wire::Report) {
    let scene = validate(scene).unwrap();
    let raised = raise::mdx(&scene, &RaiseOptions { version, ..RaiseOptions::default() }).unwrap();
    let bytes = raised.model.write().unwrap();
    (effigy_mdx::read(&bytes).unwrap(), raised.report)
}

/// Takes out what changes although nothing is lost: ids, bits that the game does not use, radians that were degrees.
fn tidy(mut scene: Scene) -> Scene {
    // Files that state another version than the one they have the layout of.
    scene.extras.set("version", 0);
    scene.meshes.as_mut_slice().iter_mut().filter_map(|mesh| mesh.skin.as_mut()).for_each(tidy_skin);
    for node in scene.nodes.as_mut_slice() {
        node.extras = Extras::default();
    }
    for emitter in scene.emitters.as_mut_slice() {
        let latitude = &mut emitter.latitude;
        let values = latitude
            .track
            .iter_mut()
            .flat_map(|it| it.values.iter_mut().chain(it.tangents.iter_mut().flatten()));
        for value in values.chain([&mut latitude.base]) {
            *value = (*value * 1e4).round();
        }
    }
    scene
}

/// One group for each distinct list of nodes, in the order of the vertices; a node that is listed twice is listed once.
fn tidy_skin(skin: &mut Skin) {
    let mut made = Skin::default();
    type Known = (Vec<(Id<Node>, u32)>, u32);
    let mut known: Vec<Known> = Vec::new();
    for group in &skin.vertex_groups {
        let mut list: Vec<(Id<Node>, f32)> = Vec::new();
        for one in skin.group(*group) {
            match list.iter_mut().find(|(node, _)| *node == one.node) {
                Some((_, weight)) => *weight += one.weight,
                None => list.push((one.node, one.weight)),
            }
        }
        list.sort_by_key(|(node, _)| *node);
        let key: Vec<_> = list.iter().map(|(node, weight)| (*node, (weight * 1e5).round() as u32)).collect();
        let number = match known.iter().find(|(other, _)| *other == key) {
            Some((_, number)) => *number,
            None => {
                let weight =
                    |(node, weight): &(Id<Node>, u32)| Influence { node: *node, weight: *weight as f32 };
                let number = made.push_group(key.iter().map(weight));
                known.push((key, number));
                number
            }
        };
        made.vertex_groups.push(number);
    }
    *skin = made;
}

fn compare<T: PartialEq + Debug>(what: &str, a: &Arena<T>, b: &Arena<T>, found: &mut Vec<String>) {
    if a.len() != b.len() {
        found.push(format!("{what}: {} became {}", a.len(), b.len()));
    }
    for (at, (a, b)) in a.as_slice().iter().zip(b.as_slice()).enumerate() {
        if a != b {
            let (a, b) = (format!("{a:?}"), format!("{b:?}"));
            let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(60);
            let cut = |text: &str| text.chars().skip(same).take(160).collect::<String>();
            found.push(format!("{what}[{at}]:\n    {}\n    {}", cut(&a), cut(&b)));
        }
    }
}

fn differences(a: &Scene, b: &Scene) -> Vec<String> {
    let mut found = Vec::new();
    if (&a.name, a.blend_time, a.bounds) != (&b.name, b.blend_time, b.bounds) {
        found.push(format!("name, blend time or bounds: {:?} became {:?}", a.bounds, b.bounds));
    }
    if a.extras != b.extras {
        found.push(format!("extras: {:?} became {:?}", a.extras, b.extras));
    }
    macro_rules! each {
        ($($list:ident)*) => { $(compare(stringify!($list), &a.$list, &b.$list, &mut found);)* };
    }
    each!(nodes meshes materials textures texture_transforms sequences global_sequences attachments events cameras lights
        emitters ribbons effects shapes);
    found
}

/// Models that must come back, and those of them whose scenes must be equal.
const MODELS: usize = 224;
const EQUAL: usize = 215;
/// The largest distance of posed vertices, as a part of the size.
const NEAR: f32 = 1e-7;

#[test]
fn every_warcraft_model_comes_back_from_its_scene() {
    let Some(corpus) = corpus() else { return };
    let (mut models, mut exact, mut worst) = (0, 0, 0.0_f32);
    let mut wrong = Vec::new();
    for path in files(&corpus, |_| true) {
        let bytes = std::fs::read(&path).unwrap();
        if !effigy_mdx::sniff(&bytes) {
            continue;
        }
        let Ok(model) = effigy_mdx::read(&bytes) else { continue };
        if model.dialect() != Dialect::Warcraft3 {
            continue;
        }
        models += 1;
        let before = effigy_convert::mdx::lower(&model).scene;
        let (made, report) = again(before.clone(), model.layout());
        let after = effigy_convert::mdx::lower(&made).scene;
        let found = differences(&tidy(before.clone()), &tidy(after.clone()));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The bounds of geosets are not part of the scene.
        let told = report.notes().iter().any(|note| note.path != "geosets");
        if !found.is_empty() && !told {
            wrong.push(format!(
                "{name} ({}): {} differences, first {}",
                model.layout(),
                found.len(),
                found[0]
            ));
        }
        exact += usize::from(found.is_empty());
        let (before, after) = (validate(before).unwrap(), validate(after).unwrap());
        let pairs: Vec<_> =
            before.sequences.iter().zip(after.sequences.iter()).map(|((a, _), (b, _))| (a, b)).collect();
        let distance = posed::distance(&before, &after, 1.0, &pairs);
        if distance > NEAR {
            wrong.push(format!("{name}: vertices are off by {distance} of the size"));
        }
        worst = worst.max(distance);
    }
    println!("{models} models, {exact} with equal scenes, largest distance {worst:e}");
    assert!(wrong.is_empty(), "{} of {models}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(models >= MODELS && exact >= EQUAL, "only {models} models, {exact} equal");
}

/// Classic models as Reforged ones and back: weights that are not equal parts are the only thing that may move.
#[test]
fn vertices_stay_where_they_are_in_other_versions() {
    let Some(corpus) = corpus() else { return };
    let (mut models, mut worst) = (0, 0.0_f32);
    for path in files(&corpus, |name| name.ends_with(".mdx")) {
        let Ok(model) = effigy_mdx::read(&std::fs::read(&path).unwrap()) else { continue };
        if model.dialect() != Dialect::Warcraft3 {
            continue;
        }
        let before = effigy_convert::mdx::lower(&model).scene;
        for version in [800, 1000, 1100, 1800].into_iter().filter(|version| *version != model.layout()) {
            let (made, report) = again(before.clone(), version);
            let after = validate(effigy_convert::mdx::lower(&made).scene).unwrap();
            let before = validate(before.clone()).unwrap();
            let pairs: Vec<_> = before
                .sequences
                .iter()
                .zip(after.sequences.iter())
                .take(4)
                .map(|((a, _), (b, _))| (a, b))
                .collect();
            let distance = posed::distance(&before, &after, 1.0, &pairs);
            let stated = posed::stated(&report);
            // The report rounds to a hundredth of a percent and looks at other moments.
            let name = path.display();
            assert!(
                distance <= 1.5 * stated + 1e-4,
                "{name} as {version}: {distance}, and the report states {stated}"
            );
            worst = worst.max(distance);
            models += 1;
        }
    }
    println!("{models} conversions, the largest distance is {worst}");
}

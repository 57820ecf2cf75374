//! glTF files of other programs in Warcraft III and World of Warcraft.

use crate::raise::{creatures, posed};
use effigy_convert::raise::{self, RaiseOptions};
use effigy_scene::{Scene, ValidScene, validate};
use effigy_testkit::{files, gltf_inputs};

fn scenes() -> Option<Vec<(String, Scene)>> {
    let folder = gltf_inputs()?;
    let mut found = Vec::new();
    for path in files(&folder, |name| name.ends_with(".glb")) {
        let Ok(model) = effigy_gltf::Model::read(&std::fs::read(&path).unwrap()) else { continue };
        let Ok((scene, _)) = model.lower() else { continue };
        // Shapes that morph have no place in the format, and are reported.
        if scene.meshes.as_slice().iter().all(|mesh| mesh.morph.is_none()) && !scene.meshes.is_empty() {
            found.push((path.file_name().unwrap().to_string_lossy().into_owned(), scene));
        }
    }
    Some(found)
}

/// What a conversion has changed.
struct Measured {
    /// How far vertices are from where they were, as a part of the size.
    distance: f32,
    /// What the report states of the weights alone.
    stated: f32,
    /// How large the file is.
    bytes: usize,
}

fn measured(before: &ValidScene, options: &RaiseOptions) -> Measured {
    let raised = raise::mdx(before, options).unwrap();
    let bytes = raised.model.write().unwrap();
    let read = effigy_mdx::read(&bytes).unwrap();
    let after = validate(effigy_convert::mdx::lower(&read).scene).unwrap();
    let mut pairs = Vec::new();
    for ((id, _), (_, name)) in before.sequences.iter().zip(&raised.sequences) {
        let named = |name: &String| after.sequences.iter().find(|(_, it)| it.name == *name).map(|(id, _)| id);
        pairs.extend(name.as_ref().and_then(named).map(|found| (id, found)));
    }
    let distance = posed::distance(before, &after, 60.0, &pairs);
    Measured { distance, stated: posed::stated(&raised.report), bytes: bytes.len() }
}

fn distance(before: &ValidScene, options: &RaiseOptions) -> f32 {
    measured(before, options).distance
}

/// The same scene with weights that are whole numbers of 255: the largest remainders are rounded up.
pub fn with_byte_weights(mut scene: Scene) -> Scene {
    for skin in scene.meshes.as_mut_slice().iter_mut().filter_map(|mesh| mesh.skin.as_mut()) {
        for [start, end] in skin.groups.clone() {
            let group = &mut skin.influences[start as usize..end as usize];
            let sum: f32 = group.iter().map(|it| it.weight).sum();
            let exact: Vec<f32> = group.iter().map(|it| it.weight / sum * 255.0).collect();
            let mut left = 255.0 - exact.iter().map(|value| value.floor()).sum::<f32>();
            let mut order: Vec<usize> = (0..group.len()).collect();
            order.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()));
            group.iter_mut().zip(&exact).for_each(|(it, value)| it.weight = value.floor() / 255.0);
            for at in order {
                if left >= 1.0 {
                    group[at].weight += 1.0 / 255.0;
                    left -= 1.0;
                }
            }
        }
    }
    scene
}

/// Files that must be compared, and how near vertices must be. Weights are bytes, which is nearly all of the first number: the Fox has
/// weights of 0.9, which are 229.5 of 255, and no other bytes bring it nearer than 3.5e-4. A source whose weights are such bytes
/// already comes within the second.
const FILES: usize = 11;
const EXACT: f32 = 3.6e-4;
const EXACT_BYTES: f32 = 1e-6;
/// Corners between two milliseconds are cut off: this is how far fast vertices are away within that millisecond.
const ROUNDED: f32 = 1.5e-3;
/// With fewer keys, which may add 2e-4.
const REDUCED: f32 = 4e-4;
const CLASSIC: f32 = 1.2e-2;

#[test]
fn every_gltf_moves_as_before() {
    let Some(scenes) = scenes() else { return };
    let (mut rows, mut limited, mut corners, mut sizes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (name, scene) in &scenes {
        let exact = validate(scene.clone()).unwrap();
        // Keys at whole milliseconds, which the games' files hold.
        let mut rounded = scene.clone();
        rounded.round_times();
        let scene = validate(rounded).unwrap();
        let options = |version, keep_keys| RaiseOptions { version, keep_keys, ..RaiseOptions::default() };
        let all = [options(1100, true), options(1100, false), options(800, true)];
        let [whole, less, classic] = all.map(|it| measured(&scene, &it));
        // With all keys only weights change anything; the report looks at other moments, too.
        for it in [&whole, &classic] {
            let near = it.distance <= 1.1 * it.stated + 1.5e-5 && it.stated <= 1.5 * it.distance + 1.5e-5;
            assert!(near, "{name}: {}, and the report states {}", it.distance, it.stated);
        }
        sizes.push((whole.bytes, less.bytes));
        let found = [whole.distance, less.distance, classic.distance];
        let bytes = validate(with_byte_weights((*scene).clone())).unwrap();
        let bytes = distance(&bytes, &options(1100, true));
        assert!(bytes <= EXACT_BYTES, "{name} with weights in bytes: {bytes}");
        limited.push((bytes, name));
        let whole = distance(&exact, &options(1100, true));
        assert!(whole <= ROUNDED, "{name} between milliseconds: {whole}");
        corners.push((whole, name));
        rows.push((found, name));
    }
    rows.sort_by(|a, b| b.0[0].total_cmp(&a.0[0]));
    println!(
        "{} files; 1100 with all keys, with fewer keys, 800: {:?}",
        rows.len(),
        rows.iter().take(4).collect::<Vec<_>>()
    );
    limited.sort_by(|a, b| b.0.total_cmp(&a.0));
    corners.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("with times between milliseconds: {:?}", corners.iter().take(3).collect::<Vec<_>>());
    println!("with weights in bytes: {:?}", limited.iter().take(3).collect::<Vec<_>>());
    for at in [1, 2] {
        let worst = rows.iter().max_by(|a, b| a.0[at].total_cmp(&b.0[at]));
        println!("{worst:?}");
    }
    let bytes = sizes.iter().fold([0; 2], |sum, it| [sum[0] + it.0, sum[1] + it.1]);
    println!("{} bytes with all keys, {} with fewer", bytes[0], bytes[1]);
    assert!(bytes[1] * 4 < bytes[0] * 3, "{bytes:?}");
    for (found, name) in &rows {
        let near = found[0] <= EXACT && found[1] <= REDUCED && found[2] <= CLASSIC;
        assert!(near, "{name}: {found:?}");
    }
    assert!(rows.len() >= FILES, "only {} files", rows.len());
}

/// How near vertices must be in World of Warcraft, whose weights are bytes too and whose rotations are sampled.
const WORLD: f32 = 3.6e-4;

#[test]
fn every_gltf_moves_as_before_in_world_of_warcraft() {
    let Some(scenes) = scenes() else { return };
    let (mut rows, mut large) = (Vec::new(), 0_usize);
    for (name, scene) in &scenes {
        let mut rounded = scene.clone();
        rounded.round_times();
        let before = validate(rounded).unwrap();
        for version in [256, 264] {
            let mut found = [0.0; 2];
            let mut told = false;
            for (keep_keys, found) in [true, false].into_iter().zip(&mut found) {
                let options = RaiseOptions { version, keep_keys, ..RaiseOptions::default() };
                let (raised, after) = creatures::raised(&before, &options);
                creatures::check(name, &raised.model);
                // A vertex names its bones by a byte.
                told |= raised.report.notes().iter().any(|note| note.path == "bones");
                let pairs = creatures::pairs(&before, &after, &raised.sequences);
                let stated = posed::stated(&raised.report);
                // A metre is 60 units of Warcraft III, and a yard 56.
                *found = posed::distance(&before, &after, 60.0 / 56.0, &pairs);
                // Rotations are sampled and have 16 bits, and fewer keys add their own part.
                let near = *found <= stated + 2e-4 && stated <= 1.5 * *found + 1.5e-5;
                assert!(near || told, "{name} {version}: {found}, and the report states {stated}");
            }
            large += usize::from(told);
            if !told {
                rows.push((found, version, name));
            }
        }
    }
    rows.sort_by(|a, b| b.0[0].total_cmp(&a.0[0]));
    println!("{large} with too many bones");
    println!("{} conversions; with all keys, with fewer: {:?}", rows.len(), &rows[..6]);
    for (found, version, name) in &rows {
        let near = found[0] <= WORLD && found[1] <= REDUCED;
        assert!(near, "{name} {version}: {found:?}");
    }
    // One file has 840 joints.
    assert!(rows.len() >= 2 * (FILES - 1) && large <= 2, "only {} conversions, {large}", rows.len());
}

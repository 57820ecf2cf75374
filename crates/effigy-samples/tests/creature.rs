//! The creature is sound data: whoever makes a file of it may rely on these.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_samples::creature::{Creature, Texture, Track, creature};

fn rising<T>(track: &Track<T>, what: &str, creature: &Creature) {
    for pair in track.keys.windows(2) {
        assert!(pair[0].time < pair[1].time, "{what}: {} then {}", pair[0].time, pair[1].time);
    }
    let end = match track.global_sequence {
        Some(global) => creature.global_sequences[global],
        None => creature.sequences.last().unwrap().end,
    };
    assert!(track.keys.iter().all(|k| k.time <= end), "{what}: a key after the end");
}

#[test]
fn every_index_points_at_something() {
    let c = creature();
    for (i, node) in c.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|p| p < i), "{}: its parent comes later", node.name);
    }
    for mesh in &c.meshes {
        let count = mesh.positions.len();
        assert_eq!(
            [mesh.normals.len(), mesh.uvs.len(), mesh.vertex_groups.len()],
            [count; 3],
            "{}",
            mesh.name
        );
        assert!(mesh.triangles.iter().flatten().all(|&i| usize::from(i) < count), "{}", mesh.name);
        assert!(mesh.vertex_groups.iter().all(|&g| usize::from(g) < mesh.groups.len()), "{}", mesh.name);
        assert!(mesh.groups.iter().flatten().all(|&n| n < c.nodes.len()), "{}", mesh.name);
        assert!(mesh.groups.iter().all(|g| !g.is_empty()), "{}", mesh.name);
        assert!(mesh.material < c.materials.len());
    }
    for layer in c.materials.iter().flat_map(|m| &m.layers) {
        assert!(layer.texture < c.textures.len());
        assert!(layer.animation.is_none_or(|a| a < c.texture_animations.len()));
    }
}

#[test]
fn names_of_nodes_are_unique_and_short() {
    let c = creature();
    let mut names: Vec<_> = c.nodes.iter().map(|n| n.name).collect();
    assert!(names.iter().all(|n| n.len() < 80));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), c.nodes.len());
}

#[test]
fn normals_are_unit_and_agree_with_the_winding() {
    for mesh in &creature().meshes {
        for normal in &mesh.normals {
            let length = normal.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-3, "{}: {normal:?}", mesh.name);
        }
        let mut against = 0;
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| mesh.positions[usize::from(i)]);
            let (u, v): ([f32; 3], [f32; 3]) =
                (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
            let face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let normal = mesh.normals[usize::from(triangle[0])];
            against += usize::from(face.iter().zip(normal).map(|(f, n)| f * n).sum::<f32>() < 0.0);
        }
        assert!(against * 50 <= mesh.triangles.len(), "{}: {against} triangles look inwards", mesh.name);
    }
}

#[test]
fn tracks_rise_in_time_and_rotations_are_unit() {
    let c = creature();
    for node in &c.nodes {
        rising(&node.translation, node.name, &c);
        rising(&node.rotation, node.name, &c);
        rising(&node.scaling, node.name, &c);
        for key in &node.rotation.keys {
            let length = key.value.iter().map(|x| x * x).sum::<f32>();
            assert!((length - 1.0).abs() < 1e-3, "{} at {}: {:?}", node.name, key.time, key.value);
        }
    }
    for mesh in &c.meshes {
        rising(&mesh.alpha, mesh.name, &c);
        assert!(mesh.alpha.keys.iter().all(|k| (0.0..=1.0).contains(&k.value)), "{}", mesh.name);
    }
}

#[test]
fn a_looping_sequence_ends_as_it_begins() {
    let c = creature();
    for sequence in c.sequences.iter().filter(|s| s.looping) {
        for node in c.nodes.iter().filter(|n| n.rotation.global_sequence.is_none() && !n.rotation.is_empty())
        {
            let at =
                |time| node.rotation.keys.iter().find(|k| k.time == time).expect("a key at the end").value;
            let (first, last) = (at(sequence.start), at(sequence.end));
            let apart = first.iter().zip(last).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 1e-2, "{} in {}: {first:?} {last:?}", node.name, sequence.name);
        }
    }
}

#[test]
fn the_picture_of_the_metal_has_a_mask_for_the_team_colour() {
    let c = creature();
    let pictures: Vec<_> =
        c.textures.iter().filter_map(|t| if let Texture::Picture(p) = t { Some(p) } else { None }).collect();
    for p in &pictures {
        assert_eq!(p.pixels.len(), usize::from(p.width) * usize::from(p.height));
        assert!(p.width.is_power_of_two() && p.height.is_power_of_two());
    }
    let metal = pictures.iter().find(|p| p.name == c.name).unwrap();
    let clear = metal.pixels.iter().filter(|p| p[3] < 64).count();
    let solid = metal.pixels.iter().filter(|p| p[3] > 250).count();
    assert!(clear > 4000 && solid > 30_000, "{clear} clear, {solid} solid");
}

#[test]
fn everything_that_moves_has_a_key_at_the_start_of_each_sequence() {
    let c = creature();
    fn check<T>(track: &Track<T>, what: &str, c: &Creature) {
        if track.global_sequence.is_some() || track.is_empty() {
            return;
        }
        for sequence in &c.sequences {
            let found = track.keys.iter().any(|key| key.time == sequence.start);
            assert!(found, "{what}: {} would fall back to a default", sequence.name);
        }
    }
    for node in &c.nodes {
        check(&node.translation, node.name, &c);
        check(&node.rotation, node.name, &c);
        check(&node.scaling, node.name, &c);
    }
    for mesh in &c.meshes {
        check(&mesh.alpha, mesh.name, &c);
        check(&mesh.color, mesh.name, &c);
    }
    for light in &c.lights {
        check(&light.intensity_track, "light", &c);
        check(&light.visibility, "light", &c);
    }
    for smoke in &c.smoke {
        check(&smoke.emission_track, "smoke", &c);
        check(&smoke.visibility, "smoke", &c);
    }
    for ribbon in &c.ribbons {
        check(&ribbon.visibility, "ribbon", &c);
    }
}

#[test]
fn frames_of_the_creature_are_its_keys_and_every_game_loads_them() {
    let model = effigy_samples::mdc::creature();
    let rows = effigy_samples::mdc::sequences();
    let last = rows.last().unwrap();
    assert_eq!(model.frames.len(), (last.first + last.count) as usize);
    assert_eq!(model.tag_count(), creature().attachments.len());
    assert_eq!(model.tag_name(4).unwrap(), "tag_hand_right");
    assert!(model.accepted_by().contains(&"Return to Castle Wolfenstein"), "{:?}", model.accepted_by());
    // A loop ends as it begins: the first and the last frame of "Stand" are the same but for the winding key.
    let legs = model.surfaces.iter().find(|surface| surface.name.text() == "legs").unwrap();
    let stand = &rows[0];
    let ends = [stand.first, stand.first + stand.count - 1];
    let [first, end] = ends.map(|frame| legs.base_frame(frame as usize).unwrap());
    for (a, b) in first.iter().zip(end) {
        assert!(a.position.iter().zip(b.position).all(|(a, b)| a.abs_diff(b) <= 32), "{a:?} {b:?}");
    }
}

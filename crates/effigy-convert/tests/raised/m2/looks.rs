//! Layers, textures and their transforms.

use super::{layer, raised, said, stage, view, warcraft, wear};
use effigy_m2::{BatchFlags, MaterialFlags, ModelFlags, TextureFlags};
use effigy_scene::{
    Animated, Blend, Combine, Coordinates, Layer, LayerTexture, Material, NodeRule, Role, TextureTransform,
    Track,
};

#[test]
fn every_layer_is_a_batch_with_its_textures() {
    let mut scene = warcraft();
    let scroll = Track::linear(vec![0, 1000], vec![[0.0; 3], [1.0, 0.0, 0.0]], [0.0; 3]);
    let moving = scene.texture_transforms.push(TextureTransform {
        translation: Animated { base: [0.0; 3], track: Some(scroll) },
        ..TextureTransform::default()
    });
    let first = Layer { two_sided: true, unfogged: true, ..layer(vec![stage(0, Combine::Modulate)]) };
    let glow = LayerTexture { transform: Some(moving), ..stage(1, Combine::Modulate) };
    let second = Layer {
        blend: Blend::AddAlpha,
        unlit: true,
        no_depth_test: true,
        no_depth_write: true,
        alpha: Animated::fixed(0.5),
        color: Animated::fixed([0.25, 0.5, 1.0]),
        ..layer(vec![glow])
    };
    let mirror = LayerTexture { coordinates: Coordinates::Sphere, ..stage(1, Combine::Modulate) };
    let third = Layer { blend: Blend::Alpha, ..layer(vec![mirror]) };
    wear(&mut scene, vec![first, second, third]);
    let made = raised(&scene, 264);
    let (model, view) = (&made.model, view(&made.model));
    assert_eq!(view.batches.len(), 3);
    let of = |number: usize| &view.batches[number];
    assert_eq!([0, 1, 2].map(|at| of(at).layer), [0, 1, 2]);
    assert!(view.batches.iter().all(|it| (it.submesh, it.geoset, it.priority_plane) == (0, 0, -2)));
    assert!(view.batches.iter().all(|it| it.texture_count == 1 && it.shader == 0));
    // Only a batch whose textures move has no such flag.
    assert_eq!([0, 1, 2].map(|at| of(at).flags.contains(BatchFlags::STATIC)), [true, false, true]);
    let materials = [0, 1, 2].map(|at| &model.materials[usize::from(of(at).material)]);
    assert_eq!(materials.map(|it| it.blend), [0, 4, 2]);
    assert_eq!(
        materials.map(|it| it.flags),
        [
            MaterialFlags::TWO_SIDED | MaterialFlags::UNFOGGED,
            MaterialFlags::UNLIT | MaterialFlags::NO_DEPTH_TEST | MaterialFlags::NO_DEPTH_WRITE,
            // Transparent layers of Warcraft III never write depth.
            MaterialFlags::NO_DEPTH_WRITE,
        ]
    );
    let names = [0, 1, 2].map(|at| {
        let texture = model.texture_combos[usize::from(of(at).texture_combo)];
        model.textures[usize::from(texture)].name.text().into_owned()
    });
    let (skin, glow) = ("Creature\\Thing\\Thing_Skin.blp", "Creature\\Thing\\Thing_Glow.blp");
    assert_eq!(names, [skin, glow, glow]);
    let flags: Vec<TextureFlags> = model.textures.iter().map(|it| it.flags).collect();
    assert_eq!(flags, [TextureFlags::WRAP_X | TextureFlags::WRAP_Y, TextureFlags::WRAP_X]);
    // Coordinates by reflection are -1, and so is a texture that does not move.
    assert_eq!([0, 1, 2].map(|at| model.coord_combos[usize::from(of(at).coord_combo)]), [0, 0, -1]);
    assert_eq!([0, 1, 2].map(|at| model.transform_combos[usize::from(of(at).transform_combo)]), [-1, 0, -1]);
    let weight = |at: usize| {
        let weight = model.weight_combos[usize::from(of(at).weight_combo)];
        model.weights[usize::from(weight)].weight.values.all()[0]
    };
    assert_eq!([0, 1, 2].map(weight), [32767, 16384, 32767]);
    assert_eq!([0, 1, 2].map(|at| of(at).color), [-1, 0, -1]);
    assert_eq!(model.colors[0].rgb.values.all(), [[0.25, 0.5, 1.0]]);
    assert_eq!(model.transforms[0].translation.values.all(), [[0.0; 3], [1.0, 0.0, 0.0]]);
    assert!(model.transforms[0].rotation.is_empty() && model.transforms[0].scale.is_empty());
    assert!(made.report.notes().iter().all(|note| note.path != "materials"), "{}", made.report);
}

#[test]
fn textures_that_are_not_multiplied_need_a_table_of_the_last_version() {
    // The blend, what the two textures do, and the table that it needs.
    for (blend, does, table) in [
        (Blend::Opaque, vec![Combine::Decal], None),
        (Blend::Alpha, vec![Combine::Modulate], None),
        (Blend::Alpha, vec![Combine::ModulateColor], Some([0, 0])),
        (Blend::Opaque, vec![Combine::ModulateColor, Combine::ModulateColor], None),
        (Blend::Opaque, vec![Combine::ModulateColor, Combine::Add], Some([0, 3])),
        (Blend::Alpha, vec![Combine::Modulate, Combine::ModulateColor], None),
        (Blend::Alpha, vec![Combine::Modulate, Combine::Modulate2x], Some([1, 4])),
        (Blend::Alpha, vec![Combine::Fade, Combine::AddColor], Some([5, 7])),
        (Blend::Alpha, vec![Combine::Modulate2xColor, Combine::Decal], Some([6, 2])),
    ] {
        // A model of the game itself: those of others get a layer for each texture.
        let mut scene = warcraft();
        scene.node_rule = NodeRule::World;
        scene.extras.set("format", "m2");
        let mut stages: Vec<LayerTexture> =
            (0..).zip(&does).map(|(at, combine)| stage(at, *combine)).collect();
        stages.iter_mut().skip(1).for_each(|it| it.role = Role::Second);
        wear(&mut scene, vec![Layer { blend, ..layer(stages) }]);
        let late = raised(&scene, 264);
        let flag = late.model.flags.contains(ModelFlags::COMBINERS);
        assert_eq!(flag, table.is_some(), "{blend:?} {does:?}");
        assert_eq!(late.model.combiners.as_slice(), table.as_ref().map_or(&[][..], |it| &it[..]));
        assert_eq!(usize::from(view(&late.model).batches[0].texture_count), does.len());
        let early = raised(&scene, 256);
        assert!(!early.model.flags.contains(ModelFlags::COMBINERS));
        let words = "materials: the textures of 1 are multiplied";
        assert_eq!(said(&early, words), table.is_some(), "{blend:?} {does:?}");
        assert!(!said(&late, words));
    }
}

#[test]
fn a_colour_of_the_mesh_and_one_of_the_layer_are_multiplied() {
    let mut scene = warcraft();
    let tinted = Layer {
        blend: Blend::Alpha,
        color: Animated::fixed([0.5, 0.5, 1.0]),
        ..layer(vec![stage(0, Combine::Modulate)])
    };
    let plain = Layer { blend: Blend::Alpha, ..layer(vec![stage(1, Combine::Modulate)]) };
    wear(&mut scene, vec![tinted, plain]);
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.color = Animated::fixed([0.5, 1.0, 0.25]);
    mesh.alpha = Animated::fixed(0.25);
    let model = raised(&scene, 264).model;
    let colors: Vec<_> =
        model.colors.iter().map(|it| (it.rgb.values.all()[0], it.alpha.values.all()[0])).collect();
    // A quarter of 32767 is 8191.75.
    assert_eq!(colors, [([0.25, 0.5, 0.25], 8192), ([0.5, 1.0, 0.25], 8192)]);
    let batches = &view(&model).batches;
    assert_eq!([batches[0].color, batches[1].color], [0, 1]);
    assert_eq!(model.weights[0].weight.values.all(), [32767]);
    // Without a colour, the alpha of the mesh is that of the texture.
    scene.meshes.as_mut_slice()[0].color = Animated::fixed([1.0; 3]);
    scene.materials.as_mut_slice()[0].layers[0].color = Animated::fixed([1.0; 3]);
    let model = raised(&scene, 264).model;
    assert!(model.colors.is_empty());
    assert_eq!(model.weights[0].weight.values.all(), [8192]);
    assert_eq!(view(&model).batches[0].color, -1);
}

#[test]
fn texture_transforms_in_another_order_are_exact_or_reported() {
    let half_turn = effigy_scene::Rotation([0.0, 0.0, 1.0, 0.0]);
    for (shift, turn, scale, exact) in [
        ([0.0; 3], false, [2.0, 2.0, 1.0], true),
        ([0.0; 3], true, [2.0, 2.0, 1.0], true),
        ([0.0; 3], true, [2.0, 3.0, 1.0], false),
        ([0.5, 0.0, 0.0], false, [2.0, 3.0, 1.0], true),
        ([0.5, 0.0, 0.0], true, [2.0, 2.0, 1.0], false),
        ([0.5, 0.0, 0.0], false, [0.0, 3.0, 1.0], false),
        ([0.0; 3], false, [0.0, 3.0, 1.0], true),
    ] {
        let mut scene = warcraft();
        let rotation = if turn { half_turn } else { effigy_scene::Rotation::IDENTITY };
        let transform = scene.texture_transforms.push(TextureTransform {
            translation: Animated::fixed(shift),
            rotation: Animated::fixed(rotation),
            scale: Animated::fixed(scale),
            ..TextureTransform::default()
        });
        let moved = LayerTexture { transform: Some(transform), ..stage(0, Combine::Modulate) };
        wear(&mut scene, vec![layer(vec![moved])]);
        let made = raised(&scene, 264);
        let words = "texture transform 0: it shifts, turns and scales";
        assert_eq!(!said(&made, words), exact, "{shift:?} {turn} {scale:?}");
        // Shifted before it is scaled: by 0.5 / 2.
        if exact && shift[0] > 0.0 {
            assert_eq!(made.model.transforms[0].translation.values.all(), [[0.25, 0.0, 0.0]]);
        }
    }
}

#[test]
fn of_textures_that_change_over_time_the_first_is_kept() {
    let mut scene = warcraft();
    let mut book = stage(0, Combine::Modulate);
    book.flipbook = Some(Track::linear(vec![0, 500], vec![1, 0], 0));
    wear(&mut scene, vec![layer(vec![book])]);
    let made = raised(&scene, 256);
    assert!(said(&made, "1 textures change over time"), "{}", made.report);
    let batch = &view(&made.model).batches[0];
    let texture = made.model.texture_combos[usize::from(batch.texture_combo)];
    assert_eq!(made.model.textures[usize::from(texture)].name.text(), "Creature\\Thing\\Thing_Glow.blp");
    wear(&mut scene, vec![layer(vec![stage(0, Combine::Modulate)])]);
    scene.materials.as_mut_slice()[0] = Material::default();
    assert!(!said(&raised(&scene, 256), "change over time"));
}

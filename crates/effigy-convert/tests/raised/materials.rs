//! Layers and textures in Warcraft III, field by field.

use crate::raised::{raised, said, scene};
use effigy_convert::raise::{RaiseOptions, Raised};
use effigy_mdx::track::tags;
use effigy_mdx::{
    FilterMode, Layer as MdxLayer, LayerFlags, Material as MdxMaterial, MaterialFlags, Model, ShaderKind,
    Texture as MdxTexture, TextureFlags, TextureSlot,
};
use effigy_scene::{
    Animated, Blend, Coordinates, Id, KeyRule, Layer, LayerTexture, Material, NodeRule, Replaceable, Role,
    Rotation, Scene, Texture, TextureTransform, Track,
};
use effigy_wire::FixedStr;

fn at_version(scene: &Scene, version: u32) -> Raised<Model> {
    raised(scene, &RaiseOptions { version, scale: Some(1.0), ..RaiseOptions::default() })
}

/// A scene of this format with three textures and one material, which the mesh has.
fn dressed(format: &str, material: Material) -> Scene {
    let mut scene = scene(format);
    for (path, repeat) in [("a.blp", [true, false]), ("b.blp", [false, true]), ("c.blp", [false, false])] {
        scene.textures.push(Texture { path: path.into(), replaceable: None, repeat });
    }
    let material = scene.materials.push(material);
    scene.meshes.as_mut_slice()[0].material = Some(material);
    scene
}

/// The same, following Warcraft III's rules already.
fn native(material: Material) -> Scene {
    let mut scene = dressed("mdx", material);
    (scene.key_rule, scene.node_rule) = (KeyRule::Wrap, NodeRule::Warcraft);
    scene
}

fn stage(role: Role, texture: Option<u32>) -> LayerTexture {
    LayerTexture { role, texture: texture.map(Id::new), ..LayerTexture::default() }
}

/// A material with a layer of these textures.
fn wearing(physical: bool, textures: Vec<LayerTexture>) -> Material {
    let layer = Layer { textures, ..Layer::default() };
    Material { physical, layers: vec![layer], ..Material::default() }
}

fn file(path: &str, replaceable: u32, flags: TextureFlags) -> MdxTexture {
    MdxTexture { path: FixedStr::new(path).unwrap(), replaceable, flags }
}

#[test]
fn textures_and_their_animations_have_every_value() {
    let mut scene = native(wearing(false, vec![stage(Role::Base, Some(0))]));
    scene.textures.push(Texture {
        replaceable: Some(Replaceable::TeamGlow),
        path: String::new(),
        repeat: [true, true],
    });
    let long = "x".repeat(300);
    scene.textures.push(Texture { path: long.clone(), ..Texture::default() });
    scene.texture_transforms.push(TextureTransform {
        translation: Animated {
            base: [0.0; 3],
            track: Some(Track::linear(vec![0], vec![[1.0; 3]], [0.0; 3])),
        },
        rotation: Animated {
            base: Rotation::IDENTITY,
            track: Some(Track::linear(vec![0], vec![Rotation([0.0, 0.0, 1.0, 0.0])], Rotation::IDENTITY)),
        },
        scale: Animated { base: [1.0; 3], track: Some(Track::linear(vec![0], vec![[3.0; 3]], [1.0; 3])) },
        ..TextureTransform::default()
    });
    let made = at_version(&scene, 800);
    let (width, height) = (TextureFlags::WRAP_WIDTH, TextureFlags::WRAP_HEIGHT);
    assert_eq!(
        made.model.textures[..],
        [
            file("a.blp", 0, width),
            file("b.blp", 0, height),
            file("c.blp", 0, TextureFlags::empty()),
            file("", 2, width | height),
            MdxTexture {
                path: FixedStr::truncated(&long),
                replaceable: 0,
                flags: made.model.textures[4].flags
            },
        ]
    );
    assert!(said(&made, "textures[4]: a text of more than 260 bytes was cut"), "{}", made.report);
    let tracks = &made.model.texture_animations[0].tracks;
    let first = |tag| tracks.get(tag).unwrap().keys::<[f32; 3]>().unwrap().next().unwrap().value;
    assert_eq!((first(tags::KTAT), first(tags::KTAS)), ([1.0; 3], [3.0; 3]));
    let turn = tracks.get(tags::KTAR).unwrap().keys::<[f32; 4]>().unwrap().next().unwrap().value;
    assert_eq!(turn, [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn a_physical_material_has_six_textures_in_the_order_of_the_shader() {
    // In another order, the glow without a texture.
    let maps = vec![
        stage(Role::Orm, Some(2)),
        stage(Role::Normal, Some(1)),
        LayerTexture {
            transform: Some(Id::new(0)),
            coordinates: Coordinates::Sphere,
            flipbook: Some(Track::linear(vec![0, 500], vec![0, 1], 0)),
            ..stage(Role::Base, Some(0))
        },
        stage(Role::Emissive, None),
    ];
    let mut scene = dressed("gltf", wearing(true, maps));
    scene.texture_transforms.push(TextureTransform::default());
    let made = at_version(&scene, 1000);
    let model = &made.model;
    assert_eq!(model.materials[0].shader.text(), "Shader_HD_DefaultUnit");
    let paths: Vec<_> =
        model.textures.iter().map(|it| (it.path.text().into_owned(), it.replaceable)).collect();
    // Named after the model, in the order in which the layer uses them; then those of the game.
    let own = |name: &str| (format!("war3mapImported\\Thing_{name}.dds"), 0);
    assert_eq!(
        paths,
        [
            own("c"),
            own("b"),
            own("a"),
            // A picture of the flipbook, which is a normal map too: alpha means something else there.
            own("b_2"),
            ("Textures\\Black32.blp".to_owned(), 0),
            (String::new(), 1),
            ("ReplaceableTextures\\EnvironmentMap.blp".to_owned(), 0),
        ]
    );
    let layers = &model.materials[0].layers;
    let found: Vec<_> = layers
        .iter()
        .map(|it| (it.texture, it.texture_animation, it.flags, it.tracks.get(tags::KMTF).is_some()))
        .collect();
    let (none, sphere) = (LayerFlags::empty(), LayerFlags::SPHERE_ENVIRONMENT_MAP);
    assert_eq!(
        found,
        [
            (2, 0, sphere, true),
            (1, -1, none, false),
            (0, -1, none, false),
            (4, -1, none, false),
            // What has no texture in the source has the coordinates of the first.
            (5, 0, sphere, false),
            (6, 0, sphere, false),
        ]
    );
    let late = at_version(&scene, 1100).model;
    let [layer] = &late.materials[0].layers[..] else { panic!("one layer") };
    let slots: Vec<_> = layer.slots.iter().map(|it| (it.texture, it.slot, it.track.is_some())).collect();
    assert_eq!(
        slots,
        [(2, 0, true), (1, 1, false), (0, 2, false), (4, 3, false), (5, 4, false), (6, 5, false)]
    );
    assert_eq!((layer.shader, layer.texture, layer.texture_animation), (ShaderKind::HD, 0, 0));
    assert!(late.materials[0].shader.is_empty() && layer.tracks.get(tags::KMTF).is_none());
    let classic = at_version(&scene, 800);
    assert!(said(&classic, "classic materials have no normal, roughness and metal maps"));
    assert_eq!(classic.model.materials[0].layers.len(), 1);
}

#[test]
fn what_has_no_texture_is_white_and_drawn_on_both_sides() {
    for version in [800, 1100] {
        let mut scene = dressed("gltf", wearing(false, vec![stage(Role::Base, None)]));
        let empty = scene.materials.push(Material::default());
        let mesh = scene.meshes.as_slice()[0].clone();
        scene.meshes.push(effigy_scene::Mesh { material: Some(empty), ..mesh.clone() });
        scene.meshes.push(effigy_scene::Mesh { material: None, ..mesh.clone() });
        scene.meshes.push(effigy_scene::Mesh { material: None, ..mesh });
        let made = at_version(&scene, version);
        let model = &made.model;
        assert_eq!(model.textures[..], [file("Textures\\white.blp", 0, TextureFlags::empty())]);
        let slots = vec![TextureSlot { texture: 0, slot: 0, track: None }];
        let bare = MdxLayer { slots: if version == 800 { Vec::new() } else { slots }, ..MdxLayer::default() };
        let white = MdxLayer { flags: LayerFlags::TWO_SIDED, ..bare.clone() };
        let material = |layer| MdxMaterial { layers: vec![layer], ..MdxMaterial::default() };
        assert_eq!(model.materials[..], [material(bare), material(white)]);
        let materials: Vec<u32> = model.geosets.iter().map(|it| it.material).collect();
        assert_eq!(materials, [0, 1, 1, 1]);
        let notes = made.report.notes().iter();
        assert_eq!(notes.filter(|note| note.message.contains("a white material")).count(), 1);
    }
}

#[test]
fn layers_of_the_same_game_keep_their_flags() {
    let (shaded, unlit) = (LayerFlags::UNSHADED, LayerFlags::UNLIT);
    // Flags in the file, whether light changes it in the scene, flags that are written.
    for (bits, is_unlit, expected) in [
        (LayerFlags::empty(), true, shaded),
        (LayerFlags::empty(), false, LayerFlags::empty()),
        (unlit, true, unlit),
        (unlit | shaded, true, unlit | shaded),
        (shaded, false, LayerFlags::empty()),
        (LayerFlags::WRAP_WIDTH | LayerFlags::SPHERE_ENVIRONMENT_MAP, false, LayerFlags::WRAP_WIDTH),
    ] {
        let mut layer = Layer { unlit: is_unlit, ..Layer::default() };
        layer.extras.set("flags", i64::from(bits.bits()));
        let scene = native(Material { layers: vec![layer], ..Material::default() });
        let model = at_version(&scene, 800).model;
        assert_eq!(model.materials[0].layers[0].flags, expected, "{bits:?} {is_unlit}");
        // A layer without a texture has none.
        assert_eq!(model.materials[0].layers[0].texture, -1);
    }
    // Flags of another game mean nothing.
    let mut layer = Layer { textures: vec![stage(Role::Base, Some(0))], ..Layer::default() };
    layer.extras.set("flags", 0xff_i64).set("filterMode", 6_i64);
    let made = at_version(&dressed("m2", Material { layers: vec![layer], ..Material::default() }), 800);
    let found = &made.model.materials[0].layers[0];
    assert_eq!((found.flags, found.filter_mode), (LayerFlags::empty(), FilterMode::NONE));
}

#[test]
fn every_blend_has_its_filter_mode_unless_the_file_states_one() {
    for (blend, kept, expected) in [
        (Blend::Opaque, None, FilterMode::NONE),
        (Blend::AlphaKey, None, FilterMode::TRANSPARENT),
        (Blend::Alpha, None, FilterMode::BLEND),
        (Blend::Add, None, FilterMode::ADDITIVE),
        (Blend::AddAlpha, None, FilterMode::ADDITIVE),
        (Blend::Modulate, None, FilterMode::MODULATE),
        (Blend::Modulate2x, None, FilterMode::MODULATE_2X),
        (Blend::AddAlpha, Some(4_i64), FilterMode::ADD_ALPHA),
    ] {
        let mut layer = Layer {
            blend,
            two_sided: true,
            unfogged: true,
            no_depth_test: true,
            no_depth_write: true,
            alpha: Animated::fixed(0.25),
            textures: vec![LayerTexture { coordinates: Coordinates::Set(1), ..stage(Role::Base, Some(2)) }],
            ..Layer::default()
        };
        if let Some(kept) = kept {
            layer.extras.set("filterMode", kept);
        }
        let mut material = Material { layers: vec![layer], priority: 3, ..Material::default() };
        material.extras.set("flags", 0x18_i64).set("shader", "Shader_SD");
        let model = at_version(&native(material), 800).model;
        let wanted = MdxLayer {
            filter_mode: expected,
            flags: LayerFlags::TWO_SIDED
                | LayerFlags::UNFOGGED
                | LayerFlags::NO_DEPTH_TEST
                | LayerFlags::NO_DEPTH_SET,
            texture: 2,
            coordinates: 1,
            alpha: 0.25,
            ..MdxLayer::default()
        };
        let wanted = MdxMaterial {
            priority_plane: 3,
            flags: MaterialFlags::SORT_NEAR_Z | MaterialFlags::SORT_FAR_Z,
            shader: FixedStr::new("Shader_SD").unwrap(),
            layers: vec![wanted],
        };
        assert_eq!(model.materials[..], [wanted], "{blend:?} {kept:?}");
    }
}

#[test]
fn glow_and_fresnel_need_versions_that_have_them() {
    let mut layer = Layer {
        emissive_gain: Animated { base: 2.0, track: Some(Track::linear(vec![0], vec![3.0], 0.0)) },
        alpha: Animated { base: 0.5, track: Some(Track::linear(vec![0], vec![0.75], 1.0)) },
        textures: vec![stage(Role::Base, Some(0))],
        ..Layer::default()
    };
    layer.extras.set("fresnelColor", [0.1_f32, 0.2, 0.3]);
    layer.extras.set("fresnelOpacity", 0.4_f32).set("fresnelTeamColor", 0.5_f32);
    let scene = native(Material { layers: vec![layer], physical: true, ..Material::default() });
    for (version, gain, color, opacity, team) in [
        (800, 1.0, [1.0; 3], 0.0, 0.0),
        (900, 2.0, [1.0; 3], 0.0, 0.0),
        (1000, 2.0, [0.1, 0.2, 0.3], 0.4, 0.5),
    ] {
        let made = at_version(&scene, version);
        let found = &made.model.materials[0].layers[0];
        assert_eq!((found.alpha, found.emissive_gain, found.fresnel_color), (0.5, gain, color));
        assert_eq!((found.fresnel_opacity, found.fresnel_team_color), (opacity, team), "{version}");
        assert!(found.tracks.get(tags::KMTA).is_some());
        assert_eq!(found.tracks.get(tags::KMTE).is_some(), version >= 900);
        let words = "materials[0]: the Fresnel term needs version 1000";
        assert_eq!(said(&made, words), version < 1000, "{version}");
        let words = "materials[0]: classic materials have no normal, roughness, glow and reflection maps";
        assert_eq!(said(&made, words), version < 900, "{version}");
        // A material of the game itself has the textures that it has.
        assert_eq!(made.model.materials[0].layers.len(), 1);
        let shader = if version < 900 { "" } else { "Shader_HD_DefaultUnit" };
        assert_eq!(made.model.materials[0].shader.text(), shader);
    }
    let plain = native(wearing(false, vec![stage(Role::Base, Some(0))]));
    let made = at_version(&plain, 1100);
    assert!(!said(&made, "Fresnel") && !said(&made, "classic materials"), "{}", made.report);
    assert_eq!(made.model.materials[0].layers[0].shader, ShaderKind::SD);
    assert!(made.model.materials[0].shader.is_empty());
    assert!(!said(&at_version(&plain, 800), "Fresnel"));
}

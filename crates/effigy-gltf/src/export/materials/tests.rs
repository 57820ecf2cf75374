use super::*;

/// What programs do with `KHR_texture_transform` (three.js, Blender): v counts downwards, so a turn counter-clockwise
/// adds v to u.
fn transformed(([x, y], turn, [sx, sy]): ([f32; 2], f32, [f32; 2]), [u, v]: [f32; 2]) -> [f32; 2] {
    let (sin, cos) = turn.sin_cos();
    [cos * sx * u + sin * sy * v + x, -sin * sx * u + cos * sy * v + y]
}

#[test]
fn texture_transforms_put_every_coordinate_where_the_games_do() {
    for order in [TransformOrder::RotateScaleMove, TransformOrder::MoveScaleRotate] {
        let (shift, turn, scale) = ([0.3, -0.2], 0.7, [1.5, 1.5]);
        let [m0, m1] = texture_matrix(order, shift, turn, scale);
        let parts = texture_parts(order, shift, turn, scale);
        for [u, v] in [[0.0, 0.0], [1.0, 0.0], [0.25, 0.9]] {
            let game = [m0, m1].map(|[a, b, c]| a * u + b * v + c);
            let file = transformed(parts, [u, v]);
            assert!(
                game.iter().zip(file).all(|(a, b)| (a - b).abs() < 1e-5),
                "{order:?}: {file:?}, not {game:?}"
            );
        }
    }
}

#[test]
fn colours_become_linear_by_the_curve_of_srgb() {
    // Below 0.04045 a straight line; above ((value + 0.055) / 1.055) ^ 2.4.
    for (value, expected) in [
        (0.0, 0.0),
        (0.02, 0.001_547_988),
        (0.040_45, 0.003_130_805),
        (0.2, 0.033_104_76),
        (0.5, 0.214_041_1),
        (0.99, 0.977_401_9),
        (1.0, 1.0),
        (2.0, 1.0),
        (-1.0, 0.0),
    ] {
        assert!((linear(value) - expected).abs() < 1e-6, "{value}: {}", linear(value));
    }
}

#[test]
fn names_that_only_count_are_known() {
    for name in ["", "Material", "Material 0", "Geoset 12", "Mesh 3", "Submesh 4", " 5"] {
        assert!(is_generic(name), "{name}");
    }
    for name in ["Body", "Body 1", "Material x", "Material 1x", "My Material 1", "Material-1"] {
        assert!(!is_generic(name), "{name}");
    }
    assert_eq!([capital(""), capital("red"), capital("light blue")], ["", "Red", "Light blue"]);
}

#[test]
fn the_driving_layer_is_the_skin_over_the_team_colour_or_the_first_that_shows() {
    let layer = |blend: Blend, alpha: f32| Layer { blend, alpha: Animated::fixed(alpha), ..Layer::default() };
    let drive = |layers: Vec<Layer>, team: &[usize], shown: &[usize]| {
        let material = Material { layers, ..Material::default() };
        let place = |layer: &Layer| material.layers.iter().position(|it| std::ptr::eq(it, layer)).unwrap();
        let replaceable = |layer: &Layer| team.contains(&place(layer)).then_some(Replaceable::TeamColor);
        let shown = |layer: &Layer| shown.contains(&place(layer));
        driving_layer(&material, replaceable, shown, |layer| layer.alpha.base != 0.0)
    };
    use Blend::{Add, AddAlpha, Alpha, AlphaKey, Modulate, Modulate2x, Opaque};
    let two = |a: Blend, b: Blend| vec![layer(a, 1.0), layer(b, 1.0)];
    for skin in [Alpha, AlphaKey, Opaque] {
        assert_eq!(drive(two(Opaque, skin), &[0], &[0, 1]), (1, true), "{skin:?}");
    }
    for effect in [Add, AddAlpha, Modulate, Modulate2x] {
        assert_eq!(drive(two(Opaque, effect), &[0], &[0, 1]), (0, false), "{effect:?}");
        assert_eq!(drive(two(effect, Opaque), &[], &[0, 1]), (1, false), "{effect:?}");
        assert_eq!(drive(two(effect, Opaque), &[], &[0]), (0, false), "{effect:?}");
    }
    // Team colour above another layer is an ordinary layer, and two layers of it are not a skin.
    assert_eq!(drive(two(Opaque, Alpha), &[1], &[0, 1]), (0, false));
    assert_eq!(drive(two(Opaque, Alpha), &[0, 1], &[0, 1]), (0, false));
    // A skin that is never drawn leaves the team colour.
    assert_eq!(drive(vec![layer(Opaque, 1.0), layer(Alpha, 0.0)], &[0], &[0]), (0, false));
    // Nothing is shown at rest: the first that could be.
    assert_eq!(drive(vec![layer(Opaque, 0.0), layer(Add, 0.5)], &[], &[]), (1, false));
    assert_eq!(drive(vec![layer(Opaque, 0.0), layer(Add, 0.0)], &[], &[]), (0, false));
    let mut late = layer(Opaque, 0.0);
    late.alpha.track = Some(effigy_scene::Track::linear(vec![0], vec![1.0], 0.0));
    assert_eq!(drive(vec![layer(Opaque, 0.0), late], &[], &[]), (1, false));
    assert_eq!(drive(Vec::new(), &[], &[]), (0, false));
}

#[test]
fn the_mode_of_alpha_follows_blending_fading_and_what_is_below() {
    let mesh = Mesh::new("Body");
    let mode = |blend: Blend, alpha: f32, see_through: bool| {
        alpha_mode(&mesh, &Layer { blend, ..Layer::default() }, alpha, see_through)
    };
    assert_eq!([mode(Blend::Alpha, 0.0, true), mode(Blend::Opaque, -1.0, false)], ["MASK", "MASK"]);
    assert_eq!([mode(Blend::AlphaKey, 0.99, true), mode(Blend::AlphaKey, 0.98, true)], ["MASK", "BLEND"]);
    assert_eq!([mode(Blend::Opaque, 0.99, true), mode(Blend::Opaque, 0.98, true)], ["OPAQUE", "BLEND"]);
    assert_eq!([mode(Blend::Alpha, 0.99, true), mode(Blend::Alpha, 0.99, false)], ["BLEND", "OPAQUE"]);
    assert_eq!(mode(Blend::Alpha, 0.98, false), "BLEND");
    let track = Some(effigy_scene::Track::linear(vec![0], vec![0.5], 1.0));
    let fading = Layer { blend: Blend::AlphaKey, alpha: Animated { base: 1.0, track }, ..Layer::default() };
    assert_eq!([alpha_mode(&mesh, &fading, 1.0, true), alpha_mode(&mesh, &fading, 1.0, false)], ["BLEND"; 2]);
}

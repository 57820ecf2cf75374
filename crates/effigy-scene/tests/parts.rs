//! The small parts of a scene: boxes, lists, names, colours, and where images come from.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_image::Image;
use effigy_scene::coordinates::{flip_winding, tangent_to_y_up};
use effigy_scene::{
    AlphaRule, Animated, Arena, Blend, Bounds, Combine, Extra, Extras, Id, Ignore, Interpolation, Layer,
    LayerTexture, NoTextures, Node, NodeKind, Replaceable, Role, Rotation, Sequence, Texture, Textures,
    Track, Unread, team,
};
use effigy_wire::Limits;

#[test]
fn a_box_grows_around_points_and_other_boxes() {
    let around = Bounds::around(&[[1.0, 5.0, -2.0], [3.0, 2.0, 4.0]]);
    assert_eq!((around.min, around.max, around.radius), ([1.0, 2.0, -2.0], [3.0, 5.0, 4.0], 0.0));
    // The diagonal of 2 x 3 x 6 is 7.
    assert_eq!(around.size(), 7.0);
    assert!(!around.is_empty());
    let both = around.union(&Bounds { min: [0.0, 3.0, 0.0], max: [2.0, 9.0, 1.0], radius: 8.0 });
    assert_eq!((both.min, both.max, both.radius), ([0.0, 2.0, -2.0], [3.0, 9.0, 4.0], 8.0));
    assert_eq!(Bounds::EMPTY.union(&around), around);
    assert!(Bounds::EMPTY.is_empty() && Bounds::EMPTY.size() == 0.0);
    // One axis is enough to be empty; a point is not.
    let flat = Bounds { min: [0.0; 3], max: [1.0, 1.0, -1.0], radius: 0.0 };
    assert!(flat.is_empty() && flat.size() == 0.0);
    assert!(!Bounds { min: [2.0; 3], max: [2.0; 3], radius: 0.0 }.is_empty());
}

#[test]
fn extras_keep_their_order_and_replace_by_name() {
    let mut extras = Extras::default();
    assert!(extras.is_empty());
    extras.set("rarity", 3_u32).set("name", "Stand").set("rarity", 2.5_f32);
    assert!(!extras.is_empty());
    assert_eq!(extras.get("rarity"), Some(&Extra::Float(2.5)));
    assert_eq!(extras.get("Rarity"), None);
    let names: Vec<&str> = extras.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["rarity", "name"]);
}

#[test]
fn players_are_named_by_number_or_colour() {
    let known = ["red", "Blue", "0", "23", "LIGHT BLUE", "peanut"].map(team::player);
    assert_eq!(known, [Some(0), Some(1), Some(0), Some(23), Some(9), Some(23)]);
    assert_eq!(["24", "-1", "", "reddish"].map(team::player), [None; 4]);
    assert_eq!(team::color(0), [0xff, 0x03, 0x03]);
    assert_eq!(team::color(11), [0x4f, 0x2b, 0x05]);
    assert_eq!(team::color(24), [0x2e, 0x2d, 0x2e]);
}

#[test]
fn tracks_and_values_say_whether_they_move() {
    let track = Track::linear(vec![0, 1, 2], vec![1.0, 2.0], 0.0);
    assert_eq!((track.len(), track.is_empty()), (2, false));
    assert!(Track::linear(vec![], vec![1.0], 0.0).is_empty());
    assert!(!Animated::fixed(1.0).is_animated() && Animated { base: 1.0, track: Some(track) }.is_animated());
    let turn = Track::linear(vec![0], vec![Rotation::default()], Rotation::default());
    let vector = Track::linear(vec![0], vec![[0.0; 3]], [0.0; 3]);
    let node = Node::new("node", NodeKind::Bone, None, [0.0; 3]);
    assert!(!node.is_animated());
    assert!(
        Node { rotation: Animated { base: Rotation::default(), track: Some(turn) }, ..node.clone() }
            .is_animated()
    );
    let vector = Animated { base: [0.0; 3], track: Some(vector) };
    assert!(Node { translation: vector.clone(), ..node.clone() }.is_animated());
    assert!(Node { scale: vector, ..node }.is_animated());
    let splines = [Interpolation::Step, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier]
        .map(Interpolation::is_spline);
    assert_eq!(splines, [false, false, true, true]);
    let each = |translation, rotation, scale| Ignore { translation, rotation, scale }.any();
    assert!(each(true, false, false) && each(false, true, false) && each(false, false, true));
    assert!(!each(false, false, false));
}

#[test]
fn a_sequence_is_never_of_negative_length() {
    let length = |start, end| Sequence { start, end, ..Sequence::default() }.length();
    assert_eq!(
        [length(100, 350), length(5, 5), length(9, 2), length(i32::MIN, i32::MAX)],
        [250, 0, 0, i32::MAX]
    );
}

#[test]
fn blends_are_found_by_their_names() {
    let names = ["opaque", "alphaKey", "alpha", "add", "addAlpha", "modulate", "modulate2x"];
    let blends = [
        Blend::Opaque,
        Blend::AlphaKey,
        Blend::Alpha,
        Blend::Add,
        Blend::AddAlpha,
        Blend::Modulate,
        Blend::Modulate2x,
    ];
    assert_eq!(blends.map(Blend::name), names);
    assert_eq!(names.map(Blend::from_name), blends.map(Some));
    assert_eq!(Blend::from_name("Add"), None);
    let ways = [Combine::ModulateColor, Combine::Modulate2xColor, Combine::AddColor, Combine::Fade];
    assert_eq!(ways.map(Combine::name), ["modulateColor", "modulate2xColor", "addColor", "fade"]);
    let ways = [Combine::Modulate, Combine::Modulate2x, Combine::Add, Combine::Decal];
    assert_eq!(ways.map(Combine::name), ["modulate", "modulate2x", "add", "decal"]);
    let numbers = [Replaceable::TeamColor, Replaceable::TeamGlow, Replaceable::Other(11)];
    assert_eq!(numbers.map(Replaceable::number), [1, 2, 11]);
}

#[test]
fn each_game_draws_from_another_alpha_on() {
    let at =
        |rule: AlphaRule| [1.0 / 255.0, 0.0039, 1e-4, 9e-5, 0.0, f32::NAN].map(|alpha| rule.draws(alpha));
    assert_eq!(at(AlphaRule::OneStep), [true, false, false, false, false, false]);
    assert_eq!(at(AlphaRule::TenThousandth), [true, true, true, false, false, false]);
    assert_eq!(at(AlphaRule::AboveZero), [true, true, true, true, false, false]);
}

#[test]
fn a_layer_finds_its_texture_by_role() {
    let texture =
        |role, index| LayerTexture { role, texture: Some(Id::new(index)), ..LayerTexture::default() };
    let layer =
        Layer { textures: vec![texture(Role::Normal, 4), texture(Role::Base, 7)], ..Layer::default() };
    assert_eq!(layer.texture(Role::Base).and_then(|texture| texture.texture), Some(Id::new(7)));
    assert!(layer.texture(Role::Emissive).is_none());
}

#[test]
fn an_arena_gives_ids_and_finds_by_them() {
    let mut arena: Arena<char> = Arena::default();
    assert!(arena.is_empty());
    let (a, b) = (arena.push('a'), arena.push('b'));
    assert_eq!((a.index(), b.index(), arena.len(), arena.is_empty()), (0, 1, 2, false));
    assert_eq!((arena.get(a), arena.get(b), arena.get(Id::new(2))), (Some(&'a'), Some(&'b'), None));
    assert_eq!((arena.id(1), arena.id(2)), (Some(b), None));
    *arena.get_mut(b).unwrap() = 'c';
    arena.as_mut_slice()[0] = 'd';
    assert_eq!(arena.iter().collect::<Vec<_>>(), [(a, &'d'), (b, &'c')]);
    assert_eq!(arena.as_slice(), ['d', 'c']);
    assert!(a < b && a != b && format!("{b:?}") == "#1");
    assert_eq!(arena.into_iter().collect::<Arena<char>>().len(), 2);
}

#[test]
fn triangles_and_tangents_change_sides() {
    let mut indices = [0, 1, 2, 3, 4, 5];
    flip_winding(&mut indices);
    assert_eq!(indices, [2, 1, 0, 5, 4, 3]);
    assert_eq!(tangent_to_y_up([1.0, 2.0, 3.0, -1.0]), [1.0, 3.0, -2.0, -1.0]);
}

#[test]
fn an_image_that_cannot_be_read_is_replaced() {
    let image = |size| Image::new(size, size, vec![7; (size * size * 4) as usize]).unwrap();
    let broken = || Unread::file(|| Some(b"not a picture".to_vec()), Limits::DEFAULT, Some(image(2))).read();
    assert_eq!(broken().bytes(), Some(b"not a picture".as_slice()));
    assert!(broken().decode_file().is_none());
    assert_eq!(broken().otherwise().unwrap().width, 2);
    assert_eq!(broken().decode().unwrap().width, 2);
    assert!(Unread::file(|| None, Limits::DEFAULT, None).read().decode().is_none());
    assert!(NoTextures.image(&Texture::default()).is_none());
    let mut source = |_: &Texture| Some(image(3));
    let found = Textures::find(&mut source, &Texture::default()).unwrap().read();
    assert!(found.bytes().is_none());
    assert_eq!(found.decode().unwrap().width, 3);
}

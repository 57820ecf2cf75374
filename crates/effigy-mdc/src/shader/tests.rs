//! Small scripts and what is parsed from them.

use super::*;

fn one(script: &str) -> Shader {
    parse(script).remove(0).1
}

#[test]
fn stages_and_what_holds_for_all_of_them_are_told_apart() {
    let shaders = parse(
        "// a comment { not a block\n\
         models/Fire.tga\n{\n cull none\n surfaceparm trans\n sort additive\n deformVertexes autoSprite\n\
         { animMap 10 a.tga b.tga // end\n blendFunc add }\n\
         {\n clampMap $whiteimage\n depthWrite\n }\n}\n\
         textures/one { { map textures/two.tga } }\n",
    );
    let names: Vec<&str> = shaders.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["models/Fire.tga", "textures/one"]);
    let fire = &shaders[0].1;
    assert_eq!((fire.sides, fire.sprite, fire.hidden, fire.sort), (Sides::Both, true, false, Some(10.0)));
    assert_eq!(fire.images().collect::<Vec<_>>(), ["a.tga", "b.tga", "$whiteimage"]);
    let [first, second] = fire.stages.as_slice() else { panic!("{fire:?}") };
    assert_eq!((first.fps, first.blend), (10.0, Some([Factor::One, Factor::One])));
    assert!(second.clamp && second.depth_write && second.blend.is_none());
}

#[test]
fn stages_say_how_they_mix_test_and_move() {
    let stage = |text: &str| one(&format!("x {{ {{\n map a.tga\n{text}\n}} }}")).stages.remove(0);
    use Factor::{DstColor, OneMinusSrcAlpha, SrcAlpha, Zero};
    assert_eq!(stage("blendFunc filter").blend, Some([DstColor, Zero]));
    assert_eq!(stage("BLENDFUNC blend").blend, Some([SrcAlpha, OneMinusSrcAlpha]));
    assert_eq!(stage("blendfunc GL_SRC_ALPHA gl_one").blend, Some([SrcAlpha, Factor::One]));
    assert_eq!(stage("blendFunc GL_ONE GL_ZERO").blend, None);
    assert_eq!(stage("blendFunc nonsense").blend, None);
    for (word, test) in
        [("GT0", AlphaTest::Above0), ("lt128", AlphaTest::Below128), ("GE128", AlphaTest::From128)]
    {
        assert_eq!(stage(&format!("alphaFunc {word}")).alpha_test, Some(test));
    }
    assert_eq!(stage("rgbGen lightingDiffuse").color, Color::Lit);
    assert_eq!(stage("rgbGen identity").color, Color::White);
    assert_eq!(stage("rgbGen const ( 0.5 0.25 1 )").color, Color::Fixed([0.5, 0.25, 1.0]));
    let wave = Wave { base: 0.5, amplitude: 0.25, phase: 0.0, frequency: 2.0, shape: Shape::Square };
    assert_eq!(stage("rgbGen wave square .5 .25 0 2").color, Color::Wave(wave));
    for (word, shape) in [
        ("sin", Shape::Sine),
        ("triangle", Shape::Triangle),
        ("sawtooth", Shape::Sawtooth),
        ("inverseSawtooth", Shape::InverseSawtooth),
    ] {
        let wave = Wave { shape, ..wave };
        assert_eq!(stage(&format!("rgbGen wave {word} .5 .25 0 2")).color, Color::Wave(wave), "{word}");
    }
    assert_eq!(stage("alphaGen const 0.5").alpha, Alpha::Fixed(0.5));
    assert_eq!(stage("alphaGen wave square .5 .25 0 2").alpha, Alpha::Wave(wave));
    for (word, factor) in [
        ("gl_zero", Zero),
        ("gl_src_color", Factor::SrcColor),
        ("gl_one_minus_src_color", Factor::OneMinusSrcColor),
        ("gl_dst_color", DstColor),
        ("gl_one_minus_dst_color", Factor::OneMinusDstColor),
        ("gl_src_alpha", SrcAlpha),
        ("gl_one_minus_src_alpha", OneMinusSrcAlpha),
        ("gl_dst_alpha", Factor::DstAlpha),
        ("gl_one_minus_dst_alpha", Factor::OneMinusDstAlpha),
    ] {
        assert_eq!(
            stage(&format!("blendFunc GL_ONE {word}")).blend,
            (factor != Zero).then_some([Factor::One, factor])
        );
    }
    assert!(stage("tcGen environment").environment);
    assert_eq!(
        stage("tcMod scale 2 3\ntcMod scroll 0.5 -1\ntcmod rotate 90\ntcMod turb 0 1 2 3").moves,
        [
            Move::Scale([2.0, 3.0]),
            Move::Scroll([0.5, -1.0]),
            Move::Rotate(90.0),
            Move::Other(Kind::Turbulence)
        ]
    );
    // Incomplete parameters are ignored.
    assert_eq!(stage("tcMod scroll 1\nrgbGen const\nalphaFunc").moves, []);
}

#[test]
fn waves_pass_through_their_corners() {
    let wave =
        |shape, seconds| Wave { shape, base: 1.0, amplitude: 2.0, phase: 0.25, frequency: 0.5 }.at(seconds);
    // After half a second the phase has moved from a quarter to a half.
    for (shape, first, later) in [
        (Shape::Sine, 3.0, 1.0),
        (Shape::Triangle, 3.0, 1.0),
        (Shape::Square, 3.0, -1.0),
        (Shape::Sawtooth, 1.5, 2.0),
        (Shape::InverseSawtooth, 2.5, 2.0),
    ] {
        assert!((wave(shape, 0.0) - first).abs() < 1e-5, "{shape:?}");
        assert!((wave(shape, 0.5) - later).abs() < 1e-5, "{shape:?}");
    }
    // An eighth, three, five and seven eighths of the period.
    let between = |shape| [1.75, 0.25, 0.75, 1.25].map(|seconds| wave(shape, seconds));
    assert_eq!(between(Shape::Triangle), [2.0, 2.0, 0.0, 0.0]);
    assert_eq!(between(Shape::Square), [3.0, 3.0, -1.0, -1.0]);
    assert_eq!(between(Shape::Sawtooth), [1.25, 1.75, 2.25, 2.75]);
    assert_eq!(between(Shape::InverseSawtooth), [2.75, 2.25, 1.75, 1.25]);
}

#[test]
fn comments_start_only_where_a_word_could() {
    let shader = one("/* y { */ x /* a\n b */ {{// c\n map a//b/*c.tga /* d\n */\nblendFunc add // } }\n} }");
    assert_eq!(shader.images().collect::<Vec<_>>(), ["a//b/*c.tga"]);
    assert!(shader.stages[0].blend.is_some());
    let shaders = parse("/* y { */ x { } /*/ z { }");
    assert_eq!(shaders.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["x"]);
}

#[test]
fn the_order_follows_the_first_stage_unless_the_script_states_one() {
    let place = |text: &str| one(&format!("x {{\n{text}\n}}")).place();
    assert_eq!(place("{ map a.tga }\n{ map b.tga\nblendFunc add }"), 3.0);
    assert_eq!(place("{ map a.tga\nblendFunc add }\n{ map b.tga }"), 9.0);
    assert_eq!(place("{ map a.tga\nblendFunc blend\ndepthWrite }"), 5.0);
    assert_eq!(place("sort underwater\n{ map a.tga\nblendFunc add }"), 8.0);
    assert_eq!(place("sort 12.5"), 12.5);
}

#[test]
fn images_and_stages_have_limits_and_what_is_beyond_is_counted() {
    let shader = one(&format!("x {{ {{ animMap 4 {} }} }}", "a.tga ".repeat(MOST_IMAGES + 3)));
    assert_eq!((shader.stages[0].images.len(), shader.stages[0].more_images), (MOST_IMAGES, 3));
    let shader = one(&format!("x {{ {} {{ map b.tga }} }}", "{ map a.tga } ".repeat(MOST_STAGES)));
    assert_eq!((shader.stages.len(), shader.more_stages), (MOST_STAGES, 1));
    assert!(shader.images().all(|image| image == "a.tga"));
}

#[test]
fn surfaces_that_move_by_themselves_are_told_from_sprites() {
    let told = |text: &str| {
        let shader = one(&format!("x {{\ndeformVertexes {text}\n}}"));
        (shader.sprite, shader.deformed)
    };
    assert_eq!(told("autoSprite"), (true, false));
    assert_eq!(told("autoSprite2"), (false, true));
    assert_eq!(told("wave 100 sin 0 1 0 1"), (false, true));
}

#[test]
fn unbalanced_scripts_do_no_harm() {
    assert!(parse("} } a { { map x.tga ").is_empty());
    assert!(parse("}}}}}").is_empty());
    assert_eq!(parse("a { { { { map deep.tga } } } }").len(), 1);
}

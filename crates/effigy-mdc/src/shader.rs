//! Shader scripts (`scripts/*.shader`): what a surface looks like, where it is more than one lit image.
//!
//! A script is a name and a block; blocks inside it are stages, one keyword a line, whatever the letter case. Keywords
//! that change nothing about models (lights of maps, editor images, sounds) are passed over. Sources: the behaviour of the
//! released game code, as far as models use it.

mod words;

/// Which sides of a surface are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// The front.
    #[default]
    Front,
    /// The back.
    Back,
    /// Both (`cull none`).
    Both,
}

/// A factor of `blendFunc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Nothing of it.
    Zero,
    /// All of it.
    One,
    /// Times the source's colour.
    SrcColor,
    /// Times what the source's colour leaves.
    OneMinusSrcColor,
    /// Times the destination's colour.
    DstColor,
    /// Times what the destination's colour leaves.
    OneMinusDstColor,
    /// Times the source's alpha.
    SrcAlpha,
    /// Times what the source's alpha leaves.
    OneMinusSrcAlpha,
    /// Times the destination's alpha.
    DstAlpha,
    /// Times what the destination's alpha leaves.
    OneMinusDstAlpha,
}

/// Which fragments `alphaFunc` lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaTest {
    /// Alpha above 0.
    Above0,
    /// Alpha below a half.
    Below128,
    /// Alpha of a half or more.
    From128,
}

/// A value that swings: `base + amplitude * shape(phase + seconds * frequency)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wave {
    /// What swings.
    pub shape: Shape,
    /// The value about which it swings.
    pub base: f32,
    /// How far.
    pub amplitude: f32,
    /// Where in its period it begins, 0 to 1.
    pub phase: f32,
    /// Periods a second.
    pub frequency: f32,
}

/// The shape of a [`Wave`] over its period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A sine.
    #[default]
    Sine,
    /// Straight up to 1, down to -1 and back.
    Triangle,
    /// 1, then -1.
    Square,
    /// Up from 0 to 1.
    Sawtooth,
    /// Down from 1 to 0.
    InverseSawtooth,
}

impl Wave {
    /// The value after so many seconds.
    #[must_use]
    pub fn at(&self, seconds: f32) -> f32 {
        let x = (self.phase + seconds * self.frequency).rem_euclid(1.0);
        let shape = match self.shape {
            Shape::Sine => (x * std::f32::consts::TAU).sin(),
            Shape::Triangle if x < 0.25 => 4.0 * x,
            Shape::Triangle if x < 0.75 => 2.0 - 4.0 * x,
            Shape::Triangle => 4.0 * x - 4.0,
            Shape::Square if x < 0.5 => 1.0,
            Shape::Square => -1.0,
            Shape::Sawtooth => x,
            Shape::InverseSawtooth => 1.0 - x,
        };
        self.base + self.amplitude * shape
    }
}

/// Where the colour of a stage comes from (`rgbGen`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Color {
    /// White: the image as it is. Also what entities and vertices give where a viewer has neither.
    #[default]
    White,
    /// Light that falls on the model.
    Lit,
    /// A fixed colour.
    Fixed([f32; 3]),
    /// A grey that swings.
    Wave(Wave),
}

/// Where the alpha of a stage comes from (`alphaGen`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alpha {
    /// The image's own.
    #[default]
    Own,
    /// Times a fixed value.
    Fixed(f32),
    /// Times a value that swings.
    Wave(Wave),
}

/// A movement of texture coordinates (`tcMod`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// So many images a second, in s and t.
    Scroll([f32; 2]),
    /// Times this, about the origin.
    Scale([f32; 2]),
    /// So many degrees a second about the middle, clockwise.
    Rotate(f32),
    /// One of those that only moving water and flames use; by its keyword.
    Other(Kind),
}

/// A movement that is known by name only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `turb`.
    Turbulence,
    /// `stretch`.
    Stretch,
    /// `transform`.
    Transform,
    /// Something else.
    Unknown,
}

/// One pass over a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Its images; names that start with `$` are built in. More than one: they take turns.
    pub images: Vec<String>,
    /// Images a second, where there are more than one.
    pub fps: f32,
    /// The image does not repeat.
    pub clamp: bool,
    /// Source and destination factor; none: it covers.
    pub blend: Option<[Factor; 2]>,
    /// Which fragments show.
    pub alpha_test: Option<AlphaTest>,
    /// It hides what is farther although it blends.
    pub depth_write: bool,
    /// Where its colour comes from.
    pub color: Color,
    /// Where its alpha comes from.
    pub alpha: Alpha,
    /// Coordinates mirror the surroundings (`tcGen environment`).
    pub environment: bool,
    /// Movements of the coordinates, in order.
    pub moves: Vec<Move>,
}

/// What one shader script says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shader {
    /// The passes, in order.
    pub stages: Vec<Stage>,
    /// Which sides are seen.
    pub sides: Sides,
    /// Nothing is drawn (`surfaceparm nodraw`).
    pub hidden: bool,
    /// Each four vertices are a quad that turns to the camera (`deformVertexes autosprite`).
    pub sprite: bool,
    /// Its place in the order of passes, where the script states one.
    pub sort: Option<f32>,
}

impl Shader {
    /// The images of all stages, in order.
    pub fn images(&self) -> impl Iterator<Item = &str> {
        self.stages.iter().flat_map(|stage| stage.images.iter().map(String::as_str))
    }
}

/// All shaders of a script with their names, in order. Whatever is not understood is passed over.
#[must_use]
pub fn parse(script: &str) -> Vec<(String, Shader)> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut current: Option<(String, Shader)> = None;
    let mut name = String::new();
    for line in script.lines() {
        let line = line.split("//").next().unwrap_or("");
        let spaced = line.replace('{', " { ").replace('}', " } ");
        let mut words: Vec<&str> = Vec::new();
        for word in spaced.split_whitespace() {
            match word {
                "{" => {
                    if let Some((_, shader)) = &mut current {
                        words::take(shader, depth, &words);
                        words.clear();
                    }
                    if depth == 0 {
                        current = Some((std::mem::take(&mut name), Shader::default()));
                    } else if let (1, Some((_, shader))) = (depth, &mut current) {
                        shader.stages.push(Stage::default());
                    }
                    depth += 1;
                }
                "}" => {
                    if let Some((_, shader)) = &mut current {
                        words::take(shader, depth, &words);
                    }
                    words.clear();
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        found.extend(current.take());
                    }
                }
                word if depth == 0 => word.clone_into(&mut name),
                word => words.push(word),
            }
        }
        if let Some((_, shader)) = &mut current {
            words::take(shader, depth, &words);
        }
    }
    found
}

#[cfg(test)]
mod tests {
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
        assert_eq!(stage("alphaGen const 0.5").alpha, Alpha::Fixed(0.5));
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
        // Half a keyword says nothing.
        assert_eq!(stage("tcMod scroll 1\nrgbGen const\nalphaFunc").moves, []);
    }

    #[test]
    fn waves_pass_through_their_corners() {
        let wave = |shape, seconds| {
            Wave { shape, base: 1.0, amplitude: 2.0, phase: 0.25, frequency: 0.5 }.at(seconds)
        };
        // Half a second later the quarter of the phase has become a half.
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
    }

    #[test]
    fn unbalanced_scripts_do_no_harm() {
        assert!(parse("} } a { { map x.tga ").is_empty());
        assert!(parse("}}}}}").is_empty());
        assert_eq!(parse("a { { { { map deep.tga } } } }").len(), 1);
    }
}

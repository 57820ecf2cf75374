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

/// Images of a stage that are kept; the games keep 8.
pub const MOST_IMAGES: usize = 64;
/// Stages of a shader that are kept; the games keep 8.
pub const MOST_STAGES: usize = 64;

/// One pass over a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Its images; names that start with `$` are built in. More than one: they take turns.
    pub images: Vec<String>,
    /// How many more images the script names than are kept ([`MOST_IMAGES`]).
    pub more_images: usize,
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
    /// How many more passes the script has than are kept ([`MOST_STAGES`]).
    pub more_stages: usize,
    /// Which sides are seen.
    pub sides: Sides,
    /// Nothing is drawn (`surfaceparm nodraw`).
    pub hidden: bool,
    /// Each four vertices are a quad that turns to the camera (`deformVertexes autosprite`).
    pub sprite: bool,
    /// The surface waves, bulges or turns in another way (`deformVertexes` with any other word).
    pub deformed: bool,
    /// Its place in the order of passes, where the script states one.
    pub sort: Option<f32>,
}

impl Shader {
    /// The images of all stages, in order.
    pub fn images(&self) -> impl Iterator<Item = &str> {
        self.stages.iter().flat_map(|stage| stage.images.iter().map(String::as_str))
    }

    /// Its place in the order of passes: the stated one, else what the first stage asks for.
    #[must_use]
    pub fn place(&self) -> f32 {
        let first = self.stages.first().filter(|stage| stage.blend.is_some());
        let usual =
            first.map_or(
                words::OPAQUE,
                |stage| {
                    if stage.depth_write { words::SEE_THROUGH } else { words::BLENDED }
                },
            );
        self.sort.unwrap_or(usual)
    }
}

/// The script without its comments. They start where a word could; elsewhere slashes belong to names.
fn without_comments(script: &str) -> String {
    let mut kept = String::with_capacity(script.len());
    let mut rest = script;
    let mut between = true;
    while let Some(next) = rest.chars().next() {
        if between && rest.starts_with("//") {
            rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or("");
        } else if let Some(comment) = rest.strip_prefix("/*").filter(|_| between) {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            kept.push(' ');
        } else {
            kept.push(next);
            between = next.is_whitespace() || matches!(next, '{' | '}');
            rest = rest.get(next.len_utf8()..).unwrap_or("");
        }
    }
    kept
}

/// All shaders of a script with their names, in order. Whatever is not understood is passed over.
#[must_use]
pub fn parse(script: &str) -> Vec<(String, Shader)> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut current: Option<(String, Shader)> = None;
    let mut name = String::new();
    for line in without_comments(script).lines() {
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
                        if shader.stages.len() < MOST_STAGES {
                            shader.stages.push(Stage::default());
                        } else {
                            shader.more_stages += 1;
                        }
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
mod tests;

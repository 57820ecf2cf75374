//! Shader scripts (`scripts/*.shader`): the appearance of surfaces that are more than one lit image.
//!
//! A shader is a name and a block; the blocks inside it are stages. Each line is a keyword with parameters, in upper or
//! lower case. Keywords that do not affect models (light of maps, editor images, sounds) are skipped. Source: the behaviour
//! of the released game code, as far as models need it.

mod words;

/// The visible sides of a surface.
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
    /// Times 0.
    Zero,
    /// Times 1.
    One,
    /// Times the source's colour.
    SrcColor,
    /// Times 1 minus the source's colour.
    OneMinusSrcColor,
    /// Times the destination's colour.
    DstColor,
    /// Times 1 minus the destination's colour.
    OneMinusDstColor,
    /// Times the source's alpha.
    SrcAlpha,
    /// Times 1 minus the source's alpha.
    OneMinusSrcAlpha,
    /// Times the destination's alpha.
    DstAlpha,
    /// Times 1 minus the destination's alpha.
    OneMinusDstAlpha,
}

/// The fragments that pass `alphaFunc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaTest {
    /// Alpha above 0.
    Above0,
    /// Alpha below a half.
    Below128,
    /// Alpha of a half or more.
    From128,
}

/// A periodic value: `base + amplitude * shape(phase + seconds * frequency)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wave {
    /// The shape of one period.
    pub shape: Shape,
    /// The value that the wave is added to.
    pub base: f32,
    /// Factor of the shape.
    pub amplitude: f32,
    /// Position in the period at time 0, from 0 to 1.
    pub phase: f32,
    /// Periods per second.
    pub frequency: f32,
}

/// The shape of a [`Wave`] over its period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A sine.
    #[default]
    Sine,
    /// Linear from 0 to 1, to -1 and back to 0.
    Triangle,
    /// 1 in the first half, -1 in the second.
    Square,
    /// Linear from 0 to 1.
    Sawtooth,
    /// Linear from 1 to 0.
    InverseSawtooth,
}

impl Wave {
    /// The value after this many seconds.
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

/// The source of the colour of a stage (`rgbGen`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Color {
    /// White: the image is not changed. Also used for colours of entities and vertices, which a viewer does not have.
    #[default]
    White,
    /// The light at the model.
    Lit,
    /// A constant colour.
    Fixed([f32; 3]),
    /// A periodic grey.
    Wave(Wave),
}

/// The source of the alpha of a stage (`alphaGen`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alpha {
    /// The alpha of the image.
    #[default]
    Own,
    /// Times a constant.
    Fixed(f32),
    /// Times a periodic value.
    Wave(Wave),
}

/// A change of texture coordinates (`tcMod`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// Scrolls by this many images per second, in s and t.
    Scroll([f32; 2]),
    /// Scales about the origin.
    Scale([f32; 2]),
    /// Rotates by this many degrees per second about the centre, clockwise.
    Rotate(f32),
    /// Another change, which only water and flames use.
    Other(Kind),
}

/// A change of texture coordinates that is recognised but not evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `turb`.
    Turbulence,
    /// `stretch`.
    Stretch,
    /// `transform`.
    Transform,
    /// Any other keyword.
    Unknown,
}

/// Most images of a stage that are kept; the games keep 8.
pub const MOST_IMAGES: usize = 64;
/// Most stages of a shader that are kept; the games keep 8.
pub const MOST_STAGES: usize = 64;

/// One pass over a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Its images; names that start with `$` are built in. If there is more than one, they are shown in turn.
    pub images: Vec<String>,
    /// Number of images in the script beyond [`MOST_IMAGES`].
    pub more_images: usize,
    /// Images per second, if there is more than one.
    pub fps: f32,
    /// Whether the image is clamped instead of repeated.
    pub clamp: bool,
    /// Source and destination factor; `None` means opaque.
    pub blend: Option<[Factor; 2]>,
    /// The fragments that are drawn.
    pub alpha_test: Option<AlphaTest>,
    /// Whether it writes depth although it blends.
    pub depth_write: bool,
    /// The source of its colour.
    pub color: Color,
    /// The source of its alpha.
    pub alpha: Alpha,
    /// Whether the coordinates are those of an environment map (`tcGen environment`).
    pub environment: bool,
    /// Changes of the coordinates, in order.
    pub moves: Vec<Move>,
}

/// One shader of a script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shader {
    /// The stages, in order of drawing.
    pub stages: Vec<Stage>,
    /// Number of stages in the script beyond [`MOST_STAGES`].
    pub more_stages: usize,
    /// The visible sides.
    pub sides: Sides,
    /// Whether nothing is drawn (`surfaceparm nodraw`).
    pub hidden: bool,
    /// Whether each four vertices are a quad that faces the camera (`deformVertexes autosprite`).
    pub sprite: bool,
    /// Whether the surface is deformed in another way (`deformVertexes` with any other word).
    pub deformed: bool,
    /// Its position in the order of drawing, if the script states one.
    pub sort: Option<f32>,
}

impl Shader {
    /// The images of all stages, in order.
    pub fn images(&self) -> impl Iterator<Item = &str> {
        self.stages.iter().flat_map(|stage| stage.images.iter().map(String::as_str))
    }

    /// Its position in the order of drawing: the stated one, or else the usual one for its first stage.
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

/// The script without its comments. A comment starts where a word could start; other slashes are part of names.
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

/// All shaders of a script with their names, in order. Anything that is not understood is skipped.
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

//! The keywords of shader scripts.

use super::{Alpha, AlphaTest, Color, Factor, Kind, MOST_IMAGES, Move, Shader, Shape, Sides, Stage, Wave};

/// Position of opaque surfaces in the order of drawing.
pub(super) const OPAQUE: f32 = 3.0;
/// Position of surfaces that blend and write depth.
pub(super) const SEE_THROUGH: f32 = 5.0;
/// Position of surfaces that blend.
pub(super) const BLENDED: f32 = 9.0;

/// Interprets one line: a keyword and its parameters. Depth 1 is the shader, 2 its last stage.
pub(super) fn take(shader: &mut Shader, depth: usize, words: &[&str]) {
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match depth {
        1 => general(shader, &lower),
        // Lines of stages beyond the limit must not change the last stage that is kept.
        2 if shader.more_stages == 0 => {
            if let Some(stage) = shader.stages.last_mut() {
                of_stage(stage, &lower, words);
            }
        }
        _ => {}
    }
}

fn general(shader: &mut Shader, words: &[&str]) {
    match words {
        ["cull", "none" | "twosided" | "disable", ..] => shader.sides = Sides::Both,
        ["cull", "back" | "backside" | "backsided", ..] => shader.sides = Sides::Back,
        ["surfaceparm", "nodraw", ..] => shader.hidden = true,
        ["deformvertexes", "autosprite", ..] => shader.sprite = true,
        ["deformvertexes", ..] => shader.deformed = true,
        ["sort", place, ..] => {
            shader.sort = match *place {
                "portal" => Some(1.0),
                "sky" => Some(2.0),
                "opaque" => Some(OPAQUE),
                "decal" => Some(4.0),
                "seethrough" => Some(SEE_THROUGH),
                "banner" => Some(6.0),
                "underwater" => Some(8.0),
                "additive" => Some(10.0),
                "nearest" => Some(16.0),
                number => number.parse().ok().filter(|number: &f32| number.is_finite()),
            }
        }
        _ => {}
    }
}

/// `lower` is used for comparisons, `words` has the original case, for names of images.
fn of_stage(stage: &mut Stage, lower: &[&str], words: &[&str]) {
    match (lower, words) {
        (["map", ..], [_, image, ..]) => stage.images = vec![(*image).to_owned()],
        (["clampmap", ..], [_, image, ..]) => {
            stage.images = vec![(*image).to_owned()];
            stage.clamp = true;
        }
        (["animmap" | "clampanimmap", fps, ..], [_, _, images @ ..]) => {
            stage.images = images.iter().take(MOST_IMAGES).map(|image| (*image).to_owned()).collect();
            stage.more_images = images.len().saturating_sub(MOST_IMAGES);
            stage.fps = number(fps).unwrap_or(0.0);
            stage.clamp = lower.first() == Some(&"clampanimmap");
        }
        (["blendfunc", rest @ ..], _) => stage.blend = blend(rest),
        (["alphafunc", test, ..], _) => {
            stage.alpha_test = match *test {
                "gt0" => Some(AlphaTest::Above0),
                "lt128" => Some(AlphaTest::Below128),
                "ge128" => Some(AlphaTest::From128),
                _ => None,
            };
        }
        (["depthwrite", ..], _) => stage.depth_write = true,
        (["rgbgen", rest @ ..], _) => {
            stage.color = match rest {
                ["lightingdiffuse", ..] => Color::Lit,
                ["const", rest @ ..] => fixed(rest).map_or(Color::White, Color::Fixed),
                ["wave", rest @ ..] => wave(rest).map_or(Color::White, Color::Wave),
                _ => Color::White,
            };
        }
        (["alphagen", rest @ ..], _) => {
            stage.alpha = match rest {
                ["const", value, ..] => number(value).map_or(Alpha::Own, Alpha::Fixed),
                ["wave", rest @ ..] => wave(rest).map_or(Alpha::Own, Alpha::Wave),
                _ => Alpha::Own,
            };
        }
        (["tcgen", "environment", ..], _) => stage.environment = true,
        (["tcmod", rest @ ..], _) => stage.moves.extend(movement(rest)),
        _ => {}
    }
}

fn number(word: &str) -> Option<f32> {
    word.parse().ok().filter(|number: &f32| number.is_finite())
}

fn pair([a, b]: [&str; 2]) -> Option<[f32; 2]> {
    Some([number(a)?, number(b)?])
}

/// Three numbers, with brackets around them or without.
fn fixed(words: &[&str]) -> Option<[f32; 3]> {
    let mut numbers = words.iter().flat_map(|word| word.split(['(', ')'])).filter_map(number);
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

fn wave(words: &[&str]) -> Option<Wave> {
    let [shape, base, amplitude, phase, frequency, ..] = words else { return None };
    let shape = match *shape {
        "sin" => Shape::Sine,
        "triangle" => Shape::Triangle,
        "square" => Shape::Square,
        "sawtooth" => Shape::Sawtooth,
        "inversesawtooth" => Shape::InverseSawtooth,
        _ => return None,
    };
    Some(Wave {
        shape,
        base: number(base)?,
        amplitude: number(amplitude)?,
        phase: number(phase)?,
        frequency: number(frequency)?,
    })
}

fn blend(words: &[&str]) -> Option<[Factor; 2]> {
    let factors = match words {
        ["add", ..] => [Factor::One, Factor::One],
        ["filter", ..] => [Factor::DstColor, Factor::Zero],
        ["blend", ..] => [Factor::SrcAlpha, Factor::OneMinusSrcAlpha],
        [source, destination, ..] => [factor(source)?, factor(destination)?],
        _ => return None,
    };
    (factors != [Factor::One, Factor::Zero]).then_some(factors)
}

fn factor(word: &str) -> Option<Factor> {
    Some(match word {
        "gl_zero" => Factor::Zero,
        "gl_one" => Factor::One,
        "gl_src_color" => Factor::SrcColor,
        "gl_one_minus_src_color" => Factor::OneMinusSrcColor,
        "gl_dst_color" => Factor::DstColor,
        "gl_one_minus_dst_color" => Factor::OneMinusDstColor,
        "gl_src_alpha" => Factor::SrcAlpha,
        "gl_one_minus_src_alpha" => Factor::OneMinusSrcAlpha,
        "gl_dst_alpha" => Factor::DstAlpha,
        "gl_one_minus_dst_alpha" => Factor::OneMinusDstAlpha,
        _ => return None,
    })
}

fn movement(words: &[&str]) -> Option<Move> {
    Some(match words {
        ["scroll", s, t, ..] => Move::Scroll(pair([s, t])?),
        ["scale", s, t, ..] => Move::Scale(pair([s, t])?),
        ["rotate", degrees, ..] => Move::Rotate(number(degrees)?),
        ["scroll" | "scale" | "rotate", ..] | [] => return None,
        ["turb", ..] => Move::Other(Kind::Turbulence),
        ["stretch", ..] => Move::Other(Kind::Stretch),
        ["transform", ..] => Move::Other(Kind::Transform),
        _ => Move::Other(Kind::Unknown),
    })
}

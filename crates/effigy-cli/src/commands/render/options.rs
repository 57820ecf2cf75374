//! What can be said about a picture on the command line, and what it means.

use crate::args::Assets;
use crate::session::Stop;
use clap::{Args, FromArgMatches};
use effigy_assets::rules::warcraft3;
use effigy_render::{Background, Look, Overlays};
use std::str::FromStr;

/// Options of pictures, apart from inputs and outputs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Picture")]
pub struct PictureArgs {
    /// Width and height in pixels, such as 512 or 800x600
    #[arg(long, value_name = "SIZE", default_value = "512")]
    pub size: Size,
    /// The sequence to show, by name or number [default: a stand]
    #[arg(long, value_name = "NAME")]
    pub anim: Option<String>,
    /// When in the sequence: seconds, or a share such as 50% [default: half a second, or half of a shorter sequence]
    #[arg(long, value_name = "TIME")]
    pub time: Option<Time>,
    /// Frames a second of animations
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub fps: u32,
    /// Seconds that an animation lasts [default: once through the sequence; 4 for a turntable]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Walk around the model once
    #[arg(long)]
    pub turntable: bool,
    /// From where: front, side, three-quarter, portrait, the name of a camera of the model, or X,Y,Z:X,Y,Z for eye
    /// and target
    #[arg(long, value_name = "CAMERA", default_value = "three-quarter")]
    pub camera: String,
    /// What is behind: a colour such as #404040, gradient, or transparent
    #[arg(long, value_name = "COLOR", default_value = "gradient")]
    pub background: Backdrop,
    /// The player's colour: a number, a name such as teal, or #RRGGBB
    #[arg(long, value_name = "COLOR", default_value = "0")]
    pub team_color: Team,
    /// Lines over the model: bones, attachments, collision, bounds, normals, wireframe, grid
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub overlay: Vec<String>,
    /// Where textures are looked for.
    #[command(flatten)]
    pub assets: Assets,
}

impl PictureArgs {
    /// The options as if these words had been typed.
    pub fn typed(words: &[&str]) -> Result<Self, Stop> {
        Self::augment_args(clap::Command::new("effigy").no_binary_name(true))
            .try_get_matches_from(words)
            .and_then(|matches| Self::from_arg_matches(&matches))
            .map_err(|error| Stop::Usage(error.to_string()))
    }

    /// Background and overlays.
    pub fn look(&self) -> Result<Look, String> {
        let mut overlays = Overlays::default();
        for name in &self.overlay {
            if !overlays.enable(name.trim()) {
                return Err(format!(
                    "there is no overlay {name}; there are bones, attachments, collision, bounds, normals, wireframe, grid"
                ));
            }
        }
        Ok(Look { background: self.background.0, overlays, ..Look::default() })
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number of seconds is needed".to_owned())?;
    if value > 0.0 && value <= 600.0 {
        Ok(value)
    } else {
        Err("it must be above 0 and at most 600".to_owned())
    }
}

/// Width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        match (width.parse(), height.parse()) {
            (Ok(width @ 1..=16_384), Ok(height @ 1..=16_384)) => Ok(Self([width, height])),
            _ => Err("a size such as 512 or 800x600 is needed, each side 1 to 16384".to_owned()),
        }
    }
}

/// A time in a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    /// Seconds from its beginning.
    Seconds(f64),
    /// A share of its length, 0 to 1.
    Share(f64),
}

impl PictureArgs {
    /// The time in milliseconds, for a sequence of this length.
    pub fn milliseconds(&self, length: f64) -> f64 {
        match self.time {
            Some(Time::Seconds(seconds)) => seconds * 1000.0,
            Some(Time::Share(share)) => share * length,
            None => (length / 2.0).min(500.0),
        }
    }
}

impl FromStr for Time {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, share) = match text.strip_suffix('%') {
            Some(number) => (number, true),
            None => (text.strip_suffix('s').unwrap_or(text), false),
        };
        let value: f64 =
            number.parse().map_err(|_| "seconds or a share such as 50% are needed".to_owned())?;
        if !(0.0..=1e6).contains(&value) {
            return Err("it must be 0 or more".to_owned());
        }
        Ok(if share { Self::Share(value / 100.0) } else { Self::Seconds(value) })
    }
}

fn hex_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
    let [_, r, g, b] = value.to_be_bytes();
    Some([r, g, b])
}

/// A background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backdrop(pub Background);

impl FromStr for Backdrop {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let color = match text {
            "gradient" => return Ok(Self(Background::STUDIO)),
            "transparent" | "none" => return Ok(Self(Background::Transparent)),
            "black" => [0; 3],
            "white" => [255; 3],
            "grey" | "gray" => [64; 3],
            other => hex_color(other).ok_or("a colour such as #404040, gradient or transparent is needed")?,
        };
        Ok(Self(Background::Color(color)))
    }
}

/// A player's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team {
    /// Red, green, blue.
    pub color: [u8; 3],
    /// The player's number, where it is one of the game's colours.
    pub number: Option<usize>,
}

/// A player's number, by number or by the name of the colour.
pub fn player(text: &str) -> Option<usize> {
    let known = warcraft3::TEAM_NAMES.iter().position(|name| name.eq_ignore_ascii_case(text));
    known.or_else(|| text.parse().ok().filter(|number| *number < warcraft3::TEAM_NAMES.len()))
}

impl FromStr for Team {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match (player(text), hex_color(text)) {
            (Some(number), _) => Ok(Self { color: warcraft3::team_color(number), number: Some(number) }),
            (None, Some(color)) => Ok(Self { color, number: None }),
            (None, None) => {
                Err("a number below 24, a name such as red or teal, or #RRGGBB is needed".to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_times_and_colours_are_understood() {
        assert_eq!("512".parse(), Ok(Size([512, 512])));
        assert_eq!("800x600".parse(), Ok(Size([800, 600])));
        assert!("0".parse::<Size>().is_err() && "1x".parse::<Size>().is_err());
        assert_eq!("50%".parse(), Ok(Time::Share(0.5)));
        assert_eq!("1.5s".parse(), Ok(Time::Seconds(1.5)));
        assert!("-1".parse::<Time>().is_err() && "nan".parse::<Time>().is_err());
        assert_eq!("#102030".parse(), Ok(Backdrop(Background::Color([16, 32, 48]))));
        assert_eq!("teal".parse::<Team>().unwrap().number, Some(2));
        assert_eq!("#102030".parse::<Team>().unwrap(), Team { color: [16, 32, 48], number: None });
        assert!("99".parse::<Team>().is_err());
    }
}

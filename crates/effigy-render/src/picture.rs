//! What a picture shall show, as plain options. Each of them can be parsed from the text that a person writes.

use crate::camera::{Camera, FIELD_OF_VIEW};
use crate::draw_style::{Background, Overlays};
use effigy_scene::team;
use effigy_wire::{Error, Kind};
use std::str::FromStr;

/// A picture, an animation or a contact sheet of a model: everything that [`crate::Renderer::take`] has to know.
///
/// The default is one picture of 512 by 512 pixels, of a stand, seen as [`Viewpoint::Auto`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What is made of the model.
    pub shot: Shot,
    /// Width and height in pixels; of one tile on a sheet.
    pub size: [u32; 2],
    /// The sequence to show, by name or number; none: the one that shows the model best, usually a stand.
    pub animation: Option<String>,
    /// When in the sequence a still is taken; none: after half a second, or in the middle of a shorter sequence.
    pub time: Option<Time>,
    /// Frames per second of an animation, 1 to 100.
    pub fps: u32,
    /// Length of an animation in seconds; none: once through the sequence, and 4 seconds for a turntable.
    pub seconds: Option<f64>,
    /// The camera goes around the model once while the frames of an animation are taken.
    pub turntable: bool,
    /// Where the camera is.
    pub camera: Viewpoint,
    /// What is behind the model.
    pub background: Background,
    /// The player's colour.
    pub team_color: TeamColor,
    /// Lines over the model.
    pub overlays: Overlays,
    /// Which level of detail of a model that has several, 0 the finest.
    pub lod: u32,
    /// A soft shadow on the ground. Only models that stand on it have one, and only where the camera is free: not in
    /// portraits and scenes, nor over [`Background::Transparent`], nor for a [`Viewpoint::Fixed`] camera.
    pub shadow: bool,
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            shot: Shot::Still,
            size: [512, 512],
            animation: None,
            time: None,
            fps: 20,
            seconds: None,
            turntable: false,
            camera: Viewpoint::Auto,
            background: Background::STUDIO,
            team_color: TeamColor::default(),
            overlays: Overlays::default(),
            lod: 0,
            shadow: true,
        }
    }
}

impl Picture {
    /// Milliseconds that each picture of an animation lasts.
    pub(crate) fn delay(&self) -> u16 {
        u16::try_from(1000 / self.fps.max(1)).unwrap_or(u16::MAX)
    }

    /// The time of a still in milliseconds, for a sequence of this length.
    pub(crate) fn milliseconds(&self, length: f64) -> f64 {
        match self.time {
            Some(Time::Seconds(seconds)) => seconds * 1000.0,
            Some(Time::Share(share)) => share * length,
            None => (length / 2.0).min(500.0),
        }
    }
}

/// What is made of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shot {
    /// One picture.
    #[default]
    Still,
    /// The frames of an animation.
    Frames,
    /// One picture with a tile for each sequence.
    Sheet,
}

fn usage(text: &'static str) -> Error {
    Error::new(Kind::Usage, text)
}

/// Width and height as text: `512` or `800x600`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        match (width.parse(), height.parse()) {
            (Ok(width @ 1..=16_384), Ok(height @ 1..=16_384)) => Ok(Self([width, height])),
            _ => Err(usage("a size such as 512 or 800x600 is needed, each side 1 to 16384")),
        }
    }
}

/// A time in a sequence: `1.5`, `1.5s` or `50%` as text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    /// Seconds from its beginning.
    Seconds(f64),
    /// A share of its length, 0 to 1.
    Share(f64),
}

impl FromStr for Time {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (number, share) = match text.strip_suffix('%') {
            Some(number) => (number, true),
            None => (text.strip_suffix('s').unwrap_or(text), false),
        };
        let value: f64 = number.parse().map_err(|_| usage("seconds or a share such as 50% are needed"))?;
        if !(0.0..=1e6).contains(&value) {
            return Err(usage("it must be 0 or more"));
        }
        Ok(if share { Self::Share(value / 100.0) } else { Self::Seconds(value) })
    }
}

/// Where the camera of a picture is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Viewpoint {
    /// As the model is best seen: portraits and scenes through their own camera, flat models face on, everything else
    /// as [`Viewpoint::ThreeQuarter`].
    #[default]
    Auto,
    /// In front of the model, a little above it.
    Front,
    /// At the model's right side, a little above it.
    Side,
    /// In front of the model, 30 degrees to its right, above it.
    ThreeQuarter,
    /// The model's first camera, which the games use for portraits; the front where the model has no camera. A sequence
    /// for portraits is shown, where the model has one and the caller names none.
    Portrait,
    /// The model's camera with this name, in upper or lower case.
    Named(String),
    /// A camera of the caller, as it is.
    Fixed(Camera),
}

impl Viewpoint {
    /// `X,Y,Z:X,Y,Z`: eye and target.
    fn fixed(text: &str) -> Option<Self> {
        let point = |text: &str| -> Option<[f32; 3]> {
            let numbers: Vec<f32> = text.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
            numbers
                .try_into()
                .ok()
                .filter(|numbers: &[f32; 3]| numbers.iter().all(|number| number.is_finite()))
        };
        let (eye, target) = text.split_once(':')?;
        Some(Self::Fixed(Camera::look_at(point(eye)?, point(target)?, FIELD_OF_VIEW)))
    }
}

/// `auto`, `front`, `side`, `three-quarter`, `portrait`, or `X,Y,Z:X,Y,Z` for eye and target. Everything else is the name of a
/// camera; whether the model has it is known only when the picture is taken.
impl FromStr for Viewpoint {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "auto" => Self::Auto,
            "front" => Self::Front,
            "side" => Self::Side,
            "three-quarter" => Self::ThreeQuarter,
            "portrait" => Self::Portrait,
            name => Self::fixed(name).unwrap_or_else(|| Self::Named(name.to_owned())),
        })
    }
}

fn hex_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
    let [_, r, g, b] = value.to_be_bytes();
    Some([r, g, b])
}

/// `gradient`, `transparent`, `black`, `white`, `grey` or `#RRGGBB`.
impl FromStr for Background {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Self::Color(match text {
            "gradient" => return Ok(Self::STUDIO),
            "transparent" | "none" => return Ok(Self::Transparent),
            "black" => [0; 3],
            "white" => [255; 3],
            "grey" | "gray" => [64; 3],
            other => hex_color(other)
                .ok_or_else(|| usage("a colour such as #404040, gradient or transparent is needed"))?,
        }))
    }
}

/// Names of overlays, separated by commas.
impl FromStr for Overlays {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut overlays = Self::default();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if !overlays.enable(name) {
                let names = Self::NAMES.join(", ");
                return Err(Error::new(
                    Kind::Usage,
                    format!("there is no overlay {name}; there are {names}"),
                ));
            }
        }
        Ok(overlays)
    }
}

/// The colour of a player: a number, a name such as `teal`, or `#RRGGBB` as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamColor {
    /// Red, green, blue.
    pub color: [u8; 3],
    /// The player's number, where it is one of the game's colours. The game's own textures are used for player 0
    /// only; for all others they are computed from the colour.
    pub number: Option<usize>,
}

impl Default for TeamColor {
    fn default() -> Self {
        Self::of_player(0)
    }
}

impl TeamColor {
    /// The colour of a player of Warcraft III, counted from 0.
    #[must_use]
    pub fn of_player(number: usize) -> Self {
        Self { color: team::color(number), number: Some(number) }
    }
}

impl FromStr for TeamColor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match (team::player(text), hex_color(text)) {
            (Some(number), _) => Ok(Self::of_player(number)),
            (None, Some(color)) => Ok(Self { color, number: None }),
            (None, None) => Err(usage("a number below 24, a name such as red or teal, or #RRGGBB is needed")),
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
        assert_eq!("#102030".parse(), Ok(Background::Color([16, 32, 48])));
        assert_eq!("transparent".parse(), Ok(Background::Transparent));
        assert!("#1020".parse::<Background>().is_err());
        assert_eq!("teal".parse::<TeamColor>().unwrap().number, Some(2));
        assert_eq!("#102030".parse(), Ok(TeamColor { color: [16, 32, 48], number: None }));
        assert!("99".parse::<TeamColor>().is_err());
    }

    #[test]
    fn overlays_are_named_in_a_list() {
        let found: Overlays = "bones, grid".parse().unwrap();
        assert_eq!(found, Overlays { bones: true, grid: true, ..Overlays::default() });
        let error = "bones,teeth".parse::<Overlays>().unwrap_err();
        let names = "bones, attachments, collision, bounds, normals, wireframe, grid";
        assert_eq!(error.message(), format!("there is no overlay teeth; there are {names}"));
    }

    #[test]
    fn a_camera_is_given_by_eye_and_target() {
        let camera = Camera::look_at([1.0, 2.0, 3.0], [0.0; 3], FIELD_OF_VIEW);
        assert_eq!("1,2,3:0,0,0".parse(), Ok(Viewpoint::Fixed(camera)));
        assert_eq!("front".parse(), Ok(Viewpoint::Front));
        assert_eq!("auto".parse(), Ok(Viewpoint::default()));
        for name in ["1,2:0,0,0", "1,2,3", "a,b,c:0,0,0", "nan,0,0:0,0,0", "Camera01"] {
            assert_eq!(name.parse(), Ok(Viewpoint::Named(name.to_owned())), "{name}");
        }
    }
}

//! Profiles: what kind of thing a model is. Rules use it, so that a rock does not need a Death animation.

use std::fmt;
use std::str::FromStr;

/// What a model is in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Something that lives, walks or fights.
    Unit,
    /// A building.
    Building,
    /// Scenery.
    Doodad,
    /// A spell, a buff, an explosion.
    Effect,
    /// The face of a unit in the corner of the screen.
    Portrait,
    /// Something that is carried, worn or picked up.
    Item,
    /// A camera path.
    Camera,
    /// A part of the interface.
    Ui,
    /// Something that flies from one unit to another.
    Missile,
}

impl Profile {
    /// Every profile with its name, in the order in which they are listed.
    pub const ALL: &[(Self, &str)] = &[
        (Self::Unit, "unit"),
        (Self::Building, "building"),
        (Self::Doodad, "doodad"),
        (Self::Effect, "effect"),
        (Self::Portrait, "portrait"),
        (Self::Item, "item"),
        (Self::Camera, "camera"),
        (Self::Ui, "ui"),
        (Self::Missile, "missile"),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(profile, _)| *profile == self).map_or("", |(_, name)| name)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .find(|(_, name)| name.eq_ignore_ascii_case(text))
            .map(|(profile, _)| *profile)
            .ok_or_else(|| {
                let names: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
                format!("unknown profile '{text}': one of {}", names.join(", "))
            })
    }
}

/// A profile and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The profile.
    pub profile: Profile,
    /// Which property of the model led to it.
    pub reason: String,
}

impl Guess {
    pub(crate) fn new(profile: Profile, reason: impl Into<String>) -> Self {
        Self { profile, reason: reason.into() }
    }
}

/// The parts of a path that help to guess a profile.
pub(crate) struct Named {
    /// Lower case, without folders and extension.
    pub stem: String,
    folders: Vec<String>,
}

impl Named {
    pub fn new(path: &str) -> Self {
        let mut folders: Vec<String> = path.to_lowercase().split(['/', '\\']).map(str::to_owned).collect();
        let mut stem = folders.pop().unwrap_or_default();
        if let Some((start, _)) = stem.rsplit_once('.') {
            stem = start.to_owned();
        }
        Self { stem, folders }
    }

    /// Whether it is below a folder of one of these names.
    pub fn within(&self, folders: &[&str]) -> bool {
        self.folders.iter().any(|folder| folders.contains(&folder.as_str()))
    }

    /// The profile that the name of the file or model implies in all games.
    pub fn says(&self) -> Option<Guess> {
        let part = |parts: &[&str]| parts.iter().any(|part| self.stem.contains(part));
        if self.stem.starts_with("ui-") || self.stem.starts_with("ui_") {
            return Some(Guess::new(Profile::Ui, "its name begins with UI"));
        }
        if part(&["loadingscreen", "loading_screen", "load-multiplayer"]) {
            return Some(Guess::new(Profile::Ui, "its name contains \"loading screen\""));
        }
        if self.stem.ends_with("_base") || part(&["_impact", "_state", "_precast", "_cast_", "_fx"]) {
            return Some(Guess::new(Profile::Effect, "its name looks like that of a spell"));
        }
        None
    }
}

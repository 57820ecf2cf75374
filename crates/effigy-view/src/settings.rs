//! What is kept from one run to the next: one `key = value` per line, so that the file can be read and edited.

use crate::playback::LoopMode;
use effigy::pictures::{Background, Overlays, TeamColor};
use std::fmt::Write;

/// Recently opened files that are kept.
const RECENT: usize = 12;

/// Backgrounds to choose from: name as `effigy render --background` takes it.
pub const BACKGROUNDS: [&str; 5] = ["gradient", "grey", "black", "white", "#6a8caf"];

/// What is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Dark instead of light.
    pub dark: bool,
    /// Whether the panels at the sides are shown.
    pub panels: bool,
    /// Whether files are listed with small pictures.
    pub thumbnails: bool,
    /// What is drawn over the model.
    pub overlays: Overlays,
    /// What is behind the model, by name.
    pub background: String,
    /// The player's colour, by number.
    pub team: usize,
    /// What happens at the end of a sequence.
    pub looping: LoopMode,
    /// Whether sequences start as soon as a model is opened.
    pub autoplay: bool,
    /// Files that were opened, the last one first.
    pub recent: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dark: true,
            panels: true,
            thumbnails: true,
            overlays: Overlays::default(),
            background: "gradient".to_owned(),
            team: 0,
            looping: LoopMode::File,
            autoplay: true,
            recent: Vec::new(),
        }
    }
}

/// The overlays that are switched on, by name.
pub fn overlay_names(overlays: &Overlays) -> Vec<&'static str> {
    let is_on = |name: &&&str| {
        let mut one = *overlays;
        one.enable(name);
        one == *overlays
    };
    Overlays::NAMES.iter().filter(is_on).copied().collect()
}

impl Settings {
    /// The settings of a text. Lines that are not understood are ignored: another version may have written them.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut settings = Self::default();
        for line in text.lines() {
            let Some((key, value)) = line.split_once('=') else { continue };
            let (key, value) = (key.trim(), value.trim());
            match key {
                "theme" => settings.dark = value != "light",
                "panels" => settings.panels = value != "no",
                "thumbnails" => settings.thumbnails = value != "no",
                "autoplay" => settings.autoplay = value != "no",
                "overlays" => settings.overlays = value.parse().unwrap_or_default(),
                "background" if value.parse::<Background>().is_ok() => {
                    value.clone_into(&mut settings.background)
                }
                "team" => settings.team = value.parse().ok().filter(|team| *team < 24).unwrap_or(0),
                "loop" => {
                    settings.looping =
                        LoopMode::ALL.into_iter().find(|mode| mode.name() == value).unwrap_or_default();
                }
                "recent" if settings.recent.len() < RECENT => settings.recent.push(value.to_owned()),
                _ => {}
            }
        }
        settings
    }

    /// The settings as text.
    #[must_use]
    pub fn print(&self) -> String {
        let yes = |value: bool| if value { "yes" } else { "no" };
        let mut text = String::new();
        _ = writeln!(text, "theme = {}", if self.dark { "dark" } else { "light" });
        _ = writeln!(text, "panels = {}", yes(self.panels));
        _ = writeln!(text, "thumbnails = {}", yes(self.thumbnails));
        _ = writeln!(text, "autoplay = {}", yes(self.autoplay));
        _ = writeln!(text, "overlays = {}", overlay_names(&self.overlays).join(","));
        _ = writeln!(text, "background = {}", self.background);
        _ = writeln!(text, "team = {}", self.team);
        _ = writeln!(text, "loop = {}", self.looping.name());
        for file in &self.recent {
            _ = writeln!(text, "recent = {file}");
        }
        text
    }

    /// Puts a file at the head of the recent ones.
    pub fn remember(&mut self, file: &str) {
        // A line break would end the line of the settings.
        if file.contains(['\n', '\r']) {
            return;
        }
        self.recent.retain(|known| known != file);
        self.recent.insert(0, file.to_owned());
        self.recent.truncate(RECENT);
    }

    /// What is behind the model.
    #[must_use]
    pub fn backdrop(&self) -> Background {
        self.background.parse().unwrap_or(Background::STUDIO)
    }

    /// The player's colour.
    #[must_use]
    pub fn team_color(&self) -> TeamColor {
        TeamColor::of_player(self.team)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_from_their_text() {
        let mut settings = Settings {
            dark: false,
            panels: false,
            thumbnails: false,
            overlays: Overlays { grid: true, bones: true, ..Overlays::default() },
            background: "white".to_owned(),
            team: 3,
            looping: LoopMode::Never,
            autoplay: false,
            recent: Vec::new(),
        };
        settings.remember("a b.mdx");
        settings.remember("map.w3x:units/x=y.mdx");
        settings.remember("a b.mdx");
        assert_eq!(settings.recent, ["a b.mdx", "map.w3x:units/x=y.mdx"]);
        assert_eq!(Settings::parse(&settings.print()), settings);
    }

    #[test]
    fn nonsense_gives_the_defaults() {
        let text = "theme\nteam = 99\nbackground = teeth\nloop = x\noverlays = teeth\nunknown = 1\n";
        assert_eq!(Settings::parse(text), Settings::default());
        let mut settings = Settings::default();
        settings.remember("two\nlines");
        assert!(settings.recent.is_empty());
    }
}

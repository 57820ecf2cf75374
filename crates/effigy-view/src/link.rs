//! What the view shows, as a short text that fits behind the `#` of a link: `anim=Walk&time=0.5&play=no&team=3`.

use crate::app::Viewer;
use crate::orbit::Orbit;
use crate::playback;
use crate::settings::{Settings, overlay_names};
use effigy::pictures::{Background, Stage, WarmUp};
use glam::Vec3;
use std::fmt::Write;

/// Writes a character of a value so that it survives in a link.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b',' => {
                escaped.push(char::from(byte))
            }
            _ => _ = write!(escaped, "%{byte:02X}"),
        }
    }
    escaped
}

fn unescape(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match (first, code.and_then(|code| u8::from_str_radix(code, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Yaw, pitch, distance and the three coordinates of the target.
fn camera(text: &str) -> Option<[f32; 6]> {
    let numbers: Vec<f32> = text
        .split(',')
        .map_while(|word| word.parse().ok().filter(|number: &f32| number.is_finite()))
        .collect();
    numbers.try_into().ok()
}

impl Viewer {
    /// What the view shows: sequence, time while it is paused, camera, and everything that differs from the usual look.
    #[must_use]
    pub fn link(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        let usual = Settings::default();
        if let Some(session) = &self.session {
            let stage = &session.stage;
            if let Some(sequence) = playback::sequence(stage).and_then(|id| stage.scene().sequences.get(id)) {
                parts.push(format!("anim={}", escape(&sequence.name)));
            }
            if !self.playback.playing {
                parts.push(format!("time={:.3}&play=no", playback::time(stage) / 1000.0));
            }
            match self.own_camera {
                Some(index) => parts.push(format!("camera={index}")),
                None if !self.unplaced => {
                    let Orbit { yaw, pitch, distance, target: Vec3 { x, y, z }, .. } = self.orbit;
                    parts.push(format!("view={yaw:.4},{pitch:.4},{distance:.2},{x:.2},{y:.2},{z:.2}"));
                }
                None => {}
            }
            if self.orbit.orthographic {
                parts.push("ortho=yes".to_owned());
            }
        }
        if self.settings.team != usual.team {
            parts.push(format!("team={}", self.settings.team));
        }
        if self.settings.background != usual.background {
            parts.push(format!("background={}", escape(&self.settings.background)));
        }
        if self.settings.overlays != usual.overlays {
            parts.push(format!("overlays={}", overlay_names(&self.settings.overlays).join(",")));
        }
        if !self.settings.panels {
            parts.push("panels=no".to_owned());
        }
        parts.join("&")
    }

    /// Shows what a link says. Parts that are not understood are ignored: another version may have written them.
    pub fn apply_link(&mut self, link: &str) {
        let mut time = None;
        for (key, value) in link.split('&').filter_map(|part| part.split_once('=')) {
            let value = unescape(value);
            match key {
                "anim" => self.start_named(&value),
                "time" => time = value.parse::<f64>().ok().filter(|time| time.is_finite()),
                "play" => self.playback.playing = value != "no",
                "camera" => {
                    let count = self.session.as_ref().map_or(0, |it| it.stage.scene().cameras.len());
                    self.own_camera = value.parse().ok().filter(|index| *index < count);
                }
                "view" => self.look_through(camera(&value)),
                "ortho" => self.orbit.orthographic = value == "yes",
                "team" => self.set_team(value.parse().ok().filter(|team| *team < 24).unwrap_or(0)),
                "background" if value.parse::<Background>().is_ok() => self.settings.background = value,
                "overlays" => self.settings.overlays = value.parse().unwrap_or_default(),
                "panels" => self.settings.panels = value != "no",
                _ => {}
            }
        }
        if let Some(seconds) = time {
            let length = self.session.as_ref().map_or(0.0, |session| playback::length(&session.stage));
            self.seek((seconds * 1000.0).clamp(0.0, length.max(0.0)), WarmUp::Full);
        }
        self.viewport.stale = true;
    }

    fn start_named(&mut self, name: &str) {
        let found =
            self.session.as_ref().and_then(|session| Stage::find_sequence(session.stage.scene(), name));
        if found.is_some() {
            self.play(found);
        }
    }

    fn look_through(&mut self, numbers: Option<[f32; 6]>) {
        let Some([yaw, pitch, distance, x, y, z]) = numbers.filter(|_| self.session.is_some()) else {
            return;
        };
        // How large the model is.
        self.fit(1.0);
        self.unplaced = false;
        self.own_camera = None;
        self.orbit.yaw = yaw;
        self.orbit.pitch = pitch.clamp(-1.57, 1.57);
        self.orbit.distance = distance.clamp(1e-3, 1e9);
        self.orbit.target = Vec3::new(x, y, z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_in_a_link() {
        assert_eq!(escape("Stand - 2 & Größe"), "Stand%20-%202%20%26%20Gr%C3%B6%C3%9Fe");
        assert_eq!(unescape("Stand%20-%202%20%26%20Gr%C3%B6%C3%9Fe"), "Stand - 2 & Größe");
        // A percent sign that begins no code is one.
        assert_eq!(unescape("100%&%zz%4"), "100%&%zz%4");
    }

    #[test]
    fn a_camera_has_six_finite_numbers() {
        assert_eq!(camera("1,0.5,300,0,-2.5,40"), Some([1.0, 0.5, 300.0, 0.0, -2.5, 40.0]));
        for text in ["", "1,2,3,4,5", "1,2,3,4,5,6,7", "1,2,inf,4,5,6", "1,2,x,4,5,6"] {
            assert_eq!(camera(text), None, "{text}");
        }
    }
}

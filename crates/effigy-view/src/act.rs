//! What the commands do.

use crate::app::Viewer;
use crate::commands::Command;
use crate::export::Export;
use crate::open::Purpose;
use crate::orbit::Orbit;
use crate::playback::{self, FRAME, SPEEDS};
use crate::settings::BACKGROUNDS;
use effigy::pictures::{Shot, WarmUp};
use effigy::scene::{Id, Sequence};

impl Viewer {
    /// Runs a command.
    pub fn run(&mut self, command: Command, ctx: &egui::Context) {
        self.viewport.stale = true;
        // A dialog that was closed without an answer is forgotten.
        self.purpose = Purpose::Open;
        match command {
            Command::Open => self.platform.ask_open(ctx, false),
            Command::OpenFolder => self.platform.ask_open(ctx, true),
            Command::Sample => self.open_sample(ctx),
            Command::NextFile => self.open_neighbour(ctx, 1),
            Command::PreviousFile => self.open_neighbour(ctx, -1),
            Command::Reload => self.reload(ctx),
            Command::Compare => self.ask_for(ctx, Purpose::Compare),
            Command::CompareNext => self.compare_with_next(),
            Command::EndComparison => self.end_comparison(),
            Command::Attach => self.ask_for(ctx, Purpose::Attach),
            Command::Export => self.export = self.session.as_ref().map(|session| Export::new(&session.model)),
            Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            Command::Fit => self.place(None),
            Command::Front => self.place(Some(Orbit::FRONT)),
            Command::Side => self.place(Some(Orbit::SIDE)),
            Command::Top => self.place(Some(Orbit::TOP)),
            Command::Back => self.place(Some(Orbit::BACK)),
            Command::ThreeQuarter => self.place(Some(Orbit::THREE_QUARTER)),
            Command::Orthographic => self.orbit.orthographic = !self.orbit.orthographic,
            Command::ModelCamera => self.next_camera(),
            Command::Grid => flip(&mut self.settings.overlays.grid),
            Command::Edges => flip(&mut self.settings.overlays.wireframe),
            Command::Bones => flip(&mut self.settings.overlays.bones),
            Command::Attachments => flip(&mut self.settings.overlays.attachments),
            Command::Collision => flip(&mut self.settings.overlays.collision),
            Command::Extents => flip(&mut self.settings.overlays.bounds),
            Command::Normals => flip(&mut self.settings.overlays.normals),
            Command::Background => self.next_background(),
            Command::TeamColor => self.set_team((self.settings.team + 1) % 24),
            Command::Theme => flip(&mut self.settings.dark),
            Command::Panels => flip(&mut self.settings.panels),
            Command::Thumbnails => flip(&mut self.settings.thumbnails),
            Command::Play => self.toggle(),
            Command::StepBack => self.step(-FRAME),
            Command::StepOn => self.step(FRAME),
            Command::NextSequence => self.play_neighbour(1),
            Command::PreviousSequence => self.play_neighbour(-1),
            Command::Loop => self.playback.looping = self.playback.looping.next(),
            Command::Slower => self.set_speed(self.playback.speed / 2.0),
            Command::Faster => self.set_speed(self.playback.speed * 2.0),
            Command::Picture => self.take_picture(ctx),
            Command::Animation => self.take(Shot::Frames, false),
            Command::Turntable => self.take(Shot::Frames, true),
            Command::Sheet => self.take(Shot::Sheet, false),
            Command::Help => flip(&mut self.show_help),
        }
    }

    /// Whether a command that switches something has switched it on; none for all other commands.
    pub(crate) const fn is_on(&self, command: Command) -> Option<bool> {
        Some(match command {
            Command::Grid => self.settings.overlays.grid,
            Command::Edges => self.settings.overlays.wireframe,
            Command::Bones => self.settings.overlays.bones,
            Command::Attachments => self.settings.overlays.attachments,
            Command::Collision => self.settings.overlays.collision,
            Command::Extents => self.settings.overlays.bounds,
            Command::Normals => self.settings.overlays.normals,
            Command::Orthographic => self.orbit.orthographic,
            Command::Panels => self.settings.panels,
            Command::Thumbnails => self.settings.thumbnails,
            Command::Play => self.playback.playing,
            _ => return None,
        })
    }

    /// Looks from a side, or from where the camera is, and fits the view.
    fn place(&mut self, side: Option<[f32; 3]>) {
        if let Some(side) = side {
            self.orbit.look_from(side);
        }
        self.own_camera = None;
        self.unplaced = true;
    }

    pub(crate) fn fit(&mut self, aspect: f32) {
        let Some(session) = &self.session else { return };
        let (mut points, bounds) = session.stage.extent(playback::sequence(&session.stage));
        let middle = [0, 1, 2].map(|at: usize| {
            let corner = |corner: [f32; 3]| corner.get(at).copied().unwrap_or(0.0);
            (corner(bounds.min) + corner(bounds.max)) / 2.0
        });
        points.extend(self.second_extent(bounds.size()));
        self.orbit.fit(&points, middle, bounds.size(), aspect);
        self.viewport.stale = true;
    }

    fn next_camera(&mut self) {
        let count = self.session.as_ref().map_or(0, |session| session.stage.scene().cameras.len());
        self.own_camera = match self.own_camera {
            None if count > 0 => Some(0),
            Some(at) if at + 1 < count => Some(at + 1),
            _ => None,
        };
        if count == 0 {
            "the model has no camera".clone_into(&mut self.message);
        }
    }

    fn next_background(&mut self) {
        let here = BACKGROUNDS.iter().position(|name| *name == self.settings.background);
        let next = here.map_or(0, |at| (at + 1) % BACKGROUNDS.len());
        if let Some(name) = BACKGROUNDS.get(next) {
            (*name).clone_into(&mut self.settings.background);
        }
    }

    pub(crate) fn set_team(&mut self, team: usize) {
        self.settings.team = team;
        if let Some(session) = &mut self.session {
            session.set_team(&self.renderer, self.settings.team_color());
        }
        if let Some(second) = &mut self.second {
            second.session.set_team(&self.renderer, self.settings.team_color());
        }
        self.textures.clear();
        self.viewport.stale = true;
    }

    fn toggle(&mut self) {
        let view = self.orbit.camera().view;
        if let Some(session) = &mut self.session {
            self.playback.toggle(&mut session.stage, Some(&view));
        }
    }

    /// Plays a sequence from its beginning.
    pub(crate) fn play(&mut self, sequence: Option<Id<Sequence>>) {
        let view = self.orbit.camera().view;
        if let Some(session) = &mut self.session {
            session.stage.start(sequence, 0.0, Some(&view));
            self.warm_up = WarmUp::Full;
            self.viewport.stale = true;
        }
    }

    fn play_neighbour(&mut self, by: isize) {
        let next = self.session.as_ref().and_then(|session| {
            playback::neighbour(session.stage.scene(), playback::sequence(&session.stage), by)
        });
        if next.is_some() {
            self.play(next);
        }
    }

    fn step(&mut self, by: f64) {
        self.playback.playing = false;
        if let Some(session) = &self.session {
            let (now, length) = (playback::time(&session.stage), playback::length(&session.stage));
            self.seek((now + by).clamp(0.0, length), WarmUp::Full);
        }
    }

    /// Goes to a time of the sequence, in milliseconds.
    pub(crate) fn seek(&mut self, time: f64, warm_up: WarmUp) {
        let view = self.orbit.camera().view;
        if let Some(session) = &mut self.session {
            let sequence = playback::sequence(&session.stage);
            session.stage.start_after(warm_up, sequence, time, Some(&view));
            self.warm_up = warm_up;
            self.viewport.stale = true;
        }
    }

    pub(crate) const fn set_speed(&mut self, speed: f64) {
        let [slowest, fastest] = SPEEDS;
        self.playback.speed = speed.clamp(slowest, fastest);
    }

    /// The name of the opened file without its extension.
    pub(crate) fn stem(&self) -> String {
        let name = self.session.as_ref().map(|session| session.file.file_name()).unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        if stem.is_empty() { "model".to_owned() } else { stem.to_owned() }
    }
}

const fn flip(value: &mut bool) {
    *value = !*value;
}

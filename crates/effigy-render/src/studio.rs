//! Taking pictures of one model: where the camera is, and stills. `series` has the frames of an animation and sheets.

mod series;

use crate::auto::{self, Best};
use crate::camera::{Camera, Direction};
use crate::framing::{Span, Subject};
use crate::gpu::block_on;
use crate::picture::{Picture, Shot, Viewpoint};
use crate::{DrawStyle, Drawn, Frame, Image, Lighting, Model, Progress, Renderer, Shots, Stage, Textures};
use effigy_scene::sample::Moment;
use effigy_scene::{Id, Replaceable, Scene, Sequence, Texture, ValidScene};
use effigy_wire::{Error, Kind, Report, Result};

/// Moments of a sequence that are tried where the usual one shows nothing.
const OTHER_MOMENTS: u8 = 8;
/// Where the camera is, for one model.
enum CameraPlace {
    /// Framed from a direction.
    Framed(Direction),
    /// A camera of the model.
    Own(usize),
    /// As the caller says.
    Fixed(Camera),
}

/// Takes each picture as it is drawn, and how many there will be.
pub type Each<'a> = dyn FnMut(Image, u32) -> Result<()> + 'a;

/// Everything that the pictures of one model share.
struct Studio<'a> {
    renderer: &'a Renderer,
    each: &'a mut Each<'a>,
    /// Pictures that were given to the caller, and their size.
    given: (u32, [u32; 2]),
    /// Width and height of a picture, or of a tile.
    size: [u32; 2],
    /// Whether the thread waits for each picture.
    wait: bool,
    progress: &'a Progress,
    model: Model,
    picture: &'a Picture,
    look: DrawStyle,
    place: CameraPlace,
    /// Whether the place was chosen for the model, and may be changed if it shows nothing.
    free: bool,
    report: Report,
    /// Something of the model was visible.
    shown: bool,
    first: Option<(Camera, Moment)>,
    /// Whether the picture is of the first frame and framed by it.
    at_rest: bool,
    /// What a still is framed by.
    span: Span,
    /// The camera that all tiles of a sheet share.
    shared: Option<Camera>,
}

/// The caller's textures, without those that the renderer computes.
struct WithTeam<'a> {
    textures: &'a mut dyn Textures,
    /// Whether the files of the game show the wanted colour.
    first_player: bool,
}

impl Textures for WithTeam<'_> {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        let team = matches!(texture.replaceable, Some(Replaceable::TeamColor | Replaceable::TeamGlow));
        // The game's files are looked up for the first player only; the renderer computes the others.
        if team && !self.first_player { None } else { self.textures.image(texture) }
    }
}

impl Renderer {
    /// Takes pictures of a model: frames it, chooses a moment at which something can be seen, and draws. It waits for
    /// each picture; in a browser, which cannot wait, use [`Renderer::take_each_async`].
    ///
    /// # Errors
    /// When the model has no sequence or camera of the given name, or the picture cannot be drawn.
    pub fn take(&self, scene: &ValidScene, textures: &mut dyn Textures, picture: &Picture) -> Result<Shots> {
        let mut pictures = Vec::new();
        let shots = self.take_each(scene, textures, picture, &mut |image, _| {
            pictures.push(image);
            Ok(())
        })?;
        Ok(Shots { pictures, ..shots })
    }

    /// Like [`Renderer::take`], for a caller that takes each picture as it is drawn and is told how many there will be: the frames
    /// of an animation are never in memory together.
    ///
    /// # Errors
    /// As [`Renderer::take`], and those of the caller.
    pub fn take_each(
        &self,
        scene: &ValidScene,
        textures: &mut dyn Textures,
        picture: &Picture,
        each: &mut Each<'_>,
    ) -> Result<Shots> {
        block_on(self.take_with(scene, textures, picture, true, &Progress::default(), each))
    }

    /// Like [`Renderer::take_each`], without blocking. Each picture that is drawn is a step of the progress.
    ///
    /// # Errors
    /// As [`Renderer::take_each`].
    pub async fn take_each_async(
        &self,
        scene: &ValidScene,
        textures: &mut dyn Textures,
        picture: &Picture,
        progress: &Progress,
        each: &mut Each<'_>,
    ) -> Result<Shots> {
        self.take_with(scene, textures, picture, false, progress, each).await
    }

    async fn take_with(
        &self,
        scene: &ValidScene,
        textures: &mut dyn Textures,
        picture: &Picture,
        wait: bool,
        progress: &Progress,
        each: &mut Each<'_>,
    ) -> Result<Shots> {
        let sequence = match &picture.animation {
            Some(name) => Some(Stage::find_sequence(scene, name).ok_or_else(|| no_sequence(scene, name))?),
            None => match picture.camera {
                Viewpoint::Portrait => Stage::portrait_sequence(scene),
                _ => None,
            }
            .or_else(|| Stage::default_sequence(scene)),
        };
        let team = picture.team_color;
        let mut textures = WithTeam { textures, first_player: team.number == Some(0) };
        let mut report = Report::default();
        let mut stage = Stage::new(scene.clone());
        if picture.lod > 0 {
            let levels = stage.levels();
            if !levels.contains(&picture.lod) {
                let known: Vec<String> = levels.iter().map(u32::to_string).collect();
                let known = if known.is_empty() { "0".to_owned() } else { known.join(", ") };
                let text = format!("the model has no level of detail {}; it has {known}", picture.lod);
                return Err(Error::new(Kind::Usage, text));
            }
            stage.show_level(picture.lod);
        }
        let place = place(&stage, sequence, &picture.camera, &mut report)?;
        let lighting = match place {
            // A portrait has a few lights for effect, a scene all that it needs.
            CameraPlace::Own(_) if picture.camera == Viewpoint::Auto && !auto::is_portrait(scene) => {
                Lighting::beside_own(scene)
            }
            _ => None,
        };
        // Flat models are seen face on, and their ground would be behind them or on their edge.
        let stands = match place {
            CameraPlace::Framed(direction) => !direction.is_face_on(),
            CameraPlace::Own(_) | CameraPlace::Fixed(_) => false,
        };
        let mut studio = Studio {
            renderer: self,
            each,
            given: (0, [0; 2]),
            size: picture.size,
            wait,
            progress,
            place,
            free: picture.camera == Viewpoint::Auto,
            model: Model::new(self, scene, team.color, &mut textures),
            picture,
            look: DrawStyle {
                background: picture.background,
                overlays: picture.overlays,
                lighting,
                shadow: picture.shadow && stands,
            },
            report,
            shown: false,
            first: None,
            at_rest: false,
            span: Span::Whole,
            shared: None,
        };
        match picture.shot {
            Shot::Still => {
                // A model of frames may break in the middle of them; it is whole in the first.
                let frames =
                    picture.time.is_none() && scene.meshes.as_slice().iter().any(|mesh| mesh.morph.is_some());
                let time = if frames { 0.0 } else { picture.milliseconds(length(scene, sequence)) };
                let at_rest = frames && picture.animation.is_none();
                // A picture that nobody asked to be of a certain time needs room for its own moment only.
                studio.span = if at_rest || picture.time.is_none() { Span::At(time) } else { Span::Whole };
                studio.at_rest = at_rest;
                let image = studio.visible_still(&mut stage, sequence, time).await?;
                studio.give(image, 1)?;
            }
            Shot::Frames => studio.frames(&mut stage, sequence).await?,
            Shot::Sheet => {
                let image = studio.sheet(&mut stage).await?;
                studio.give(image, 1)?;
            }
        }
        let name = sequence.and_then(|id| scene.sequences.get(id)).map_or("", |sequence| &sequence.name);
        studio.report.append(studio.model.report().clone());
        let (camera, moment) = studio.first.unzip();
        let moment = moment.unwrap_or_default();
        Ok(Shots {
            pictures: Vec::new(),
            frames: studio.given.0,
            size: studio.given.1,
            sequence: name.to_owned(),
            missing: studio.model.missing().to_vec(),
            report: studio.report,
            empty: !studio.shown,
            camera,
            time: within(scene, &moment) / 1000.0,
            clock: moment.clock / 1000.0,
            delay: picture.delay(),
        })
    }
}

fn length(scene: &Scene, sequence: Option<Id<Sequence>>) -> f64 {
    sequence.and_then(|id| scene.sequences.get(id)).map_or(0.0, |sequence| f64::from(sequence.length()))
}

/// The time of a moment in its sequence, which may have gone around before.
fn within(scene: &Scene, moment: &Moment) -> f64 {
    let length = length(scene, moment.sequence);
    if length > 0.0 && moment.time > length { moment.time.rem_euclid(length) } else { moment.time }
}

fn no_sequence(scene: &Scene, name: &str) -> Error {
    let names: Vec<&str> = scene.sequences.as_slice().iter().take(20).map(|it| it.name.as_str()).collect();
    let error = Error::new(Kind::Usage, format!("there is no sequence {name}"));
    if names.is_empty() {
        error.hint("the model has no sequences")
    } else {
        error.hint(format!("there are {}", names.join(", ")))
    }
}

fn place(
    stage: &Stage,
    sequence: Option<Id<Sequence>>,
    camera: &Viewpoint,
    report: &mut Report,
) -> Result<CameraPlace> {
    let scene = stage.scene();
    Ok(match camera {
        Viewpoint::Auto => match auto::best(stage, &stage.subject(sequence, Span::At(0.0), None)) {
            Best::Own(number) => CameraPlace::Own(number),
            Best::From(direction) => CameraPlace::Framed(direction),
        },
        Viewpoint::Front => CameraPlace::Framed(Direction::FRONT),
        Viewpoint::Side => CameraPlace::Framed(Direction::SIDE),
        Viewpoint::ThreeQuarter => CameraPlace::Framed(Direction::THREE_QUARTER),
        Viewpoint::Portrait if scene.cameras.is_empty() => {
            report
                .approximated("cameras", "the model has no camera for portraits; it is shown from the front");
            CameraPlace::Framed(Direction::FRONT)
        }
        Viewpoint::Portrait => CameraPlace::Own(0),
        Viewpoint::Named(name) => {
            let cameras = scene.cameras.as_slice();
            let found = cameras.iter().position(|camera| camera.name.eq_ignore_ascii_case(name));
            let names: Vec<&str> = cameras.iter().map(|camera| camera.name.as_str()).collect();
            CameraPlace::Own(found.ok_or_else(|| {
                let own = if names.is_empty() { "none of its own".to_owned() } else { names.join(", ") };
                Error::new(Kind::Usage, format!("there is no camera {name}")).hint(format!(
                    "there are auto, front, side, three-quarter, portrait; the model has {own}"
                ))
            })?)
        }
        Viewpoint::Fixed(camera) => CameraPlace::Fixed(*camera),
    })
}

impl Studio<'_> {
    fn aspect(&self) -> f32 {
        let [width, height] = self.size;
        width as f32 / height as f32
    }

    /// What the pictures of a sequence are framed by.
    fn subject(&self, stage: &Stage, sequence: Option<Id<Sequence>>, span: Span, turn: f32) -> Subject {
        let sequence = sequence.filter(|_| !self.at_rest);
        match &self.place {
            CameraPlace::Framed(direction) => {
                stage.subject_from(sequence, span, direction.turned(turn), self.aspect())
            }
            _ => stage.subject(sequence, span, None),
        }
    }

    fn camera(&self, stage: &Stage, subject: &Subject, turn: f32) -> Camera {
        let aspect = self.aspect();
        let own = |number: usize| {
            let camera = stage.scene().cameras.as_slice().get(number)?;
            let pose = stage.sampler().camera(camera, stage.pose().moment());
            Some(Camera::of_model(&pose, aspect, &subject.bounds))
        };
        let around = |direction: Direction| Camera::around(&subject.points, direction.turned(turn), aspect);
        match &self.place {
            CameraPlace::Fixed(camera) => *camera,
            CameraPlace::Framed(direction) => self.shared.unwrap_or_else(|| around(*direction)),
            CameraPlace::Own(number) => own(*number).unwrap_or_else(|| around(Direction::FRONT)),
        }
    }

    async fn draw(&mut self, stage: &Stage, camera: &Camera) -> Result<Image> {
        let frame = Frame { model: &self.model, stage, camera, style: &self.look };
        let pending = self.renderer.submit(&frame, self.size)?;
        let drawn = if self.wait { pending.wait()? } else { pending.await? };
        let Drawn { picture, report, draws } = drawn;
        if self.report.is_empty() {
            self.report.append(report);
        }
        self.shown |= draws > 0 && !picture.is_bare();
        self.first.get_or_insert((*camera, *stage.pose().moment()));
        self.progress.step();
        Ok(picture)
    }

    /// Gives a picture to the caller.
    fn give(&mut self, image: Image, total: u32) -> Result<()> {
        self.given = (self.given.0 + 1, [image.width, image.height]);
        (self.each)(image, total)
    }

    async fn still(
        &mut self,
        stage: &mut Stage,
        sequence: Option<Id<Sequence>>,
        time: f64,
        turn: f32,
    ) -> Result<Image> {
        let span = if self.span == Span::Whole { Span::Whole } else { Span::At(time) };
        let subject = self.subject(stage, sequence, span, turn);
        let mut camera = self.camera(stage, &subject, turn);
        stage.start(sequence, time, Some(&camera.view));
        if matches!(self.place, CameraPlace::Own(_)) {
            // The model's camera moves with the sequence, and billboards turn to where it is now.
            camera = self.camera(stage, &subject, turn);
            stage.show(Some(&camera.view));
        }
        self.draw(stage, &camera).await
    }

    /// A still in which something can be seen. Where the usual moment is empty and the caller did not choose it, other
    /// moments are tried; then the other side of the model, because a face can be seen from one side only.
    async fn visible_still(
        &mut self,
        stage: &mut Stage,
        sequence: Option<Id<Sequence>>,
        time: f64,
    ) -> Result<Image> {
        let picture = self.still(stage, sequence, time, 0.0).await?;
        let draws_something = !stage.scene().meshes.is_empty() || stage.has_effects();
        if self.shown || !draws_something {
            return Ok(picture);
        }
        if self.free && matches!(self.place, CameraPlace::Own(_)) {
            // The model's own camera looks past it.
            self.place = CameraPlace::Framed(Direction::THREE_QUARTER);
            self.look.lighting = None;
            self.look.shadow = self.picture.shadow;
            self.first = None;
            let another = self.still(stage, sequence, time, 0.0).await?;
            if self.shown {
                self.report.approximated("cameras", "the model's camera shows nothing; another one is used");
                return Ok(another);
            }
        }
        let first = self.first;
        let length = length(stage.scene(), sequence);
        let moments = if self.picture.time.is_none() && length > 0.0 { OTHER_MOMENTS } else { 0 };
        let other_times = (0..moments).map(|part| (length * f64::from(part) / f64::from(moments), 0.0));
        let sides = u8::from(matches!(self.place, CameraPlace::Framed(_)));
        let other_side = (0..sides).map(|_| (time, std::f32::consts::PI));
        for (at, turn) in other_times.chain(other_side) {
            self.first = None;
            let another = self.still(stage, sequence, at, turn).await?;
            if self.shown {
                let from = if turn > 0.0 { " from this side; it is shown from behind" } else { "" };
                let text = format!("there is nothing to see at {:.2} s{from}", time / 1000.0);
                let when =
                    if turn > 0.0 { String::new() } else { format!("; {:.2} s is shown", at / 1000.0) };
                self.report.approximated("picture", format!("{text}{when}"));
                return Ok(another);
            }
        }
        self.first = first;
        Ok(picture)
    }
}

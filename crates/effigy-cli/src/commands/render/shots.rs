//! The pictures of one model: a still, frames of an animation, or a sheet of all sequences.

use super::options::{PictureArgs, Team};
use crate::batch::Loaded;
use crate::inputs::Source;
use crate::pictures::Pictures;
use crate::textures::Lookup;
use effigy::scene_graph::sample::Moment;
use effigy::scene_graph::{Bounds, Id, Replaceable, Scene, Sequence, Texture, validate};
use effigy::{Error, Kind, Limits, Report, Result};
use effigy_assets::rules::warcraft3;
use effigy_render::camera::{FIELD_OF_VIEW, revolved};
use effigy_render::{
    Camera, Direction, Drawn, Image, Look, Model, Picture, Renderer, Stage, Textures, sheet,
};

/// Frames of an animation at most.
const MOST_FRAMES: f64 = 3000.0;
/// Sequences on a sheet at most.
const MOST_TILES: usize = 400;
/// Moments of a sequence that are tried where the usual one shows nothing.
const OTHER_MOMENTS: u8 = 8;
/// Milliseconds of a turntable.
const TURNTABLE: f64 = 4000.0;

/// What is made of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shot {
    /// One picture.
    Still,
    /// Frames of an animation.
    Frames,
    /// One picture with a tile for each sequence.
    Sheet,
}

/// What came of it.
pub struct Shots {
    /// One picture, or the frames.
    pub pictures: Vec<Picture>,
    /// The sequence that was shown.
    pub sequence: String,
    /// Textures that were not found.
    pub missing: Vec<String>,
    /// What is shown otherwise than the model asks for.
    pub report: Report,
    /// Whether nothing of the model is to be seen.
    pub empty: bool,
    /// From where the first picture was taken.
    pub camera: Option<Camera>,
    /// When in the sequence the first picture was taken, in seconds.
    pub time: f64,
    /// How long everything that runs beside the sequence had run then, in seconds.
    pub clock: f64,
}

/// Where a camera stands.
enum Place {
    /// Framed from a direction.
    Framed(Direction),
    /// A camera of the model.
    Own(usize),
    /// As the user says.
    Fixed(Camera),
}

/// Everything that the pictures of one model share.
struct Set<'a> {
    renderer: &'a Renderer,
    model: Model,
    args: &'a PictureArgs,
    look: Look,
    place: Place,
    report: Report,
    /// Something of the model was to be seen.
    shown: bool,
    first: Option<(Camera, Moment)>,
    /// Whether the picture is of the first frame and framed by it.
    first_frame: bool,
}

/// What a model wears: its own textures, with the player's colour.
struct Wardrobe<'a> {
    pictures: Pictures<'a>,
    team: Team,
}

impl Textures for Wardrobe<'_> {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        let team = matches!(texture.replaceable, Some(Replaceable::TeamColor | Replaceable::TeamGlow));
        if team && self.team.number != Some(0) {
            // The game's files are looked up for the first player only; the renderer makes the others.
            return None;
        }
        let mut image = self.pictures.image(texture).or_else(|| team_by_name(&texture.path))?;
        let pixels = image.levels.first_mut().map(std::mem::take)?;
        Some(Image { width: image.width, height: image.height, pixels })
    }
}

/// The colour or glow of the team that a path names, such as `TeamColor\\TeamColor05.blp`, made by code.
fn team_by_name(path: &str) -> Option<effigy_image::Image> {
    let file = effigy_assets::name::file_name(path).to_lowercase();
    let (stem, _) = file.rsplit_once('.')?;
    let team = |prefix: &str| stem.strip_prefix(prefix)?.parse().ok();
    team("teamcolor")
        .map(warcraft3::team_color_image)
        .or_else(|| team("teamglow").map(warcraft3::team_glow_image))
}

/// Makes the pictures of a model.
pub fn take(
    renderer: &Renderer,
    lookup: &Lookup,
    source: &Source,
    loaded: &Loaded,
    limits: Limits,
    args: &PictureArgs,
    shot: Shot,
) -> Result<Shots> {
    let mut lowered = effigy::lower(loaded.document.as_ref())?;
    lookup.dress(source, loaded.document.as_ref(), &mut lowered);
    let scene = &validate(lowered.scene)?;
    let sequence = match &args.anim {
        Some(name) => Some(Stage::find_sequence(scene, name).ok_or_else(|| no_sequence(scene, name))?),
        None => Stage::default_sequence(scene),
    };
    let pictures = Pictures { lookup, source, document: loaded.document.as_ref(), team: 0, limits };
    let mut textures = Wardrobe { pictures, team: args.team_color };
    let mut set = Set {
        renderer,
        model: Model::new(renderer, scene, args.team_color.color, &mut textures),
        args,
        look: args.look().map_err(|text| Error::new(Kind::Usage, text))?,
        place: Place::Framed(Direction::THREE_QUARTER),
        report: Report::default(),
        shown: false,
        first: None,
        first_frame: false,
    };
    set.place = place(scene, &args.camera, &mut set.report)?;
    let mut stage = Stage::new(scene.clone());
    let pictures = match shot {
        Shot::Still => {
            // A model of frames may break in the middle of them; it is whole in the first.
            let frames =
                args.time.is_none() && scene.meshes.as_slice().iter().any(|mesh| mesh.morph.is_some());
            let time = if frames { 0.0 } else { args.milliseconds(length(scene, sequence)) };
            set.first_frame = frames && args.anim.is_none();
            vec![set.telling(&mut stage, sequence, time, args.size.0)?]
        }
        Shot::Frames => set.frames(&mut stage, sequence)?,
        Shot::Sheet => vec![set.sheet(&mut stage)?],
    };
    let name = sequence.and_then(|id| scene.sequences.get(id)).map_or("", |sequence| &sequence.name);
    set.report.append(set.model.report().clone());
    set.report.append(lowered.report);
    let (camera, moment) = set.first.unzip();
    let moment = moment.unwrap_or_default();
    Ok(Shots {
        pictures,
        sequence: name.to_owned(),
        missing: set.model.missing().to_vec(),
        report: set.report,
        empty: !set.shown,
        camera,
        time: within(scene, &moment) / 1000.0,
        clock: moment.clock / 1000.0,
    })
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

fn place(scene: &Scene, camera: &str, report: &mut Report) -> Result<Place> {
    if let Some(fixed) = fixed(camera) {
        return Ok(Place::Fixed(fixed));
    }
    Ok(match camera {
        "front" => Place::Framed(Direction::FRONT),
        "side" => Place::Framed(Direction::SIDE),
        "three-quarter" => Place::Framed(Direction::THREE_QUARTER),
        "portrait" if scene.cameras.is_empty() => {
            report
                .approximated("cameras", "the model has no camera for portraits; it is shown from the front");
            Place::Framed(Direction::FRONT)
        }
        "portrait" => Place::Own(0),
        name => {
            let cameras = scene.cameras.as_slice();
            let found = cameras.iter().position(|camera| camera.name.eq_ignore_ascii_case(name));
            let names: Vec<&str> = cameras.iter().map(|camera| camera.name.as_str()).collect();
            Place::Own(found.ok_or_else(|| {
                let own = if names.is_empty() { "none of its own".to_owned() } else { names.join(", ") };
                Error::new(Kind::Usage, format!("there is no camera {name}"))
                    .hint(format!("there are front, side, three-quarter, portrait; the model has {own}"))
            })?)
        }
    })
}

/// `X,Y,Z:X,Y,Z`: eye and target.
fn fixed(text: &str) -> Option<Camera> {
    let point = |text: &str| -> Option<[f32; 3]> {
        let numbers: Vec<f32> = text.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
        numbers.try_into().ok().filter(|numbers: &[f32; 3]| numbers.iter().all(|number| number.is_finite()))
    };
    let (eye, target) = text.split_once(':')?;
    Some(Camera::look_at(point(eye)?, point(target)?, FIELD_OF_VIEW))
}

fn aspect([width, height]: [u32; 2]) -> f32 {
    width as f32 / height as f32
}

impl Set<'_> {
    fn camera(
        &self,
        stage: &Stage,
        points: &[[f32; 3]],
        bounds: &Bounds,
        size: [u32; 2],
        turn: f32,
    ) -> Camera {
        let own = |number: usize| {
            let camera = stage.scene().cameras.as_slice().get(number)?;
            let pose = stage.sampler().camera(camera, stage.pose().moment());
            Some(Camera::of_model(&pose, aspect(size), bounds))
        };
        match &self.place {
            Place::Fixed(camera) => *camera,
            Place::Framed(direction) => Camera::around(points, direction.turned(turn), aspect(size)),
            Place::Own(number) => own(*number)
                .unwrap_or_else(|| Camera::around(points, Direction::FRONT.turned(turn), aspect(size))),
        }
    }

    fn draw(&mut self, stage: &Stage, camera: &Camera, size: [u32; 2]) -> Result<Picture> {
        let Drawn { picture, report, draws } =
            self.renderer.draw(&self.model, stage, camera, &self.look, size)?;
        if self.report.is_empty() {
            self.report.append(report);
        }
        self.shown |= draws > 0 && !picture.is_bare();
        self.first.get_or_insert((*camera, *stage.pose().moment()));
        Ok(picture)
    }

    fn still(
        &mut self,
        stage: &mut Stage,
        sequence: Option<Id<Sequence>>,
        time: f64,
        size: [u32; 2],
        turn: f32,
    ) -> Result<Picture> {
        let (points, bounds) = stage.extent(sequence.filter(|_| !self.first_frame));
        let mut camera = self.camera(stage, &points, &bounds, size, turn);
        stage.start(sequence, time, Some(&camera.view));
        if matches!(self.place, Place::Own(_)) {
            // The model's camera moves with the sequence, and billboards turn to where it is now.
            camera = self.camera(stage, &points, &bounds, size, turn);
            stage.show(Some(&camera.view));
        }
        self.draw(stage, &camera, size)
    }

    /// A still that shows something: where there is nothing to see and the user did not say when, at another moment;
    /// else from the other side, because faces have only one.
    fn telling(
        &mut self,
        stage: &mut Stage,
        sequence: Option<Id<Sequence>>,
        time: f64,
        size: [u32; 2],
    ) -> Result<Picture> {
        let picture = self.still(stage, sequence, time, size, 0.0)?;
        let scene = stage.scene().clone();
        let draws_something = !scene.meshes.is_empty() || stage.has_effects();
        if self.shown || !draws_something {
            return Ok(picture);
        }
        let first = self.first;
        let length = length(&scene, sequence);
        let moments = if self.args.time.is_none() && length > 0.0 { OTHER_MOMENTS } else { 0 };
        let other_times = (0..moments).map(|part| (length * f64::from(part) / f64::from(moments), 0.0));
        let sides = u8::from(matches!(self.place, Place::Framed(_)));
        let other_side = (0..sides).map(|_| (time, std::f32::consts::PI));
        for (at, turn) in other_times.chain(other_side) {
            self.first = None;
            let another = self.still(stage, sequence, at, size, turn)?;
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

    fn frames(&mut self, stage: &mut Stage, sequence: Option<Id<Sequence>>) -> Result<Vec<Picture>> {
        let size = self.args.size.0;
        let length = length(stage.scene(), sequence);
        let usual = if self.args.turntable { TURNTABLE } else { length.clamp(50.0, 20_000.0) };
        let total = self.args.seconds.map_or(usual, |seconds| seconds * 1000.0);
        let step = 1000.0 / f64::from(self.args.fps);
        let count = (total / step).round().clamp(1.0, MOST_FRAMES);
        let (mut points, bounds) = stage.extent(sequence);
        if self.args.turntable {
            points = revolved(&points, &bounds);
        }
        let mut camera = self.camera(stage, &points, &bounds, size, 0.0);
        stage.start(sequence, 0.0, Some(&camera.view));
        let mut pictures = Vec::new();
        let mut number = 0.0;
        while number < count {
            #[allow(clippy::cast_possible_truncation, reason = "a share of a turn")]
            let turn =
                if self.args.turntable { (number / count) as f32 * std::f32::consts::TAU } else { 0.0 };
            camera = self.camera(stage, &points, &bounds, size, turn);
            stage.show(Some(&camera.view));
            pictures.push(self.draw(stage, &camera, size)?);
            stage.advance(step, Some(&camera.view));
            number += 1.0;
        }
        Ok(pictures)
    }

    fn sheet(&mut self, stage: &mut Stage) -> Result<Picture> {
        let size = self.args.size.0;
        let scene = stage.scene().clone();
        let mut tiles = Vec::new();
        for (id, sequence) in scene.sequences.iter().take(MOST_TILES) {
            let time = self.args.milliseconds(f64::from(sequence.length()));
            let time = time.min(f64::from(sequence.length()));
            let picture = self.still(stage, Some(id), time, size, 0.0)?;
            let seconds = f64::from(sequence.length()) / 1000.0;
            tiles.push((picture, format!("{} {seconds:.2}s", sequence.name)));
        }
        if scene.sequences.len() > MOST_TILES {
            self.report.dropped("sequences", format!("only the first {MOST_TILES} are on the sheet"));
        }
        if tiles.is_empty() {
            tiles.push((self.still(stage, None, 0.0, size, 0.0)?, "at rest".to_owned()));
        }
        sheet(&tiles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn team_colours_that_a_model_names_are_made_by_code() {
        let found = team_by_name(r"ReplaceableTextures\TeamColor\TeamColor05.blp").unwrap();
        let [r, g, b] = warcraft3::team_color(5);
        assert_eq!(found.pixels()[..4], [r, g, b, 255]);
        assert!(team_by_name("TeamGlow/teamglow00.blp").is_some());
        assert!(team_by_name("TeamColor.blp").is_none() && team_by_name("x").is_none());
    }

    #[test]
    fn a_camera_is_given_by_eye_and_target() {
        assert_eq!(fixed("1,2,3:0,0,0"), Some(Camera::look_at([1.0, 2.0, 3.0], [0.0; 3], FIELD_OF_VIEW)));
        for wrong in ["1,2:0,0,0", "1,2,3", "a,b,c:0,0,0", "nan,0,0:0,0,0", "front"] {
            assert_eq!(fixed(wrong), None, "{wrong}");
        }
    }
}

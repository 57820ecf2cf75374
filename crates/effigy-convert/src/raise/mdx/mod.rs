//! From the scene to a Warcraft III model.
//!
//! A scene that came from Warcraft III is written as it is: same timeline, same keys, same names. Any other is first
//! adapted (see `adapt`); the parts of the writer only know scenes that follow the game's rules.

mod adapt;
mod emitters;
mod extents;
mod extras;
mod fixtures;
mod footsteps;
mod geosets;
mod globals;
mod materials;
mod nodes;
mod tangents;
mod tracks;

use super::words::cut;
use super::{ObjectNames, RaiseOptions, Raised, objects, skin};
use effigy_mdx::{Caps, Dialect, Extent, FaceFx, Model, Sequence, SequenceFlags};
use effigy_scene::{Bounds, Extra, KeyRule, NodeRule, Scene, ValidScene};
use effigy_wire::{FixedStr, Report, Result};

/// What the parts of the writer share.
struct Writer<'a> {
    scene: &'a ValidScene,
    model: Model,
    caps: Caps,
    report: Report,
    /// The scene came from Warcraft III.
    native: bool,
    nodes: nodes::Nodes,
}

/// Makes a model of Warcraft III. Scenes of other games are changed to its units, names and rules; the report says what of it
/// is not exact.
///
/// # Errors
/// When a scene has numbers that are too large for the other unit of length.
pub fn raise(scene: &ValidScene, options: &RaiseOptions) -> Result<Raised<Model>> {
    let caps = Dialect::Warcraft3.caps(options.version);
    let native = is_native(scene);
    let mut report = Report::default();
    let names = |scene: &Scene| scene.sequences.iter().map(|(_, it)| it.name.clone()).collect::<Vec<_>>();
    let mut objects = ObjectNames::unchanged(scene);
    let (ready, textures, sequences) = if native {
        let all = names(scene).into_iter().map(|name| (name.clone(), Some(name))).collect();
        (scene.clone(), Vec::new(), all)
    } else {
        let named = objects::by_name(scene, &options.names, objects::Game::Warcraft, &mut report)?;
        objects = named.objects;
        adapt::adapt(&named.scene, options, caps, &mut objects, &mut report)?
    };
    let mut writer = Writer {
        scene: &ready,
        model: Model::new(Dialect::Warcraft3, options.version, ""),
        caps,
        report,
        native,
        nodes: nodes::Nodes::default(),
    };
    writer.info();
    writer.sequences();
    writer.textures();
    writer.materials();
    let plan = writer.plan_skins();
    writer.place_nodes(&plan);
    writer.fixtures();
    writer.emitters();
    writer.geosets(&plan);
    writer.extents(&plan);
    if !native {
        globals::remove_unused(&mut writer.model);
    }
    Ok(Raised { model: writer.model, report: writer.report, textures, sequences, objects })
}

/// Whether a scene follows Warcraft III's rules already.
fn is_native(scene: &Scene) -> bool {
    scene.key_rule == KeyRule::Wrap && scene.node_rule == NodeRule::Warcraft
}

fn extent(bounds: &Bounds) -> Extent {
    Extent { radius: bounds.radius, min: bounds.min, max: bounds.max }
}

/// A number of things as the file counts them.
fn index(position: usize) -> i32 {
    i32::try_from(position).unwrap_or(i32::MAX)
}

impl Writer<'_> {
    /// A text in a field of the file; the report says if it was cut. What this game made may fill its field; other texts end with a
    /// zero.
    fn text<const N: usize>(&mut self, place: &str, text: &str) -> FixedStr<N> {
        let most = if self.native { N } else { N.saturating_sub(1) };
        let fitting = cut(text, most);
        if fitting.len() < text.len() {
            self.report.approximated(place, format!("a text of more than {most} bytes was cut"));
        }
        FixedStr::truncated(fitting)
    }

    fn info(&mut self) {
        let scene = self.scene;
        let name = self.text("name", &scene.name);
        let file = extras::text(&scene.extras, "animationFile").map(|text| self.text("MODL", text));
        let blend_time = if self.native { scene.blend_time } else { 150 };
        if let Some(info) = self.model.info.first_mut() {
            info.name = name;
            info.blend_time = blend_time;
            info.extent = extent(&scene.bounds);
            info.animation_file = file.unwrap_or_default();
        }
        self.model.global_sequences =
            scene.global_sequences.as_slice().iter().map(|global| global.length).collect();
        for (index, (name, value)) in
            scene.extras.iter().filter(|(name, _)| name.starts_with("faceFx")).enumerate()
        {
            let Extra::Map(face) = value else { continue };
            let (actor, path) = (extras::text(face, "name"), extras::text(face, "path"));
            if self.caps.contains(Caps::GEOSET_LOD) {
                let made = FaceFx {
                    name: self.text("FAFX", actor.unwrap_or_default()),
                    path: self.text("FAFX", path.unwrap_or_default()),
                };
                self.model.face_fx.push(made);
            } else {
                self.report.dropped(format!("{name} ({index})"), "classic models have no face animations");
            }
        }
        if scene.extras.get("collisionMesh").is_some() {
            self.report.dropped("collision mesh", "Warcraft III has collision shapes only");
        }
    }

    fn sequences(&mut self) {
        for (index, source) in self.scene.sequences.as_slice().iter().enumerate() {
            let bits = extras::int(&source.extras, "flags").and_then(|bits| u32::try_from(bits).ok());
            let mut flags = SequenceFlags::from_bits_retain(bits.filter(|_| self.native).unwrap_or(0));
            flags.set(SequenceFlags::NON_LOOPING, !source.looping);
            let time = |time: i32| u32::try_from(time).unwrap_or(0);
            let sequence = Sequence {
                name: self.text(&format!("SEQS[{index}]"), &source.name),
                interval: [time(source.start), time(source.end)],
                move_speed: source.move_speed,
                flags,
                rarity: extras::float(&source.extras, "rarity").unwrap_or(0.0),
                sync_point: extras::int(&source.extras, "syncPoint")
                    .and_then(|it| u32::try_from(it).ok())
                    .unwrap_or(0),
                extent: extent(&source.bounds),
                ..Sequence::default()
            };
            self.model.sequences.push(sequence);
        }
    }
}

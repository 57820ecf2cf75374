//! Building the document, part by part.

mod animation;
mod bake;
mod blends;
mod clip;
mod curve;
pub(crate) mod describe;
mod fixtures;
mod hiding;
mod images;
mod materials;
mod meshes;
mod morphs;
mod names;
pub(crate) mod nodes;
mod originals;
mod pointers;
mod rest;
mod skins;
mod smooth;
mod split;
pub(crate) mod sprites;
mod visibility;
mod write;

pub use split::export_split;
pub use write::Gltf;

use crate::buffer::Bin;
use crate::json::{self, Animation, Object};
use crate::{ExportOptions, Pictures, Textures};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Mesh, Sequence, ValidScene};
use effigy_wire::{Error, Kind, Report, Result};
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

/// The document while it is built.
pub(crate) struct Builder<'a> {
    scene: &'a ValidScene,
    sampler: Sampler<'a>,
    options: &'a ExportOptions,
    bin: Bin,
    nodes: Vec<json::Node>,
    /// Nodes at the top of the scene, after the root.
    top: Vec<usize>,
    names: HashMap<String, u32>,
    skin: skins::Joints,
    /// Finds four nodes for vertices that follow more; made when the first such vertex is met.
    fewer: Option<effigy_scene::sample::FewerNodes>,
    blends: Vec<blends::Blend>,
    meshes: Vec<Object>,
    drawn: Vec<Drawn>,
    materials: materials::Materials,
    images: images::Images,
    cameras: Vec<Object>,
    lights: Vec<Object>,
    cameras_at: Vec<usize>,
    lights_at: Vec<Option<usize>>,
    animations: Vec<Animation>,
    clips: Vec<(Id<Sequence>, String)>,
    extensions: BTreeSet<&'static str>,
    /// Those of them without which a program cannot show the document.
    required: BTreeSet<&'static str>,
    report: Report,
    /// The model's size; errors of positions are relative to it.
    size: f32,
    rotation_error: f32,
    sampled_rotations: usize,
    /// Keys of a model of frames, and how many of them were left out.
    frame_keys: usize,
    left_out: usize,
    /// What is shown where nothing plays.
    rest: Moment,
    /// At how many moments parts were looked at that are hidden at rest, see `showcase`.
    looks: Cell<u32>,
    /// Keys need more bytes than the options allow.
    too_large: bool,
    /// Samples of nodes that were taken so far, see `corner_times`.
    sampled: usize,
    /// Animations in which nodes are sampled less often than asked.
    coarse: BTreeSet<usize>,
    /// Objects that were put into extras.
    asides: usize,
    /// Files of the game for the way back.
    originals: Vec<originals::Original>,
}

/// A mesh in the document.
pub(crate) struct Drawn {
    mesh: Id<Mesh>,
    node: usize,
    /// Number of morph targets.
    targets: usize,
    /// It is shown at some times and hidden at others.
    changes: bool,
    /// Joints that only it and meshes like it use and that are scaled to nothing to hide it; if empty, its node is scaled.
    hide: Vec<usize>,
}

/// The scale of what is hidden. Programs complain about a scale of exactly 0, which cannot be undone.
const HIDDEN: [f32; 3] = [1e-5; 3];

/// The index of the root node.
const ROOT: usize = 0;

/// Exports a checked scene.
///
/// # Errors
/// When no sequence has a name that the options ask for, when the model lacks the level of detail, when the animations need more bytes than the options allow, or the result would be larger than a glTF file can be
/// (4 GB).
pub fn export(scene: &ValidScene, options: &ExportOptions, textures: &mut dyn Textures) -> Result<Gltf> {
    export_with(scene, options, textures, &Pictures::default())
}

/// Like [`export`], with pictures that several exports share: each is decoded and encoded once.
///
/// # Errors
/// Like [`export`].
pub fn export_with(
    scene: &ValidScene,
    options: &ExportOptions,
    textures: &mut dyn Textures,
    pictures: &Pictures,
) -> Result<Gltf> {
    check_level(scene, options)?;
    let mut report = Report::default();
    names::note_unreadable(scene, &mut report);
    let with_sprites = match options.sprites {
        true => Some(sprites::with_sprites(scene, &mut report)?),
        false => None,
    };
    let scene = with_sprites.as_ref().unwrap_or(scene);
    let size = scene.info().bounds.size();
    let mut builder = Builder {
        scene,
        sampler: Sampler::new(scene),
        options,
        bin: Bin::default(),
        nodes: Vec::new(),
        top: Vec::new(),
        names: HashMap::new(),
        skin: skins::Joints::default(),
        meshes: Vec::new(),
        drawn: Vec::new(),
        materials: materials::Materials::default(),
        images: images::Images::default(),
        cameras: Vec::new(),
        lights: Vec::new(),
        cameras_at: Vec::new(),
        lights_at: Vec::new(),
        animations: Vec::new(),
        clips: Vec::new(),
        extensions: BTreeSet::new(),
        required: BTreeSet::new(),
        report,
        size: if size > 0.0 { size } else { 1.0 },
        rotation_error: 0.0,
        sampled_rotations: 0,
        frame_keys: 0,
        left_out: 0,
        rest: rest::moment(scene, options)?,
        looks: Cell::new(0),
        too_large: false,
        sampled: 0,
        coarse: BTreeSet::new(),
        asides: 0,
        fewer: None,
        blends: Vec::new(),
        originals: Vec::new(),
    };
    builder.add_nodes();
    builder.add_meshes(textures);
    builder.encode_pictures(pictures)?;
    builder.keep_originals(textures);
    builder.add_fixtures();
    builder.add_animations()?;
    builder.note_tracks();
    builder.finish()
}

/// Whether the model has the level of detail that the options ask for. A model without levels has one, the finest.
fn check_level(scene: &ValidScene, options: &ExportOptions) -> Result<()> {
    let levels: BTreeSet<u32> = scene.meshes.as_slice().iter().filter_map(|mesh| mesh.lod).collect();
    if options.lod == 0 || options.all_lods || levels.contains(&options.lod) {
        return Ok(());
    }
    let known: Vec<String> = levels.iter().map(u32::to_string).collect();
    let known = match known.is_empty() {
        true => "it has only one, 0".to_owned(),
        false => format!("it has {}", known.join(", ")),
    };
    let text = format!("the model has no level of detail {}; {known}", options.lod);
    Err(Error::new(Kind::Usage, text))
}

impl Builder<'_> {
    /// A name that no other object of this kind has: repeated ones are numbered.
    fn unique(&mut self, kind: &str, name: &str, fallback: &str) -> String {
        let name = if name.is_empty() { fallback } else { name };
        let key = format!("{kind}/{name}");
        let Some(count) = self.names.get(&key).copied() else {
            self.names.insert(key, 1);
            return name.to_owned();
        };
        // Another object may already have the numbered name: count on until one is free.
        for number in count.saturating_add(1)..u32::MAX {
            let candidate = format!("{name} ({number})");
            if let std::collections::hash_map::Entry::Vacant(free) =
                self.names.entry(format!("{kind}/{candidate}"))
            {
                free.insert(1);
                self.names.insert(key, number);
                return candidate;
            }
        }
        name.to_owned()
    }

    /// Adds a node below another.
    fn add_node(&mut self, parent: usize, node: json::Node) -> usize {
        let index = self.nodes.len();
        self.nodes.push(node);
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(index);
        }
        index
    }

    /// The glTF node of a scene node.
    fn node(&self, id: Id<effigy_scene::Node>) -> usize {
        // The root comes before all others.
        id.index() + 1
    }

    /// The pivot of a scene node.
    fn pivot(&self, id: Id<effigy_scene::Node>) -> [f32; 3] {
        self.scene.nodes.get(id).map_or([0.0; 3], |it| it.pivot)
    }

    fn extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }
}

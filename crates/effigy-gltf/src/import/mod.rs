//! Reading glTF 2.0: a `.glb`, or a `.gltf` with the files that it names.
//!
//! [`Model`] keeps the file as it is, so that it can be written back byte for byte, and [`Model::lower`] makes a scene of
//! it. What the scene has no place for is named in the report.

mod accessor;
mod axes;
mod channels;
mod container;
mod document;
mod fixtures;
mod images;
mod materials;
mod meshes;
mod model;
mod morphs;
mod nodes;
mod pointers;
mod skeleton;
mod skins;
mod tracks;
mod value;

pub use model::{MeshCount, Model};

use accessor::Data;
use axes::Axes;
use channels::Channels;
use document::Document;
use effigy_scene::{Id, Node, Scene};
use effigy_wire::{Limits, Report, Result};
use skeleton::Skeleton;
use std::collections::HashMap;
use tracks::Timeline;

/// The scene while it is built.
struct Import<'a> {
    document: &'a Document,
    data: &'a Data<'a>,
    axes: Axes,
    skeleton: Skeleton,
    timeline: Timeline<'a>,
    channels: Channels<'a>,
    scene: Scene,
    report: Report,
    /// Nodes of the scene by node of the document.
    nodes: Vec<Option<Id<Node>>>,
    skins: skins::Skins,
    materials: materials::Materials,
    textures: HashMap<(usize, images::Use, [bool; 2]), Id<effigy_scene::Texture>>,
    names: Vec<String>,
}

/// Makes a scene of a document and its buffers.
fn lower(
    document: &Document,
    data: &Data<'_>,
    names: Vec<String>,
    limits: &Limits,
) -> Result<(Scene, Report)> {
    container::check_required(document)?;
    let mut report = Report::default();
    let mut scene = Scene::default();
    let mut sequences = Vec::new();
    let timeline = Timeline::new(data, &mut sequences, &mut report)?;
    scene.sequences = sequences.into_iter().collect();
    let roots = nodes::roots(document, &mut report);
    let skeleton = Skeleton::collect(document, &roots, &mut report)?;
    let channels = Channels::collect(document, &mut report);
    let mut import = Import {
        document,
        data,
        axes: Axes::Front,
        skeleton,
        timeline,
        channels,
        scene,
        report,
        nodes: vec![None; document.nodes.len()],
        skins: skins::Skins::default(),
        materials: materials::Materials::default(),
        textures: HashMap::new(),
        names,
    };
    import.add_nodes(&roots)?;
    import.add_meshes()?;
    import.add_fixtures();
    import.add_pointers();
    let Import { mut scene, mut report, .. } = import;
    nodes::describe(document, &mut scene, &mut report);
    effigy_scene::repair(&mut scene, &mut report);
    let _ = limits;
    Ok((scene, report))
}

//! Reading glTF 2.0: a `.glb`, or a `.gltf` with the files that it names.
//!
//! [`Model`] keeps the file as it is, so that it can be written back byte for byte, and [`Model::lower`] makes a scene of
//! it. What the scene has no place for is named in the report.

mod accessor;
mod axes;
mod channels;
mod container;
mod document;
mod edited;
mod fixtures;
mod images;
mod materials;
mod meshes;
mod model;
mod morphs;
mod nodes;
mod notes;
mod ours;
mod pointers;
mod skeleton;
mod skins;
mod tracks;
mod value;

pub(crate) use document::MaterialJson;
pub(crate) use edited::{color_of, look_print};
pub use model::{MeshCount, Model, PrimitiveCount};

use accessor::Data;
use axes::Axes;
use channels::Channels;
use document::Document;
use effigy_scene::{Id, Node, Scene};
use effigy_wire::{Report, Result};
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
    /// The root node of a file of our own.
    ours: Option<usize>,
    /// Nodes of our own file whose animations somebody has changed.
    edited: usize,
    /// Meshes by their number in the model that was exported.
    mesh_numbers: HashMap<usize, Id<effigy_scene::Mesh>>,
}

/// Makes a scene of a document and its buffers.
fn lower(document: &Document, data: &Data<'_>, names: Vec<String>) -> Result<(Scene, Report)> {
    container::check_required(document)?;
    let mut report = Report::default();
    let mut scene = Scene::default();
    let mut roots = nodes::roots(document, &mut report);
    let matrices = nodes::bind_matrices(document, data)?;
    let ours = ours::root(document, &roots, &matrices);
    if ours.is_some() {
        ours::add_loose_meshes(document, &mut roots);
    }
    let mut sequences = ours.and_then(|root| ours::sequences(document, root)).unwrap_or_default();
    let timeline = Timeline::new(data, &mut sequences, &mut report)?;
    scene.sequences = sequences.into_iter().collect();
    let skeleton = Skeleton::collect(document, &roots, &mut report)?;
    let channels = Channels::collect(document, &timeline.plays, &mut report);
    let mut import = Import {
        document,
        data,
        axes: if ours.is_some() { Axes::Side } else { Axes::Front },
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
        ours,
        edited: 0,
        mesh_numbers: HashMap::new(),
    };
    if let Some(root) = ours {
        ours::model(document, root, &mut import.scene);
        import.restore_materials(root);
    }
    import.add_nodes(matrices)?;
    import.add_meshes()?;
    if ours.is_some() {
        import.restore_objects();
        import.restore_references();
    } else {
        import.add_fixtures();
        import.add_pointers();
    }
    let Import { mut scene, mut report, .. } = import;
    if ours.is_none() {
        nodes::describe(document, &mut scene, &mut report);
    }
    effigy_scene::repair(&mut scene, &mut report);
    Ok((scene, report))
}

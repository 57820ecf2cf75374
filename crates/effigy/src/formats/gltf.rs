//! glTF 2.0: models of Blender and other programs.

use crate::model::Opened;
use crate::{Format, Limits, Materials, Mesh, Model, Result, Sequence, Summary, Texture};

/// Reads a `.glb` or a `.gltf`, without the files that belong to it.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model> {
    Ok(Model::from(effigy_gltf::Model::read_with(bytes, limits)?))
}

impl From<effigy_gltf::Model> for Model {
    fn from(model: effigy_gltf::Model) -> Self {
        let format = if model.is_binary() { Format::Glb } else { Format::Gltf };
        Self::Gltf(Opened::new(model, format))
    }
}

/// Takes over the buffers and images that `find` has.
pub(crate) fn attach(model: &mut effigy_gltf::Model, find: &mut dyn FnMut(&str) -> Option<Vec<u8>>) {
    for name in model.companions() {
        if let Some(bytes) = find(&name) {
            model.attach(&name, bytes);
        }
    }
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// What is in the file.
pub(crate) fn summary(model: &effigy_gltf::Model) -> Summary {
    let [joints, others] = model.node_counts();
    let [materials, rest @ ..] = model.counts();
    let (_, materials) = materials;
    let sequence = |(name, seconds): (String, f32)| Sequence {
        name,
        seconds: f64::from(seconds),
        speed: 0.0,
        looping: true,
    };
    Summary {
        meshes: model
            .meshes()
            .into_iter()
            .map(|mesh| Mesh {
                name: mesh.name,
                vertices: wide(mesh.vertices),
                triangles: wide(mesh.triangles),
            })
            .collect(),
        nodes: Summary::counts(&[("joint", joints), ("other node", others)]),
        sequences: model.animations().into_iter().map(sequence).collect(),
        materials: Materials { count: wide(materials), words: Vec::new() },
        textures: model
            .image_names()
            .into_iter()
            .enumerate()
            .map(|(index, path)| Texture {
                found: model.is_embedded(index).then(|| "in the file itself".to_owned()),
                path,
                ..Texture::default()
            })
            .collect(),
        others: Summary::counts(&rest),
        ..Summary::default()
    }
}

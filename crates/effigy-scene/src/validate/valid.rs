//! A scene that has been checked.

use crate::{Bounds, Id, Node, Scene};
use std::ops::Deref;
use std::sync::Arc;

/// What the check computes on its way through the scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneInfo {
    /// All nodes, parents before children, otherwise in file order.
    pub order: Vec<Id<Node>>,
    /// The box around all vertices in the bind pose; empty without vertices.
    pub bounds: Bounds,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// For each global sequence: whether a track follows it.
    pub globals: Vec<bool>,
}

/// A scene whose references, counts and numbers have all been checked.
///
/// Only [`validate`](crate::validate) makes one, and it cannot be changed afterwards. Exporter, sampler and renderer
/// take nothing else, so none of them has to handle a reference to nothing or a circle of parents. To change a checked
/// scene, take it out with [`ValidScene::into_scene`] and validate it again.
///
/// A clone shares the scene: it costs one reference count. So a program can give the same scene to an exporter, a
/// renderer and another thread.
#[derive(Clone, Debug)]
pub struct ValidScene(Arc<Checked>);

#[derive(Clone, Debug)]
struct Checked {
    scene: Scene,
    info: SceneInfo,
}

impl ValidScene {
    pub(super) fn new(scene: Scene, info: SceneInfo) -> Self {
        Self(Arc::new(Checked { scene, info }))
    }

    /// What the check computed: the order of the nodes, the box around all vertices, counts.
    #[must_use]
    pub fn info(&self) -> &SceneInfo {
        &self.0.info
    }

    /// The scene itself, to be changed. It is copied only while another clone shares it.
    #[must_use]
    pub fn into_scene(self) -> Scene {
        Arc::unwrap_or_clone(self.0).scene
    }
}

impl Deref for ValidScene {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.0.scene
    }
}

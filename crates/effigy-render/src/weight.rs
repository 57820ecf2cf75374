//! How much each mesh counts for the frame of a picture.

use crate::stage::Stage;
use effigy_scene::sample::MeshPose;
use effigy_scene::{Billboard, Blend, Bounds, Id, Mesh, Node};

/// Alpha from which a layer counts as solid.
const SOLID: f32 = 0.5;
/// Alpha from which a blended layer counts.
const FAINT: f32 = 0.1;
/// A mesh is flat if it is thinner than this share of its width.
const FLAT: f32 = 0.02;

/// How much a mesh counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// In full.
    Solid,
    /// In full if it does not make the model much larger, else close to the solid parts.
    Fringe,
    /// In full if it does not make the model much larger, else not at all.
    Shine,
    /// Only where nothing is solid.
    Effect,
}

fn is_flat_on_ground(points: &[[f32; 3]]) -> bool {
    let Bounds { min, max, .. } = Bounds::around(points);
    let [x, y, z] = [0, 1, 2].map(|at: usize| {
        let (low, high) = (min.get(at).copied().unwrap_or(0.0), max.get(at).copied().unwrap_or(0.0));
        high - low
    });
    z <= x.max(y) * FLAT
}

impl Stage {
    /// How much a mesh counts for the frame at this moment.
    pub(crate) fn weight(&self, mesh: &Mesh, pose: &MeshPose, points: &[[f32; 3]]) -> Weight {
        let Some(material) = mesh.material.and_then(|id| self.scene().materials.get(id)) else {
            return Weight::Solid;
        };
        let mut shown = material.layers.iter().zip(&pose.layers).filter(|(_, posed)| posed.visible);
        let Some((layer, posed)) = shown.next() else { return Weight::Effect };
        let alpha = posed.color[3];
        match layer.blend {
            Blend::Opaque if alpha >= SOLID => Weight::Solid,
            Blend::AlphaKey | Blend::Alpha if is_flat_on_ground(points) => Weight::Effect,
            Blend::AlphaKey if alpha >= SOLID => Weight::Solid,
            Blend::Opaque | Blend::AlphaKey | Blend::Alpha if alpha >= FAINT => Weight::Fringe,
            // A glow turns to the viewer or lies on the ground; what does neither has a shape.
            Blend::Add | Blend::AddAlpha
                if alpha >= SOLID && !self.turns(mesh) && !is_flat_on_ground(points) =>
            {
                Weight::Shine
            }
            _ => Weight::Effect,
        }
    }

    /// Whether a mesh turns to the viewer.
    fn turns(&self, mesh: &Mesh) -> bool {
        let nodes = &self.scene().nodes;
        let is_billboard =
            |node: &Id<Node>| nodes.get(*node).is_some_and(|node| node.billboard != Billboard::None);
        mesh.skin.as_ref().is_some_and(|skin| skin.influences.iter().any(|one| is_billboard(&one.node)))
    }
}

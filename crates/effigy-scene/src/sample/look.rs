//! What a mesh looks like at a moment: colour, alpha, textures and their coordinates.

use super::{LayerPose, MeshPose, Sampler, TexturePose, keys};
use crate::{Id, LayerTexture, Mesh, TextureTransform, TransformOrder};

/// The 2 x 3 matrix that leaves coordinates as they are.
pub(super) const UNMOVED: [[f32; 3]; 2] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

impl Sampler<'_> {
    /// The 2 x 3 matrix of a texture transform: `u' = m[0][0] u + m[0][1] v + m[0][2]`, v likewise.
    pub(crate) fn texture_matrix(
        &self,
        transform: &TextureTransform,
        clocks: &keys::Clocks<'_>,
    ) -> [[f32; 3]; 2] {
        let [tx, ty, _] = self.value_at(&transform.translation, clocks);
        let [_, _, z, w] = self.value_at(&transform.rotation, clocks).0;
        let [sx, sy, _] = self.value_at(&transform.scale, clocks);
        texture_matrix(transform.order, [tx, ty], 2.0 * z.atan2(w), [sx, sy])
    }

    fn texture(&self, texture: &LayerTexture, clocks: &keys::Clocks<'_>) -> TexturePose {
        TexturePose {
            texture: match &texture.flipbook {
                Some(track) => Some(Id::new(keys::evaluate(track, clocks))),
                None => texture.texture,
            },
            matrix: texture
                .transform
                .and_then(|id| self.scene.texture_transforms.get(id))
                .map_or(UNMOVED, |transform| self.texture_matrix(transform, clocks)),
        }
    }

    pub(super) fn look(&self, mesh: &Mesh, clocks: &keys::Clocks<'_>, pose: &mut MeshPose) {
        let [r, g, b] = self.value_at(&mesh.color, clocks);
        let alpha = self.value_at(&mesh.alpha, clocks);
        pose.color = [r, g, b, alpha];
        pose.visible = alpha > 0.0;
        let layers = mesh.material.and_then(|id| self.scene.materials.get(id)).map_or(&[][..], |m| &m.layers);
        pose.layers.resize_with(layers.len(), LayerPose::default);
        for (layer, into) in layers.iter().zip(&mut pose.layers) {
            let [lr, lg, lb] = self.value_at(&layer.color, clocks);
            let a = alpha * self.value_at(&layer.alpha, clocks) * self.value_at(&layer.color_alpha, clocks);
            into.color = [r * lr, g * lg, b * lb, a];
            into.visible = self.scene.alpha_rule.draws(a);
            into.emissive_gain = self.value_at(&layer.emissive_gain, clocks);
            into.textures.clear();
            into.textures.extend(layer.textures.iter().map(|texture| self.texture(texture, clocks)));
        }
        if !layers.is_empty() {
            pose.visible &= pose.layers.iter().any(|layer| layer.visible);
        }
    }
}

/// The 2 x 3 matrix of shift, turn (radians) and scale about the middle of the texture.
#[must_use]
pub fn texture_matrix(
    order: TransformOrder,
    [tx, ty]: [f32; 2],
    turn: f32,
    [sx, sy]: [f32; 2],
) -> [[f32; 3]; 2] {
    let (sin, cos) = turn.sin_cos();
    match order {
        TransformOrder::RotateScaleMove => {
            let m = [[sx * cos, -sx * sin], [sy * sin, sy * cos]];
            about_middle(m, [0.5 + tx, 0.5 + ty], [0.5, 0.5])
        }
        TransformOrder::MoveScaleRotate => {
            let m = [[cos * sx, -sin * sy], [sin * sx, cos * sy]];
            about_middle(m, [0.5, 0.5], [0.5 - tx, 0.5 - ty])
        }
    }
}

/// `to + m (uv - from)`.
fn about_middle([[a, b], [c, d]]: [[f32; 2]; 2], [tu, tv]: [f32; 2], [fu, fv]: [f32; 2]) -> [[f32; 3]; 2] {
    [[a, b, tu - a * fu - b * fv], [c, d, tv - c * fu - d * fv]]
}

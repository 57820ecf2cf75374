//! How a layer is drawn at a moment: blend, tests, textures and numbers.

use crate::list::{Binding, Slot};
use crate::model::{BLACK, FIRST, FLAT_NORMAL, NO_ORM, WHITE};
use crate::uniforms::{BALL, BELOW, COVERS, Draw, ROOM, SPHERE_BASE, SPHERE_SECOND};
use effigy_scene::sample::{LayerPose, TexturePose};
use effigy_scene::{Blend, Combine, Coordinates, Layer, Material, NodeRule, Role, Scene};

/// Alpha from which a layer counts as not fading.
const fn solid_from(rule: NodeRule) -> f32 {
    match rule {
        NodeRule::Warcraft | NodeRule::Wolfenstein => 0.99,
        NodeRule::World => 0.99999,
    }
}

/// How a layer is drawn at a moment.
pub(crate) struct Style {
    pub(crate) blend: Blend,
    pub(crate) see_through: bool,
    pub(crate) depth_write: bool,
    /// An opaque or keyed layer that is partly faded out.
    pub(crate) fades: bool,
    pub(crate) lit: bool,
    pub(crate) flip_back: bool,
    covers: bool,
    tests: [f32; 2],
}

impl Style {
    pub(crate) fn new(rule: NodeRule, layer: &Layer, alpha: f32) -> Self {
        let solid = matches!(layer.blend, Blend::Opaque | Blend::AlphaKey);
        let fades = solid && alpha < solid_from(rule);
        let blend = if fades { Blend::Alpha } else { layer.blend };
        let multiplies = matches!(layer.blend, Blend::Modulate | Blend::Modulate2x);
        let writes = match rule {
            NodeRule::Warcraft => solid,
            NodeRule::World | NodeRule::Wolfenstein => true,
        };
        Self {
            blend,
            see_through: !solid || fades,
            depth_write: writes && !layer.no_depth_write,
            fades,
            lit: !layer.unlit && (rule != NodeRule::World || !multiplies),
            flip_back: rule == NodeRule::World && layer.two_sided,
            covers: (layer.blend == Blend::Opaque && !has_second(layer)) || (solid && !fades),
            // The key tests the texels alone, so a fading leaf keeps its outline.
            tests: match layer.blend {
                Blend::Opaque => [0.0, 0.0],
                Blend::AlphaKey => [0.0, layer.alpha_test],
                _ => [layer.alpha_test, 0.0],
            },
        }
    }
}

pub(crate) fn has_second(layer: &Layer) -> bool {
    layer.textures.iter().any(|texture| texture.role == Role::Second)
}

/// What the first and the second texture do to the colour of a layer.
pub(crate) fn joins(layer: &Layer) -> [Combine; 2] {
    [Role::Base, Role::Second]
        .map(|role| layer.texture(role).map_or(Combine::Modulate, |texture| texture.combine))
}

pub(crate) fn is_sphere(draw: &Draw) -> bool {
    let [flags, ..] = draw.flags;
    flags & (SPHERE_BASE | SPHERE_SECOND) != 0
}

fn slot(scene: &Scene, pose: Option<&TexturePose>, missing: usize) -> Slot {
    let Some(id) = pose.and_then(|pose| pose.texture) else { return Slot::made(missing) };
    match scene.textures.get(id) {
        Some(texture) => {
            let [u, v] = texture.repeat.map(u8::from);
            Slot { texture: FIRST + id.index(), repeat: u | v << 1 }
        }
        None => Slot::made(missing),
    }
}

fn rows(matrix: [[f32; 3]; 2], set: u32) -> [[f32; 4]; 2] {
    let [[a, b, c], [d, e, f]] =
        matrix.map(|row| row.map(|value| if value.is_finite() { value } else { 0.0 }));
    [[a, b, c, if set == 1 { 1.0 } else { 0.0 }], [d, e, f, 0.0]]
}

/// Textures and numbers of a layer.
pub(crate) fn look(
    scene: &Scene,
    material: &Material,
    layer: &Layer,
    posed: &LayerPose,
    style: &Style,
) -> (Binding, Draw) {
    let of = |role: Role| {
        let at = layer.textures.iter().position(|texture| texture.role == role)?;
        Some((layer.textures.get(at)?, posed.textures.get(at)?))
    };
    let pose_of = |role: Role| of(role).map(|(_, pose)| pose);
    let mut draw =
        Draw { color: posed.color.map(|c| if c.is_finite() { c } else { 1.0 }), ..Draw::default() };
    let [tint @ .., alpha] = &mut draw.color;
    tint.iter_mut().for_each(|channel| *channel = channel.clamp(0.0, 1.0));
    *alpha = alpha.clamp(0.0, 1.0);
    let mut flags = if style.covers { COVERS } else { 0 };
    flags |= if layer.alpha_below { BELOW } else { 0 };
    let mut coordinates = |role: Role, sphere: u32| match of(role) {
        Some((texture, pose)) => match texture.coordinates {
            Coordinates::Set(set) => rows(pose.matrix, set),
            mirrored => {
                flags |= sphere
                    | match mirrored {
                        Coordinates::Ball => BALL,
                        Coordinates::Room => ROOM,
                        _ => 0,
                    };
                rows(pose.matrix, 0)
            }
        },
        None => Draw::default().base,
    };
    draw.base = coordinates(Role::Base, SPHERE_BASE);
    draw.second = coordinates(Role::Second, SPHERE_SECOND);
    let gain = if posed.emissive_gain.is_finite() { posed.emissive_gain } else { 0.0 };
    let [total, texel] = style.tests;
    draw.tests = [total, texel, gain, 0.0];
    let base = slot(scene, pose_of(Role::Base), WHITE);
    let binding = if material.physical {
        Binding::Physical([
            base,
            slot(scene, pose_of(Role::Normal), FLAT_NORMAL),
            slot(scene, pose_of(Role::Orm), NO_ORM),
            slot(scene, pose_of(Role::Emissive), BLACK),
            slot(scene, pose_of(Role::TeamColor), BLACK),
        ])
    } else {
        let second = pose_of(Role::Second);
        Binding::Plain([base, slot(scene, second, WHITE)])
    };
    draw.flags = [flags, 0, 0, 0];
    (binding, draw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solid_layer_blends_as_soon_as_its_game_calls_it_faded() {
        for (rule, alpha, blend) in [
            (NodeRule::Warcraft, 0.995, Blend::Opaque),
            (NodeRule::Warcraft, 0.985, Blend::Alpha),
            (NodeRule::World, 0.995, Blend::Alpha),
            (NodeRule::World, 1.0, Blend::Opaque),
        ] {
            assert_eq!(Style::new(rule, &Layer::default(), alpha).blend, blend, "{rule:?} {alpha}");
        }
    }
}

//! What surfaces show: one opaque texture, with one set of coordinates. Everything else about the look of a mesh needs a shader script, and
//! is counted for the report.

use super::shaders;
use effigy_scene::sample::{LayerPose, Moment, Pose, Sampler, TexturePose};
use effigy_scene::{
    Animated, Blend, Coordinates, Id, Layer, LayerTexture, Mesh, Role, Scene, Texture, Track,
};
use effigy_wire::Report;
use std::borrow::Cow;

/// Half a step of an 8-bit channel: what is nearer is the same colour.
const STEP: f32 = 0.5 / 255.0;
/// Half a texel of a texture of 4,096.
const TEXEL: f32 = 0.5 / 4096.0;
const UNMOVED: [[f32; 3]; 2] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// What a surface shows in all of its frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Skin<'s> {
    Texture(Id<Texture>, &'s Texture),
    /// Materials without a texture show their colour.
    Color([u8; 3]),
    /// Nothing is known about it.
    Nothing,
}

/// The look of one mesh.
pub(super) struct Look<'s> {
    mesh: Id<Mesh>,
    pub skin: Skin<'s>,
    /// The layer that is shown and its texture there, by number.
    layer: usize,
    stage: Option<usize>,
    /// What both are at the moment that is kept.
    shown: Option<TexturePose>,
    color: [f32; 3],
    blended: bool,
    faded: bool,
    tinted: bool,
    moved: bool,
    changed: bool,
}

/// The layer and the texture that give a mesh its colour: the first with a file. Below the skin of a unit of Warcraft III is a layer of
/// team colour, which has none.
fn base(scene: &Scene, layers: &[Layer], poses: &[LayerPose]) -> Option<(usize, usize, Id<Texture>)> {
    let all = || {
        layers.iter().zip(poses).enumerate().filter_map(|(number, (layer, pose))| {
            let stage = layer.textures.iter().position(|it| it.role == Role::Base)?;
            Some((number, stage, pose.textures.get(stage)?.texture?))
        })
    };
    let has_file = |id: Id<Texture>| scene.textures.get(id).is_some_and(shaders::has_file);
    all().find(|(.., id)| has_file(*id)).or_else(|| all().find(|(.., id)| scene.textures.get(*id).is_some()))
}

fn near(a: [f32; 3], b: [f32; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < STEP)
}

/// Whether two matrices put every coordinate of a texture at the same place.
fn same(a: &[[f32; 3]; 2], b: &[[f32; 3]; 2]) -> bool {
    a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| (a - b).abs() < TEXEL)
}

/// Whether a track changes on a clock of its own, whatever sequence plays.
fn ticks<T: PartialEq>(track: Option<&Track<T>>) -> bool {
    track.is_some_and(|track| {
        track.global.is_some() && track.values.windows(2).any(|pair| pair.first() != pair.last())
    })
}

fn turns<T: PartialEq>(value: &Animated<T>) -> bool {
    ticks(value.track.as_ref())
}

/// The looks of meshes, in their order.
pub(super) struct Looks<'s> {
    scene: &'s Scene,
    all: Vec<Look<'s>>,
}

impl<'s> Looks<'s> {
    /// The looks at the moment that is kept.
    pub fn new(
        scene: &'s Scene,
        meshes: &[(Id<Mesh>, &'s Mesh)],
        sampler: &Sampler<'_>,
        moment: &Moment,
    ) -> Self {
        let mut pose = sampler.pose();
        sampler.sample(moment, None, &mut pose);
        let all = meshes.iter().map(|(id, mesh)| Look::new(scene, *id, mesh, &pose)).collect();
        Self { scene, all }
    }

    /// The looks, in the order of the meshes.
    pub fn all(&self) -> &[Look<'s>] {
        &self.all
    }

    /// Compares what a frame shows with what was kept.
    pub fn watch(&mut self, pose: &Pose) {
        for look in &mut self.all {
            look.watch(pose);
        }
    }

    /// Reports what surfaces do not show, once for each kind.
    pub fn report(&self, report: &mut Report) {
        let total = self.all.len();
        let mut say = |place: &str, what: &str, is: &dyn Fn(&Look<'_>) -> bool| {
            let count = self.all.iter().filter(|look| is(look)).count();
            if count > 0 {
                report.dropped(place, format!("{count} of {total} meshes {what}"));
            }
        };
        let layers = |look: &Look<'_>| self.layers(look);
        let shown = |look: &Look<'_>| layers(look).get(look.layer);
        say(
            "materials",
            "have further layers or maps; surfaces have one texture, others need a shader script",
            &|look| layers(look).len() > 1 || layers(look).iter().any(|layer| layer.textures.len() > 1),
        );
        say(
            "materials",
            "are cut out or blended, which needs a shader script; surfaces are opaque",
            &|look| layers(look).first().is_some_and(|layer| layer.blend != Blend::Opaque),
        );
        say("materials", "show both sides, which needs a shader script", &|look| {
            layers(look).iter().any(|layer| layer.two_sided)
        });
        say("materials", "reflect their surroundings, which needs a shader script", &|look| {
            let stage = look.stage.and_then(|stage| shown(look)?.textures.get(stage));
            stage.is_some_and(|stage| !matches!(stage.coordinates, Coordinates::Set(_)))
        });
        say(
            "materials",
            "have no texture with a file, and engines show one of their own",
            &|look| match look.skin {
                Skin::Texture(_, texture) => !shaders::has_file(texture),
                Skin::Color(_) => false,
                Skin::Nothing => true,
            },
        );
        say("textures", "change their texture; the one at the beginning of Stand is kept", &|look| {
            look.changed
        });
        say("textures", "move their texture, which needs a shader script", &|look| look.moved);
        say("meshes", "have a colour that surfaces cannot have besides their texture", &|look| look.tinted);
        say("meshes", "are half transparent at times, and opaque or hidden as surfaces", &|look| look.faded);
    }

    fn layers(&self, look: &Look<'_>) -> &'s [Layer] {
        let material = self.scene.meshes.get(look.mesh).and_then(|mesh| mesh.material);
        material.and_then(|id| self.scene.materials.get(id)).map_or(&[], |material| &material.layers)
    }
}

impl<'s> Look<'s> {
    fn new(scene: &'s Scene, id: Id<Mesh>, mesh: &Mesh, pose: &Pose) -> Self {
        let layers = mesh.material.and_then(|id| scene.materials.get(id)).map_or(&[][..], |it| &it.layers);
        let poses = pose.mesh(id).map_or(&[][..], |pose| &pose.layers);
        let found = base(scene, layers, poses);
        let (layer, stage) = found.map_or((0, None), |(layer, stage, _)| (layer, Some(stage)));
        let shown = stage.and_then(|stage| poses.get(layer)?.textures.get(stage).copied());
        let texture = found.and_then(|(.., id)| Some((id, scene.textures.get(id)?)));
        let (mut color, mut skin) = ([1.0; 3], Skin::Nothing);
        if let Some((id, texture)) = texture {
            skin = Skin::Texture(id, texture);
        } else if let Some(LayerPose { color: [r, g, b, _], .. }) = poses.first() {
            color = [*r, *g, *b].map(|part| part.clamp(0.0, 1.0));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
            let bytes = color.map(|part| (part * 255.0).round() as u8);
            skin = Skin::Color(bytes);
        }
        let own = stage.and_then(|stage| layers.get(layer)?.textures.get(stage));
        let transform = own.and_then(|it| scene.texture_transforms.get(it.transform?));
        Self {
            mesh: id,
            skin,
            layer,
            stage,
            shown,
            color,
            blended: layers.first().is_some_and(|layer| layer.blend != Blend::Opaque),
            faded: false,
            tinted: false,
            moved: transform
                .is_some_and(|it| turns(&it.translation) || turns(&it.rotation) || turns(&it.scale)),
            changed: ticks(own.and_then(|it| it.flipbook.as_ref())),
        }
    }

    fn watch(&mut self, pose: &Pose) {
        let Some(mesh) = pose.mesh(self.mesh).filter(|mesh| mesh.visible) else { return };
        let layer = mesh.layers.get(self.layer);
        let [r, g, b, alpha] = layer.map_or(mesh.color, |layer| layer.color);
        if layer.is_some_and(|layer| !layer.visible) {
            return;
        }
        self.tinted |= !near([r, g, b].map(|part| part.clamp(0.0, 1.0)), self.color);
        self.faded |= self.blended && alpha < 1.0 - STEP;
        let now = self.stage.and_then(|stage| layer?.textures.get(stage));
        if let (Some(now), Some(shown)) = (now, &self.shown) {
            self.changed |= now.texture != shown.texture;
            self.moved |= !same(&now.matrix, &shown.matrix);
        }
    }

    /// The coordinates of a mesh in its texture: the set that the texture uses, moved as it is.
    pub fn coordinates<'m>(&self, scene: &Scene, mesh: &'m Mesh) -> Cow<'m, [[f32; 2]]> {
        let layers = mesh.material.and_then(|id| scene.materials.get(id)).map(|it| &it.layers);
        let own: Option<&LayerTexture> =
            self.stage.and_then(|stage| layers?.get(self.layer)?.textures.get(stage));
        let set = match own.map(|it| it.coordinates) {
            Some(Coordinates::Set(set)) => set as usize,
            _ => 0,
        };
        let uvs = mesh.uvs.get(set).or_else(|| mesh.uvs.first()).map_or(&[][..], Vec::as_slice);
        match self.shown.map(|shown| shown.matrix).filter(|matrix| *matrix != UNMOVED) {
            Some(matrix) => {
                uvs.iter().map(|[u, v]| matrix.map(|[a, b, c]| a * u + b * v + c)).collect::<Vec<_>>().into()
            }
            None => uvs.into(),
        }
    }
}

#[cfg(test)]
mod tests;

//! What pointers animate: visibility, colours and moving textures.

use super::Import;
use super::channels::Channel;
use super::meshes::gamma;
use super::nodes::sound;
use super::tracks::Piece;
use effigy_scene::{Blend, Id, Mesh, Track};
use effigy_wire::Result;

/// The index in a pointer, and what follows it.
fn split(pointer: &str) -> Option<(usize, &str)> {
    let (index, rest) = pointer.split_once('/')?;
    Some((index.parse().ok()?, rest))
}

const VISIBLE: &str = "extensions/KHR_node_visibility/visible";

impl Import<'_> {
    /// Whether a node is shown: at rest, and the channels that change it.
    fn visibility(&self, node: usize) -> (bool, Option<usize>) {
        let source = self.document.nodes.get(node);
        let rest = source.and_then(|it| it.extensions.visibility.as_ref()).is_none_or(|it| it.visible);
        let pointer = format!("/nodes/{node}/{VISIBLE}");
        (rest, self.channels.pointers.iter().position(|(text, _)| *text == pointer))
    }

    /// Hides a mesh while its node or one above is hidden.
    pub(super) fn show(&mut self, mesh: Id<Mesh>, node: usize) {
        let animated = !self.channels.pointers.is_empty();
        let mut above = Vec::new();
        let mut next = Some(node);
        while let Some(bone) = next.and_then(|it| self.skeleton.bone(it)) {
            let Some(index) = next else { break };
            let hidden = self.document.nodes.get(index).is_some_and(|it| it.extensions.visibility.is_some());
            if hidden || animated {
                above.push(self.visibility(index));
            }
            next = bone.parent;
        }
        let rest = above.iter().all(|(rest, _)| *rest);
        let lists: Vec<(bool, Vec<Channel<'_>>)> = above
            .iter()
            .filter_map(|(rest, place)| Some((*rest, self.channels.pointers.get((*place)?)?.1.clone())))
            .collect();
        let track = if lists.is_empty() { None } else { self.shown(&lists, rest) };
        if let Some(mesh) = self.scene.meshes.get_mut(mesh) {
            let alpha = mesh.alpha.base;
            if !rest {
                mesh.alpha.base = 0.0;
            }
            mesh.alpha.track = track.map(|mut track| {
                track.values.iter_mut().for_each(|value| *value *= alpha);
                track
            });
        }
    }

    /// 1 while all of these show, in steps.
    fn shown(&mut self, lists: &[(bool, Vec<Channel<'_>>)], rest: bool) -> Option<Track<f32>> {
        let mut pieces: Vec<Piece<f32>> = Vec::new();
        for clip in 0..self.timeline.clips.len() {
            let mut parts: Vec<Piece<f32>> = Vec::new();
            let mut still = true;
            for (rest, channels) in lists {
                match channels.iter().find(|it| it.clip == clip) {
                    Some(channel) => {
                        let piece =
                            self.timeline.piece::<1, f32>(clip, channel.sampler, |[it]| it, |[it]| it);
                        parts.extend(sound(piece, 0, &mut self.report));
                    }
                    None => still &= *rest,
                }
            }
            if parts.is_empty() {
                continue;
            }
            let mut times: Vec<f32> = parts.iter().flat_map(|it| it.times.iter().copied()).collect();
            times.sort_by(f32::total_cmp);
            times.dedup();
            let at = |piece: &Piece<f32>, time: f32| {
                let passed = piece.times.partition_point(|it| *it <= time).saturating_sub(1);
                piece.values.get(passed).is_none_or(|it| *it > 0.5)
            };
            let values = times
                .iter()
                .map(|time| f32::from(u8::from(still && parts.iter().all(|piece| at(piece, *time)))))
                .collect();
            let mode = super::tracks::Mode::Step;
            pieces.push(Piece { clip, mode, times: times.into(), values, tangents: Vec::new() });
        }
        self.timeline.join(&pieces, f32::from(u8::from(rest))).ok().flatten()
    }

    /// Everything else that pointers animate and that the scene has a place for.
    pub(super) fn add_pointers(&mut self) {
        let pointers: Vec<(String, Vec<Channel<'_>>)> =
            self.channels.pointers.iter().map(|(text, list)| ((*text).to_owned(), list.clone())).collect();
        for (pointer, channels) in pointers {
            let done = match pointer.strip_prefix("/materials/").and_then(split) {
                Some((index, "pbrMetallicRoughness/baseColorFactor")) => self.base_color(index, &channels),
                Some((index, rest)) if rest.ends_with("KHR_texture_transform/offset") => {
                    self.texture_offset(index, rest, &channels)
                }
                _ => Ok(pointer.ends_with(VISIBLE)),
            };
            if !matches!(done, Ok(true)) {
                self.report.dropped("animations", format!("{pointer}: this is not animated in a scene"));
            }
        }
    }

    fn pieces<const N: usize, T: super::tracks::Key>(
        &self,
        channels: &[Channel<'_>],
        value: impl Fn([f32; N]) -> T + Copy,
    ) -> Result<Vec<Piece<T>>> {
        channels.iter().map(|it| self.timeline.piece::<N, T>(it.clip, it.sampler, value, value)).collect()
    }

    fn base_color(&mut self, index: usize, channels: &[Channel<'_>]) -> Result<bool> {
        let Some(id) = self.materials.known.get(&index).copied() else { return Ok(false) };
        let Some(layer) = self.scene.materials.get(id).and_then(|it| it.layers.first()) else {
            return Ok(false);
        };
        let (color, alpha, fades) = (layer.color.base, layer.alpha.base, layer.blend != Blend::Opaque);
        let pieces = self.pieces::<4, [f32; 3]>(channels, |[r, g, b, _]| [r, g, b].map(gamma))?;
        let colors = self.timeline.join(&pieces, color)?;
        let pieces = self.pieces::<4, f32>(channels, |[_, _, _, a]| a.clamp(0.0, 1.0))?;
        let alphas = if fades { self.timeline.join(&pieces, alpha)? } else { None };
        if let Some(layer) = self.scene.materials.get_mut(id).and_then(|it| it.layers.first_mut()) {
            layer.color.track = colors;
            layer.alpha.track = alphas;
        }
        Ok(true)
    }

    fn texture_offset(&mut self, index: usize, rest: &str, channels: &[Channel<'_>]) -> Result<bool> {
        let name = match rest.split_once("/extensions") {
            Some(("pbrMetallicRoughness/baseColorTexture", _)) => "base",
            Some(("pbrMetallicRoughness/metallicRoughnessTexture", _)) => "orm",
            Some(("normalTexture", _)) => "normal",
            Some(("emissiveTexture", _)) => "emissive",
            _ => return Ok(false),
        };
        let Some(id) = self.materials.transforms.get(&(index, name)).copied() else { return Ok(false) };
        let Some(transform) = self.scene.texture_transforms.get(id) else { return Ok(false) };
        let ([_, _, z, w], [sx, sy, _]) = (transform.rotation.base.0, transform.scale.base);
        let base = transform.translation.base;
        let turn = 2.0 * z.atan2(w);
        let pieces = self.pieces::<2, [f32; 3]>(channels, |offset| {
            let [x, y] = super::materials::shift_of(offset, turn, [sx, sy]).unwrap_or_default();
            [x, y, 0.0]
        })?;
        let track = self.timeline.join(&pieces, base)?;
        if let Some(transform) = self.scene.texture_transforms.get_mut(id) {
            transform.translation.track = track;
        }
        Ok(true)
    }
}

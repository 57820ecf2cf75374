//! Textures, and the layers of materials as batches.

use super::tracks::{fix16, unit};
use super::{Writer, short, word};
use crate::raise::extras;
use effigy_m2::{
    Batch, BatchFlags, Block, Caps, Color, Material, MaterialFlags, ModelFlags, Texture, TextureFlags,
    TextureTransform, TextureWeight,
};
use effigy_scene::sample::Moment;
use effigy_scene::{
    Animated, Blend, Combine, Coordinates, Id, Interpolation, Layer, LayerTexture, Mesh, Replaceable, Role,
    Rotation, Track,
};
use effigy_wire::Result;

/// Most textures of a batch.
const MOST: usize = 4;
/// Textures whose operations a table can hold.
const STAGES: usize = 2;

/// The number of a blend in the file.
pub(super) const fn blend_number(blend: Blend) -> u16 {
    match blend {
        Blend::Opaque => 0,
        Blend::AlphaKey => 1,
        Blend::Alpha => 2,
        Blend::Add => 3,
        Blend::AddAlpha => 4,
        Blend::Modulate => 5,
        Blend::Modulate2x => 6,
    }
}

const fn operation(combine: Combine) -> u16 {
    match combine {
        Combine::ModulateColor => 0,
        Combine::Modulate => 1,
        Combine::Decal => 2,
        Combine::Add => 3,
        Combine::Modulate2x => 4,
        Combine::Fade => 5,
        Combine::Modulate2xColor => 6,
        Combine::AddColor => 7,
    }
}

/// The textures of a layer that a batch can have.
fn stages(layer: &Layer) -> Vec<&LayerTexture> {
    layer.textures.iter().filter(|it| matches!(it.role, Role::Base | Role::Second)).take(MOST).collect()
}

/// Whether the textures of a layer are combined as the game does it without a table.
fn is_usual(layer: &Layer) -> bool {
    let usual = |(at, texture): (usize, &&LayerTexture)| match (at, layer.blend) {
        (0, Blend::Opaque) => true,
        (0, _) => texture.combine == Combine::Modulate,
        _ => texture.combine == Combine::ModulateColor,
    };
    let stages = stages(layer);
    stages.len() < STAGES && layer.blend == Blend::Opaque || stages.iter().enumerate().all(usual)
}

/// Where a list is in a table of combos; it is added if it is not in it.
fn combo<T: Copy + PartialEq>(table: &mut Block<T>, list: &[T]) -> Result<u16> {
    let found = table.windows(list.len().max(1)).position(|window| window == list);
    if let (Some(found), false) = (found, list.is_empty()) {
        return word(found, "textures of batches");
    }
    let at = table.len();
    table.extend_from_slice(list);
    word(at, "textures of batches")
}

/// The position of a record; it is added if there is none like it.
fn position<T: PartialEq>(list: &mut Block<T>, record: T) -> usize {
    if let Some(found) = list.iter().position(|known| *known == record) {
        return found;
    }
    list.push(record);
    list.len().saturating_sub(1)
}

impl Writer<'_> {
    pub(super) fn textures(&mut self) {
        let scene = self.scene;
        for source in scene.textures.as_slice() {
            let mut flags = TextureFlags::empty();
            flags.set(TextureFlags::WRAP_X, source.repeat[0]);
            flags.set(TextureFlags::WRAP_Y, source.repeat[1]);
            let kind = match source.replaceable {
                Some(Replaceable::Other(number)) => number,
                _ => 0,
            };
            let name = if kind == 0 && source.path.is_empty() { "Missing.blp" } else { &source.path };
            let name = if kind == 0 || self.native { Block::text_of(name) } else { Block::text_of("") };
            self.model.textures.push(Texture { kind, flags, flags_high: 0, name });
        }
        for source in scene.texture_transforms.as_slice() {
            let made = TextureTransform {
                translation: self.resting(&source.translation, [0.0; 3], |value| value),
                rotation: self.resting(&source.rotation, Rotation::IDENTITY, unit),
                scale: self.resting(&source.scale, [1.0; 3], |value| value),
            };
            self.model.transforms.push(made);
        }
    }

    /// A material with this blend and these flags.
    pub(super) fn material(&mut self, layer: &Layer) -> u16 {
        let mut flags = MaterialFlags::empty();
        flags.set(MaterialFlags::UNLIT, layer.unlit);
        flags.set(MaterialFlags::UNFOGGED, layer.unfogged);
        flags.set(MaterialFlags::TWO_SIDED, layer.two_sided);
        flags.set(MaterialFlags::NO_DEPTH_TEST, layer.no_depth_test);
        flags.set(MaterialFlags::NO_DEPTH_WRITE, layer.no_depth_write);
        let stored = extras::int(&layer.extras, "blendMode").and_then(|it| u16::try_from(it).ok());
        let blend = stored.filter(|_| self.native).unwrap_or_else(|| blend_number(layer.blend));
        short(position(&mut self.model.materials, Material { flags, blend }))
    }

    pub(super) fn batches(&mut self) -> Result<()> {
        let scene = self.scene;
        let all = scene.meshes.as_slice().iter().filter_map(|mesh| scene.materials.get(mesh.material?));
        let odd = all.flat_map(|material| &material.layers).filter(|layer| !is_usual(layer)).count();
        if odd > 0 && self.caps.contains(Caps::SKINS) {
            self.combiners = true;
            self.model.flags |= ModelFlags::COMBINERS;
        } else if odd > 0 {
            let text = format!("the textures of {odd} are multiplied, since this version knows nothing else");
            self.report.approximated("materials", text);
        }
        for (index, mesh) in scene.meshes.as_slice().iter().enumerate() {
            let Some(material) = mesh.material.and_then(|id| scene.materials.get(id)) else { continue };
            for (number, layer) in material.layers.iter().enumerate() {
                let mut batch = self.batch(mesh, layer)?;
                batch.submesh = short(index);
                batch.geoset = short(index);
                batch.layer = short(number);
                batch.priority_plane = i8::try_from(material.priority.clamp(-128, 127)).unwrap_or(0);
                self.view.batches.push(batch);
            }
        }
        Ok(())
    }

    fn batch(&mut self, mesh: &Mesh, layer: &Layer) -> Result<Batch> {
        let stages = stages(layer);
        let textures: Vec<u16> = stages.iter().map(|it| short(it.texture.map_or(0, Id::index))).collect();
        let coordinates: Vec<i16> = stages
            .iter()
            .map(|it| match it.coordinates {
                Coordinates::Set(set) => i16::from(set > 0),
                _ => -1,
            })
            .collect();
        let transforms: Vec<i16> = stages
            .iter()
            .map(|it| it.transform.and_then(|id| i16::try_from(id.index()).ok()).unwrap_or(-1))
            .collect();
        let operations: Vec<u16> = (stages.iter().take(STAGES).map(|it| operation(it.combine)))
            .chain(std::iter::repeat(operation(Combine::ModulateColor)))
            .take(STAGES)
            .collect();
        let stored = extras::int(&layer.extras, "batchFlags").and_then(|it| u8::try_from(it).ok());
        let flags = match stored.filter(|_| self.native) {
            Some(bits) => BatchFlags::from_bits_retain(bits),
            None if transforms.iter().all(|it| *it < 0) => BatchFlags::STATIC,
            None => BatchFlags::empty(),
        };
        let material = self.material(layer);
        let (color, alpha) = self.tint(mesh, layer);
        let weight = TextureWeight { weight: self.track(&alpha, fix16) };
        let weight = short(position(&mut self.model.weights, weight));
        let contents = &mut self.model.contents;
        Ok(Batch {
            flags,
            color,
            material,
            texture_count: short(textures.len()),
            texture_combo: combo(&mut contents.texture_combos, &textures)?,
            coord_combo: combo(&mut contents.coord_combos, &coordinates)?,
            weight_combo: combo(&mut contents.weight_combos, &[weight])?,
            transform_combo: combo(&mut contents.transform_combos, &transforms)?,
            shader: if self.combiners { combo(&mut contents.combiners, &operations)? } else { 0 },
            ..Batch::default()
        })
    }

    /// Colour and its alpha as a record of the file, and the alpha of the texture. Meshes of some games have a colour of their own.
    fn tint(&mut self, mesh: &Mesh, layer: &Layer) -> (i16, Animated<f32>) {
        let white = |value: &Animated<[f32; 3]>| value.track.is_none() && value.base == [1.0; 3];
        let color = match (white(&mesh.color), white(&layer.color)) {
            (_, true) => mesh.color.clone(),
            (true, false) => layer.color.clone(),
            (false, false) => {
                self.product(&mesh.color, &layer.color, |[a, b, c], [x, y, z]| [a * x, b * y, c * z])
            }
        };
        let times = |a: f32, b: f32| a * b;
        let mut alphas =
            [&mesh.alpha, &layer.color_alpha].into_iter().filter(|it| **it != Animated::fixed(1.0));
        let beside = match (alphas.next().cloned(), alphas.next().cloned()) {
            (Some(first), Some(second)) => self.product(&first, &second, times),
            (Some(first), None) => first,
            _ => Animated::fixed(1.0),
        };
        // Without a colour of its own the alpha of the mesh can be that of the texture.
        if white(&color) && beside == Animated::fixed(1.0) {
            return (-1, layer.alpha.clone());
        }
        if white(&color) && layer.alpha == Animated::fixed(1.0) && !self.native {
            return (-1, beside);
        }
        let record = Color { rgb: self.track(&color, |value| value), alpha: self.track(&beside, fix16) };
        let at = position(&mut self.model.colors, record);
        (i16::try_from(at).unwrap_or(-1), layer.alpha.clone())
    }

    /// The product of two values. Where both move, it has the keys of both.
    fn product<T>(&mut self, a: &Animated<T>, b: &Animated<T>, times: impl Fn(T, T) -> T) -> Animated<T>
    where
        T: effigy_scene::sample::Value + PartialEq,
    {
        let scaled = |track: &Track<T>, by: T| {
            let mut track = track.clone();
            for value in track.values.iter_mut().chain(track.tangents.iter_mut().flatten()) {
                *value = times(*value, by);
            }
            Animated { base: times(a.base, b.base), track: Some(track) }
        };
        match (&a.track, &b.track) {
            (None, None) => Animated::fixed(times(a.base, b.base)),
            (Some(track), None) => scaled(track, b.base),
            (None, Some(track)) => scaled(track, a.base),
            (Some(first), Some(second)) if first.global.is_none() && second.global.is_none() => {
                self.report
                    .approximated("materials", "two values that both move are multiplied at their keys");
                let mut moments: Vec<i32> = first.times.iter().chain(&second.times).copied().collect();
                moments.sort_unstable();
                moments.dedup();
                let mut made = Track { interpolation: Interpolation::Linear, ..first.clone() };
                (made.times, made.values, made.tangents) = (Vec::new(), Vec::new(), Vec::new());
                for time in moments {
                    let at = self.plan.clips.iter().position(|it| (it.start..=it.end).contains(&time));
                    let Some((at, clip)) = at.and_then(|at| Some((at, self.plan.clips.get(at)?))) else {
                        continue;
                    };
                    let since = f64::from(time) - f64::from(clip.start);
                    let moment = Moment { sequence: self.scene.sequences.id(at), time: since, clock: 0.0 };
                    made.times.push(time);
                    made.values
                        .push(times(self.sampler.track(first, &moment), self.sampler.track(second, &moment)));
                }
                Animated { base: a.base, track: Some(made) }
            }
            _ => {
                self.report.dropped("materials", "one of two values that both move, on different clocks");
                a.clone()
            }
        }
    }
}

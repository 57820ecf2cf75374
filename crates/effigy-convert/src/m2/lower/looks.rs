//! Textures, texture transforms, and the batches of a submesh as the layers of a material.

use super::Lowering;
use super::tracks::fix16;
use effigy_m2::{Batch, Caps, MaterialFlags, ModelFlags, TextureFlags};
use effigy_scene::{
    Animated, Blend, Combine, Coordinates, Id, Layer, LayerTexture, Material, Replaceable, Role, Rotation,
    Texture, TextureTransform, TransformOrder,
};

/// Alpha test of keyed layers, 256 to 264.
const KEY_TEST: f32 = 224.0 / 255.0;
const BLEND_TEST: f32 = 1.0 / 255.0;

/// The blend mode of the scene for a number of the file.
pub(super) fn blend(number: u16) -> Blend {
    match number {
        0 => Blend::Opaque,
        1 => Blend::AlphaKey,
        3 => Blend::Add,
        4 => Blend::AddAlpha,
        5 => Blend::Modulate,
        6 => Blend::Modulate2x,
        _ => Blend::Alpha,
    }
}

/// The texture operation of the scene for a number of the combiner table.
fn operation(number: u16) -> Option<Combine> {
    Some(match number {
        0 => Combine::ModulateColor,
        1 => Combine::Modulate,
        2 => Combine::Decal,
        3 => Combine::Add,
        4 => Combine::Modulate2x,
        5 => Combine::Fade,
        6 => Combine::Modulate2xColor,
        7 => Combine::AddColor,
        _ => return None,
    })
}

/// The pair of operations that the game uses. It has shaders for some pairs only and multiplies both textures for all
/// others.
const fn paired(first: Combine, second: Combine) -> [Combine; 2] {
    use Combine::{Add, AddColor, Modulate, Modulate2x, Modulate2xColor, ModulateColor};
    match (first, second) {
        (
            Modulate | ModulateColor,
            Modulate | ModulateColor | Add | AddColor | Modulate2x | Modulate2xColor,
        )
        | (Add, Modulate)
        | (Modulate2x, Modulate2x) => [first, second],
        (ModulateColor, _) => [ModulateColor, Modulate],
        _ => [Modulate, Modulate],
    }
}

impl Lowering<'_> {
    /// How the textures of a batch are combined. Before 264 there is no table: they are multiplied, with the alpha of the
    /// first one.
    fn operations(&self, batch: &Batch, blend: u16) -> [Combine; 2] {
        let model = self.model;
        let plain = if blend == 0 { Combine::ModulateColor } else { Combine::Modulate };
        let table = model.caps().contains(Caps::SKINS) && model.flags.contains(ModelFlags::COMBINERS);
        // Numbers from 0x8000 on are shaders of later games.
        if !table || batch.shader >= 0x8000 {
            return [plain, Combine::ModulateColor];
        }
        let stage = |number: usize| {
            let at = usize::from(batch.shader).saturating_add(number);
            model.combiners.get(at).copied().and_then(operation).unwrap_or_default()
        };
        let first = if blend == 0 { plain } else { stage(0) };
        if batch.texture_count > 1 {
            return paired(first, stage(1));
        }
        match first {
            Combine::Modulate2xColor | Combine::AddColor => [Combine::Modulate; 2],
            first => [first, Combine::Modulate],
        }
    }

    pub(super) fn textures(&mut self) {
        let model = self.model;
        for texture in &*model.textures {
            let name = texture.name.text();
            // Where the game chooses the texture, the name is often a letter that was left over.
            let junk = texture.kind != 0 && !name.contains('.');
            self.scene.textures.push(Texture {
                path: if junk { String::new() } else { name.into_owned() },
                replaceable: (texture.kind != 0).then_some(Replaceable::Other(texture.kind)),
                repeat: [
                    texture.flags.contains(TextureFlags::WRAP_X),
                    texture.flags.contains(TextureFlags::WRAP_Y),
                ],
            });
        }
        for transform in &*model.transforms {
            let made = TextureTransform {
                order: TransformOrder::MoveScaleRotate,
                translation: self.animated(&transform.translation, [0.0; 3], |value| value),
                rotation: self.animated(&transform.rotation, Rotation::IDENTITY, Rotation),
                scale: self.animated(&transform.scale, [1.0; 3], |value| value),
            };
            self.scene.texture_transforms.push(made);
        }
    }

    /// The material of a submesh, with a layer for each of its batches.
    pub(super) fn material(&mut self, name: &str, batches: &[&Batch]) -> Id<Material> {
        let layers = batches.iter().map(|batch| self.layer(batch)).collect();
        let priority = batches.first().map_or(0, |batch| i32::from(batch.priority_plane));
        self.scene.materials.push(Material { name: name.to_owned(), priority, layers, ..Material::default() })
    }

    fn layer(&self, batch: &Batch) -> Layer {
        let model = self.model;
        let (flags, number) = model
            .materials
            .get(usize::from(batch.material))
            .map_or((MaterialFlags::empty(), 0), |it| (it.flags, it.blend));
        let blend = blend(number);
        let mut layer = Layer {
            blend,
            alpha_test: match blend {
                Blend::Opaque => 0.0,
                Blend::AlphaKey => KEY_TEST,
                _ => BLEND_TEST,
            },
            unlit: flags.contains(MaterialFlags::UNLIT)
                || matches!(blend, Blend::Modulate | Blend::Modulate2x),
            two_sided: flags.contains(MaterialFlags::TWO_SIDED),
            unfogged: flags.contains(MaterialFlags::UNFOGGED),
            no_depth_test: flags.contains(MaterialFlags::NO_DEPTH_TEST),
            no_depth_write: flags.contains(MaterialFlags::NO_DEPTH_WRITE),
            ..Layer::default()
        };
        if let Some(color) = usize::try_from(batch.color).ok().and_then(|index| model.colors.get(index)) {
            // In the client a list without keys is black, and not white as one would expect.
            layer.color = self.animated(&color.rgb, [0.0; 3], |value| value);
            layer.color_alpha = self.animated(&color.alpha, 1.0, fix16);
        }
        let combo = model.weight_combos.get(usize::from(batch.weight_combo));
        let weight = combo.and_then(|index| model.weights.get(usize::from(*index)));
        if let Some(weight) = weight.filter(|_| batch.texture_count > 0) {
            layer.alpha = self.animated(&weight.weight, 1.0, fix16);
        }
        let mut operations = self.operations(batch, number).into_iter();
        let mirror =
            if model.caps().contains(Caps::NESTED) { Coordinates::Ball } else { Coordinates::Sphere };
        for stage in 0..batch.texture_count.min(4) {
            let at = |first: u16| usize::from(first).saturating_add(usize::from(stage));
            let texture =
                model.texture_combos.get(at(batch.texture_combo)).copied().map(u32::from).map(Id::new);
            let coordinates = match model.coord_combos.get(at(batch.coord_combo)).copied().unwrap_or(0) {
                0 => Coordinates::Set(0),
                1 | 2 => Coordinates::Set(1),
                _ => mirror,
            };
            let transform = model.transform_combos.get(at(batch.transform_combo)).copied();
            layer.textures.push(LayerTexture {
                role: if stage == 0 { Role::Base } else { Role::Second },
                texture,
                flipbook: None,
                coordinates,
                transform: transform.and_then(|index| u32::try_from(index).ok()).map(Id::new),
                combine: operations.next().unwrap_or_default(),
            });
        }
        layer.extras.set("shader", batch.shader).set("layer", batch.layer).set("blendMode", number);
        layer.extras.set("batchFlags", batch.flags.bits());
        if layer.alpha == Animated::fixed(0.0) {
            layer.extras.set("hidden", true);
        }
        layer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::m2::lower::timeline::Timeline;
    use effigy_m2::{Model, Version};
    use effigy_scene::Scene;
    use effigy_wire::Report;

    fn operations(version: u32, table: Option<Vec<u16>>, batch: &Batch, blend: u16) -> [Combine; 2] {
        let mut model = Model::new(Version::new(version).unwrap());
        if let Some(table) = table {
            model.flags |= ModelFlags::COMBINERS;
            model.combiners = table.into();
        }
        let lowering = Lowering {
            model: &model,
            scene: Scene::default(),
            report: Report::default(),
            timeline: Timeline::of(&model, &mut Report::default()),
        };
        lowering.operations(batch, blend)
    }

    #[test]
    fn the_combiner_table_selects_the_texture_operations() {
        use Combine::{Add, AddColor, Fade, Modulate, Modulate2x, Modulate2xColor, ModulateColor};
        let two = Batch { texture_count: 2, shader: 1, ..Batch::default() };
        for (first, second, blend, expected) in [
            (1, 4, 2, [Modulate, Modulate2x]),
            (1, 4, 0, [ModulateColor, Modulate2x]),
            (0, 6, 1, [ModulateColor, Modulate2xColor]),
            (1, 7, 4, [Modulate, AddColor]),
            (3, 1, 2, [Add, Modulate]),
            (4, 4, 2, [Modulate2x, Modulate2x]),
            (0, 2, 2, [ModulateColor, Modulate]),
            (1, 5, 2, [Modulate, Modulate]),
            (4, 1, 2, [Modulate, Modulate]),
            (9, 9, 2, [Modulate, Modulate]),
        ] {
            let found = operations(264, Some(vec![77, first, second]), &two, blend);
            assert_eq!(found, expected, "{first} {second} {blend}");
        }
        let one = Batch { texture_count: 1, ..two };
        assert_eq!(operations(264, Some(vec![0, 5, 0]), &one, 2), [Fade, Modulate]);
        assert_eq!(operations(264, Some(vec![0, 7, 0]), &one, 2), [Modulate, Modulate]);
    }

    #[test]
    fn without_a_table_alpha_comes_from_the_first_texture() {
        use Combine::{Modulate, ModulateColor};
        let two = Batch { texture_count: 2, shader: 0, ..Batch::default() };
        for version in [256, 263, 264] {
            assert_eq!(operations(version, None, &two, 0), [ModulateColor, ModulateColor]);
            assert_eq!(operations(version, None, &two, 2), [Modulate, ModulateColor]);
        }
        // A table that is too short, and a shader of a later game.
        assert_eq!(operations(264, Some(vec![]), &two, 2), [Modulate, Modulate]);
        let later = Batch { shader: 0x8002, ..two };
        assert_eq!(operations(264, Some(vec![4, 4]), &later, 2), [Modulate, ModulateColor]);
    }

    #[test]
    fn a_negative_plane_is_a_low_priority() {
        let mut model = Model::new(Version::WRATH);
        let timeline = Timeline::of(&model, &mut Report::default());
        model.materials = vec![effigy_m2::Material::default()].into();
        let mut lowering =
            Lowering { model: &model, scene: Scene::default(), report: Report::default(), timeline };
        let back = Batch { priority_plane: -9, ..Batch::default() };
        let front = Batch { priority_plane: 1, ..Batch::default() };
        lowering.material("back", &[&back]);
        lowering.material("front", &[&front]);
        let priorities: Vec<_> =
            lowering.scene.materials.iter().map(|(_, material)| material.priority).collect();
        assert_eq!(priorities, [-9, 1]);
    }

    fn lowering(model: &Model) -> Lowering<'_> {
        let timeline = Timeline::of(model, &mut Report::default());
        Lowering { model, scene: Scene::default(), report: Report::default(), timeline }
    }

    #[test]
    fn leftover_letters_are_not_names_of_textures() {
        use effigy_m2::Block;
        let mut model = Model::new(Version::VANILLA);
        let texture = |kind, name: &str, flags| effigy_m2::Texture {
            kind,
            name: Block::text_of(name),
            flags: TextureFlags::from_bits_retain(flags),
            ..effigy_m2::Texture::default()
        };
        model.textures =
            vec![texture(0, "a.blp", 1), texture(0, "plain", 2), texture(11, "x", 3), texture(2, "b.blp", 0)]
                .into();
        let mut lowering = lowering(&model);
        lowering.textures();
        let found: Vec<_> = lowering
            .scene
            .textures
            .as_slice()
            .iter()
            .map(|it| (it.path.as_str(), it.replaceable, it.repeat))
            .collect();
        let other = |kind| Some(Replaceable::Other(kind));
        assert_eq!(
            found,
            [
                ("a.blp", None, [true, false]),
                ("plain", None, [false, true]),
                ("", other(11), [true, true]),
                ("b.blp", other(2), [false, false])
            ]
        );
    }

    #[test]
    fn layers_have_the_material_textures_and_colours_of_their_batch() {
        use effigy_m2::{Block, Series, Track};
        fn constant<T: Clone>(value: T) -> Track<T> {
            let (times, values) = (Series::flat(vec![0]), Series::flat(vec![value]));
            Track { interpolation: 0, global_sequence: -1, ranges: Block::default(), times, values }
        }
        let mut model = Model::new(Version::VANILLA);
        let bits = MaterialFlags::from_bits_retain;
        let material = |flags, blend| effigy_m2::Material { flags: bits(flags), blend };
        model.materials = (0..7).map(|blend| material(0, blend)).chain([material(0x1f, 2)]).collect();
        model.colors =
            vec![effigy_m2::Color { rgb: constant([0.1, 0.2, 0.3]), alpha: constant(16384) }].into();
        model.weights = vec![effigy_m2::TextureWeight { weight: constant(8192) }].into();
        model.weight_combos = vec![9, 0].into();
        model.texture_combos = vec![7, 8, 9].into();
        model.coord_combos = vec![0, 1, -1].into();
        model.transform_combos = vec![-1, 4, 5].into();
        let lowering = lowering(&model);
        let batch = |material| Batch { material, color: -1, texture_count: 1, ..Batch::default() };
        let look = |material| {
            let layer = lowering.layer(&batch(material));
            (layer.blend, (layer.alpha_test * 255.0).round(), layer.unlit)
        };
        assert_eq!(look(0), (Blend::Opaque, 0.0, false));
        assert_eq!(look(1), (Blend::AlphaKey, 224.0, false));
        assert_eq!(look(2), (Blend::Alpha, 1.0, false));
        assert_eq!(look(3), (Blend::Add, 1.0, false));
        assert_eq!(look(4), (Blend::AddAlpha, 1.0, false));
        assert_eq!(look(5), (Blend::Modulate, 1.0, true));
        assert_eq!(look(6), (Blend::Modulate2x, 1.0, true));
        let all = lowering.layer(&batch(7));
        assert!(all.unlit && all.unfogged && all.two_sided && all.no_depth_test && all.no_depth_write);
        let full = Batch {
            color: 0,
            weight_combo: 1,
            texture_count: 3,
            texture_combo: 0,
            coord_combo: 0,
            transform_combo: 0,
            ..batch(2)
        };
        let layer = lowering.layer(&full);
        assert!(!layer.two_sided && !layer.no_depth_test && !layer.no_depth_write && !layer.unfogged);
        assert_eq!(layer.color, Animated::fixed([0.1, 0.2, 0.3]));
        assert_eq!(layer.color_alpha, Animated::fixed(16384.0 / 32767.0));
        assert_eq!(layer.alpha, Animated::fixed(8192.0 / 32767.0));
        let textures: Vec<_> = layer
            .textures
            .iter()
            .map(|it| (it.role, it.texture.map(Id::index), it.coordinates, it.transform.map(Id::index)))
            .collect();
        assert_eq!(
            textures,
            [
                (Role::Base, Some(7), Coordinates::Set(0), None),
                (Role::Second, Some(8), Coordinates::Set(1), Some(4)),
                (Role::Second, Some(9), Coordinates::Sphere, Some(5))
            ]
        );
        // Weights belong to textures.
        let bare = lowering.layer(&Batch { texture_count: 0, ..full });
        assert_eq!((bare.alpha, bare.textures.len()), (Animated::fixed(1.0), 0));
    }
}

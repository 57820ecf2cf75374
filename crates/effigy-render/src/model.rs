//! What a model needs on the device: its textures and its meshes.

use crate::geometry::Geometries;
use crate::list::{Binding, Item};
use crate::pipelines::Mix;
use crate::textures::{self, Found, Use, load, upload};
use crate::{Renderer, Textures};
use effigy_scene::{Blend, NodeRule, Role, ValidScene};
use effigy_wire::Report;
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

/// Built-in textures come before those of the scene.
pub(crate) const WHITE: usize = 0;
/// A normal map without bumps.
pub(crate) const FLAT_NORMAL: usize = 1;
/// Rough, no metal, no team colour.
pub(crate) const NO_ORM: usize = 2;
/// No light.
pub(crate) const BLACK: usize = 3;
/// The first texture of the scene.
pub(crate) const FIRST: usize = 4;

const BUILT_IN: [[u8; 4]; FIRST] = [[255; 4], textures::FLAT_NORMAL, textures::NO_ORM, textures::NO_LIGHT];

/// A scene's textures and meshes on the device. Textures are uploaded at once, meshes when they are first visible.
pub struct Model {
    pub(crate) textures: Vec<Option<wgpu::TextureView>>,
    pub(crate) bindings: Mutex<HashMap<Binding, wgpu::BindGroup>>,
    pub(crate) geometries: Geometries,
    /// Stand-ins for layers that add or blend, of missing textures that solid layers use too.
    soft: BTreeMap<usize, usize>,
    missing: Vec<String>,
    report: Report,
}

impl Model {
    /// Loads the textures that a scene can show. `team` is the player's colour.
    #[must_use]
    pub fn new(renderer: &Renderer, scene: &ValidScene, team: [u8; 3], source: &mut dyn Textures) -> Self {
        let mut uses = BTreeMap::new();
        let mut keys = BTreeMap::new();
        let mut soft_cells = BTreeMap::new();
        let mut note = |index: usize, used: Use| {
            if let Use::Soft(cells) = used {
                soft_cells.insert(index, cells);
            }
            uses.entry(index).and_modify(|known: &mut Use| *known = used.min(*known)).or_insert(used);
        };
        for material in scene.materials.as_slice() {
            for (number, layer) in material.layers.iter().enumerate() {
                let over = if number > 0 { material.layers.first().map(|first| first.blend) } else { None };
                for texture in layer.textures.iter().filter(|texture| texture.role != Role::Environment) {
                    let key = layer.blend == Blend::AlphaKey && texture.role == Role::Base;
                    let book = texture.flipbook.iter().flat_map(|track| &track.values).map(|at| *at as usize);
                    for index in texture.texture.map(|id| id.index()).into_iter().chain(book) {
                        note(index, Use::of(texture.role, layer.blend, over));
                        if key {
                            keys.insert(index, textures::byte(layer.alpha_test.clamp(0.0, 1.0)));
                        }
                    }
                }
            }
        }
        for emitter in scene.emitters.as_slice() {
            if let Some(texture) = emitter.texture {
                note(texture.index(), Use::Soft(emitter.cells));
            }
        }
        let gpu = renderer.gpu();
        let mut textures: Vec<_> =
            BUILT_IN.into_iter().map(|color| Some(upload(gpu, textures::flat(color), None))).collect();
        let mut missing = Vec::new();
        let mut soft = Vec::new();
        let mut report = Report::default();
        for (id, texture) in scene.textures.iter() {
            let index = id.index();
            let Some(used) = uses.get(&index) else {
                textures.push(None);
                continue;
            };
            let (mut image, found) = load(texture, *used, team, source);
            if scene.node_rule == NodeRule::Wolfenstein && found == Found::Yes {
                textures::brighten(&mut image);
            }
            if found == Found::Missing {
                if let (Use::Solid | Use::Veil, Some(cells)) = (used, soft_cells.get(&index)) {
                    soft.push((FIRST + index, Use::Soft(*cells)));
                }
                let name = match texture.replaceable {
                    Some(replaceable) if texture.path.is_empty() => {
                        format!("replaceable {}", replaceable.number())
                    }
                    _ => texture.path.clone(),
                };
                report.approximated(
                    format!("textures[{index}]"),
                    format!("{name} is missing, a stand-in is shown"),
                );
                missing.push(name);
            }
            textures.push(Some(upload(gpu, image, keys.get(&index).copied())));
        }
        let mut stand_ins = BTreeMap::new();
        for (index, used) in soft {
            stand_ins.insert(index, textures.len());
            textures.push(Some(upload(gpu, used.stand_in(team), None)));
        }
        let (bindings, geometries) = (Mutex::default(), Geometries::default());
        Self { textures, bindings, geometries, soft: stand_ins, missing, report }
    }

    /// Names of textures that were not found.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// What is shown differently from what the model asks for.
    #[must_use]
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// The textures of a draw, with soft stand-ins where nothing solid is below.
    pub(crate) fn binding(&self, item: &Item) -> Binding {
        let (through, ..) = item.order;
        let is_soft = matches!(item.key.mix, Mix::Color(Blend::Alpha | Blend::Add | Blend::AddAlpha));
        match item.binding {
            Binding::Plain([mut base, second]) if through && is_soft => {
                base.texture = self.soft.get(&base.texture).copied().unwrap_or(base.texture);
                Binding::Plain([base, second])
            }
            other => other,
        }
    }

    pub(crate) fn texture(&self, index: usize) -> Option<&wgpu::TextureView> {
        self.textures.get(index).and_then(Option::as_ref).or_else(|| self.textures.first()?.as_ref())
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("textures", &self.textures.len())
            .field("missing", &self.missing)
            .finish()
    }
}

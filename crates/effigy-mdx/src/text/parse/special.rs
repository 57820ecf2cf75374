//! What does not fit into the tables of words: texture slots, tints, segments of particles, events, shapes.

use super::Parser;
use super::record::wrap;
use crate::codes;
use crate::records::{
    Camera, EventObject, EventTrack, GeosetAnimation, GeosetAnimationFlags, Layer, Material,
    ParticleEmitter2, ShaderKind, Shape, TextureSlot,
};
use crate::text::lexer::Token;
use crate::text::print::{SLOTS, color_bit};
use crate::text::words::Block;
use crate::track::{Interpolation, Key, Track, tags};
use crate::version::Caps;

/// What was parsed of a shape so far.
#[derive(Default)]
pub(super) struct ShapeDraft {
    kind: Option<&'static str>,
    points: Vec<[f32; 3]>,
    radius: f32,
    exact: Option<Shape>,
}

impl Parser<'_> {
    pub(in crate::text) fn material_word(&mut self, material: &mut Material, word: &[u8]) -> bool {
        if !word.eq_ignore_ascii_case(b"Layer") {
            // Old tools write this word here; it belongs to the layers.
            return word.eq_ignore_ascii_case(b"Unfogged");
        }
        if self.in_comment {
            let index = self.lexer.int().and_then(|index| usize::try_from(index).ok());
            let at = self.lexer.position;
            match index.and_then(|index| material.layers.get_mut(index)) {
                Some(layer) if self.lexer.eat(b'{') => self.body(layer, "", at),
                _ => return false,
            }
            return true;
        }
        let mut layer = Layer::fresh(self.caps);
        if self.admit() && self.record(&mut layer) {
            material.layers.push(layer);
        }
        true
    }

    /// Before 1100 a layer has one texture: one with slots becomes several.
    pub(in crate::text) fn settle_material(&mut self, material: &mut Material) {
        if self.caps.contains(Caps::TEXTURE_SLOTS)
            || material.layers.iter().all(|layer| layer.slots.is_empty())
        {
            return;
        }
        let mut split = false;
        let mut layers = Vec::with_capacity(material.layers.len());
        for mut layer in std::mem::take(&mut material.layers) {
            let slots = std::mem::take(&mut layer.slots);
            split |= slots.len() > 1;
            if slots.is_empty() {
                layers.push(layer.clone());
            }
            for slot in slots {
                let mut one = Layer { texture: slot.texture, ..layer.clone() };
                one.tracks.0.extend(slot.track);
                layers.push(one);
            }
        }
        material.layers = layers;
        if split {
            let message =
                "this version has one texture per layer: a layer with several became several layers";
            self.warn(codes::SLOTS_BECOME_LAYERS, self.lexer.position, message);
        }
    }

    pub(in crate::text) fn layer_word(&mut self, layer: &mut Layer, word: &[u8], is_static: bool) -> bool {
        if word.eq_ignore_ascii_case(b"ShaderTypeId") {
            if let Some(value) = self.int(i32::MIN.into(), u32::MAX.into()) {
                layer.shader = ShaderKind(wrap(value));
            }
            return true;
        }
        if word.eq_ignore_ascii_case(b"Shader") {
            self.shader(layer);
            return true;
        }
        if self.in_comment && word == b"Texture" {
            if let Some(value) = self.int(i32::MIN.into(), u32::MAX.into()) {
                layer.texture = wrap(value).cast_signed();
            }
            return true;
        }
        if self.in_comment && word == b"TextureSlots" {
            self.odd_slots(layer);
            return true;
        }
        let Some(named) = SLOTS.iter().position(|name| name.as_bytes().eq_ignore_ascii_case(word)) else {
            return false;
        };
        let mut slot = u32::try_from(named).unwrap_or(0);
        if !is_static && self.at_track() {
            if slot == 0 && !self.caps.contains(Caps::TEXTURE_SLOTS) {
                return false;
            }
            let track = self.track(tags::KMTF);
            slot_of(layer, slot).track = track;
            return true;
        }
        let Some(texture) = self.int(i32::MIN.into(), u32::MAX.into()) else { return true };
        let texture = wrap(texture).cast_signed();
        let mut stated = false;
        if self.lexer.peek() == Token::Slot {
            self.lexer.next();
            slot = self.int(0, u32::MAX.into()).map_or(slot, wrap);
            stated = true;
        }
        if self.caps.contains(Caps::TEXTURE_SLOTS) || slot > 0 || stated {
            slot_of(layer, slot).texture = texture;
        } else {
            layer.texture = texture;
        }
        true
    }

    fn shader(&mut self, layer: &mut Layer) {
        self.lexer.skip();
        let at = self.lexer.position;
        match self.lexer.peek() {
            Token::Text(name) => {
                self.lexer.next();
                let known =
                    ShaderKind::NAMES.iter().find(|(_, word)| word.as_bytes().eq_ignore_ascii_case(name));
                match known {
                    Some((kind, _)) => layer.shader = *kind,
                    None if name.is_empty() => {}
                    None => {
                        let name = String::from_utf8_lossy(name);
                        self.warn(codes::BAD_VALUE, at, format!("there is no shader \"{name}\""));
                    }
                }
            }
            Token::Number => {
                if let Some(value) = self.int(0, u32::MAX.into()) {
                    layer.shader = ShaderKind(wrap(value));
                }
            }
            _ => self.expected("the name of a shader"),
        }
    }

    fn odd_slots(&mut self, layer: &mut Layer) {
        layer.slots.clear();
        self.properties(|parser, word| {
            match word {
                b"Slot" => {
                    let texture = parser.int(i32::MIN.into(), u32::MAX.into()).map_or(0, wrap).cast_signed();
                    if parser.lexer.next() != Token::Slot {
                        return false;
                    }
                    let slot = parser.int(0, u32::MAX.into()).map_or(0, wrap);
                    layer.slots.push(TextureSlot { texture, slot, track: None });
                }
                b"TextureID" => {
                    let track = parser.track(tags::KMTF);
                    layer.slots.last_mut().into_iter().for_each(|slot| slot.track.clone_from(&track));
                }
                _ => return false,
            }
            true
        });
    }

    pub(in crate::text) fn tint_word(
        &mut self,
        animation: &mut GeosetAnimation,
        word: &[u8],
        is_static: bool,
    ) -> bool {
        if self.in_comment && word == b"Flags" {
            if let Some(bits) = self.int(0, u32::MAX.into()) {
                animation.flags = GeosetAnimationFlags::from_bits_retain(wrap(bits));
            }
            return true;
        }
        if !word.eq_ignore_ascii_case(b"Color") {
            return false;
        }
        animation.flags |= GeosetAnimationFlags::from_bits_retain(color_bit(self.caps));
        if !is_static && self.at_track() {
            let track = self.track(tags::KGAC);
            animation.tracks.0.extend(track);
        } else {
            self.array(&mut animation.color, |parser| parser.lexer.float());
            animation.color.reverse();
        }
        true
    }

    pub(in crate::text) fn segment_word(&mut self, emitter: &mut ParticleEmitter2, word: &[u8]) -> bool {
        if word.eq_ignore_ascii_case(b"SegmentColor") {
            let mut colors = emitter.segment_colors.as_chunks_mut::<3>().0.iter_mut();
            self.properties(|parser, word| {
                let known = word.eq_ignore_ascii_case(b"Color");
                if let (true, Some(color)) = (known, colors.next()) {
                    parser.array(color, |parser| parser.lexer.float());
                    color.reverse();
                    return true;
                }
                false
            });
            return true;
        }
        if word.eq_ignore_ascii_case(b"Spline") {
            emitter.spline = self.rows("points");
            return true;
        }
        false
    }

    /// Depth of field, which is spelt as a value and stored as a track of one key.
    pub(in crate::text) fn camera_word(&mut self, camera: &mut Camera, word: &[u8]) -> bool {
        let tag = match word.to_ascii_lowercase().as_slice() {
            b"dofdistance" | b"focusdistance" => tags::IDUF,
            b"focallength" => tags::ELAF,
            b"fstop" => tags::PTSF,
            _ => return false,
        };
        if self.at_track() {
            let track = self.track(tag);
            camera.tracks.0.extend(track);
        } else if let Some(value) = self.lexer.float() {
            let key = Key::new(0, value);
            camera.tracks.0.extend(Track::new(tag, Interpolation::STEP, &[key]).ok());
        } else {
            self.expected("a number");
        }
        true
    }

    pub(in crate::text) fn event_word(&mut self, event: &mut EventObject, word: &[u8]) -> bool {
        if !word.eq_ignore_ascii_case(b"EventTrack") {
            return false;
        }
        let mut track = EventTrack::default();
        let stated = self.count();
        if self.open() {
            while let Token::Word(word) = self.lexer.peek() {
                self.lexer.next();
                if !word.eq_ignore_ascii_case(b"GlobalSeqId") {
                    self.expected("GlobalSeqId or a time");
                    break;
                }
                if let Some(id) = self.int(i32::MIN.into(), u32::MAX.into()) {
                    track.global_sequence = wrap(id).cast_signed();
                }
                self.lexer.eat(b',');
            }
            self.numbers(&mut track.times, |value| Some(wrap(value).cast_signed()));
            self.check_count(stated, track.times.len(), "times");
        }
        event.track = Some(track);
        true
    }

    pub(in crate::text) fn shape_word(&mut self, shape: &mut Shape, word: &[u8]) -> bool {
        const KINDS: [&str; 4] = ["Box", "Plane", "Sphere", "Cylinder"];
        if let Some(kind) = KINDS.iter().find(|name| name.as_bytes().eq_ignore_ascii_case(word)) {
            self.shape.kind = Some(kind);
            return true;
        }
        match word.to_ascii_lowercase().as_slice() {
            b"vertices" => self.shape.points = self.rows("points"),
            b"boundsradius" => match self.lexer.float() {
                Some(radius) => self.shape.radius = radius,
                None => self.expected("a number"),
            },
            b"shape" => {
                let number = self.int(0, 255);
                let exact = match number {
                    Some(1) => {
                        let mut values = [0.0; 5];
                        self.array(&mut values, |parser| parser.lexer.float());
                        let [x, y, z, height, radius] = values;
                        Some(Shape::Cylinder { base: [x, y, z], height, radius })
                    }
                    Some(3) => {
                        let mut values = [0.0; 2];
                        self.array(&mut values, |parser| parser.lexer.float());
                        let [length, width] = values;
                        Some(Shape::Plane { length, width })
                    }
                    _ => None,
                };
                match exact {
                    Some(exact) if self.in_comment => *shape = exact,
                    exact => self.shape.exact = exact,
                }
            }
            _ => return false,
        }
        true
    }

    pub(in crate::text) fn settle_shape(&mut self, shape: &mut Shape) {
        let ShapeDraft { kind, points, radius, exact } = std::mem::take(&mut self.shape);
        let mut points = points.into_iter();
        let mut point = || points.next().unwrap_or_default();
        *shape = match (exact, kind) {
            (Some(exact), _) => exact,
            (None, Some("Box")) => Shape::Box { min: point(), max: point() },
            (None, Some("Plane")) => Shape::TwoPointPlane([point(), point()]),
            (None, Some("Cylinder")) => Shape::TwoPointCylinder { points: [point(), point()], radius },
            (None, _) => Shape::Sphere { center: point(), radius },
        };
    }
}

/// The slot with this number; it is added when it does not exist.
fn slot_of(layer: &mut Layer, slot: u32) -> &mut TextureSlot {
    let index = layer.slots.iter().position(|entry| entry.slot == slot);
    let index = index.unwrap_or_else(|| {
        layer.slots.push(TextureSlot { texture: 0, slot, track: None });
        layer.slots.len() - 1
    });
    #[allow(clippy::indexing_slicing, reason = "found or pushed just now")]
    &mut layer.slots[index]
}

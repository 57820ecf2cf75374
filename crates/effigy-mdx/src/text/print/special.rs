//! What does not fit into the tables of words: texture slots, tints, segments of particles, events, shapes.

use super::Printer;
use crate::records::{EventObject, GeosetAnimation, Layer, Material, ParticleEmitter2, ShaderKind, Shape};
use crate::text::words::Block;
use crate::text::{Spelling, number};
use crate::track::tags;
use crate::version::Caps;

/// The words for texture slots, by number.
pub(in crate::text) const SLOTS: [&str; 6] = [
    "TextureID",
    "NormalTextureID",
    "ORMTextureID",
    "EmissiveTextureID",
    "TeamColorTextureID",
    "ReflectionsTextureID",
];

impl Printer<'_> {
    pub(in crate::text) fn layers(&mut self, material: &Material) {
        let base = Layer::fresh(self.caps);
        for (index, layer) in material.layers.iter().enumerate() {
            self.nested(Layer::BLOCK, index, |printer| printer.record(layer, &base));
        }
    }

    pub(in crate::text) fn layer_textures(&mut self, layer: &Layer) {
        if !self.caps.contains(Caps::TEXTURE_SLOTS) {
            let print = |printer: &mut Self| {
                printer.indent();
                printer.raw(b"static TextureID ");
                number::print_int(layer.texture.into(), &mut printer.out);
                printer.end_property();
            };
            if layer.tracks.get(tags::KMTF).is_none() {
                print(self);
            } else if layer.texture != 0 {
                self.aside("TextureID", print);
            }
            return;
        }
        self.shader(layer.shader);
        if layer.texture != 0 {
            self.aside("Texture", |printer| printer.number("Texture", layer.texture.into()));
        }
        let numbers: Vec<u32> = layer.slots.iter().map(|slot| slot.slot).collect();
        let simple = numbers
            .iter()
            .enumerate()
            .all(|(index, slot)| *slot < 6 && numbers.iter().position(|other| other == slot) == Some(index));
        if !simple {
            return self.aside("TextureSlots", |printer| printer.odd_slots(layer));
        }
        for slot in &layer.slots {
            let name = SLOTS.get(slot.slot as usize).copied().unwrap_or_default();
            match &slot.track {
                None => self.texture_slot(name, slot.texture, slot.slot),
                Some(track) => {
                    self.track(name, track);
                    if slot.texture != 0 {
                        self.aside(name, |printer| printer.texture_slot(name, slot.texture, slot.slot));
                    }
                }
            }
        }
    }

    fn texture_slot(&mut self, name: &str, texture: i32, slot: u32) {
        self.indent();
        self.raw(b"static ");
        let named = self.spelling == Spelling::Retera;
        self.raw(if named { name.as_bytes() } else { b"TextureID" });
        self.out.push(b' ');
        number::print_int(texture.into(), &mut self.out);
        if !named {
            self.raw(b" <= ");
            number::print_int(slot.into(), &mut self.out);
        }
        self.end_property();
    }

    /// Slots with the same or unknown numbers: `TextureSlots { Slot 3 <= 9, Slot 4 <= 9, TextureID 2 { ... } }`
    fn odd_slots(&mut self, layer: &Layer) {
        self.raw(b"TextureSlots { ");
        for slot in &layer.slots {
            self.raw(b"Slot ");
            number::print_int(slot.texture.into(), &mut self.out);
            self.raw(b" <= ");
            number::print_int(slot.slot.into(), &mut self.out);
            self.raw(b", ");
            if let Some(track) = &slot.track {
                self.track("TextureID", track);
            }
        }
        self.raw(b"} ");
    }

    fn shader(&mut self, shader: ShaderKind) {
        if self.spelling == Spelling::Retera {
            return self.number("ShaderTypeId", shader.0.into());
        }
        match shader.word() {
            Some(name) => {
                self.indent();
                self.raw(b"Shader \"");
                self.raw(name.as_bytes());
                self.raw(b"\"");
                self.end_property();
            }
            None => self.aside("ShaderTypeId", |printer| printer.number("ShaderTypeId", shader.0.into())),
        }
    }

    /// The colour of a geoset animation; the word implies the flag that enables it.
    pub(in crate::text) fn tint(&mut self, animation: &GeosetAnimation) {
        let bit = color_bit(self.caps);
        let flags = animation.flags.bits();
        let animated = animation.tracks.get(tags::KGAC).is_some();
        let print = |printer: &mut Self| {
            printer.indent();
            printer.raw(b"static Color ");
            printer.floats(animation.color.iter().rev().copied());
            printer.end_property();
        };
        let plain = animation.color.map(f32::to_bits) == [1.0_f32.to_bits(); 3];
        let shown = flags & bit != 0 && !animated;
        if shown {
            print(self);
        } else if !plain {
            self.aside("Color", print);
        }
        let shadow = if self.caps.contains(Caps::WC3) { flags & 1 } else { 0 };
        let said = shadow | if shown || animated || (!plain && !self.plain) { bit } else { 0 };
        if said != flags {
            self.aside("Flags", |printer| printer.number("Flags", flags.into()));
        }
    }

    pub(in crate::text) fn segments(&mut self, emitter: &ParticleEmitter2) {
        self.open("SegmentColor");
        for color in emitter.segment_colors.as_chunks::<3>().0 {
            self.indent();
            self.raw(b"Color ");
            self.floats(color.iter().rev().copied());
            self.end_property();
        }
        self.close();
        if !emitter.spline.is_empty() && self.caps.contains(Caps::WOW) {
            self.rows("Spline", &emitter.spline);
        }
    }

    pub(in crate::text) fn event_track(&mut self, event: &EventObject) {
        let Some(track) = &event.track else { return };
        self.open_counted("EventTrack", track.times.len());
        if track.global_sequence != -1 {
            self.number("GlobalSeqId", track.global_sequence.into());
        }
        for &time in &track.times {
            self.indent();
            number::print_int(time.into(), &mut self.out);
            self.end_property();
        }
        self.close();
    }

    pub(in crate::text) fn shape(&mut self, shape: &Shape) {
        // MDL has no form for Blizzard's cylinder and plane: they are printed in the tools' forms, and the exact shape is kept in a
        // comment.
        let exact = |printer: &mut Self, numbers: &[f32]| {
            let print = |printer: &mut Self| {
                printer.indent();
                printer.raw(b"Shape ");
                number::print_int(shape.number().into(), &mut printer.out);
                printer.out.push(b' ');
                printer.floats(numbers.iter().copied());
                printer.end_property();
            };
            if printer.caps.contains(Caps::WOW) { print(printer) } else { printer.aside("shape", print) }
        };
        match *shape {
            Shape::Box { min, max } => {
                self.flag("Box");
                self.rows("Vertices", &[min, max]);
            }
            Shape::Sphere { center, radius } => {
                self.flag("Sphere");
                self.rows("Vertices", &[center]);
                self.radius(radius);
            }
            Shape::TwoPointPlane(points) => {
                self.flag("Plane");
                self.rows("Vertices", &points);
            }
            Shape::TwoPointCylinder { points, radius } => {
                self.flag("Cylinder");
                self.rows("Vertices", &points);
                self.radius(radius);
            }
            Shape::Plane { length, width } => {
                self.flag("Plane");
                self.rows(
                    "Vertices",
                    &[[-length / 2.0, -width / 2.0, 0.0], [length / 2.0, width / 2.0, 0.0]],
                );
                exact(self, &[length, width]);
            }
            Shape::Cylinder { base: [x, y, z], height, radius } => {
                self.flag("Cylinder");
                self.rows("Vertices", &[[x, y, z], [x, y, z + height]]);
                self.radius(radius);
                exact(self, &[x, y, z, height, radius]);
            }
        }
    }

    fn radius(&mut self, radius: f32) {
        self.indent();
        self.raw(b"BoundsRadius ");
        self.float(radius);
        self.end_property();
    }
}

/// The flag that enables the colour of a geoset animation.
pub(in crate::text) const fn color_bit(caps: Caps) -> u32 {
    if caps.contains(Caps::WOW) { 1 } else { 2 }
}

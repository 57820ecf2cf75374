//! Data that 264 has no field for, stored after the end of the model, outside all blocks.
//!
//! `EFGYKEPT`, the number of bytes that follow, then: sequences (start, end, flags), rows of the playable lookup, bones
//! (submesh, distance, ratio), the number of views, the version. Clients do not read it. It is ignored if the sequences or
//! bones of the model were changed since.

use crate::block::{Element, elements};
use crate::model::Model;
use crate::records::{Playable, Sequence};
use crate::version::{Caps, Version};
use effigy_wire::{Cursor, Result, Sink, record};

const MAGIC: &[u8; 8] = b"EFGYKEPT";

record! {
    /// What a sequence loses in 264.
    pub struct Timing(Caps) {
        /// First millisecond on the model's timeline.
        pub start: u32,
        /// Last millisecond on the model's timeline.
        pub end: u32,
        /// The flags before the conversion.
        pub flags: u32,
    }
}

record! {
    /// What a bone loses in 264.
    pub struct Distances(Caps) {
        /// Distance to the parent.
        pub submesh: u16,
        /// Length of the longest path to a descendant.
        pub distance: u16,
        /// Relative height of the chain.
        pub z_ratio: u16,
    }
}

elements! {
    Timing {}
    Distances {}
}

/// What is kept of a model of a version before 264.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Aside {
    pub timings: Vec<Timing>,
    pub playable: Vec<Playable>,
    pub distances: Vec<Distances>,
    pub views: u32,
    /// The version of the model before it was converted, where it is known.
    pub version: Option<Version>,
}

impl Aside {
    pub fn of(model: &Model) -> Self {
        let timing = |sequence: &Sequence| Timing {
            start: sequence.start,
            end: sequence.end,
            flags: sequence.flags.bits(),
        };
        let distances = |bone: &crate::records::Bone| Distances {
            submesh: bone.submesh,
            distance: bone.distance,
            z_ratio: bone.z_ratio,
        };
        Self {
            timings: model.sequences.iter().map(timing).collect(),
            playable: model.playable_lookup.to_vec(),
            distances: model.bones.iter().map(distances).collect(),
            views: crate::series::word(model.contents.views.len()),
            version: Some(model.version()),
        }
    }

    /// Whether it still fits the model: the same number of sequences and bones, and the same lengths.
    pub fn agrees(&self, model: &Model) -> bool {
        self.timings.len() == model.sequences.len()
            && self.distances.len() == model.bones.len()
            && self.timings.iter().zip(&model.contents.sequences).all(|(timing, sequence)| {
                let before = Sequence { start: timing.start, end: timing.end, ..Sequence::default() };
                before.length() == sequence.duration
                    && !sequence.flags.contains(crate::records::SequenceFlags::ALIAS)
            })
    }

    pub fn write(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let mut at = crate::emit::At::new(&mut body, 0);
        list(&self.timings, &mut at);
        list(&self.playable, &mut at);
        list(&self.distances, &mut at);
        at.put(&self.views.to_le_bytes());
        if let Some(version) = self.version {
            at.put(&version.number().to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(crate::series::word(body.len()).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads it from the start of these bytes.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes.strip_prefix(MAGIC)?);
        let mut body = cursor.sized_body()?;
        let mut aside = Self {
            timings: read_list(&mut body).ok()?,
            playable: read_list(&mut body).ok()?,
            distances: read_list(&mut body).ok()?,
            views: body.u32().ok()?,
            version: None,
        };
        // Files of earlier releases end here.
        if !body.is_empty() {
            aside.version = Some(Version::new(body.u32().ok()?).ok()?);
        }
        body.is_empty().then_some(aside)
    }

    /// Whether these bytes start with its magic word.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }
}

fn list<T: Element>(items: &[T], sink: &mut impl Sink) {
    sink.count(items.len());
    T::write_all(items, sink, Caps::empty());
}

fn read_list<T: Element>(cursor: &mut Cursor<'_>) -> Result<Vec<T>> {
    let count = cursor.count()?;
    cursor.check_count(count, T::size(Caps::empty()))?;
    T::read_all(cursor, count, Caps::empty())
}

trait SizedBody<'a> {
    fn sized_body(&mut self) -> Option<Cursor<'a>>;
}

impl<'a> SizedBody<'a> for Cursor<'a> {
    fn sized_body(&mut self) -> Option<Cursor<'a>> {
        let length = self.count().ok()?;
        self.window(length).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_and_is_refused_when_cut() {
        let aside = Aside {
            timings: vec![Timing { start: 3333, end: 5000, flags: 1 }],
            playable: vec![Playable { animation: 4, mode: 1 }],
            distances: vec![Distances { submesh: 1, distance: 2, z_ratio: 3 }],
            views: 4,
            version: Some(Version::VANILLA),
        };
        let bytes = aside.write();
        assert_eq!(Aside::read(&bytes), Some(aside.clone()));
        let earlier = Aside { version: None, ..aside };
        assert_eq!(Aside::read(&earlier.write()), Some(earlier));
        for cut in 0..bytes.len() {
            assert_eq!(Aside::read(&bytes[..cut]), None, "cut at {cut}");
        }
    }

    #[test]
    fn the_bytes_are_those_that_the_module_describes() {
        let aside = Aside {
            timings: vec![Timing { start: 3333, end: 5000, flags: 0x21 }],
            playable: vec![Playable { animation: 4, mode: 1 }, Playable { animation: 6, mode: 3 }],
            distances: vec![Distances { submesh: 1, distance: 2, z_ratio: 3 }],
            views: 4,
            version: Some(Version::VANILLA),
        };
        let body = [
            &[1, 0, 0, 0, 0x05, 0x0d, 0, 0, 0x88, 0x13, 0, 0, 0x21, 0, 0, 0][..],
            &[2, 0, 0, 0, 4, 0, 1, 0, 6, 0, 3, 0],
            &[1, 0, 0, 0, 1, 0, 2, 0, 3, 0],
            &[4, 0, 0, 0, 0, 1, 0, 0],
        ]
        .concat();
        assert_eq!(aside.write(), [&b"EFGYKEPT\x2e\0\0\0"[..], &body].concat());
        // A byte that is left over shows that it is something else.
        let mut longer = [&b"EFGYKEPT\x2f\0\0\0"[..], &body].concat();
        longer.push(0);
        assert_eq!(Aside::read(&longer), None);
        assert!(Aside::begins(&longer) && !Aside::begins(b"EFGYKEP") && !Aside::begins(b"xEFGYKEPT"));
    }

    #[test]
    fn it_fits_only_the_model_that_it_was_made_with() {
        use crate::records::{Bone, SequenceFlags};
        let aside = Aside {
            timings: vec![
                Timing { start: 3333, end: 5000, flags: 0 },
                Timing { start: 6000, end: 6100, flags: 0 },
            ],
            distances: vec![Distances::default()],
            ..Aside::default()
        };
        let model = |durations: &[u32], bones: usize| {
            let mut model = Model::new(Version::WRATH);
            model.sequences =
                durations.iter().map(|&duration| Sequence { duration, ..Sequence::default() }).collect();
            model.bones = vec![Bone::default(); bones].into();
            model
        };
        for (durations, bones, agrees) in [
            (&[1667, 100][..], 1, true),
            (&[1667, 100], 2, false),
            (&[1667, 100], 0, false),
            (&[1667], 1, false),
            (&[1667, 100, 0], 1, false),
            (&[1667, 101], 1, false),
            (&[5000, 100], 1, false),
        ] {
            assert_eq!(aside.agrees(&model(durations, bones)), agrees, "{durations:?} {bones}");
        }
        let mut alias = model(&[1667, 100], 1);
        alias.sequences[1].flags = SequenceFlags::ALIAS;
        assert!(!aside.agrees(&alias));
    }
}

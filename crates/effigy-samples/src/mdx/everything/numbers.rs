//! Numbers that never repeat, and tracks made of them.

use effigy_mdx::track::{TRACKS, TrackInfo, tags};
use effigy_mdx::{Caps, Dialect, Extent, Interpolation, Key, KeyValue, Track, Tracks, ValueKind};
use effigy_wire::Tag;

/// Generates numbers.
pub(super) struct Numbers {
    pub(super) dialect: Dialect,
    caps: Caps,
    next: u16,
    /// Cycles through the interpolations and global sequences.
    turn: u32,
}

impl Numbers {
    pub(super) fn new(dialect: Dialect, caps: Caps) -> Self {
        Self { dialect, caps, next: 0, turn: 0 }
    }

    pub(super) fn has(&self, caps: Caps) -> bool {
        self.caps.contains(caps)
    }

    pub(super) fn is_wow(&self) -> bool {
        self.dialect == Dialect::WowAlpha
    }

    fn step(&mut self) -> u16 {
        self.next += 1;
        self.next
    }

    /// A float that is exact in binary.
    pub(super) fn float(&mut self) -> f32 {
        f32::from(self.step()) * 0.0625
    }

    pub(super) fn word(&mut self) -> u32 {
        u32::from(self.step())
    }

    pub(super) fn vector(&mut self) -> [f32; 3] {
        [self.float(), self.float(), self.float()]
    }

    pub(super) fn extent(&mut self) -> Extent {
        super::extent(self)
    }

    /// A unit rotation whose x, y and z survive the packing of WoW alpha.
    fn rotation(&mut self) -> [f32; 4] {
        let part = |x: u16| f32::from(x % 32) / 64.0;
        let step = self.step();
        let [x, y, z] = [part(step), -part(step / 3), part(step / 7)];
        [x, y, z, (1.0 - x * x - y * y - z * z).max(0.0).sqrt()]
    }

    /// Every track that this version has in a record of this kind (the words of [`TRACKS`]).
    pub(super) fn tracks(&mut self, owner: &str) -> Tracks {
        let known = |track: &&TrackInfo| track.owner == owner && self.has(track.needs);
        let all = || TRACKS.iter().filter(known).map(|track| track.tag);
        let list: Vec<Tag> = if self.is_wow() { wow_order(owner, all()) } else { all().collect() };
        list.into_iter().filter_map(|tag| self.track(tag)).collect()
    }

    /// A track; each has another interpolation and another clock than the one before.
    pub(super) fn track(&mut self, tag: Tag) -> Option<Track> {
        self.turn += 1;
        let kind = TrackInfo::of(tag)?.kind;
        let turn = self.turn;
        // WoW alpha stores no tangents for whole numbers.
        let interpolation = if kind == ValueKind::Index && self.is_wow() { turn % 2 } else { turn % 4 };
        let interpolation = Interpolation(interpolation);
        let track = match kind {
            ValueKind::Float => self.keys(tag, interpolation, Self::float),
            ValueKind::Vector | ValueKind::Color => self.keys(tag, interpolation, Self::vector),
            ValueKind::Rotation => self.keys(tag, interpolation, Self::rotation),
            ValueKind::Index => self.keys(tag, interpolation, |n| n.word() % 3),
        }?;
        Some(match turn % 3 {
            0 => track.on_global_sequence(0),
            1 => track.on_global_sequence(2),
            _ => track,
        })
    }

    fn keys<T: KeyValue>(
        &mut self,
        tag: Tag,
        how: Interpolation,
        value: impl Fn(&mut Self) -> T,
    ) -> Option<Track> {
        let keys: Vec<Key<T>> = [0, 333, 900]
            .into_iter()
            .map(|time| Key {
                time,
                value: value(self),
                tangents: how.has_tangents().then(|| [value(self), value(self)]),
            })
            .collect();
        Track::new(tag, how, &keys).ok()
    }
}

/// WoW alpha's client reads the tracks of a record in a fixed order, and visibility has one tag everywhere.
fn wow_order(owner: &str, known: impl Iterator<Item = Tag>) -> Vec<Tag> {
    use tags::{
        KCRL, KCTR, KLIF, KP2E, KP2G, KP2L, KP2N, KP2R, KP2S, KP2W, KP2Z, KPEE, KPEG, KPEL, KPES, KPLN, KPLT,
    };
    use tags::{KTTR, KVIS};
    match owner {
        "particle emitter" => vec![KPEL, KPES, KPEE, KPEG, KPLN, KPLT, KVIS],
        "particle emitter 2" => vec![KVIS, KP2S, KP2R, KP2L, KPLN, KP2G, KLIF, KP2E, KP2W, KP2N, KP2Z],
        "camera" => vec![KCTR, KCRL, KVIS, KTTR],
        "light" | "attachment" | "ribbon emitter" => known.chain([KVIS]).collect(),
        _ => known.collect(),
    }
}

//! What the keys of tracks mean in space, from the table of tracks. Tangents mean the same as values.

use super::{Measure, Track, TrackInfo, Tracks};
use effigy_wire::{Space, Spatial};

impl Spatial for Tracks {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.0.walk_space(space);
    }
}

impl Spatial for Track {
    fn walk_space(&mut self, space: &mut dyn Space) {
        let measure = TrackInfo::of(self.tag()).map_or(Measure::Plain, |info| info.measure);
        match measure {
            Measure::Plain => {}
            Measure::Length => self.map_values(|[value]| space.length(value)),
            Measure::PerLength => self.map_values(|[value]| space.per_length(value, 1)),
            Measure::PerArea => self.map_values(|[value]| space.per_length(value, 2)),
            Measure::Vector => self.map_values(|value| space.vector(value)),
            Measure::Rotation => self.map_values(|value| space.rotation(value)),
        }
    }
}

impl Track {
    /// Changes every value and tangent of a track whose values have `N` floats; other tracks stay as they are.
    pub fn map_values<const N: usize>(&mut self, mut change: impl FnMut(&mut [f32; N])) {
        if self.kind.width() != N || self.kind == super::ValueKind::Index {
            return;
        }
        let stride = self.stride();
        for key in self.words.chunks_exact_mut(stride) {
            let Some((_, values)) = key.split_first_mut() else { continue };
            for words in values.as_chunks_mut::<N>().0 {
                let mut value = words.map(f32::from_bits);
                change(&mut value);
                *words = value.map(f32::to_bits);
            }
        }
    }
}

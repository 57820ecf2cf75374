//! Tracks: most of the text of an animated model.

use super::Printer;
use crate::text::number;
use crate::track::{Interpolation, Track, ValueKind};

impl Printer<'_> {
    /// `Word 2 { Linear, 0: 1, 100: 0.5, }`
    pub(super) fn track(&mut self, word: &str, track: &Track) {
        self.open_counted(word, track.len());
        let interpolation = track.interpolation();
        let known = interpolation.word();
        self.flag(known.or_else(|| Interpolation::BEZIER.word()).unwrap_or_default());
        if track.global_sequence != -1 {
            self.number("GlobalSeqId", track.global_sequence.into());
        }
        if known.is_none() {
            let message = "an unknown interpolation, printed as Bezier";
            if self.flat {
                self.number("Interpolation", interpolation.0.into());
            } else {
                self.report.approximated(track.tag().to_string(), message);
                // Only the raw bytes of the chunk can represent it.
                self.loses_bits = true;
            }
        }
        let (width, stride) = (track.kind().width(), track.stride());
        let whole = track.kind() == ValueKind::Index;
        for key in track.words().chunks_exact(stride) {
            let Some((time, values)) = key.split_first() else { continue };
            self.indent();
            number::print_int(time.cast_signed().into(), &mut self.out);
            self.raw(b": ");
            let mut values = values.chunks_exact(width);
            self.key_value(values.next().unwrap_or_default(), whole);
            for (name, tangent) in [b"InTan ".as_slice(), b"OutTan "].iter().zip(values) {
                self.depth += 1;
                self.indent();
                self.depth -= 1;
                self.raw(name);
                self.key_value(tangent, whole);
            }
        }
        self.close();
    }

    #[inline]
    fn key_value(&mut self, words: &[u32], whole: bool) {
        match words {
            [word] if whole => number::print_int((*word).into(), &mut self.out),
            [word] => self.float(f32::from_bits(*word)),
            _ => self.floats(words.iter().map(|&word| f32::from_bits(word))),
        }
        self.end_property();
    }
}

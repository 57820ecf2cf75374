//! Which bytes of a file belong to a block, with one bit per byte. What is left over is kept and written back.

/// Bytes that do not belong to any block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gap {
    pub offset: usize,
    pub bytes: Vec<u8>,
}

pub(crate) struct Coverage {
    words: Vec<u64>,
    pub overlaps: bool,
}

impl Coverage {
    pub fn new(length: usize) -> Self {
        Self { words: vec![0; length.div_ceil(64)], overlaps: false }
    }

    /// Marks bytes as part of a block. The range must be inside the file.
    #[inline]
    pub fn mark(&mut self, start: usize, length: usize) {
        let Some(last) = start.saturating_add(length).checked_sub(1).filter(|_| length > 0) else { return };
        let (first_word, last_word) = (start >> 6, last >> 6);
        let head = u64::MAX << (start & 63);
        let tail = u64::MAX >> (63 ^ (last & 63));
        if first_word == last_word {
            self.set(first_word, head & tail);
            return;
        }
        self.set(first_word, head);
        self.set(last_word, tail);
        if let Some(middle) = self.words.get_mut(first_word.saturating_add(1)..last_word) {
            self.overlaps |= middle.iter().fold(0, |all, word| all | word) != 0;
            middle.fill(u64::MAX);
        }
    }

    #[inline]
    fn set(&mut self, index: usize, mask: u64) {
        if let Some(word) = self.words.get_mut(index) {
            self.overlaps |= *word & mask != 0;
            *word |= mask;
        }
    }

    /// Runs of bytes that do not belong to any block, without the zeros around them.
    pub fn gaps(&self, source: &[u8]) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = Vec::new();
        for ((index, &word), bytes) in self.words.iter().enumerate().zip(source.chunks(64)) {
            let mut unnamed = !word;
            while unnamed != 0 {
                let bit = unnamed.trailing_zeros() as usize;
                unnamed &= unnamed.wrapping_sub(1);
                let Some(&byte) = bytes.get(bit) else { break };
                if byte == 0 {
                    continue;
                }
                let offset = index.saturating_mul(64).saturating_add(bit);
                match gaps.last_mut() {
                    Some(gap) if gap.offset.saturating_add(gap.bytes.len()) == offset => gap.bytes.push(byte),
                    _ => gaps.push(Gap { offset, bytes: vec![byte] }),
                }
            }
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_bytes_that_were_not_marked_or_marked_twice() {
        for start in [0, 1, 63, 64, 65, 120] {
            for length in [0, 1, 2, 63, 64, 65, 70, 129] {
                let source = vec![7; 260];
                let mut coverage = Coverage::new(source.len());
                coverage.mark(start, length);
                assert!(!coverage.overlaps);
                let unnamed: usize = coverage.gaps(&source).iter().map(|gap| gap.bytes.len()).sum();
                assert_eq!(unnamed, source.len() - length, "{start} {length}");
                coverage.mark(start + length, 1);
                assert!(!coverage.overlaps, "{start} {length}");
                coverage.mark(start, length);
                assert_eq!(coverage.overlaps, length > 0);
            }
        }
    }

    #[test]
    fn gaps_are_runs_of_bytes_without_the_zeros_around_them() {
        let mut source = vec![0; 130];
        for at in [1, 2, 5, 62, 63, 64, 65, 129] {
            source[at] = u8::try_from(at).unwrap();
        }
        let gap = |offset: usize, bytes: &[u8]| Gap { offset, bytes: bytes.to_vec() };
        let mut coverage = Coverage::new(source.len());
        let all = [gap(1, &[1, 2]), gap(5, &[5]), gap(62, &[62, 63, 64, 65]), gap(129, &[129])];
        assert_eq!(coverage.gaps(&source), all);
        coverage.mark(2, 61);
        assert_eq!(coverage.gaps(&source), [gap(1, &[1]), gap(63, &[63, 64, 65]), gap(129, &[129])]);
    }

    #[test]
    fn one_byte_that_is_marked_twice_is_an_overlap() {
        // The same bit of the second and the third word of 64.
        for marked in [vec![(100, 1)], vec![(100, 1), (164, 1)], vec![(0, 1)], vec![(255, 1)]] {
            let mut coverage = Coverage::new(512);
            marked.iter().for_each(|&(start, length)| coverage.mark(start, length));
            assert!(!coverage.overlaps);
            coverage.mark(0, 256);
            assert!(coverage.overlaps, "{marked:?}");
            // It stays one.
            coverage.mark(256, 256);
            assert!(coverage.overlaps, "{marked:?}");
        }
    }
}

//! Random numbers that are the same on every machine (SplitMix64).

/// A stream of random numbers from a seed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to 1, 1 excluded.
    pub(super) fn unit(&mut self) -> f32 {
        // 24 bits are what an f32 holds exactly.
        let bits = u32::try_from(self.next() >> 40).unwrap_or(0);
        bits as f32 * (1.0 / 16_777_216.0)
    }

    /// From -1 to 1.
    pub(super) fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // The published test vector for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let stream: Vec<u64> = (0..5).map(|_| random.next()).collect();
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(stream, expected);
        // The top 24 bits as a share of 2^24: 6457827717110365317 >> 40 = 5873360.
        assert_eq!(Random::new(1_234_567).unit(), 5_873_360.0 / 16_777_216.0);
        assert_eq!(Random::new(1_234_567).signed(), 2.0 * 5_873_360.0 / 16_777_216.0 - 1.0);
    }
}

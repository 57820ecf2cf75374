//! Limits for readers.

/// Bounds for reading untrusted files. With the defaults, every known real file opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest input in bytes; larger files are refused before they are read.
    pub input_bytes: u64,
    /// Most records (chunks, geosets, nodes, emitters, surfaces...) in one model.
    pub records: usize,
    /// Most diagnostics that are kept; further ones are only counted.
    pub diagnostics: usize,
    /// Most bytes that one compressed or packed item may expand to.
    pub unpacked_bytes: u64,
}

impl Limits {
    /// The default bounds.
    pub const DEFAULT: Self =
        Self { input_bytes: 1 << 30, records: 1 << 20, diagnostics: 1000, unpacked_bytes: 1 << 30 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

//! How much a reader may take on.

/// Bounds for reading untrusted files. The defaults open every real file with room to spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest input in bytes; larger files are refused before they are read.
    pub input_bytes: u64,
    /// Most records (chunks, geosets, nodes, emitters, surfaces...) in one model.
    pub records: usize,
    /// Most diagnostics that are kept; a line says how many more there were.
    pub diagnostics: usize,
    /// Most bytes that one compressed or packed thing may grow to.
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

//! How long something takes, where there is a clock: a browser has none that this program can read.

/// Runs from its start.
pub struct Stopwatch(#[cfg(not(target_arch = "wasm32"))] std::time::Instant);

impl Stopwatch {
    pub fn start() -> Self {
        Self(
            #[cfg(not(target_arch = "wasm32"))]
            std::time::Instant::now(),
        )
    }

    /// Milliseconds since the start; 0 in a browser.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn milliseconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1000.0
    }

    /// Milliseconds since the start; 0 in a browser.
    #[cfg(target_arch = "wasm32")]
    #[allow(clippy::unused_self, reason = "it has a clock elsewhere")]
    pub const fn milliseconds(&self) -> f64 {
        0.0
    }
}

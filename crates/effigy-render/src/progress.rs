//! How far a job of many pictures is.

use std::sync::atomic::{AtomicU32, Ordering};

/// How far a job of many pictures is. The caller shares it with the job and reads it from time to time.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU32,
    total: AtomicU32,
}

impl Progress {
    /// Steps that are done, and all steps; both are 0 until the job knows how many there are.
    #[must_use]
    pub fn steps(&self) -> (u32, u32) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    pub(crate) fn begin(&self, total: u32) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    pub(crate) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

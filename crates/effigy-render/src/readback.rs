//! Pixels on their way back from the device.

use crate::renderer::{Drawn, Summary};
use crate::target::Target;
use crate::{Background, Gpu, Image};
use effigy_wire::{Error, Kind, Result};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Targets that are kept for the next pictures.
const SPARE_TARGETS: usize = 4;

/// What the device's callback and the reader share.
#[derive(Debug, Default)]
struct Arrival {
    /// Whether the buffer could be mapped, once that is known.
    mapped: Option<bool>,
    waker: Option<Waker>,
}

/// A picture that the device still draws. It is a future, so a browser, which must not block, can await it. Programs
/// without an executor call [`PendingImage::try_take`] once per frame, or [`PendingImage::wait`].
///
/// It owns everything it needs: model, stage and renderer may change or be dropped while the device draws.
#[derive(Debug)]
#[must_use = "the picture is lost unless it is awaited or waited for"]
pub struct PendingImage {
    gpu: Gpu,
    /// None after the picture has been taken.
    target: Option<Target>,
    spare: Arc<Mutex<Vec<Target>>>,
    submission: wgpu::SubmissionIndex,
    arrival: Arc<Mutex<Arrival>>,
    background: Background,
    summary: Summary,
}

/// How long a callback may take after the device has finished.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits for the callback of a finished picture. If several threads wait for the same device, one of them may have taken the
/// callbacks of the others, and calls them a moment after those have stopped waiting.
fn called_back(arrival: &Mutex<Arrival>, patience: Duration) -> bool {
    let start = std::time::Instant::now();
    loop {
        if arrival.lock().unwrap_or_else(PoisonError::into_inner).mapped.is_some() {
            return true;
        }
        if start.elapsed() > patience {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn lost() -> Error {
    Error::new(Kind::Unsupported, "the graphics device was lost while it drew")
}

impl PendingImage {
    /// Submits the recorded work and asks for the target's pixels.
    pub(crate) fn submit(
        gpu: &Gpu,
        target: Target,
        encoder: wgpu::CommandEncoder,
        spare: &Arc<Mutex<Vec<Target>>>,
        (background, summary): (Background, Summary),
    ) -> Self {
        let submission = gpu.queue.submit([encoder.finish()]);
        let arrival = Arc::new(Mutex::new(Arrival::default()));
        let shared = Arc::clone(&arrival);
        target.buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            let mut arrival = shared.lock().unwrap_or_else(PoisonError::into_inner);
            arrival.mapped = Some(result.is_ok());
            if let Some(waker) = arrival.waker.take() {
                waker.wake();
            }
        });
        Self {
            gpu: gpu.clone(),
            target: Some(target),
            spare: Arc::clone(spare),
            submission,
            arrival,
            background,
            summary,
        }
    }

    /// Waits until the picture has arrived. A browser cannot wait: await the picture there.
    ///
    /// # Errors
    /// When the device reports an error or is lost; in a browser always.
    pub fn wait(mut self) -> Result<Drawn> {
        if cfg!(target_arch = "wasm32") {
            return Err(crate::gpu::cannot_wait());
        }
        let submission_index = Some(self.submission.clone());
        let waited = self.gpu.device.poll(wgpu::PollType::Wait { submission_index, timeout: None });
        self.gpu.check()?;
        waited.map_err(|_| lost())?;
        called_back(&self.arrival, PATIENCE);
        self.arrived().unwrap_or_else(|| Err(lost()))
    }

    /// The picture if it has arrived. It can be taken once; later calls return an error.
    pub fn try_take(&mut self) -> Option<Result<Drawn>> {
        // In a browser this does nothing: the browser calls back by itself.
        let polled = self.gpu.device.poll(wgpu::PollType::Poll);
        if let Err(error) = self.gpu.check() {
            return Some(Err(error));
        }
        if polled.is_err() {
            return Some(Err(lost()));
        }
        self.arrived()
    }

    fn arrived(&mut self) -> Option<Result<Drawn>> {
        let mapped = self.arrival.lock().unwrap_or_else(PoisonError::into_inner).mapped?;
        let Some(target) = self.target.take().filter(|_| mapped) else { return Some(Err(lost())) };
        let [width, height] = target.size();
        let pixels = target.pixels();
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < SPARE_TARGETS {
            spare.push(target);
        }
        drop(spare);
        let Some(mut pixels) = pixels else { return Some(Err(lost())) };
        finish(&mut pixels, self.background);
        let Summary { draws, report } = std::mem::take(&mut self.summary);
        Some(Image::new(width, height, pixels).map(|picture| Drawn { picture, report, draws }))
    }
}

impl Future for PendingImage {
    type Output = Result<Drawn>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.arrival.lock().unwrap_or_else(PoisonError::into_inner).waker = Some(context.waker().clone());
        if let Some(drawn) = self.try_take() {
            return Poll::Ready(drawn);
        }
        // Outside a browser only `Device::poll` calls the callback, so this future has to be polled again.
        if !cfg!(target_arch = "wasm32") {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

/// Turns the alpha of the target into the alpha of an image file.
fn finish(pixels: &mut [u8], background: Background) {
    let pixels = pixels.as_chunks_mut::<4>().0;
    match background {
        Background::Transparent => pixels.iter_mut().for_each(straighten),
        // Alpha only counts coverage: the background covers everything.
        _ => pixels.iter_mut().for_each(|pixel| pixel[3] = 255),
    }
}

/// Colours were multiplied by coverage while they were drawn over nothing; added light covers as much as it shines.
fn straighten(pixel: &mut [u8; 4]) {
    let [r, g, b, a] = *pixel;
    let alpha = a.max(r).max(g).max(b);
    if alpha == 0 {
        return;
    }
    let straight = |channel: u8| {
        let value = (u16::from(channel) * 255 + u16::from(alpha) / 2) / u16::from(alpha);
        u8::try_from(value).unwrap_or(u8::MAX)
    };
    *pixel = [straight(r), straight(g), straight(b), alpha];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_that_another_thread_calls_late_is_waited_for() {
        let arrival = Mutex::new(Arrival::default());
        assert!(!called_back(&arrival, Duration::from_millis(5)));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                arrival.lock().unwrap().mapped = Some(true);
            });
            assert!(called_back(&arrival, Duration::from_secs(20)));
        });
    }
}

//! Many files at once, and the results in the order of the inputs.

use crate::session::{Session, Stop};
use effigy::{Input, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::sync::mpsc;

/// More threads than this do no more work, and very many cannot be started.
const MOST_JOBS: usize = 256;

/// Runs `work` over all inputs on all cores and `then` on each result, in the order of the inputs.
///
/// Sources are started in order, so few results wait for an earlier one. When `then` stops, the rest is left.
pub fn each<T: Send>(
    session: &mut Session,
    jobs: Option<usize>,
    inputs: &[Input],
    work: impl Fn(&Input) -> T + Sync,
    mut then: impl FnMut(&mut Session, &Input, T) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.map_or(0, |jobs| jobs.min(inputs.len().max(1)).min(MOST_JOBS)))
        .build()
        .map_err(|error| Stop::Failed(format!("cannot start workers: {error}")))?;
    let bar = start_bar(session, inputs.len());
    session.out.bar = bar.clone();
    let result = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<(usize, T)>();
        let work = &work;
        scope.spawn(move || {
            pool.install(|| {
                // A send fails when the receiver has stopped: then nobody wants the rest.
                let _ = inputs
                    .iter()
                    .enumerate()
                    .par_bridge()
                    .try_for_each_with(sender, |sender, (index, input)| sender.send((index, work(input))));
            });
        });
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, value) in receiver {
            waiting.insert(index, value);
            while let (Some(value), Some(input)) = (waiting.remove(&next), inputs.get(next)) {
                next += 1;
                if let Some(bar) = &bar {
                    bar.inc(1);
                }
                then(session, input, value)?;
            }
        }
        Ok(())
    });
    if let Some(bar) = session.out.bar.take() {
        bar.finish_and_clear();
    }
    result
}

/// A progress bar, where one makes sense.
pub fn start_bar(session: &Session, length: usize) -> Option<ProgressBar> {
    if length < 2 || !session.out.wants_progress() {
        return None;
    }
    let bar = ProgressBar::new(u64::try_from(length).unwrap_or(u64::MAX));
    let template = "{bar:30} {human_pos}/{human_len} files  {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    Some(bar)
}

//! Many files at once, and the results in the order of the inputs.

use crate::bug;
use crate::session::{Session, Stop};
use effigy::{Input, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// More threads than this do no more work, and very many cannot be started.
const MOST_JOBS: usize = 256;

/// How many results per worker may exist at once: being made, or finished and waiting to be written.
const RESULTS_PER_JOB: usize = 2;

/// What the workers and the writer share.
struct Line<T> {
    state: Mutex<State<T>>,
    /// Something changed that a worker may wait for.
    room: Condvar,
    /// Something changed that the writer may wait for.
    result: Condvar,
}

struct State<T> {
    /// The input that the next free worker takes.
    taken: usize,
    /// The input whose result is written next.
    written: usize,
    waiting: BTreeMap<usize, T>,
    stopped: bool,
}

impl<T> Line<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next input to work on, once so few results are waiting that one more is welcome.
    fn take(&self, inputs: usize, most: usize) -> Option<usize> {
        let busy = |state: &mut State<T>| {
            !state.stopped && state.taken < inputs && state.taken - state.written >= most
        };
        let state = self.room.wait_while(self.lock(), busy);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.stopped || state.taken >= inputs {
            return None;
        }
        state.taken += 1;
        Some(state.taken - 1)
    }

    fn give(&self, index: usize, value: T) {
        self.lock().waiting.insert(index, value);
        self.result.notify_one();
    }

    /// The result of this input, once it is there. Until the next call it counts as not yet written.
    fn wait_for(&self, index: usize) -> Option<T> {
        let mut state = self.lock();
        state.written = index;
        self.room.notify_all();
        let missing = |state: &mut State<T>| !state.waiting.contains_key(&index);
        let state = self.result.wait_while(state, missing);
        state.unwrap_or_else(PoisonError::into_inner).waiting.remove(&index)
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.room.notify_all();
    }
}

/// Runs `work` over all inputs on all cores and `then` on each result, in the order of the inputs.
///
/// Few results exist at a time: where `then` is slower than the workers, they wait for it. Work that panics fails for its
/// own input only. When `then` stops, the rest is left.
pub fn each<T: Send>(
    session: &mut Session,
    jobs: Option<usize>,
    inputs: &[Input],
    work: impl Fn(&Input) -> Result<T> + Sync,
    mut then: impl FnMut(&mut Session, &Input, Result<T>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.filter(|jobs| *jobs > 0).unwrap_or_else(cores).min(inputs.len().max(1)).min(MOST_JOBS);
    let bar = start_bar(session, inputs.len());
    session.out.bar = bar.clone();
    let state = State { taken: 0, written: 0, waiting: BTreeMap::new(), stopped: false };
    let line = Line { state: Mutex::new(state), room: Condvar::new(), result: Condvar::new() };
    let result = std::thread::scope(|scope| {
        for number in 0..jobs {
            let worker = || {
                while let Some(index) = line.take(inputs.len(), jobs * RESULTS_PER_JOB) {
                    if let Some(input) = inputs.get(index) {
                        line.give(index, bug::caught(|| work(input)));
                    }
                }
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, worker)
                && number == 0
            {
                return Err(Stop::Failed(format!("cannot start workers: {error}")));
            }
        }
        for (index, input) in inputs.iter().enumerate() {
            let Some(value) = line.wait_for(index) else { break };
            if let Some(bar) = &bar {
                bar.inc(1);
            }
            if let Err(stop) = then(session, input, value) {
                line.stop();
                return Err(stop);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Common;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn session() -> Session {
        Session::new(Common { json: false, quiet: true, verbose: false })
    }

    fn inputs(number: usize) -> Vec<Input> {
        (0..number).map(|number| Input::disk(number.to_string().into(), None)).collect()
    }

    #[test]
    fn work_that_panics_costs_its_own_file_only_and_the_order_stays() {
        bug::install_hook();
        let mut seen = Vec::new();
        let work = |input: &Input| -> Result<String> {
            assert_ne!(input.name, "3", "three is too much");
            Ok(input.name.clone())
        };
        each(&mut session(), Some(4), &inputs(20), work, |_, input, result| {
            match result {
                Ok(value) => assert_eq!(value, input.name),
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("three is too much") && text.contains("bug"), "{text}");
                    assert_eq!(input.name, "3");
                }
            }
            seen.push(input.name.clone());
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, (0..20).map(|number| number.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn a_slow_writer_makes_the_workers_wait() {
        let (made, mut written, mut most) = (AtomicUsize::new(0), 0, 0);
        let work = |_: &Input| Ok(made.fetch_add(1, Ordering::SeqCst));
        each(&mut session(), Some(3), &inputs(60), work, |_, _, _| {
            std::thread::sleep(Duration::from_millis(2));
            most = most.max(made.load(Ordering::SeqCst) - written);
            written += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(made.load(Ordering::SeqCst), 60);
        assert!(most <= 6, "{most} results existed at once with 3 workers");
    }

    #[test]
    fn a_writer_that_stops_leaves_the_rest() {
        let made = AtomicUsize::new(0);
        let work = |_: &Input| Ok(made.fetch_add(1, Ordering::SeqCst));
        let end = each(&mut session(), Some(2), &inputs(1000), work, |_, _, _| Err(Stop::PipeClosed));
        assert!(matches!(end, Err(Stop::PipeClosed)));
        assert!(made.load(Ordering::SeqCst) < 10);
    }
}

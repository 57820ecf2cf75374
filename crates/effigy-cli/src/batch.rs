//! Many files at once, and the results in the order of the inputs.

use crate::bug;
use crate::session::{Session, Stop};
use effigy::{Input, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// More threads than this do no more work, and very many cannot be started.
const MOST_JOBS: usize = 256;

/// How many results per worker may exist at once: being made, or finished and waiting to be written.
const RESULTS_PER_JOB: usize = 2;

/// What the files that are worked on at once may hold together, in bytes, as far as it can be estimated. A file that
/// needs more is worked on alone; how much one file may need at all is `--max-size`.
const HELD: u64 = 256 << 20;

/// What a batch works on.
pub trait Item: Sync {
    /// What to call it in messages.
    fn name(&self) -> Cow<'_, str>;

    /// About how many bytes it holds in memory while it is worked on.
    fn weight(&self) -> u64;
}

impl Item for Input {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn weight(&self) -> u64 {
        self.weight()
    }
}

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
    /// What the inputs hold that were taken and are not written yet, in order.
    held: VecDeque<u64>,
    waiting: BTreeMap<usize, T>,
    stopped: bool,
}

impl<T> Line<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next input to work on, once there is room for it: so few results are waiting that one more is welcome, and all
    /// together hold no more than allowed. Inputs are taken in order, so the one that is written next never waits.
    fn take<I: Item>(&self, inputs: &[I], most: usize) -> Option<usize> {
        let mut next = None;
        let mut busy = |state: &mut State<T>| {
            let Some(input) = inputs.get(state.taken).filter(|_| !state.stopped) else { return false };
            let index = state.taken;
            let needs = match next {
                Some((known, needs)) if known == index => needs,
                _ => input.weight(),
            };
            next = Some((index, needs));
            let held = state.held.iter().fold(0, |sum: u64, one| sum.saturating_add(*one));
            state.taken - state.written >= most || held > 0 && held.saturating_add(needs) > HELD
        };
        let state = self.room.wait_while(self.lock(), &mut busy);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.stopped || state.taken >= inputs.len() {
            return None;
        }
        state.held.push_back(next.map_or(0, |(_, needs)| needs));
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
        for _ in state.written..index {
            state.held.pop_front();
        }
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
/// Few results exist at a time: where `then` is slower than the workers, they wait for it. What panics fails for its
/// own input only. When `then` stops, the rest is left.
pub fn each<I: Item, T: Send>(
    session: &mut Session,
    jobs: Option<usize>,
    inputs: &[I],
    work: impl Fn(&I) -> Result<T> + Sync,
    mut then: impl FnMut(&mut Session, &I, Result<T>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.filter(|jobs| *jobs > 0).unwrap_or_else(cores).min(inputs.len().max(1)).min(MOST_JOBS);
    let bar = start_bar(session, inputs.len());
    session.out.bar = bar.clone();
    let (waiting, held) = (BTreeMap::new(), VecDeque::new());
    let state = State { taken: 0, written: 0, held, waiting, stopped: false };
    let line = Line { state: Mutex::new(state), room: Condvar::new(), result: Condvar::new() };
    let mut broken = false;
    let result = std::thread::scope(|scope| {
        for number in 0..jobs {
            let worker = || {
                while let Some(index) = line.take(inputs, jobs * RESULTS_PER_JOB) {
                    if let Some(input) = inputs.get(index) {
                        line.give(index, bug::caught(|| work(input)).flatten());
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
            let stop = match bug::caught(|| then(session, input, value)) {
                Ok(result) => result.err(),
                Err(error) => {
                    broken = true;
                    session.failure(&input.name(), &error).err()
                }
            };
            if let Some(stop) = stop {
                line.stop();
                return Err(stop);
            }
        }
        if broken { Err(Stop::Failed("not all results could be written".to_owned())) } else { Ok(()) }
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
                    assert!(error.hint_text().is_some_and(|hint| hint.contains("please report it")));
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
    fn a_result_that_cannot_be_shown_costs_its_own_file_only() {
        bug::install_hook();
        let mut seen = 0;
        let end = each(
            &mut session(),
            Some(2),
            &inputs(20),
            |_| Ok(()),
            |_, input, _| {
                assert_ne!(input.name, "3", "three is too much");
                seen += 1;
                Ok(())
            },
        );
        assert!(matches!(end, Err(Stop::Failed(_))), "{end:?}");
        assert_eq!(seen, 19);
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

    /// Every seventh needs more than is allowed in all, the others a third of it.
    struct Heavy(u64);

    impl Item for Heavy {
        fn name(&self) -> Cow<'_, str> {
            Cow::Borrowed("heavy")
        }

        fn weight(&self) -> u64 {
            if self.0.is_multiple_of(7) { HELD * 2 } else { HELD / 3 }
        }
    }

    #[test]
    fn large_files_share_one_budget_and_a_file_above_it_runs_alone() {
        let held = Mutex::new((0_u64, Vec::new()));
        let work = |item: &Heavy| {
            let mut held = held.lock().unwrap();
            held.0 += item.weight();
            let now = held.0;
            held.1.push(now);
            Ok(())
        };
        let items: Vec<Heavy> = (0..50).map(Heavy).collect();
        each(&mut session(), Some(4), &items, work, |_, item, _| {
            std::thread::sleep(Duration::from_millis(1));
            held.lock().unwrap().0 -= item.weight();
            Ok(())
        })
        .unwrap();
        let seen = held.into_inner().unwrap().1;
        assert_eq!(seen.len(), 50);
        assert!(seen.iter().all(|held| *held <= HELD || *held == HELD * 2), "{seen:?}");
        assert!(seen.iter().any(|held| *held > HELD / 3 && *held < HELD), "never two at once");
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

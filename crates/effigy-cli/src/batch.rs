//! Many files at once, and the results in the order of the inputs.

use crate::args::Reading;
use crate::inputs::Source;
use crate::problems::{self, Problem};
use crate::session::{Session, Stop};
use effigy::{Document, Format, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::sync::mpsc;

/// A model with the bytes it came from.
pub struct Loaded {
    /// The model.
    pub document: Box<dyn Document>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Loaded {
    /// Reads the bytes of a source, and the files beside it that belong to it.
    pub fn new(source: &Source, format: Format, bytes: Vec<u8>, reading: &Reading) -> Result<Self> {
        let mut document = effigy::read_with(&bytes, format, &reading.limits())?;
        for (index, name) in document.companions(&source.file_name()).iter().enumerate() {
            if let Some(bytes) = source.beside(name, reading) {
                document
                    .attach(index, &bytes)
                    .map_err(|error| error.hint(format!("it comes from {name}")))?;
            }
        }
        Ok(Self { document, bytes })
    }

    /// What is broken in it.
    pub fn problems(&self) -> Vec<Problem> {
        problems::of(self.document.as_ref(), &self.bytes)
    }

    /// How large the file is.
    pub fn length(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }
}

/// Reads one source into a model, with the files beside it that belong to it.
pub fn load(source: &Source, reading: &Reading) -> Result<Loaded> {
    let (format, bytes) = source.read(reading)?;
    Loaded::new(source, format, bytes, reading)
}

/// More threads than this do no more work, and very many cannot be started.
const MOST_JOBS: usize = 256;

/// Runs `work` over all sources on all cores and `then` on each result, in the order of the sources.
///
/// Sources are started in order, so few results wait for an earlier one. When `then` stops, the rest is left.
pub fn each<T: Send>(
    session: &mut Session,
    jobs: Option<usize>,
    sources: &[Source],
    work: impl Fn(&Source) -> T + Sync,
    mut then: impl FnMut(&mut Session, &Source, T) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.map_or(0, |jobs| jobs.min(sources.len().max(1)).min(MOST_JOBS)))
        .build()
        .map_err(|error| Stop::Failed(format!("cannot start workers: {error}")))?;
    let bar = start_bar(session, sources.len());
    session.out.bar = bar.clone();
    let result = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<(usize, T)>();
        let work = &work;
        scope.spawn(move || {
            pool.install(|| {
                // A send fails when the receiver has stopped: then nobody wants the rest.
                let _ = sources
                    .iter()
                    .enumerate()
                    .par_bridge()
                    .try_for_each_with(sender, |sender, (index, source)| sender.send((index, work(source))));
            });
        });
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, value) in receiver {
            waiting.insert(index, value);
            while let (Some(value), Some(source)) = (waiting.remove(&next), sources.get(next)) {
                next += 1;
                if let Some(bar) = &bar {
                    bar.inc(1);
                }
                then(session, source, value)?;
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

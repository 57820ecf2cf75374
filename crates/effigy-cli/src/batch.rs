//! Many files at once, and the results in the order of the inputs.

use crate::args::Reading;
use crate::inputs::Source;
use crate::session::{Session, Stop};
use effigy::{Document, Result, Severity};
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
    /// How large the file is.
    pub fn length(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }
}

/// The errors that did not stop the reader: the file opens, but a part of it is broken.
pub fn errors(document: &dyn Document) -> Vec<String> {
    let broken = document.diagnostics().iter().filter(|one| one.severity == Severity::Error);
    broken
        .map(|one| {
            let offset = one.offset.map(|offset| format!("{offset:#x}: ")).unwrap_or_default();
            let place = if one.path.is_empty() { String::new() } else { format!("{}: ", one.path) };
            format!("{offset}{place}{} ({})", one.message, one.code)
        })
        .collect()
}

/// Reads one source into a model, with the files beside it that belong to it.
pub fn load(source: &Source, reading: &Reading) -> Result<Loaded> {
    let (format, bytes) = source.read(reading)?;
    let mut document = effigy::read_with(&bytes, format, &reading.limits())?;
    for (index, name) in document.companions(&source.file_name()).iter().enumerate() {
        if let Some(bytes) = source.beside(name, reading) {
            document.attach(index, &bytes).map_err(|error| error.hint(format!("it comes from {name}")))?;
        }
    }
    Ok(Loaded { document, bytes })
}

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
        .num_threads(jobs.unwrap_or(0))
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

fn start_bar(session: &Session, length: usize) -> Option<ProgressBar> {
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

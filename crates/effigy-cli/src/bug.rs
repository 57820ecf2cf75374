//! Bugs of this program: a panic becomes an error with what to send, and costs one file, not the run.

use effigy::{Error, Kind, Result};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Whether a panic of this thread is caught.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// What the last panic of this thread said, and where it was.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic is reported in words that users understand. One that [`caught`] catches is not printed.
pub fn install_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (None, Some(text)) => text.clone(),
            (None, None) => "a panic without a message".to_owned(),
        };
        let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let text = format!("{message}{}", place.unwrap_or_default());
        if !CAUGHT.get() {
            use std::io::Write;
            // A stderr that is gone cannot be written to.
            let _ = writeln!(std::io::stderr(), "error: this is a bug in effigy: {text}\n  {}", hint());
        }
        LAST.set(text);
    }));
}

/// Runs something; a panic in it becomes an error.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T> {
    let before = CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(before);
    result.map_err(|_| {
        let text = format!("this is a bug in effigy, not in the file: {}", LAST.take());
        Error::new(Kind::Unsupported, text).hint(hint())
    })
}

fn hint() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "please report it with the file, the command and this line (effigy {version}, {})",
        std::env::consts::OS
    )
}

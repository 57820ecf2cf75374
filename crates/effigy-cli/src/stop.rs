//! A run that is interrupted (Ctrl-C, a signal to end, a closed terminal) leaves no unfinished files.

use effigy::assets::destination;

/// What shells report for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// From now on an interruption removes the files that are being written, and ends the process.
pub fn install_handler() {
    // Where there can be no handler, an interruption ends the process as it always does.
    let _ = ctrlc::set_handler(|| {
        destination::remove_unfinished();
        // At once: what libraries do at the end of a process would meet threads that are still working, such as those of a
        // graphics driver.
        signal_hook::low_level::exit(INTERRUPTED);
    });
}

//! `cargo xtask viewer`: pictures of the viewer's window in many states, to be looked at, and the one of the documentation.

use effigy_testkit::{Shell, Task};

/// Takes the pictures.
pub fn run(shell: &mut Shell) -> Task {
    let folder = shell.target().join("viewer");
    shell.set("EFFIGY_SNAPSHOTS", &folder.display().to_string());
    shell.run(&["cargo", "test", "--package", "effigy-view", "--test", "window"])?;
    let (from, to) = (folder.join("viewer.png"), shell.root().join("docs/images/viewer.png"));
    std::fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    shell.say(&format!("the pictures are in {}; docs/images/viewer.png was replaced", folder.display()));
    Ok(())
}

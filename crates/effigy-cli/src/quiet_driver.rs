//! Keeps Mesa from complaining where there is no desktop.
//!
//! One of its layers looks for a Wayland display whenever Vulkan starts, and libwayland writes an error to stderr where
//! `XDG_RUNTIME_DIR` is not set, as on servers and in containers. The layer only orders devices, which we do ourselves. It
//! can be turned off by the environment alone, and a program cannot safely change its own: so it starts itself again.

use crate::args::Command;

/// Replaces this process where the driver would complain. Returns where there is nothing to do, or where it cannot.
#[cfg(target_os = "linux")]
pub fn prepare(command: &Command) {
    use std::os::unix::process::CommandExt;
    const OFF: &str = "NODEVICE_SELECT";
    let draws = matches!(command, Command::Render(_) | Command::Thumbnail(_) | Command::Demo(_))
        || matches!(command, Command::Catalog(args) if args.draws());
    #[cfg(feature = "view")]
    let draws = draws || matches!(command, Command::View(_));
    let set = |name| std::env::var_os(name).is_some();
    if draws && !set("XDG_RUNTIME_DIR") && !set(OFF) {
        let mut arguments = std::env::args_os();
        if let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe()) {
            // It only returns when it fails, and then all goes on as it is.
            let _ = std::process::Command::new(program).arg0(name).args(arguments).env(OFF, "1").exec();
        }
    }
}

/// Other systems have no such layer.
#[cfg(not(target_os = "linux"))]
pub fn prepare(_: &Command) {}

//! `effigy view`: models in a window.

use crate::args::{AssetArgs, PartArgs, Reading};
use crate::session::{Exit, Session, Stop};
use clap::Args;
use effigy_view::native::{WindowOptions, run as open_window};
use std::path::PathBuf;

/// Options of `effigy view`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy view footman.mdx                 a model, and its folder in the list
  effigy view map.w3x                     the models of a map
  effigy view models/ --assets War3.mpq   a folder, with the game's textures

Keys: Space plays, W is the next sequence, Enter fits the view, H lists all keys.")]
pub struct ViewArgs {
    /// Models, folders, archives, or archive:path inside
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    /// Where textures are looked for.
    #[command(flatten)]
    assets: AssetArgs,
    #[command(flatten)]
    parts: PartArgs,
}

/// Whether a window can be opened, as far as the environment says.
fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET")
}

/// The file that keeps the settings, where the system keeps those of programs.
fn settings() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("effigy/viewer.conf"))
}

pub fn run(session: &mut Session, args: &ViewArgs) -> Result<Exit, Stop> {
    if !has_display() {
        let text = "there is no display to open a window on; `effigy render` makes pictures without one";
        return Err(Stop::Failed(text.to_owned()));
    }
    let open = args.parts.add(args.assets.options(session, &args.reading)?);
    let options = WindowOptions { paths: args.paths.clone(), open, settings: settings() };
    open_window(options).map_err(|error| {
        let hint = error.hint_text().map(|hint| format!("\n{hint}")).unwrap_or_default();
        Stop::Failed(format!("{error}{hint}"))
    })?;
    Ok(Exit::Fine)
}

//! The viewer: classic game models in a window, and the same code for a web page.
//!
//! [`Viewer`] is the whole program without a window: it draws itself with egui into any [`egui::Ui`], and the model with
//! `effigy-render` into a texture that egui shows. What depends on the system, such as dialogs and saved settings, is
//! behind the [`Platform`] trait. `native` opens a window, the crate `effigy-web` is a page; tests give it a platform that does nothing.
//!
//! | module | what is in it |
//! |---|---|
//! | [`commands`] | the one table of commands: menu, keys, help window and documentation follow from it |
//! | `session` | the opened model with its scene, findings and textures |
//! | `playback`, `orbit`, `pick` | time, camera and clicks, without any user interface |
//! | `open` | what becomes of files that are chosen or dropped |
//! | `compare`, `assembly`, `looks` | a second model, attached models, what a model of World of Warcraft wears |
//! | `library`, `thumbnails` | the folder or archive that is browsed, with small pictures |
//! | `viewport`, `capture`, `job` | the picture of the model, and files of pictures, which are made in steps |
//! | `link`, `status` | what is shown, as a link and for programs around the viewer |
//! | `panels` | one file per panel |

mod act;
mod app;
mod assembly;
mod blit;
mod capture;
pub mod commands;
mod compare;
mod export;
mod fields;
mod job;
mod library;
mod link;
mod looks;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
mod open;
mod orbit;
mod panels;
mod parts;
mod pick;
mod platform;
mod playback;
mod session;
mod settings;
mod status;
mod stopwatch;
mod thumbnails;
mod viewport;

pub use app::Viewer;
pub use platform::{Content, NoPlatform, Platform, PlatformEvent, SavedFiles};
pub use playback::LoopMode;
pub use settings::Settings;
pub use status::Status;

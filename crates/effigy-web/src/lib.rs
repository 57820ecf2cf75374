//! The viewer as a web page: what JavaScript calls. `web/effigy.js` wraps it for people.
//!
//! | module | what is in it |
//! |---|---|
//! | `viewer` | a viewer on a canvas |
//! | `model` | a model without a viewer: findings, conversions, pictures |
//! | `browser` | the browser as the viewer's platform: downloads, dialogs, kept settings |
//! | `fonts` | the fonts of the page |
//! | `widgets` | names and places of what can be clicked, from the tree that screen readers use |
//! | `json` | answers as JSON |

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod fonts;
#[cfg(target_arch = "wasm32")]
mod json;
#[cfg(target_arch = "wasm32")]
mod model;
#[cfg(target_arch = "wasm32")]
mod viewer;
#[cfg(target_arch = "wasm32")]
mod widgets;

/// How files are opened. A page has no other thread and little memory: what unpacks to more than 64 MB, a picture of 4096 x 4096
/// pixels, would stop it for seconds.
#[cfg(target_arch = "wasm32")]
fn options() -> effigy::OpenOptions {
    let limits = effigy::Limits { unpacked_bytes: 64 << 20, ..effigy::Limits::DEFAULT };
    effigy::OpenOptions { limits, ..effigy::OpenOptions::default() }
}

//! One module a subcommand.

pub mod build;
pub mod catalog;
pub mod check;
pub mod completions;
pub mod convert;
pub mod demo;
pub mod diff;
pub mod dump;
pub mod edit;
pub mod extract;
pub mod formats;
pub mod info;
pub mod list;
pub mod man;
pub mod optimize;
pub mod pack;
pub mod render;
pub mod schema;
pub mod thumbnail;
pub mod verify;
#[cfg(feature = "view")]
pub mod view;

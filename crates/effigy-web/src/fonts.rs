//! The fonts of the page.

use egui::{FontData, FontDefinitions, FontFamily};
use std::sync::Arc;

/// One font for everything: another one for text in columns would be a twentieth of what visitors download. Its digits
/// have the same width. `build/font.rs` makes it smaller.
pub fn definitions() -> FontDefinitions {
    const NAME: &str = "Ubuntu-Light";
    let mut fonts = FontDefinitions::empty();
    let data = FontData::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/font.ttf")));
    fonts.font_data.insert(NAME.to_owned(), Arc::new(data));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![NAME.to_owned()]);
    }
    fonts
}

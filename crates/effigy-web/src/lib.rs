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

#[cfg(test)]
#[path = "../build/font.rs"]
mod font;

#[cfg(test)]
mod tests {
    use epaint_default_fonts::UBUNTU_LIGHT;
    use skrifa::instance::{LocationRef, Size};
    use skrifa::outline::{DrawSettings, pen::PathElement};
    use skrifa::{FontRef, GlyphId, MetadataProvider};

    fn outline(font: &FontRef<'_>, glyph: GlyphId) -> Vec<PathElement> {
        let mut path = Vec::new();
        if let Some(glyph) = font.outline_glyphs().get(glyph) {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            assert!(glyph.draw(settings, &mut path).is_ok());
        }
        path
    }

    /// skrifa reads both fonts, as the page does.
    #[test]
    fn a_font_without_hints_has_the_same_letters() {
        let small = super::font::without_hints(UBUNTU_LIGHT).unwrap_or_default();
        assert!(small.len() < UBUNTU_LIGHT.len() / 2 + 10_000, "{}", small.len());
        let fonts = [FontRef::new(UBUNTU_LIGHT), FontRef::new(&small)];
        let [Ok(before), Ok(after)] = fonts else { panic!("not a font") };
        let letters: Vec<(u32, GlyphId)> = before.charmap().mappings().collect();
        assert!(letters.len() > 1000 && after.charmap().mappings().eq(letters));
        let (size, place) = (Size::unscaled(), LocationRef::default());
        let widths = [&before, &after].map(|font| font.glyph_metrics(size, place));
        let mut drawn = 0;
        for glyph in (0..1261).map(GlyphId::new) {
            let path = outline(&before, glyph);
            drawn += usize::from(!path.is_empty());
            assert_eq!(outline(&after, glyph), path, "{glyph}");
            assert_eq!(widths[1].advance_width(glyph), widths[0].advance_width(glyph), "{glyph}");
        }
        assert!(drawn > 1200, "{drawn}");
    }

    #[test]
    fn what_is_not_a_font_is_refused() {
        for length in [0, 3, 11, 13, 200, 5000, UBUNTU_LIGHT.len() / 2] {
            let part = UBUNTU_LIGHT.get(..length).unwrap_or_default();
            assert_eq!(super::font::without_hints(part), None, "{length}");
        }
    }
}

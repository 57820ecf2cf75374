//! `.skin` files: the shaders of surfaces, and the models that are attached to the model.
//!
//! Each line is a pair `surface,shader`. A name that contains `md3_` attaches a model instead, a name that contains `tag_`
//! is ignored by the games, and `playerscale` scales the whole model.

use crate::Name;
use crate::text::lines;
use effigy_wire::Result;

/// The contents of a `.skin` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Surface (lower-cased, as the games compare it) and shader, in file order.
    pub surfaces: Vec<(String, String)>,
    /// Attachment (`md3_hat`) and path of the attached model, in file order. The path may end in `.md3` although the file
    /// is an `.mdc`.
    pub attachments: Vec<(String, String)>,
    /// Names of tags; games ignore them.
    pub tags: Vec<String>,
    /// Scale of the whole model.
    pub scale: Option<f32>,
}

impl Skin {
    /// Parses a skin.
    ///
    /// # Errors
    /// When `playerscale` is not a number.
    pub fn parse(text: &str) -> Result<Self> {
        let mut skin = Self::default();
        for line in lines(text, &[',']) {
            let mut words = line.into_iter();
            let Some(first) = words.next() else { continue };
            let name = first.text.to_ascii_lowercase();
            let second = words.next();
            let value = || second.as_ref().map_or_else(String::new, |word| word.text.to_owned());
            if name.contains("tag_") {
                skin.tags.push(name);
            } else if name.contains("md3_") {
                skin.attachments.push((name, value()));
            } else if name.contains("playerscale") {
                let word = second.ok_or_else(|| first.wrong("a scale after playerscale"))?;
                skin.scale = Some(word.float()?);
            } else {
                skin.surfaces.push((name, value()));
            }
        }
        Ok(skin)
    }

    /// The shader of a surface, if the skin has one for it.
    #[must_use]
    pub fn shader(&self, surface: &Name) -> Option<&str> {
        let name = surface_key(&surface.text());
        self.surfaces.iter().find(|(surface, _)| *surface == name).map(|(_, shader)| shader.as_str())
    }
}

/// The name of a surface as the games compare it with skins: in lower case, and without a suffix of `_` and one character
/// (added by an old exporter).
#[must_use]
pub fn surface_key(name: &str) -> String {
    let mut key = name.to_ascii_lowercase();
    let mut last = key.char_indices().rev();
    if key.len() > 2
        && last.next().is_some()
        && let Some((at, '_')) = last.next()
    {
        key.truncate(at);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_attachments_tags_and_scale_are_distinguished() {
        let text = "// a head\nH_Face,models/players/face.tga\nh_blink, \"models/my face.tga\"\n\
                    md3_hat,\"models/hat.md3\"\ntag_head,\nplayerscale,1.1\n\n/* h_no,x\n */ h_teeth,nodraw\n";
        let skin = Skin::parse(text).unwrap();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            skin.surfaces,
            [
                pair("h_face", "models/players/face.tga"),
                pair("h_blink", "models/my face.tga"),
                pair("h_teeth", "nodraw")
            ]
        );
        assert_eq!(skin.attachments, [pair("md3_hat", "models/hat.md3")]);
        assert_eq!((skin.tags.as_slice(), skin.scale), (&["tag_head".to_owned()][..], Some(1.1)));
        assert_eq!(skin.shader(&Name::new("H_FACE").unwrap()), Some("models/players/face.tga"));
        assert_eq!(skin.shader(&Name::new("body").unwrap()), None);
    }

    #[test]
    fn surface_names_lose_an_old_suffix() {
        assert_eq!(surface_key("U_Torso_1"), "u_torso");
        assert_eq!(surface_key("a_1"), "a");
        assert_eq!(surface_key("_1"), "_1");
        assert_eq!(surface_key("h_blink"), "h_blink");
        assert_eq!(surface_key("x_é"), "x");
    }

    #[test]
    fn a_scale_that_is_not_a_number_is_an_error_with_line_and_column() {
        let error = Skin::parse("a,b\nplayerscale,big").unwrap_err();
        assert_eq!(error.to_string(), "2:13: a number expected, found \"big\"");
    }
}

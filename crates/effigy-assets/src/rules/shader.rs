//! The shader scripts (`scripts/*.shader`) of a game folder, by name.

use crate::{Source, name};
use std::collections::BTreeMap;

pub use effigy_mdc::shader::Shader;

/// All shaders of a set of scripts, by name without extension.
#[derive(Clone, Debug, Default)]
pub struct Shaders {
    all: BTreeMap<String, Shader>,
}

impl Shaders {
    /// Adds the scripts of a source that match a pattern, such as `scripts/*.shader`. Unreadable files are skipped.
    pub fn load(&mut self, source: &dyn Source, pattern: &str) {
        let entries = source.list().unwrap_or_default();
        for entry in entries.iter().filter(|entry| name::matches(pattern, &entry.name)) {
            if let Ok(bytes) = source.open(entry) {
                self.parse(&String::from_utf8_lossy(&bytes));
            }
        }
    }

    /// Adds the shaders of a script. Of several with the same name the first is kept, as in the game.
    pub fn parse(&mut self, script: &str) {
        for (shader, content) in effigy_mdc::shader::parse(script) {
            self.all.entry(name::key(&name::with_extension(&shader, ""))).or_insert(content);
        }
    }

    /// The shader of this name, with or without extension.
    #[must_use]
    pub fn get(&self, shader: &str) -> Option<&Shader> {
        self.all.get(&name::key(&name::with_extension(shader, "")))
    }

    /// The number of shaders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shaders_are_found_by_any_spelling_of_their_name_and_the_first_wins() {
        let mut shaders = Shaders::default();
        shaders.parse(
            "models/Fire.tga\n{\n{ map a.tga }\n}\ntextures/one { { map textures/two.tga } }\n\
             models/fire { { map later.tga } }",
        );
        let images =
            |name: &str| -> Vec<String> { shaders.get(name).unwrap().images().map(str::to_owned).collect() };
        assert_eq!(images(r"MODELS\fire"), ["a.tga"]);
        assert_eq!(images("textures/one.jpg"), ["textures/two.tga"]);
        assert_eq!(shaders.len(), 2);
        assert!(shaders.get("models/none").is_none());
    }
}

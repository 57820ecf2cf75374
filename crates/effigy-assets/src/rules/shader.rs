//! Shader scripts of the Quake III family (`scripts/*.shader`): which images a shader is made of.
//!
//! A script is a name and a block; blocks inside it are stages, one keyword a line. Only images are taken from it here.

use crate::{Stack, name};
use std::collections::BTreeMap;

/// What one shader script says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shader {
    /// Its images, in the order of its stages; names that start with `$` are built in.
    pub images: Vec<String>,
    /// Whether it is seen from both sides.
    pub two_sided: bool,
}

/// All shaders of a set of scripts, by name without extension.
#[derive(Clone, Debug, Default)]
pub struct Shaders {
    all: BTreeMap<String, Shader>,
}

impl Shaders {
    /// Adds all scripts of a stack of sources. Sources that cannot be listed and scripts that cannot be read are left out.
    pub fn load(&mut self, stack: &Stack) {
        for found in stack.list().unwrap_or_default() {
            if name::matches("scripts/*.shader", &found.entry.name)
                && let Ok(bytes) = found.read()
            {
                self.parse(&String::from_utf8_lossy(&bytes));
            }
        }
    }

    /// Adds the shaders of a script. Of several with the same name the first is kept, as the game does it.
    pub fn parse(&mut self, script: &str) {
        let mut depth = 0_usize;
        let mut current: Option<(String, Shader)> = None;
        let mut pending = String::new();
        for line in script.lines() {
            let line = line.split("//").next().unwrap_or("");
            let spaced = line.replace('{', " { ").replace('}', " } ");
            let words: Vec<&str> = spaced.split_whitespace().collect();
            let mut keyword: Vec<&str> = Vec::new();
            for word in words {
                match word {
                    "{" => {
                        if depth == 0 {
                            current =
                                Some((name::key(&name::with_extension(&pending, "")), Shader::default()));
                        }
                        depth += 1;
                    }
                    "}" => {
                        if let Some((_, shader)) = &mut current {
                            shader.take(&keyword);
                        }
                        keyword.clear();
                        depth = depth.saturating_sub(1);
                        if depth == 0
                            && let Some((key, shader)) = current.take()
                        {
                            self.all.entry(key).or_insert(shader);
                        }
                    }
                    word if depth == 0 => word.clone_into(&mut pending),
                    word => keyword.push(word),
                }
            }
            if let Some((_, shader)) = &mut current {
                shader.take(&keyword);
            }
        }
    }

    /// The shader of this name, with or without extension.
    #[must_use]
    pub fn get(&self, shader: &str) -> Option<&Shader> {
        self.all.get(&name::key(&name::with_extension(shader, "")))
    }

    /// How many there are.
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

impl Shader {
    fn take(&mut self, words: &[&str]) {
        let Some((keyword, rest)) = words.split_first() else { return };
        match (keyword.to_ascii_lowercase().as_str(), rest) {
            ("map" | "clampmap", [image, ..]) => self.images.push((*image).to_owned()),
            ("animmap" | "clampanimmap", [_, images @ ..]) => {
                self.images.extend(images.iter().map(|image| (*image).to_owned()));
            }
            ("cull", [side, ..]) => {
                self.two_sided =
                    ["none", "twosided", "disable"].iter().any(|word| word.eq_ignore_ascii_case(side));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_taken_from_stages() {
        let mut shaders = Shaders::default();
        shaders.parse(
            "// a comment { not a block\n\
             models/Fire.tga\n{\n cull none\n surfaceparm trans\n\
             { animMap 10 a.tga b.tga // end\n blendFunc add }\n\
             {\n clampMap $whiteimage\n }\n}\n\
             textures/one { { map textures/two.tga } }\n\
             models/fire { { map later.tga } }",
        );
        let fire = shaders.get(r"MODELS\fire").unwrap();
        assert_eq!(fire.images, ["a.tga", "b.tga", "$whiteimage"]);
        assert!(fire.two_sided);
        assert_eq!(shaders.get("textures/one.jpg").unwrap().images, ["textures/two.tga"]);
        assert_eq!(shaders.len(), 2);
    }

    #[test]
    fn unbalanced_scripts_do_no_harm() {
        let mut shaders = Shaders::default();
        shaders.parse("} } a { { map x.tga ");
        shaders.parse("}}}}}");
        assert!(shaders.is_empty());
    }
}

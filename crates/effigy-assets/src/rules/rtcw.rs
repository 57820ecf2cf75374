//! Return to Castle Wolfenstein and Enemy Territory: names of images and shaders.
//!
//! A surface names a shader. If there is no script for it, the name is the path of an image whose extension can be wrong:
//! often the name ends in `.tga` and the file is a `.jpg`.

use super::Names;
use super::shader::Shader;
use crate::name;

/// The possible paths of an image, in the order in which they are tried: the name itself, then `.tga` and `.jpg`, then the
/// formats of newer engines.
///
/// `model` is the path of the model inside its source (empty if it has none); files next to it are tried last.
#[must_use]
pub fn texture_candidates(reference: &str, model: &str) -> Vec<String> {
    let mut names = Names::default();
    if name::tidy(reference).is_empty() || reference.starts_with(['$', '*']) {
        return Vec::new();
    }
    let model_folder = name::folder(model);
    for place in [reference.to_owned(), name::join(model_folder, name::file_name(reference))] {
        if !name::extension(&place).is_empty() {
            names.add(place.clone());
        }
        for extension in ["tga", "jpg", "jpeg", "png", "dds"] {
            names.add(name::with_extension(&place, extension));
        }
    }
    names.into_vec()
}

/// The possible paths of the image of a shader: those of the first image of its script, or of the name itself if there is
/// no script. If the script contains an image with the shader's own name, it is that image.
#[must_use]
pub fn shader_candidates(shader: &str, model: &str, script: Option<&Shader>) -> Vec<String> {
    let script = script.filter(|script| !script.images().any(|image| same(image, shader)));
    let image = script.and_then(|script| script.images().next());
    texture_candidates(image.unwrap_or(shader), model)
}

fn same(a: &str, b: &str) -> bool {
    let key = |path: &str| name::key(&name::with_extension(path, ""));
    key(a) == key(b)
}

#[cfg(test)]
mod tests {
    use super::super::shader::Shaders;
    use super::*;

    #[test]
    fn a_named_tga_is_found_as_jpg() {
        let names = texture_candidates("models/weapons2/luger/luger.tga", "");
        assert_eq!(names[..2], ["models/weapons2/luger/luger.tga", "models/weapons2/luger/luger.jpg"]);
        assert_eq!(texture_candidates("textures/x", "")[0], "textures/x.tga");
        assert!(texture_candidates("$whiteimage", "").is_empty());
    }

    #[test]
    fn scripts_come_before_images() {
        let candidates = |shaders: &Shaders, shader: &str| shader_candidates(shader, "", shaders.get(shader));
        let mut shaders = Shaders::default();
        shaders.parse("models/x\n{\n{\nmap models/y.tga\n}\n}\n");
        assert_eq!(candidates(&shaders, r"Models\X.tga")[0], "models/y.tga");
        assert_eq!(candidates(&shaders, "models/z.tga")[0], "models/z.tga");
        shaders.parse("models/shiny { { map env.tga }\n{ map models/shiny.tga\n blendFunc blend } }");
        assert_eq!(candidates(&shaders, "models/shiny.tga")[0], "models/shiny.tga");
    }
}

//! Models made by code, one module per format, that use every feature: the demo that `effigy demo` writes and the
//! fixtures of the tests. No game file is in here.

pub mod creature;
pub mod image_file;
pub mod m2;
pub mod mdc;
pub mod mds;
pub mod mdx;

use creature::Texture;

/// A file made by code.
#[derive(Clone, Debug)]
pub struct Sample {
    /// A description without spaces: `mdx-800-everything`.
    pub name: String,
    /// The name to store it under, with its extension.
    pub file_name: String,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// The creature's pictures as TGA files, under the names that its models use.
#[must_use]
pub fn textures() -> Vec<Sample> {
    let creature = creature::creature();
    let pictures = creature.textures.iter().map(|texture| match texture {
        Texture::Picture(picture) => picture,
        Texture::TeamColor => &creature.team_stand_in,
    });
    let chest = mdc::pictures();
    pictures
        .chain([&creature.team_painted])
        .chain(&chest)
        .map(|picture| Sample {
            name: picture.name.to_owned(),
            file_name: format!("{}.tga", picture.name),
            bytes: image_file::tga(picture),
        })
        .collect()
}

/// The shader script of the creature's frames, at the path where the game looks for it, and the text files of the soldier.
#[must_use]
pub fn scripts() -> Vec<Sample> {
    let mut scripts = mds::scripts();
    scripts.push(Sample {
        name: "lanternbeetle-shader".to_owned(),
        file_name: "scripts/lanternbeetle.shader".to_owned(),
        bytes: mdc::SCRIPT.as_bytes().to_vec(),
    });
    scripts
}

/// Every model of every format.
#[must_use]
pub fn all() -> Vec<Sample> {
    [mdx::samples(), mdx::text_samples(), m2::samples(), mdc::samples(), mds::samples()].concat()
}

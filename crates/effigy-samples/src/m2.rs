//! M2: the creature, and a model that uses everything, in every version, with their `.skin` and `.anim` files.
//!
//! `everything` holds what no public file has: ribbons before 264, Hermite cameras, spline emitters, particles with all
//! fields set, and the versions 257 and 261.

mod beetle;
mod everything;
mod parts;

pub use beetle::{creature, hat};
pub use everything::everything;

use crate::Sample;
use effigy_m2::{Model, Version};

/// The versions that samples are made of: vanilla, Burning Crusade, Wrath.
pub const VERSIONS: [u32; 7] = [256, 257, 260, 261, 262, 263, 264];

/// Every version as a value.
pub fn versions() -> impl Iterator<Item = Version> {
    VERSIONS.into_iter().filter_map(|number| Version::new(number).ok())
}

/// Every sample: the creature, then everything, then a hat, each with the files that belong to it.
#[must_use]
pub fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for version in versions() {
        samples.extend(files(&format!("m2-{version}-creature"), &creature(version)));
    }
    for version in versions() {
        samples.extend(files(&format!("m2-{version}-everything"), &everything(version)));
    }
    for version in versions().filter(|version| [256, 264].contains(&version.number())) {
        samples.extend(files(&format!("m2-{version}-hat"), &hat(version)));
    }
    samples
}

/// A model's files: itself, its skins, its animations.
#[must_use]
pub fn files(name: &str, model: &Model) -> Vec<Sample> {
    let file_name = format!("{name}.m2");
    let sample = |file_name: String, bytes: Vec<u8>| {
        let name = file_name.replace('.', "-");
        Sample { name, file_name, bytes }
    };
    let bytes = model.write().unwrap_or_default();
    let mut samples = vec![Sample { name: name.to_owned(), file_name: file_name.clone(), bytes }];
    for companion in model.attached() {
        let name = companion.file_name(model, &file_name).unwrap_or_default();
        samples.push(sample(name, model.write_companion(companion).unwrap_or_default()));
    }
    samples
}

/// A count or index as the number that the format stores.
fn word(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

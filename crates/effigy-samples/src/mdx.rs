//! MDX: the creature and a model that uses everything, in every version of both dialects, and files with the oddities that
//! real files have.

mod beetle;
mod everything;
mod flags;
mod oddities;

pub use beetle::{creature, hat};
pub use everything::everything;
pub use oddities::{Oddity, oddities};

use crate::Sample;
use effigy_mdx::{Dialect, Model};

/// Every sample: first the creature, then everything, then a hat of each dialect, then the oddities.
#[must_use]
pub fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    let versions = || {
        let dialects = [Dialect::Warcraft3, Dialect::WowAlpha].into_iter();
        dialects.flat_map(|dialect| dialect.versions().iter().map(move |&version| (dialect, version)))
    };
    for (dialect, version) in versions() {
        samples.push(sample(&format!("{}-{version}-creature", short(dialect)), &creature(dialect, version)));
    }
    for (dialect, version) in versions() {
        samples
            .push(sample(&format!("{}-{version}-everything", short(dialect)), &everything(dialect, version)));
    }
    for (dialect, version) in [(Dialect::Warcraft3, 800), (Dialect::WowAlpha, 1300)] {
        samples.push(sample(&format!("{}-{version}-hat", short(dialect)), &hat(dialect, version)));
    }
    samples.extend(oddities().into_iter().map(|oddity| oddity.sample));
    samples
}

/// The creature as a classic model of Warcraft III, alone.
#[must_use]
pub fn beetle() -> Vec<u8> {
    sample("mdx-800-creature", &creature(Dialect::Warcraft3, 800)).bytes
}

/// The creature as MDL text, at each version of Warcraft III.
#[must_use]
pub fn text_samples() -> Vec<Sample> {
    let text = |version: &u32| {
        let name = format!("mdl-{version}-creature");
        let (bytes, _) =
            effigy_mdx::text::print(&creature(Dialect::Warcraft3, *version), &Default::default());
        Sample { file_name: format!("{name}.mdl"), name, bytes }
    };
    Dialect::Warcraft3.versions().iter().map(text).collect()
}

fn short(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Warcraft3 => "mdx",
        Dialect::WowAlpha => "mdx-wow",
    }
}

fn sample(name: &str, model: &Model) -> Sample {
    let bytes = model.write().unwrap_or_default();
    Sample { name: name.to_owned(), file_name: format!("{name}.mdx"), bytes }
}

/// The number of nodes, which WoW alpha states with the model's name.
fn count_nodes(model: &mut Model) {
    let count = word(model.nodes().count());
    if model.dialect() == Dialect::WowAlpha {
        model.info.iter_mut().for_each(|info| info.node_count = count);
    }
}

/// An index as the signed number that the format stores.
fn int(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// A count or index as the unsigned number that the format stores.
fn word(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The inner size of a `PRE2` record in WoW alpha: all fields up to the tracks, that word included.
fn pre2_content_size(spline_points: usize) -> u32 {
    795 + 12 * word(spline_points)
}

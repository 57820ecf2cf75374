//! The names under which a game looks for the files that a model refers to; one module per game.

pub mod rtcw;
pub mod shader;
pub mod slk;
pub mod warcraft3;
pub mod wow;

use crate::name;

/// A list of names without repetition, in the order in which they were added.
#[derive(Default)]
pub(crate) struct Names {
    names: Vec<String>,
    keys: std::collections::BTreeSet<String>,
}

impl Names {
    pub(crate) fn add(&mut self, candidate: String) {
        let key = name::key(&candidate);
        if !key.is_empty() && self.keys.insert(key) {
            self.names.push(name::tidy(&candidate));
        }
    }

    pub(crate) fn into_vec(self) -> Vec<String> {
        self.names
    }
}

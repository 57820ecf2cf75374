//! The operations and how they are spelled: a verb and one argument.

use crate::Pattern;
use effigy_wire::{Error, Result, Similarity};

/// An operation by its verb, as help shows it.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The word.
    pub name: &'static str,
    /// What its argument looks like.
    pub argument: &'static str,
    /// What it does.
    pub help: &'static str,
}

const fn verb(name: &'static str, argument: &'static str, help: &'static str) -> Verb {
    Verb { name, argument, help }
}

/// Every verb.
pub const VERBS: &[Verb] = &[
    verb("set", "PATH=VALUE", "Set a field by the path that dump prints; [*] stands for every element"),
    verb("rename-sequence", "OLD=NEW", "Rename a sequence, and what refers to it by name"),
    verb("rename-node", "OLD=NEW", "Rename a node"),
    verb(
        "texture-path",
        "REGEX=NEW",
        "Replace what fits a regular expression in texture paths; $1 is its first group",
    ),
    verb(
        "remove",
        "WHAT:NAME",
        "Remove sequence:NAME, geoset:INDEX, node:NAME, emitter:NAME, camera:NAME, or unused; * fits any letters",
    ),
    verb("keep-sequences", "NAME,...", "Remove all sequences but these; * fits any letters"),
    verb("scale", "FACTOR", "Make the model larger or smaller, with speeds, ranges and bounds"),
    verb("rotate", "DEGREES", "Turn the model about the z axis, counter-clockwise from above"),
    verb("translate", "X,Y,Z", "Move the model"),
    verb(
        "sequence-speed",
        "NAME=FACTOR",
        "Play a sequence faster or slower; later ones move on the timeline",
    ),
    verb("recompute", "WHAT", "Compute extents or normals anew"),
];

/// One edit.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Sets a field.
    Set {
        /// Its path.
        path: String,
        /// Its new value, as text.
        value: String,
    },
    /// Renames a sequence.
    RenameSequence {
        /// Its name.
        from: Pattern,
        /// The new name.
        to: String,
    },
    /// Renames a node.
    RenameNode {
        /// Its name.
        from: Pattern,
        /// The new name.
        to: String,
    },
    /// Replaces what fits in the paths of textures.
    TexturePath {
        /// What is replaced.
        find: regex::Regex,
        /// What replaces it.
        to: String,
    },
    /// Removes parts.
    Remove(Part),
    /// Removes all other sequences.
    KeepSequences(Vec<Pattern>),
    /// Scales, turns or moves the model.
    Transform(Similarity),
    /// Changes how fast a sequence plays.
    SequenceSpeed {
        /// Its name.
        name: Pattern,
        /// 2 is twice as fast.
        factor: f64,
    },
    /// Computes bounds anew.
    RecomputeExtents,
    /// Computes normals anew.
    RecomputeNormals,
}

/// What can be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Sequences by name.
    Sequence(Pattern),
    /// A geoset by position.
    Geoset(usize),
    /// Geosets by name.
    NamedGeoset(Pattern),
    /// Nodes of any kind by name; their children move up to their parents.
    Node(Pattern),
    /// Emitters of any kind by name.
    Emitter(Pattern),
    /// Cameras by name.
    Camera(Pattern),
    /// Textures, materials, texture animations, bones and helpers that nothing uses.
    Unused,
}

impl Operation {
    /// The operation of a verb and its argument.
    ///
    /// # Errors
    /// When there is no such verb, or the argument does not fit it.
    pub fn parse(verb: &str, argument: &str) -> Result<Self> {
        let known = VERBS.iter().find(|known| known.name == verb).ok_or_else(|| {
            let names: Vec<&str> = VERBS.iter().map(|known| known.name).collect();
            Error::usage(format!("there is no operation '{verb}'"))
                .hint(format!("the operations are {}", names.join(", ")))
        })?;
        let written = || Error::usage(format!("--{verb} is written --{verb} {}", known.argument));
        let pair = || argument.split_once('=').filter(|(first, _)| !first.is_empty()).ok_or_else(written);
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| written());
        Ok(match verb {
            "set" => {
                let (path, value) = pair()?;
                Self::Set { path: path.trim().to_owned(), value: value.to_owned() }
            }
            "rename-sequence" => {
                let (from, to) = pair()?;
                Self::RenameSequence { from: Pattern::new(from), to: to.to_owned() }
            }
            "rename-node" => {
                let (from, to) = pair()?;
                Self::RenameNode { from: Pattern::new(from), to: to.to_owned() }
            }
            "texture-path" => {
                // An expression may have an = of its own; a path hardly ever has.
                let (find, to) = argument.rsplit_once('=').ok_or_else(written)?;
                let find = regex::Regex::new(find)
                    .map_err(|error| Error::usage(format!("--texture-path: {error}")))?;
                Self::TexturePath { find, to: to.to_owned() }
            }
            "remove" => Self::Remove(Part::parse(argument).ok_or_else(written)?),
            "keep-sequences" => {
                let names = argument.split(',').map(str::trim).filter(|name| !name.is_empty());
                Self::KeepSequences(names.map(Pattern::new).collect())
            }
            "scale" => Self::Transform(Similarity::scale(number(argument)?)?),
            "rotate" => Self::Transform(Similarity::turn(number(argument)?)?),
            "translate" => {
                let numbers: Vec<f64> = argument.split(',').map(number).collect::<Result<_>>()?;
                let [x, y, z] = numbers.as_slice() else { return Err(written()) };
                Self::Transform(Similarity::shift([*x, *y, *z])?)
            }
            "sequence-speed" => {
                let (name, factor) = argument.rsplit_once('=').ok_or_else(written)?;
                let factor = number(factor)?;
                if !factor.is_finite() || factor <= 0.0 {
                    return Err(Error::usage(format!("a speed has to be above zero, and {factor} is not")));
                }
                Self::SequenceSpeed { name: Pattern::new(name), factor }
            }
            "recompute" => match argument {
                "extents" => Self::RecomputeExtents,
                "normals" => Self::RecomputeNormals,
                _ => return Err(written().hint("extents or normals can be computed")),
            },
            _ => return Err(written()),
        })
    }
}

impl Operation {
    /// The verb that the operation is written with.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Set { .. } => "set",
            Self::RenameSequence { .. } => "rename-sequence",
            Self::RenameNode { .. } => "rename-node",
            Self::TexturePath { .. } => "texture-path",
            Self::Remove(_) => "remove",
            Self::KeepSequences(_) => "keep-sequences",
            Self::Transform(by) if by.turns() => "rotate",
            Self::Transform(by) if by.moves() => "translate",
            Self::Transform(_) => "scale",
            Self::SequenceSpeed { .. } => "sequence-speed",
            Self::RecomputeExtents | Self::RecomputeNormals => "recompute",
        }
    }

    /// The error for a model of a format that does not have this operation.
    #[must_use]
    pub fn not_for(&self, format: &str) -> Error {
        let verb = self.verb();
        let others = match verb {
            "scale" => "MDX, MDL, M2 before version 264, MD3, MDS, MDM and Enemy Territory's MDX",
            "translate" => "MDX, MDL, M2 before version 264 and MD3",
            "texture-path" => "MDX, MDL, M2, MDC, MD3, MDS and MDM",
            "rename-node" => "MDX, MDL, MDC, MD3, MDS, MDM and Enemy Territory's MDX",
            _ => "MDX and MDL",
        };
        Error::unsupported(format!("{format} models cannot be edited with --{verb}"))
            .hint(format!("it works with {others}"))
    }
}

impl Part {
    fn parse(text: &str) -> Option<Self> {
        if text == "unused" {
            return Some(Self::Unused);
        }
        let (kind, name) = text.split_once(':')?;
        let pattern = Pattern::new(name);
        Some(match kind {
            "sequence" => Self::Sequence(pattern),
            "geoset" => name.parse().map_or(Self::NamedGeoset(pattern), Self::Geoset),
            "node" => Self::Node(pattern),
            "emitter" => Self::Emitter(pattern),
            "camera" => Self::Camera(pattern),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_is_known_and_refuses_nonsense() {
        for (verb, argument) in [
            ("set", "SEQS[0].rarity=1"),
            ("rename-sequence", "Stand=Stand Ready"),
            ("rename-node", "Bone=Root"),
            ("texture-path", r"^Textures\\(.*)=war3mapImported\$1"),
            ("remove", "sequence:Decay*"),
            ("keep-sequences", "Stand*,Walk"),
            ("scale", "1.5"),
            ("rotate", "-90"),
            ("translate", "0,0,10"),
            ("sequence-speed", "Walk=2"),
            ("recompute", "extents"),
        ] {
            assert!(Operation::parse(verb, argument).is_ok(), "{verb} {argument}");
            assert!(VERBS.iter().any(|known| known.name == verb), "{verb}");
        }
        for (verb, argument) in [
            ("set", "SEQS[0].rarity"),
            ("texture-path", "(=x"),
            ("remove", "everything"),
            ("scale", "-1"),
            ("scale", "x"),
            ("translate", "1,2"),
            ("sequence-speed", "Walk=0"),
            ("recompute", "all"),
            ("paint", "red"),
        ] {
            assert!(Operation::parse(verb, argument).is_err(), "{verb} {argument}");
        }
    }
}

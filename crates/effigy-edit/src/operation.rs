//! The operations and how they are spelled: a verb and one argument.

use crate::Pattern;
use crate::mdx::{MergeOptions, TakeOptions};
use effigy_mdx::Model;
use effigy_wire::{Error, Result, Similarity};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    verb(
        "take-animations",
        "FILE[#OPTION,...]",
        "Take the sequences of another model, by the names of nodes; options: rotations-only, scale-to-fit, only=NAME, map=FILE",
    ),
    verb(
        "merge",
        "FILE[#OPTION,...]",
        "Add the meshes and nodes of another model; options: onto=NODE, which carries it, and same-nodes",
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
    /// Takes the sequences of another model.
    TakeAnimations {
        /// The other model.
        from: Arc<Model>,
        /// What is taken, and how.
        options: TakeOptions,
    },
    /// Adds another model.
    Merge {
        /// The other model.
        other: Arc<Model>,
        /// Where it goes.
        options: MergeOptions,
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
            "take-animations" => {
                let (file, list) = argument.rsplit_once('#').unwrap_or((argument, ""));
                let options = take_options(list)?;
                Self::TakeAnimations { from: Arc::new(other_model(verb, file)?), options }
            }
            "merge" => {
                let (file, list) = argument.rsplit_once('#').unwrap_or((argument, ""));
                let options = merge_options(list)?;
                Self::Merge { other: Arc::new(other_model(verb, file)?), options }
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
            Self::TakeAnimations { .. } => "take-animations",
            Self::Merge { .. } => "merge",
            Self::RecomputeExtents | Self::RecomputeNormals => "recompute",
        }
    }

    /// The error for a model of a format that does not have this operation.
    #[must_use]
    pub fn not_for(&self, format: &str) -> Error {
        let verb = self.verb();
        let others = match verb {
            "scale" => "MDX, MDL, M2, MD3, MDS, MDM and Enemy Territory's MDX",
            "translate" => "MDX, MDL, M2, MD3, MDS and Enemy Territory's MDX",
            "rotate" => "MDX, MDL, M2 and MD3",
            "texture-path" => "MDX, MDL, M2, MDC, MD3, MDS and MDM",
            "rename-node" => "MDX, MDL, MDC, MD3, MDS, MDM and Enemy Territory's MDX",
            _ => "MDX and MDL",
        };
        Error::unsupported(format!("{format} models cannot be edited with --{verb}"))
            .hint(format!("it works with {others}"))
    }
}

/// A file that an operation names.
fn file(verb: &str, path: &str) -> Result<Vec<u8>> {
    std::fs::read(path.trim()).map_err(|error| Error::usage(format!("--{verb} {}: {error}", path.trim())))
}

/// The model that an operation takes something from.
fn other_model(verb: &str, path: &str) -> Result<Model> {
    let bytes = file(verb, path)?;
    let read = if effigy_mdx::sniff(&bytes) {
        effigy_mdx::read(&bytes)
    } else if effigy_mdx::text::sniff(&bytes) {
        effigy_mdx::text::parse(&bytes)
    } else {
        Err(Error::usage("neither MDX nor MDL"))
    };
    read.map_err(|error| Error::usage(format!("--{verb} {path}: {error}")))
}

/// What stands after the file: words and pairs, separated by commas.
fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|option| !option.is_empty())
}

fn merge_options(list: &str) -> Result<MergeOptions> {
    let mut options = MergeOptions::default();
    for option in listed(list) {
        match option.split_once('=') {
            None if option == "same-nodes" => options.same_nodes = true,
            Some(("onto", name)) => options.onto = Some(Pattern::new(name)),
            _ => {
                return Err(Error::usage(format!("--merge has no option '{option}'"))
                    .hint("the options are onto=NODE and same-nodes"));
            }
        }
    }
    Ok(options)
}

fn take_options(list: &str) -> Result<TakeOptions> {
    let mut options = TakeOptions::default();
    for option in listed(list) {
        match option.split_once('=') {
            None if option == "rotations-only" => options.rotations_only = true,
            None if option == "scale-to-fit" => options.scale_to_fit = true,
            Some(("only", name)) => options.only.push(Pattern::new(name)),
            Some(("map", path)) => options.names.extend(name_map(path)?),
            _ => {
                return Err(Error::usage(format!("--take-animations has no option '{option}'"))
                    .hint("the options are rotations-only, scale-to-fit, only=NAME and map=FILE"));
            }
        }
    }
    Ok(options)
}

/// Nodes of this model by those of the other one: a TOML file of lines such as `"Bone_Arm" = "Arm Left"`.
fn name_map(path: &str) -> Result<BTreeMap<String, String>> {
    let wrong = |message: String| Error::usage(format!("--take-animations map={path}: {message}"));
    let bytes = file("take-animations map", path)?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
    let line = |(name, value): (String, toml::Value)| match value {
        toml::Value::String(other) => Ok((name.to_lowercase(), other)),
        _ => Err(wrong(format!("'{name}' is not given the name of a node"))),
    };
    table.into_iter().map(line).collect()
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
            ("take-animations", "no such file.mdx"),
            ("take-animations", "no such file.mdx#backwards"),
            ("merge", "no such file.mdx"),
            ("merge", "no such file.mdx#backwards"),
            ("paint", "red"),
        ] {
            assert!(Operation::parse(verb, argument).is_err(), "{verb} {argument}");
        }
    }
}

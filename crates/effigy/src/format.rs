//! The one table of formats: names, extensions, magic words, versions, and what Effigy can do with each.
//!
//! `effigy formats`, telling files apart and `--from` all come from it.

use crate::{Error, Kind, Limits, Model};
use std::fmt;
use std::str::FromStr;

/// A format that Effigy knows by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Binary MDX of Warcraft III and of World of Warcraft's alpha.
    Mdx,
    /// Text MDL of Warcraft III.
    Mdl,
    /// M2 of World of Warcraft.
    M2,
    /// The skin profile next to an M2 from Wrath of the Lich King on.
    Skin,
    /// MDC of Return to Castle Wolfenstein and Enemy Territory.
    Mdc,
    /// MD3 of Quake III and its children.
    Md3,
    /// MDS of Return to Castle Wolfenstein: a body with bones and frames.
    Mds,
    /// MDM of Enemy Territory: a body without bones.
    Mdm,
    /// MDX of Enemy Territory: bones and frames.
    EtMdx,
    /// glTF 2.0 in one file, textures inside.
    Glb,
    /// glTF 2.0 as JSON with its buffer and textures beside it.
    Gltf,
}

/// What can be done with a format at the versions of one [`Dialect`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// It can be read.
    pub read: bool,
    /// It can be written back, byte for byte.
    pub write: bool,
    /// `check` has rules for it.
    pub check: bool,
    /// It can be a target of `convert`.
    pub convert: bool,
    /// It can be drawn.
    pub render: bool,
}

impl Abilities {
    /// Nothing yet: the format is only recognised.
    pub const NONE: Self = Self { read: false, write: false, check: false, convert: false, render: false };
    /// Read and written.
    pub const READ_WRITE: Self = Self { read: true, write: true, ..Self::NONE };
    /// All of it.
    pub const ALL: Self = Self { read: true, write: true, check: true, convert: true, render: true };
}

/// The versions that one game knows of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The game, such as `Warcraft III`.
    pub game: &'static str,
    /// The versions that are known by name; others are read as far as their structure allows.
    pub versions: &'static [u32],
    /// What can be done with them.
    pub abilities: Abilities,
}

/// Reads a file of one format within limits.
pub type Reader = fn(&[u8], &Limits) -> crate::Result<Model>;

/// One format in the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Which format this is.
    pub format: Format,
    /// The word that `--from` and `--to` take.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// File extensions in lower case, the usual one first.
    pub extensions: &'static [&'static str],
    /// The first four bytes; empty for text.
    pub magic: &'static [&'static [u8; 4]],
    /// The games that use it.
    pub dialects: &'static [Dialect],
    /// How it is read; `None` where it is only recognised, or its code is not built in.
    pub read: Option<Reader>,
}

/// What a format crate brings: how to read, what can be done, and the versions of each dialect.
struct Built<const DIALECTS: usize> {
    read: Option<Reader>,
    abilities: Abilities,
    versions: [&'static [u32]; DIALECTS],
}

#[cfg(feature = "mdx")]
const MDX: Built<2> = Built {
    read: Some(crate::formats::mdx::read),
    abilities: Abilities::ALL,
    versions: [effigy_mdx::Dialect::Warcraft3.versions(), effigy_mdx::Dialect::WowAlpha.versions()],
};
#[cfg(not(feature = "mdx"))]
const MDX: Built<2> = Built { read: None, abilities: Abilities::NONE, versions: [&[]; 2] };

/// MDL text of Warcraft III's versions.
#[cfg(feature = "mdx")]
const MDL_READ: Option<Reader> = Some(crate::formats::mdx::read_text);
#[cfg(not(feature = "mdx"))]
const MDL_READ: Option<Reader> = None;

/// M2, then its skins.
#[cfg(feature = "m2")]
const M2: [Built<1>; 2] = [
    Built {
        read: Some(crate::formats::m2::read),
        abilities: Abilities::ALL,
        versions: [effigy_m2::Version::TARGETS],
    },
    Built {
        read: Some(crate::formats::m2::read_skin),
        abilities: Abilities::READ_WRITE,
        versions: [&[effigy_m2::Version::WRATH.number()]],
    },
];
#[cfg(not(feature = "m2"))]
const M2: [Built<1>; 2] = [const { Built { read: None, abilities: Abilities::NONE, versions: [&[]] } }; 2];

/// MDC, then MD3. Both state one version only.
#[cfg(feature = "mdc")]
const MDC: Built<2> = Built {
    read: Some(crate::formats::mdc::read),
    abilities: Abilities::ALL,
    versions: [
        &[effigy_mdc::Format::Mdc.number().unsigned_abs()],
        &[effigy_mdc::Format::Md3.number().unsigned_abs()],
    ],
};
#[cfg(not(feature = "mdc"))]
const MDC: Built<2> = Built { read: None, abilities: Abilities::NONE, versions: [&[]; 2] };

/// MDS, MDM, and Enemy Territory's MDX. Each states one version only.
#[cfg(feature = "mds")]
const MDS: Built<3> = Built {
    read: Some(crate::formats::mds::read),
    abilities: Abilities::ALL,
    versions: [
        &[effigy_mds::Format::Mds.number().unsigned_abs()],
        &[effigy_mds::Format::Mdm.number().unsigned_abs()],
        &[effigy_mds::Format::Mdx.number().unsigned_abs()],
    ],
};
#[cfg(not(feature = "mds"))]
const MDS: Built<3> = Built { read: None, abilities: Abilities::NONE, versions: [&[]; 3] };

/// Every format that Effigy knows, in the order in which they are shown.
pub const FORMATS: &[Entry] = &[
    Entry {
        format: Format::Mdx,
        name: "mdx",
        title: "MDX",
        extensions: &["mdx"],
        magic: &[b"MDLX"],
        dialects: &[
            Dialect { game: "Warcraft III", versions: MDX.versions[0], abilities: MDX.abilities },
            Dialect { game: "WoW alpha", versions: MDX.versions[1], abilities: MDX.abilities },
        ],
        read: MDX.read,
    },
    Entry {
        format: Format::Mdl,
        name: "mdl",
        title: "MDL text",
        extensions: &["mdl"],
        magic: &[],
        dialects: &[Dialect { game: "Warcraft III", versions: MDX.versions[0], abilities: MDX.abilities }],
        read: MDL_READ,
    },
    Entry {
        format: Format::M2,
        name: "m2",
        title: "M2",
        extensions: &["m2"],
        magic: &[b"MD20", b"MD21"],
        dialects: &[Dialect {
            game: "World of Warcraft",
            versions: M2[0].versions[0],
            abilities: M2[0].abilities,
        }],
        read: M2[0].read,
    },
    Entry {
        format: Format::Skin,
        name: "skin",
        title: "M2 skin profile",
        extensions: &["skin"],
        magic: &[b"SKIN"],
        dialects: &[Dialect {
            game: "World of Warcraft",
            versions: M2[1].versions[0],
            abilities: M2[1].abilities,
        }],
        read: M2[1].read,
    },
    Entry {
        format: Format::Mdc,
        name: "mdc",
        title: "MDC",
        extensions: &["mdc"],
        magic: &[b"IDPC"],
        dialects: &[Dialect {
            game: "Return to Castle Wolfenstein",
            versions: MDC.versions[0],
            abilities: MDC.abilities,
        }],
        read: MDC.read,
    },
    Entry {
        format: Format::Md3,
        name: "md3",
        title: "MD3",
        extensions: &["md3"],
        magic: &[b"IDP3"],
        dialects: &[Dialect { game: "Quake III", versions: MDC.versions[1], abilities: MDC.abilities }],
        read: MDC.read,
    },
    Entry {
        format: Format::Mds,
        name: "mds",
        title: "MDS",
        extensions: &["mds"],
        magic: &[b"MDSW"],
        dialects: &[Dialect {
            game: "Return to Castle Wolfenstein",
            versions: MDS.versions[0],
            abilities: MDS.abilities,
        }],
        read: MDS.read,
    },
    Entry {
        format: Format::Mdm,
        name: "mdm",
        title: "MDM",
        extensions: &["mdm"],
        magic: &[b"MDMW"],
        dialects: &[Dialect { game: "Enemy Territory", versions: MDS.versions[1], abilities: MDS.abilities }],
        read: MDS.read,
    },
    Entry {
        format: Format::EtMdx,
        name: "etmdx",
        title: "MDX skeleton",
        // The extension belongs to Warcraft III's MDX as well; the first bytes decide.
        extensions: &["mdx"],
        magic: &[b"MDXW"],
        dialects: &[Dialect { game: "Enemy Territory", versions: MDS.versions[2], abilities: MDS.abilities }],
        read: MDS.read,
    },
    Entry {
        format: Format::Glb,
        name: "glb",
        title: "glTF binary",
        extensions: &["glb"],
        magic: &[b"glTF"],
        dialects: &[GLTF],
        read: GLTF_READ,
    },
    Entry {
        format: Format::Gltf,
        name: "gltf",
        title: "glTF",
        extensions: &["gltf"],
        magic: &[],
        dialects: &[GLTF],
        read: GLTF_READ,
    },
];

/// glTF has no game of its own.
const GLTF: Dialect = Dialect {
    game: "Blender, Unity, Godot, ...",
    versions: &[2],
    abilities: if cfg!(feature = "gltf") { Abilities::ALL } else { Abilities::NONE },
};

#[cfg(feature = "gltf")]
const GLTF_READ: Option<Reader> = Some(crate::formats::gltf::read);
#[cfg(not(feature = "gltf"))]
const GLTF_READ: Option<Reader> = None;

impl Format {
    /// Its row in [`FORMATS`].
    #[must_use]
    pub fn entry(self) -> Option<&'static Entry> {
        FORMATS.iter().find(|entry| entry.format == self)
    }

    /// The word that `--from` and `--to` take.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().map_or("", |entry| entry.name)
    }

    /// What people call it.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.entry().map_or("", |entry| entry.title)
    }

    /// Whether files of this format can be read, which depends on the features that are built in.
    #[must_use]
    pub fn is_readable(self) -> bool {
        self.entry().is_some_and(|entry| entry.read.is_some())
    }

    /// The usual file extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.entry().and_then(|entry| entry.extensions.first().copied()).unwrap_or_default()
    }

    /// The format that usually has this extension (without the dot, any case).
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let lower = extension.to_ascii_lowercase();
        FORMATS.iter().find(|entry| entry.extensions.contains(&lower.as_str())).map(|entry| entry.format)
    }

    /// The format that begins with these four bytes.
    #[must_use]
    pub fn from_magic(magic: &[u8]) -> Option<Self> {
        FORMATS
            .iter()
            .find(|entry| entry.magic.iter().any(|word| magic.starts_with(word.as_slice())))
            .map(|entry| entry.format)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        FORMATS
            .iter()
            .find(|entry| entry.name.eq_ignore_ascii_case(name))
            .map(|entry| entry.format)
            .ok_or_else(|| {
                let known: Vec<_> = FORMATS.iter().map(|entry| entry.name).collect();
                Error::new(Kind::Usage, format!("unknown format '{name}': one of {}", known.join(", ")))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_row_and_comes_back_from_its_name_extension_and_magic() {
        for entry in FORMATS {
            assert_eq!(entry.name.parse::<Format>().unwrap(), entry.format);
            // Enemy Territory's MDX shares its extension with Warcraft III's, which has it first.
            for extension in entry.extensions.iter().filter(|_| entry.format != Format::EtMdx) {
                assert_eq!(Format::from_extension(&extension.to_uppercase()), Some(entry.format));
            }
            for magic in entry.magic {
                assert_eq!(Format::from_magic(magic.as_slice()), Some(entry.format));
            }
            assert_eq!(entry.format.name(), entry.name);
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "fbx".parse::<Format>().unwrap_err();
        assert_eq!(error.kind(), Kind::Usage);
        assert!(error.to_string().contains("mdx, mdl, m2"), "{error}");
    }
}

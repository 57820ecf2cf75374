//! Rules: what they consist of, the macro that declares a family of them, and lookup by code.

use crate::findings::Findings;
pub(crate) use crate::fixes::{Change, Fix};
use crate::profile::Profile;
use crate::{gltf, m2, mdc, mds, mdx};
use effigy_wire::{Code, Severity};

/// One thing that can be wrong with a model.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its stable code.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it matters in the game and how to correct it.
    pub explanation: &'static str,
    /// The kinds of model that it applies to; empty for all.
    pub profiles: &'static [Profile],
    pub(crate) run: Run,
    pub(crate) fix: Option<Fix>,
}

impl Rule {
    /// Whether there is a safe repair for at least some of its findings.
    #[must_use]
    pub const fn has_fix(&self) -> bool {
        self.fix.is_some()
    }

    /// Whether it applies to a kind of model.
    #[must_use]
    pub fn applies_to(&self, profile: Profile) -> bool {
        self.profiles.is_empty() || self.profiles.contains(&profile)
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code, self.title)
    }
}

/// The function of a rule, by what it looks at.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// An MDX or MDL model.
    Mdx(fn(&mdx::Facts<'_>, &mut Findings)),
    /// An M2 model.
    M2(fn(&m2::Facts<'_>, &mut Findings)),
    /// An MDC or MD3 model.
    Mdc(fn(&mdc::Facts<'_>, &mut Findings)),
    /// An MDS, MDM or MDX model of Enemy Territory.
    Mds(fn(&mds::Facts<'_>, &mut Findings)),
    /// A glTF file.
    Gltf(fn(&gltf::Facts<'_>, &mut Findings)),
    /// What a walk over all fields found.
    Walk(fn(&crate::walk::Walk<'_>, &mut Findings)),
    /// A model of any format, by what all of them have.
    Any(fn(&crate::common::Facts<'_>, &mut Findings)),
}

/// Every kind of model.
pub(crate) const EVERY: &[Profile] = &[];

/// Declares the rules of a family as its `RULES`, in the order in which they run and are documented:
/// `CODE "title" Severity for PROFILES => function, fix function;`, with the explanation as its doc comment.
macro_rules! rules {
    ($family:ident $($(#[doc = $doc:literal])+ $code:ident $title:literal $severity:ident for $profiles:expr => $run:expr $(, fix $fix:expr)?;)+) => {
        pub(crate) const RULES: &[$crate::rule::Rule] = &[$($crate::rule::Rule {
            code: effigy_wire::Code(stringify!($code)),
            severity: effigy_wire::Severity::$severity,
            title: $title,
            explanation: concat!($($doc),+),
            profiles: $profiles,
            run: $crate::rule::Run::$family($run),
            fix: $crate::rule::optional_fix!($family $($fix)?),
        }),+];
    };
}

macro_rules! optional_fix {
    ($family:ident) => {
        None
    };
    ($family:ident $fix:expr) => {
        Some($crate::rule::Fix::$family($fix))
    };
}

pub(crate) use {optional_fix, rules};

/// Every rule, in the order in which they run.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    mdx::families()
        .chain(m2::families())
        .chain(mdc::families())
        .chain(mds::families())
        .chain(gltf::families())
        .chain([crate::walk::RULES, crate::common::RULES])
        .flatten()
}

/// Groups of rules: a word, and how the codes begin that belong to it. Wherever codes are selected, the word works too.
pub const GROUPS: &[(&str, &[&str])] = &[
    (
        "textures",
        &[
            "ALL1002", "ALL1003", "ALL1004", "ALL1006", "ALL1007", "MDX3016", "MDX5001", "MDX5002",
            "MDX5003", "MDX5004", "MDX5005", "MDX5010", "MDX5012", "MDX6002", "MDX6003", "MDX6010",
            "MDX7001", "M21304", "M21305", "M21307", "M21308", "MDC1009", "GLTF1004",
        ],
    ),
    ("sequences", &["MDX10", "M21302", "M21303", "M21309", "GLTF1003", "GLTF1007"]),
    ("nodes", &["MDX20", "MDX21", "M211", "GLTF1002"]),
    ("animation", &["MDX30", "M210"]),
    ("meshes", &["MDX40", "MDX41", "M212", "MDC100", "MDS100", "GLTF1001", "GLTF1005", "GLTF1006"]),
    ("materials", &["MDX50"]),
    ("emitters", &["MDX60", "M21306", "M21307", "M21308"]),
    ("unused", &["MDX2010", "MDX2106", "MDX3008", "MDX3010", "MDX3011", "MDX70", "MDC1004"]),
];

/// Whether a code begins with a word, in any case, or belongs to the group of that name.
#[must_use]
pub fn is_meant(code: &str, word: &str) -> bool {
    let begins = |start: &str| code.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let group = GROUPS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    group.map_or_else(|| begins(word), |(_, starts)| starts.iter().any(|start| begins(start)))
}

/// The rule with this code, in any case.
#[must_use]
pub fn find(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code.0.eq_ignore_ascii_case(code))
}

/// Title and explanation of a code, whether it belongs to a rule or to a reader.
#[must_use]
pub fn explain(code: &str) -> Option<Explanation> {
    if let Some(rule) = find(code) {
        return Some(Explanation {
            code: rule.code,
            severity: Some(rule.severity),
            title: rule.title,
            text: rule.explanation.trim(),
            profiles: rule.profiles,
            fix: rule.has_fix(),
        });
    }
    reader_codes().find(|(known, ..)| known.0.eq_ignore_ascii_case(code)).map(|&(code, title, text)| {
        Explanation { code, severity: None, title, text, profiles: EVERY, fix: false }
    })
}

/// Every code that begins with `start`, in any case, or is in the group of that name, with its title: first those of the
/// rules, then those of the readers.
pub fn beginning(start: &str) -> impl Iterator<Item = Explanation> + '_ {
    let codes = all().map(|rule| rule.code.0).chain(reader_codes().map(|(code, ..)| code.0));
    codes.filter(move |code| is_meant(code, start)).filter_map(explain)
}

/// The codes of the readers' diagnostics, with title and explanation.
pub fn reader_codes() -> impl Iterator<Item = &'static (Code, &'static str, &'static str)> {
    let readers = [
        effigy_mdx::codes::ALL,
        effigy_m2::codes::ALL,
        effigy_mdc::codes::ALL,
        effigy_mds::codes::ALL,
        effigy_gltf::codes::ALL,
    ];
    readers.into_iter().flatten()
}

/// What a code means.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// How much it matters; `None` for a reader's code, whose severity depends on the case.
    pub severity: Option<Severity>,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it matters and how to correct it.
    pub text: &'static str,
    /// The kinds of model that it applies to; empty for all.
    pub profiles: &'static [Profile],
    /// Whether `--fix` repairs it.
    pub fix: bool,
}

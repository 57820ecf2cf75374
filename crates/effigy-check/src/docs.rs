//! The table of rules as documentation: `docs/checks.md` is generated from it.

use crate::profile::Profile;
use crate::rule::{self, Rule};
use std::fmt::Write;

/// Checks of other tools that are deliberately not made, and why.
pub const LEFT_OUT: &[(&str, &str)] = &[
    (
        "an array of M2 that is empty and has an offset all the same",
        "a client reads nothing from it, and the typed model does not represent it; it is preserved on writing",
    ),
    (
        "blocks of M2 that overlap or that nothing refers to",
        "the reader reports them (M20103, M20104) in the same list",
    ),
    (
        "offsets, counts, frame tables and bounds of MDC and MD3",
        "the reader reports them (MDC0101 to MDC0304)",
    ),
    ("an unknown MDX version", "the reader reports it (MDX0101)"),
    (
        "unreferenced nodes",
        "attachments, lights, events and shapes are used by the game and not by the model; bones without vertices have a \
         rule of their own (MDX2010)",
    ),
    (
        "the order of attachment words (\"Hand Left Ref\")",
        "the game looks for words in any order, and no list of the words is complete",
    ),
    (
        "removing one of two keys that have the same time and different values",
        "it is reported (MDX3006) and not changed: which of the two the author meant is not known",
    ),
    (
        "adding a Stand to a model that has other sequences",
        "it would show all parts of the model, including those for death and decay",
    ),
    (
        "removing pivots beyond the nodes",
        "they do no harm, and it is not known which of them are superfluous",
    ),
];

/// Where the sanity test of mdx-m3-viewer 5.12 disagrees.
pub const DISAGREEMENTS: &[(&str, &str)] = &[
    (
        "no Stand, no Death (severe), no Origin (warning), for every model",
        "required of units and buildings only: that test reports it for 913 and 1,081 of 1,345 real models, most of which are doodads, effects and items that do not need them",
    ),
    (
        "an unknown version from 1100 on (warning)",
        "the versions of Reforged up to 1800 are known, and their content is checked",
    ),
    (
        "a vertex is attached to an object by the object's position in the list of objects",
        "it is attached to the node with that object id. Both are the same where ids count in file order; elsewhere that \
         test reports vertices on a missing object, or on something that is not a bone, although the game finds the bone",
    ),
    ("bone without vertices (warning)", "unused: a bone may be a joint for others, which the game supports"),
    (
        "flat particles without static speed or latitude (severe)",
        "not reported where a track (KP2S, KP2L) gives them",
    ),
    (
        "layers from 1100 on are tested by the one texture field",
        "there the textures are in slots, which are tested",
    ),
    (
        "the extension of a face animation must be in lower case (error)",
        "the game compares file names without case",
    ),
    ("one finding for each key", "one finding for each track, with the number of keys that it concerns"),
    (
        "a key on the border of two sequences belongs to the first one only",
        "it belongs to both, as in the game: it is the opening key of the second",
    ),
    (
        "files that its parser cannot read have no report at all",
        "what can be read is checked, and the rest is reported with its offset",
    ),
];

/// Test files of other projects whose names call them broken, but which have no error here.
pub const BROKEN_BY_NAME: &[(&str, &str)] = &[
    (
        "`invalidobject.mdx` (HiveWE)",
        "a violet cube that the editor shows in place of invalid objects. The model itself is valid: one bone, one \
         pivot, 24 vertices with normals, coordinates and groups, twelve triangles, every index inside its list",
    ),
    (
        "`bad_pivot_count_v800.mdl` (HiveWE)",
        "two pivots for one node (MDX2007, a warning): the node has its pivot, and nothing refers to the other one. A node without \
         pivot is an error (MDX2014)",
    ),
    (
        "`bad_event_name_v800.mdl` (HiveWE)",
        "an event whose name is not of the form SNDxABCD (MDX2104, a warning): the game ignores it, and models that ship with \
         the game have such events",
    ),
    (
        "`bad_sequence_interval_v800.mdl` (HiveWE)",
        "a sequence that ends at its start (MDX1008 and MDX1015, warnings): it shows one frame. Models of published maps have such \
         sequences, and they work",
    ),
    (
        "`globalseq_overrun_v800.mdl` (HiveWE)",
        "a key at 1,500 of a global sequence of 1,000 milliseconds (MDX3009, a warning): the clock starts again before it \
         reaches the key. Models of many published maps have such keys. A track that refers to a missing global sequence is an \
         error (MDX3001)",
    ),
];

/// The page's generated part.
#[must_use]
pub fn markdown() -> String {
    let mut page = String::new();
    let groups: [(&str, &str); 6] = [
        ("MDX", "Warcraft III and WoW alpha (MDX, MDL)"),
        ("M2", "World of Warcraft (M2)"),
        ("MDC", "Return to Castle Wolfenstein and its relatives (MDC, MD3)"),
        ("MDS", "Bodies of Return to Castle Wolfenstein and Enemy Territory (MDS, MDM, MDX)"),
        ("GLTF", "glTF 2.0"),
        ("ALL", "Every format"),
    ];
    for (prefix, title) in groups {
        let rules = || rule::all().filter(|rule| rule.code.0.starts_with(prefix));
        // Writing to a string cannot fail.
        let _ = writeln!(page, "## {title}\n");
        page.push_str("| code | severity | what | for | repair |\n|---|---|---|---|---|\n");
        rules().for_each(|rule| row(&mut page, rule));
        page.push('\n');
        for rule in rules() {
            let _ = writeln!(page, "**{}** {}: {}\n", rule.code, rule.title, rule.explanation.trim());
        }
    }
    page.push_str("## Diagnostics of the readers\n\n| code | what | meaning |\n|---|---|---|\n");
    for (code, title, text) in rule::reader_codes() {
        let _ = writeln!(page, "| {code} | {title} | {text} |");
    }
    pairs(&mut page, "Deliberately left out", ["what", "why"], LEFT_OUT);
    let title = "Where the sanity test of mdx-m3-viewer disagrees";
    pairs(&mut page, title, ["that test", "here"], DISAGREEMENTS);
    pairs(&mut page, "Called broken, but without an error", ["file", "why"], BROKEN_BY_NAME);
    page
}

fn row(page: &mut String, rule: &Rule) {
    let profiles: Vec<&str> = rule.profiles.iter().copied().map(Profile::name).collect();
    let profiles = if profiles.is_empty() { "all".to_owned() } else { profiles.join(", ") };
    let fix = if rule.has_fix() { "yes" } else { "" };
    let _ = writeln!(page, "| {} | {} | {} | {profiles} | {fix} |", rule.code, rule.severity, rule.title);
}

fn pairs(page: &mut String, title: &str, heads: [&str; 2], rows: &[(&str, &str)]) {
    let [left, right] = heads;
    let _ = writeln!(page, "\n## {title}\n\n| {left} | {right} |\n|---|---|");
    for (left, right) in rows {
        let _ = writeln!(page, "| {left} | {right} |");
    }
}

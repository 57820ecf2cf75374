//! MDL text: what Effigy prints must be readable for other programs.

use crate::{effigy, empty, script};
use effigy_testkit::{Shell, Task};

/// Peer, version and spelling: the peer must read the creature as MDL text of this version in this spelling.
///
/// From 1000 on no spelling suits war3-model: it expects braces around the rows of skin weights, as Retera's programs write
/// them, and `Name` for the name of a mesh, as the game does. mdx-m3-viewer does not support versions after 1000.
const READERS: &[(&str, u32, &str)] = &[
    ("war3-model", 800, "warcraft3"),
    ("mdx-m3-viewer", 800, "warcraft3"),
    ("war3-model", 800, "retera"),
    ("mdx-m3-viewer", 1000, "warcraft3"),
];

/// Prints the sample creature in each spelling and has it read by each peer.
pub fn run(shell: &Shell) -> Task {
    let folder = empty(shell, "mdl")?;
    let demo = format!("{folder}/demo");
    effigy(shell, &["demo", &demo, "--all", "--quiet"])?;
    let mut wrong = Vec::new();
    for (reader, version, spelling) in READERS {
        let source = format!("{demo}/mdx-{version}-creature.mdx");
        let text = format!("{folder}/creature-{version}-{spelling}-{reader}.mdl");
        effigy(shell, &["convert", &source, "-o", &text, "--dialect", spelling, "--quiet"])?;
        let answer = shell.output(&["node", &script("mdl_peers.mjs"), &text])?;
        let fine = answer.contains(&format!("\"{reader}\":{{\"ok\":true}}"));
        let verdict = if fine { "reads it" } else { "refuses it" };
        shell.say(&format!("{reader:<14} MDL {version} {spelling:<10} {verdict}"));
        if !fine {
            wrong.push(format!("{reader} {version} {spelling}: {}", answer.trim()));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

//! glTF files of other programs: three.js and our sampler pose them alike, at keys and between them.

use super::gallery;
use crate::{built, empty, packages, script};
use effigy_testkit::{Shell, Task, gltf_inputs};
use serde_json::Value;

/// How far corners may be apart, as a share of the size of the model.
const LIMIT: f64 = 1e-4;

/// Files that may differ by more, and why.
const EXCEPTIONS: &[(&str, f64, &str)] =
    &[("Animation_SamplerType_01.gltf", 3e-3, COARSE), ("Accessor_SparseType_03.gltf", 1e-3, COARSE)];
const COARSE: &str =
    "rotations of 8 bits, whose length is not 1: three.js scales by it, we bring them to length 1";

/// Compares every animated file of the collection.
pub(super) fn run(shell: &Shell) -> Task {
    // It records what is missing.
    let Some(inputs) = gltf_inputs() else { return Ok(()) };
    packages(shell)?;
    let browser = gallery::browser(shell)?;
    let folder = empty(shell, "gltf-inputs")?;
    let program = built(shell, "debug/examples", "pose_inputs")?;
    let inputs = inputs.display().to_string();
    shell.run(&[&program, &folder, &inputs])?;
    let results = format!("{folder}/three.js.ndjson");
    shell.run(&["node", &script("inputs.mjs"), &browser, &inputs, &folder, &results])?;
    let text =
        std::fs::read_to_string(shell.root().join(&results)).map_err(|it| format!("{results}: {it}"))?;
    let (mut files, mut poses, mut worst, mut problems) = (0_usize, 0_u64, 0.0_f64, Vec::new());
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).map_err(|error| format!("{results}: {error}"))?;
        let text = |key: &str| line.get(key).and_then(Value::as_str);
        let name = text("name").unwrap_or_default();
        files += 1;
        if let Some(error) = text("error") {
            problems.push(format!("{name}: {error}"));
            continue;
        }
        poses += line.get("poses").and_then(Value::as_u64).unwrap_or(0);
        let off = line.get("off").and_then(Value::as_f64).unwrap_or(f64::INFINITY);
        let limit = EXCEPTIONS.iter().find(|it| name.ends_with(it.0)).map_or(LIMIT, |it| it.1);
        if limit == LIMIT {
            worst = worst.max(off);
        }
        if off > limit {
            problems.push(format!("{name}: {off:.1e} off, {}", text("where").unwrap_or_default()));
        }
    }
    for (name, limit, why) in EXCEPTIONS {
        shell.say(&format!("{name}: up to {limit:.0e} ({why})"));
    }
    let text = format!(
        "files of other programs: {files} animated ones in {poses} poses, at most {worst:.1e} apart ({} exceptions)",
        EXCEPTIONS.len()
    );
    shell.say(&text);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

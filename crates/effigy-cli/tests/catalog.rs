//! `effigy catalog`: rows say what info and check say, and nothing is lost or doubled by jobs, shards and interruptions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{lines, put, run, run_with, sample, watched};
use serde_json::{Value, json};
use snapbox::cmd::cargo_bin;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Samples of all formats in folders and archives, a file that does not open, and one that is not a model.
fn collection(folder: &Path) {
    for sample in effigy_samples::all() {
        put(folder, &format!("models/{}", sample.file_name), &sample.bytes);
    }
    let model = sample("mdx-800-creature.mdx");
    let files: [(&str, &[u8]); 3] =
        [("units/a.mdx", &model), ("units/b.mdx", &model[..2000]), ("readme.txt", b"text")];
    put(folder, "models/maps/one.w3x", &common::files::mpq(&files, true));
    put(folder, "models/maps/two.pk3", &common::files::zip(&files));
    // An archive that is not named like one.
    put(folder, "models/maps/three.backup", &common::files::zip(&files));
    put(folder, "models/broken/short.mdx", &model[..30]);
    put(folder, "models/broken/empty.mdx", b"");
    put(folder, "models/broken/picture.mdx", b"\x89PNG\r\n\x1a\n");
}

/// The objects of a command by their path; those that have none are left out.
fn by_path(text: &str) -> BTreeMap<String, Value> {
    let of = |line: Value| Some((line["path"].as_str()?.to_owned(), line));
    lines(text).into_iter().filter_map(of).collect()
}

/// Compares a row with what info and check print about the same file.
fn compare(path: &str, row: &Value, info: &Value, check: &Value) {
    let failure = [info, check].into_iter().find(|line| line.get("error").is_some());
    if let Some(failure) = failure {
        assert_eq!(row["error"], failure["error"], "{path}");
        assert_eq!(row["error_kind"], failure["kind"], "{path}");
        assert!(row["format"].is_null() && row["sequences"].is_null() && row["errors"].is_null(), "{row}");
        return;
    }
    assert!(row["error"].is_null() && row["error_kind"].is_null(), "{row}");
    for same in [
        "format",
        "dialect",
        "version",
        "name",
        "bytes",
        "meshes",
        "nodes",
        "sequences",
        "emitters",
        "textures",
        "cameras",
        "others",
        "files",
        "problems",
    ] {
        assert_eq!(row[same], info[same], "{path}: {same}");
    }
    assert_eq!(row["materials"], info["materials"]["words"], "{path}");
    assert_eq!(row["material_count"], info["materials"]["count"], "{path}");
    let length = |name: &str| info[name].as_array().unwrap().len();
    let sum = |name: &str, field: &str| -> u64 {
        info[name].as_array().unwrap().iter().map(|one| one[field].as_u64().unwrap()).sum()
    };
    let bones = info["nodes"].as_array().unwrap().iter().find(|one| one["kind"] == "bone");
    let textures = info["textures"].as_array().unwrap();
    let found = textures.iter().filter(|one| !one["found"].is_null()).count();
    let missing = textures.iter().filter(|one| one["found"].is_null() && one["path"] != "").count();
    for (name, expected) in [
        ("mesh_count", json!(length("meshes"))),
        ("vertex_count", json!(sum("meshes", "vertices"))),
        ("triangle_count", json!(sum("meshes", "triangles"))),
        ("node_count", json!(sum("nodes", "count"))),
        ("bone_count", bones.map_or(json!(0), |one| one["count"].clone())),
        ("sequence_count", json!(length("sequences"))),
        ("emitter_count", json!(sum("emitters", "count"))),
        ("camera_count", json!(length("cameras"))),
        ("texture_count", json!(length("textures"))),
        ("textures_found", json!(found)),
        ("textures_missing", json!(missing)),
    ] {
        assert_eq!(row[name], expected, "{path}: {name}");
    }
    let bounds = &info["bounds"];
    for (at, axis) in ["x", "y", "z"].iter().enumerate() {
        assert_eq!(row[format!("min_{axis}")], bounds["min"][at], "{path}");
        assert_eq!(row[format!("max_{axis}")], bounds["max"][at], "{path}");
    }
    assert_eq!(row["radius"], bounds["radius"], "{path}");
    assert_eq!(row["profile"], check["profile"], "{path}");
    assert_eq!(row["accepted_by"], check["accepted_by"], "{path}");
    assert_eq!(row["findings_left_out"], check["left_out"], "{path}");
    let findings = check["findings"].as_array().unwrap();
    for (column, severity) in [
        ("errors", "error"),
        ("severe", "severe"),
        ("warnings", "warning"),
        ("notes", "note"),
        ("unused", "unused"),
    ] {
        let count = findings.iter().filter(|one| one["severity"] == severity).count();
        assert_eq!(row[column], json!(count), "{path}: {column}");
    }
    assert_eq!(row["fixable"], json!(findings.iter().filter(|one| one["fixable"] == true).count()), "{path}");
    let mut codes: BTreeMap<(String, String, String), u64> = BTreeMap::new();
    let key = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        (text("code"), text("severity"), text("title"))
    };
    findings.iter().for_each(|one| *codes.entry(key(one)).or_default() += 1);
    let ours = row["findings"].as_array().unwrap().iter();
    let ours: BTreeMap<_, _> = ours.map(|one| (key(one), one["count"].as_u64().unwrap())).collect();
    assert_eq!(ours, codes, "{path}");
}

/// The rows of these files, all of which agree with info and check.
fn agreeing_rows(folder: &Path, words: &[&str]) -> Vec<Value> {
    let with = |command: &[&str]| run(folder, &[command, words].concat()).1;
    let rows = lines(&with(&["catalog"]));
    let (info, check) = (by_path(&with(&["info", "--json"])), by_path(&with(&["check", "--json"])));
    for row in &rows {
        let path = row["path"].as_str().unwrap();
        compare(path, row, &info[path], &check[path]);
    }
    let paths: Vec<&str> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert!(paths.is_sorted(), "{paths:?}");
    assert_eq!(paths.len(), check.len(), "every file that is checked has a row");
    rows
}

#[test]
fn rows_say_what_info_and_check_say() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let rows = agreeing_rows(folder.path(), &["models"]);
    assert!(rows.len() > 60, "{}", rows.len());
    assert!(rows.iter().any(|row| row["archive"] == "models/maps/one.w3x"));
    let inside = rows.iter().find(|row| row["path"] == "models/maps/two.pk3:units/a.mdx").unwrap();
    assert_eq!(inside["archive"], "models/maps/two.pk3");
    let alone = rows.iter().find(|row| row["path"] == "models/mdx-800-creature.mdx").unwrap();
    assert_eq!((&alone["archive"], &alone["sha256"]), (&Value::Null, &inside["sha256"]));
    let empty = rows.iter().find(|row| row["path"] == "models/broken/empty.mdx").unwrap();
    assert_eq!((empty["bytes"].as_u64(), empty["sha256"].as_str()), (Some(0), None));
    // Files that are named and missing, not models, or parts of models.
    let words = ["models/none.mdx", "models/broken/picture.mdx", "models/m2-264-creature00.skin"];
    let (code, stdout, _) = run(folder.path(), &[&["catalog"], words.as_slice()].concat());
    let rows = lines(&stdout);
    assert_eq!((code, rows.len()), (1, 3));
    assert!(rows.iter().all(|row| row["error"].is_string()), "{stdout}");
    assert!(stdout.contains("a skin is checked with its model"), "{stdout}");
}

#[test]
fn rows_of_the_corpus_say_what_info_and_check_say() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let rows = agreeing_rows(&corpus, &["."]);
    assert!(rows.len() > 500, "{}", rows.len());
    assert!(rows.iter().any(|row| row["archive"].is_string()));
}

#[test]
fn settings_of_the_folder_decide_about_findings() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "in/a.mdx", &sample("mdx-800-creature.mdx"));
    put(folder.path(), "in/effigy.toml", b"[check]\nprofile = \"doodad\"\nignore = [\"MDX\"]\n");
    let rows = agreeing_rows(folder.path(), &["in"]);
    assert_eq!(rows[0]["profile"], "doodad");
}

/// What a run writes, by the name of the output.
fn table(folder: &Path, name: &str, words: &[&str]) -> Vec<u8> {
    let (code, _, stderr) = run(folder, &[&["catalog", "models", "-o", name], words].concat());
    assert_eq!(code, 1, "the collection has files that do not open: {stderr}");
    let bytes = fs::read(folder.join(name)).unwrap();
    assert!(!folder.join(format!("{name}.partial")).exists());
    fs::remove_file(folder.join(name)).unwrap();
    bytes
}

#[test]
fn two_runs_and_any_number_of_jobs_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    for name in ["a.parquet", "a.csv", "a.ndjson"] {
        let one = table(folder.path(), name, &["--jobs", "1"]);
        assert_eq!(one, table(folder.path(), name, &["--jobs", "7"]), "{name}");
        // The same files named twice.
        assert_eq!(one, table(folder.path(), name, &["models/maps"]), "{name}");
    }
    let (_, stdout, _) = run(folder.path(), &["catalog", "models", "-o", "-", "--format", "csv"]);
    assert_eq!(stdout.as_bytes(), table(folder.path(), "a.csv", &[]));
    assert_eq!(stdout.as_bytes(), table(folder.path(), "a.txt", &["--format", "csv"]));
    let (_, stdout, _) = run(folder.path(), &["catalog", "models"]);
    assert_eq!(stdout.as_bytes(), table(folder.path(), "a.jsonl", &[]));
}

#[test]
fn shards_are_disjoint_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let words = ["models", "models/maps/two.pk3"];
    let rows = |more: &[&str]| {
        let text = run(folder.path(), &[&["catalog"], words.as_slice(), more].concat()).1;
        text.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let all = rows(&[]);
    for count in [1, 2, 5, 40] {
        let mut parts: Vec<String> = Vec::new();
        let mut most = 0;
        for index in 0..count {
            let part = rows(&["--shard", &format!("{index}/{count}")]);
            most = most.max(part.len());
            parts.extend(part);
        }
        let path =
            |line: &String| serde_json::from_str::<Value>(line).unwrap()["path"].as_str().unwrap().to_owned();
        parts.sort_by_key(path);
        assert_eq!(parts, all, "{count} shards");
        assert!(count == 1 || most < all.len(), "one of {count} shards has everything");
    }
    for wrong in ["4/4", "a", "0/0"] {
        assert_eq!(run(folder.path(), &["catalog", "models", "--shard", wrong]).0, 2, "{wrong}");
    }
}

/// The counts that a run prints with `--json`.
fn summary(folder: &Path, words: &[&str]) -> Value {
    let (_, stdout, stderr) = run(folder, &[&["catalog", "--json"], words].concat());
    assert_eq!(stdout.lines().count(), 1, "{stdout}{stderr}");
    lines(&stdout)[0]["summary"].clone()
}

#[test]
fn only_changed_files_are_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["a.mdx", "b.mdx", "c.mdx"] {
        put(path, &format!("in/{name}"), &sample("mdx-800-creature.mdx"));
    }
    let resume = ["in", "-o", "a.parquet", "--resume"];
    let counts = |words: &[&str]| {
        let summary = summary(path, words);
        [&summary["rows"], &summary["resumed"], &summary["failed"]].map(|count| count.as_u64().unwrap())
    };
    // There is nothing to resume at first.
    assert_eq!(counts(&resume), [3, 0, 0]);
    let first = fs::read(path.join("a.parquet")).unwrap();
    assert_eq!(counts(&resume), [3, 3, 0]);
    assert_eq!(fs::read(path.join("a.parquet")).unwrap(), first);
    put(path, "in/b.mdx", &sample("mdx-1100-creature.mdx"));
    put(path, "in/d.mdx", &sample("mdx-1100-creature.mdx"));
    fs::remove_file(path.join("in/a.mdx")).unwrap();
    assert_eq!(counts(&resume), [3, 1, 0]);
    let resumed = fs::read(path.join("a.parquet")).unwrap();
    assert_eq!(counts(&["in", "-o", "a.parquet", "--force"]), [3, 0, 0]);
    assert_eq!(fs::read(path.join("a.parquet")).unwrap(), resumed);
    // Rows that were made with other game files may say something else about textures.
    put(path, "game/x.blp", b"BLP1");
    assert_eq!(counts(&["in", "-o", "a.parquet", "--resume", "--assets", "game"]), [3, 0, 0]);
    assert_eq!(counts(&["in", "-o", "a.parquet", "--resume", "--assets", "game"]), [3, 3, 0]);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "a.mdx", &sample("mdx-800-creature.mdx"));
    put(path, "old.csv", b"mine");
    let (code, _, stderr) = run(path, &["catalog", "a.mdx", "-o", "old.csv"]);
    assert!(code == 1 && stderr.contains("--force") && stderr.contains("--resume"), "{stderr}");
    let (code, _, stderr) = run(path, &["catalog", "a.mdx", "-o", "old.csv", "--resume"]);
    assert!(code == 1 && stderr.contains("not a catalogue"), "{stderr}");
    assert_eq!(fs::read(path.join("old.csv")).unwrap(), b"mine");
    assert!(!path.join("old.csv.partial").exists());
    put(path, "new.csv.partial", b"{\"path\"");
    let (code, _, stderr) = run(path, &["catalog", "a.mdx", "-o", "new.csv"]);
    assert!(code == 1 && stderr.contains("interrupted"), "{stderr}");
    assert_eq!(run(path, &["catalog", "a.mdx", "-o", "new.csv", "--resume"]).0, 0);
    assert_eq!(run(path, &["catalog", "a.mdx", "-o", "old.csv", "--force"]).0, 0);
    assert_eq!(fs::read(path.join("old.csv")).unwrap(), fs::read(path.join("new.csv")).unwrap());
    for wrong in [
        ["-o", "table"].as_slice(),
        &["-o", "-", "--format", "parquet"],
        &["--resume"],
        &["-o", ".", "--format", "csv"],
        &["-o", "a.csv", "--format", "xlsx"],
    ] {
        let (code, _, stderr) = run(path, &[&["catalog", "a.mdx"], wrong].concat());
        assert_eq!(code, 2, "{wrong:?}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    collection(path);
    let whole = table(path, "whole.parquet", &["models/n.mdx"]);
    // Reading the pipe blocks: the run stays at that file, with the rows of those before it written.
    let pipe = path.join("models/n.mdx");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let words = ["catalog", "models", "models/n.mdx", "-o", "a.parquet", "--jobs", "2"];
    let mut child =
        std::process::Command::new(cargo_bin!("effigy")).current_dir(path).args(words).spawn().unwrap();
    let partial = path.join("a.parquet.partial");
    let written = || fs::read_to_string(&partial).unwrap_or_default();
    let before = lines(&run_with(path, "", &["catalog", "models"]).1);
    let before = before.iter().filter(|row| row["path"].as_str().unwrap() < "models/n.mdx").count();
    assert!(before > 10);
    while written().lines().count() < before {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fs::remove_file(&pipe).unwrap();
    assert!(!path.join("a.parquet").exists());
    // Usable as it is.
    assert_eq!(lines(&written()).len(), before);
    // The last row is torn.
    let mut bytes = fs::read(&partial).unwrap();
    bytes.truncate(bytes.len() - 100);
    fs::write(&partial, bytes).unwrap();
    let summary = summary(path, &["models", "models/n.mdx", "-o", "a.parquet", "--resume"]);
    assert!(summary["resumed"].as_u64().unwrap() > 10, "{summary}");
    assert_eq!(fs::read(path.join("a.parquet")).unwrap(), whole);
    assert!(!partial.exists());
}

#[test]
fn memory_holds_names_and_not_rows() {
    const FILES: u64 = 20_000;
    const SOME: u64 = 1000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let model = effigy::mdx::Model::new(effigy::mdx::Dialect::Warcraft3, 800, "small").write().unwrap();
    for number in 0..FILES {
        let place = path.join(format!("models/{}", number / SOME));
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join(format!("{number:05}.mdx")), &model).unwrap();
    }
    let some = watched(path, &["catalog", "models/0", "-o", "some.parquet", "--jobs", "2"]);
    let all = watched(path, &["catalog", "models", "-o", "all.parquet", "--jobs", "2"]);
    let (Some(some), Some(all)) = (some, all) else { return };
    assert_eq!((some.code, all.code), (Some(0), Some(0)), "{} {}", some.stderr, all.stderr);
    let text = format!("{} kB for {FILES} files, and {} kB for {SOME}", all.peak, some.peak);
    assert!(all.peak < 100_000, "{text}");
    // Names and places are 0.8 kB a file (docs/fleets.md). Rows that were kept would come on top of that.
    assert!(all.peak.saturating_sub(some.peak) < 2 * (FILES - SOME), "{text}");
    // Other commands need no more: 27 to 31 MB.
    for line in [
        "info models",
        "verify models",
        "dump models",
        "check models",
        "check models --format sarif",
        "convert models --to mdl -o out",
    ] {
        let words: Vec<&str> = line.split(' ').chain(["--jobs", "2"]).collect();
        let Some(ended) = watched(path, &words) else { return };
        assert_eq!(ended.code, Some(0), "{line}: {}", ended.stderr);
        assert!(ended.peak < 50_000, "{line}: {} kB", ended.peak);
    }
}

#[test]
fn stdin_is_a_model_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mdx");
    fs::write(&path, sample("mdx-800-creature.mdx")).unwrap();
    let output = std::process::Command::new(cargo_bin!("effigy"))
        .args(["catalog", "-"])
        .stdin(fs::File::open(&path).unwrap())
        .output()
        .unwrap();
    let rows = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((rows.len(), &rows[0]["path"], &rows[0]["format"]), (1, &json!("-"), &json!("mdx")));
}

#[test]
fn the_schema_describes_every_line() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let schema: Value = serde_json::from_str(&run(folder.path(), &["schema", "catalog"]).1).unwrap();
    let row = &schema["anyOf"][0];
    let required: Vec<&str> =
        row["required"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    let is = |value: &Value, kind: &str| match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => panic!("{kind}"),
    };
    let fits = |value: &Value, schema: &Value| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|kind| is(value, kind.as_str().unwrap())),
        kind => is(value, kind.as_str().unwrap()),
    };
    for line in lines(&run(folder.path(), &["catalog", "models"]).1) {
        let object = line.as_object().unwrap();
        assert_eq!(object.len(), required.len());
        for name in &required {
            let property = &row["properties"][*name];
            assert!(fits(&object[*name], property), "{name}: {}", object[*name]);
            for element in object[*name].as_array().into_iter().flatten() {
                assert!(fits(element, &property["items"]), "{name}: {element}");
                for (field, value) in element.as_object().into_iter().flatten() {
                    assert!(fits(value, &property["items"]["properties"][field]), "{name}: {element}");
                }
            }
        }
    }
    assert!(schema["anyOf"][1]["properties"]["summary"].is_object(), "{schema}");
}

#[test]
fn rows_have_pictures_on_request() {
    let gpu = effigy::Renderer::shared();
    if !effigy_testkit::require("gpu", gpu.is_ok(), "no graphics adapter") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "in/a.mdx", &sample("mdx-800-creature.mdx"));
    let empty = effigy::mdx::Model::new(effigy::mdx::Dialect::Warcraft3, 800, "nothing").write().unwrap();
    put(path, "in/b.mdx", &empty);
    let words = ["catalog", "in", "--thumbnails", "32"];
    let (code, stdout, stderr) = run(path, &words);
    assert_eq!(code, 0, "{stderr}");
    let rows = lines(&stdout);
    // The signature of PNG, and the width and height in its header, in base64.
    let picture = rows[0]["thumbnail"].as_str().unwrap();
    assert!(picture.starts_with("iVBORw0KGgoAAAANSUhEUgAAACAAAAAg"), "{picture}");
    assert!(rows[1]["thumbnail"].is_null() && rows[1]["thumbnail_error"] == "there is nothing to see");
    assert_eq!(run(path, &words).1, stdout);
    assert_ne!(rows[0]["effigy"], lines(&run(path, &["catalog", "in"]).1)[0]["effigy"]);
}

/// The questions of docs/catalog.md: title and SQL of each.
fn questions() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/catalog.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, questions) = page.split_once("## Ten questions").unwrap();
    let question = |part: &str| {
        let (title, rest) = part.split_once('\n').unwrap();
        let sql = rest.split_once("```sql\n").unwrap().1.split_once("```").unwrap().0;
        (title.to_owned(), sql.to_owned())
    };
    questions.split("\n### ").skip(1).map(question).collect()
}

/// Runs each SQL of a JSON list and prints the number of its rows.
const ASK: &str = "
import json, sys, duckdb
for sql in json.load(sys.stdin):
    print(len(duckdb.sql(sql).fetchall()))
";

#[test]
fn duckdb_answers_the_questions_of_the_page() {
    let python = effigy_testkit::python_with("duckdb");
    if !effigy_testkit::require("duckdb", python.is_some(), "no Python with DuckDB (pip install duckdb)") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    collection(path);
    // A unit without a death.
    let mut model = effigy::mdx::read(&sample("mdx-800-creature.mdx")).unwrap();
    model.sequences.retain(|sequence| !sequence.name.to_string().starts_with("Death"));
    put(path, "models/immortal.mdx", &model.write().unwrap());
    assert_eq!(run(path, &["catalog", "models", "-o", "models.parquet"]).0, 1);
    run(path, &["catalog", "models/maps", "-o", "last-week.parquet"]);
    let (titles, questions): (Vec<String>, Vec<String>) = questions().into_iter().unzip();
    assert_eq!(questions.len(), 10);
    fs::write(path.join("questions.json"), json!(questions).to_string()).unwrap();
    let output = std::process::Command::new(python.unwrap())
        .args(["-c", ASK])
        .current_dir(path)
        .stdin(fs::File::open(path.join("questions.json")).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counts = String::from_utf8(output.stdout).unwrap();
    for (title, count) in titles.iter().zip(counts.lines()) {
        assert_ne!(count, "0", "no answer: {title}");
    }
    assert_eq!(counts.lines().count(), 10);
}

#[test]
fn the_first_files_that_do_not_open_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (code, _, stderr) = run(path, &["catalog", "typo.mdx", "-o", "one.csv"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("typo.mdx: ") && !stderr.contains("--verbose"), "{stderr}");
    let words = ["catalog", "a.mdx", "b.mdx", "c.mdx", "d.mdx", "-o", "four.csv"];
    let (_, _, stderr) = run(path, &words);
    assert!(stderr.contains("c.mdx: ") && !stderr.contains("d.mdx: "), "{stderr}");
    assert!(stderr.contains("4 files did not open") && stderr.contains("--verbose names them"), "{stderr}");
}

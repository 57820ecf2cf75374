//! Damaged files through every command: no panic, no abort, no run-away of time or memory.
//!
//! Samples of all formats are mutated by a seeded generator and given to the command in folders, under a limit of memory.
//! `EFFIGY_HOSTILE=COUNT` or `COUNT,SEED` runs more of them, or others: `cargo xtask hostile COUNT SEED` sets it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]
#![cfg(target_os = "linux")]

use crate::common;

use effigy_samples::Sample;
use snapbox::cmd::cargo_bin;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Mutants without `EFFIGY_HOSTILE`.
const COUNT: usize = 2000;
const SEED: u64 = 1;
/// Mutants in one folder.
const BATCH: usize = 250;
/// Address space of the command, which is more than the memory that it uses.
const KILOBYTES: u64 = 1_500_000;
/// For one command over one folder.
const TIME: Duration = Duration::from_secs(60);
/// Larger samples take the time of many small ones and are not different.
const LARGEST: usize = 120_000;

/// The commands, by what the folder holds. `OUT` does not exist yet, `OLD` is a folder with the files before they were damaged, and
/// a command with `EACH` runs for one file at a time.
const MODELS: [&str; 12] = [
    "info IN",
    "catalog IN",
    "dump IN",
    "verify IN",
    "check IN --verbose",
    "check IN --fix -o OUT",
    "convert IN --to mdl -o OUT",
    "convert IN --to m2:256 -o OUT",
    "convert IN --to mdc -o OUT",
    "edit IN --rotate 37 --translate 1,2,3 --scale 2 -o OUT",
    "optimize IN -o OUT",
    "diff OLD IN",
];
const EXPORTS: [&str; 1] = ["convert IN --to glb -o OUT"];
const TEXTURES: [&str; 3] = ["info IN", "convert IN --to png -o OUT", "convert IN --to blp1 -o OUT"];
const PICTURES: [&str; 1] = ["render IN --size 48 -o OUT"];
const THUMBNAILS: [&str; 1] = ["thumbnail EACH OUT"];
const DUMPS: [&str; 1] = ["build EACH -o OUT"];
const ARCHIVES: [&str; 3] = ["list IN", "check IN", "extract EACH -o OUT"];

/// A small generator of pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % limit.max(1)
    }
}

/// Numbers that counts, offsets and times are replaced with.
const NUMBERS: [u32; 12] = [
    0,
    1,
    2,
    0xff,
    0xffff,
    0x10000,
    0x00ff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffe,
    0xffff_ffff,
    0x7fc0_0000,
];

/// A few changes of one file.
fn mutate(random: &mut Random, original: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        // Half of the changes are near the start, where counts and offsets are.
        let at = if random.below(2) == 0 { at } else { at % 512 };
        match random.below(8) {
            0 => bytes.truncate(at.max(4)),
            1 => {
                let end = (at + 1 + random.below(64)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            2 => {
                let end = (at + 1 + random.below(256)).min(bytes.len());
                let again = bytes[at.min(end)..end].to_vec();
                bytes.splice(at.min(end)..at.min(end), again);
            }
            3 => {
                let from = random.below(other.len());
                let part = other[from..(from + 64).min(other.len())].to_vec();
                let end = (at + part.len()).min(bytes.len());
                bytes.splice(at.min(end)..end, part);
            }
            4 | 5 => {
                let at = at & !3;
                let number = NUMBERS[random.below(NUMBERS.len())].to_le_bytes();
                if let Some(word) = bytes.get_mut(at..at + 4) {
                    word.copy_from_slice(&number);
                }
            }
            _ => {
                let value = random.next().to_le_bytes()[0];
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = value;
                }
            }
        }
        if bytes.len() < 8 {
            bytes.resize(8, 0);
        }
    }
    bytes
}

/// What numbers and words of JSON are replaced with.
const WORDS: [&str; 12] = [
    "-1",
    "0",
    "0.5",
    "1e400",
    "4294967296",
    "18446744073709551616",
    "null",
    "true",
    "\"\"",
    "\"nan\"",
    "[]",
    "{}",
];

/// A few numbers and words of a JSON text become others: single bytes would hardly ever leave JSON.
fn mutate_json(random: &mut Random, text: &str) -> String {
    const PUNCTUATION: [char; 6] = [',', ':', '[', ']', '{', '}'];
    let mut pieces: Vec<String> = text.split_inclusive(PUNCTUATION).map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let (at, from) = (random.below(pieces.len()), random.below(pieces.len()));
        let length = pieces[at].trim_end_matches(PUNCTUATION).len();
        let end = pieces[at].split_off(length);
        let other = match random.below(3) {
            0 => pieces[from].trim_end_matches(PUNCTUATION).to_owned(),
            _ => WORDS[random.below(WORDS.len())].to_owned(),
        };
        // A piece of nothing but punctuation stays.
        pieces[at] = if pieces[at].trim().is_empty() { end } else { other + &end };
    }
    pieces.concat()
}

/// Runs a command over a folder, or over each of its files. Returns what is wrong with how it ended.
fn run_all(folder: &Path, line: &str, input: &Path) -> Option<String> {
    if line.contains("EACH") {
        files(input).find_map(|file| run(folder, line, &file))
    } else {
        run(folder, line, input)
    }
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
}

/// Runs a command under the limit of memory. Returns what is wrong with how it ended.
fn run(folder: &Path, line: &str, input: &Path) -> Option<String> {
    let (old, out) = (folder.join("old"), folder.join("out"));
    // A single file becomes a file, a folder a folder.
    let _ = fs::remove_dir_all(&out);
    let _ = fs::remove_file(&out);
    let shell = format!("ulimit -v {KILOBYTES}; exec \"$0\" \"$@\"");
    let log = folder.join("stderr");
    let mut child = Command::new("sh")
        .args(["-c", &shell])
        .arg(cargo_bin!("effigy"))
        .args(line.split(' ').map(|word| match word {
            "IN" | "EACH" => input.as_os_str(),
            "OLD" => old.as_os_str(),
            "OUT" => out.as_os_str(),
            word => word.as_ref(),
        }))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > TIME {
            child.kill().unwrap();
            child.wait().unwrap();
            return Some(format!("`{line}` did not end within {TIME:?}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let stderr = String::from_utf8_lossy(&fs::read(&log).unwrap()).into_owned();
    if !matches!(status.code(), Some(0 | 1)) {
        let last = stderr.lines().last().unwrap_or_default();
        return Some(format!("`{line}` ended with {status}: {last}"));
    }
    let bug = stderr.lines().find(|line| line.contains("bug in effigy"));
    bug.map(|bug| format!("`{line}`: {bug}"))
}

/// The mutants of one kind, in folders of a few hundred, through their commands.
fn campaign(kind: &str, samples: &[Sample], companions: &[Sample], commands: &[&str], share: usize) {
    let wanted = std::env::var("EFFIGY_HOSTILE").unwrap_or_default();
    let (count, seed) = wanted.split_once(',').unwrap_or((&wanted, ""));
    let count = count.parse().unwrap_or(COUNT) / share;
    let mut random = Random(seed.parse().unwrap_or(SEED).max(1) ^ 0x9e37_79b9_7f4a_7c15);
    let samples: Vec<&Sample> = samples.iter().filter(|sample| sample.bytes.len() <= LARGEST).collect();
    assert!(samples.len() > 1, "no samples of {kind}");
    let folder = tempfile::tempdir().unwrap();
    let (input, old) = (folder.path().join("in"), folder.path().join("old"));
    let (mut made, mut wrong) = (0, Vec::new());
    while made < count {
        for folder in [&input, &old] {
            let _ = fs::remove_dir_all(folder);
            fs::create_dir(folder).unwrap();
        }
        for number in made..count.min(made + BATCH) {
            let sample = samples[number % samples.len()];
            let other = samples[random.below(samples.len())];
            let bytes = match std::str::from_utf8(&sample.bytes) {
                Ok(text) if sample.file_name.ends_with(".json") => {
                    mutate_json(&mut random, text).into_bytes()
                }
                _ => mutate(&mut random, &sample.bytes, &other.bytes),
            };
            let (stem, extension) = sample.file_name.rsplit_once('.').unwrap();
            let name = format!("{number:06}.{extension}");
            fs::write(old.join(&name), &sample.bytes).unwrap();
            // One of four models is sound, and what belongs to it is damaged.
            let own = companions.iter().filter(|one| one.file_name.starts_with(stem));
            let sound = random.below(4) == 0 && own.clone().next().is_some();
            fs::write(input.join(name), if sound { &sample.bytes } else { &bytes }).unwrap();
            for companion in own {
                let name = companion.file_name.replacen(stem, &format!("{number:06}"), 1);
                let damaged = sound.then(|| mutate(&mut random, &companion.bytes, &other.bytes));
                fs::write(input.join(&name), damaged.as_ref().unwrap_or(&companion.bytes)).unwrap();
                fs::write(old.join(name), &companion.bytes).unwrap();
            }
        }
        made = count.min(made + BATCH);
        for line in commands {
            let Some(what) = run_all(folder.path(), line, &input) else { continue };
            // Which file it was: one by one.
            let guilty = files(&input).filter_map(|file| Some((run(folder.path(), line, &file)?, file)));
            let guilty: Vec<String> = guilty
                .take(3)
                .map(|(what, file)| {
                    let kept = std::env::temp_dir().join(format!("effigy-hostile-{kind}-{}", wrong.len()));
                    fs::copy(&file, &kept).unwrap();
                    format!("{}: {what}", kept.display())
                })
                .collect();
            wrong.push(format!("{what}; {guilty:#?}"));
        }
    }
    println!("{made} mutants of {kind} through {} commands", commands.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn with_extension(samples: Vec<Sample>, extensions: &[&str]) -> Vec<Sample> {
    let has = |sample: &Sample| extensions.iter().any(|one| sample.file_name.ends_with(&format!(".{one}")));
    samples.into_iter().filter(has).collect()
}

#[test]
fn damaged_models_end_every_command_in_order() {
    let models =
        with_extension(effigy_samples::all(), &["mdx", "mdl", "m2", "mdc", "md3", "mds", "mdm", "glb"]);
    let companions = with_extension(effigy_samples::all(), &["skin", "anim"]);
    campaign("models", &models, &companions, &MODELS, 1);
}

#[test]
fn damaged_models_are_exported_in_order() {
    let models = with_extension(effigy_samples::all(), &["mdx", "m2", "mdc", "md3"]);
    let companions = with_extension(effigy_samples::all(), &["skin", "anim"]);
    campaign("exports", &models, &companions, &EXPORTS, 4);
}

#[test]
fn damaged_models_are_drawn_in_order() {
    let adapter = effigy::pictures::Gpu::new(effigy::pictures::Choice::Best);
    if !effigy_testkit::require("gpu", adapter.is_ok(), "no graphics adapter") {
        return;
    }
    let models = with_extension(effigy_samples::all(), &["mdx", "m2", "mdc", "md3", "mds", "glb"]);
    let companions = with_extension(effigy_samples::all(), &["skin", "anim"]);
    campaign("pictures", &models, &companions, &PICTURES, 8);
    campaign("thumbnails", &models, &companions, &THUMBNAILS, 100);
}

#[test]
fn damaged_dumps_are_built_in_order() {
    let models = with_extension(effigy_samples::all(), &["mdx", "m2", "mdc", "md3", "mds", "mdm"]);
    let dumps = models.into_iter().filter(|sample| sample.bytes.len() < 8000).map(|sample| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(&sample.file_name), &sample.bytes).unwrap();
        let (_, dump, _) = common::run(folder.path(), &["dump", "--json", &sample.file_name]);
        Sample { file_name: format!("{}.json", sample.file_name), bytes: dump.into_bytes(), ..sample }
    });
    let dumps: Vec<Sample> = dumps.collect();
    campaign("dumps", &dumps, &[], &DUMPS, 20);
}

#[test]
fn damaged_textures_end_every_command_in_order() {
    let picture = effigy_samples::textures().remove(0);
    let image = effigy::image::read(&picture.bytes).unwrap();
    let encoded = |encoding: effigy::image::Encoding| {
        let (bytes, _) = effigy::image::write(&image.clone().with_mips(), encoding).ok()?;
        Some(Sample { file_name: format!("a.{}", encoding.extension()), bytes, ..picture.clone() })
    };
    let samples: Vec<Sample> = effigy::image::Encoding::all().filter_map(encoded).collect();
    campaign("textures", &samples, &[], &TEXTURES, 4);
}

#[test]
fn damaged_archives_end_every_command_in_order() {
    let mut models = with_extension(effigy_samples::all(), &["mdx"]);
    models.sort_by_key(|sample| sample.bytes.len());
    let model = models.remove(0);
    let files: [(&str, &[u8]); 2] = [("units/a.mdx", &model.bytes), ("readme.txt", b"some text, some text")];
    let sample = |name: &str, bytes| Sample { file_name: name.to_owned(), bytes, ..model.clone() };
    let archives =
        [sample("a.mpq", common::files::mpq(&files, true)), sample("a.zip", common::files::zip(&files))];
    campaign("archives", &archives, &[], &ARCHIVES, 4);
}

/// Files that broke the command once: a bomb, a byte that is not UTF-8, sequences of weeks. The time that they take depends on the
/// machine and is not tested; without a limit on what is made from them it would be minutes.
#[test]
fn files_that_broke_the_command_once_do_not_any_more() {
    const MOST_KILOBYTES: u64 = 300_000;
    let Some(folder) = effigy_testkit::HOSTILE.need() else { return };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension != "md"));
    files.sort();
    assert!(files.len() >= 12, "{files:?}");
    for file in &files {
        for line in [
            "info IN",
            "check IN",
            "verify IN",
            "dump IN",
            "list IN",
            "catalog IN",
            "extract IN -o out",
            "check IN --fix -o out",
            "convert IN --to glb --unroll-globals -o out",
            "convert IN --to mdx:1100 -o out",
            "convert IN --to png -o out",
            "optimize IN -o out",
        ] {
            let place = tempfile::tempdir().unwrap();
            let name = file.to_str().unwrap();
            let words: Vec<&str> =
                line.split(' ').map(|word| if word == "IN" { name } else { word }).collect();
            let Some(ended) = common::watched(place.path(), &words) else { return };
            let what = format!("`{line}` of {name}: {}", ended.stderr);
            assert!(matches!(ended.code, Some(0 | 1)) && !ended.stderr.contains("bug in effigy"), "{what}");
            assert!(ended.peak < MOST_KILOBYTES, "{what}: {} kB", ended.peak);
        }
    }
}

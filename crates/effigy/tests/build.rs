//! Damaged JSON of every format: an error with a message, or a model that can be written; never a panic.
#![cfg(all(feature = "edit", feature = "assets"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy::{DumpOptions, Format, Model};

/// Larger samples take the time of many small ones and are not different.
const LARGEST: usize = 60_000;
/// Damaged texts of each sample.
const TEXTS: usize = 60;

/// A small generator of pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).unwrap() % limit.max(1)
    }
}

/// Values that others are replaced with.
const VALUES: [&str; 14] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "4294967295",
    "18446744073709551615",
    "1e38",
    "\"NaN\"",
    "\"\"",
    "\"00\"",
    "[]",
    "null",
    "{}",
];

fn line(model: &Model) -> String {
    let dialect = model.dialect().map_or("null".to_owned(), |dialect| format!("\"{dialect}\""));
    let (format, version) = (model.format().name(), model.version());
    let layout = model.layout().map_or("null".to_owned(), |layout| layout.to_string());
    let tree = model.dump_json(DumpOptions::default());
    format!(
        "{{\"format\":\"{format}\",\"dialect\":{dialect},\"version\":{version},\"layout\":{layout},\"tree\":{tree}}}"
    )
}

/// Where this is after an offset.
fn find(text: &str, from: usize, what: &str) -> Option<usize> {
    Some(from + text.get(from..)?.find(what)?)
}

/// A part without parts of its own after an offset, with the comma that follows it.
fn part(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let start = find(text, from, "{\"")?;
    Some(start..find(text, start, "},")? + 2)
}

/// The next value with this key.
fn value(text: &str, from: usize, key: &str) -> Option<std::ops::Range<usize>> {
    let start = find(text, from, key)? + key.len();
    let end = text.get(start..)?.find([',', '}'])?;
    Some(start..start + end)
}

/// Replaces values, cuts something out, or repeats something.
fn damage(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let at = random.below(text.len());
        let keys = ["\"value\":", "\"size\":", "\"at\":", "\"index\":", "\"hash\":"];
        match random.below(5) {
            0 | 1 => {
                let Some(range) = value(&text, at, keys[random.below(keys.len())]) else { continue };
                text.replace_range(range, VALUES[random.below(VALUES.len())]);
            }
            2 => {
                let Some(range) = part(&text, at) else { continue };
                text.replace_range(range, "");
            }
            3 => {
                let Some(range) = part(&text, at) else { continue };
                let again = text.get(range.clone()).unwrap_or_default().to_owned();
                text.insert_str(range.start, &again);
            }
            _ => text.replace_range(at..(at + 1 + random.below(8)).min(text.len()), ""),
        }
    }
    text
}

#[test]
fn damaged_json_is_an_error_or_a_model_that_can_be_written() {
    let mut random = Random(1);
    let (mut good, mut bad, mut samples) = (0, 0, 0);
    for sample in effigy_samples::all().into_iter().filter(|sample| sample.bytes.len() <= LARGEST) {
        let Ok(format) = effigy::sniff(&sample.bytes, None) else { continue };
        if format == Format::Mdl {
            continue;
        }
        let text = line(&effigy::read(&sample.bytes, None).unwrap());
        assert!(text.is_ascii(), "{}", sample.name);
        assert!(Model::build(&text).unwrap().write().unwrap() == sample.bytes, "{}", sample.name);
        samples += 1;
        for _ in 0..TEXTS {
            match Model::build(&damage(&mut random, &text)) {
                Ok(model) => {
                    good += 1;
                    if let Err(error) = model.write() {
                        assert!(!error.to_string().is_empty());
                    }
                }
                Err(error) => {
                    bad += 1;
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                }
            }
        }
    }
    assert!(samples >= 20 && good >= 100 && bad >= 100, "{samples} samples: {good} built, {bad} errors");
}

/// The line of an MDL as the command prints it.
fn text_line(source: &[u8]) -> String {
    let line = line(&effigy::read(source, Some("mdl")).unwrap());
    let source = serde_json::to_string(&effigy::lines::SourceText::from(source)).unwrap();
    line.replacen('{', &format!("{{\"source\":{source},"), 1)
}

#[test]
fn text_comes_back_with_its_comments_and_changes_in_its_spelling() {
    let source =
        b"// mine\nVersion { FormatVersion 800, }\nModel \"A\" { BlendTime 150, } // end\n".as_slice();
    let line = text_line(source);
    assert_eq!(Model::built(&line).unwrap().bytes, source);
    // Not UTF-8, as files of Chinese and German authors are.
    let latin = b"// M\xfchle\nVersion { FormatVersion 800, }\nModel \"A\" { BlendTime 150, }\n".as_slice();
    assert_eq!(Model::built(&text_line(latin)).unwrap().bytes, latin);
    let changed = line.replacen("\"value\":150", "\"value\":151", 1);
    assert_ne!(changed, line);
    let again = Model::built(&changed).unwrap().bytes;
    assert!(String::from_utf8(again).unwrap().contains("BlendTime 151,"));
    let printed = effigy::read(source, Some("mdl")).unwrap().write().unwrap();
    assert_eq!(Model::built(&text_line(&printed)).unwrap().bytes, printed);
    // A text that is not one is not used.
    let other = line.replacen("// mine", "{ mine", 1);
    assert!(String::from_utf8(Model::built(&other).unwrap().bytes).unwrap().contains("BlendTime 150,"));
}

#[test]
fn every_text_of_the_corpus_comes_back() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let mut texts = 0;
    for entry in effigy_testkit::index(&corpus).into_iter().filter(|it| it.format == "mdl") {
        let source = std::fs::read(&entry.path).unwrap();
        if effigy::read(&source, Some("mdl")).is_ok() {
            assert!(Model::built(&text_line(&source)).unwrap().bytes == source, "{}", entry.name);
            texts += 1;
        }
    }
    assert!(texts >= 100, "{texts} texts");
}

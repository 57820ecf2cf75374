//! Archives: real ones can be listed and opened, hostile ones cause no panic and write nothing outside of the folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stderr, clippy::cast_possible_truncation)]

use crate::common;

use common::{mpq, noise, scratch, zip};
use effigy_assets::extract::{Options, Outcome, extract};
use effigy_assets::{ArchiveAddress, ArchiveCache, Entry, FileRef, Source, Stack, name, open, open_bytes};
use effigy_testkit::{corpus, files};
use effigy_wire::{Kind, Limits};
use std::sync::Arc;

fn memory(bytes: Vec<u8>) -> Arc<dyn Source> {
    open_bytes("memory", bytes, &Limits::DEFAULT).unwrap()
}

#[test]
fn archives_and_folders_give_the_same_answers() {
    let content: &[(&str, &[u8])] =
        &[("Units\\Footman.mdx", b"MDLX...."), ("Textures\\Footman.blp", b"BLP1")];
    let slashed: Vec<(String, &[u8])> =
        content.iter().map(|(name, bytes)| (name.replace('\\', "/"), *bytes)).collect();
    let slashed: Vec<(&str, &[u8])> = slashed.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let root = scratch("alike");
    for (name, bytes) in &slashed {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), bytes).unwrap();
    }
    let sources = [memory(mpq(content, true)), memory(zip(&slashed)), open(&root, &Limits::DEFAULT).unwrap()];
    for source in sources {
        let names: Vec<String> = source.list().unwrap().into_iter().map(|entry| entry.name).collect();
        assert!(names.contains(&"Units/Footman.mdx".into()), "{}: {names:?}", source.label());
        for wanted in [r"UNITS\footman.MDX", "units/Footman.mdx", "/units//footman.mdx"] {
            assert_eq!(source.read(wanted).unwrap().unwrap(), b"MDLX....", "{} {wanted}", source.label());
        }
        for wrong in ["footman.mdx", "../units/footman.mdx", "units", ""] {
            assert!(source.find(wrong).is_none(), "{} {wrong}", source.label());
        }
    }
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn names_are_found_in_an_archive_without_a_list() {
    let texture = b"BLP1 pixels";
    let model: &[u8] = b"MDLX\0\0\0\0TEXS\0\0\0\0war3mapImported\\Hero.blp\0\0\0";
    let units: &[u8] = b"....umdl\x03\0\0\0war3mapImported\\Hero.mdl\0";
    let entries: &[(&str, &[u8])] = &[
        ("war3map.w3u", units),
        ("war3mapImported\\Hero.mdx", model),
        ("war3mapImported\\Hero.blp", texture),
        ("never\\mentioned.mdx", b"MDLX nobody"),
    ];
    let source = memory(mpq(entries, false));
    let names: Vec<String> = source.list().unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names[1..], ["war3map.w3u", "war3mapImported/Hero.blp", "war3mapImported/Hero.mdx"]);
    // A file that no other file mentions has a generated name, with an extension by its content.
    assert!(names[0].starts_with("File0000") && names[0].ends_with(".mdx"), "{names:?}");
    assert_eq!(source.read(&names[0]).unwrap().unwrap(), b"MDLX nobody");
    assert_eq!(source.try_names(&["Never/Mentioned.mdx".into()]), 1);
    assert!(source.list().unwrap().iter().all(|entry| entry.named));
}

#[test]
fn all_versions_of_mpq_open() {
    for header_version in 0..4 {
        for extended_index in [false, true] {
            if extended_index && header_version < 2 {
                continue;
            }
            let options = wc3::mpq::WriteOptions { header_version, extended_index, ..Default::default() };
            let source = memory(common::mpq_of(&[("Units\\Footman.mdx", b"MDLX")], options));
            assert_eq!(
                source.read("units/footman.mdx").unwrap().unwrap(),
                b"MDLX",
                "version {header_version}"
            );
            assert!(source.list().unwrap().iter().any(|entry| entry.name == "Units/Footman.mdx"));
        }
    }
}

#[test]
fn compressed_files_are_read_by_the_fast_path_and_by_the_crate() {
    use wc3::mpq::{ArchiveWriter, Compression, FileOptions, WriteOptions};
    let mut random = noise(3);
    for size in [0_u32, 1, 100, 4095, 4096, 4097, 50_000] {
        let content: Vec<u8> =
            (0..size).map(|at| if at % 9000 < 5000 { (at / 64) as u8 } else { random() as u8 }).collect();
        for compression in [Compression::Stored, Compression::Zlib, Compression::Bzip2] {
            for (encrypted, sector_checksums) in [(false, false), (true, false), (false, true)] {
                if sector_checksums && compression == Compression::Stored {
                    continue;
                }
                let mut writer =
                    ArchiveWriter::new(std::io::Cursor::new(Vec::new()), WriteOptions::default()).unwrap();
                let options =
                    FileOptions { compression, encrypted, sector_checksums, ..FileOptions::default() };
                writer.add_file(b"a.mdx", content.len() as u32, &mut &content[..], options).unwrap();
                let source = memory(writer.finish().unwrap().into_inner());
                let read = source.read("a.mdx").unwrap().unwrap();
                assert_eq!(read, content, "{size} {compression:?} {encrypted} {sector_checksums}");
            }
        }
    }
}

#[test]
fn later_sources_take_precedence() {
    let mut stack = Stack::default();
    stack.push(memory(zip(&[("a.blp", b"old"), ("b.blp", b"only here")])));
    stack.push(memory(zip(&[("A.BLP", b"new")])));
    assert_eq!(stack.read("a.blp").unwrap().unwrap(), b"new");
    assert_eq!(stack.read("B.blp").unwrap().unwrap(), b"only here");
    assert_eq!(stack.list().unwrap().len(), 2);
    assert_eq!(stack.find_any(["c.blp", "b.blp", "a.blp"]).unwrap().read().unwrap(), b"only here");
    assert!(stack.read("c.blp").unwrap().is_none());
}

#[test]
fn a_map_with_thirty_thousand_unnamed_entries_is_listed() {
    // Every block is valid for the tables, and none has a name.
    let names: Vec<String> = (0..30_000).map(|number| format!("fake{number}")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let bytes = mpq(&entries, false);
    let listed = memory(bytes).list().unwrap();
    assert_eq!(listed.len(), 30_000);
    assert!(listed.iter().all(|entry| !entry.named && entry.size == 1));
}

#[test]
fn a_full_hash_table_with_a_list_of_wrong_names_is_listed() {
    let lies: String = (0..30_000).map(|number| format!("lie{number}\r\n")).collect();
    let names: Vec<String> = (0..30_000).map(|number| format!("fake{number}")).collect();
    let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    entries.push(("(listfile)", lies.as_bytes()));
    let bytes = mpq(&entries, false);
    let listed = memory(bytes).list().unwrap();
    assert_eq!(listed.len(), 30_001);
    let named: Vec<&str> =
        listed.iter().filter(|entry| entry.named).map(|entry| entry.name.as_str()).collect();
    assert_eq!(named, ["(listfile)"]);
}

#[test]
fn hostile_names_are_never_written_outside_of_the_folder() {
    let hostile = [
        "../out.txt",
        "..\\out.txt",
        "/abs.txt",
        "C:\\drive.txt",
        "\\\\server\\share.txt",
        "a/../../out.txt",
        "ok/file.txt",
        "CON",
        "ok/FILE.TXT",
        "nul.mdx",
        "ok/file.txt/below",
        "trailing. ",
    ];
    let entries: Vec<(&str, &[u8])> = hostile.iter().map(|name| (*name, name.as_bytes())).collect();
    let root = scratch("hostile");
    let out = root.join("out");
    // These are the same as other names in an MPQ.
    let twice = |name: &str| matches!(name, "ok/FILE.TXT" | "..\\out.txt");
    let once: Vec<(&str, &[u8])> = entries.iter().filter(|(name, _)| !twice(name)).copied().collect();
    for bytes in [zip(&entries), mpq(&once, true)] {
        let source = memory(bytes);
        let listed = source.list().unwrap();
        let mut outcomes = Vec::new();
        let done = extract(
            &*source,
            &listed,
            &out,
            &Options { force: true, ..Options::default() },
            &mut |entry, outcome| {
                outcomes.push((entry.name.clone(), format!("{outcome:?}")));
                true
            },
        )
        .unwrap();
        assert_eq!(done.written + done.skipped, listed.len());
        let outside: Vec<_> =
            std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(outside, ["out"], "{outcomes:?}");
        assert!(
            out.join("_CON").is_file() && out.join("_nul.mdx").is_file() && out.join("trailing._").is_file()
        );
        assert!(files(&out, |_| true).iter().all(|path| path.starts_with(&out)));
    }
    std::fs::remove_dir_all(root).unwrap();
}

/// A source with the entries that a test chooses.
struct Made(Vec<Entry>);

impl Source for Made {
    fn label(&self) -> &str {
        "made"
    }
    fn list(&self) -> effigy_wire::Result<Vec<Entry>> {
        Ok(self.0.clone())
    }
    fn find(&self, wanted: &str) -> Option<Entry> {
        self.0.iter().find(|entry| name::key(&entry.name) == name::key(wanted)).cloned()
    }
    fn open(&self, _: &Entry) -> effigy_wire::Result<Vec<u8>> {
        Ok(b"content".to_vec())
    }
}

fn entry(name: &str, size: u64, stored: u64) -> Entry {
    // Made from a real entry, since only sources can create one.
    let mut entry = memory(zip(&[("x", b"")])).find("x").unwrap();
    (entry.name, entry.size, entry.stored) = (name.into(), size, stored);
    entry
}

#[test]
fn collisions_links_and_files_that_exist_are_reported() {
    let root = scratch("collide");
    let source = Made(vec![
        entry("a/B.txt", 7, 7),
        entry("A/b.TXT", 7, 7),
        entry("c.txt", 7, 7),
        entry("link/x.txt", 7, 7),
    ]);
    std::fs::write(root.join("c.txt"), b"mine").unwrap();
    let elsewhere = scratch("elsewhere");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&elsewhere, root.join("link")).unwrap();
    #[cfg(not(unix))]
    std::fs::write(root.join("link"), b"").unwrap();
    let mut seen = Vec::new();
    let done = extract(&source, &source.0, &root, &Options::default(), &mut |_, outcome| {
        seen.push(match outcome {
            Outcome::Written(_) => "written",
            Outcome::Collides(_) => "collides",
            Outcome::Exists(_) => "exists",
            Outcome::Failed(_) => "failed",
        });
        true
    })
    .unwrap();
    assert_eq!(seen, ["written", "collides", "exists", "failed"]);
    assert_eq!((done.written, done.skipped, done.bytes), (1, 3, 7));
    assert_eq!(std::fs::read(root.join("c.txt")).unwrap(), b"mine");
    assert!(std::fs::read_dir(&elsewhere).unwrap().next().is_none());
    std::fs::remove_dir_all(root).unwrap();
    std::fs::remove_dir_all(elsewhere).unwrap();
}

#[test]
fn archive_bombs_are_refused_before_they_are_unpacked() {
    let root = scratch("bomb");
    let many: Vec<Entry> = (0..100).map(|number| entry(&format!("{number}"), 1 << 28, 1000)).collect();
    let source = Made(many);
    let error = extract(&source, &source.0, &root, &Options::default(), &mut |_, _| true).unwrap_err();
    assert_eq!(error.kind(), Kind::Limit);
    assert!(files(&root, |_| true).is_empty());
    std::fs::remove_dir_all(root).unwrap();
    let limits = Limits { unpacked_bytes: 10, ..Limits::DEFAULT };
    for bytes in [zip(&[("a", b"eleven bytes")]), mpq(&[("a", b"eleven bytes")], true)] {
        let source = open_bytes("small", bytes, &limits).unwrap();
        assert_eq!(source.read("a").unwrap_err().kind(), Kind::Limit);
    }
}

#[test]
fn a_wrong_stated_size_is_an_error() {
    let mut bytes = zip(&[("a.txt", b"content")]);
    let at = bytes.windows(4).position(|part| part == b"PK\x01\x02").unwrap() + 24;
    bytes[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
    let source = memory(bytes);
    assert!(source.read("a.txt").is_err());
}

#[test]
fn an_encrypted_entry_is_not_supported_rather_than_damaged() {
    let mut bytes = zip(&[("a.txt", b"a twelve byte head and the content")]);
    for (mark, at) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let start = bytes.windows(4).position(|part| part == mark).unwrap();
        bytes[start + at] |= 1;
    }
    assert_eq!(memory(bytes).read("a.txt").unwrap_err().kind(), Kind::Unsupported);
}

#[test]
fn files_next_to_a_file_are_read_within_the_limits() {
    let root = scratch("beside");
    std::fs::write(root.join("a.mdx"), b"model").unwrap();
    std::fs::write(root.join("b.txt"), b"12345678").unwrap();
    std::fs::create_dir(root.join("folder")).unwrap();
    let file = effigy_assets::FileRef::disk(root.join("a.mdx"));
    let within = |input_bytes| Limits { input_bytes, ..Limits::DEFAULT };
    assert_eq!(file.beside("b.txt", &Limits::DEFAULT).unwrap(), b"12345678");
    assert_eq!(file.beside("b.txt", &within(8)).unwrap(), b"12345678");
    assert!(file.beside("b.txt", &within(7)).is_none());
    assert!(file.beside("folder", &Limits::DEFAULT).is_none());
    assert!(file.beside("none", &Limits::DEFAULT).is_none());
    let source = memory(zip(&[("x/a.mdx", b"model"), ("x/b.txt", b"inside"), ("b.txt", b"outside")]));
    let packed = effigy_assets::FileRef::inside(Arc::clone(&source), source.find("x/a.mdx").unwrap());
    assert_eq!(packed.beside("b.txt", &Limits::DEFAULT).unwrap(), b"inside");
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn links_in_zips_are_not_followed() {
    let mut bytes = zip(&[("link", b"/etc/passwd"), ("file", b"x")]);
    let at = bytes.windows(4).position(|part| part == b"PK\x01\x02").unwrap();
    bytes[at + 5] = 3;
    bytes[at + 38..at + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
    let source = memory(bytes);
    assert_eq!(source.list().unwrap().len(), 1);
    assert_eq!(source.diagnostics().len(), 1);
}

fn poke(bytes: Vec<u8>) {
    if let Ok(source) = open_bytes("poked", bytes, &Limits { unpacked_bytes: 1 << 20, ..Limits::DEFAULT })
        && let Ok(entries) = source.list()
    {
        for entry in entries.iter().take(50) {
            let _ = source.open(entry);
        }
        let _ = source.diagnostics();
    }
}

#[test]
fn truncated_and_changed_archives_do_not_panic() {
    let entries: &[(&str, &[u8])] = &[("a.mdx", b"MDLX b.blp"), ("dir\\b.blp", &[7; 5000])];
    let mut random = noise(11);
    for bytes in [zip(entries), mpq(entries, true), mpq(entries, false)] {
        for length in (0..bytes.len()).step_by(7) {
            poke(bytes[..length].to_vec());
        }
        for _ in 0..1500 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random() % 4 {
                let most = if random().is_multiple_of(2) { 64 } else { bytes.len() };
                let at = random() as usize % most;
                bytes[at] = random() as u8;
            }
            poke(bytes);
        }
    }
}

#[test]
fn every_archive_of_the_corpus_lists_and_opens_its_models() {
    let Some(corpus) = corpus() else { return };
    let (mut archives, mut entries, mut models, mut unread) = (0, 0, 0, 0);
    for path in files(&corpus.join("archives"), |_| true) {
        let label = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = open(&path, &Limits::DEFAULT).unwrap_or_else(|error| panic!("{label}: {error}"));
        archives += 1;
        for entry in source.list().unwrap() {
            entries += 1;
            let model = matches!(name::extension(&entry.name).as_str(), "mdx" | "mdl" | "m2" | "md3" | "mdc");
            match source.open(&entry) {
                Ok(bytes) => {
                    assert_eq!(bytes.len() as u64, entry.size, "{label}:{}", entry.name);
                    models += usize::from(model);
                }
                Err(error) => {
                    assert!(!model, "{label}:{}: {error}", entry.name);
                    unread += 1;
                    eprintln!("{label}:{}: {error}", entry.name);
                }
            }
            assert_eq!(source.find(&entry.name), Some(entry.clone()), "{label}:{}", entry.name);
        }
    }
    eprintln!("{archives} archives, {entries} entries, {models} models, {unread} unreadable");
    assert!(archives >= 30);
}

#[test]
fn truncated_real_archives_do_not_panic() {
    let Some(corpus) = corpus() else { return };
    for path in files(&corpus.join("archives"), |_| true) {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() < 40_000 {
            for length in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
                poke(bytes[..length].to_vec());
            }
        }
    }
}

#[test]
fn files_have_their_size_and_their_first_bytes_wherever_they_are() {
    let root = scratch("sizes");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(root.join("a.txt"), b"hello").unwrap();
    let packed = memory(zip(&[("a.txt", b"hello")]));
    let entry = packed.find("a.txt").unwrap();
    assert_eq!(packed.head(&entry, 2).unwrap(), b"he");
    let disk = FileRef::disk(root.join("a.txt"));
    for file in [disk, FileRef::inside(packed, entry), FileRef::memory("a.txt", b"hello".to_vec())] {
        assert_eq!((file.size(), file.head(3).unwrap()), (Some(5), b"hel".to_vec()), "{}", file.label());
    }
    assert_eq!(FileRef::disk(root.join("b.txt")).size(), None);
    assert_eq!(FileRef::stream("-", std::io::empty()).size(), None);
    std::fs::remove_dir_all(root).unwrap();
}

/// A source with nothing but what it must have.
#[derive(Debug)]
struct One(Entry);

impl Source for One {
    fn label(&self) -> &str {
        "one"
    }
    fn list(&self) -> effigy_wire::Result<Vec<Entry>> {
        Ok(vec![self.0.clone()])
    }
    fn find(&self, name: &str) -> Option<Entry> {
        (name == self.0.name).then(|| self.0.clone())
    }
    fn open(&self, _: &Entry) -> effigy_wire::Result<Vec<u8>> {
        Ok(b"whole".to_vec())
    }
}

#[test]
fn a_source_that_cannot_read_parts_reads_all_and_cuts() {
    let entry = memory(zip(&[("a.txt", b"hello")])).find("a.txt").unwrap();
    let one = One(entry.clone());
    assert_eq!(
        (one.head(&entry, 3).unwrap(), one.head(&entry, 9).unwrap()),
        (b"who".to_vec(), b"whole".to_vec())
    );
    assert!(one.may_have("anything") && one.try_names(&["a.txt".into()]) == 0);
}

#[test]
fn a_pattern_fits_names_and_whole_folders() {
    let source = memory(zip(&[("units/a.mdx", b"1"), ("units/old/b.mdx", b"2"), ("unitsx/c.mdx", b"3")]));
    let chosen = |patterns: &[&str]| {
        let patterns: Vec<String> = patterns.iter().map(|it| (*it).to_owned()).collect();
        let (found, unused) = effigy_assets::extract::matching(&source, &patterns).unwrap();
        let names: Vec<String> = found.into_iter().map(|it| it.entry.name).collect();
        (names, unused.len())
    };
    let all = ["units/a.mdx", "units/old/b.mdx", "unitsx/c.mdx"].map(str::to_owned).to_vec();
    assert_eq!(chosen(&[]), (all.clone(), 0));
    assert_eq!(chosen(&["UNITS"]), (all[..2].to_vec(), 0));
    assert_eq!(chosen(&["*/c.mdx", "nothing"]), (all[2..].to_vec(), 1));
}

#[test]
fn four_archives_inside_others_stay_open_and_the_outer_one_too() {
    let inner: Vec<(String, Vec<u8>)> = (b'0'..b'6')
        .map(|digit| (format!("{}.zip", char::from(digit)), zip(&[("a.txt", &[digit])])))
        .collect();
    let inner: Vec<(&str, &[u8])> =
        inner.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let folder = scratch("inside");
    std::fs::write(folder.join("outer.zip"), zip(&inner)).unwrap();
    let cache = ArchiveCache::new(Limits::DEFAULT);
    let outer = ArchiveAddress::disk(folder.join("outer.zip"));
    let opened: Vec<Arc<dyn Source>> =
        inner.iter().map(|(name, _)| cache.open(&outer.with(name)).unwrap()).collect();
    let first = cache.open(&outer).unwrap();
    // From the newest on, since what is asked for becomes the newest.
    for at in (0..6).rev() {
        let again = cache.open(&outer.with(inner[at].0)).unwrap();
        assert_eq!(Arc::ptr_eq(&again, &opened[at]), at >= 2, "{at}");
        assert_eq!(again.read("a.txt").unwrap().unwrap(), [b'0' + at as u8]);
        let entry = again.find("a.txt").unwrap();
        assert_eq!(cache.read(&outer.with(inner[at].0), &entry).unwrap(), [b'0' + at as u8]);
    }
    assert!(Arc::ptr_eq(&first, &cache.open(&outer).unwrap()));
}

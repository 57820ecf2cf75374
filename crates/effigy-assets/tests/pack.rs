//! Archives that are written: what was not changed stays, and other readers see the same files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation, missing_docs)]

use crate::common;

use common::{mpq, mpq_of, noise, scratch, zip};
use effigy_assets::pack::{Changes, create, create_file, rewrite, rewrite_file};
use effigy_assets::{ArchiveKind, open, open_bytes};
use effigy_testkit::{corpus, files};
use effigy_wire::{Kind, Limits, Outcome};
use std::collections::BTreeMap;
use std::io::Cursor;

const LIMITS: Limits = Limits::DEFAULT;

/// All files by name.
fn contents(bytes: Vec<u8>) -> BTreeMap<String, Vec<u8>> {
    let source = open_bytes("memory", bytes, &LIMITS).unwrap();
    let entries = source.list().unwrap();
    entries.iter().map(|entry| (entry.name.clone(), source.open(entry).unwrap())).collect()
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let mut random = noise(5);
    [0_usize, 1, 100, 4095, 4096, 4097, 70_000]
        .into_iter()
        .enumerate()
        .map(|(index, size)| {
            let noisy = index % 2 == 0;
            let byte = |at: usize, random: &mut dyn FnMut() -> u32| {
                if noisy { random() as u8 } else { (at / 64) as u8 }
            };
            (format!("Folder/Größe {size}.bin"), (0..size).map(|at| byte(at, &mut random)).collect())
        })
        .collect()
}

fn changes(files: &[(String, Vec<u8>)]) -> Changes {
    let mut changes = Changes::default();
    files.iter().for_each(|(name, bytes)| changes.put(name, bytes.clone()).unwrap());
    changes
}

/// The content of a file as the crate `wc3` reads it, strictly.
fn by_wc3(bytes: &[u8], name: &str) -> Vec<u8> {
    let mut archive = wc3::mpq::Archive::open(Cursor::new(bytes)).unwrap();
    archive.read_file(name.replace('/', "\\").as_bytes()).unwrap()
}

#[test]
fn new_archives_have_the_files_that_were_put_in_and_are_the_same_each_time() {
    for kind in [ArchiveKind::Mpq, ArchiveKind::Zip] {
        let packed = create(kind, &changes(&samples())).unwrap();
        packed.check(&LIMITS).unwrap();
        let again = create(kind, &changes(&samples())).unwrap();
        assert_eq!(packed.bytes, again.bytes);
        let found = contents(packed.bytes.clone());
        for (name, bytes) in samples() {
            assert_eq!(found[&name], bytes, "{name}");
            if kind == ArchiveKind::Mpq {
                assert_eq!(by_wc3(&packed.bytes, &name), bytes, "{name}");
            }
        }
        assert!(packed.bytes.len() < 110_000, "the even ones are compressed: {}", packed.bytes.len());
    }
}

#[test]
fn a_file_is_added_replaced_and_removed_and_the_others_keep_their_packed_bytes() {
    let options = wc3::mpq::WriteOptions::default();
    let mut writer = wc3::mpq::ArchiveWriter::new(Cursor::new(Vec::new()), options).unwrap();
    let text = vec![b'a'; 20_000];
    for (name, compression) in
        [("a.txt", wc3::mpq::Compression::Bzip2), ("b.txt", wc3::mpq::Compression::Zlib)]
    {
        let options = wc3::mpq::FileOptions { compression, ..Default::default() };
        writer.add_file(name.as_bytes(), 20_000, &mut &text[..], options).unwrap();
    }
    writer.add_file(b"c.txt", 3, &mut &b"old"[..], wc3::mpq::FileOptions::default()).unwrap();
    let mut old = vec![7_u8; 1024];
    old.extend(writer.finish().unwrap().into_inner());
    let mut change = Changes::default();
    change.put("c.txt", b"new".to_vec()).unwrap();
    change.put("d/e.txt", b"more".to_vec()).unwrap();
    change.remove("B.TXT");
    let new = rewrite("x.mpq", old.clone(), &change, &LIMITS).unwrap();
    new.check(&LIMITS).unwrap();
    let found = contents(new.bytes.clone());
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["(listfile)", "a.txt", "c.txt", "d/e.txt"]);
    assert_eq!((found["c.txt"].as_slice(), found["d/e.txt"].as_slice()), (&b"new"[..], &b"more"[..]));
    assert_eq!(found["(listfile)"], b"a.txt\r\nc.txt\r\nd\\e.txt\r\n");
    assert_eq!(new.bytes[..1024], old[..1024], "what comes before the archive");
    let packed = |bytes: &[u8]| {
        let mut archive = wc3::mpq::Archive::open(Cursor::new(bytes.to_vec())).unwrap();
        let block = archive.index().find(b"a.txt", 0, 0).unwrap();
        let mut packed = Vec::new();
        std::io::Read::read_to_end(&mut archive.encoded_file(block).unwrap(), &mut packed).unwrap();
        packed
    };
    assert_eq!(packed(&new.bytes), packed(&old), "bzip2 stays bzip2");

    let old = zip(&[("a.txt", b"one"), ("B.txt", b"two"), ("c.txt", b"three")]);
    let mut change = Changes::default();
    change.put("b.TXT", b"2".to_vec()).unwrap();
    change.remove("c.txt");
    let new = rewrite("x.pk3", old, &change, &LIMITS).unwrap();
    new.check(&LIMITS).unwrap();
    let found = contents(new.bytes);
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        [("a.txt".to_owned(), b"one".to_vec()), ("b.TXT".to_owned(), b"2".to_vec()),]
    );
}

#[test]
fn a_full_hash_table_grows() {
    let names: Vec<String> = (0..300).map(|number| format!("file{number}.txt")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), name.as_bytes())).collect();
    let old = mpq(&entries, true);
    let mut change = Changes::default();
    for number in 0..1000 {
        change.put(&format!("more{number}.txt"), vec![1]).unwrap();
    }
    let new = rewrite("x.mpq", old, &change, &LIMITS).unwrap();
    new.check(&LIMITS).unwrap();
    let archive = wc3::mpq::Archive::open(Cursor::new(new.bytes.clone())).unwrap();
    // 1,300 files and the list of names: the next power of two after 2,602.
    assert_eq!(archive.index().hashes.len(), 4096);
    assert_eq!(by_wc3(&new.bytes, "file299.txt"), b"file299.txt");
}

#[test]
fn files_without_a_name_keep_their_slot() {
    let list = b"known.txt\r\n";
    let old = mpq(&[("known.txt", b"known"), ("secret.txt", b"hidden"), ("(listfile)", list)], false);
    let mut change = Changes::default();
    change.put("new.txt", b"new".to_vec()).unwrap();
    change.put("known.txt", b"changed".to_vec()).unwrap();
    let new = rewrite("x.mpq", old, &change, &LIMITS).unwrap();
    new.check(&LIMITS).unwrap();
    for (name, content) in [("known.txt", &b"changed"[..]), ("secret.txt", b"hidden"), ("new.txt", b"new")] {
        assert_eq!(by_wc3(&new.bytes, name), content, "{name}");
    }
}

#[test]
fn a_protected_map_is_refused_with_the_reason() {
    let hidden = mpq(&[("secret.txt", b"hidden")], false);
    let mut wrong_size = mpq(&[("a.txt", b"a")], true);
    wrong_size[4] = 33;
    for (bytes, reason) in [(hidden, "no list of names"), (wrong_size, "header size")] {
        let error = rewrite("x.w3x", bytes, &Changes::default(), &LIMITS).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains(reason), "{error}");
        assert!(error.to_string().contains("can only be read"), "{error}");
    }
}

#[test]
fn every_key_of_an_encrypted_file_survives_a_move() {
    let content: Vec<u8> = (0..9000_u32).map(|at| (at / 7) as u8).collect();
    for compression in [wc3::mpq::Compression::Stored, wc3::mpq::Compression::Zlib] {
        for adjusted_key in [false, true] {
            let mut writer =
                wc3::mpq::ArchiveWriter::new(Cursor::new(Vec::new()), wc3::mpq::WriteOptions::default())
                    .unwrap();
            let plain = wc3::mpq::FileOptions::default();
            writer.add_file(b"first.txt", 5, &mut &b"first"[..], plain).unwrap();
            let options =
                wc3::mpq::FileOptions { compression, encrypted: true, adjusted_key, ..Default::default() };
            writer.add_file(b"a\\locked.bin", 9000, &mut &content[..], options).unwrap();
            let mut change = Changes::default();
            change.remove("first.txt");
            let new = rewrite("x.mpq", writer.finish().unwrap().into_inner(), &change, &LIMITS).unwrap();
            new.check(&LIMITS).unwrap();
            assert_eq!(by_wc3(&new.bytes, "a/locked.bin"), content);
            assert_eq!(new.report.is_empty(), !adjusted_key, "{}", new.report);
        }
    }
}

#[test]
fn every_version_is_rewritten() {
    for header_version in 0..4 {
        for extended_index in [false, true] {
            if extended_index && header_version < 2 {
                continue;
            }
            let options = wc3::mpq::WriteOptions { header_version, extended_index, ..Default::default() };
            let old = mpq_of(&[("a.txt", b"one"), ("b.txt", b"two")], options);
            let mut change = Changes::default();
            change.put("b.txt", b"2".to_vec()).unwrap();
            let new = rewrite("x.mpq", old, &change, &LIMITS).unwrap();
            new.check(&LIMITS).unwrap();
            assert_eq!(by_wc3(&new.bytes, "a.txt"), b"one", "version {header_version}");
            assert_eq!(by_wc3(&new.bytes, "b.txt"), b"2");
            // Versions 1 and 2 stay what they are.
            let notes: Vec<String> = new.report.notes().iter().map(|it| it.message.to_string()).collect();
            let lowered = notes.iter().any(|it| it.contains("is written as version 2"));
            assert_eq!(lowered, header_version > 1, "{notes:?}");
        }
    }
}

#[test]
fn the_list_of_imported_files_follows() {
    let imports = b"\x01\0\0\0\x02\0\0\0\x05Hero.mdx\0\x0dunits\\Old.mdx\0";
    let old = mpq(
        &[
            ("war3map.w3i", b"i"),
            ("war3map.imp", imports),
            ("war3mapImported\\Hero.mdx", b"m"),
            ("units\\Old.mdx", b"o"),
        ],
        true,
    );
    let mut change = Changes::default();
    change.put("war3mapImported/Hero.mdx", b"n".to_vec()).unwrap();
    change.put("units/New.mdx", b"n".to_vec()).unwrap();
    change.put("war3map.w3u", b"u".to_vec()).unwrap();
    change.remove("units/Old.mdx");
    let new = rewrite("x.w3x", old, &change, &LIMITS).unwrap();
    let found = contents(new.bytes);
    assert_eq!(found["war3map.imp"], b"\x01\0\0\0\x02\0\0\0\x05Hero.mdx\0\x0dunits\\New.mdx\0");
    assert!(!found.contains_key("units/Old.mdx"));
}

#[test]
fn signatures_and_checksums_are_dropped_and_reported() {
    let mut old = mpq(&[("a.txt", b"a"), ("(attributes)", b"old"), ("(signature)", &[0; 72])], true);
    old.extend(b"NGIS");
    old.extend([9; 256]);
    old.extend(b"after");
    let new = rewrite("x.w3x", old, &Changes::default(), &LIMITS).unwrap();
    let dropped: Vec<&str> = new
        .report
        .notes()
        .iter()
        .filter(|note| note.outcome == Outcome::Dropped)
        .map(|note| note.path.as_str())
        .collect();
    assert_eq!(dropped.len(), 3, "{dropped:?}");
    assert!(new.bytes.ends_with(b"after"));
    assert_eq!(contents(new.bytes).into_keys().collect::<Vec<_>>(), ["(listfile)", "a.txt"]);
}

#[test]
fn a_name_that_leads_elsewhere_or_belongs_to_the_archive_is_refused() {
    for name in ["", "../a.txt", "a/../../b", "a\nb", "(listfile)", "(Attributes)"] {
        assert!(Changes::default().put(name, Vec::new()).is_err(), "{name:?}");
    }
    let mut change = Changes::default();
    change.remove("nothing.txt");
    assert!(rewrite("x.mpq", mpq(&[("a", b"a")], true), &change, &LIMITS).is_err());
    assert!(rewrite("x.zip", zip(&[("a", b"a")]), &change, &LIMITS).is_err());
}

#[test]
fn archives_on_the_disk_are_those_that_are_made_in_memory() {
    let folder = scratch("pack");
    let inputs = folder.join("in");
    for (name, bytes) in samples() {
        let path = inputs.join(&name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    for (kind, name) in [(ArchiveKind::Mpq, "x.mpq"), (ArchiveKind::Zip, "x.zip")] {
        let path = folder.join(name);
        let mut files = Changes::default();
        files.put_path(&inputs, "", &LIMITS).unwrap();
        let written = create_file(&path, false, kind, &files, &LIMITS).unwrap();
        let expected = create(kind, &changes(&samples())).unwrap().bytes;
        assert_eq!(std::fs::read(&path).unwrap(), expected);
        assert_eq!((written.files, written.before, written.after), (7, None, expected.len() as u64));
        let again = create_file(&path, false, kind, &files, &LIMITS).unwrap_err();
        assert_eq!(again.kind(), Kind::Exists);

        // An archive is changed in place. An MPQ may have something before and after it.
        let (head, tail) =
            if kind == ArchiveKind::Mpq { (vec![7; 1024], vec![8; 99]) } else { Default::default() };
        let old = [head.clone(), expected, tail.clone()].concat();
        std::fs::write(&path, &old).unwrap();
        let mut change = Changes::default();
        change.put_file("more/new.bin", &inputs.join("Folder/Größe 100.bin"), &LIMITS).unwrap();
        change.remove("folder/größe 0.bin");
        let written = rewrite_file(&path, &path, true, &change, &LIMITS).unwrap();
        let new = rewrite("x", old.clone(), &change, &LIMITS).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), new.bytes);
        assert_eq!((written.files, written.before), (7, Some(old.len() as u64)));
        assert!(new.bytes.starts_with(&head) && new.bytes.ends_with(&tail));
        assert_eq!(contents(new.bytes)["more/new.bin"], samples()[2].1);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nothing_is_left_where_an_archive_cannot_be_saved() {
    let folder = scratch("unsaved");
    let (path, input) = (folder.join("x.mpq"), folder.join("a.txt"));
    std::fs::write(&input, b"one").unwrap();
    let mut files = Changes::default();
    files.put_file("a.txt", &input, &LIMITS).unwrap();
    create_file(&path, false, ArchiveKind::Mpq, &files, &LIMITS).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(files.put_file("b.txt", &folder.join("none"), &LIMITS).is_err());
    std::fs::remove_file(&input).unwrap();
    let error = create_file(&path, true, ArchiveKind::Mpq, &files, &LIMITS).unwrap_err();
    assert!(error.kind() == Kind::Io && error.to_string().contains("a.txt"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before, "the old one is still there");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_does_not_read_back_is_found() {
    for kind in [ArchiveKind::Mpq, ArchiveKind::Zip] {
        let mut packed = create(kind, &changes(&samples())).unwrap();
        packed.check(&LIMITS).unwrap();
        // In the middle of the last file, which is stored as it is.
        let middle = packed.bytes.len() / 2;
        packed.bytes[middle..middle + 4000].fill(0);
        assert!(packed.check(&LIMITS).is_err(), "{kind:?}");
    }
}

#[test]
fn real_archives_are_rewritten_with_every_file_as_it_was() {
    let Some(corpus) = corpus() else { return };
    let (mut rewritten, mut refused, mut equal) = (0, Vec::new(), 0);
    for path in files(&corpus.join("archives"), |_| true) {
        let Ok(source) = open(&path, &LIMITS) else { continue };
        let bytes = std::fs::read(&path).unwrap();
        let label = path.display().to_string();
        let mut change = Changes::default();
        change.put("war3mapImported/effigy.txt", b"new".to_vec()).unwrap();
        let new = match rewrite(&label, bytes.clone(), &change, &LIMITS) {
            Ok(new) => new,
            Err(error) => {
                assert_eq!(error.kind(), Kind::Unsupported, "{label}: {error}");
                refused.push(format!("{label}: {error}"));
                continue;
            }
        };
        new.check(&LIMITS).unwrap();
        rewritten += 1;
        let again = open_bytes("new", new.bytes.clone(), &LIMITS).unwrap();
        let is_mpq = ArchiveKind::sniff(&bytes) == Some(ArchiveKind::Mpq);
        for entry in source.list().unwrap().iter().filter(|entry| entry.named) {
            if ["(listfile)", "(attributes)", "war3map.imp"].contains(&entry.name.as_str()) {
                continue;
            }
            let Ok(content) = source.open(entry) else { continue };
            assert_eq!(again.read(&entry.name).unwrap().unwrap(), content, "{label}: {}", entry.name);
            if is_mpq && entry.name.is_ascii() {
                assert_eq!(by_wc3(&new.bytes, &entry.name), content, "{label}: {}", entry.name);
            }
            equal += 1;
        }
    }
    assert!(rewritten >= 26, "{rewritten} rewritten");
    // Three maps with a wrong header, and three archives without a list of names.
    assert_eq!(refused.len(), 6, "{refused:#?}");
    assert!(equal >= 500, "{equal} files were compared");
}

/// Unpacks an archive with StormLib's program `smpq` and returns the files by name.
fn by_stormlib(bytes: &[u8], folder: &std::path::Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::create_dir_all(folder.join("out")).unwrap();
    std::fs::write(folder.join("a.mpq"), bytes).unwrap();
    let run = std::process::Command::new("smpq")
        .args(["--extract", "../a.mpq"])
        .current_dir(folder.join("out"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let root = folder.join("out");
    let found = files(&root, |_| true);
    let named = found.iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        (name.to_lowercase(), std::fs::read(path).unwrap())
    });
    let found = named.collect();
    std::fs::remove_dir_all(folder).unwrap();
    found
}

#[test]
fn stormlib_reads_the_same_files() {
    let there = std::process::Command::new("smpq").arg("--version").output().is_ok();
    if !effigy_testkit::require("smpq", there, "the program smpq (StormLib) is not installed") {
        return;
    }
    let packed = create(ArchiveKind::Mpq, &changes(&samples())).unwrap();
    let found = by_stormlib(&packed.bytes, &scratch("storm"));
    for (name, bytes) in samples() {
        let at = name.to_lowercase();
        assert_eq!(found.get(&at), Some(&bytes), "{name}: {:?}", found.keys());
    }
    let Some(corpus) = corpus() else { return };
    let (mut archives, mut equal) = (0, 0);
    for path in files(&corpus.join("archives"), |_| true) {
        let bytes = std::fs::read(&path).unwrap();
        if ArchiveKind::sniff(&bytes) != Some(ArchiveKind::Mpq) {
            continue;
        }
        let Ok(source) = open(&path, &LIMITS) else { continue };
        let mut change = Changes::default();
        change.put("war3mapImported/effigy.txt", b"new".to_vec()).unwrap();
        let Ok(new) = rewrite("x", bytes, &change, &LIMITS) else { continue };
        let found = by_stormlib(&new.bytes, &scratch("storm"));
        assert_eq!(found["war3mapimported/effigy.txt"], b"new", "{}", path.display());
        archives += 1;
        for entry in source.list().unwrap().iter().filter(|entry| entry.named && entry.name.is_ascii()) {
            if ["(listfile)", "(attributes)", "war3map.imp"].contains(&entry.name.as_str()) {
                continue;
            }
            let Ok(content) = source.open(entry) else { continue };
            let at = entry.name.to_lowercase();
            assert_eq!(found.get(&at), Some(&content), "{}: {}", path.display(), entry.name);
            equal += 1;
        }
    }
    assert!(archives >= 22 && equal >= 400, "{archives} archives, {equal} files");
}

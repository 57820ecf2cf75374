//! Where a file is, how it is named, and what is said about it.

use crate::common::{mpq, scratch, zip};
use effigy_assets::pack::{Changes, create, rewrite};
use effigy_assets::rules::shader::Shaders;
use effigy_assets::rules::warcraft3::Replaceable;
use effigy_assets::{
    Appearance, ArchiveKind, ArchivePath, Assets, Destination, FileRef, Folder, Found, Memory, Naming,
    Source, open, open_bytes,
};
use effigy_wire::{Kind, Limits};
use std::path::Path;
use std::sync::Arc;

const LIMITS: Limits = Limits::DEFAULT;

#[test]
fn a_file_knows_the_archive_and_the_disk_file_it_is_in() {
    let root = scratch("inside");
    let inner = zip(&[("b.txt", b"inner")]);
    let outer = root.join("outer.pk3");
    std::fs::write(&outer, zip(&[("inner.pk3", &inner), ("a.txt", b"outer")])).unwrap();
    let text = outer.display().to_string();
    let located = |inside: &str| FileRef::locate(Path::new(&format!("{text}:{inside}")), &LIMITS);

    let file = located("a.txt").unwrap();
    assert_eq!((file.archive(), file.on_disk()), (Some(text.clone()), Some(outer.as_path())));
    assert_eq!(file.read(&LIMITS).unwrap(), b"outer");
    let file = located("inner.pk3:b.txt").unwrap();
    assert_eq!((file.archive(), file.on_disk()), (Some(format!("{text}:inner.pk3")), Some(outer.as_path())));
    assert_eq!(file.read(&LIMITS).unwrap(), b"inner");
    assert!(located("missing.txt").is_err() && located("inner.pk3:missing.txt").is_err());

    let file = FileRef::disk(&outer);
    assert_eq!((file.archive(), file.on_disk()), (None, Some(outer.as_path())));
    let file = FileRef::memory("c.txt", b"c".to_vec());
    assert_eq!((file.archive().as_deref(), file.on_disk()), (Some("memory"), None));
    let file = FileRef::stream("-", std::io::empty());
    assert_eq!((file.archive(), file.on_disk()), (None, None));
    assert_eq!(open(&outer, &LIMITS).unwrap().label(), text);

    // An existing file is an archive with any extension, and a path that exists leads into none.
    let plain = root.join("archive.dat");
    std::fs::rename(&outer, &plain).unwrap();
    let path = format!("{}:a.txt", plain.display());
    let found = ArchivePath::locate(&path).unwrap();
    assert_eq!((found.archive.as_path(), found.inside.as_str()), (plain.as_path(), "a.txt"));
    assert!(ArchivePath::locate(&plain.display().to_string()).is_none());
    assert_eq!(Found::locate(Path::new(&path), &LIMITS).unwrap().read().unwrap(), b"outer");
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_bare_name_is_a_file_of_the_current_folder() {
    // Tests run in the folder of their crate.
    let found = Found::locate(Path::new("Cargo.toml"), &LIMITS).unwrap();
    assert_eq!(found.to_string(), "Cargo.toml");
    assert_eq!(found.read().unwrap(), std::fs::read("Cargo.toml").unwrap());
    let found = Found::locate(Path::new("src/lib.rs"), &LIMITS).unwrap();
    assert_eq!(found.read().unwrap(), std::fs::read("src/lib.rs").unwrap());
    assert_eq!(Path::new(&found.to_string()), Path::new("src").join("lib.rs"));
    assert!(Found::locate(Path::new("no such file"), &LIMITS).is_err());
}

#[test]
fn the_beginning_of_a_file_in_an_mpq_is_read_alone() {
    let source = open_bytes("x.mpq", mpq(&[("a.txt", b"hello"), ("b.txt", b"")], true), &LIMITS).unwrap();
    let entry = source.find("a.txt").unwrap();
    assert_eq!(source.head(&entry, 3).unwrap(), b"hel");
    assert_eq!(source.head(&entry, 30).unwrap(), b"hello");
}

#[test]
fn a_file_of_exactly_the_limit_is_read() {
    let limits = Limits { unpacked_bytes: 5, ..LIMITS };
    for bytes in [zip(&[("a", b"12345"), ("b", b"123456")]), mpq(&[("a", b"12345"), ("b", b"123456")], true)]
    {
        let source = open_bytes("x", bytes, &limits).unwrap();
        assert_eq!(source.read("a").unwrap().unwrap(), b"12345");
        assert_eq!(source.read("b").unwrap_err().kind(), Kind::Limit);
    }
}

#[test]
fn a_folder_that_is_gone_cannot_be_listed() {
    let root = scratch("gone");
    std::fs::create_dir(root.join("Textures")).unwrap();
    let folder = Folder::new(&root, &LIMITS).unwrap();
    assert!(folder.may_have("textures") && !folder.may_have("units"));
    assert!(folder.list().unwrap().is_empty());
    std::fs::remove_dir_all(&root).unwrap();
    assert!(folder.list().is_err());
}

#[test]
fn settings_are_what_they_were_set_to() {
    let out = Destination::folder("out");
    assert!(!out.overwrites() && out.clone().overwrite(true).overwrites());
    assert!(!out.overwrite(true).overwrite(false).overwrites());
    let assets = Assets::new(Limits { records: 7, ..LIMITS });
    assert_eq!(assets.limits().records, 7);
    let mut shaders = Shaders::default();
    assert!(shaders.is_empty());
    shaders.parse("models/fire { { map a.tga } }");
    assert!(!shaders.is_empty());
    let mut changes = Changes::default();
    assert!(changes.is_empty());
    changes.remove("a.txt");
    assert_eq!((changes.is_empty(), changes.len()), (false, 0));
    let mut changes = Changes::default();
    changes.put("a.txt", Vec::new()).unwrap();
    assert!(!changes.is_empty() && changes.len() == 1);
}

#[test]
fn team_colour_and_glow_have_a_substitute_and_other_textures_have_none() {
    let image = |id| Replaceable::by_id(id).unwrap().stand_in(0);
    // Red, the first player: all of the colour, and the middle of the glow but not its corner.
    assert_eq!(image(1).unwrap().pixel(0, 0), [255, 3, 3, 255]);
    let glow = image(2).unwrap();
    let (middle, corner) = (glow.pixel(glow.width / 2, glow.height / 2), glow.pixel(0, 0));
    assert!(middle[0] > 200 && middle[1] < 60 && corner[0].min(corner[3]) < 10, "{middle:?} {corner:?}");
    assert!(image(11).is_none() && image(31).is_none());
}

#[test]
fn another_look_keeps_the_files_and_hair_counts_from_the_bald_head() {
    let mut assets = Assets::new(LIMITS);
    assets.push(Arc::new(Memory::new("game").with("a.txt", b"a".to_vec())));
    let look = Appearance { hair: Some(2), face: 3, ..Appearance::default() };
    let other = assets.dressed_as(look, []);
    assert!(other.has_game_files());
    assert_eq!(*other.appearance(), look);
    let file = FileRef::memory("OrcMale.m2", b"x".to_vec());
    assert_eq!(other.hair_part(Naming::Wow, &file), Some(3));
    assert_eq!(other.hair_part(Naming::Warcraft3, &file), None);
    assert_eq!(assets.hair_part(Naming::Wow, &file), None, "nothing was chosen, and there is no table");
    assert!(other.plain_parts(&file, &file).is_empty());
}

#[test]
fn a_map_gets_a_list_of_imports_when_the_first_file_is_imported() {
    for (mark, list) in [
        ("war3map.w3i", "war3map.imp"),
        ("war3map.imp", "war3map.imp"),
        ("war3campaign.w3f", "war3campaign.imp"),
        ("war3campaign.imp", "war3campaign.imp"),
    ] {
        let empty: &[u8] = b"\x01\0\0\0\0\0\0\0";
        let old = mpq(&[(mark, empty), ("a.mdx", b"old")], true);
        // A file that was in the map already is not new on the list.
        let mut change = Changes::default();
        change.put("a.mdx", b"new".to_vec()).unwrap();
        let same = rewrite("x.w3x", old.clone(), &change, &LIMITS).unwrap();
        assert!(same.report.notes().iter().all(|note| note.path != list), "{mark}");
        assert_eq!(same.files, 2, "{mark}");
        change.put("units/New.mdx", b"n".to_vec()).unwrap();
        change.put("units/Other.mdx", b"n".to_vec()).unwrap();
        let new = rewrite("x.w3x", old, &change, &LIMITS).unwrap();
        let said: Vec<&str> =
            new.report.notes().iter().filter(|note| note.path == list).map(|note| &*note.message).collect();
        assert_eq!(said, ["the list of imported files: 2 added, 0 removed"], "{mark}");
        new.check(&LIMITS).unwrap();
        let found = open_bytes("x.w3x", new.bytes, &LIMITS).unwrap();
        let expected: &[u8] = b"\x01\0\0\0\x02\0\0\0\x0dunits\\New.mdx\0\x0dunits\\Other.mdx\0";
        assert_eq!(found.read(list).unwrap().unwrap(), expected, "{mark}");
    }
    // Only removals are a change, too; and an archive that is not a map has no such list.
    let imports: &[u8] = b"\x01\0\0\0\x01\0\0\0\x0dunits\\Old.mdx\0";
    let old = mpq(&[("war3map.w3i", b"i"), ("war3map.imp", imports), ("units\\Old.mdx", b"o")], true);
    let mut change = Changes::default();
    change.remove("units/Old.mdx");
    let new = rewrite("x.w3x", old, &change, &LIMITS).unwrap();
    let found = open_bytes("x.w3x", new.bytes, &LIMITS).unwrap();
    assert_eq!(found.read("war3map.imp").unwrap().unwrap(), b"\x01\0\0\0\0\0\0\0");
    let mut change = Changes::default();
    change.put("units/New.mdx", b"n".to_vec()).unwrap();
    let plain = rewrite("x.mpq", mpq(&[("a.txt", b"a")], true), &change, &LIMITS).unwrap();
    assert_eq!((plain.files, plain.report.notes().len()), (2, 0));
}

#[test]
fn a_file_that_is_removed_and_put_again_is_there_with_its_new_content() {
    let mut change = Changes::default();
    change.remove("a.txt");
    change.put("a.txt", b"new".to_vec()).unwrap();
    for old in [mpq(&[("a.txt", b"old"), ("b.txt", b"b")], true), zip(&[("a.txt", b"old"), ("b.txt", b"b")])]
    {
        let new = rewrite("x", old, &change, &LIMITS).unwrap();
        new.check(&LIMITS).unwrap();
        assert_eq!(new.files, 2);
        let found = open_bytes("x", new.bytes.clone(), &LIMITS).unwrap();
        assert_eq!(found.read("a.txt").unwrap().unwrap(), b"new");
        let mut broken = new.clone();
        broken.bytes.truncate(new.bytes.len() / 2);
        assert!(broken.check(&LIMITS).is_err());
    }
}

#[test]
fn what_can_be_packed_is_smaller_and_the_rest_is_stored_as_it_is() {
    let even = vec![7_u8; 10_000];
    let mut random = crate::common::noise(3);
    let noisy: Vec<u8> = (0..10_000).map(|_| random().to_le_bytes()[1]).collect();
    for (content, least, most) in [(even, 0, 1000), (noisy, 10_000, 10_400)] {
        let mut files = Changes::default();
        files.put("a.bin", content.clone()).unwrap();
        let packed = create(ArchiveKind::Mpq, &files).unwrap();
        assert!((least..=most).contains(&packed.bytes.len()), "{}", packed.bytes.len());
        let entry = open_bytes("x.mpq", packed.bytes, &LIMITS).unwrap().find("a.bin").unwrap();
        assert_eq!(entry.size, 10_000);
        assert!((least..=most).contains(&usize::try_from(entry.stored).unwrap()));
    }
}

#[test]
fn more_than_all_of_the_limit_is_not_extracted() {
    use effigy_assets::extract::{Options, extract};
    let root = scratch("total");
    let source = open_bytes("x.zip", zip(&[("a", b"12345"), ("b", b"12345")]), &LIMITS).unwrap();
    let entries = source.list().unwrap();
    let run = |total_bytes, folder: &str| {
        let options = Options { total_bytes, ..Options::default() };
        extract(&*source, &entries, &root.join(folder), &options, &mut |_, _| true)
    };
    assert_eq!(run(8, "less").unwrap_err().kind(), Kind::Limit);
    assert_eq!(run(10, "all").unwrap().written, 2);
    std::fs::remove_dir_all(root).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_in_the_way_of_a_file_like_any_other() {
    use effigy_assets::extract::{Options, Outcome, extract};
    let root = scratch("dangling");
    std::os::unix::fs::symlink(root.join("nowhere"), root.join("a")).unwrap();
    let source = open_bytes("x.zip", zip(&[("a", b"12345")]), &LIMITS).unwrap();
    let mut exists = false;
    extract(&*source, &source.list().unwrap(), &root, &Options::default(), &mut |_, outcome| {
        exists = matches!(outcome, Outcome::Exists(_));
        true
    })
    .unwrap();
    assert!(exists && !root.join("nowhere").exists());
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn files_have_their_extension_and_their_limit_wherever_they_are() {
    let root = scratch("limit");
    std::fs::write(root.join("A.MDX"), b"12345").unwrap();
    let packed = open_bytes("x.zip", zip(&[("b/A.MDX", b"12345")]), &LIMITS).unwrap();
    let entry = packed.find("b/A.MDX").unwrap();
    let within = |input_bytes| Limits { input_bytes, ..LIMITS };
    let stream = || FileRef::stream("-", &b"12345"[..]);
    for file in [FileRef::disk(root.join("A.MDX")), FileRef::inside(packed, entry)] {
        assert_eq!((file.extension().as_str(), file.file_name().as_str()), ("mdx", "A.MDX"));
    }
    assert_eq!((stream().extension(), stream().file_name()), (String::new(), String::new()));
    let disk = || FileRef::disk(root.join("A.MDX"));
    for file in [&disk as &dyn Fn() -> FileRef, &stream] {
        assert_eq!(file().read(&within(5)).unwrap(), b"12345");
        assert_eq!(file().read(&within(4)).unwrap_err().kind(), Kind::Limit);
    }
    assert!(format!("{:?}", disk()).contains("A.MDX"));
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_folder_is_packed_with_its_paths_below_another() {
    let root = scratch("put");
    std::fs::create_dir(root.join("sub")).unwrap();
    std::fs::write(root.join("a.txt"), b"a").unwrap();
    std::fs::write(root.join("sub/b.txt"), b"b").unwrap();
    let mut files = Changes::default();
    files.put_path(&root, "units", &LIMITS).unwrap();
    files.put_path(&root.join("a.txt"), "", &LIMITS).unwrap();
    assert_eq!(files.len(), 3);
    let packed = create(ArchiveKind::Zip, &files).unwrap();
    let found = open_bytes("x.zip", packed.bytes, &LIMITS).unwrap();
    for (name, content) in [("units/a.txt", b"a"), ("units/sub/b.txt", b"b"), ("a.txt", b"a")] {
        assert_eq!(found.read(name).unwrap().unwrap(), content, "{name}");
    }
    assert!(files.put_path(&root.join("missing.txt"), "", &LIMITS).is_err());
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn versions_of_mpq_are_counted_from_one() {
    for header_version in 0..4 {
        let options = wc3::mpq::WriteOptions { header_version, ..Default::default() };
        let bytes = crate::common::mpq_of(&[("a.txt", b"a")], options);
        let source = effigy_assets::Mpq::from_bytes("x.mpq", bytes, &LIMITS).unwrap();
        assert_eq!(source.version(), header_version + 1);
        assert_eq!(source.diagnostics().iter().count(), 0);
    }
}

#[test]
fn names_of_looks_and_textures_are_read() {
    let look: Appearance = "skin=1, face=2,hair=3,hair-color=4,facial=5".parse().unwrap();
    assert_eq!(look, Appearance { skin: 1, face: 2, hair: Some(3), hair_color: 4, facial: 5 });
    use effigy_assets::rules::wow::TextureType;
    let id = |text: &str| TextureType::parse(text).map(|it| it.id);
    assert_eq!((id("Skin-Extra"), id("13"), id("icon")), (Some(8), Some(13), Some(14)));
    assert_eq!((id("15"), id("nothing"), id("")), (None, None, None));
}

#[test]
fn patterns_fit_letters_within_a_part_of_a_path() {
    use effigy_assets::name::matches;
    for (pattern, name, fits) in [
        ("a?c.txt", "abc.txt", true),
        ("a?c.txt", "a/c.txt", false),
        ("*.txt", "b.txt", true),
        ("a/*.txt", "a/b/c.txt", false),
        ("**/c.txt", "a/b/c.txt", true),
        ("a/**/d.txt", "a/b/c/d.txt", true),
        ("a/**/*x?.txt", "a/b/yx1.txt", true),
        ("a/**/*x?.txt", "a/b/yx.txt", false),
        ("*a*b*", "xxaxxaxxbxx", true),
        ("*a*b", "xxaxxbxx", false),
    ] {
        assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
    }
}

//! Names of files that other files mention: these recover names in archives that have no list of names.

use crate::name;
use std::collections::BTreeSet;

/// Extensions of files that models, maps and scripts mention.
const EXTENSIONS: [&str; 15] =
    ["mdx", "mdl", "blp", "dds", "tga", "tif", "wav", "mp3", "flac", "slk", "txt", "toc", "fdf", "m2", "j"];

/// Names that any map or campaign of Warcraft III can have.
pub const MAP_FILES: [&str; 40] = [
    "(listfile)",
    "(attributes)",
    "(signature)",
    "war3map.w3e",
    "war3map.w3i",
    "war3map.wtg",
    "war3map.wct",
    "war3map.wts",
    "war3map.j",
    "scripts\\war3map.j",
    "war3map.lua",
    "war3map.shd",
    "war3mapMap.blp",
    "war3mapMap.b00",
    "war3mapMap.tga",
    "war3mapPreview.tga",
    "war3mapPreview.blp",
    "war3mapPreview.dds",
    "war3map.mmp",
    "war3mapPath.tga",
    "war3map.wpm",
    "war3map.doo",
    "war3mapUnits.doo",
    "war3map.w3r",
    "war3map.w3c",
    "war3map.w3s",
    "war3map.w3u",
    "war3map.w3t",
    "war3map.w3a",
    "war3map.w3b",
    "war3map.w3d",
    "war3map.w3q",
    "war3map.w3h",
    "war3map.imp",
    "war3mapMisc.txt",
    "war3mapSkin.txt",
    "war3mapExtra.txt",
    "war3campaign.w3f",
    "war3campaign.w3u",
    "war3campaign.imp",
];

/// Whether a file of this name can mention other files.
pub fn may_mention(name: &str) -> bool {
    matches!(
        name::extension(name).as_str(),
        "mdx"
            | "mdl"
            | "w3u"
            | "w3t"
            | "w3b"
            | "w3d"
            | "w3a"
            | "w3h"
            | "w3q"
            | "imp"
            | "j"
            | "lua"
            | "txt"
            | "slk"
            | "toc"
            | "fdf"
            | "m2"
            | "w3i"
    )
}

/// The length of the longest name that is searched for, in bytes.
const LONGEST: usize = 200;

/// Collects the names in these bytes, together with the other names under which the game looks for the same file.
pub fn scan(bytes: &[u8], found: &mut BTreeSet<Vec<u8>>) {
    for (dot, _) in bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'.') {
        let after = bytes.get(dot + 1..).unwrap_or_default();
        let letters = after.iter().take(5).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let Some(extension) = after.get(..letters) else { continue };
        let known = EXTENSIONS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(extension));
        if !known {
            continue;
        }
        let before = bytes.get(dot.saturating_sub(LONGEST)..dot).unwrap_or_default();
        let length = before.iter().rev().take_while(|&&byte| is_name_byte(byte)).count();
        let Some(stem) = before.get(before.len().saturating_sub(length)..).filter(|stem| !stem.is_empty())
        else {
            continue;
        };
        add(stem, extension, found);
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte >= 0x20 && !matches!(byte, b'"' | b'<' | b'>' | b'|' | b'*' | b'?' | b'=' | b';' | b',')
}

fn add(stem: &[u8], extension: &[u8], found: &mut BTreeSet<Vec<u8>>) {
    // Scripts escape each backslash with a second one.
    let mut tidy: Vec<u8> = Vec::with_capacity(stem.len());
    for &byte in stem {
        let byte = if byte == b'/' { b'\\' } else { byte };
        if byte != b'\\' || tidy.last() != Some(&b'\\') {
            tidy.push(byte);
        }
    }
    let with = |stem: &[u8], end: &[u8]| [stem, b".", end].concat();
    let mut forms = vec![with(&tidy, extension)];
    match extension.to_ascii_lowercase().as_slice() {
        b"mdl" | b"mdx" => {
            forms.push(with(&tidy, b"mdx"));
            forms.push(with(&[&tidy, &b"_Portrait"[..]].concat(), b"mdx"));
        }
        b"tif" | b"tga" | b"blp" => {
            forms.extend([with(&tidy, b"blp"), with(&tidy, b"dds"), with(&tidy, b"tga")])
        }
        _ => {}
    }
    for form in forms {
        found.insert([&b"war3mapImported\\"[..], &form].concat());
        found.insert(form);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_scripts_and_tables_mention_files_and_pictures_and_sounds_do_not() {
        for name in ["Units/A.MDX", "a.m2", "war3map.j", "war3map.w3u", "a.slk", "war3map.imp"] {
            assert!(may_mention(name), "{name}");
        }
        for name in ["a.blp", "a.wav", "mdx", ""] {
            assert!(!may_mention(name), "{name}");
        }
    }

    fn names(bytes: &[u8]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        scan(bytes, &mut found);
        found.iter().map(|name| name::from_bytes(name)).collect()
    }

    #[test]
    fn finds_names_in_models_scripts_and_lists() {
        let model = names(b"TEXS\x0c\x01\0\0\0\0\0\0Textures\\Footman.blp\0\0\0");
        assert!(model.contains("Textures\\Footman.blp") && model.contains("Textures\\Footman.dds"));
        let script = names(br#"call AddEffect("war3mapImported\\Blast.mdl", x)"#);
        assert!(script.contains("war3mapImported\\Blast.mdx"));
        let list = names(b"\x01\0\0\0\x02\0\0\0\rHero.mdx\0");
        assert!(list.contains("war3mapImported\\Hero.mdx") && list.contains("Hero_Portrait.mdx"));
        assert!(names(b"no names here. none.at all").is_empty());
    }
}

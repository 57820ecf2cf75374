//! Files that are not models, or models of other families: what they look like, so that the error can say it.

/// A kind of file that Effigy does not read as a model.
struct Foreign {
    /// Where the word stands.
    offset: usize,
    /// The bytes that give it away.
    word: &'static [u8],
    /// What to call it.
    what: &'static str,
}

const fn starts(word: &'static [u8], what: &'static str) -> Foreign {
    Foreign { offset: 0, word, what }
}

/// Model families that are recognised and not supported.
const RELATIVES: &[Foreign] = &[
    starts(b"TAG1", "a TAG file of Enemy Territory"),
    starts(b"IDPO", "an MDL model of Quake"),
    starts(b"IDP2", "an MD2 model of Quake II"),
    starts(b"IDP4", "an MD4 model of Quake III"),
    starts(b"IDST", "an MDL model of Half-Life or Source"),
    starts(b"IDSQ", "a sequence file of Half-Life"),
    starts(b"43DM", "an M3 model of Heroes of the Storm or StarCraft II"),
    starts(b"33DM", "an M3 model of StarCraft II"),
    starts(b"REVM", "a WMO, ADT or WDT file of World of Warcraft"),
    starts(b"AFM2", "an .anim file of World of Warcraft; open the .m2 beside it"),
    starts(b"SKPD", "a .skel file of World of Warcraft"),
    starts(b"SKL1", "a .skel file of World of Warcraft"),
];

/// Files that are not models at all.
const THINGS: &[Foreign] = &[
    starts(b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    starts(b"\xff\xd8\xff", "a JPEG picture"),
    starts(b"GIF8", "a GIF picture"),
    starts(b"BLP0", "a BLP texture"),
    starts(b"BLP1", "a BLP texture"),
    starts(b"BLP2", "a BLP texture"),
    starts(b"DDS ", "a DDS texture"),
    starts(b"BM", "a BMP picture"),
    starts(b"8BPS", "a Photoshop picture"),
    starts(b"MPQ\x1a", "an MPQ archive"),
    starts(b"MPQ\x1b", "an MPQ archive"),
    starts(b"HM3W", "a Warcraft III map (an MPQ archive)"),
    starts(b"PK\x03\x04", "a zip archive (or PK3)"),
    starts(b"PK\x05\x06", "an empty zip archive"),
    starts(b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    starts(b"Rar!", "a RAR archive"),
    starts(b"\x1f\x8b", "gzip-compressed data"),
    starts(b"\xfd7zXZ", "xz-compressed data"),
    starts(b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
    starts(b"glTF", "a binary glTF"),
    starts(b"Kaydara FBX Binary", "an FBX scene"),
    starts(b"BLENDER", "a Blender scene"),
    starts(b"RIFF", "a RIFF file (WAV, AVI or WebP)"),
    starts(b"OggS", "Ogg audio"),
    starts(b"ID3", "MP3 audio"),
    starts(b"fLaC", "FLAC audio"),
    starts(b"%PDF", "a PDF document"),
    starts(b"MZ", "a Windows program"),
    starts(b"\x7fELF", "a Linux program"),
    Foreign { offset: 257, word: b"ustar", what: "a tar archive" },
    Foreign { offset: 0x200, word: b"MPQ\x1a", what: "an MPQ archive with a header before it" },
];

fn find(table: &'static [Foreign], head: &[u8]) -> Option<&'static str> {
    table
        .iter()
        .find(|one| head.get(one.offset..).is_some_and(|rest| rest.starts_with(one.word)))
        .map(|one| one.what)
}

/// A model family that Effigy knows by sight and does not read.
pub(crate) fn relative(head: &[u8]) -> Option<&'static str> {
    find(RELATIVES, head)
}

/// Describes a file that is not a model.
pub(crate) fn describe(head: &[u8]) -> String {
    if let Some(what) = find(THINGS, head) {
        return what.to_owned();
    }
    if crate::sniff::is_text(head) {
        let trimmed = head.trim_ascii_start();
        return match trimmed.first() {
            Some(b'{' | b'[') => "JSON text",
            Some(b'<') => "HTML or XML text",
            _ => "a text file",
        }
        .to_owned();
    }
    let magic = head.get(..4).unwrap_or(head);
    format!("an unknown kind of file (it begins with \"{}\")", magic.escape_ascii())
}

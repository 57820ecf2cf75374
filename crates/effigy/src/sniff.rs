//! Telling formats apart: the first bytes decide, the extension only breaks ties.

use crate::{Error, Format, Kind, Result, foreign};

/// How many bytes from a file's beginning are enough for [`sniff`].
pub const HEAD: usize = 4096;

/// The blocks a text MDL begins with; `Version` in all but hand-written ones.
const MDL_WORDS: &[&[u8]] = &[
    b"version",
    b"model",
    b"sequences",
    b"globalsequences",
    b"textures",
    b"materials",
    b"textureanims",
    b"geoset",
    b"bone",
    b"helper",
];

/// What format these bytes are. The first [`HEAD`] bytes of a file are enough; `extension` is the file's, without
/// the dot, where there is one.
///
/// # Errors
/// Says in one line what the bytes look like when they are not a model, or a model of a family that is not supported.
pub fn sniff(bytes: &[u8], extension: Option<&str>) -> Result<Format> {
    if bytes.is_empty() {
        return Err(Error::new(Kind::Malformed, "the file is empty"));
    }
    if let Some(format) = Format::from_magic(bytes) {
        return Ok(format);
    }
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    if head.iter().all(|byte| *byte == 0) {
        return Err(Error::new(Kind::Malformed, "not a model: the file begins with nothing but zeros"));
    }
    if let Some(what) = foreign::relative(head) {
        return Err(Error::unsupported(format!("this is {what}, which is not supported yet")));
    }
    if is_gltf(head, extension) {
        return Ok(Format::Gltf);
    }
    // The words decide: names in an MDL may hold any byte.
    match first_word(head) {
        Some(word) if MDL_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)) => {
            return Ok(Format::Mdl);
        }
        // The comment at the top fills the whole head: only the name can tell.
        None if is_text(head) && extension.is_some_and(|ext| ext.eq_ignore_ascii_case("mdl")) => {
            return Ok(Format::Mdl);
        }
        _ => {}
    }
    Err(Error::unsupported(format!("not a model: this is {}", foreign::describe(head))))
}

/// Whether this is the JSON of a glTF file. Its parts may come in any order, so that only the name may tell.
fn is_gltf(head: &[u8], extension: Option<&str>) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let has = |word: &[u8]| text.windows(word.len()).any(|it| it == word);
    let named = extension.is_some_and(|it| it.eq_ignore_ascii_case("gltf"));
    text.starts_with(b"{") && (named || (has(b"\"asset\"") && has(b"\"version\"")))
}

/// Whether this reads as text: no control bytes besides white space.
pub(crate) fn is_text(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    !head.is_empty()
        && head.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0c' | 0x20..=0x7e | 0x80..))
}

/// The first word after white space and `//` comments, if it and what follows it are in the head; empty when no block
/// can begin so.
fn first_word(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        if !rest.starts_with(b"//") {
            break;
        }
        let line = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
        rest = rest.get(line..)?;
    }
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (word, after) = rest.split_at_checked(end)?;
    // A block has a count, a name or a brace next; a path such as `textures/wall` has none of them.
    let is_block = match after.trim_ascii_start().first() {
        Some(b'{') => true,
        // The lists of animations of Return to Castle Wolfenstein begin with `VERSION 2`.
        Some(b'"' | b'0'..=b'9') => !word.eq_ignore_ascii_case(b"version"),
        _ => false,
    };
    is_block.then_some(word).or(Some(b""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shader_script_is_no_mdl_although_it_begins_with_a_word_of_it() {
        assert!(sniff(b"textures/common/clip\n{\n}\n", Some("shader")).is_err());
        assert!(sniff(b"// a player\nVERSION 2\nSKELETAL\nSTARTANIMS\n", Some("cfg")).is_err());
        assert_eq!(sniff(b"Textures 1 {\n", None), Ok(Format::Mdl));
        assert_eq!(sniff(b"// made by hand\nModel \"a\" {", None), Ok(Format::Mdl));
        assert_eq!(sniff(b"{\"asset\": {\"version\": \"2.0\"}}", None), Ok(Format::Gltf));
        assert_eq!(sniff(b"{\"nodes\": []", Some("GLTF")), Ok(Format::Gltf));
    }

    #[test]
    fn control_bytes_in_names_do_not_hide_an_mdl() {
        assert_eq!(sniff(b"// \x01\nVersion {\n}\nModel \"a\x02\" {", None), Ok(Format::Mdl));
        assert!(sniff(b"version\x01\x02\x03", None).is_err());
    }

    #[test]
    fn content_decides_and_the_extension_only_breaks_ties() {
        let table: &[(&[u8], Option<&str>, Format)] = &[
            (b"MDLXVERS\x04\0\0\0\x20\x03\0\0", None, Format::Mdx),
            (b"MDLXVERS", Some("mdl"), Format::Mdx),
            (b"MD20\x08\x01\0\0", Some("m2"), Format::M2),
            (b"MD21\x08\x01\0\0", None, Format::M2),
            (b"SKIN\0\0\0\0", None, Format::Skin),
            (b"IDPC\x02\0\0\0", Some("mdc"), Format::Mdc),
            (b"IDP3\x0f\0\0\0", Some("mdc"), Format::Md3),
            (b"MDXW\x02\0\0\0", Some("mdx"), Format::EtMdx),
            (b"MDSW\x04\0\0\0", None, Format::Mds),
            (b"MDMW\x03\0\0\0", Some("mdx"), Format::Mdm),
            (b"Version {\n\tFormatVersion 800,\n}\n", None, Format::Mdl),
            (b"//Saved by hand\r\n\r\nversion {\r\n", Some("txt"), Format::Mdl),
            (b"\xef\xbb\xbf// x\nModel \"A\" {", Some("mdl"), Format::Mdl),
            (b"// a comment that does not end", Some("MDL"), Format::Mdl),
        ];
        for (bytes, extension, format) in table {
            assert_eq!(sniff(bytes, *extension).unwrap(), *format, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn foreign_files_are_named() {
        let table: &[(&[u8], &str)] = &[
            (b"", "the file is empty"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
            (b"\xff\xd8\xff\xe0", "a JPEG picture"),
            (b"BLP1\0\0\0\0", "a BLP texture"),
            (b"DDS |\0\0\0", "a DDS texture"),
            (b"MPQ\x1a\x20\0\0\0", "an MPQ archive"),
            (b"HM3W\0\0\0\0", "a Warcraft III map"),
            (b"PK\x03\x04\x14\0", "a zip archive"),
            (b"hello, this is not a model", "a text file"),
            (b"{\"asset\": {}}", "JSON text"),
            (&[0; 64], "nothing but zeros"),
            (b"TAG1", "TAG"),
            (b"\x01\x02", "an unknown kind of file (it begins with \"\\x01\\x02\")"),
        ];
        for (bytes, words) in table {
            for extension in [None, Some("mdx"), Some("mdc")] {
                let error = sniff(bytes, extension).unwrap_err().to_string();
                assert!(error.contains(words), "{error}");
                assert!(!error.contains('\n'), "{error}");
            }
        }
    }
}

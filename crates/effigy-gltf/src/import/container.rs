//! The files of a glTF model: a `.glb`, or a `.gltf` with the files that it names.

use super::document::Document;
use super::value::Value;
use crate::base64;
use effigy_wire::{Error, Kind, Limits, Result};
use std::ops::Range;

/// Extensions that the importer reads, or that change nothing that it reads. A file that requires another one is refused.
pub(crate) const KNOWN: &[&str] = &[
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_transform",
    "MSFT_lod",
    // These refine how a surface reflects light; without them the rest of the material is still right.
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_volume",
    "KHR_xmp_json_ld",
];

/// What a URI leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A file, relative to the `.gltf`.
    File(String),
    /// The bytes themselves.
    Data(Vec<u8>),
    /// Something that is not read: an absolute address.
    Elsewhere,
}

/// The parts of a file: the JSON, and the binary chunk of a `.glb`.
pub(crate) struct Parts {
    pub json: Range<usize>,
    pub bin: Option<Range<usize>>,
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

/// Whether these bytes begin like a `.glb`.
pub(crate) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Finds the parts of a file.
pub(crate) fn split(bytes: &[u8]) -> Result<Parts> {
    if !is_glb(bytes) {
        let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        return Ok(Parts { json: start..bytes.len(), bin: None });
    }
    let short = || Error::malformed(0, "the file ends before its JSON begins");
    match word(bytes, 4).ok_or_else(short)? {
        2 => {}
        1 => return Err(Error::unsupported("this is glTF 1.0; only 2.0 can be read")),
        other => return Err(Error::unsupported(format!("version {other} of glTF binary is not known"))),
    }
    let (mut json, mut bin) = (None, None);
    let mut at = 12;
    while let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) {
        let start = at + 8;
        let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length));
        let Some(end) = end.filter(|end| *end <= bytes.len()) else {
            let left = bytes.len().saturating_sub(start);
            return Err(Error::malformed(at, format!("a chunk of {length} bytes, but {left} are left")));
        };
        match kind.to_le_bytes() {
            [b'J', b'S', b'O', b'N'] if json.is_none() => json = Some(start..end),
            [b'B', b'I', b'N', 0] if bin.is_none() => bin = Some(start..end),
            _ => {}
        }
        at = end.next_multiple_of(4);
    }
    Ok(Parts { json: json.ok_or_else(short)?, bin })
}

fn not_json(error: &serde_json::Error) -> Error {
    let wrong = Error::new(Kind::Malformed, format!("the JSON is not that of a glTF file: {error}"));
    wrong.at_line(error.line().max(1), error.column().max(1))
}

/// Parses the document.
pub(crate) fn parse(json: &[u8], limits: &Limits) -> Result<Document> {
    let document: Document = serde_json::from_slice(json).map_err(|error| not_json(&error))?;
    let version = document.asset.min_version.as_ref().unwrap_or(&document.asset.version);
    if !version.starts_with("2.") {
        return Err(Error::unsupported(format!("version '{version}' of glTF; only 2.0 can be read")));
    }
    let channels: usize = document.animations.iter().map(|it| it.channels.len()).sum();
    let primitives: usize = document.meshes.iter().map(|it| it.primitives.len()).sum();
    let joints: usize = document.skins.iter().map(|it| it.joints.len()).sum();
    for (count, what) in [
        (document.nodes.len(), "nodes"),
        (document.accessors.len(), "accessors"),
        (document.materials.len(), "materials"),
        (document.animations.len(), "animations"),
        (channels, "animation channels"),
        (primitives, "primitives"),
        (joints, "joints"),
    ] {
        if count > limits.records {
            let text = format!("{count} {what} are more than the limit of {}", limits.records);
            return Err(Error::new(Kind::Limit, text));
        }
    }
    Ok(document)
}

/// Parses the JSON without giving its parts a meaning.
pub(crate) fn parse_value(json: &[u8]) -> Value {
    serde_json::from_slice(json).unwrap_or_default()
}

/// Refuses what the importer cannot read.
pub(crate) fn check_required(document: &Document) -> Result<()> {
    let unknown: Vec<&str> = document
        .extensions_required
        .iter()
        .map(String::as_str)
        .filter(|name| !KNOWN.contains(name))
        .collect();
    let hint = match unknown.first() {
        None => return Ok(()),
        Some(&"KHR_draco_mesh_compression" | &"EXT_meshopt_compression") => {
            "`gltf-transform copy IN.glb OUT.glb` removes the compression"
        }
        Some(&"KHR_texture_basisu" | &"EXT_texture_avif") => {
            "`gltf-transform png IN.glb OUT.glb` turns the textures into PNG"
        }
        Some(_) => "`gltf-transform` can often remove an extension",
    };
    let text = format!("the file requires {}, which cannot be read", unknown.join(" and "));
    Err(Error::unsupported(text).hint(hint))
}

/// What a URI leads to.
pub(crate) fn address(uri: &str) -> Address {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((head, text)) = data.split_once(',') else { return Address::Elsewhere };
        if head.ends_with(";base64") {
            return base64::decode(text.as_bytes()).map_or(Address::Elsewhere, Address::Data);
        }
        return Address::Data(unescape(text));
    }
    let path = String::from_utf8_lossy(&unescape(uri)).replace('\\', "/");
    let absolute = path.starts_with('/') || path.contains(':') || path.contains('\0');
    // Nothing above the folder of the file: a file from the network must not choose what is read.
    if absolute || path.is_empty() || path.split('/').any(|part| part == "..") {
        return Address::Elsewhere;
    }
    Address::File(path.trim_start_matches("./").to_owned())
}

/// Decodes `%20` and its relatives.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let digits = [ahead.next(), ahead.next()].map(|it| it.and_then(|it| char::from(it).to_digit(16)));
        match (byte, digits) {
            (b'%', [Some(high), Some(low)]) => {
                decoded.push(u8::try_from(high * 16 + low).unwrap_or_default());
                bytes = ahead;
            }
            _ => decoded.push(byte),
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_files_next_to_the_model_or_hold_the_bytes() {
        assert_eq!(address("a%20b/c.bin"), Address::File("a b/c.bin".into()));
        assert_eq!(address("./c.bin"), Address::File("c.bin".into()));
        assert_eq!(
            address("data:application/octet-stream;base64,SGVsbG8="),
            Address::Data(b"Hello".to_vec())
        );
        assert_eq!(address("data:text/plain,a%21"), Address::Data(b"a!".to_vec()));
        for uri in
            ["../secret", "/etc/passwd", "C:/x", "https://example.com/x", "", "data:nothing", "a/%2e%2e/b"]
        {
            assert_eq!(address(uri), Address::Elsewhere, "{uri}");
        }
    }

    #[test]
    fn a_chunk_beyond_the_file_is_an_error_at_its_offset() {
        let mut bytes = b"glTF\x02\0\0\0\x18\0\0\0\x08\0\0\0JSON{}  ".to_vec();
        assert!(split(&bytes).is_err());
        bytes[12] = 4;
        let parts = split(&bytes).unwrap();
        assert_eq!((parts.json, parts.bin), (20..24, None));
        let error = split(b"glTF\x02\0\0\0\x18\0\0\0\xff\0\0\0JSON{}  ").err().unwrap();
        assert_eq!(error.offset(), Some(12));
    }
}

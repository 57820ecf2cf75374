//! Reading: first the frame (chunks, and bytes outside of chunks), then dialect and layout, then the records.
//!
//! Each decoded chunk is written again and compared with its source (the guard). Where the bytes differ, the source is kept
//! together with the values; where a chunk does not decode, it is kept as raw bytes. So every file can be written back
//! unchanged.

use crate::chunks::{ChunkKind, Lists};
use crate::codes;
use crate::model::{Content, Guard, Model, Slot, VERS, stray_caps};
use crate::track::{Track, value_kind};
use crate::version::{Caps, Dialect};
use effigy_wire::{
    Buffer, Cursor, Diagnostic, Diagnostics, Error, Kind, Limits, Result, Segment, Severity, Tag, Wire,
};

const MAGIC: [u8; 4] = *b"MDLX";
const MODL: Tag = Tag(*b"MODL");
const SEQS: Tag = Tag(*b"SEQS");

/// Options of reading.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Bounds for untrusted files.
    pub limits: Limits,
    /// Compare each chunk with its source. Without it, reading is faster, but unusual chunks may be written differently.
    pub guard: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { limits: Limits::DEFAULT, guard: true }
    }
}

/// Whether the bytes begin with the magic word of MDX.
#[must_use]
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a model.
///
/// # Errors
/// When the bytes are not MDX at all. Any other problem is reported in [`Model::diagnostics`], and the data is kept.
pub fn read(bytes: &[u8]) -> Result<Model> {
    read_with_options(bytes, &ReadOptions::default())
}

/// Reads a model within limits.
///
/// # Errors
/// The same as for [`read`], and when a limit is exceeded.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Model> {
    read_with_options(bytes, &ReadOptions { limits: *limits, ..ReadOptions::default() })
}

/// Reads a model with options.
///
/// # Errors
/// The same as for [`read_with`].
pub fn read_with_options(bytes: &[u8], options: &ReadOptions) -> Result<Model> {
    if !sniff(bytes) {
        return Err(Error::malformed(0, "not an MDX file: it does not begin with MDLX"));
    }
    if bytes.len() as u64 > options.limits.input_bytes {
        return Err(Error::new(Kind::Limit, format!("{} bytes are more than the limit", bytes.len())));
    }
    let frame = frame(bytes, &options.limits)?;
    if !frame.iter().any(|part| matches!(part, Part::Chunk { .. })) {
        return Err(Error::malformed(4, "no chunk follows the magic word MDLX"));
    }
    let dialect = dialect(&frame);
    let (version, has_version) = version(&frame);
    let mut model = decode(&frame, dialect, version, version, options);
    if worst(&model).0 > 0 {
        // Some chunk does not decode: the records may have the layout of another version than the stated one.
        let other = dialect
            .versions()
            .iter()
            .filter(|layout| dialect.caps(**layout) != model.caps())
            .map(|layout| decode(&frame, dialect, version, *layout, options))
            .min_by_key(worst);
        if let Some(other) = other
            && worst(&other) < worst(&model)
        {
            model = other;
        }
    }
    finish_diagnostics(&mut model, &frame, has_version);
    model.source_bytes = bytes.len();
    model.remember_node_count();
    Ok(model)
}

/// Opaque and guarded chunks.
fn worst(model: &Model) -> (usize, usize) {
    let count =
        |wanted: fn(&Content) -> bool| model.slots.iter().filter(|slot| wanted(&slot.content)).count();
    (
        count(|content| matches!(content, Content::Kept { opaque: true, .. })),
        count(|content| matches!(content, Content::Records { guard: Some(_), .. })),
    )
}

/// A range of the file.
enum Part<'a> {
    Chunk {
        tag: Tag,
        offset: usize,
        payload: &'a [u8],
    },
    /// A chunk whose stated size exceeds the file.
    Cut {
        tag: Tag,
        offset: usize,
        size: u32,
        payload: &'a [u8],
    },
    Stray {
        offset: usize,
        bytes: &'a [u8],
    },
    /// A track outside its record, of this many bytes.
    Track {
        offset: usize,
        bytes: &'a [u8],
    },
}

fn frame<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Vec<Part<'a>>> {
    let mut cursor = Cursor::new(bytes);
    cursor.take(MAGIC.len())?;
    let mut parts = Vec::with_capacity(32);
    while !cursor.is_empty() {
        if parts.len() >= limits.records {
            return Err(Error::new(Kind::Limit, "more chunks than the limit").at(cursor.position()));
        }
        let offset = cursor.position();
        let mut ahead = cursor;
        let header = ahead.tag().and_then(|tag| Ok((tag, ahead.u32()?)));
        let part = match header {
            Ok((tag, _)) if value_kind(tag).is_some() && track_length(cursor).is_some() => {
                let bytes = cursor.take(track_length(cursor).unwrap_or(0))?;
                Part::Track { offset, bytes }
            }
            Ok((tag, size)) if tag.is_plausible() && size as usize <= ahead.remaining() => {
                cursor = ahead;
                Part::Chunk { tag, offset, payload: cursor.take(size as usize)? }
            }
            Ok((tag, size)) if is_chunk(tag) => {
                cursor = ahead;
                Part::Cut { tag, offset, size, payload: cursor.take(ahead.remaining())? }
            }
            _ => Part::Stray { offset, bytes: cursor.take(stray_length(cursor.rest()))? },
        };
        parts.push(part);
    }
    Ok(parts)
}

fn is_chunk(tag: Tag) -> bool {
    tag == VERS || ChunkKind::is_known(tag)
}

/// Length of a track here.
fn track_length(mut cursor: Cursor<'_>) -> Option<usize> {
    let before = cursor.remaining();
    Track::read(&mut cursor, stray_caps()).ok()?;
    Some(before.saturating_sub(cursor.remaining()))
}

/// Bytes up to the next known chunk that fits, or to the end.
fn stray_length(rest: &[u8]) -> usize {
    let starts_chunk = |at: &usize| {
        let mut cursor = Cursor::new(rest.get(*at..).unwrap_or_default());
        let header = cursor.tag().and_then(|tag| Ok((tag, cursor.count()?)));
        header.is_ok_and(|(tag, size)| is_chunk(tag) && size <= cursor.remaining())
    };
    (1..rest.len()).find(starts_chunk).unwrap_or(rest.len())
}

/// The dialect, found from the structure: `MODL` has 373 bytes in WoW alpha and 372 in Warcraft III; without a `MODL`, WoW alpha's `SEQS` begins
/// with a count of 140-byte records.
fn dialect(frame: &[Part<'_>]) -> Dialect {
    let payload = |wanted| {
        frame.iter().find_map(|part| match part {
            Part::Chunk { tag, payload, .. } if *tag == wanted => Some(*payload),
            _ => None,
        })
    };
    match payload(MODL).map(<[u8]>::len) {
        Some(373) => return Dialect::WowAlpha,
        Some(372) => return Dialect::Warcraft3,
        _ => {}
    }
    let counted = |payload: &[u8]| {
        let count = Cursor::new(payload).count().unwrap_or(0);
        count > 0 && count.checked_mul(140).and_then(|size| size.checked_add(4)) == Some(payload.len())
    };
    if payload(SEQS).is_some_and(counted) { Dialect::WowAlpha } else { Dialect::Warcraft3 }
}

/// The stated version, and whether there was one.
fn version(frame: &[Part<'_>]) -> (u32, bool) {
    let stated = frame.iter().find_map(|part| match part {
        Part::Chunk { tag: VERS, payload, .. } => Cursor::new(payload).u32().ok(),
        _ => None,
    });
    (stated.unwrap_or(800), stated.is_some())
}

fn decode(frame: &[Part<'_>], dialect: Dialect, version: u32, layout: u32, options: &ReadOptions) -> Model {
    let mut model = Model {
        dialect,
        version,
        layout,
        lists: Lists::default(),
        slots: Vec::with_capacity(frame.len()),
        diagnostics: Diagnostics::with_limit(options.limits.diagnostics),
        source_bytes: 0,
        right_node_count: None,
        text_after: Vec::new(),
    };
    let caps = model.caps();
    let mut version_seen = false;
    for part in frame {
        let slot = match *part {
            // A VERS chunk that contradicts the version in use is preserved; it occurs after a first one of a wrong size.
            Part::Chunk { tag: VERS, offset, payload }
                if payload == version.to_le_bytes().as_slice() && !version_seen =>
            {
                version_seen = true;
                Slot { tag: VERS, offset, content: Content::Version }
            }
            Part::Chunk { tag, offset, payload } => {
                let content = decode_chunk(&mut model, tag, offset, payload, caps, options);
                Slot { tag, offset, content }
            }
            Part::Cut { tag, offset, size, payload } => {
                let left = payload.len();
                let message =
                    format!("the chunk's size is stated as {size} bytes, {left} are left in the file");
                let diagnostic = Diagnostic::new(codes::CHUNK_PAST_END, Severity::Error, message);
                model.diagnostics.push(diagnostic.at(offset).in_path(tag.to_string()));
                Slot { tag, offset, content: Content::Kept { payload: payload.to_vec(), size, opaque: true } }
            }
            Part::Stray { offset, bytes } => {
                let message = format!("{} bytes do not belong to a chunk", bytes.len());
                model
                    .diagnostics
                    .push(Diagnostic::new(codes::STRAY_BYTES, Severity::Warning, message).at(offset));
                Slot { tag: Tag::default(), offset, content: Content::Stray(bytes.to_vec()) }
            }
            Part::Track { offset, bytes } => stray_track(&mut model, offset, bytes),
        };
        model.slots.push(slot);
    }
    model
}

fn stray_track(model: &mut Model, offset: usize, bytes: &[u8]) -> Slot {
    match Track::read(&mut Cursor::at(bytes, offset), stray_caps()) {
        Ok(track) => {
            let message = "this track is outside its record, where the game does not read it";
            let diagnostic = Diagnostic::new(codes::STRAY_TRACK, Severity::Severe, message);
            model.diagnostics.push(diagnostic.at(offset).in_path(track.tag().to_string()));
            Slot { tag: track.tag(), offset, content: Content::Track(track) }
        }
        Err(_) => Slot { tag: Tag::default(), offset, content: Content::Stray(bytes.to_vec()) },
    }
}

fn decode_chunk(
    model: &mut Model,
    tag: Tag,
    offset: usize,
    payload: &[u8],
    caps: Caps,
    options: &ReadOptions,
) -> Content {
    let kept = |opaque| Content::Kept {
        payload: payload.to_vec(),
        size: u32::try_from(payload.len()).unwrap_or(u32::MAX),
        opaque,
    };
    let Some(kind) = ChunkKind::of(tag, caps) else {
        return kept(is_chunk(tag));
    };
    let start = offset.saturating_add(8);
    let before = model.lists.count(kind);
    let same = match read_records(&mut model.lists, kind, Cursor::at(payload, start), caps, options) {
        Ok(same) => same,
        Err(error) => {
            model.lists.truncate(kind, before);
            let error = error.inside(Segment::Tag(tag));
            model.diagnostics.push(Diagnostic::from_error(codes::OPAQUE_CHUNK, Severity::Error, &error));
            return kept(true);
        }
    };
    let after = model.lists.count(kind);
    let guard = (!same).then(|| {
        let message = "the decoded values do not reproduce the chunk's bytes; the original bytes are kept";
        let diagnostic = Diagnostic::new(codes::GUARDED_CHUNK, Severity::Warning, message);
        model.diagnostics.push(diagnostic.at(offset).in_path(tag.to_string()));
        let mut canonical = Buffer::with_capacity(payload.len());
        model.lists.write(kind, before..after, &mut canonical, caps);
        Box::new(Guard { source: payload.to_vec(), canonical: canonical.into_bytes().unwrap_or_default() })
    });
    Content::Records { kind, count: after.saturating_sub(before), guard }
}

/// Adds a chunk's records to the lists; returns whether writing them reproduces the chunk.
fn read_records(
    lists: &mut Lists,
    kind: ChunkKind,
    payload: Cursor<'_>,
    caps: Caps,
    options: &ReadOptions,
) -> Result<bool> {
    let same = lists.read(kind, payload, caps, options.guard)?;
    if lists.count(kind) > options.limits.records
        && !matches!(kind, ChunkKind::Pivots | ChunkKind::GlobalSequences)
    {
        return Err(Error::new(Kind::Limit, "more records than the limit"));
    }
    Ok(same)
}

/// Diagnostics for the file as a whole.
fn finish_diagnostics(model: &mut Model, frame: &[Part<'_>], has_version: bool) {
    let (dialect, version, layout) = (model.dialect, model.version, model.layout);
    if !has_version {
        let message = "no VERS chunk: read as Warcraft III 800";
        model.diagnostics.push(Diagnostic::new(codes::NO_VERSION, Severity::Error, message));
    } else if layout != version {
        let message =
            format!("the file states version {version}, but its records have the layout of {layout}");
        model.diagnostics.push(Diagnostic::new(codes::VERSION_AND_LAYOUT, Severity::Error, message));
    } else if !dialect.knows(version) {
        let message =
            format!("version {version} is not known in {dialect}; chunks that do not decode are preserved");
        model.diagnostics.push(Diagnostic::new(codes::UNKNOWN_VERSION, Severity::Warning, message));
    }
    let mut seen: Vec<Tag> = Vec::new();
    for part in frame {
        let Part::Chunk { tag, offset, .. } = *part else { continue };
        let (code, message) = if !is_chunk(tag) {
            (codes::UNKNOWN_CHUNK, "not part of the format; preserved")
        } else if seen.contains(&tag) {
            (codes::REPEATED_CHUNK, "the chunk occurs more than once")
        } else {
            seen.push(tag);
            continue;
        };
        let diagnostic = Diagnostic::new(code, Severity::Warning, message);
        model.diagnostics.push(diagnostic.at(offset).in_path(tag.to_string()));
    }
}

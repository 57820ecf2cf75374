//! What `effigy info` says about a texture.

use super::info::Finding;
use crate::inputs;
use crate::out::Tone;
use crate::session::{Session, Stop};
use crate::text::{count, size};
use effigy::{Input, OpenOptions, Result};
use schemars::JsonSchema;
use serde::Serialize;

/// What `effigy info --json` prints for each texture.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TextureInfo {
    /// The file.
    pub path: String,
    /// How the file stores it, such as `BLP1 JPEG, 8-bit alpha`.
    pub stored: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Mip levels, the picture itself among them.
    pub levels: usize,
    /// Whether the file stores alpha.
    pub alpha: bool,
    /// Whether any pixel is not opaque.
    pub translucent: bool,
    /// Size of the file.
    pub bytes: u64,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// Reads a texture and describes it.
pub fn gather(input: &Input, bytes: &[u8], options: &OpenOptions) -> Result<TextureInfo> {
    let image = inputs::decode_texture(input, bytes, options)?;
    Ok(TextureInfo {
        path: input.name.clone(),
        width: image.width,
        height: image.height,
        levels: image.levels.len(),
        alpha: image.has_alpha,
        translucent: image.is_translucent(),
        bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        findings: Finding::all(&image.diagnostics),
        stored: image.stored,
    })
}

/// Prints it for people.
pub fn print(session: &mut Session, picture: &TextureInfo) -> Result<(), Stop> {
    let path = session.out.paint(Tone::Strong, &picture.path);
    let alpha = if picture.translucent { "translucent" } else { "opaque" };
    session.out.line(format_args!(
        "{path}   {}   {} x {}   {}   {alpha}   {}",
        picture.stored,
        picture.width,
        picture.height,
        count(u64::try_from(picture.levels).unwrap_or(u64::MAX), "mip level"),
        size(picture.bytes)
    ))?;
    Finding::print(session, &picture.findings)
}

//! Any bytes as the scene of a model of any format, opened as a user opens it.

use effigy::assets::Memory;
use effigy::scene::{ValidScene, validate};
use effigy::{Limits, OpenOptions};

/// The model and its skin: if the last four bytes are a length within the input, the bytes after it are the `.skin` file.
fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((both, length)) = bytes.split_last_chunk::<4>() else { return (bytes, &[]) };
    both.split_at_checked(u32::from_le_bytes(*length) as usize).unwrap_or((bytes, &[]))
}

/// The scene; none: nothing could be read. Every scene that a model becomes is valid.
pub fn scene(bytes: &[u8], limits: Limits) -> Option<ValidScene> {
    let (model, skin) = parts(bytes);
    let mut files = Memory::new("fuzz").with("model", model.to_vec());
    if !skin.is_empty() {
        files.add("model00.skin", skin.to_vec());
    }
    let options = OpenOptions { limits, ..OpenOptions::default() };
    let model = effigy::open_in(files, "model", &options).ok()?;
    Some(validate(model.lower().ok()?.scene).expect("lowering makes valid scenes"))
}

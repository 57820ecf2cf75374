//! A `.glb` of JSON and numbers, so that mutations need not keep the lengths right.

/// The JSON of the input is in front of its first zero byte, the numbers are behind it; none: there is no zero byte.
pub fn joined(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let (json, bin) = (&bytes[..end], &bytes[end + 1..]);
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    let mut text = json.to_vec();
    text.resize(text.len().next_multiple_of(4), b' ');
    for (part, mark) in [(text.as_slice(), b"JSON"), (bin, b"BIN\0")] {
        glb.extend(u32::try_from(part.len()).unwrap_or(0).to_le_bytes());
        glb.extend(mark);
        glb.extend(part);
        glb.resize(glb.len().next_multiple_of(4), 0);
    }
    Some(glb)
}

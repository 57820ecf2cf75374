//! Bytes as text: addresses of glTF that hold their data, and long lists in notes.

/// The letters, by value.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes, without padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in (0..=group.len()).map(|letter| 18 - 6 * letter) {
            let letter = LETTERS.get((bits >> place & 63) as usize);
            text.extend(letter.map(|letter| char::from(*letter)));
        }
    }
    text
}

/// Decodes base64, with or without padding; none for other characters.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push(u8::try_from(bits >> count & 0xff).unwrap_or_default());
        }
    }
    Some(decoded)
}

/// Numbers of four bytes, the lowest first.
pub(crate) fn words(text: &str) -> Option<Vec<[u8; 4]>> {
    let bytes = decode(text.as_bytes())?;
    Some(bytes.as_chunks::<4>().0.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_encoded_as_others_do_and_comes_back() {
        // From RFC 4648, without padding.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text.as_bytes()).unwrap(), bytes.as_bytes());
        }
        assert_eq!(encode(&[0xff, 0xef, 0xbe]), "/+++");
        assert_eq!(decode(b"-_ 8=").unwrap(), [0xfb, 0xff]);
        assert_eq!(decode(b"a*b"), None);
        assert_eq!(words("AACAPwAAAMA").unwrap(), [1.0_f32.to_le_bytes(), (-2.0_f32).to_le_bytes()]);
    }
}

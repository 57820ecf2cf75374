//! What parser and printer share about the comments that keep what MDL cannot hold.
//!
//! `//effigy` and a blank begin such a comment; the rest of the line is MDL of our own. It stands before the block
//! that it belongs to and speaks about that block's record with the same words as inside it, and with these:
//!
//! | words | what they keep |
//! |---|---|
//! | `Text Name "4142"` | all bytes of a string, in hexadecimal, where text alone does not say them |
//! | `Flags 0x400100` | all bits, where the words do not say them |
//! | `Track KMTA 2 { ... }` | a track that the block has no word for, or has twice |
//! | `Tracks { KTTR KCTR }` | the order of tracks, where the order in the text is another |
//! | `Layer 0 { ... }`, `Anim 3 { ... }` | something inside the block, by position |
//! | `Chunks { VERS, MODL, Kept "MDVI" 4 "00000000" }` | the file's own order of chunks with those that are no records |

/// A fingerprint of bytes (FNV-1a), by which an edited chunk is told from an untouched one.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Puts bytes in hexadecimal.
pub(super) fn put_hex(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            out.push(DIGITS.get(usize::from(digit)).copied().unwrap_or(b'0'));
        }
    }
}

/// Bytes from hexadecimal.
pub(super) fn read_hex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, []) = text.as_chunks::<2>() else { return None };
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_from_hexadecimal() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut text = Vec::new();
        put_hex(&bytes, &mut text);
        assert_eq!(read_hex(&text), Some(bytes));
        assert_eq!(read_hex(b"0"), None);
        assert_eq!(read_hex(b"0g"), None);
    }

    #[test]
    fn a_changed_byte_changes_the_fingerprint() {
        assert_ne!(fingerprint(b"abc"), fingerprint(b"abd"));
        assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
    }
}

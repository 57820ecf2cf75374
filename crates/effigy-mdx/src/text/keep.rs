//! What parser and printer share about the comments that hold what MDL cannot represent.
//!
//! Such a comment begins with `//effigy` and a blank; the rest of the line is an extension of MDL. It is located before the
//! block that it belongs to, and uses the same words as the block and these:
//!
//! | words | what they hold |
//! |---|---|
//! | `Text Name "4142"` | all bytes of a string, in hexadecimal, where the text is not enough |
//! | `Flags 0x400100` | all bits, where some have no word |
//! | `Track KMTA 2 { ... }` | a track that the block has no word for, or that it has twice |
//! | `Tracks { KTTR KCTR }` | the order of tracks, where it differs from the order in the text |
//! | `Layer 0 { ... }`, `Anim 3 { ... }` | something inside the block, by position |
//! | `Chunks { VERS, MODL, Kept "MDVI" 4 "00000000" }` | the order of chunks in the file, including those that are not records |

/// A fingerprint of bytes (FNV-1a), which shows whether a chunk was edited.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Appends bytes in hexadecimal.
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
    fn hexadecimal_is_read_back_as_the_same_bytes() {
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

    #[test]
    fn fingerprints_and_digits_are_those_of_other_programs() {
        // FNV-1a of 64 bits: the published test vectors for "a" and "foobar".
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fingerprint(b"foobar"), 0x8594_4171_f739_67e8);
        let mut text = Vec::new();
        put_hex(&[0, 0x1f, 0xa0], &mut text);
        assert_eq!((text.as_slice(), read_hex(b"001FA0")), (&b"001fa0"[..], Some(vec![0, 0x1f, 0xa0])));
    }
}

//! The hashes by which MPQ archives store names.

/// The table from which the hashes are computed, 5 x 256 words.
const TABLE: [u32; 0x500] = table();

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, which checks every index")]
const fn table() -> [u32; 0x500] {
    let mut table = [0; 0x500];
    let mut seed = 0x0010_0001_u32;
    let mut low = 0;
    while low < 0x100 {
        let mut at = low;
        while at < 0x500 {
            seed = (seed * 125 + 3) % 0x002a_aaab;
            let high = (seed & 0xffff) << 16;
            seed = (seed * 125 + 3) % 0x002a_aaab;
            table[at] = high | (seed & 0xffff);
            at += 0x100;
        }
        low += 1;
    }
    table
}

/// The two hashes that identify a name in the hash table.
pub fn pair(name: &[u8]) -> (u32, u32) {
    (hash(name, 0x100), hash(name, 0x200))
}

fn hash(name: &[u8], kind: usize) -> u32 {
    let (mut one, mut two) = (0x7fed_7fed_u32, 0xeeee_eeee_u32);
    for &byte in name {
        let byte = if byte == b'/' { b'\\' } else { byte.to_ascii_uppercase() };
        let word = TABLE.get(kind + usize::from(byte)).copied().unwrap_or(0);
        one = word ^ one.wrapping_add(two);
        two = u32::from(byte).wrapping_add(one).wrapping_add(two).wrapping_add(two << 5).wrapping_add(3);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_games() {
        // The well-known keys of the hash table and the block table: hashes of these names of kind 0x300.
        assert_eq!(hash(b"(hash table)", 0x300), 0xc3af_3770);
        assert_eq!(hash(b"(block table)", 0x300), 0xec83_b3a3);
        assert_eq!(pair(b"a/B.mdx"), pair(b"A\\b.MDX"));
    }
}

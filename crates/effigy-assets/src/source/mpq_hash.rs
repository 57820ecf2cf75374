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

/// The slot of the hash table at which the search for a name begins, before it is cut to the size of the table.
pub fn start(name: &[u8]) -> u32 {
    hash(name, 0)
}

/// The keys with which the hash table and the block table are encrypted.
pub const HASH_TABLE_KEY: u32 = 0xc3af_3770;
/// See [`HASH_TABLE_KEY`].
pub const BLOCK_TABLE_KEY: u32 = 0xec83_b3a3;

/// Encrypts whole words; up to three bytes at the end stay as they are.
pub fn encrypt(bytes: &mut [u8], mut key: u32) {
    let mut seed = 0xeeee_eeee_u32;
    for word in bytes.as_chunks_mut::<4>().0 {
        let low = usize::try_from(key & 0xff).unwrap_or(0);
        seed = seed.wrapping_add(TABLE.get(0x400 + low).copied().unwrap_or(0));
        let plain = u32::from_le_bytes(*word);
        *word = (plain ^ key.wrapping_add(seed)).to_le_bytes();
        key = (!key << 21).wrapping_add(0x1111_1111) | (key >> 11);
        seed = plain.wrapping_add(seed).wrapping_add(seed << 5).wrapping_add(3);
    }
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
        assert_eq!(hash(b"(hash table)", 0x300), HASH_TABLE_KEY);
        assert_eq!(hash(b"(block table)", 0x300), BLOCK_TABLE_KEY);
        assert_eq!(pair(b"a/B.mdx"), pair(b"A\\b.MDX"));
    }

    #[test]
    fn the_table_is_that_of_the_games_at_both_ends_of_each_part() {
        // Computed with another program; the first word is also known from other readers.
        let places = [0, 0x100, 0x200, 0x300, 0x400, 0x4ff];
        let words = [0x55c6_36e2, 0x76f8_c1b1, 0x3df6_965d, 0x15f2_61d3, 0x193a_a698, 0x7303_286c];
        assert_eq!(places.map(|at| TABLE[at]), words);
    }
}

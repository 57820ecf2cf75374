//! BLP files made by hand.

/// Content that is a JPEG stream.
pub const JPEG: u32 = 0;
/// Content that is a palette, blocks or uncompressed pixels.
pub const DIRECT: u32 = 1;
/// The entries of the table of levels.
const LEVELS: usize = 16;

fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}

/// The table of levels, what they share, and the levels one after the other.
fn finish(mut bytes: Vec<u8>, shared: &[u8], levels: &[Vec<u8>]) -> Vec<u8> {
    let mut offset = (bytes.len() + LEVELS * 8 + shared.len()) as u32;
    let (mut offsets, mut sizes) = ([0; LEVELS], [0; LEVELS]);
    for (number, level) in levels.iter().enumerate() {
        (offsets[number], sizes[number]) = (offset, level.len() as u32);
        offset += sizes[number];
    }
    words(&mut bytes, &offsets);
    words(&mut bytes, &sizes);
    bytes.extend(shared);
    levels.iter().for_each(|level| bytes.extend(level));
    bytes
}

/// BLP1 with 5 as the picture type.
pub fn blp1(
    content: u32,
    alpha_bits: u32,
    (width, height): (u32, u32),
    shared: &[u8],
    levels: &[Vec<u8>],
) -> Vec<u8> {
    let mut bytes = b"BLP1".to_vec();
    words(&mut bytes, &[content, alpha_bits, width, height, 5, 1]);
    finish(bytes, shared, levels)
}

/// BLP2 with a compression (1 palette, 2 blocks, 3 uncompressed), bits of alpha and a kind of alpha.
pub fn blp2(head: [u8; 3], (width, height): (u32, u32), shared: &[u8], levels: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"BLP2".to_vec();
    words(&mut bytes, &[DIRECT]);
    bytes.extend(head);
    bytes.push(1);
    words(&mut bytes, &[width, height]);
    finish(bytes, shared, levels)
}

//! The reader: numbers, blocks, tracks, nodes.

use effigy_mdx::{Node, Tracks};

/// Bytes that must be used up.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Reader<'a> {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        Reader(taken)
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).0.try_into().unwrap()
    }

    pub fn u8(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub fn size(&mut self) -> usize {
        self.u32() as usize
    }

    pub fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.array())
    }

    pub fn floats<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.f32())
    }

    pub fn text(&mut self, length: usize) -> String {
        let bytes = self.take(length).0;
        String::from_utf8(bytes.split(|&byte| byte == 0).next().unwrap().to_vec()).unwrap()
    }

    /// A block that begins with its own size, that word included.
    pub fn block(&mut self) -> Reader<'a> {
        let size = self.size();
        self.take(size - 4)
    }

    /// The next four bytes; fewer at the end.
    pub fn peek(&self) -> &'a [u8] {
        &self.0[..self.0.len().min(4)]
    }

    pub fn tag(&mut self, tag: &str) {
        assert_eq!(self.text(4), tag);
    }

    /// A tag and a count.
    pub fn section(&mut self, tag: &str) -> usize {
        self.tag(tag);
        self.size()
    }

    pub fn at_tag(&self, tag: &str) -> bool {
        self.0.starts_with(tag.as_bytes())
    }

    pub fn end(self, what: &str) {
        assert!(self.0.is_empty(), "{} bytes are left in {what}", self.0.len());
    }
}

/// The chunks of a file by tag.
pub fn chunks(bytes: &[u8]) -> Vec<(String, Reader<'_>)> {
    let mut file = Reader(bytes);
    file.tag("MDLX");
    let mut chunks = Vec::new();
    while !file.0.is_empty() {
        let tag = file.text(4);
        let size = file.size();
        chunks.push((tag, file.take(size)));
    }
    chunks
}

/// The decoding of a packed rotation as the description has it.
fn unpack(data: i64) -> [f32; 4] {
    let x = ((data >> 42) as f64 * 0.000_000_476_837_16) as f32;
    let y = (((data << 22) >> 43) as f64 * 0.000_000_953_674_32) as f32;
    let z = (f64::from(((data << 11) as i32) >> 11) * 0.000_000_953_674_32) as f32;
    let rest = 1.0 - f64::from(x * x + y * y + z * z);
    [x, y, z, if rest >= 0.000_000_953_674_32 { rest.sqrt() as f32 } else { 0.0 }]
}

/// Reads the tracks that may come, in this order, and compares them with ours.
pub fn tracks(reader: &mut Reader<'_>, order: &str, ours: &Tracks, what: &str) {
    let mut seen = 0;
    for tag in order.split(' ') {
        if !reader.at_tag(tag) {
            continue;
        }
        let count = reader.section(tag);
        let kind = reader.u32();
        let clock = reader.u32().cast_signed();
        let track = ours.get(tag_of(tag)).unwrap_or_else(|| panic!("{what} has no {tag}"));
        assert_eq!(
            (track.len(), track.interpolation().0, track.global_sequence),
            (count, kind, clock),
            "{what} {tag}"
        );
        let words: &[u32] = track.words();
        let stride = words.len() / count;
        for key in words.chunks_exact(stride) {
            assert_eq!(reader.u32(), key[0], "{what} {tag}: a time");
            match tag {
                "KGRT" | "KTAR" => {
                    for value in key[1..].chunks_exact(4) {
                        let read = unpack(i64::from_le_bytes(reader.array()));
                        let made: [f32; 4] = std::array::from_fn(|i| f32::from_bits(value[i]));
                        // Either sign is the same rotation.
                        let apart =
                            |sign: f32| (0..3).map(|i| (made[i] * sign - read[i]).abs()).fold(0.0, f32::max);
                        assert!(apart(1.0).min(apart(-1.0)) < 1.0e-6, "{what} {tag}: {made:?} is {read:?}");
                    }
                }
                // Whole numbers have no tangents, whatever the interpolation says.
                "KMTF" | "KRTX" => assert_eq!(reader.u32(), key[1], "{what} {tag}"),
                _ => key[1..].iter().for_each(|&word| assert_eq!(reader.u32(), word, "{what} {tag}")),
            }
        }
        seen += 1;
    }
    assert_eq!(seen, ours.len(), "{what}: tracks");
}

fn tag_of(tag: &str) -> effigy_wire::Tag {
    effigy_wire::Tag(tag.as_bytes().try_into().unwrap())
}

pub fn node(reader: &mut Reader<'_>, ours: &Node) {
    let mut node = reader.block();
    let name = node.text(80);
    assert_eq!(name, ours.name.text());
    assert_eq!(
        [node.u32(), node.u32()],
        [ours.object_id.cast_unsigned(), ours.parent.cast_unsigned()],
        "{name}"
    );
    assert_eq!(node.u32(), ours.flags.bits(), "{name}");
    tracks(&mut node, "KGTR KGRT KGSC", &ours.tracks, &name);
    node.end(&name);
}

pub fn bounds(reader: &mut Reader<'_>, ours: &effigy_mdx::Extent) {
    // Radius first, against the description, as every real file has it.
    assert_eq!(reader.f32(), ours.radius);
    assert_eq!([reader.floats::<3>(), reader.floats::<3>()], [ours.min, ours.max]);
}

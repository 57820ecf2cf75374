//! How fast: a model out of an archive against one out of a folder, textures against the crates beneath.
//!
//! `cargo bench -p effigy-assets` prints the table that docs/archives.md and docs/textures.md quote.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout)]
#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, missing_docs)]

use effigy_assets::texture::{Encoding, Image, read, write};
use effigy_assets::{open, texture};
use effigy_wire::Limits;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use wc3::mpq::{ArchiveWriter, Compression, FileOptions, WriteOptions};

/// The shortest of many runs.
fn time<T>(mut run: impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    let mut best = Duration::MAX;
    while start.elapsed() < Duration::from_millis(700) {
        let one = Instant::now();
        black_box(run());
        best = best.min(one.elapsed());
    }
    best
}

/// The shortest of many runs of each, turn by turn, so that other work on the machine hits both.
fn versus<A, B>(mut ours: impl FnMut() -> A, mut beneath: impl FnMut() -> B) -> (Duration, Duration) {
    let start = Instant::now();
    let mut best = (Duration::MAX, Duration::MAX);
    while start.elapsed() < Duration::from_millis(1500) {
        let one = Instant::now();
        black_box(ours());
        let two = Instant::now();
        black_box(beneath());
        best = (best.0.min(two - one), best.1.min(two.elapsed()));
    }
    best
}

/// A real model of about this size where there is one, else bytes that pack about as well.
fn model(bytes: usize) -> Vec<u8> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let near = |entry: &&effigy_assets::Entry| {
        entry.name.ends_with(".mdx") && (bytes as u64 * 8 / 10..=bytes as u64 * 12 / 10).contains(&entry.size)
    };
    let real = open(corpus, &Limits::DEFAULT).ok().and_then(|source| {
        let entries = source.list().ok()?;
        source.open(entries.iter().find(near)?).ok()
    });
    real.unwrap_or_else(|| model_like(bytes, 2_654_435_761))
}

/// Bytes that pack about as well as a model does.
fn model_like(bytes: usize, seed: u32) -> Vec<u8> {
    let values = (0..bytes as u32 / 4).map(|at| (at.wrapping_mul(seed) % 4096) as f32 / 16.0);
    values.flat_map(f32::to_le_bytes).collect()
}

fn archives() {
    let folder = std::env::temp_dir().join(format!("effigy-assets-bench-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("Units")).unwrap();
    let limits = Limits::DEFAULT;
    println!("a model out of a 20 MB archive or a folder: opened, found, read");
    for size in [50 << 10, 150 << 10, 500 << 10] {
        let model = model(size);
        std::fs::write(folder.join("Units/Footman.mdx"), &model).unwrap();
        let beside = time(|| open(&folder, &limits).unwrap().read("units/footman.mdx").unwrap().unwrap());
        for (name, compression) in [("stored", Compression::Stored), ("zlib", Compression::Zlib)] {
            let path = folder.join("big.mpq");
            let mut writer =
                ArchiveWriter::new(std::fs::File::create(&path).unwrap(), WriteOptions::default()).unwrap();
            let mut add = |name: &str, bytes: &[u8]| {
                let options = FileOptions { compression, ..FileOptions::default() };
                writer.add_file(name.as_bytes(), bytes.len() as u32, &mut &bytes[..], options).unwrap();
            };
            add("Units\\Footman.mdx", &model);
            let mut filled = 0;
            let mut number = 0_u32;
            while filled < 20 << 20 {
                let other = model_like(100 << 10, 40_503 + number * 2);
                add(&format!("Units\\Other{number}.mdx"), &other);
                filled += other.len();
                number += 1;
            }
            writer.finish().unwrap();
            let packed = time(|| open(&path, &limits).unwrap().read("units/footman.mdx").unwrap().unwrap());
            let source = open(&path, &limits).unwrap();
            let again = time(|| source.read("units/footman.mdx").unwrap().unwrap());
            let ratio = packed.as_secs_f64() / beside.as_secs_f64();
            println!(
                "  {:>4} kB {name:<6}  folder {beside:>10.1?}  archive {packed:>10.1?}  ({ratio:.1}x)  archive open already {again:>10.1?}",
                size >> 10
            );
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e6
}

fn textures() {
    let side = 1024;
    let mut pixels = Vec::new();
    for y in 0..side {
        for x in 0..side {
            pixels.extend([(x / 4) as u8, (y / 4) as u8, ((x ^ y) & 255) as u8, ((x + y) / 8) as u8]);
        }
    }
    let image = Image::new(side, side, pixels).unwrap();
    let bytes = image.pixels().len();
    println!("textures of {side} x {side}, MB of RGBA a second");
    let blocks = |encoding, header: usize, block: usize, decode: fn(&[u8], &mut [u8], usize)| {
        let packed = write(&image, encoding).unwrap().0;
        let pitch = side as usize * 4;
        let (ours, beneath) = versus(
            || read(&packed).unwrap(),
            || {
                let mut out = vec![0; bytes];
                for (at, one) in packed[header..].chunks_exact(block).enumerate() {
                    let (x, y) = (at % (side as usize / 4), at / (side as usize / 4));
                    decode(one, &mut out[y * 4 * pitch + x * 16..], pitch);
                }
                out
            },
        );
        println!(
            "  {:<12} ours {:>7.0}  bcdec_rs {:>7.0}",
            format!("{encoding:?}"),
            rate(bytes, ours),
            rate(bytes, beneath)
        );
    };
    blocks(Encoding::DdsDxt1, 128, 8, bcdec_rs::bc1);
    blocks(Encoding::DdsDxt5, 128, 16, bcdec_rs::bc3);
    let packed = write(&image, Encoding::Blp1Jpeg { quality: 90 }).unwrap().0;
    let word = |at: usize| u32::from_le_bytes(packed[at..at + 4].try_into().unwrap()) as usize;
    let stream = [&packed[160..160 + word(156)], &packed[word(28)..word(28) + word(92)]].concat();
    let (ours, beneath) = versus(
        || read(&packed).unwrap(),
        || {
            use zune_jpeg::zune_core::{
                bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions,
            };
            let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::CMYK);
            zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(&stream), options).decode().unwrap()
        },
    );
    println!(
        "  {:<12} ours {:>7.0}  zune-jpeg {:>6.0}",
        "BLP1 JPEG",
        rate(bytes, ours),
        rate(bytes, beneath)
    );
    let packed = write(&image, Encoding::Png).unwrap().0;
    let (ours, beneath) = versus(
        || read(&packed).unwrap(),
        || {
            let mut reader = png::Decoder::new(std::io::Cursor::new(&packed[..])).read_info().unwrap();
            let mut out = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut out).unwrap();
            out
        },
    );
    println!("  {:<12} ours {:>7.0}  png {:>12.0}", "PNG", rate(bytes, ours), rate(bytes, beneath));
    for encoding in [
        Encoding::Blp1Palette { alpha_bits: 8 },
        Encoding::Blp2Raw,
        Encoding::Tga { packed: false },
        Encoding::Tga { packed: true },
    ] {
        let packed = write(&image, encoding).unwrap().0;
        println!("  {:<32} {:>7.0}", format!("{encoding:?}"), rate(bytes, time(|| read(&packed).unwrap())));
    }
    println!("writing, MB of RGBA a second");
    for name in Encoding::names() {
        let encoding: Encoding = name.parse().unwrap();
        println!("  {name:<14} {:>7.1}", rate(bytes, time(|| texture::write(&image, encoding).unwrap())));
    }
}

/// The whole corpus, where it is.
fn corpus() {
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/textured");
    let Ok(source) = open(&usual, &Limits::DEFAULT) else { return };
    let files: Vec<Vec<u8>> = source
        .list()
        .unwrap()
        .iter()
        .filter(|entry| texture::Format::by_extension(&entry.name).is_some())
        .map(|entry| source.open(entry).unwrap())
        .collect();
    let start = Instant::now();
    let bytes: usize =
        files.iter().map(|file| read(file).unwrap().levels.iter().map(Vec::len).sum::<usize>()).sum();
    println!("{} real textures, {} MB of RGBA in {:.2?}", files.len(), bytes >> 20, start.elapsed());
}

fn main() {
    archives();
    textures();
    corpus();
}

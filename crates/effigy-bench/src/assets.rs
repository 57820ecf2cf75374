//! Archives compared with folders, and textures compared with the crates that decode their contents.

use super::{Bench, Inputs, Line, best_of, rate};
use effigy::Limits;
use effigy_assets::open;
use effigy_image::{Encoding, Image, read, write};
use effigy_testkit::Shell;
use std::fs::{self, File};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wc3::mpq::{ArchiveWriter, Compression, FileOptions, WriteOptions};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Bytes of the archive before packing.
const ARCHIVE: usize = 20 << 20;
/// Width and height of the measured texture.
const SIDE: u32 = 1024;

/// All benchmarks of effigy-assets.
pub struct Assets;

impl Bench for Assets {
    fn run(&self, shell: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        let folder = shell.root().join("target/bench-assets");
        let mut lines = Vec::new();
        for bytes in [50_000, 150_000, 500_000] {
            let near =
                |(_, file): &&(PathBuf, Vec<u8>)| (bytes * 8 / 10..=bytes * 12 / 10).contains(&file.len());
            let made = filler(bytes, 2_654_435_761);
            let model = inputs.mdx_corpus.iter().find(near).map_or(&made, |(_, file)| file);
            for (packing, compression) in [("stored", Compression::Stored), ("zlib", Compression::Zlib)] {
                let times = archive(&folder, model, compression)
                    .map_err(|error| format!("{}: {error}", folder.display()));
                lines.push(archive_line(&format!("archive-{packing}-{}k", bytes / 1000), &times?));
            }
        }
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        lines.extend(textures()?);
        Ok(lines)
    }
}

fn archive_line(name: &str, times: &[Duration]) -> Line {
    let a_second = |number: usize| times.get(number).map(|time| 1.0 / time.as_secs_f64());
    Line {
        name: name.to_owned(),
        ours: a_second(0).unwrap_or(0.0),
        peer: a_second(1),
        peer_name: "the same files in a folder",
        limit: a_second(2),
        unit: "models/s, opening it each time",
    }
}

/// The times to read one model from an archive, from a folder with the same files, and directly by its exact path.
fn archive(
    folder: &Path,
    model: &[u8],
    compression: Compression,
) -> Result<Vec<Duration>, Box<dyn std::error::Error>> {
    let (units, path) = (folder.join("files/Units"), folder.join("big.mpq"));
    fs::create_dir_all(&units)?;
    let mut writer = ArchiveWriter::new(File::create(&path)?, WriteOptions::default())?;
    let mut add = |name: &str, bytes: &[u8]| -> Result<(), Box<dyn std::error::Error>> {
        fs::write(units.join(name), bytes)?;
        let inside = format!("Units\\{name}");
        let options = FileOptions { compression, ..FileOptions::default() };
        Ok(writer.add_file(inside.as_bytes(), u32::try_from(bytes.len())?, &mut &*bytes, options)?)
    };
    add("Footman.mdx", model)?;
    for number in 0..ARCHIVE / 100_000 {
        add(&format!("Other{number}.mdx"), &filler(100_000, 40_503 + u32::try_from(number)? * 2))?;
    }
    writer.finish()?;
    let from = |path: &Path| {
        let content = open(path, &Limits::DEFAULT).and_then(|source| source.read("units/footman.mdx"));
        matches!(content, Ok(Some(content)) if black_box(&content) == model)
    };
    let (files, exact) = (folder.join("files"), units.join("Footman.mdx"));
    let (mut archive, mut beside) = (true, true);
    let times = best_of(&mut [&mut || archive &= from(&path), &mut || beside &= from(&files), &mut || {
        drop(black_box(fs::read(&exact)))
    }]);
    if archive && beside { Ok(times) } else { Err("the model came out differently".into()) }
}

/// Bytes that compress about as well as a model.
fn filler(bytes: usize, seed: u32) -> Vec<u8> {
    let values = (0..).map(|at: u32| f32::from((at.wrapping_mul(seed) % 4096) as u16) / 16.0);
    values.take(bytes / 4).flat_map(f32::to_le_bytes).collect()
}

fn textures() -> Result<Vec<Line>, String> {
    let image = picture().map_err(|error| error.to_string())?;
    let encoded =
        |encoding| write(&image, encoding).map(|(bytes, _)| bytes).map_err(|error| error.to_string());
    let (dxt1, dxt5) = (encoded(Encoding::DDS_DXT1)?, encoded(Encoding::DDS_DXT5)?);
    let (jpeg, png) = (encoded(Encoding::blp1_jpeg(90))?, encoded(Encoding::PNG)?);
    let stream = jpeg_stream(&jpeg).ok_or("the BLP has no JPEG stream")?;
    let bytes = image.pixels().len();
    let line = |name: &str, peer_name, times: Vec<Duration>| Line {
        name: name.to_owned(),
        ours: times.first().map_or(0.0, |&time| rate(bytes, time)),
        peer: times.get(1).map(|&time| rate(bytes, time)),
        peer_name,
        limit: None,
        unit: "MB/s of pixels",
    };
    let beside = |ours: &[u8], beneath: &mut dyn FnMut()| {
        best_of(&mut [
            &mut || {
                let _ = black_box(read(ours));
            },
            beneath,
        ])
    };
    Ok(vec![
        line("texture-dxt1", "bcdec_rs", beside(&dxt1, &mut || blocks(&dxt1, 8, bytes, bcdec_rs::bc1))),
        line("texture-dxt5", "bcdec_rs", beside(&dxt5, &mut || blocks(&dxt5, 16, bytes, bcdec_rs::bc3))),
        line(
            "texture-blp-jpeg",
            "zune-jpeg",
            beside(&jpeg, &mut || {
                let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::CMYK);
                let _ = black_box(JpegDecoder::new_with_options(ZCursor::new(&stream), options).decode());
            }),
        ),
        line(
            "texture-png",
            "png",
            beside(&png, &mut || {
                let mut pixels = vec![0; bytes];
                if let Ok(mut reader) = png::Decoder::new(std::io::Cursor::new(&png)).read_info() {
                    let _ = black_box(reader.next_frame(&mut pixels));
                }
                black_box(pixels);
            }),
        ),
    ])
}

/// Gradients with a pattern: smooth and rough parts as in real textures.
fn picture() -> effigy::Result<Image> {
    let byte = |value: u32| u8::try_from(value & 255).unwrap_or(0);
    let pixels = (0..SIDE * SIDE).map(|at| (at % SIDE, at / SIDE));
    let pixels = pixels.flat_map(|(x, y)| [byte(x / 4), byte(y / 4), byte(x ^ y), byte((x + y) / 8)]);
    Image::new(SIDE, SIDE, pixels.collect())
}

/// Decodes the blocks of a DDS by nothing but the crate.
fn blocks(dds: &[u8], block: usize, bytes: usize, decode: fn(&[u8], &mut [u8], usize)) {
    let pitch = SIDE as usize * 4;
    let mut pixels = vec![0; bytes];
    let rows = dds.get(128..).unwrap_or_default().chunks_exact(block * SIDE as usize / 4);
    for (row, blocks) in pixels.chunks_exact_mut(pitch * 4).zip(rows) {
        for (number, block) in blocks.chunks_exact(block).enumerate() {
            if let Some(target) = row.get_mut(number * 16..) {
                decode(block, target, pitch);
            }
        }
    }
    black_box(pixels);
}

/// The JPEG of the first level of a BLP1: the shared head, then the level.
fn jpeg_stream(blp: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| {
        let bytes = blp.get(at..)?.first_chunk()?;
        usize::try_from(u32::from_le_bytes(*bytes)).ok()
    };
    let head = blp.get(160..160 + word(156)?)?;
    let level = blp.get(word(28)?..)?.get(..word(92)?)?;
    Some([head, level].concat())
}

//! Writes the first inputs of each fuzz target, made by code, into `FOLDER/TARGET/`: `cargo xtask fuzz` runs it.

#[path = "../../crates/effigy-assets/tests/common/mod.rs"]
mod common;

use effigy_samples::Sample;
use std::path::Path;
use wc3::mpq::{ArchiveWriter, Compression, FileOptions, WriteOptions};

/// Larger inputs are slow and find no more.
const LARGEST: usize = 200_000;

/// Writes a seed, unless it is too large.
fn put(folder: &Path, target: &str, name: &str, bytes: &[u8]) {
    if bytes.len() > LARGEST {
        return;
    }
    let folder = folder.join(target);
    std::fs::create_dir_all(&folder).expect("a folder for the seeds");
    std::fs::write(folder.join(format!("seed-{name}")), bytes).expect("a seed");
}

/// A `weapon.cfg` with two of its rows.
const WEAPON: &str = "newfmt\n0 1 20 1 0 0 0 // idle1\n1 10 15 0 3 1 4\n";

/// The same MDX with its version and one other chunk, for each of them: small inputs are tried many times as often.
fn single_chunks(bytes: &[u8]) -> Vec<Vec<u8>> {
    let Some((head, mut rest)) = bytes.split_at_checked(4) else { return Vec::new() };
    let mut chunks = Vec::new();
    while let Some(size) = rest.get(4..8).and_then(|size| size.try_into().ok()) {
        let size = u32::from_le_bytes(size) as usize + 8;
        let Some((chunk, after)) = rest.split_at_checked(size) else { break };
        chunks.push(chunk);
        rest = after;
    }
    let Some((version, others)) = chunks.split_first() else { return Vec::new() };
    others.iter().map(|chunk| [head, version, chunk].concat()).collect()
}

fn has_extension(sample: &Sample, extension: &str) -> bool {
    sample.file_name.rsplit_once('.').is_some_and(|(_, own)| own == extension)
}

/// Small glTF documents with what our own exports do not have, and their numbers: the target takes a zero byte for the border.
const GLTF: &[(&str, &str, &[u8])] = &[
    (
        "sparse-strip",
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,3,2,1,1]}],
"meshes":[{"weights":[0.5],"primitives":[{"mode":5,"attributes":{"POSITION":0},"targets":[{"POSITION":1}]}]}],"accessors":[{"bufferView":0,
"componentType":5126,"type":"VEC3","count":4},{"componentType":5126,"type":"VEC3","count":4,"sparse":{"count":1,"indices":{"bufferView":1,
"componentType":5121},"values":{"bufferView":0}}}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":4}],
"buffers":[{"byteLength":52}]}"#,
        &[0; 52],
    ),
    (
        "cubic-skin",
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"skin":0},{"children":[2]},{"scale":[1,2,1]}],
"skins":[{"joints":[1,2]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],"animations":[{"samplers":[
{"input":3,"output":4,"interpolation":"CUBICSPLINE"}],"channels":[{"sampler":0,"target":{"node":2,"path":"rotation"}}]}],"accessors":[
{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},{"bufferView":0,"componentType":5121,"type":"VEC4","count":3},{"bufferView":0,
"componentType":5121,"normalized":true,"type":"VEC4","count":3},{"bufferView":0,"byteOffset":0,"componentType":5126,"type":"SCALAR","count":2},
{"bufferView":0,"componentType":5122,"normalized":true,"type":"VEC4","count":6}],"bufferViews":[{"buffer":0,"byteLength":64}],
"buffers":[{"byteLength":64}]}"#,
        &[0; 64],
    ),
    (
        "extensions",
        r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_animation_pointer"],"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,
"extensions":{"KHR_node_visibility":{"visible":false},"MSFT_lod":{"ids":[1]}}},{"mesh":0,"camera":0,"extensions":{"KHR_lights_punctual":{"light":0}}}],
"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot"}]},
"KHR_materials_variants":{"variants":[{"name":"red"}]}},"materials":[{"alphaMode":"MASK","emissiveFactor":[1,1,1],"pbrMetallicRoughness":{
"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"offset":[0.5,0],"rotation":1,"scale":[2,3]}}}},"extensions":{
"KHR_materials_unlit":{},"KHR_materials_emissive_strength":{"emissiveStrength":4}}}],"textures":[{"extensions":{"EXT_texture_webp":{"source":0}}}],
"images":[{"bufferView":0,"mimeType":"image/webp"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1,"COLOR_0":2},"indices":3,
"material":0,"extensions":{"KHR_materials_variants":{"mappings":[{"material":0,"variants":[0]}]}}}]}],"animations":[{"samplers":[{"input":4,
"output":5,"interpolation":"STEP"}],"channels":[{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":
"/nodes/0/extensions/KHR_node_visibility/visible"}}}}]}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},
{"bufferView":0,"componentType":5123,"normalized":true,"type":"VEC2","count":3},{"bufferView":0,"componentType":5121,"normalized":true,"type":"VEC3",
"count":3},{"bufferView":0,"componentType":5125,"type":"SCALAR","count":3},{"bufferView":0,"componentType":5126,"type":"SCALAR","count":1},
{"bufferView":0,"componentType":5121,"type":"SCALAR","count":1}],"bufferViews":[{"buffer":0,"byteLength":48}],"buffers":[{"byteLength":48}]}"#,
        b"RIFF\x28\0\0\0WEBPVP8L\x1b\0\0\0\x2f\0\0\0\0\x07\x10\x11\xfd\x0f\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    ),
    (
        "named-objects",
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2,3,4,5]}],"nodes":[{"mesh":0},{"name":"Hand Right Ref","rotation":[0,0,0.7071068,
0.7071068]},{"name":"FPTxFBL1"},{"name":"Collision Box","scale":[1,2,3]},{"name":"Collision Sphere.001"},{"name":"tag_weapon"}],"meshes":[{"primitives":[{
"attributes":{"POSITION":0},"material":0}]}],"materials":[{"name":"Armor TeamColor"}],"animations":[{"name":"Armature|Walk-loop","samplers":[{"input":1,
"output":2,"interpolation":"STEP"}],"channels":[{"sampler":0,"target":{"node":2,"path":"translation"}}]},{"name":"T-Pose","samplers":[],"channels":[]}],
"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},{"bufferView":1,"componentType":5126,"type":"SCALAR","count":3},{
"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12}],
"buffers":[{"byteLength":48}]}"#,
        // Three positions, which are also those of the event, and the times 0, 1 and 2.
        b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40",
    ),
];

/// A table with one row: 7, "Wolf", 1.5.
const TABLE: &[u8] = b"WDBC\x01\0\0\0\x03\0\0\0\x0c\0\0\0\x06\0\0\0\x07\0\0\0\x01\0\0\0\0\0\xc0\x3f\0Wolf\0";

/// Archives with every way of storing files: versions, compressions, keys, checksums.
fn archives() -> Vec<(String, Vec<u8>)> {
    let text = "A text that is longer than a sector of 512 bytes. ".repeat(25);
    let files: [(&str, &[u8]); 3] = [
        ("units/a.mdx", b"MDLXVERS"),
        ("readme.txt", b"some text, some text"),
        ("long.txt", text.as_bytes()),
    ];
    let usual = WriteOptions { sector_size_shift: 0, ..WriteOptions::default() };
    let mut made = vec![
        ("mpq-plain".to_owned(), common::mpq(&files, false)),
        ("zip".to_owned(), common::zip(&files)),
        ("shader".to_owned(), effigy_samples::mdc::SCRIPT.as_bytes().to_vec()),
        ("table".to_owned(), TABLE.to_vec()),
    ];
    for version in 0..4_u16 {
        for extended in [false, true].into_iter().take(if version < 2 { 1 } else { 2 }) {
            let options = WriteOptions { header_version: version, extended_index: extended, ..usual.clone() };
            made.push((format!("mpq-{version}-{extended}"), common::mpq_of(&files, options)));
        }
    }
    for compression in [Compression::Stored, Compression::Zlib, Compression::Bzip2] {
        for (encrypted, adjusted_key) in [(false, false), (true, false), (true, true)] {
            let stored = FileOptions {
                compression,
                encrypted,
                adjusted_key,
                sector_checksums: compression != Compression::Stored,
                ..FileOptions::default()
            };
            let mut writer =
                ArchiveWriter::new(std::io::Cursor::new(Vec::new()), usual.clone()).expect("an archive");
            for (name, content) in files {
                let size = u32::try_from(content.len()).expect("a small file");
                writer.add_file(name.as_bytes(), size, &mut &content[..], stored).expect("a file");
            }
            let bytes = writer.finish().expect("an archive").into_inner();
            made.push((format!("mpq-{compression:?}-{encrypted}-{adjusted_key}"), bytes));
        }
    }
    made
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of the seeds");
    let folder = Path::new(&folder);
    let samples = effigy_samples::all();
    for sample in &samples {
        let Sample { name, bytes, .. } = sample;
        let targets: &[&str] = match sample.file_name.rsplit_once('.').map(|(_, extension)| extension) {
            // Both games call their files so.
            Some("mdx") if bytes.starts_with(b"MDXW") => &["etmdx"],
            Some("mdx") => &["mdx", "mdl", "scene", "raise"],
            Some("mds") => &["mds", "scene"],
            Some("mdm") => &["mdm"],
            Some("mdl") => &["mdl", "scene"],
            Some("m2") => &["m2", "scene", "raise"],
            Some("skin" | "anim") => &["m2"],
            Some("mdc" | "md3") => &["mdc", "scene", "raise"],
            _ => &[],
        };
        targets.iter().for_each(|target| put(folder, target, name, bytes));
        if targets.contains(&"mdl") && has_extension(sample, "mdx") {
            for (number, small) in single_chunks(bytes).iter().enumerate() {
                put(folder, "mdx", &format!("{name}-{number}"), small);
                put(folder, "mdl", &format!("{name}-{number}"), small);
            }
        }
        // An M2 of Wrath with its skin: model, skin, length of the model.
        let stem = sample.file_name.trim_end_matches(".m2");
        let skin = samples.iter().find(|other| other.file_name == format!("{stem}00.skin"));
        if let (true, Some(skin)) = (has_extension(sample, "m2"), skin) {
            let length = u32::try_from(bytes.len()).expect("a small model").to_le_bytes();
            let both = [bytes, skin.bytes.as_slice(), &length].concat();
            ["scene", "raise"].iter().for_each(|target| put(folder, target, &format!("{name}-skin"), &both));
        }
        // The targets for glTF read what the export writes.
        if let Ok(glb) =
            effigy::read(bytes, None).and_then(|model| model.convert(&"glb".parse()?)?.into_bytes())
        {
            ["gltf", "raise"].iter().for_each(|target| put(folder, target, name, &glb));
        }
    }
    for sample in effigy_samples::textures() {
        put(folder, "texture", &sample.name, &sample.bytes);
        let Ok(image) = effigy::image::read(&sample.bytes) else { continue };
        let Ok(small) = image.resized(16, 16) else { continue };
        let small = small.with_mips();
        for encoding in effigy::image::Encoding::all() {
            if let Ok((bytes, _)) = effigy::image::write(&small, encoding) {
                put(folder, "texture", &format!("{}-{encoding}", sample.name), &bytes);
            }
        }
    }
    for sample in effigy_samples::mds::scripts() {
        put(folder, "player", &sample.name, &sample.bytes);
        put(folder, "mdc", &sample.name, &sample.bytes);
    }
    put(folder, "mdc", "weapon", WEAPON.as_bytes());
    put(folder, "player", "char", effigy_samples::mds::CHARACTER.as_bytes());
    put(folder, "player", "group", effigy_samples::mds::GROUP.as_bytes());
    put(folder, "player", "weapon", WEAPON.as_bytes());
    for (name, json, numbers) in GLTF {
        let both = [json.as_bytes(), &[0], *numbers].concat();
        ["gltf", "raise"].iter().for_each(|target| put(folder, target, name, &both));
    }
    for (name, bytes) in archives() {
        put(folder, "archive", &name, &bytes);
    }
}

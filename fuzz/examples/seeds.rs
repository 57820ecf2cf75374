//! Writes the first inputs of each fuzz target, made by code, into `FOLDER/TARGET/`: `cargo xtask fuzz` runs it.

#[path = "../../crates/effigy-assets/tests/common/mod.rs"]
mod common;

use effigy_samples::Sample;
use std::path::Path;

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

fn has_extension(sample: &Sample, extension: &str) -> bool {
    sample.file_name.rsplit_once('.').is_some_and(|(_, own)| own == extension)
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
            Some("mdx") => &["mdx", "mdl", "scene"],
            Some("mds") => &["mds", "scene"],
            Some("mdm") => &["mdm"],
            Some("mdl") => &["mdl", "scene"],
            Some("m2") => &["m2", "scene"],
            Some("skin" | "anim") => &["m2"],
            Some("mdc" | "md3") => &["mdc", "scene"],
            _ => &[],
        };
        targets.iter().for_each(|target| put(folder, target, name, bytes));
        // An M2 of Wrath with its skin: model, skin, length of the model.
        let stem = sample.file_name.trim_end_matches(".m2");
        let skin = samples.iter().find(|other| other.file_name == format!("{stem}00.skin"));
        if let (true, Some(skin)) = (has_extension(sample, "m2"), skin) {
            let length = u32::try_from(bytes.len()).expect("a small model").to_le_bytes();
            put(folder, "scene", &format!("{name}-skin"), &[bytes, skin.bytes.as_slice(), &length].concat());
        }
        // The target for glTF reads what the export writes.
        if let Ok(glb) = effigy::read(bytes, None).and_then(|model| model.convert(&"glb".parse()?)?.into_bytes()) {
            put(folder, "gltf", name, &glb);
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
    }
    put(folder, "player", "char", effigy_samples::mds::CHARACTER.as_bytes());
    put(folder, "player", "group", effigy_samples::mds::GROUP.as_bytes());
    put(folder, "player", "weapon", WEAPON.as_bytes());
    let files: [(&str, &[u8]); 2] = [("units/a.mdx", b"MDLXVERS"), ("readme.txt", b"some text, some text")];
    put(folder, "archive", "mpq", &common::mpq(&files, true));
    put(folder, "archive", "mpq-plain", &common::mpq(&files, false));
    put(folder, "archive", "zip", &common::zip(&files));
    put(folder, "archive", "shader", effigy_samples::mdc::SCRIPT.as_bytes());
}

//! Damaged files: whatever the bytes are, reading ends with a valid scene or an error, and never with a panic.

use crate::lower;
use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::validate;
use effigy_wire::Limits;
use std::path::Path;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 24, records: 1 << 14, diagnostics: 100, unpacked_bytes: 1 << 26 };

/// A small random generator, so that a run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % limit.max(1)
    }
}

/// Breaks a file: other digits and words in its JSON, other bytes anywhere, or a part of it missing.
fn damage(file: &mut Vec<u8>, random: &mut Random) {
    const WORDS: &[&[u8]] =
        &[b"-1", b"99999999999", b"1e39", b"null", b"[]", b"{}", b"\"x\"", b"0", b"5121", b"65535"];
    for _ in 0..=random.below(4) {
        let place = random.below(file.len());
        match random.below(5) {
            0 => file[place] = u8::try_from(random.below(256)).unwrap(),
            1 => file[place] ^= 1 << random.below(8),
            2 => {
                // The next number of the JSON becomes something else of the same length.
                if let Some(start) = file[place..].iter().position(u8::is_ascii_digit) {
                    let start = place + start;
                    let digits = file[start..].iter().take_while(|it| it.is_ascii_digit()).count();
                    let word = WORDS[random.below(WORDS.len())];
                    for at in 0..digits {
                        file[start + at] = word.get(at).copied().unwrap_or(b' ');
                    }
                }
            }
            3 => {
                if let Some(start) = file[place..].iter().position(u8::is_ascii_digit) {
                    file[place + start] = b'0' + u8::try_from(random.below(10)).unwrap();
                }
            }
            _ => {
                if random.below(20) == 0 {
                    file.truncate(place);
                }
            }
        }
        if file.is_empty() {
            return;
        }
    }
}

/// Reads a file as far as it goes; true when it became a scene.
fn reads(file: &[u8]) -> bool {
    let Ok(mut model) = Model::read_with(file, &LIMITS) else { return false };
    for name in model.companions() {
        model.attach(&name, file.to_vec());
    }
    let _ = (model.meshes(), model.primitives(), model.animations(), model.image_sizes(), model.counts());
    let Ok((scene, _)) = model.lower() else { return false };
    validate(scene).expect("an imported scene is valid");
    true
}

#[test]
fn damaged_files_never_panic() {
    let rounds: usize = std::env::var("EFFIGY_DAMAGED").ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for sample in effigy_samples::all() {
        let Some(Ok(lowered)) = lower::lower(&sample.bytes, Path::new(&sample.file_name)) else { continue };
        let scene = validate(lowered.scene).unwrap();
        let mut file = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
        file.report = effigy_wire::Report::default();
        seeds.push(file.into_glb().unwrap());
    }
    let others = effigy_testkit::GLTF_INPUTS.find().ok();
    let others =
        others.map(|it| effigy_testkit::files(&it, |name| name.ends_with(".glb") || name.ends_with(".gltf")));
    for path in others.unwrap_or_default() {
        seeds.extend(std::fs::read(path).ok().filter(|it| it.len() < 200_000));
    }
    let mut random = Random(7);
    let (mut scenes, mut all) = (0_usize, 0_usize);
    for seed in seeds.iter().filter(|it| it.len() < 400_000) {
        for _ in 0..rounds {
            let mut file = seed.clone();
            // Most damage belongs into the JSON, which is at the beginning.
            damage(&mut file, &mut random);
            all += 1;
            scenes += usize::from(reads(&file));
        }
    }
    eprintln!("{all} damaged files, {scenes} of them became scenes");
    assert!(all >= 1000 && scenes * 20 > all && scenes < all, "{scenes} of {all}");
}

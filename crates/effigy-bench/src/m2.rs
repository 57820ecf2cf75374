//! M2 compared with the crate `wow-m2`: everything is decoded, including skins, over the files that it can read.

use super::{Bench, Inputs, Line, best_of, copy_all, rate};
use effigy::m2;
use effigy_testkit::Shell;
use std::hint::black_box;
use std::io::Cursor;
use std::path::Path;

/// All benchmarks of M2.
pub struct M2;

/// The argument that makes this program read one file with the peer. The peer may abort, and then only that process ends.
pub const PEER_READS: &str = "bench-peer-reads-m2";

/// Reads the file with the peer. The exit code says whether it succeeded.
pub fn peer_reads(path: &str) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    if theirs(&bytes) { Ok(()) } else { Err("the peer does not read it".to_owned()) }
}

/// Reads the model with its embedded skins, which the peer supports for files up to 260.
fn theirs(bytes: &[u8]) -> bool {
    let Ok(file) = wow_m2::parse_m2(&mut Cursor::new(bytes)) else { return false };
    if bytes.get(4..6).is_some_and(|version| version <= [4, 1].as_slice()) {
        let _ = black_box(file.model().parse_all_embedded_skins(bytes));
    }
    black_box(&file);
    true
}

impl Bench for M2 {
    fn run(&self, shell: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        let this = std::env::current_exe().map_err(|error| error.to_string())?;
        let reads = |path: &Path| {
            let output = std::process::Command::new(&this).arg(PEER_READS).arg(path).output();
            output.is_ok_and(|output| output.status.success())
        };
        let files: Vec<&[u8]> = inputs
            .m2_corpus
            .iter()
            .filter(|(path, _)| reads(path))
            .map(|(_, bytes)| bytes.as_slice())
            .collect();
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let bytes = files.iter().map(|file| file.len()).sum();
        shell.say(&format!("M2: {} files of {bytes} bytes, of {}", files.len(), inputs.m2_corpus.len()));
        let models: Vec<m2::Model> = files.iter().filter_map(|file| m2::read(file).ok()).collect();
        let mut buffer = Vec::new();
        let times = best_of(&mut [
            &mut || files.iter().for_each(|file| drop(black_box(m2::read(file)))),
            &mut || files.iter().for_each(|file| assert!(black_box(theirs(file)))),
            &mut || models.iter().for_each(|model| drop(black_box(model.write()))),
            &mut || copy_all(&files, &mut buffer),
        ]);
        let line = |name: &str, ours, peer, limit| Line {
            name: name.to_owned(),
            ours: rate(bytes, ours),
            peer,
            peer_name: "wow-m2",
            limit: Some(rate(bytes, limit)),
            unit: "MB/s",
        };
        match times.as_slice() {
            [read, peer, write, limit] => Ok(vec![
                line("m2-read", *read, Some(rate(bytes, *peer)), *limit),
                line("m2-write", *write, None, *limit),
            ]),
            _ => Ok(Vec::new()),
        }
    }
}

//! MDC compared with assimp, if assimp and a C++ compiler are installed: we decode every frame, assimp only frame 0.

use super::{Bench, Inputs, Line, best_of};
use effigy::mdc;
use effigy_testkit::Shell;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;

/// All benchmarks of MDC.
pub struct Mdc;

impl Bench for Mdc {
    fn run(&self, shell: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        if inputs.mdc_corpus.is_empty() {
            return Ok(Vec::new());
        }
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        let mut vertices = 0;
        let times = best_of(&mut [&mut || {
            vertices = 0;
            for (_, bytes) in &inputs.mdc_corpus {
                let Ok(model) = mdc::read(bytes) else { continue };
                if model.decode_into(&mut positions, &mut normals).is_ok() {
                    vertices += positions.len();
                }
                black_box((&positions, &normals));
            }
        }]);
        let Some(time) = times.first() else { return Ok(Vec::new()) };
        let paths: Vec<PathBuf> = inputs.mdc_corpus.iter().map(|(path, _)| path.clone()).collect();
        let peer = assimp(shell, &paths);
        if let Err(error) = &peer {
            shell.say(&format!("MDC: no peer: {error}"));
        }
        Ok(vec![Line {
            name: "mdc-decode".to_owned(),
            ours: paths.len() as f64 / time.as_secs_f64(),
            peer: peer.ok().map(|seconds| paths.len() as f64 / seconds),
            peer_name: "assimp, frame 0 only",
            limit: None,
            unit: "files/s, all frames",
        }])
    }
}

/// The seconds that assimp needs for frame 0 of all files, best of several rounds.
fn assimp(shell: &Shell, paths: &[PathBuf]) -> Result<f64, String> {
    let program = std::env::temp_dir().join("effigy-bench-assimp");
    let source = shell.root().join("crates/effigy-bench/cpp/assimp_frame_0.cpp");
    let built = Command::new("c++").arg("-O2").arg(source).arg("-lassimp").arg("-o").arg(&program).output();
    match built {
        Ok(output) if output.status.success() => {}
        _ => return Err("install libassimp-dev and a C++ compiler to compare with assimp".to_owned()),
    }
    let output = Command::new(&program).args(paths).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| format!("assimp printed '{}'", text.trim()))
}

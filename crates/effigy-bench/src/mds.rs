//! MDS: reading next to a copy of the same bytes, and posing bones and vertices. No other program has these as a library.

use super::{Bench, Inputs, Line, best_of, copy_all, rate};
use effigy::mds;
use effigy_testkit::{SOLDIERS, Shell, files};
use mds::pose::{Mesh, Moment, Placed, Pose, Skeleton};
use std::hint::black_box;

/// All benchmarks of MDS.
pub struct Mds;

/// Vertices of the soldier that the rate of poses is given for.
const VERTICES: f64 = 2000.0;

impl Bench for Mds {
    fn run(&self, shell: &Shell, _: &Inputs) -> Result<Vec<Line>, String> {
        let folder = match SOLDIERS.find() {
            Ok(folder) => folder,
            Err(why) => {
                shell.say(&format!("SKIPPED: {why}"));
                return Ok(Vec::new());
            }
        };
        let paths = files(&folder, |name| name.ends_with(".mds"));
        let list: Vec<Vec<u8>> = paths.iter().filter_map(|path| std::fs::read(path).ok()).collect();
        let slices: Vec<&[u8]> = list.iter().map(Vec::as_slice).collect();
        let bytes = slices.iter().map(|file| file.len()).sum();
        let mut buffer = Vec::new();
        let times = best_of(&mut [
            &mut || slices.iter().for_each(|file| drop(black_box(mds::read(file)))),
            &mut || copy_all(&slices, &mut buffer),
        ]);
        let mut lines = Vec::new();
        if let [ours, copy] = times.as_slice() {
            lines.push(Line {
                name: "mds-read".to_owned(),
                ours: rate(bytes, *ours),
                peer: None,
                peer_name: "",
                limit: Some(rate(bytes, *copy)),
                unit: "MB/s",
            });
        }
        let model =
            slices.iter().filter_map(|file| mds::read(file).ok()).max_by_key(mds::Model::vertex_count);
        let Some(model) = model else { return Ok(lines) };
        let skeleton = Skeleton::new(&model).map_err(|error| error.to_string())?;
        let (mesh, mut pose, mut placed) = (Mesh::new(&model), Pose::default(), Placed::default());
        let frames = model.frames.len().min(400);
        let (mut only_bones, mut again) = (pose.clone(), pose.clone());
        let times = best_of(&mut [
            &mut || {
                for frame in 0..frames {
                    let _ = skeleton.pose_into(&Moment::still(&model, frame), &mut only_bones);
                    black_box(&only_bones);
                }
            },
            &mut || {
                let _ = skeleton.pose_into(&Moment::still(&model, 0), &mut again);
                pose.clone_from(&again);
                for _ in 0..frames {
                    for surface in 0..mesh.len() {
                        mesh.place_into(surface, black_box(&pose), &mut placed);
                        black_box(&placed);
                    }
                }
            },
        ]);
        if let [bones, vertices] = times.as_slice() {
            let share = VERTICES / model.vertex_count() as f64;
            let seconds = (bones.as_secs_f64() + vertices.as_secs_f64() * share) / frames as f64;
            lines.push(Line {
                name: "mds-pose".to_owned(),
                ours: 1.0 / seconds,
                peer: None,
                peer_name: "",
                limit: None,
                unit: "soldiers/s, bones and 2,000 vertices",
            });
        }
        Ok(lines)
    }
}

//! Compares exported files with the sampler: every vertex, at several times.

use super::evaluate::Document;
use effigy_gltf::{ExportOptions, NoTextures, export};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Mesh, Scene, Sequence, ValidScene, validate};

/// An exported model and what it was made of.
pub struct Exported {
    pub scene: ValidScene,
    pub glb: Vec<u8>,
    pub meshes: Vec<(Id<Mesh>, String)>,
    pub animations: Vec<(Id<Sequence>, String)>,
}

/// Validates and exports a scene.
pub fn exported(scene: Scene, options: &ExportOptions) -> effigy_wire::Result<Exported> {
    let scene = validate(scene)?;
    let mut file = export(&scene, options, &mut NoTextures)?;
    let (meshes, animations) = (std::mem::take(&mut file.mesh_nodes), std::mem::take(&mut file.animations));
    Ok(Exported { scene, glb: file.into_glb()?, meshes, animations })
}

/// The largest distance between a vertex of the file and the same vertex of the sampler, as a share of the model's size: at
/// rest, and at five times in up to four sequences. Also how many vertices were compared.
pub fn farthest(model: &Exported) -> Result<(f64, usize, String), String> {
    let document = Document::new(&model.glb);
    let sampler = Sampler::new(&model.scene);
    let mut pose = sampler.pose();
    let size = f64::from(model.scene.info().bounds.size());
    let size = if size > 0.0 { size } else { 1.0 };
    let mut moments: Vec<(Moment, Option<&str>)> = Vec::new();
    let first = model.animations.first().map(|(id, _)| *id);
    moments.push((Moment { sequence: first, time: 0.0, clock: 0.0 }, None));
    for (id, name) in model.animations.iter().step_by(model.animations.len().div_ceil(4).max(1)) {
        let length = f64::from(model.scene.sequences.get(*id).unwrap().length());
        for part in [0.0, 0.23, 0.51, 0.77, 1.0] {
            let time = (length * part).round();
            // Where a clock starts again at the very end, the animation ends with the motion before that.
            let clock = if part == 1.0 { (time - 1e-3).max(0.0) } else { time };
            moments.push((Moment { sequence: Some(*id), time, clock }, Some(name)));
        }
    }
    let (mut worst, mut count, mut place) = (0.0_f64, 0, String::new());
    for (moment, animation) in moments {
        sampler.sample(&moment, None, &mut pose);
        sampler.skin(&mut pose);
        let state = document.pose(animation, moment.time / 1000.0);
        for (mesh, node) in &model.meshes {
            let Some(posed) = pose.mesh(*mesh).filter(|posed| posed.visible) else { continue };
            let points = document.vertices(node, &state);
            if points.len() != posed.positions.len() {
                return Err(format!("{node}: {} vertices, not {}", points.len(), posed.positions.len()));
            }
            for ([x, y, z], want) in points.iter().zip(&posed.positions) {
                // Z of the file is the front (x of the game), X its left side (y), Y is up (z).
                let off = [z - f64::from(want[0]), x - f64::from(want[1]), y - f64::from(want[2])];
                let off = off.iter().map(|x| x * x).sum::<f64>().sqrt() / size;
                if !off.is_finite() {
                    return Err(format!("{node}: a position is not a number"));
                }
                if off > worst {
                    worst = off;
                    let length = moment
                        .sequence
                        .and_then(|id| model.scene.sequences.get(id))
                        .map_or(0, Sequence::length);
                    let animation = animation.unwrap_or("rest");
                    place = format!("{node} in {animation} at {} of {length} ms", moment.time);
                }
            }
            count += points.len();
        }
    }
    Ok((worst, count, place))
}

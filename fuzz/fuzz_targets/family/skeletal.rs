//! What the targets of MDS, MDM and MDX do with a file.

use effigy_mds::bind::Bind;
use effigy_mds::pose::{Formula, Mesh, Skeleton};
use effigy_mds::{join, read_with, split};
use effigy_wire::{Flat, Limits, Status};

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 18 };

/// Reads the bytes after the start of a file of this format, and does everything that can be done with the model.
pub fn everything(start: &[u8], bytes: &[u8]) {
    let bytes = [start, bytes.get(start.len()..).unwrap_or_default()].concat();
    let Ok(model) = read_with(&bytes, &LIMITS) else { return };
    let status = model.verify(&bytes).status;
    assert!(matches!(status, Status::Identical | Status::Guarded), "{status}");
    model.visit(&mut Flat::default());
    for surface in &model.surfaces {
        assert!(surface.collapsed(surface.drawn_vertices(0.5, false)).len() <= surface.triangles.len());
    }
    let mesh = Mesh::new(&model);
    if let Ok(skeleton) = Skeleton::new(&model) {
        for formula in [Formula::Wolfenstein, Formula::EnemyTerritory] {
            if let Ok(pose) = skeleton.clone().with_formula(formula).frame(&model, 0) {
                let _ = mesh.bounds(&pose);
                for tag in 0..model.tags.len() {
                    let _ = pose.tag(&model, tag);
                }
            }
        }
        if model.vertex_count() < 64 && model.bones.len() < 32 {
            let _ = Bind::recover(&model, &model, 0);
        }
    }
    if let Ok((mesh, bones, _)) = split(&model) {
        mesh.write().expect("a mesh can be written");
        bones.write().expect("bones can be written");
        if model.frames.len() < 64 {
            let _ = join(&mesh, &[&bones]);
        }
    }
    // Without its placement the same model is written in the usual order.
    let mut tidy = model.clone();
    tidy.forget_placement();
    if let Ok(bytes) = tidy.write() {
        let again = read_with(&bytes, &Limits::DEFAULT).expect("a written model can be read");
        assert_eq!(again.write().expect("and written"), bytes);
    }
}

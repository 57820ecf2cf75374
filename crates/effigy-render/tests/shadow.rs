//! The shadow on the ground: who has one, and what it does to the picture.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{Background, Image, Picture, Renderer, Viewpoint};
use effigy_scene::{Blend, Mesh, Scene, validate};

/// A table: a board from 10 to 12 on a thin leg, moved up by this much.
fn table(up: f32) -> Scene {
    let mut scene = Scene::default();
    let white = layer(&mut scene, "200,100,50,255", Blend::Opaque);
    for (half, low, high) in [(6.0, 10.0, 12.0), (1.0, 0.0, 10.0)] {
        let corner = |x: f32, y: f32, z: f32| [x * half, y * half, z + up];
        let mut mesh = Mesh::new("box");
        for z in [low, high] {
            mesh.positions.extend([
                corner(-1.0, -1.0, z),
                corner(1.0, -1.0, z),
                corner(1.0, 1.0, z),
                corner(-1.0, 1.0, z),
            ]);
        }
        mesh.normals = vec![[0.0, 0.0, 1.0]; 8];
        mesh.uvs = vec![vec![[0.5, 0.5]; 8]];
        mesh.indices = vec![
            0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0,
            4, 3, 4, 7,
        ];
        add(&mut scene, mesh, 0, vec![white.clone()]);
    }
    scene
}

fn taken(renderer: &Renderer, scene: &Scene, picture: &Picture) -> Image {
    let scene = validate(scene.clone()).unwrap();
    renderer.take(&scene, &mut Named, picture).unwrap().pictures.remove(0)
}

/// Pixels that are darker, and pixels that are different in another way, with the shadow.
fn changed(renderer: &Renderer, scene: &Scene, picture: &Picture) -> (usize, usize) {
    let with = taken(renderer, scene, &Picture { shadow: true, ..picture.clone() });
    let without = taken(renderer, scene, &Picture { shadow: false, ..picture.clone() });
    let (mut darker, mut other) = (0, 0);
    for (with, without) in with.pixels().as_chunks::<4>().0.iter().zip(without.pixels().as_chunks::<4>().0) {
        if with == without {
            continue;
        }
        if with.iter().zip(without).all(|(with, without)| with <= without) { darker += 1 } else { other += 1 }
    }
    (darker, other)
}

fn usual() -> Picture {
    Picture { size: [128, 128], background: Background::Color([200; 3]), ..Picture::default() }
}

#[test]
fn a_model_on_the_ground_darkens_it() {
    let Some(renderer) = renderer() else { return };
    let (darker, other) = changed(renderer, &table(0.0), &usual());
    assert!(darker > 200 && darker < 128 * 128 / 2, "{darker}");
    assert_eq!(other, 0);
    // The model itself has the same pixels.
    let picture = taken(renderer, &table(0.0), &usual());
    let own =
        picture.pixels().as_chunks::<4>().0.iter().filter(|pixel| **pixel == [200, 100, 50, 255]).count();
    assert!(own > 1000, "{own}");
    // The default is to have one.
    assert!(Picture::default().shadow);
}

#[test]
fn what_flies_or_is_seen_in_another_way_has_no_shadow() {
    let Some(renderer) = renderer() else { return };
    assert_eq!(changed(renderer, &table(8.0), &usual()), (0, 0));
    let below = effigy_render::Camera::look_at([30.0, 0.0, -10.0], [0.0, 0.0, 6.0], 0.8);
    for picture in [
        Picture { background: Background::Transparent, ..usual() },
        Picture { camera: Viewpoint::Fixed(below), ..usual() },
    ] {
        assert_eq!(changed(renderer, &table(0.0), &picture), (0, 0), "{picture:?}");
    }
    // A board that lies on the ground is seen from above.
    let mut flat = Scene::default();
    let white = layer(&mut flat, "200,100,50,255", Blend::Opaque);
    let mut mesh = square(0.0, 5.0);
    mesh.positions = mesh.positions.iter().map(|[_, y, z]| [*y, *z, 0.0]).collect();
    add(&mut flat, mesh, 0, vec![white]);
    assert_eq!(changed(renderer, &flat, &usual()), (0, 0));
}

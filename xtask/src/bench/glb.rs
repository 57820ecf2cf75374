//! From a model to glTF, as the benchmarks of speed and of memory do it.

use effigy::gltf::{ExportOptions, NoTextures, export};
use effigy::scene_graph::validate;

/// From the bytes of a model to those of a .glb, without textures, written to nowhere.
pub fn to_glb(bytes: &[u8]) -> effigy::Result<()> {
    let lowered = effigy_convert::mdx::lower(&effigy::mdx::read(bytes)?);
    let scene = validate(lowered.scene)?;
    let options = ExportOptions { textures: false, ..ExportOptions::default() };
    let file = export(&scene, &options, &mut NoTextures)?;
    drop(scene);
    file.write_glb(&mut std::io::sink())
}

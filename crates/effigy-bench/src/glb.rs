//! Converting a model to glTF, for the benchmarks of speed and of memory.

use effigy::gltf::{ExportOptions, NoTextures, export};
use effigy::scene::validate;

/// Converts the bytes of a model to .glb without textures and discards the result.
pub fn to_glb(bytes: &[u8]) -> effigy::Result<()> {
    let lowered = effigy_convert::mdx::lower(&effigy::mdx::read(bytes)?);
    let scene = validate(lowered.scene)?;
    let options = ExportOptions { textures: false, ..ExportOptions::default() };
    let file = export(&scene, &options, &mut NoTextures)?;
    drop(scene);
    file.write_glb(&mut std::io::sink())
}

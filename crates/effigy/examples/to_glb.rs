//! A model as glTF, with its textures: `cargo run --example to_glb -- footman.mdx footman.glb`.
#![allow(clippy::print_stdout, reason = "an example prints")]

fn main() -> Result<(), effigy::Error> {
    let mut words = std::env::args().skip(1);
    let input = words.next().unwrap_or_else(|| "footman.mdx".to_owned());
    let output = words.next().unwrap_or_else(|| "footman.glb".to_owned());
    let report = effigy::open(&input)?.convert(&"glb".parse()?)?.save(&output)?;
    print!("{report}");
    Ok(())
}

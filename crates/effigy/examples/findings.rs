//! What is wrong with a model: `cargo run --example findings -- footman.mdx`.
#![allow(clippy::print_stdout, reason = "an example prints")]

fn main() -> Result<(), effigy::Error> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "footman.mdx".to_owned());
    for finding in &effigy::open(&path)?.check(&Default::default()).findings {
        println!("{finding}");
    }
    Ok(())
}

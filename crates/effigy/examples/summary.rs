//! What is in a model: `cargo run --example summary -- footman.mdx`.
#![allow(clippy::print_stdout, reason = "an example prints")]

fn main() -> Result<(), effigy::Error> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "footman.mdx".to_owned());
    let model = effigy::open(&path)?;
    let summary = model.summary();
    println!("{path}: {} {} \"{}\"", model.format().title(), model.version(), model.name());
    println!("{} vertices, {} triangles", summary.vertices(), summary.triangles());
    for sequence in &summary.sequences {
        println!("  {} {:.2} s", sequence.name, sequence.seconds);
    }
    Ok(())
}

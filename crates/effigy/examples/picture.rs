//! A picture of a model: `cargo run --features render --example picture -- footman.mdx footman.png`.
#![allow(clippy::print_stdout, reason = "an example prints")]

fn main() -> Result<(), effigy::Error> {
    let mut words = std::env::args().skip(1);
    let input = words.next().unwrap_or_else(|| "footman.mdx".to_owned());
    let output = words.next().unwrap_or_else(|| "footman.png".to_owned());
    effigy::open(&input)?.render(&effigy::Picture::default())?.save(&output)
}

//! Renames the first sequence of a Warcraft III model: `cargo run --example rename_sequence -- in.mdx Walk out.mdx`.
#![allow(clippy::print_stdout, reason = "an example prints")]

fn main() -> Result<(), effigy::Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [input, name, output] = words.as_slice() else {
        return Err(effigy::Error::new(effigy::Kind::Usage, "three words are needed: in.mdx NAME out.mdx"));
    };
    let mut model = effigy::open(input)?;
    if let effigy::Model::Mdx(mdx) = &mut model
        && let Some(sequence) = mdx.sequences.first_mut()
    {
        sequence.name.set(name)?;
    }
    model.save(output)?; // everything else is the same, byte for byte
    Ok(())
}

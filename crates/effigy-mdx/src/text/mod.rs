//! MDL: the text twin of MDX, that modellers read, compare and edit by hand.
//!
//! ```
//! use effigy_mdx::text::{PrintOptions, parse, print};
//!
//! let model = parse(b"Version { FormatVersion 800, } Model \"Box\" { BlendTime 150, }")?;
//! assert_eq!(model.name(), "Box");
//! let (text, _) = print(&model, &PrintOptions::default());
//! assert!(text.starts_with(b"Version {\n\tFormatVersion 800,\n}\n"));
//! # Ok::<(), effigy_wire::Error>(())
//! ```
//!
//! [`parse`] reads every dialect that tools write (see [`Spelling`]) and goes on after an error; what it met is in
//! [`Model::diagnostics`] with line and column. [`print()`] writes one of them. What MDL cannot hold goes into comments
//! that begin with `//effigy` and stand before the block that they belong to: other tools skip them, and
//! `parse` puts their content back, so that MDX comes back byte for byte.
//!
//! The rooms: `lexer` and `number` see the text; `words` and `tables` say which word means which field, for parser and
//! printer at once; `parse` and `print` do the rest, file for file alike; `keep` is what both share about the comments.

mod keep;
mod lexer;
mod number;
mod parse;
mod print;
mod tables;
mod words;

use crate::model::Model;
use effigy_wire::{Limits, Report, Result};
use lexer::{Lexer, Token};

/// Which tool's spelling is printed where they differ. All are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Spelling {
    /// The game's own: `static TextureID 3 <= 1`, `SkinWeights 8 {` with bare rows.
    #[default]
    Warcraft3,
    /// HiveWE's: as the game's, with `SkinWeights {` without a count.
    Hive,
    /// Retera's Model Studio's: `static NormalTextureID 3`, `ShaderTypeId 1`, `SkinWeights 8 { { ... }, }`,
    /// `LevelOfDetailName`.
    Retera,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PrintOptions {
    /// Whose spelling.
    pub dialect: Spelling,
    /// No comments: what MDL cannot hold is left out, and the report says so.
    pub plain: bool,
}

/// Whether the bytes look like MDL text: a block that MDL knows comes first.
#[must_use]
pub fn sniff(bytes: &[u8]) -> bool {
    let mut lexer = Lexer::new(bytes);
    matches!(lexer.next(), Token::Word(word) if parse::is_block(word))
        && matches!(lexer.next(), Token::Open | Token::Number | Token::Text(_))
}

/// Parses MDL text of any dialect.
///
/// Errors in the text do not stop it: it goes on behind the broken part, up to twenty errors. They are in the
/// model's diagnostics with code, line and column; see [`crate::codes`].
///
/// # Errors
/// When the bytes are no MDL at all.
pub fn parse(bytes: &[u8]) -> Result<Model> {
    parse_with(bytes, &Limits::DEFAULT)
}

/// Parses within limits.
///
/// # Errors
/// As [`parse`], and when the text is longer than the limit.
pub fn parse_with(bytes: &[u8], limits: &Limits) -> Result<Model> {
    parse::parse(bytes, limits)
}

/// Prints a model as MDL text, and tells what was kept aside in comments, or left out.
///
/// The text is bytes: names are in the encoding of the model, whatever that was.
#[must_use]
pub fn print(model: &Model, options: &PrintOptions) -> (Vec<u8>, Report) {
    print::print(model, options)
}

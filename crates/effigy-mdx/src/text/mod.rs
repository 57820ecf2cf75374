//! MDL, the text form of MDX, which modellers read, compare and edit by hand.
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
//! [`parse`] reads every dialect that tools write (see [`Spelling`]) and continues after an error; all problems are in
//! [`Model::diagnostics`] with line and column. [`print()`] writes one of them. What MDL cannot represent is written into
//! comments that begin with `//effigy`, before the block that they belong to: other tools skip them, and `parse` restores
//! their content, so that an MDX that was printed and parsed again has the same bytes.
//!
//! The modules: `lexer` and `number` read characters; `words`, `tables` and `track_words` define which word belongs to which field, for both
//! parser and printer; `parse` and `print` have corresponding files; `keep` has what both share about the comments.

mod keep;
mod lexer;
mod number;
mod parse;
mod print;
mod tables;
mod track_words;
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
    /// HiveWE's: like the game's, but `SkinWeights {` has no count.
    Hive,
    /// Retera's Model Studio's: `static NormalTextureID 3`, `ShaderTypeId 1`, `SkinWeights 8 { { ... }, }`,
    /// `LevelOfDetailName`.
    Retera,
}

/// Options of printing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PrintOptions {
    /// The spelling.
    pub dialect: Spelling,
    /// No comments: what MDL cannot represent is left out, and listed in the report.
    pub plain: bool,
}

/// Whether the bytes look like MDL text, that is, begin with a block of MDL.
#[must_use]
pub fn sniff(bytes: &[u8]) -> bool {
    let mut lexer = Lexer::new(bytes);
    matches!(lexer.next(), Token::Word(word) if parse::is_block(word))
        && matches!(lexer.next(), Token::Open | Token::Number | Token::Text(_))
}

/// Parses MDL text of any dialect.
///
/// Errors in the text do not stop it: it continues after the broken part, up to twenty errors. They are in the
/// model's diagnostics with code, line and column (see [`crate::codes`]), so that a program that needs the model and the
/// locations of problems parses once.
///
/// # Errors
/// When the bytes are not MDL at all.
pub fn parse(bytes: &[u8]) -> Result<Model> {
    parse_with(bytes, &Limits::DEFAULT)
}

/// Parses within limits.
///
/// # Errors
/// The same as for [`parse`], and when the text is longer than the limit.
pub fn parse_with(bytes: &[u8], limits: &Limits) -> Result<Model> {
    parse::parse(bytes, limits)
}

/// Prints a model as MDL text. The report lists what was written into comments, or left out.
///
/// The text is returned as bytes: names are in the encoding of the model, which is not known.
#[must_use]
pub fn print(model: &Model, options: &PrintOptions) -> (Vec<u8>, Report) {
    print::print(&model.settled(), options)
}

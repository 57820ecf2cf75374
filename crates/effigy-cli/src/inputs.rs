//! What the user's words stand for, and reading it.

use crate::args::{Inputs, Reading};
use crate::problems::{self, Problem};
use crate::session::Session;
use crate::text::count;
use effigy::assets::FileRef;
use effigy::{
    Error, Finder, Format, HEAD, Input, Kind, Model, OpenOptions, Result, Shard, Wanted, find, image, sniff,
};
use std::path::{Path, PathBuf};

/// The inputs that the user's words stand for, in that order. Reports how many files were skipped.
pub fn expand(session: &mut Session, inputs: &Inputs, wanted: Wanted) -> Vec<Input> {
    let mut finder = look(session, inputs, wanted, None);
    finder.separate();
    finder.inputs
}

/// Like [`expand`], for one part of the inputs, and without places below an output folder.
pub fn expand_part(
    session: &mut Session,
    inputs: &Inputs,
    wanted: Wanted,
    shard: Option<Shard>,
) -> Vec<Input> {
    look(session, inputs, wanted, shard).inputs
}

fn look(session: &mut Session, inputs: &Inputs, wanted: Wanted, shard: Option<Shard>) -> Finder {
    let mut finder = Finder::new(inputs.reading.limits());
    (finder.flat, finder.format, finder.wanted) = (inputs.no_recursive, inputs.reading.from, wanted);
    finder.shard = shard;
    for path in &inputs.paths {
        match is_stdin(path) {
            true => finder.inputs.push(stdin()),
            false => finder.add(path),
        }
    }
    for name in &finder.empty {
        session.out.say(format_args!("{name}: there is no {} in it", wanted.word()));
    }
    if session.common.verbose {
        for (name, error) in &finder.skipped {
            session.out.say(format_args!("skipped {name}: {error}"));
        }
        for note in &finder.notes {
            session.out.say(format_args!("{note}"));
        }
    } else if !finder.skipped.is_empty() {
        let files = count(u64::try_from(finder.skipped.len()).unwrap_or(u64::MAX), "file");
        session.out.say(format_args!(
            "skipped {files} named like a {} but of another kind (--verbose names them)",
            wanted.word()
        ));
    }
    finder
}

/// The one input that a word stands for.
pub fn single(path: &Path, reading: &Reading) -> Input {
    if is_stdin(path) { stdin() } else { Finder::single(path, reading.limits()) }
}

/// Whether any of the words names a folder, an archive or a pattern, so that any number of files may come of it.
pub fn several(paths: &[PathBuf]) -> bool {
    paths.iter().any(|path| find::is_collection(path))
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn stdin() -> Input {
    let file = FileRef::stream("-", std::io::stdin());
    Input { name: "-".to_owned(), relative: PathBuf::from("stdin"), file: Ok(file) }
}

/// A model with the bytes that it came from.
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Loaded {
    /// What is broken in it.
    pub fn problems(&self) -> Vec<Problem> {
        problems::of(&self.model, &self.bytes)
    }

    /// How large the file is.
    pub fn length(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }
}

/// Reads an input into a model, with the files that belong to it.
pub fn load(input: &Input, options: &OpenOptions) -> Result<Loaded> {
    let file = input.file.as_ref().map_err(Error::clone)?;
    effigy::open_keeping_bytes(file, options).map(|(model, bytes)| Loaded { model, bytes })
}

/// The format and the bytes of a model, without the files that belong to it.
pub fn read_model(input: &Input, options: &OpenOptions) -> Result<(Format, Vec<u8>)> {
    let file = input.file.as_ref().map_err(Error::clone)?;
    file.read_if(&options.limits, HEAD, |head| match options.format {
        Some(format) => Ok(format),
        None => sniff(head, Some(&file.extension())),
    })
}

/// A model or a texture.
pub enum Content {
    Model(Box<Loaded>),
    Texture(Vec<u8>),
}

/// Reads an input that may be a model or a texture.
pub fn load_any(input: &Input, options: &OpenOptions) -> Result<Content> {
    let file = input.file.as_ref().map_err(Error::clone)?;
    if effigy::is_assembly(file) {
        return load(input, options).map(|loaded| Content::Model(Box::new(loaded)));
    }
    let (limits, extension) = (&options.limits, file.extension());
    let is_model = |head: &[u8]| match sniff(head, Some(&extension)) {
        _ if options.format.is_some() => Ok(true),
        Ok(_) => Ok(true),
        Err(_) if find::is_texture(head, &extension) => Ok(false),
        Err(error) => Err(error),
    };
    // A stream can be read only once, so the bytes are kept for the second look.
    let (is_model, bytes) = file.read_if(limits, HEAD, is_model)?;
    if !is_model {
        return Ok(Content::Texture(bytes));
    }
    let model = effigy::open_bytes(file, &bytes, options)?;
    Ok(Content::Model(Box::new(Loaded { model, bytes })))
}

/// All bytes of a texture.
pub fn read_texture(input: &Input, options: &OpenOptions) -> Result<Vec<u8>> {
    let file = input.file.as_ref().map_err(Error::clone)?;
    let known = |head: &[u8]| match image::sniff(head) {
        Some(_) => Ok(()),
        None if head.is_empty() => Err(Error::new(Kind::Malformed, "the file is empty")),
        None => match sniff(head, None) {
            Ok(format) => Err(Error::unsupported(format!(
                "this is a model ({}) and not a texture; --to takes a model format for it",
                Format::title(format)
            ))),
            Err(_) => Err(image::not_a_texture()),
        },
    };
    file.read_if(&options.limits, HEAD, known).map(|((), bytes)| bytes)
}

/// Decodes a texture, with the mip levels that a BLP0 keeps in files next to it.
pub fn decode_texture(input: &Input, bytes: &[u8], options: &OpenOptions) -> Result<image::Image> {
    let mut level = |extension: &str| {
        let file = input.file.as_ref().ok()?;
        let name = effigy::assets::name::with_extension(&file.file_name(), extension);
        file.beside(&name, &options.limits)
    };
    image::read_beside(bytes, &options.limits, &mut level)
}

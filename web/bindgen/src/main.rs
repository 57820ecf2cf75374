//! Makes JavaScript and TypeScript declarations from a module that was compiled with wasm-bindgen.
//!
//!     effigy-web-bindgen MODULE.wasm FOLDER NAME
//!
//! The library inside is pinned to the project's version of wasm-bindgen. The program of the same name would have to be
//! installed in exactly that version, with many more dependencies.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = words.as_slice() else {
        eprintln!("usage: effigy-web-bindgen MODULE.wasm FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}

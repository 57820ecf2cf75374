//! Converts models into other games and reads the results with other programs' libraries.
//!
//! ```text
//! raise_models OUT TARGET[,TARGET...] PATH...
//! raise_models --wow-m2 FILE
//! raise_models --wow-skin FILE
//! ```
//!
//! Every model below the paths is converted to each target twice, which must give the same bytes, and is written to
//! `OUT/TARGET/NUMBER-NAME.EXTENSION` with its companions but without textures. `effigy check` must find nothing severe in it, and the crate
//! `wc3` must read it if it is MDX. A line of JSON per result says where it is, what it was made from, and what is wrong
//! with it. The other forms read one M2 or one of its skins with the crate `wow-m2`, in a process
//! of its own because that crate may end it.

#![allow(clippy::print_stdout, reason = "a command")]

use effigy::{CheckOptions, ConvertOptions, Files, Model, Severity, Target};
use serde_json::json;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Extensions of models that can be raised.
const MODELS: [&str; 8] = ["mdx", "mdl", "m2", "mdc", "md3", "glb", "gltf", "mds"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if words.first().is_some_and(|word| word.starts_with("--wow")) {
        // The crate may panic; the exit code says so.
        std::panic::set_hook(Box::new(|_| {}));
    }
    let result =
        match words.as_slice() {
            ["--wow-m2", file] => wow_m2(Path::new(file)),
            ["--wow-skin", file] => wow_skin(Path::new(file)),
            [out, targets, paths @ ..] if !paths.is_empty() => raise(Path::new(out), targets, paths),
            _ => Err("usage: raise_models OUT TARGET[,TARGET...] PATH... | --wow-m2 FILE | --wow-skin FILE"
                .to_owned()),
        };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn raise(out: &Path, targets: &str, paths: &[&str]) -> Result<(), String> {
    let targets: Vec<(String, Target)> = targets
        .split(',')
        .map(|text| Ok((text.replace(':', "-"), text.parse::<Target>()?)))
        .collect::<effigy::Result<_>>()
        .map_err(|error| error.to_string())?;
    let is_model = |name: &str| {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| MODELS.contains(&extension.as_str()))
    };
    let mut inputs: Vec<PathBuf> = Vec::new();
    for path in paths.iter().map(Path::new) {
        if path.is_dir() {
            inputs.extend(effigy_testkit::files(path, is_model));
        } else {
            inputs.push(path.to_owned());
        }
    }
    for (number, path) in inputs.iter().enumerate() {
        // Broken files and models without their skins are the business of other tests.
        let Ok(model) = effigy::open(path) else { continue };
        let drawn =
            model.lower().is_ok_and(|it| it.scene.meshes.iter().any(|(_, mesh)| !mesh.indices.is_empty()));
        for (folder, target) in &targets {
            let stem: String = path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default()
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect();
            let file = out.join(folder).join(format!("{number:03}-{stem}.{}", target.format.extension()));
            let (written, wrong) = match one(&model, target, &stem, &file) {
                Ok(None) => continue,
                Ok(Some(wrong)) => (Some(file.display().to_string()), wrong),
                Err(error) => (None, vec![error]),
            };
            let source = path.display().to_string();
            let line = json!({
                "source": source, "target": folder, "drawn": drawn, "file": written, "wrong": wrong,
            });
            println!("{line}");
        }
    }
    Ok(())
}

/// Converts and writes a model, and returns what is wrong with the result. None: there is no way to the target, or it says itself that
/// it cannot hold the model.
fn one(model: &Model, target: &Target, stem: &str, file: &Path) -> Result<Option<Vec<String>>, String> {
    let options = ConvertOptions { no_textures: true, ..ConvertOptions::default() };
    let files = || -> effigy::Result<Files> { model.convert_with(target, &options)?.into_files(stem) };
    let first = match files() {
        Ok(files) => files,
        Err(error)
            if matches!(
                error.kind(),
                effigy::Kind::Unsupported | effigy::Kind::Unrepresentable | effigy::Kind::Usage
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(format!("it was not converted: {error}")),
    };
    let second = files().map_err(|error| error.to_string())?;
    let mut wrong = Vec::new();
    if first.main != second.main || first.companions != second.companions {
        wrong.push("a second conversion gives other bytes".to_owned());
    }
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    std::fs::write(file, &first.main).map_err(|error| error.to_string())?;
    let begin = file.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    for (name, bytes) in &first.companions {
        let name = name.strip_prefix(stem).map_or_else(|| name.clone(), |rest| format!("{begin}{rest}"));
        std::fs::write(folder.join(name), bytes).map_err(|error| error.to_string())?;
    }
    let result = effigy::open(file).map_err(|error| format!("we do not open it ourselves: {error}"))?;
    let found = result.check(&CheckOptions::default());
    let severe = found.findings.iter().filter(|finding| finding.severity >= Severity::Severe);
    wrong.extend(severe.map(ToString::to_string));
    if target.format == effigy::Format::Mdx
        && let Err(error) = wc3::model::DynamicModel::decode_mdx(&first.main, 0)
    {
        wrong.push(format!("wc3: {error}"));
    }
    Ok(Some(wrong))
}

/// Reads a model, with the skins in it before 264.
fn wow_m2(path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let file = wow_m2::parse_m2(&mut Cursor::new(&bytes)).map_err(|error| error.to_string())?;
    let model = file.model();
    let skins = if bytes.get(4..6).is_some_and(|version| version < [8, 1].as_slice()) {
        model.parse_all_embedded_skins(&bytes).map_err(|error| format!("skins: {error}"))?.len()
    } else {
        0
    };
    println!(
        "{}",
        json!({
            "vertices": model.vertices.len(), "bones": model.bones.len(), "sequences": model.animations.len(),
            "textures": model.textures.len(), "skins": skins,
        })
    );
    Ok(())
}

/// Reads a `.skin` file.
fn wow_skin(path: &Path) -> Result<(), String> {
    // `load_skin` guesses whether the first number is a version, which these files do not have.
    let skin = wow_m2::OldSkin::load(path).map_err(|error| error.to_string())?;
    let (vertices, triangles) = (skin.indices.len(), &skin.triangles);
    let last = triangles.iter().max().map_or(0, |corner| usize::from(*corner));
    if last >= vertices.max(1) {
        return Err(format!("triangle corner {last} of {vertices} vertices"));
    }
    println!("{}", json!({ "vertices": vertices, "corners": triangles.len() }));
    Ok(())
}

//! Draws models before and after they were converted into Warcraft III, from the same camera at the same moments, and says how
//! far the pictures are apart.
//!
//! ```text
//! raise_pictures EFFIGY OUT TARGET PATH...
//! ```
//!
//! EFFIGY is the command that converts and draws. Each model is drawn at the start of its Stand and within two other sequences. Pictures are
//! in `OUT/NUMBER-NAME/`, contact sheets in `OUT/sheet-N.png` (rows as in the table, each moment before and after), and the table
//! goes to standard output: the mean difference of a colour value, of 255. A model that cannot be drawn is an error.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use effigy::RaiseOptions;
use effigy::image::{Encoding, Image};
use effigy::scene::{Sequence, validate};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Width and height of a picture.
const SIZE: u32 = 192;
/// Rows of a contact sheet.
const ROWS: usize = 12;
/// Moments of each model.
const MOMENTS: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [program, out, target, paths @ ..] = words.as_slice() else {
        eprintln!("usage: raise_pictures EFFIGY OUT TARGET PATH...");
        return ExitCode::from(2);
    };
    println!("| model | Stand | second | third | sequences |\n|---|---|---|---|---|");
    let (mut sheets, mut failed) = (Vec::new(), 0_usize);
    for (number, path) in paths.iter().enumerate() {
        let name =
            Path::new(path).file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = format!("{out}/{number:02}-{}", name.replace(' ', "_"));
        match pictures(program, &folder, target, path) {
            Ok(Some(drawn)) => {
                let cells: Vec<String> = drawn.iter().map(|it| format!("{:.2}", it.difference)).collect();
                let names: Vec<&str> = drawn.iter().map(|it| it.sequence.as_str()).collect();
                println!("| {name} | {} | {} |", cells.join(" | "), names.join(", "));
                sheets.push(drawn);
            }
            Ok(None) => {}
            Err(error) => {
                failed += 1;
                println!("| {name} | {error} |");
            }
        }
    }
    for (number, rows) in (1..).zip(sheets.chunks(ROWS)) {
        let written = sheet(rows).and_then(|bytes| {
            std::fs::write(format!("{out}/sheet-{number}.png"), bytes).map_err(|error| error.to_string())
        });
        if let Err(error) = written {
            eprintln!("{error}");
            failed += 1;
        }
    }
    if failed == 0 && !sheets.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A moment before and after.
struct Drawn {
    sequence: String,
    pictures: [Image; 2],
    difference: f64,
}

/// Old and new name of a sequence, and its length in seconds.
type Pair = (String, String, f64);

/// Sequences of the model that the converted one has too, and units there per unit here. None: it has no meshes.
fn sequences(path: &str, target: &str) -> Result<Option<(Vec<Pair>, f32)>, String> {
    let text = |error: effigy::Error| error.to_string();
    let model = effigy::open(path).map_err(text)?;
    let scene = validate(model.lower().map_err(text)?.scene).map_err(text)?;
    if scene.meshes.iter().all(|(_, mesh)| mesh.indices.is_empty()) {
        return Ok(None);
    }
    let version = target.rsplit_once(':').and_then(|(_, number)| number.parse().ok()).unwrap_or(800);
    let options = RaiseOptions { version, ..RaiseOptions::default() };
    let raised = effigy_convert::raise::mdx(&scene, &options).map_err(text)?;
    let by = match path.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).as_deref() {
        Some("m2") => 56.0,
        Some("glb" | "gltf") => 60.0,
        _ => 1.0,
    };
    let pair = |((_, sequence), (old, new)): ((_, &Sequence), (String, Option<String>))| {
        Some((old, new?, f64::from(sequence.length()) / 1000.0))
    };
    Ok(Some((scene.sequences.iter().zip(raised.sequences).filter_map(pair).collect(), by)))
}

/// The start of the Stand, and moments of two others: of moving and fighting, if there are such.
fn moments(pairs: &[Pair]) -> Vec<(Option<Pair>, f64)> {
    let named = |name: &str| pairs.iter().find(|pair| pair.1 == name);
    let stand = named("Stand").or_else(|| pairs.first());
    let others: Vec<&Pair> = pairs.iter().filter(|pair| Some(*pair) != stand).collect();
    let second = named("Walk").or_else(|| others.first().copied()).or(stand);
    let third = named("Attack").or_else(|| others.last().copied()).or(stand);
    let at = |pair: Option<&Pair>, part: f64| {
        (pair.cloned(), pair.map_or(0.0, |(.., length)| (length * part * 100.0).floor() / 100.0))
    };
    vec![at(stand, 0.0), at(second, 0.4), at(third, 0.65)]
}

fn pictures(program: &str, folder: &str, target: &str, path: &str) -> Result<Option<Vec<Drawn>>, String> {
    let Some((pairs, by)) = sequences(path, target)? else { return Ok(None) };
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let result = format!("{folder}/result.mdx");
    run(program, &["convert", path, "--to", target, "-o", &result, "--force", "--quiet"])?;
    let mut drawn = Vec::new();
    for (number, (pair, time)) in moments(&pairs).into_iter().enumerate() {
        let (old, new) = pair.map_or((None, None), |(old, new, _)| (Some(old), Some(new)));
        let files = ["before", "after"].map(|name| format!("{folder}/{number}-{name}.png"));
        // The camera that the program chooses for the first picture is that of both.
        let camera = camera(&draw(program, path, &files[0], old.as_deref(), time, None)?)?;
        draw(program, path, &files[0], old.as_deref(), time, Some(&camera.text(1.0)))?;
        draw(program, &result, &files[1], new.as_deref(), time, Some(&camera.text(by)))?;
        let read = |file: &String| -> Result<Image, String> {
            let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
            effigy::image::read(&bytes).map_err(|error| error.to_string())
        };
        let pictures = [read(&files[0])?, read(&files[1])?];
        let difference = difference(pictures[0].pixels(), pictures[1].pixels());
        drawn.push(Drawn { sequence: new.unwrap_or_default(), pictures, difference });
    }
    Ok(Some(drawn))
}

fn run(program: &str, words: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(words).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().replace('\n', " "))
    }
}

/// Draws a picture and returns what the program says about it.
fn draw(
    program: &str,
    path: &str,
    file: &str,
    sequence: Option<&str>,
    time: f64,
    camera: Option<&str>,
) -> Result<Value, String> {
    let (size, time) = (SIZE.to_string(), time.to_string());
    let mut words = vec![
        "render",
        path,
        "-o",
        file,
        "--size",
        &size,
        "--time",
        &time,
        "--json",
        "--force",
        "--no-shadow",
    ];
    words.extend(["--background", "#404040"]);
    words.extend(sequence.into_iter().flat_map(|name| ["--anim", name]));
    // In one word, since coordinates may begin with a minus.
    let camera = camera.map(|camera| format!("--camera={camera}"));
    words.extend(camera.as_deref());
    let text = run(program, &words)?;
    serde_json::from_str(text.lines().next().unwrap_or_default()).map_err(|error| error.to_string())
}

struct Camera {
    eye: Vec<f64>,
    target: Vec<f64>,
}

impl Camera {
    fn text(&self, by: f32) -> String {
        let point = |list: &[f64]| {
            let parts: Vec<String> =
                list.iter().map(|value| format!("{:.6}", value * f64::from(by))).collect();
            parts.join(",")
        };
        format!("{}:{}", point(&self.eye), point(&self.target))
    }
}

fn camera(drawn: &Value) -> Result<Camera, String> {
    let camera = drawn.get("camera").ok_or("the program names no camera")?;
    let numbers = |name: &str| -> Vec<f64> {
        let list = camera.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let number = |name: &str| camera.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let (eye, forward) = (numbers("eye"), numbers("forward"));
    // The target is in the middle of what is seen.
    let far = f64::midpoint(number("near"), number("far"));
    let target = eye.iter().zip(&forward).map(|(eye, forward)| eye + forward * far).collect();
    Ok(Camera { eye, target })
}

/// The mean difference of a colour value.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let off: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    // Alpha is the same everywhere.
    #[allow(clippy::cast_precision_loss, reason = "a mean")]
    let mean = off as f64 / (a.len().max(4) / 4 * 3) as f64;
    mean
}

fn sheet(rows: &[Vec<Drawn>]) -> Result<Vec<u8>, String> {
    let side = SIZE as usize;
    let width = MOMENTS * 2 * side;
    let mut pixels = vec![0_u8; width * rows.len() * side * 4];
    for (y, row) in rows.iter().enumerate() {
        let cells = row.iter().flat_map(|drawn| &drawn.pictures);
        for (x, picture) in cells.enumerate() {
            for (line, bytes) in picture.pixels().chunks_exact(side * 4).enumerate().take(side) {
                let start = ((y * side + line) * width + x * side) * 4;
                if let Some(into) = pixels.get_mut(start..start + side * 4) {
                    into.copy_from_slice(bytes);
                }
            }
        }
    }
    let text = |error: effigy::Error| error.to_string();
    let length = |pixels: usize| u32::try_from(pixels).map_err(|error| error.to_string());
    let image = Image::new(length(width)?, length(rows.len() * side)?, pixels).map_err(text)?;
    Ok(effigy::image::write(&image, Encoding::PNG).map_err(text)?.0)
}

//! From the bytes of a model file to a scene.

use effigy_convert::Lowered;
use std::path::{Path, PathBuf};

/// The scene of a model in any format; none for other files.
pub fn lower(bytes: &[u8], path: &Path) -> Option<effigy_wire::Result<Lowered>> {
    if effigy_mdx::sniff(bytes) {
        return Some(effigy_mdx::read(bytes).map(|model| effigy_convert::mdx::lower(&model)));
    }
    // Files of the corpus that differ from a namesake have a hash after the extension.
    if path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains(".mdl")) {
        return Some(effigy_mdx::text::parse(bytes).map(|model| effigy_convert::mdx::lower(&model)));
    }
    if effigy_mdc::sniff(bytes) {
        let options = effigy_convert::mdc::FrameTiming::default();
        return Some(effigy_mdc::read(bytes).and_then(|model| effigy_convert::mdc::lower(&model, &options)));
    }
    if effigy_m2::sniff(bytes) {
        return Some(effigy_m2::read(bytes).map(|mut model| {
            attach(&mut model, path);
            effigy_convert::m2::lower(&model)
        }));
    }
    None
}

/// The scene of a whole soldier, `PATH[+PLACE=FILE]...`, and the size of his body.
#[allow(dead_code, reason = "only some of the programs with this module show soldiers")]
pub fn soldier(words: &str) -> (usize, effigy_wire::Result<Lowered>) {
    let mut words = words.split('+');
    let path = words.next().unwrap_or_default();
    let attach: effigy_wire::Result<Vec<effigy::Attach>> = words.map(str::parse).collect();
    let opened = attach.and_then(|attach| {
        effigy::open_with(path, &effigy::OpenOptions { attach, ..effigy::OpenOptions::default() })
    });
    match opened {
        Ok(model) => (model.write().map_or(0, |bytes| bytes.len()), model.lower()),
        Err(error) => (0, Err(error)),
    }
}

/// Attaches `.skin` and `.anim` files next to the model, whatever the case of their names.
fn attach(model: &mut effigy_m2::Model, path: &Path) {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let own = path.parent().map(Path::to_owned).unwrap_or_default();
    // The corpus has such files in a separate folder.
    let other = PathBuf::from(own.to_string_lossy().replace("m2-264", "m2-companions"));
    let folders = [own, other].into_iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    let beside: Vec<PathBuf> = folders.flatten().flatten().map(|entry| entry.path()).collect();
    let find = |wanted: &str| {
        let found = beside.iter().find(|it| it.file_name().is_some_and(|it| it.eq_ignore_ascii_case(wanted)));
        found.and_then(|path| std::fs::read(path).ok())
    };
    for companion in model.companions() {
        let bytes = companion.file_name(model, &name).ok().and_then(|name| find(&name));
        if let Some(bytes) = bytes
            && let Err(error) = model.attach(companion, &bytes)
        {
            eprintln!("{name}: {error}");
        }
    }
}

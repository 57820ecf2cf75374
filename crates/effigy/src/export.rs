//! glTF 2.0 from any model: lowered to a scene, with the textures that are found, and a report.

use crate::convert::CompanionName;
use crate::{ConvertOptions, Converted, Error, Format, Kind, Model, Result, Target};

/// The formats that have a scene to export.
pub(crate) const FROM: &[Format] = &[
    Format::Mdx,
    Format::Mdl,
    Format::M2,
    Format::Mdc,
    Format::Md3,
    Format::Mds,
    Format::Mdm,
    Format::EtMdx,
    Format::Glb,
    Format::Gltf,
];

/// The names among these that no sequence has.
///
/// # Errors
/// When there are names and no sequence has any of them.
fn unknown<'a>(names: &'a [String], scene: &effigy_scene::Scene) -> Result<Vec<&'a str>> {
    let has =
        |name: &str| scene.sequences.iter().any(|(_, sequence)| sequence.name.eq_ignore_ascii_case(name));
    let unknown: Vec<&str> = names.iter().map(String::as_str).filter(|name| !has(name)).collect();
    if !names.is_empty() && unknown.len() == names.len() {
        let all: Vec<&str> = scene.sequences.iter().map(|(_, sequence)| sequence.name.as_str()).collect();
        let all =
            if all.is_empty() { "it has none".to_owned() } else { format!("it has {}", all.join(", ")) };
        let text = format!("the model has no sequence called {}; {all}", unknown.join(" or "));
        return Err(Error::new(Kind::Usage, text));
    }
    Ok(unknown)
}

/// Exports a model with its textures.
pub(crate) fn convert(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    #[allow(unused_mut, reason = "without files there is nothing to follow")]
    let mut lowered = model.lower()?;
    #[cfg(feature = "assets")]
    if options.attached_models {
        model.follow_attachments(&mut lowered.scene, &mut lowered.report);
    }
    let mut report = lowered.report;
    let scene = effigy_scene::validate(lowered.scene)?;
    for name in unknown(&options.gltf.animations, &scene)? {
        report.dropped("sequences", format!("the model has no sequence called {name}"));
    }
    let options = &ConvertOptions {
        gltf: effigy_gltf::ExportOptions { lod: model.level(options.gltf.lod), ..options.gltf.clone() },
        ..options.clone()
    };
    let team = usize::from(options.gltf.team_color.unwrap_or(0));
    if options.split_animations {
        let textures = &mut *model.textures(Some(team));
        let mut files = Vec::new();
        let mut encoded = Vec::new();
        effigy_gltf::export_split(
            &scene,
            &options.gltf,
            textures,
            &options.pictures,
            &mut |suffix, mut file| {
                // The files share the model: what happened to it is said once.
                for note in std::mem::take(&mut file.report).notes() {
                    if !report.notes().contains(note) {
                        report.add(note.outcome, note.path.clone(), note.message.clone());
                    }
                }
                // A document takes many times as much memory as its file.
                match target.format {
                    Format::Glb => encoded.push((format!("{suffix}.glb"), file.into_glb()?)),
                    _ => files.push((suffix, file)),
                }
                Ok(())
            },
        )?;
        let mut encoded = encoded.into_iter().map(|(name, bytes)| (CompanionName::Suffix(name), bytes));
        return Ok(match encoded.next() {
            Some((_, main)) => Converted::files(main, encoded.collect(), report),
            None => Converted::split(files, report),
        });
    }
    let mut file =
        effigy_gltf::export_with(&scene, &options.gltf, &mut *model.textures(Some(team)), &options.pictures)?;
    report.append(std::mem::take(&mut file.report));
    if target.format == Format::Glb {
        return Ok(Converted::file(file.into_glb()?, report));
    }
    Ok(Converted::gltf(file, report))
}

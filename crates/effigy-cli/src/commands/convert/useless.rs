//! Options that a conversion has no use for. Whoever gives one expects an effect: where the target never has one, it is refused, and
//! where only some models of a run have none, since they stay in their game, that is said.

use super::ConvertArgs;
use super::choices::{Compression, Spelling};
use crate::session::Stop;
use crate::text::commas;
use effigy::{Format, Goal};

/// The models of games that are made from models of others.
const MADE: &[Format] = &[Format::Mdx, Format::Mdl, Format::M2, Format::Md3, Format::Mdc];
/// The same and glTF.
const SCALED: &[Format] =
    &[Format::Mdx, Format::Mdl, Format::M2, Format::Md3, Format::Mdc, Format::Glb, Format::Gltf];
const GLTF: &[Format] = &[Format::Glb, Format::Gltf];
const WARCRAFT: &[Format] = &[Format::Mdx, Format::Mdl];
/// Games with bones and keys, and with attacks by weapon.
const BONES: &[Format] = &[Format::Mdx, Format::Mdl, Format::M2];
const FRAMES: &[Format] = &[Format::Md3, Format::Mdc];
const TEXT: &[Format] = &[Format::Mdl];
const MDC: &[Format] = &[Format::Mdc];
const TIMED: &[Format] = &[Format::Md3, Format::Mdc, Format::Glb, Format::Gltf];

/// An option that was given.
pub struct Given {
    name: &'static str,
    /// The formats that it is for.
    formats: &'static [Format],
    /// Whether it has an effect on models that stay in their game too.
    always: bool,
}

/// The options for some formats only that were given.
pub fn given(args: &ConvertArgs) -> Vec<Given> {
    let (raise, gltf) = (&args.raise, &args.gltf);
    let own = [
        (args.plain, "--plain", TEXT),
        (args.dialect != Spelling::default(), "--dialect", TEXT),
        (args.mdc_mode != Compression::default(), "--mdc-mode", MDC),
    ];
    let all = [
        (gltf.scale.is_some(), "--scale", SCALED),
        (raise.height.is_some(), "--height", MADE),
        (raise.weapon.is_some(), "--weapon", BONES),
        (raise.keep_keys, "--keep-keys", BONES),
        (raise.all_sequences, "--all-sequences", WARCRAFT),
        (raise.names.is_some(), "--names", MADE),
        (raise.print_names, "--print-names", MADE),
        (raise.portrait, "--portrait", WARCRAFT),
        (raise.engine.is_some(), "--engine", FRAMES),
        (gltf.fps.is_some(), "--fps", TIMED),
        (gltf.no_textures, "--no-textures", SCALED),
        (gltf.keep_globals, "--keep-globals", GLTF),
        (gltf.all_lods, "--all-lods", GLTF),
        (gltf.team_variants, "--team-variants", GLTF),
        (gltf.no_animations, "--no-animations", GLTF),
        (gltf.pose.is_some(), "--pose", GLTF),
        (!gltf.animations.is_empty(), "--animations", GLTF),
        (gltf.split_animations, "--split-animations", GLTF),
        (gltf.loop_suffix, "--loop-suffix", GLTF),
        (gltf.attachment_bones, "--attachment-bones", GLTF),
        (gltf.attached_models, "--attached-models", GLTF),
        (gltf.sprites, "--sprites", GLTF),
        (gltf.no_originals, "--no-originals", GLTF),
        (gltf.animate_materials, "--animate-materials", GLTF),
        (gltf.draft, "--draft", GLTF),
        (gltf.node_visibility, "--node-visibility", GLTF),
    ];
    let own = own.into_iter().map(|(given, name, formats)| (given, Given { name, formats, always: true }));
    let all = all.into_iter().map(|(given, name, formats)| (given, Given { name, formats, always: false }));
    own.chain(all).filter(|(given, _)| *given).map(|(_, option)| option).collect()
}

/// Refuses options that have no effect on this target.
pub fn refuse(given: &[Given], goal: &Goal) -> Result<(), Stop> {
    let target = match goal {
        Goal::Model(target) => Some(target.format),
        Goal::Texture(..) => None,
    };
    let useless = given.iter().find(|option| target.is_none_or(|target| !option.formats.contains(&target)));
    let Some(Given { name, formats, .. }) = useless else { return Ok(()) };
    let target = target.map_or_else(|| "textures".to_owned(), |target| target.to_string());
    let formats: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    Err(Stop::Usage(format!(
        "{name} has no effect on {target}, only on {}; leave it out",
        formats.join(", ")
    )))
}

/// What is said about models that stayed in their game; nothing where all options that were given count there too.
pub fn advice(given: &[Given], goal: &Goal, stayed: u64) -> Option<String> {
    // On the way to glTF there is no other game, and these options are its own.
    let is_made = matches!(goal, Goal::Model(target) if MADE.contains(&target.format));
    if !is_made || stayed == 0 {
        return None;
    }
    let names: Vec<&str> = given.iter().filter(|option| !option.always).map(|option| option.name).collect();
    if names.is_empty() {
        return None;
    }
    let models = if stayed == 1 { "model stays" } else { "models stay" };
    let have = if names.len() == 1 { "has" } else { "have" };
    Some(format!(
        "{} {models} in the same game, where {} {have} no effect; `effigy edit` scales and renames",
        commas(stayed),
        names.join(", ")
    ))
}

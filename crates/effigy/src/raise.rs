//! Into another family: models of Warcraft III, World of Warcraft and Quake's engines from any model with a scene, with the
//! textures that they need.

mod engine_names;

use crate::convert::CompanionName;
use crate::{ConvertOptions, Converted, Error, Format, Kind, Model, Report, Result, Target};
use effigy_convert::raise::{self, AlphaChange, Names, ObjectNames, RaiseOptions, RaisedTexture};
use effigy_mdx::Dialect;
use effigy_scene::{Scene, Textures, ValidScene};
use std::collections::{BTreeMap, BTreeSet};

/// The formats that become models of Warcraft III.
pub(crate) const TO_MDX: &[Format] = &[Format::M2, Format::Mdc, Format::Md3, Format::Glb, Format::Gltf];
/// The formats that become MD3 and MDC.
pub(crate) const TO_MD3: &[Format] = &[Format::Mdx, Format::Mdl, Format::M2, Format::Glb, Format::Gltf];
/// The formats that become M2.
pub(crate) const TO_M2: &[Format] =
    &[Format::Mdx, Format::Mdl, Format::Mdc, Format::Md3, Format::Glb, Format::Gltf];
/// The version that is written where none is asked for: every edition of the game reads it.
const USUAL: u32 = 800;
/// The largest side of a texture that the classic game takes, and the one that we write for Reforged.
#[cfg(feature = "assets")]
const CLASSIC_SIDE: u32 = 512;
#[cfg(feature = "assets")]
const REFORGED_SIDE: u32 = 2048;
/// The largest side of a texture in World of Warcraft.
#[cfg(feature = "assets")]
const WORLD_SIDE: u32 = 1024;
#[cfg(feature = "assets")]
/// Sides of a texture may differ by this factor.
const RATIO: u32 = 8;

/// A scene on its way into a game.
struct Source<'a> {
    scene: ValidScene,
    /// What was lost on the way to the scene.
    report: Report,
    /// The name of the model, where the scene has none.
    name: String,
    textures: Box<dyn Textures + 'a>,
}

impl<'a> Source<'a> {
    /// The scene of a model, with the colour of this player in its textures.
    fn of(model: &'a Model, team: Option<usize>) -> Result<Self> {
        let (scene, report) = lowered(model)?;
        Ok(Self { scene, report, name: stem(model), textures: model.textures(team) })
    }
}

/// Makes a model of a game from a scene that a program has built: MDX and MDL of Warcraft III, M2, MD3 and MDC. A scene with the
/// rules of the target's own game is written as it is; any other is changed to its units, names and rules. The name in the
/// options is used where the scene has none.
///
/// # Errors
/// When references in the scene lead nowhere, it has more than [`crate::Limits`] allow, or the target cannot hold it.
pub fn make(
    scene: Scene,
    textures: Box<dyn Textures + '_>,
    target: &Target,
    options: &ConvertOptions,
) -> Result<Converted> {
    let scene = effigy_scene::validate(scene)?;
    let source = Source { scene, report: Report::default(), name: options.raise.name.clone(), textures };
    match target.format {
        Format::Mdx | Format::Mdl => make_mdx(source, target, options),
        Format::M2 => make_m2(source, target, options),
        Format::Md3 | Format::Mdc => make_md3(source, target, options),
        other => {
            let text = format!("models are made as mdx, mdl, m2, md3 and mdc, not as {other}");
            Err(Error::new(Kind::Usage, text))
        }
    }
}

fn lowered(model: &Model) -> Result<(ValidScene, Report)> {
    let lowered = model.lower()?;
    Ok((effigy_scene::validate(lowered.scene)?, lowered.report))
}

/// Converts to MDX or MDL of Warcraft III.
pub(crate) fn mdx(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    make_mdx(Source::of(model, None)?, target, options)
}

fn make_mdx(mut source: Source<'_>, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    let version = target.version.unwrap_or(USUAL);
    if !Dialect::Warcraft3.knows(version) {
        let known: Vec<String> = Dialect::Warcraft3.versions().iter().map(ToString::to_string).collect();
        let text =
            format!("{version} is not a version of Warcraft III models; they are {}", known.join(", "));
        return Err(Error::new(Kind::Usage, text));
    }
    let options_of_raise = RaiseOptions { version, name: source.name.clone(), ..options.raise.clone() };
    let raised = raise::mdx(&source.scene, &options_of_raise)?;
    let mut companions = source.textures(&raised.textures, Blp::Warcraft, options);
    let mut report = source.report;
    let write = |made: &effigy_mdx::Model| match target.format {
        Format::Mdl => Ok(crate::formats::mdx::print(made)),
        _ => made.write(),
    };
    if options.portrait {
        let portrait = raise::portrait(&raised.model);
        let suffix = format!("_Portrait.{}", target.format.extension());
        companions.push((CompanionName::Suffix(suffix), write(&portrait)?));
    }
    let bytes = write(&raised.model)?;
    report.append(raised.report);
    Ok(Converted::files(bytes, companions, report))
}

/// Converts to M2, with the skins of a 264 model.
pub(crate) fn m2(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    // A game without teams gets the colour of the first one.
    make_m2(Source::of(model, Some(0))?, target, options)
}

fn make_m2(mut source: Source<'_>, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    let version = target.version.unwrap_or(effigy_m2::Version::WRATH.number());
    let known = effigy_m2::Version::TARGETS;
    if !known.contains(&version) {
        let known: Vec<String> = known.iter().map(ToString::to_string).collect();
        let text =
            format!("{version} is not a version of M2 that can be written; they are {}", known.join(", "));
        return Err(Error::new(Kind::Usage, text));
    }
    let options_of_raise = RaiseOptions { version, name: source.name.clone(), ..options.raise.clone() };
    let raised = raise::m2(&source.scene, &options_of_raise)?;
    let (mut companions, bytes) = (crate::formats::m2::companions(&raised.model)?, raised.model.write()?);
    companions.extend(source.textures(&raised.textures, Blp::World, options));
    let mut report = source.report;
    report.append(raised.report);
    Ok(Converted::files(bytes, companions, report))
}

/// Whose BLP files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blp {
    /// Warcraft III's, with JPEG pictures in them.
    Warcraft,
    /// World of Warcraft's.
    World,
}

/// The name of the file without its extension, for models that have no name of their own.
fn stem(model: &Model) -> String {
    #[cfg(feature = "assets")]
    if let Some(file) = model.file() {
        let name = file.file_name();
        return name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
    }
    let _ = model;
    String::new()
}

/// Converts to MD3 or MDC, with the frames of each sequence and the texture of each surface in text files.
pub(crate) fn md3(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    make_md3(Source::of(model, None)?, target, options)
}

fn make_md3(mut source: Source<'_>, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    let to = if target.format == Format::Md3 { effigy_mdc::Format::Md3 } else { effigy_mdc::Format::Mdc };
    let number = to.number().unsigned_abs();
    if target.version.is_some_and(|version| version != number) {
        return Err(Error::new(Kind::Usage, format!("{} has the version {number} only", target.format)));
    }
    let options_of_raise = RaiseOptions { name: source.name.clone(), ..options.raise.clone() };
    let raised = raise::md3(&source.scene, &options_of_raise)?;
    let textures = source.textures(&raised.textures, Blp::Warcraft, options);
    let mut report = source.report;
    report.append(raised.report);
    let raise::Md3 { model: mut made, animations, skin, .. } = raised.model;
    if to == effigy_mdc::Format::Mdc {
        let encoded = effigy_mdc::to_mdc(&made, crate::formats::mdc::mode(options.mdc))?;
        report.append(encoded.report);
        made = encoded.model;
    }
    let mut companions = vec![
        (CompanionName::Suffix(".animation.cfg".to_owned()), animations.into_bytes()),
        (CompanionName::Suffix(".skin".to_owned()), skin.into_bytes()),
    ];
    companions.extend(textures);
    Ok(Converted::files(made.write()?, companions, report))
}

/// A texture of one colour, of eight by eight pixels.
#[cfg(feature = "assets")]
fn filled(pixel: [u8; 4]) -> Option<effigy_image::Image> {
    effigy_image::Image::new(8, 8, pixel.repeat(8 * 8)).ok()
}

#[cfg(not(feature = "assets"))]
const fn filled<I>(_: [u8; 4]) -> Option<I> {
    None
}

impl Source<'_> {
    /// The textures of a raised model as files of the game, below the folder of the model.
    fn textures(
        &mut self,
        needed: &[RaisedTexture],
        blp: Blp,
        options: &ConvertOptions,
    ) -> Vec<(CompanionName, Vec<u8>)> {
        let mut files = Vec::new();
        for texture in needed {
            let mut lost = |why: String| self.report.dropped("textures", why);
            if options.no_textures {
                lost(format!("{} is needed and was not written", texture.path));
                continue;
            }
            let image = match self.scene.textures.get(texture.source) {
                Some(named) => self.textures.image(named),
                // A texture that the target needs and the source does not have.
                None => filled(texture.fill),
            };
            let Some(image) = image else {
                lost(format!("{} was not found; the model needs it there", texture.path));
                continue;
            };
            match encoded(image, &texture.path, texture.alpha, blp) {
                Ok(bytes) => files.push((CompanionName::Path(texture.path.replace('\\', "/")), bytes)),
                Err(error) => lost(format!("{}: {error}", texture.path)),
            }
        }
        files
    }
}

#[cfg(feature = "assets")]
fn encoded(mut image: effigy_image::Image, path: &str, alpha: AlphaChange, blp: Blp) -> Result<Vec<u8>> {
    let is_blp = path.to_ascii_lowercase().ends_with(".blp");
    let most = match (is_blp, blp) {
        (true, Blp::Warcraft) => CLASSIC_SIDE,
        (true, Blp::World) => WORLD_SIDE,
        (false, _) => REFORGED_SIDE,
    };
    let (width, height) = sides(image.width, image.height, most);
    if (width, height) != (image.width, image.height) {
        image = image.resized(width, height)?;
    }
    change_alpha(image.pixels_mut(), alpha);
    image.has_alpha = image.is_translucent();
    let encoding = match (is_blp, blp) {
        (true, Blp::Warcraft) => effigy_image::Encoding::BLP1_JPEG,
        (true, Blp::World) if image.has_alpha => effigy_image::Encoding::BLP2_DXT5,
        (true, Blp::World) => effigy_image::Encoding::BLP2_DXT1,
        (false, _) => effigy_image::Encoding::by_extension(path).unwrap_or(effigy_image::Encoding::BLP1_JPEG),
    };
    let image = image.without_mips();
    let image = if encoding.holds_mips() { image.with_mips() } else { image };
    Ok(effigy_image::write(&image, encoding)?.0)
}

#[cfg(not(feature = "assets"))]
fn encoded<I>(_: I, path: &str, _: AlphaChange, _: Blp) -> Result<Vec<u8>> {
    Err(Error::unsupported(format!("{path} cannot be written without the feature assets")))
}

#[cfg(feature = "assets")]
/// Sides that the game takes: powers of two, not too large, not too different.
fn sides(width: u32, height: u32, most: u32) -> (u32, u32) {
    let power = |side: u32| {
        let up = side.max(1).checked_next_power_of_two().unwrap_or(most);
        // The nearer of the two powers.
        let side = if up - side.min(up) > side.saturating_sub(up / 2) { up / 2 } else { up };
        side.clamp(1, most)
    };
    let (width, height) = (power(width), power(height));
    (width.max(height / RATIO), height.max(width / RATIO))
}

#[cfg(feature = "assets")]
fn change_alpha(pixels: &mut [u8], change: AlphaChange) {
    let pixels = pixels.as_chunks_mut::<4>().0;
    let empty = pixels.iter().all(|[.., alpha]| *alpha == 0);
    for [.., alpha] in pixels {
        *alpha = match change {
            AlphaChange::Data => *alpha,
            _ if empty => u8::MAX,
            AlphaChange::Keep => *alpha,
            AlphaChange::Opaque => u8::MAX,
            AlphaChange::Test(from, to) => limit_moved(*alpha, from, to),
        };
    }
}

/// An alpha on the same side of another limit: straight from 0 to the limit, and from there to 255.
#[cfg(feature = "assets")]
fn limit_moved(alpha: u8, from: u8, to: u8) -> u8 {
    let scaled = |value: u8, from: u8, to: u8| {
        u8::try_from(u32::from(value) * u32::from(to) / u32::from(from).max(1)).unwrap_or(u8::MAX)
    };
    if alpha < from {
        scaled(alpha, from, to)
    } else {
        u8::MAX - scaled(u8::MAX - alpha, u8::MAX - from, u8::MAX - to)
    }
}

/// The names that a model's sequences and objects would get in a format, as a file for [`read_names`].
///
/// # Errors
/// When the model has no scene, or the format has no names of its own: then the names stay as they are.
pub fn print_names(model: &Model, target: Format, options: &RaiseOptions) -> Result<String> {
    let (scene, _) = lowered(model)?;
    let (game, (sequences, objects)) = match target {
        Format::Mdx | Format::Mdl => ("Warcraft III", warcraft_names(&scene, options)?),
        Format::M2 => ("World of Warcraft", world_names(&scene, options)?),
        Format::Md3 | Format::Mdc => return engine_names::print(&scene, options),
        other => {
            let text =
                format!("names are chosen for mdx, mdl, m2, md3 and mdc; those in {other} stay as they are");
            return Err(Error::new(Kind::Usage, text));
        }
    };
    let mut text =
        format!("# Old names, and new ones in {game}. An empty new name leaves a thing out.\n[sequences]\n");
    let mut known = BTreeSet::new();
    for GivenName { old, new, is_usual } in &sequences {
        if known.insert(old) {
            let line = format!("{} = {}", quoted(old), quoted(new));
            // As a line that is read, it would be chosen like any other variation.
            text.push_str(&if *is_usual {
                format!("{line}\n")
            } else {
                format!("# {line} (never by chance)\n")
            });
        }
    }
    text.push_str("\n# Attachments. A line for any other node makes it one.\n[attachments]\n");
    text.push_str(&lines(&objects.attachments));
    text.push_str("\n# Events. A line for any other node makes it one.\n[events]\n");
    text.push_str(&lines(&objects.events));
    if target != Format::M2 {
        text.push_str("\n# \"team colour\", \"team glow\" or nothing.\n[materials]\n");
        text.push_str(&lines(&objects.materials));
    }
    Ok(text)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A line for each name. A second thing of the same name may become something else, which a file of names cannot say.
fn lines(list: &[(String, Option<String>)]) -> String {
    let mut known = BTreeSet::new();
    let first = list.iter().filter(|(old, _)| known.insert(old));
    let line = |(old, new): &(String, Option<String>)| {
        format!("{} = {}\n", quoted(old), quoted(new.as_deref().unwrap_or_default()))
    };
    first.map(line).collect()
}

/// What a sequence is called in the target.
struct GivenName {
    old: String,
    new: String,
    /// The game plays it like any other of its name. Otherwise it is a variation that it never chooses.
    is_usual: bool,
}

type GivenNames = (Vec<GivenName>, ObjectNames);

fn warcraft_names(scene: &ValidScene, options: &RaiseOptions) -> Result<GivenNames> {
    // Numbers are given again when the names are used.
    let plain =
        |new: Option<String>| new.unwrap_or_default().split(" - ").next().unwrap_or_default().to_owned();
    let given = |(old, new)| GivenName { old, new: plain(new), is_usual: true };
    let raised = raise::mdx(scene, options)?;
    Ok((raised.sequences.into_iter().map(given).collect(), raised.objects))
}

fn world_names(scene: &ValidScene, options: &RaiseOptions) -> Result<GivenNames> {
    let raised = raise::m2(scene, options)?;
    let given = |(old, new): (String, Option<String>)| {
        let new = new.unwrap_or_default();
        // A variation has its number after the name.
        let numbered =
            new.rsplit_once(' ').and_then(|(name, number)| Some((name, number.parse::<u16>().ok()?)));
        let (name, variation) = numbered.unwrap_or((&new, 0));
        let record = raised.model.sequences.iter().find(|record| {
            let own = effigy_m2::names::animation(record.id);
            record.variation == variation && own.is_some_and(|own| own == name)
        });
        let is_usual = variation == 0 || record.is_none_or(|record| record.frequency > 0);
        GivenName { old, new: name.to_owned(), is_usual }
    };
    Ok((raised.sequences.into_iter().map(given).collect(), raised.objects))
}

/// Names that the user chose, from the text of a file that [`print_names`] began.
///
/// # Errors
/// When a line is not `"old" = "new"`, a table is not one of `[sequences]`, `[attachments]`, `[events]` and `[materials]`, or a
/// material gets something else than `team colour` and `team glow`.
pub fn read_names(text: &str) -> Result<Names> {
    let mut names = Names::default();
    let mut into: Option<&mut BTreeMap<String, String>> = None;
    let mut materials = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let wrong = |what: &str| Error::new(Kind::Usage, format!("line {} of the names: {what}", number + 1));
        match line {
            "" => {}
            _ if line.starts_with('#') => {}
            _ if line.starts_with('[') => {
                materials = line == "[materials]";
                into = Some(match line {
                    "[sequences]" => &mut names.sequences,
                    "[attachments]" => &mut names.attachments,
                    "[events]" => &mut names.events,
                    "[materials]" => &mut names.materials,
                    _ => {
                        let text = "the tables are [sequences], [attachments], [events] and [materials]";
                        return Err(wrong(text));
                    }
                });
            }
            _ => {
                let (old, rest) =
                    string(line).ok_or_else(|| wrong("\"old name\" = \"new name\" is expected"))?;
                let rest = rest.trim_start().strip_prefix('=').map(str::trim_start);
                let (new, rest) = rest.and_then(string).ok_or_else(|| wrong("= \"new name\" is expected"))?;
                if !rest.trim_start().is_empty() && !rest.trim_start().starts_with('#') {
                    return Err(wrong("there is something after the new name"));
                }
                if materials && !new.is_empty() && !raise::is_team(&new) {
                    return Err(wrong("a material gets \"team colour\", \"team glow\" or \"\""));
                }
                let table = into.as_mut().ok_or_else(|| wrong("a table such as [sequences] comes first"))?;
                table.insert(old, new);
            }
        }
    }
    Ok(names)
}

/// A text in quotation marks, or a bare word, and what follows it.
fn string(text: &str) -> Option<(String, &str)> {
    let Some(rest) = text.strip_prefix('"') else {
        let end = text.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        return (!word.is_empty()).then(|| (word.to_owned(), rest));
    };
    let mut out = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((out, rest.get(at + 1..)?)),
            '\\' => out.push(characters.next()?.1),
            other => out.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "assets")]
    #[test]
    fn textures_get_sides_that_the_game_takes() {
        for (given, wanted) in [
            ((256, 256), (256, 256)),
            ((300, 200), (256, 256)),
            ((100, 700), (128, 512)),
            ((2048, 1024), (512, 512)),
            ((1, 512), (64, 512)),
            ((96, 96), (128, 128)),
        ] {
            assert_eq!(sides(given.0, given.1, 512), wanted, "{given:?}");
        }
    }

    #[cfg(feature = "assets")]
    #[test]
    fn alpha_is_changed_as_the_blend_needs_it() {
        let alpha = |change, given: [u8; 3]| {
            let mut pixels: Vec<u8> = given.iter().flat_map(|alpha| [1, 2, 3, *alpha]).collect();
            change_alpha(&mut pixels, change);
            [pixels[3], pixels[7], pixels[11]]
        };
        assert_eq!(alpha(AlphaChange::Keep, [0, 100, 255]), [0, 100, 255]);
        assert_eq!(alpha(AlphaChange::Opaque, [0, 100, 255]), [255; 3]);
        assert_eq!(alpha(AlphaChange::Test(224, 192), [224, 223, 255]), [192, 191, 255]);
        // A cutoff of one half: 128 passes and 127 does not.
        assert_eq!(alpha(AlphaChange::Test(128, 192), [128, 127, 64]), [192, 190, 96]);
        assert_eq!(alpha(AlphaChange::Test(192, 224), [192, 191, 255]), [224, 222, 255]);
        assert_eq!(alpha(AlphaChange::Test(255, 192), [255, 254, 0]), [255, 191, 0]);
        assert_eq!(alpha(AlphaChange::Keep, [0, 0, 0]), [255; 3]);
    }

    fn node(name: &str, id: usize) -> effigy_mdx::Node {
        effigy_mdx::Node {
            name: effigy_wire::FixedStr::truncated(name),
            object_id: i32::try_from(id).unwrap(),
            parent: -1,
            ..effigy_mdx::Node::default()
        }
    }

    #[test]
    fn names_are_those_of_the_target() {
        let mut made = effigy_mdx::Model::new(Dialect::Warcraft3, 800, "Footman");
        for (at, name) in
            ["Stand", "Stand - 2", "Stand Defend", "Walk", "Attack", "Portrait"].iter().enumerate()
        {
            let start = u32::try_from(at).unwrap() * 1000;
            made.sequences.push(effigy_mdx::Sequence {
                name: effigy_wire::FixedStr::truncated(name),
                interval: [start, start + 900],
                ..effigy_mdx::Sequence::default()
            });
        }
        for name in ["Hand Left Ref", "Sprite First Ref", "Hand Left Ref"] {
            let node = node(name, made.pivots.len());
            made.pivots.push([0.0; 3]);
            made.attachments.push(effigy_mdx::Attachment { node, ..effigy_mdx::Attachment::default() });
        }
        for name in ["FPTxFBL1", "SNDxAHFS"] {
            let node = node(name, made.pivots.len());
            made.pivots.push([0.0; 3]);
            let track = Some(effigy_mdx::EventTrack { global_sequence: -1, times: vec![10] });
            made.event_objects.push(effigy_mdx::EventObject { node, track });
        }
        let model = crate::read(&made.write().unwrap(), None).unwrap();
        let names = |target| print_names(&model, target, &RaiseOptions::default());
        let warcraft = names(Format::Mdx).unwrap();
        assert!(
            warcraft.contains("\"Stand - 2\" = \"Stand\"\n") && warcraft.contains("\"Walk\" = \"Walk\"\n"),
            "{warcraft}"
        );
        let world = names(Format::M2).unwrap();
        let wanted = [
            "\"Stand\" = \"Stand\"",
            "\"Stand - 2\" = \"Stand\"",
            "# \"Stand Defend\" = \"Stand\" (never by chance)",
            "\"Walk\" = \"Run\"",
            "\"Attack\" = \"AttackUnarmed\"",
            "\"Portrait\" = \"\"",
            "\"Hand Left Ref\" = \"HandLeft\"",
            "\"Sprite First Ref\" = \"\"",
            "\"FPTxFBL1\" = \"$FSD\"",
            "\"SNDxAHFS\" = \"\"",
        ];
        let lines: Vec<&str> = world.lines().filter(|line| line.contains(" = ")).collect();
        assert_eq!(lines, wanted, "{world}");
        // What World of Warcraft has no number for is left out, and the second of a name is not named again.
        let points = |text: &str| {
            let (_, rest) = text.split_once("[attachments]\n").unwrap();
            rest.split("\n\n").next().unwrap().to_owned()
        };
        assert_eq!(points(&world), "\"Hand Left Ref\" = \"HandLeft\"\n\"Sprite First Ref\" = \"\"");
        assert_eq!(
            points(&warcraft),
            "\"Hand Left Ref\" = \"Hand Left Ref\"\n\"Sprite First Ref\" = \"Sprite First Ref\""
        );
        // World of Warcraft has no teams.
        assert!(warcraft.ends_with("\n[materials]\n") && !world.contains("[materials]"));
        // What is printed says the same when it is read.
        let options = RaiseOptions { names: read_names(&world).unwrap(), ..RaiseOptions::default() };
        assert_eq!(print_names(&model, Format::M2, &options).unwrap(), world);
        assert_eq!(names(Format::Glb).unwrap_err().kind(), Kind::Usage);
    }

    #[test]
    fn names_of_quakes_engines_are_those_of_frames_and_tags() {
        let mut made = effigy_mdx::Model::new(Dialect::Warcraft3, 800, "Footman");
        for (name, start) in [("Stand", 0), ("Walk \"1\"", 2000), ("Stand", 4000)] {
            made.sequences.push(effigy_mdx::Sequence {
                name: effigy_wire::FixedStr::truncated(name),
                interval: [start, start + 1000],
                ..effigy_mdx::Sequence::default()
            });
        }
        for name in ["Hand Right Ref", "Head", "head"] {
            let mut attachment = effigy_mdx::Attachment::default();
            attachment.node.name = effigy_wire::FixedStr::truncated(name);
            made.attachments.push(attachment);
        }
        let model = crate::read(&made.write().unwrap(), None).unwrap();
        let printed = |names: Names| {
            let options = RaiseOptions { names, ..RaiseOptions::default() };
            print_names(&model, Format::Mdc, &options).unwrap()
        };
        let usual = printed(Names::default());
        let (_, tables) = usual.split_once('\n').unwrap();
        assert_eq!(
            tables,
            "[sequences]\n\"Stand\" = \"Stand\"\n\"Walk \\\"1\\\"\" = \"Walk \\\"1\\\"\"\n\n[attachments]\n\
             \"Hand Right Ref\" = \"tag_weapon\"\n\"Head\" = \"tag_head\"\n\"head\" = \"tag_head2\"\n"
        );
        assert_eq!(printed(read_names(&usual).unwrap()), usual);
        // What is chosen is what is printed.
        let chosen =
            "[sequences]\nStand = \"\"\n[attachments]\nHead = \"tag_hat\"\n\"Hand Right Ref\" = \"\"\n";
        let printed = printed(read_names(chosen).unwrap());
        for line in [
            "\"Stand\" = \"\"",
            "\"Head\" = \"tag_hat\"",
            "\"head\" = \"tag_head\"",
            "\"Hand Right Ref\" = \"\"",
        ] {
            assert!(printed.lines().any(|it| it == line), "{line}: {printed}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let text = "# note\n[sequences]\n\"Attack \\\"1\\\"\" = \"Attack\" # yes\nRun=\"\"\n\n[attachments]\n\"Helm\" = \"Head Ref\"\n[events]\nfoot=\"FPTxFBL1\"\n[materials]\n\"Cloth\" = \"Team Color\"\n\"Gold\" = \"\"\n";
        let names = read_names(text).unwrap();
        assert_eq!(names.sequences.get("Attack \"1\"").map(String::as_str), Some("Attack"));
        assert_eq!(names.sequences.get("Run").map(String::as_str), Some(""));
        assert_eq!(names.attachments.get("Helm").map(String::as_str), Some("Head Ref"));
        assert_eq!(names.events.get("foot").map(String::as_str), Some("FPTxFBL1"));
        let materials: Vec<_> =
            names.materials.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        assert_eq!(materials, [("Cloth", "Team Color"), ("Gold", "")]);
        for wrong in [
            "a = \"b\"",
            "[other]",
            "[sequences]\n\"a\"",
            "[sequences]\n\"a\" = \"b\" c",
            "[materials]\na=\"blue\"",
        ] {
            assert_eq!(read_names(wrong).unwrap_err().kind(), Kind::Usage, "{wrong}");
        }
    }
}

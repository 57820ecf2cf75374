//! MDS, MDM and Enemy Territory's MDX. A body is shown with the skin and the animations that the games would find for it.

use crate::convert::CompanionName;
use crate::formats::mdc::sequence_line;
use crate::{
    Bounds, ConvertOptions, Converted, Error, Format, Kind, Limits, Materials, Mesh, Model, Opened, Report,
    Result, Summary, Target, Texture,
};
#[cfg(feature = "assets")]
use effigy_assets::FileRef;
use effigy_mdc::character;
use effigy_mdc::sequences::{Sequence as Row, parse_animations, parse_aninc};
use effigy_mdc::skin::Skin;
use effigy_mds::Model as Body;

/// The animation group of Enemy Territory's soldiers, for a mesh that is opened without its character file.
const USUAL_GROUP: &str = "animations/human_base.anim";

/// Reads an MDS, MDM or MDX file.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model> {
    Ok(Model::from(effigy_mds::read_with(bytes, limits)?))
}

/// What belongs to a body beyond its own file.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// The shaders of its surfaces.
    pub(crate) skin: Option<Skin>,
    /// Its animation files with their rows; none for the file itself.
    animations: Vec<(Option<Body>, Vec<Row>)>,
    /// The names of the files that it was found in.
    files: Vec<String>,
    /// What is not right about them: place and message.
    problems: Vec<(String, String)>,
}

/// The text of a file.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Around {
    /// Finds what belongs to a body.
    pub(crate) fn of(model: &Opened<Body>) -> Self {
        let mut around = Self::default();
        #[cfg(feature = "assets")]
        if let Some(file) = &model.origin.file {
            around.find_skin(model, file);
            around.find_animations(model, file);
        }
        let look = &model.origin.look;
        around.skin = look.skin.clone().or(around.skin);
        around
            .problems
            .extend(look.missing.iter().map(|(place, path)| (place.clone(), format!("{path} is missing"))));
        if !model.frames.is_empty() && around.animations.is_empty() {
            around.animations.push((None, Vec::new()));
        }
        around
    }

    /// The skin that the user or a character file names, else the default one, else the first one next to the body.
    #[cfg(feature = "assets")]
    fn find_skin(&mut self, model: &Opened<Body>, file: &FileRef) {
        let Some((name, bytes)) = skin_file(file, model.origin.look.wanted.as_deref()) else { return };
        match Skin::parse(&text(&bytes)) {
            Ok(skin) => self.skin = Some(skin),
            Err(error) => self.problems.push((name.clone(), error.to_string())),
        }
        self.files.push(name);
    }

    #[cfg(feature = "assets")]
    fn find_animations(&mut self, model: &Opened<Body>, file: &FileRef) {
        let beside = |name: &str| file.beside(name, &Limits::DEFAULT);
        let name = file.file_name();
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        match model.format {
            effigy_mds::Format::Mds => {
                let rows = beside("wolfanim.cfg").map(|bytes| parse_animations(&text(&bytes)));
                self.files.extend(rows.is_some().then(|| "wolfanim.cfg".to_owned()));
                let rows = match rows {
                    Some(Ok(config)) => {
                        let line = |error: &Error| ("wolfanim.cfg".to_owned(), error.to_string());
                        self.problems.extend(config.problems.iter().map(line));
                        config.sequences
                    }
                    Some(Err(error)) => {
                        self.problems.push(("wolfanim.cfg".to_owned(), error.to_string()));
                        Vec::new()
                    }
                    None => Vec::new(),
                };
                self.animations.push((None, rows));
            }
            effigy_mds::Format::Mdx => {
                let rows = beside(&format!("{stem}.aninc")).map(|bytes| parse_aninc(&text(&bytes)));
                self.files.extend(rows.is_some().then(|| format!("{stem}.aninc")));
                let rows = rows.transpose().unwrap_or_else(|error| {
                    self.problems.push((format!("{stem}.aninc"), error.to_string()));
                    None
                });
                self.animations.push((None, rows.unwrap_or_default()));
            }
            effigy_mds::Format::Mdm => {
                let group = model.origin.look.group.as_deref().unwrap_or(USUAL_GROUP);
                self.find_group(model, file, group);
                if self.animations.is_empty()
                    && let Some(bones) =
                        beside(&format!("{stem}.mdx")).and_then(|it| effigy_mds::read(&it).ok())
                {
                    let rows = beside(&format!("{stem}.aninc")).and_then(|it| parse_aninc(&text(&it)).ok());
                    self.files.push(format!("{stem}.mdx"));
                    self.files.extend(rows.is_some().then(|| format!("{stem}.aninc")));
                    self.animations.push((Some(bones), rows.unwrap_or_default()));
                }
            }
        }
    }

    /// The animation files of a group, as far as they are there.
    #[cfg(feature = "assets")]
    fn find_group(&mut self, model: &Opened<Body>, file: &FileRef, group: &str) {
        let find = |path: &str| {
            let found = model.origin.assets.path(file, path)?;
            found.source.open(&found.entry).ok()
        };
        let Some(bytes) = find(group) else { return };
        let files = match character::parse_group(&text(&bytes)) {
            Ok(files) => files,
            Err(error) => return self.problems.push((group.to_owned(), error.to_string())),
        };
        self.files.push(group.to_owned());
        let mut missing = 0_usize;
        for animation in files {
            let bones = find(&animation.path).map(|bytes| effigy_mds::read(&bytes));
            let bones = match bones {
                Some(Ok(bones)) => bones,
                Some(Err(error)) => {
                    self.problems.push((animation.path, error.to_string()));
                    continue;
                }
                None => {
                    missing += 1;
                    continue;
                }
            };
            self.files.push(animation.path);
            let mut rows = animation.rows;
            for include in animation.includes {
                match find(&include).map(|bytes| parse_aninc(&text(&bytes))) {
                    Some(Ok(more)) => {
                        rows.extend(more);
                        self.files.push(include);
                    }
                    Some(Err(error)) => self.problems.push((include, error.to_string())),
                    None => self.problems.push((include, "the file is missing".to_owned())),
                }
            }
            self.animations.push((Some(bones), rows));
        }
        if missing > 0 {
            self.problems.push((group.to_owned(), format!("{missing} of its animation files are missing")));
        }
    }

    /// The rows of all animations.
    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.animations.iter().flat_map(|(_, rows)| rows)
    }
}

/// The name and the bytes of the skin next to a body: `body_default.skin` for `body.mds`.
#[cfg(feature = "assets")]
pub(crate) fn skin_file(file: &FileRef, wanted: Option<&str>) -> Option<(String, Vec<u8>)> {
    let name = file.file_name();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let named = |skin: &str| {
        let name = format!("{stem}_{skin}.skin");
        file.beside(&name, &Limits::DEFAULT).map(|bytes| (name, bytes))
    };
    if let Some(wanted) = wanted {
        return named(wanted);
    }
    named("default").or_else(|| {
        let folder = std::fs::read_dir(file.path()?.parent()?).ok()?;
        let start = format!("{stem}_").to_ascii_lowercase();
        let names = folder.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let is_skin = |name: &String| {
            let name = name.to_ascii_lowercase();
            name.starts_with(&start) && name.ends_with(".skin")
        };
        let mut names: Vec<String> = names.filter(is_skin).collect();
        names.sort();
        let name = names.into_iter().next()?;
        let bytes = file.beside(&name, &Limits::DEFAULT)?;
        Some((name, bytes))
    })
}

/// The scene of a body.
#[cfg(feature = "scene")]
pub(crate) fn lower(model: &Opened<Body>) -> Result<crate::Lowered> {
    use effigy_convert::mds::{Animation, Body as Whole};
    let around = Around::of(model);
    let animations = around
        .animations
        .iter()
        .map(|(bones, rows)| Animation { model: bones.as_ref().unwrap_or(model), rows: rows.clone() });
    let body = Whole {
        mesh: model,
        animations: animations.collect(),
        skin: around.skin.as_ref(),
        detail: model.origin.look.detail,
        formula: match model.origin.look.et_sines {
            true => effigy_mds::pose::Formula::EnemyTerritory,
            false => effigy_mds::pose::Formula::Wolfenstein,
        },
    };
    let mut lowered = effigy_convert::mds::lower(&body).map_err(|error| match model.format {
        effigy_mds::Format::Mdm => error.hint("the games look for animations/human_base.anim above the mesh"),
        _ => error,
    })?;
    // Only Return to Castle Wolfenstein knows the word.
    let scale = around.skin.as_ref().and_then(|skin| skin.scale);
    if let Some(scale) = scale.filter(|_| model.format == effigy_mds::Format::Mds) {
        scale_player(&mut lowered.scene, scale);
    }
    for (place, message) in around.problems {
        lowered.report.dropped(place, message);
    }
    Ok(lowered)
}

/// The height of a player's origin above the ground.
#[cfg(feature = "scene")]
const ABOVE_GROUND: f32 = 24.0;

/// Scales a body by `playerscale`, which the game rounds to hundredths. The soles stay on the ground.
#[cfg(feature = "scene")]
fn scale_player(scene: &mut effigy_scene::Scene, scale: f32) {
    use effigy_scene::{Animated, Node, NodeKind};
    let scale = (scale * 100.0).round() / 100.0;
    if scale == 1.0 || !scale.is_finite() || scale <= 0.0 {
        return;
    }
    let mut root = Node::new("playerscale", NodeKind::Helper, None, [0.0; 3]);
    root.scale = Animated::fixed([scale; 3]);
    root.translation = Animated::fixed([0.0, 0.0, ABOVE_GROUND * (scale - 1.0)]);
    let root = scene.nodes.push(root);
    for (index, node) in scene.nodes.as_mut_slice().iter_mut().enumerate() {
        if index != root.index() && node.parent.is_none() {
            node.parent = Some(root);
        }
    }
}

/// Conversions within the family.
pub(crate) fn convert(model: &Model, target: &Target, _: &ConvertOptions) -> Result<Converted> {
    let Model::Mds(own) = model else { return Err(crate::convert::no_route(model, target)) };
    let number =
        target.format.entry().and_then(|entry| entry.dialects.first()).and_then(|it| it.versions.first());
    if target.version.is_some() && target.version != number.copied() {
        let number = number.copied().unwrap_or_default();
        return Err(Error::new(Kind::Usage, format!("{} has the version {number} only", target.format)));
    }
    match (model.format(), target.format) {
        (from, to) if from == to => Ok(Converted::file(own.write()?, Report::default())),
        (Format::Mds, Format::Mdm) => {
            let (mesh, bones, report) = effigy_mds::split(own)?;
            Ok(Converted::files(
                mesh.write()?,
                vec![(CompanionName::Suffix(".mdx".to_owned()), bones.write()?)],
                report,
            ))
        }
        (Format::Mds, Format::EtMdx) => {
            let (_, bones, mut report) = effigy_mds::split(own)?;
            report.dropped("surfaces", "MDX holds bones and frames only; mdm keeps both");
            Ok(Converted::file(bones.write()?, report))
        }
        (Format::Mdm, Format::Mds) => {
            let around = Around::of(own);
            let bones: Vec<&Body> =
                around.animations.iter().filter_map(|(bones, _)| bones.as_ref()).collect();
            let (made, mut report) = effigy_mds::join(own, &bones)?;
            for (place, message) in around.problems {
                report.dropped(place, message);
            }
            Ok(Converted::file(made.write()?, report))
        }
        _ => Err(crate::convert::no_route(model, target)),
    }
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// What is in the model.
pub(crate) fn summary(model: &Opened<Body>) -> Summary {
    let around = Around::of(model);
    let mut textures: Vec<String> = Vec::new();
    for surface in &model.surfaces {
        let name = surface.name.text();
        let listed = around.skin.iter().flat_map(|skin| &skin.surfaces).find(|(own, _)| *own == name);
        let shader = listed.map_or_else(|| surface.shader.text().into_owned(), |(_, shader)| shader.clone());
        if !shader.is_empty() && !textures.contains(&shader) {
            textures.push(shader);
        }
    }
    let tags = model.tags.len();
    let sequences = around.rows().map(sequence_line).collect();
    Summary {
        meshes: model
            .surfaces
            .iter()
            .map(|surface| Mesh {
                name: surface.name.text().into_owned(),
                vertices: wide(surface.vertices.len()),
                triangles: wide(surface.triangles.len()),
            })
            .collect(),
        nodes: Summary::counts(&[("bone", model.bones.len()), ("tag", tags)]),
        sequences,
        materials: Materials { count: wide(textures.len()), words: Vec::new() },
        textures: textures.into_iter().map(|path| Texture { path, ..Texture::default() }).collect(),
        others: Summary::counts(&[("frame", model.frames.len())]),
        bounds: model.frames.first().map(|frame| Bounds {
            min: frame.min,
            max: frame.max,
            radius: frame.radius,
        }),
        files: around.files,
        problems: around.problems.into_iter().map(|(place, text)| format!("{place}: {text}")).collect(),
        ..Summary::default()
    }
}

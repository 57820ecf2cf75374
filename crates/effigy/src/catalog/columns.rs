//! The columns of a catalogue. This table is the only place that knows them: the writers of Parquet, CSV and NDJSON, the JSON
//! schema, and the table in docs/catalog.md are made from it.

use super::cell::{Cell, Field, Scalar, Type};
use super::facts::Facts;
use crate::lines::Info;
use crate::{Bounds, Checked, Count, Severity};

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Type,
    /// Whether it may be null.
    pub optional: bool,
    /// What is in it.
    pub about: &'static str,
    /// Takes the value from what is known of a file.
    pub(super) get: fn(&Facts<'_>) -> Cell,
}

const TEXT: Type = Type::Scalar(Scalar::Text);
const INT: Type = Type::Scalar(Scalar::Int);
const FLOAT: Type = Type::Scalar(Scalar::Float);
const BYTES: Type = Type::Scalar(Scalar::Bytes);

const fn field(name: &'static str, kind: Scalar) -> Field {
    Field { name, kind, optional: false }
}

const fn optional(name: &'static str, kind: Scalar) -> Field {
    Field { name, kind, optional: true }
}

const COUNTS: Type = Type::Records(&[field("kind", Scalar::Text), field("count", Scalar::Int)]);
const MESHES: Type = Type::Records(&[
    field("name", Scalar::Text),
    field("vertices", Scalar::Int),
    field("triangles", Scalar::Int),
]);
const SEQUENCES: Type = Type::Records(&[
    field("name", Scalar::Text),
    optional("seconds", Scalar::Double),
    optional("speed", Scalar::Float),
    field("looping", Scalar::Bool),
]);
const TEXTURES: Type = Type::Records(&[
    field("path", Scalar::Text),
    field("replaceable", Scalar::Int),
    field("meaning", Scalar::Text),
    optional("found", Scalar::Text),
]);
const FINDINGS: Type = Type::Records(&[
    field("code", Scalar::Text),
    field("severity", Scalar::Text),
    field("title", Scalar::Text),
    field("count", Scalar::Int),
]);

/// A column that may be null, as most are in the row of a file that does not open.
const fn column(name: &'static str, kind: Type, about: &'static str, get: fn(&Facts<'_>) -> Cell) -> Column {
    Column { name, kind, optional: true, about, get }
}

/// All columns, in order.
pub const COLUMNS: &[Column] = &[
    Column {
        name: "path",
        kind: TEXT,
        optional: false,
        about: "The file, as every command takes it; `archive:path` for one in an archive.",
        get: |facts| facts.path.into(),
    },
    column("archive", TEXT, "The archive that it is in; null for a file on disk.", |facts| {
        facts.archive.as_ref().into()
    }),
    column("bytes", INT, "Size of the file.", |facts| facts.bytes.into()),
    column(
        "sha256",
        TEXT,
        "SHA-256 of the file in hexadecimal; null where it could not be read or is not a model.",
        |facts| facts.sha256.into(),
    ),
    column("format", TEXT, "The format's name, as `effigy formats` shows it.", |facts| {
        info(facts, |info| (&info.format).into())
    }),
    column("dialect", TEXT, "The game's dialect of the format, where there is more than one.", |facts| {
        info(facts, |info| info.dialect.as_ref().into())
    }),
    column("version", INT, "The version that the file states.", |facts| {
        info(facts, |info| info.version.into())
    }),
    column("name", TEXT, "The model's own name; empty where it has none.", |facts| {
        info(facts, |info| (&info.name).into())
    }),
    column("mesh_count", INT, "Number of meshes.", |facts| {
        info(facts, |info| info.summary.meshes.len().into())
    }),
    column("vertex_count", INT, "Vertices of all meshes.", |facts| {
        info(facts, |info| info.summary.vertices().into())
    }),
    column("triangle_count", INT, "Triangles of all meshes.", |facts| {
        info(facts, |info| info.summary.triangles().into())
    }),
    column("node_count", INT, "Nodes of all kinds.", |facts| {
        info(facts, |info| total(&info.summary.nodes).into())
    }),
    column("bone_count", INT, "Nodes that are bones.", |facts| {
        info(facts, |info| {
            let bones = info.summary.nodes.iter().filter(|one| one.kind == "bone");
            bones.map(|one| one.count).sum::<u64>().into()
        })
    }),
    column("sequence_count", INT, "Number of sequences.", |facts| {
        info(facts, |info| info.summary.sequences.len().into())
    }),
    column("material_count", INT, "Number of materials.", |facts| {
        info(facts, |info| info.summary.materials.count.into())
    }),
    column("emitter_count", INT, "Emitters of all kinds.", |facts| {
        info(facts, |info| total(&info.summary.emitters).into())
    }),
    column("camera_count", INT, "Number of cameras.", |facts| {
        info(facts, |info| info.summary.cameras.len().into())
    }),
    column(
        "texture_count",
        INT,
        "Textures that the model has, those that the game puts in among them.",
        |facts| info(facts, |info| info.summary.textures.len().into()),
    ),
    column("textures_found", INT, "Textures whose file was found.", |facts| {
        info(facts, |info| info.summary.textures.iter().filter(|it| it.found.is_some()).count().into())
    }),
    column("textures_missing", INT, "Textures that the model names and whose file was not found.", |facts| {
        info(facts, |info| {
            let missing = |it: &&crate::Texture| it.found.is_none() && !it.path.is_empty();
            info.summary.textures.iter().filter(missing).count().into()
        })
    }),
    column("min_x", FLOAT, "Smallest corner of the bounds as stored; null without bounds.", |facts| {
        bounds(facts, |bounds| bounds.min[0])
    }),
    column("min_y", FLOAT, "The same.", |facts| bounds(facts, |bounds| bounds.min[1])),
    column("min_z", FLOAT, "The same.", |facts| bounds(facts, |bounds| bounds.min[2])),
    column("max_x", FLOAT, "Largest corner of the bounds.", |facts| bounds(facts, |bounds| bounds.max[0])),
    column("max_y", FLOAT, "The same.", |facts| bounds(facts, |bounds| bounds.max[1])),
    column("max_z", FLOAT, "The same.", |facts| bounds(facts, |bounds| bounds.max[2])),
    column("radius", FLOAT, "Radius as stored; 0 where the format or the file has none.", |facts| {
        bounds(facts, |bounds| bounds.radius)
    }),
    column("meshes", MESHES, "The meshes, in file order.", |facts| {
        list(
            facts,
            |info| &info.summary.meshes,
            |mesh| Cell::Record(vec![(&mesh.name).into(), mesh.vertices.into(), mesh.triangles.into()]),
        )
    }),
    column("nodes", COUNTS, "Nodes by kind.", |facts| list(facts, |info| &info.summary.nodes, count)),
    column("sequences", SEQUENCES, "The animations, in file order.", |facts| {
        list(
            facts,
            |info| &info.summary.sequences,
            |one| {
                let (seconds, speed) = (one.seconds.into(), one.speed.into());
                Cell::Record(vec![(&one.name).into(), seconds, speed, one.looping.into()])
            },
        )
    }),
    column(
        "materials",
        Type::Texts,
        "What is special about the materials, such as `team colour`, each once.",
        |facts| list(facts, |info| &info.summary.materials.words, |word| word.into()),
    ),
    column("emitters", COUNTS, "Emitters by kind.", |facts| {
        list(facts, |info| &info.summary.emitters, count)
    }),
    column(
        "textures",
        TEXTURES,
        "The textures; `found` is null where a file is missing or the game makes the texture.",
        |facts| {
            list(
                facts,
                |info| &info.summary.textures,
                |one| {
                    let found = one.found.as_ref().into();
                    Cell::Record(vec![
                        (&one.path).into(),
                        one.replaceable.into(),
                        (&one.meaning).into(),
                        found,
                    ])
                },
            )
        },
    ),
    column("cameras", Type::Texts, "Names of the cameras.", |facts| {
        list(facts, |info| &info.summary.cameras, |name| name.into())
    }),
    column("others", COUNTS, "Whatever else there is, by kind.", |facts| {
        list(facts, |info| &info.summary.others, count)
    }),
    column("files", Type::Texts, "Files next to the model that say more about it.", |facts| {
        list(facts, |info| &info.summary.files, |name| name.into())
    }),
    column("problems", Type::Texts, "What is wrong with these files, or missing.", |facts| {
        list(facts, |info| &info.summary.problems, |text| text.into())
    }),
    column("profile", TEXT, "What `check` takes the model for, such as unit or doodad.", |facts| {
        checked(facts, |checked| checked.guess.profile.to_string().as_str().into())
    }),
    column(
        "accepted_by",
        Type::Texts,
        "The games that load it, as far as their known limits tell.",
        |facts| {
            checked(facts, |checked| {
                let games = checked.accepted_by.iter().map(|game| game.to_string().as_str().into());
                Cell::List(games.collect())
            })
        },
    ),
    column("errors", INT, "Findings of `check` that are errors.", |facts| of(facts, Severity::Error)),
    column("severe", INT, "Severe findings.", |facts| of(facts, Severity::Severe)),
    column("warnings", INT, "Warnings.", |facts| of(facts, Severity::Warning)),
    column("notes", INT, "Notes.", |facts| of(facts, Severity::Note)),
    column("unused", INT, "Findings of what takes room and does nothing.", |facts| {
        of(facts, Severity::Unused)
    }),
    column("fixable", INT, "Findings that `check --fix` repairs.", |facts| {
        checked(facts, |checked| checked.findings.iter().filter(|finding| finding.fixable).count().into())
    }),
    column("findings", FINDINGS, "The findings by code, worst first.", |facts| checked(facts, by_code)),
    column("findings_left_out", INT, "Findings that were too many to be listed.", |facts| {
        checked(facts, |checked| checked.left_out.into())
    }),
    column("error", TEXT, "Why the file did not open, with the place; null where it did.", |facts| {
        facts.error.map(|failure| &failure.error).into()
    }),
    column(
        "error_kind",
        TEXT,
        "The category of the error: io, malformed, unsupported, limit, unrepresentable, usage.",
        |facts| facts.error.map(|failure| &failure.kind).into(),
    ),
    column("thumbnail", BYTES, "A picture (PNG), with `--thumbnails`.", |facts| match facts.thumbnail {
        Some(Ok(bytes)) => Cell::Bytes(bytes.clone()),
        _ => Cell::Null,
    }),
    column("thumbnail_error", TEXT, "Why there is no picture, with `--thumbnails`.", |facts| {
        match facts.thumbnail {
            Some(Err(error)) => error.to_string().as_str().into(),
            _ => Cell::Null,
        }
    }),
    Column {
        name: "effigy",
        kind: TEXT,
        optional: false,
        about: "The version of Effigy that made the row; after a plus, a mark of options that change rows.",
        get: |facts| facts.effigy.into(),
    },
];

fn info(facts: &Facts<'_>, get: impl Fn(&Info) -> Cell) -> Cell {
    facts.info.map_or(Cell::Null, get)
}

fn checked(facts: &Facts<'_>, get: impl Fn(&Checked) -> Cell) -> Cell {
    facts.checked.map_or(Cell::Null, get)
}

fn list<T>(facts: &Facts<'_>, get: impl Fn(&Info) -> &Vec<T>, cell: impl Fn(&T) -> Cell) -> Cell {
    info(facts, |info| Cell::List(get(info).iter().map(&cell).collect()))
}

fn bounds(facts: &Facts<'_>, get: impl Fn(&Bounds) -> f32) -> Cell {
    info(facts, |info| info.summary.bounds.as_ref().map(&get).into())
}

fn count(one: &Count) -> Cell {
    Cell::Record(vec![(&one.kind).into(), one.count.into()])
}

fn total(counts: &[Count]) -> u64 {
    counts.iter().map(|one| one.count).sum()
}

fn of(facts: &Facts<'_>, severity: Severity) -> Cell {
    checked(facts, |checked| checked.count(severity).into())
}

/// The findings of each code together, in the order of their first.
fn by_code(checked: &Checked) -> Cell {
    let mut codes: Vec<(&crate::Finding, usize)> = Vec::new();
    for finding in &checked.findings {
        let same = |known: &crate::Finding| known.code == finding.code && known.severity == finding.severity;
        match codes.iter_mut().find(|(known, _)| same(known)) {
            Some((_, count)) => *count += 1,
            None => codes.push((finding, 1)),
        }
    }
    let record = |(finding, count): (&crate::Finding, usize)| {
        let (code, severity) = (finding.code.to_string(), finding.severity.to_string());
        Cell::Record(vec![code.as_str().into(), severity.as_str().into(), finding.title.into(), count.into()])
    };
    Cell::List(codes.into_iter().map(record).collect())
}

//! The finished document, as one file or as several.

use super::animation::SHARE_OF_FRAMES;
use super::bake::report_coarse;
use super::materials::capital;
use super::{Builder, ROOT, images::StoredImage};
use crate::import::{MaterialJson, color_of, look_print};
use crate::json::{Json, Object, Root};
use crate::pictures::Encoded;
use effigy_scene::{Id, Mesh, Sequence, team};
use effigy_wire::{Error, Kind, Outcome, Report, Result};
use std::sync::Arc;

/// A glTF document, ready to be written.
pub struct Gltf {
    root: Root,
    parts: Vec<Vec<u8>>,
    pictures: Vec<StoredImage>,
    /// What was kept in extras, approximated or dropped.
    pub report: Report,
    /// The meshes of the scene that were written, with the names of the nodes that show them.
    pub mesh_nodes: Vec<(Id<Mesh>, String)>,
    /// The sequences of the scene that were written, with the names of their animations.
    pub animations: Vec<(Id<Sequence>, String)>,
}

impl std::fmt::Debug for Gltf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gltf").field("report", &self.report).finish_non_exhaustive()
    }
}

impl Builder<'_> {
    /// Notes what each material looks like, so that a reader can see whether somebody has changed it.
    fn note_looks(&mut self) {
        for used in &self.materials.uses {
            let Some(object) = self.materials.list.get_mut(used.index) else { continue };
            let read = serde_json::to_vec(object).and_then(|it| serde_json::from_slice::<MaterialJson>(&it));
            let Ok(read) = read else { continue };
            let image = |texture: usize| self.images.pictures.get(texture).map(|it| it.name.as_str());
            let written = Object::default()
                .with("layer", used.layer)
                .with("color", color_of(&read))
                .with("look", format!("{:016x}", look_print(&read, image)));
            if let Some((_, Json::Object(extras))) = object.0.iter_mut().find(|(name, _)| name == "extras") {
                extras.set("written", written);
            }
        }
    }

    pub(super) fn finish(mut self) -> Result<Gltf> {
        if self.sampled_rotations > 0 {
            self.report.approximated(
                "rotations",
                format!(
                    "{} rotation tracks with splines were sampled (error {:.3} degrees)",
                    self.sampled_rotations,
                    self.rotation_error.to_degrees()
                ),
            );
        }
        if self.left_out > 0 {
            let length = self.options.curve_tolerance.unwrap_or(0.0) * self.size * SHARE_OF_FRAMES;
            self.report.approximated(
                "keys",
                format!(
                    "{} of {} keys are left out; each joint stays within {length:.3} units and {:.3} degrees of its frames",
                    self.left_out,
                    self.frame_keys,
                    self.options.rotation_tolerance.to_degrees()
                ),
            );
        }
        report_coarse(&mut self.report, self.coarse.len());
        let skins = self.skins();
        let mut extensions = Object::default();
        if let Some(lights) = self.light_extension() {
            extensions.set("KHR_lights_punctual", lights);
        }
        if self.materials.has_variants {
            let names: Vec<Json> =
                team::NAMES.iter().map(|name| Object::default().with("name", capital(name)).into()).collect();
            extensions.set("KHR_materials_variants", Object::default().with("variants", names));
        }
        let mut top = vec![Json::from(ROOT)];
        top.extend(self.top.iter().map(|node| Json::from(*node)));
        self.note_looks();
        let beyond = self.bin.beyond;
        let (mut buffer_views, accessors, mut parts) = std::mem::take(&mut self.bin).finish();
        self.place_originals(&mut buffer_views, &mut parts);
        let asset = Object::default()
            .with("version", "2.0")
            .with("generator", concat!("Effigy ", env!("CARGO_PKG_VERSION")))
            .with(
                "extras",
                Object::default()
                    .with("units", "game units below the root node; extras keep the game's axes (Z up)"),
            );
        let mut root = Root {
            asset,
            extensions_used: self.extensions.into_iter().collect(),
            extensions_required: self.required.into_iter().collect(),
            scene: 0,
            scenes: vec![Object::default().with("nodes", top)],
            nodes: self.nodes,
            meshes: self.meshes,
            skins,
            cameras: self.cameras,
            materials: self.materials.list,
            textures: self.images.textures,
            samplers: self.images.samplers,
            images: Vec::new(),
            animations: self.animations,
            accessors,
            buffer_views,
            buffers: Vec::new(),
            extensions,
        };
        let beyond = beyond + root.make_finite();
        if beyond > 0 {
            let text = format!(
                "{beyond} are too large for the file, which has the largest that it can hold instead"
            );
            self.report.approximated("numbers", text);
        }
        let mesh_nodes = self
            .drawn
            .iter()
            .filter_map(|drawn| Some((drawn.mesh, root.nodes.get(drawn.node)?.name.clone())))
            .collect();
        Ok(Gltf {
            root,
            parts,
            pictures: self.images.pictures,
            report: self.report,
            mesh_nodes,
            animations: self.clips,
        })
    }
}

/// A piece of the binary part. Pictures belong to all documents of a run.
enum Part {
    Own(Vec<u8>),
    Shared(Arc<Vec<u8>>),
}

impl std::ops::Deref for Part {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

/// Bytes before the JSON of a .glb.
const HEAD: usize = 20;

fn to_json(root: &Root) -> Result<Vec<u8>> {
    serde_json::to_vec(root).map_err(|error| Error::new(Kind::Io, error.to_string()))
}

impl Gltf {
    /// How many lines of each kind the report has: kept aside, rebuilt, approximated, dropped.
    #[must_use]
    pub fn outcomes(&self) -> [usize; 4] {
        [Outcome::KeptAside, Outcome::Rebuilt, Outcome::Approximated, Outcome::Dropped]
            .map(|outcome| self.report.notes().iter().filter(|note| note.outcome == outcome).count())
    }

    /// About how many bytes it has, without its pictures.
    pub(super) fn weight(&self) -> usize {
        let parts = self.parts.iter().map(Vec::len);
        parts.fold(self.root.expected_length(), usize::saturating_add)
    }

    /// One file with everything in it.
    ///
    /// # Errors
    /// When it would be larger than 4 GB.
    pub fn into_glb(self) -> Result<Vec<u8>> {
        let (mut file, parts) = self.glb()?;
        file.reserve_exact(parts.iter().map(|part| part.len()).sum());
        parts.into_iter().for_each(|part| file.extend_from_slice(&part));
        Ok(file)
    }

    /// The same file, written piece by piece: it is never in memory twice.
    ///
    /// # Errors
    /// When it would be larger than 4 GB, or cannot be written.
    pub fn write_glb(self, to: &mut dyn std::io::Write) -> Result<()> {
        let failed = |error: std::io::Error| Error::new(Kind::Io, error.to_string());
        let (head, parts) = self.glb()?;
        to.write_all(&head).map_err(failed)?;
        drop(head);
        parts.into_iter().try_for_each(|part| to.write_all(&part).map_err(failed))
    }

    /// Everything up to the binary part, and that in pieces.
    fn glb(mut self) -> Result<(Vec<u8>, Vec<Part>)> {
        let mut parts: Vec<Part> = self.parts.drain(..).map(Part::Own).collect();
        let mut offset: usize = parts.iter().map(|part| part.len()).sum();
        for picture in self.pictures {
            let Some(Encoded { bytes, format, .. }) = picture.encoded else { continue };
            let view = crate::json::BufferView {
                buffer: 0,
                byte_offset: offset,
                byte_length: bytes.len(),
                byte_stride: None,
                target: None,
            };
            self.root.buffer_views.push(view);
            let mut image = Object::default()
                .with("name", picture.name)
                .with("mimeType", format.mime_type())
                .with("bufferView", self.root.buffer_views.len() - 1);
            if !picture.extras.is_empty() {
                image.set("extras", picture.extras);
            }
            self.root.images.push(image);
            let padding = vec![0; bytes.len().next_multiple_of(4) - bytes.len()];
            offset += bytes.len() + padding.len();
            parts.extend([Part::Shared(bytes), Part::Own(padding)]);
        }
        if offset > 0 {
            self.root.buffers.push(Object::default().with("byteLength", offset));
        }
        let too_large = |_| Error::unrepresentable("a .glb file holds at most 4 GB");
        let length = |value: usize| u32::try_from(value).map(u32::to_le_bytes).map_err(too_large);
        // The JSON is written in place; its length and the length of the file are filled in afterwards.
        let mut file = Vec::with_capacity(HEAD + self.root.expected_length());
        file.resize(HEAD, 0);
        serde_json::to_writer(&mut file, &self.root)
            .map_err(|error| Error::new(Kind::Io, error.to_string()))?;
        file.resize(file.len().next_multiple_of(4), b' ');
        drop(self.root);
        let json = length(file.len() - HEAD)?;
        let total = length(file.len() + if offset > 0 { 8 + offset } else { 0 })?;
        let head = [*b"glTF", 2_u32.to_le_bytes(), total, json, *b"JSON"];
        for (place, word) in file.iter_mut().zip(head.as_flattened()) {
            *place = *word;
        }
        if offset > 0 {
            file.extend(length(offset)?);
            file.extend(b"BIN\0");
        }
        Ok((file, parts))
    }

    /// A `.gltf`, its `.bin` and its pictures: names relative to the folder, and bytes. All begin with
    /// `stem`, so that several models can share a folder.
    ///
    /// # Errors
    /// When the JSON cannot be made.
    pub fn into_files(mut self, stem: &str) -> Result<Vec<(String, Vec<u8>)>> {
        let mut files = Vec::new();
        for picture in self.pictures {
            let Some(Encoded { bytes, format, .. }) = picture.encoded else { continue };
            let name = format!("{stem}_textures/{}.{}", picture.name, format.extension());
            let mut image = Object::default().with("name", picture.name).with("uri", escape(&name));
            if !picture.extras.is_empty() {
                image.set("extras", picture.extras);
            }
            self.root.images.push(image);
            files.push((name, Arc::unwrap_or_clone(bytes)));
        }
        let length: usize = self.parts.iter().map(Vec::len).sum();
        if length > 0 {
            let name = format!("{stem}.bin");
            self.root.buffers.push(Object::default().with("byteLength", length).with("uri", escape(&name)));
            files.push((name, self.parts.concat()));
        }
        files.insert(0, (format!("{stem}.gltf"), to_json(&self.root)?));
        Ok(files)
    }
}

/// Percent-encodes what a relative address may not hold.
fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

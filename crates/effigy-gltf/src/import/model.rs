//! A glTF file that was read: its bytes, its document, and the files that belong to it.

use super::accessor::Data;
use super::container::{self, Address};
use super::document::Document;
use super::images;
use crate::buffer::fingerprint;
use crate::codes::{ELSEWHERE, REQUIRED};
use effigy_image::Image;
use effigy_scene::{Scene, Texture};
use effigy_wire::{Diagnostic, Diagnostics, Error, Kind, Limits, Report, Result, Severity, Verdict, Visitor};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A glTF 2.0 file. It keeps the bytes that it was read from and gives them back unchanged.
#[derive(Clone)]
pub struct Model {
    source: Arc<[u8]>,
    json: Range<usize>,
    bin: Option<Range<usize>>,
    document: Arc<Document>,
    buffers: Arc<[Address]>,
    images: Arc<[Option<Address>]>,
    files: BTreeMap<String, Arc<[u8]>>,
    diagnostics: Diagnostics,
    limits: Limits,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("bytes", &self.source.len()).finish_non_exhaustive()
    }
}

/// The size of a mesh of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshCount {
    /// Its name; may be empty.
    pub name: String,
    /// Vertices of all its primitives.
    pub vertices: usize,
    /// Triangles of all its primitives.
    pub triangles: usize,
}

/// The size of a primitive of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimitiveCount {
    /// Where it is in the document.
    pub path: String,
    /// Its vertices.
    pub vertices: usize,
    /// Joints that a vertex may follow.
    pub influences: usize,
    /// Its morph targets.
    pub targets: usize,
}

impl Model {
    /// Reads a `.glb` or the JSON of a `.gltf`.
    ///
    /// # Errors
    /// When the bytes are not a glTF 2.0 file.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        Self::read_with(bytes, &Limits::DEFAULT)
    }

    /// Like [`Model::read`], within limits.
    ///
    /// # Errors
    /// When the bytes are not a glTF 2.0 file, or there is more of something than the limits allow.
    pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let parts = container::split(bytes)?;
        let json = bytes.get(parts.json.clone()).unwrap_or(&[]);
        let document = container::parse(json, limits)?;
        let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);
        if let Err(error) = container::check_required(&document) {
            diagnostics.push(Diagnostic::from_error(REQUIRED, Severity::Error, &error));
        }
        let mut addresses = |uri: &str, path: String| {
            let found = container::address(uri);
            if found == Address::Elsewhere {
                let text = "an address outside the folder of the file is not read";
                diagnostics.push(Diagnostic::new(ELSEWHERE, Severity::Severe, text).in_path(path));
            }
            found
        };
        let buffers = document.buffers.iter().enumerate().map(|(index, it)| match &it.uri {
            Some(uri) => addresses(uri, format!("buffers[{index}]")),
            // The chunk of a .glb has no address.
            None => Address::Data(Vec::new()),
        });
        let buffers: Arc<[Address]> = buffers.collect();
        let images = document.images.iter().enumerate();
        let images = images.map(|(index, it)| Some(addresses(it.uri.as_ref()?, format!("images[{index}]"))));
        let images: Arc<[Option<Address>]> = images.collect();
        Ok(Self {
            source: bytes.into(),
            json: parts.json,
            bin: parts.bin,
            document: Arc::new(document),
            buffers,
            images,
            files: BTreeMap::new(),
            diagnostics,
            limits: *limits,
        })
    }

    /// Whether it is one file with everything in it.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        container::is_glb(&self.source)
    }

    /// The names of the files that it needs, relative to its own folder.
    #[must_use]
    pub fn companions(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for address in self.buffers.iter().chain(self.images.iter().flatten()) {
            if let Address::File(name) = address
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        }
        names
    }

    /// Takes over a file that it needs.
    pub fn attach(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.insert(name.to_owned(), bytes.into());
    }

    /// What the reader noticed.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The bytes that were read.
    ///
    /// # Errors
    /// Never: the source is kept.
    pub fn write(&self) -> Result<Vec<u8>> {
        Ok(self.source.to_vec())
    }

    /// Compares the bytes with those it was read from.
    #[must_use]
    pub fn verify(&self, source: &[u8]) -> Verdict {
        Verdict::new(*self.source == *source, Vec::new(), Vec::new())
    }

    /// Walks over the JSON of the file.
    pub fn visit(&self, visitor: &mut dyn Visitor) {
        container::parse_value(self.source.get(self.json.clone()).unwrap_or(&[])).visit(visitor);
    }

    /// The format of the model that our own exporter made the file of, such as `mdx` or `m2`.
    #[must_use]
    pub fn exported_from(&self) -> Option<&str> {
        let notes = self.notes()?;
        notes.get("effigy")?;
        notes.get("format")?.text()
    }

    /// The extras of the root node, where our own exporter puts what it notes of the model.
    fn notes(&self) -> Option<&super::value::Value> {
        let scene = self.document.scenes.get(self.document.scene.unwrap_or(0))?;
        self.document.nodes.get(*scene.nodes.first()?).map(|root| &root.extras)
    }

    /// Which program wrote the file, if it says so.
    #[must_use]
    pub fn generator(&self) -> Option<&str> {
        self.document.asset.generator.as_deref()
    }

    /// The name of the scene that is shown; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        let scene = self.document.scenes.get(self.document.scene.unwrap_or(0));
        scene.map(|it| it.name.as_str()).filter(|it| *it != "Scene").unwrap_or_default()
    }

    /// How many nodes are joints, and how many are not.
    #[must_use]
    pub fn node_counts(&self) -> [usize; 2] {
        let mut is_joint = vec![false; self.document.nodes.len()];
        for joint in self.document.skins.iter().flat_map(|it| &it.joints) {
            if let Some(slot) = is_joint.get_mut(*joint) {
                *slot = true;
            }
        }
        let joints = is_joint.iter().filter(|it| **it).count();
        [joints, is_joint.len() - joints]
    }

    /// Sizes of all meshes, without reading them.
    #[must_use]
    pub fn meshes(&self) -> Vec<MeshCount> {
        let count = |accessor: usize| self.document.accessors.get(accessor).map_or(0, |it| it.count);
        let mesh = |mesh: &super::document::MeshJson| {
            let mut made = MeshCount { name: mesh.name.clone(), vertices: 0, triangles: 0 };
            for primitive in &mesh.primitives {
                let vertices = primitive.attributes.get("POSITION").map_or(0, |it| count(*it));
                let indices = primitive.indices.map_or(vertices, count);
                made.vertices = made.vertices.saturating_add(vertices);
                let triangles = match primitive.mode.unwrap_or(4) {
                    4 => indices / 3,
                    5 | 6 => indices.saturating_sub(2),
                    _ => 0,
                };
                made.triangles = made.triangles.saturating_add(triangles);
            }
            made
        };
        self.document.meshes.iter().map(mesh).collect()
    }

    /// Sizes of all primitives, without reading them.
    #[must_use]
    pub fn primitives(&self) -> Vec<PrimitiveCount> {
        let count = |accessor: &usize| self.document.accessors.get(*accessor).map_or(0, |it| it.count);
        let meshes = self.document.meshes.iter().enumerate();
        let all = meshes.flat_map(|(mesh, it)| it.primitives.iter().enumerate().map(move |it| (mesh, it)));
        all.map(|(mesh, (number, primitive))| PrimitiveCount {
            path: format!("meshes[{mesh}].primitives[{number}]"),
            vertices: primitive.attributes.get("POSITION").map_or(0, count),
            influences: primitive.attributes.keys().filter(|it| it.starts_with("JOINTS_")).count() * 4,
            targets: primitive.targets.len(),
        })
        .collect()
    }

    /// The names of all nodes; they may be empty or repeat.
    #[must_use]
    pub fn node_names(&self) -> Vec<&str> {
        self.document.nodes.iter().map(|node| node.name.as_str()).collect()
    }

    /// Width and height of each image; none where it is missing or of another kind than PNG, JPEG and WebP.
    #[must_use]
    pub fn image_sizes(&self) -> Vec<Option<[u32; 2]>> {
        (0..self.document.images.len()).map(|image| images::size(self.image_bytes(image)?)).collect()
    }

    /// Names and lengths in seconds of all animations.
    #[must_use]
    pub fn animations(&self) -> Vec<(String, f32)> {
        let Ok(data) = self.data() else { return Vec::new() };
        let end = |accessor: usize| -> f32 {
            let times = data.scalars(accessor).unwrap_or_default();
            times.last().copied().filter(|it| it.is_finite()).unwrap_or(0.0)
        };
        let mut known: BTreeMap<usize, f32> = BTreeMap::new();
        let animations = self.document.animations.iter().map(|animation| {
            let inputs = animation.samplers.iter().map(|it| it.input);
            let length = inputs.map(|it| *known.entry(it).or_insert_with(|| end(it))).fold(0.0, f32::max);
            (animation.name.clone(), length)
        });
        animations.collect()
    }

    /// How many there are of materials, morph targets, cameras, lights, scenes and variants.
    #[must_use]
    pub fn counts(&self) -> [(&'static str, usize); 6] {
        let document = &self.document;
        let primitives = document.meshes.iter().flat_map(|it| &it.primitives);
        let extensions = &document.extensions;
        [
            ("material", document.materials.len()),
            ("morph target", primitives.map(|it| it.targets.len()).sum()),
            ("camera", document.cameras.len()),
            ("light", extensions.lights.as_ref().map_or(0, |it| it.lights.len())),
            ("scene", document.scenes.len()),
            ("material variant", extensions.variants.as_ref().map_or(0, |it| it.variants.len())),
        ]
    }

    /// The file names of its images, as the textures of its scene have them.
    #[must_use]
    pub fn image_names(&self) -> Vec<String> {
        images::names(&self.document)
    }

    /// Whether an image is inside the file.
    #[must_use]
    pub fn is_embedded(&self, image: usize) -> bool {
        matches!(self.images.get(image), Some(None | Some(Address::Data(_))))
    }

    fn bytes_of<'a>(&'a self, address: &'a Address) -> Option<&'a [u8]> {
        match address {
            Address::Data(bytes) => Some(bytes),
            Address::File(name) => self.files.get(name).map(|it| &**it),
            Address::Elsewhere => None,
        }
    }

    fn data(&self) -> Result<Data<'_>> {
        let mut buffers = Vec::with_capacity(self.buffers.len());
        let mut total = self.source.len();
        for (index, (address, buffer)) in self.buffers.iter().zip(&self.document.buffers).enumerate() {
            if buffer.uri.is_none() {
                let bin = self.bin.clone().filter(|_| index == 0).and_then(|it| self.source.get(it));
                buffers.push(bin.unwrap_or(&[]));
                continue;
            }
            let bytes = self.bytes_of(address).ok_or_else(|| match address {
                Address::File(name) => {
                    Error::new(Kind::Usage, format!("{name}, which holds its numbers, is missing"))
                        .hint("put it next to the .gltf")
                }
                _ => Error::unsupported(format!("buffers[{index}] is not next to the file")),
            })?;
            total = total.saturating_add(bytes.len());
            buffers.push(bytes);
        }
        Ok(Data::new(&self.document, buffers, total, &self.limits))
    }

    /// The scene that the file describes, and what became of the file on the way.
    ///
    /// # Errors
    /// When the file requires an extension that is not read, a buffer is missing, its nodes are not a tree, or it expands
    /// to far more than it holds.
    pub fn lower(&self) -> Result<(Scene, Report)> {
        let data = self.data()?;
        super::lower(&self.document, &data, self.image_names())
    }

    /// The bytes of an image that is embedded or attached, by the path of a texture of its scene.
    fn image_bytes(&self, image: usize) -> Option<&[u8]> {
        match self.images.get(image)? {
            Some(address) => self.bytes_of(address),
            None => self.view_bytes(self.document.images.get(image)?.buffer_view?),
        }
    }

    /// The bytes of a buffer view.
    fn view_bytes(&self, view: usize) -> Option<&[u8]> {
        let view = self.document.buffer_views.get(view)?;
        let buffer = self.document.buffers.get(view.buffer)?;
        let bytes = match &buffer.uri {
            None => self.source.get(self.bin.clone().filter(|_| view.buffer == 0)?)?,
            Some(_) => self.bytes_of(self.buffers.get(view.buffer)?)?,
        };
        bytes.get(view.byte_offset..view.byte_offset.checked_add(view.byte_length)?)
    }

    /// The image of a texture of its scene; none if it is not one of the file's own, is missing or cannot be decoded.
    #[must_use]
    pub fn image(&self, texture: &Texture) -> Option<Image> {
        if let Some(original) = self.original(texture) {
            return effigy_image::read_with(original, &self.limits).ok();
        }
        if let Some((image, false)) = self.noted_image(texture) {
            return images::decode(self.image_bytes(image)?, images::Use::Color, &self.limits);
        }
        let (image, usage) = images::find(&self.image_names(), &texture.path)?;
        images::decode(self.image_bytes(image)?, usage, &self.limits)
    }

    /// The file of the game that an export of our own kept for a texture.
    fn original(&self, texture: &Texture) -> Option<&[u8]> {
        let note = self.notes()?.get("originals")?.list().iter().find(|it| {
            let number = it.get("replaceableId").and_then(super::value::Value::unsigned);
            it.get("path").and_then(super::value::Value::text) == Some(texture.path.as_str())
                && number == texture.replaceable.map(effigy_scene::Replaceable::number)
        })?;
        let view = note.get("bufferView")?.unsigned()?;
        let bytes = self.view_bytes(usize::try_from(view).ok()?)?;
        // A program that wrote the file again may have other views under the same numbers.
        let print = u64::from_str_radix(note.get("print")?.text()?, 16).ok()?;
        (fingerprint(bytes) == print).then_some(bytes)
    }

    /// What an export of our own made of the image of a texture: the player's colour is in it, or its alpha is changed.
    #[must_use]
    pub fn changed_image(&self, texture: &Texture) -> Option<Image> {
        let (image, _) = self.noted_image(texture)?;
        images::decode(self.image_bytes(image)?, images::Use::Color, &self.limits)
    }

    /// The image of a path that an export of our own noted, and whether its pixels were changed; unchanged ones first.
    fn noted_image(&self, texture: &Texture) -> Option<(usize, bool)> {
        let noted = self.document.images.iter().enumerate().filter(|(_, it)| {
            let path = it.extras.get("path").and_then(super::value::Value::text).unwrap_or_default();
            let number = it.extras.get("replaceableId").and_then(super::value::Value::unsigned);
            (!path.is_empty() || number.is_some())
                && it.extras.get("missing").is_none()
                && path == texture.path
                && number == texture.replaceable.map(effigy_scene::Replaceable::number)
        });
        noted
            .map(|(index, it)| (index, it.extras.get("changed").is_some()))
            .min_by_key(|(_, changed)| *changed)
    }
}

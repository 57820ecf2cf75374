//! Files of the game for the way back: textures that the notes refer to and that no picture of the document shows as they are.
//!
//! Glows, cut-outs and skins over the player's colour have other pixels in glTF, and textures of particles or of a second
//! layer are in no material at all. Their files are kept as they are, in the binary part; `originals` of the root node
//! says where. Programs that do not know them do not see them.

use super::{Builder, ROOT};
use crate::buffer::fingerprint;
use crate::json::{BufferView, Json, Object};
use effigy_scene::{Id, Texture, Textures};
use effigy_wire::Outcome;
use std::collections::BTreeSet;

/// A file that is kept.
pub(crate) struct Original {
    /// What the notes say of it.
    note: Object,
    bytes: Vec<u8>,
}

impl Builder<'_> {
    /// Collects the files that the notes need and that are not in the document.
    pub(super) fn keep_originals(&mut self, textures: &mut dyn Textures) {
        if !self.options.textures || !self.options.originals {
            return;
        }
        let scene = self.scene;
        let mut known = BTreeSet::new();
        for id in self.noted_textures() {
            let Some(texture) = scene.textures.get(id) else { continue };
            let number = texture.replaceable.map(effigy_scene::Replaceable::number);
            if texture.path.is_empty() || self.images.shows(id) || !known.insert((&texture.path, number)) {
                continue;
            }
            let Some(file) = textures.find(texture).map(effigy_scene::Unread::read) else { continue };
            let Some(bytes) = file.bytes() else { continue };
            let mut note = Object::default().with("path", texture.path.as_str());
            if let Some(number) = number {
                note.set("replaceableId", number);
            }
            note.set("print", format!("{:016x}", fingerprint(bytes)));
            self.originals.push(Original { note, bytes: bytes.to_vec() });
        }
        if !self.originals.is_empty() {
            let text = format!("{} files of the game, for the way back", self.originals.len());
            self.report.add(Outcome::KeptAside, "textures", text);
        }
    }

    /// The textures of all layers and emitters.
    fn noted_textures(&self) -> BTreeSet<Id<Texture>> {
        let mut used: BTreeSet<Id<Texture>> = BTreeSet::new();
        let layers = self.scene.materials.as_slice().iter().flat_map(|it| &it.layers);
        for texture in layers.flat_map(|it| &it.textures) {
            used.extend(texture.texture);
            used.extend(texture.flipbook.iter().flat_map(|it| &it.values).map(|it| Id::new(*it)));
        }
        used.extend(self.scene.emitters.as_slice().iter().filter_map(|it| it.texture));
        used
    }

    /// Puts the files behind everything else, and notes where.
    pub(super) fn place_originals(&mut self, views: &mut Vec<BufferView>, parts: &mut Vec<Vec<u8>>) {
        let mut offset: usize = parts.iter().map(Vec::len).sum();
        let mut notes: Vec<Json> = Vec::with_capacity(self.originals.len());
        for Original { mut note, mut bytes } in std::mem::take(&mut self.originals) {
            note.set("bufferView", views.len());
            views.push(BufferView {
                buffer: 0,
                byte_offset: offset,
                byte_length: bytes.len(),
                byte_stride: None,
                target: None,
            });
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            offset += bytes.len();
            parts.push(bytes);
            notes.push(note.into());
        }
        if let Some(root) = self.nodes.get_mut(ROOT).filter(|_| !notes.is_empty()) {
            root.extras.set("originals", notes);
        }
    }
}

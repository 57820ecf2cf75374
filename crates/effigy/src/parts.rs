//! Models that are attached to a model: a head on a body, a weapon in a hand.

use crate::{Error, Kind, Lowered, Model, Result};
use effigy_scene::{AttachOptions, find_place, places};

/// A model that is attached to another one.
#[derive(Clone, Debug)]
pub struct Part {
    /// The node, attachment or tag that carries it, by name in any spelling.
    pub at: String,
    /// The model.
    pub model: Model,
    /// Its sequence, by name; without one it stands.
    pub sequence: Option<String>,
}

impl Model {
    /// Attaches a model to a place of this one. Pictures and conversions to glTF show both from then on; [`Model::write`]
    /// writes this model alone, as before.
    ///
    /// The place is a node, attachment or tag, by name in any spelling: `hand-right`, `Hand Right Ref`, `1`, `tag_weapon`. A place
    /// of an attached model comes after the place of that model and a slash: `tag_head/tag_mouth`.
    ///
    /// ```no_run
    /// let mut body = effigy::open("body.mds")?;
    /// body.add_part("tag_head", effigy::open("head.mdc")?)?;
    /// body.add_part("tag_head/tag_mouth", effigy::open("helmet.mdc")?)?;
    /// body.convert(&"glb".parse()?)?.save("soldier.glb")?;
    /// # Ok::<(), effigy::Error>(())
    /// ```
    ///
    /// # Errors
    /// When nothing is attached to the place before the slash, or the part's own file carries it already. A place that does not
    /// exist is noticed by [`Model::lower`].
    pub fn add_part(&mut self, at: &str, part: Self) -> Result<()> {
        self.add_part_playing(at, part, None)
    }

    /// Like [`Model::add_part`], with the name of the part's sequence.
    ///
    /// # Errors
    /// Like [`Model::add_part`].
    pub fn add_part_playing(&mut self, at: &str, part: Self, sequence: Option<&str>) -> Result<()> {
        if let Some(own) = self.place_of_file()
            && part.carries(&own)
        {
            return Err(Error::new(Kind::Usage, format!("{own} cannot be attached to itself")));
        }
        let Some((first, rest)) = at.split_once('/') else {
            let sequence = sequence.map(str::to_owned);
            self.origin_mut().parts.push(Part { at: at.to_owned(), model: part, sequence });
            return Ok(());
        };
        let parts = &mut self.origin_mut().parts;
        match parts.iter_mut().find(|part| effigy_scene::same_place(&part.at, first)) {
            Some(carrier) => carrier.model.add_part_playing(rest, part, sequence),
            None => Err(Error::new(
                Kind::Usage,
                format!("nothing is attached to {first} that could carry {rest}"),
            )),
        }
    }

    /// The models that are attached to this one.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.origin().parts
    }

    /// The models that are attached to this one, to be removed or exchanged.
    pub const fn parts_mut(&mut self) -> &mut Vec<Part> {
        &mut self.origin_mut().parts
    }

    /// Whether it, or a model that is attached to it, was read from this file.
    fn carries(&self, file: &str) -> bool {
        let is_own = self.place_of_file().is_some_and(|own| own == file);
        is_own || self.parts().iter().any(|part| part.model.carries(file))
    }

    /// The file of the model, for comparisons.
    fn place_of_file(&self) -> Option<String> {
        #[cfg(feature = "assets")]
        return self.file().map(|file| match file.path().and_then(|path| path.canonicalize().ok()) {
            Some(path) => path.display().to_string(),
            None => file.label().to_owned(),
        });
        #[cfg(not(feature = "assets"))]
        None
    }
}

/// The type of the texture that World of Warcraft chooses for an item by `ItemDisplayInfo`.
#[cfg(feature = "assets")]
const OBJECT_SKIN: u32 = 2;

/// Gives the texture that the game chooses for an item the name of its file: every item that a model carries has another one
/// under the same number.
#[allow(unused_variables, reason = "without files there is nothing to choose from")]
fn name_skins(model: &Model, scene: &mut effigy_scene::Scene) {
    #[cfg(feature = "assets")]
    if let Some(file) = model.file().filter(|_| model.naming() == effigy_assets::Naming::Wow) {
        for texture in scene.textures.as_mut_slice() {
            if texture.replaceable != Some(effigy_scene::Replaceable::Other(OBJECT_SKIN)) {
                continue;
            }
            let wanted = effigy_assets::TextureRef { path: &texture.path, replaceable: OBJECT_SKIN };
            if let Some(found) = model.assets().image_file(model.naming(), file, wanted) {
                texture.path = found.entry.name;
                texture.replaceable = None;
            }
        }
    }
}

/// The number of the attachment that carries helmets in World of Warcraft.
#[cfg(feature = "assets")]
const HELM: u32 = 11;

/// Hides the hair, beard and ears of a character under the helmets that it wears.
#[allow(unused_variables, reason = "without files there are no tables")]
fn wear_helmets(model: &Model, scene: &mut effigy_scene::Scene) {
    #[cfg(feature = "assets")]
    if let Some(file) = model.file().filter(|_| model.naming() == effigy_assets::Naming::Wow) {
        for part in model.parts() {
            let place = find_place(scene, &part.at);
            let worn = scene.attachments.iter().any(|(_, it)| {
                let own = effigy_scene::Place { node: it.node, position: it.position };
                it.number == HELM && place == Some(own)
            });
            if let Some(helmet) = part.model.file().filter(|_| worn) {
                crate::lower::wear_helmet(scene, &model.assets().plain_parts(file, helmet));
            }
        }
    }
}

/// Merges the parts of a model into its scene.
pub(crate) fn attach(model: &Model, lowered: &mut Lowered) -> Result<()> {
    wear_helmets(model, &mut lowered.scene);
    for Part { at, model, sequence } in model.parts() {
        let Some(place) = find_place(&lowered.scene, at) else {
            let known = places(&lowered.scene).join(", ");
            let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has {known}") };
            let text = format!("the model has no place called {at} to attach something to; {known}");
            return Err(Error::new(Kind::Usage, text));
        };
        let mut child = model.lower()?;
        name_skins(model, &mut child.scene);
        let name = model.name();
        let name = name.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(at);
        let options = AttachOptions { name, sequence: sequence.as_deref() };
        effigy_scene::attach(&mut lowered.scene, place, child.scene, options, &mut lowered.report)?;
        for note in child.report.notes() {
            lowered.report.add(note.outcome, format!("{at}: {}", note.path), note.message.clone());
        }
    }
    Ok(())
}

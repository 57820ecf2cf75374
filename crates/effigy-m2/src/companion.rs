//! The files that belong to a 264 model: a `.skin` file for each view and a `.anim` file for each sequence whose keys
//! are not stored in the model itself.
//!
//! A companion is identified by what it holds and not by its position in a list, so companions can be found, read and
//! attached in any order, and one that is missing does not shift the others.

use crate::model::Model;
use crate::skin::Skin;
use effigy_wire::{Error, Kind, Result};

/// Most views that a model is asked for: the count in the header is untrusted. Games use up to four.
const MOST_SKINS: u32 = 8;

/// A file that belongs to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Companion {
    /// The `.skin` file of a view. 0 is the view with the most detail.
    Skin(usize),
    /// The `.anim` file of a sequence, by the index of the sequence in the model.
    Animation(usize),
}

impl Companion {
    /// The name of the file next to a model in a file of this name: `Imp00.skin` is view 0 of `Imp.m2`, and
    /// `Imp0060-01.anim` holds variation 1 of its animation 60. A folder in front of the model's name is kept.
    ///
    /// # Errors
    /// When the model has no such sequence, or `model_file` is not a file name.
    pub fn file_name(self, model: &Model, model_file: &str) -> Result<String> {
        match self {
            Self::Skin(view) => Skin::file_name(model_file, view),
            Self::Animation(sequence) => model.anim_file_name(model_file, sequence),
        }
    }
}

impl Model {
    /// The companions that the model needs and that are not attached yet: its views, at most eight of them, then the
    /// sequences that have keys in a `.anim` file. Empty before 264.
    ///
    /// A model without its views has nothing to draw; a sequence without its keys stays in the rest pose.
    #[must_use]
    pub fn companions(&self) -> Vec<Companion> {
        let attached = self.skin_views();
        let views = (0..self.skin_count.min(MOST_SKINS) as usize).filter(|view| !attached.contains(view));
        let animations = self.missing_anims().into_iter().map(Companion::Animation);
        views.map(Companion::Skin).chain(animations).collect()
    }

    /// The companions that are attached: the files that have to be written next to the model.
    #[must_use]
    pub fn attached(&self) -> Vec<Companion> {
        let skins = self.skin_views().into_iter().map(Companion::Skin);
        skins.chain(self.attached_anims().map(Companion::Animation)).collect()
    }

    /// Reads the file of a companion and adds what it holds to the model.
    ///
    /// # Errors
    /// When the file is not of the expected kind, the model has no use for it, or it is attached already.
    pub fn attach(&mut self, companion: Companion, bytes: &[u8]) -> Result<()> {
        match companion {
            Companion::Animation(sequence) => self.attach_anim(sequence, bytes),
            Companion::Skin(view) => {
                let attached = self.skin_views();
                if attached.contains(&view) {
                    return Err(Error::new(Kind::Usage, format!("view {view} is attached already")));
                }
                let mut skin = Skin::read(bytes)?;
                skin.view_index = Some(view);
                let place = attached.iter().take_while(|&&other| other < view).count();
                self.skins.insert(place, skin);
                Ok(())
            }
        }
    }

    /// The file of an attached companion. A companion that was not edited comes back byte for byte.
    ///
    /// # Errors
    /// When it is not attached, or something in it is too large for the format.
    pub fn write_companion(&self, companion: Companion) -> Result<Vec<u8>> {
        match companion {
            Companion::Animation(sequence) => self.write_anim(sequence),
            Companion::Skin(view) => {
                let found = self.skin_views().into_iter().zip(&self.skins).find(|(other, _)| *other == view);
                let not_attached = || Error::new(Kind::Usage, format!("view {view} is not attached"));
                found.ok_or_else(not_attached)?.1.write()
            }
        }
    }

    /// Which view each of the skins is. A skin that was not attached from a file follows the one before it.
    pub(crate) fn skin_views(&self) -> Vec<usize> {
        let mut next = 0;
        let view = |skin: &Skin| {
            let view = skin.view_index.unwrap_or(next).max(next);
            next = view.saturating_add(1);
            view
        };
        self.skins.iter().map(view).collect()
    }
}

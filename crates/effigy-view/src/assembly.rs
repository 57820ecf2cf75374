//! Models that are attached to the opened one: a hat on a head, a weapon in a hand.

use crate::app::Viewer;
use crate::parts::Part;
use crate::pick;
use crate::session::in_words;
use effigy::assets::FileRef;
use effigy::scene::{Id, Place, Scene, find_place};
use effigy::{Model, OpenOptions, Result};
use glam::Vec2;

/// The name of a part by which models are attached to it; none where it has no name that leads to it, or cannot carry a model.
fn place_of(part: Part, scene: &Scene) -> Option<String> {
    let (place, number) = match part {
        Part::Attachment(index) => {
            let it = scene.attachments.get(Id::new(index))?;
            (Place { node: it.node, position: it.position }, Some(it.number.to_string()))
        }
        Part::Node(index) => {
            let id = Id::new(index);
            (Place { node: id, position: scene.nodes.get(id)?.pivot }, None)
        }
        _ => return None,
    };
    let leads_here = |name: &String| find_place(scene, name) == Some(place);
    Some(part.name(scene)).filter(leads_here).or_else(|| number.filter(leads_here))
}

/// The attached models of a model and of those that it carries: where they are in the lists, and what to call them.
pub fn attached(model: &Model) -> Vec<(Vec<usize>, String)> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<usize>, String, &Model)> = vec![(Vec::new(), String::new(), model)];
    while let Some((path, place, carrier)) = open.pop() {
        for (index, part) in carrier.parts().iter().enumerate().rev() {
            let path = [path.as_slice(), &[index]].concat();
            open.push((path, format!("{place}{}/", part.at), &part.model));
        }
        if !path.is_empty() {
            let file = carrier.file().map(FileRef::file_name).unwrap_or_else(|| carrier.name());
            found.push((path, format!("{}: {file}", place.trim_end_matches('/'))));
        }
    }
    found
}

/// Removes an attached model, with what it carries.
fn detach(model: &mut Model, path: &[usize]) -> Option<effigy::Part> {
    match path {
        [] => None,
        [last] => (*last < model.parts().len()).then(|| model.parts_mut().remove(*last)),
        [first, rest @ ..] => detach(&mut model.parts_mut().get_mut(*first)?.model, rest),
    }
}

impl Viewer {
    /// Where a model would be attached: the selected attachment or bone.
    pub(crate) fn place_of_selected(&self) -> Option<String> {
        let session = self.session.as_ref()?;
        place_of(session.selected?, session.stage.scene())
    }

    /// Where a file that is dropped would be attached: the attachment or bone under the pointer where they are shown, else the
    /// selected attachment. A selected bone does not count: people select bones to look at them.
    pub(crate) fn place_of_drop(&self, pointer: Option<egui::Pos2>) -> Option<String> {
        let session = self.session.as_ref()?;
        let under = pointer.filter(|at| self.view.contains(*at)).and_then(|at| {
            let (at, size) = (at - self.view.min, self.view.size());
            let camera = self.camera(size.x / size.y.max(1.0));
            let (at, size) = (Vec2::new(at.x, at.y), Vec2::new(size.x, size.y));
            let part = pick::joint(&session.stage, &camera, &self.settings.overlays, at, size)?;
            place_of(part, session.stage.scene())
        });
        let is_attachment = matches!(session.selected, Some(Part::Attachment(_)));
        under.or_else(|| self.place_of_selected().filter(|_| is_attachment))
    }

    /// Attaches a model to a place of the opened one.
    pub(crate) fn attach(&mut self, file: &FileRef, place: &str) {
        let done = self.try_attach(file, place);
        self.message = match done {
            Ok(()) => format!("{} is attached to {place}", file.file_name()),
            Err(error) => in_words(&error),
        };
        self.refresh();
    }

    fn try_attach(&mut self, file: &FileRef, place: &str) -> Result<()> {
        let plain = OpenOptions { attach: Vec::new(), skin: None, ..self.options.clone() };
        let part = effigy::open_file(file, &plain)?;
        let team = self.settings.team_color();
        let Some(session) = &mut self.session else { return Ok(()) };
        let before = session.model.parts().to_vec();
        let added = session.model.add_part(place, part).and_then(|()| session.rebuild(&self.renderer, team));
        if added.is_err() {
            *session.model.parts_mut() = before;
        } else {
            session.dressed = true;
        }
        added
    }

    /// Removes an attached model.
    pub(crate) fn detach(&mut self, path: &[usize]) {
        let team = self.settings.team_color();
        let Some(session) = &mut self.session else { return };
        if detach(&mut session.model, path).is_some() {
            session.dressed = true;
            // Parts of the removed model cannot stay selected or hidden.
            session.select(None);
            session.open_eyes();
            if let Err(error) = session.rebuild(&self.renderer, team) {
                self.message = in_words(&error);
            }
            self.refresh();
        }
    }

    /// Shows the model again after it was changed.
    fn refresh(&mut self) {
        self.textures.clear();
        self.export = None;
        self.viewport.stale = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy::scene::{Animated, Attachment, Node, NodeKind};

    #[test]
    fn a_place_is_called_by_the_name_or_number_that_leads_to_it() {
        let mut scene = Scene::default();
        let root = scene.nodes.push(Node::new("Root", NodeKind::Bone, None, [0.0; 3]));
        let mut add = |name: &str, number: u32, x: f32| {
            let (name, node, position) = (name.to_owned(), root, [x, 0.0, 0.0]);
            let (path, visibility) = (String::new(), Animated::fixed(1.0));
            scene.attachments.push(Attachment { name, number, node, position, path, visibility });
        };
        add("Hand Right Ref", 1, 1.0);
        add("Chest", 7, 2.0);
        // The same name again: only its number leads to it. The last one has neither.
        add("Chest", 8, 3.0);
        add("Chest", 7, 4.0);
        let found = [0, 1, 2, 3].map(|index| place_of(Part::Attachment(index), &scene));
        let expected = [Some("Hand Right Ref"), Some("Chest"), Some("8"), None];
        assert_eq!(found, expected.map(|name| name.map(str::to_owned)));
        assert_eq!(place_of(Part::Node(0), &scene).as_deref(), Some("Root"));
        assert_eq!((place_of(Part::Mesh(0), &scene), place_of(Part::Attachment(9), &scene)), (None, None));
    }

    #[test]
    fn attached_models_are_listed_with_those_that_they_carry_and_removed_by_their_place() {
        let chest = || Model::from(effigy_samples::mdc::md3());
        let mut soldier = Model::from(effigy_samples::mds::mds());
        soldier.add_part("tag_head", chest()).unwrap();
        soldier.add_part("tag_weapon", chest()).unwrap();
        soldier.add_part("tag_head/tag_lid", chest()).unwrap();
        let places = |model: &Model| -> Vec<(Vec<usize>, String)> {
            let place = |text: String| text.split(':').next().unwrap().to_owned();
            attached(model).into_iter().map(|(path, text)| (path, place(text))).collect()
        };
        let row = |path: &[usize], text: &str| (path.to_vec(), text.to_owned());
        let (head, lid, weapon) =
            (row(&[0], "tag_head"), row(&[0, 0], "tag_head/tag_lid"), row(&[1], "tag_weapon"));
        assert_eq!(places(&soldier), [head.clone(), lid, weapon.clone()]);
        assert!(detach(&mut soldier, &[0, 0]).is_some());
        assert_eq!(places(&soldier), [head, weapon]);
        assert!(detach(&mut soldier, &[0]).is_some());
        assert_eq!(places(&soldier), [row(&[0], "tag_weapon")]);
        assert!(detach(&mut soldier, &[5]).is_none() && detach(&mut soldier, &[]).is_none());
    }
}

//! What follows from the rest of a model: lookup tables, views for fewer bones, words of bones, centres for sorting.

use super::{lookup, particle, skeleton, view};
use crate::model::Model;
use crate::version::{Caps, Version};
use effigy_wire::Report;

/// Rows of the table of key bones in original files.
const KEY_BONES: usize = 27;

/// A table from number to position: -1 for numbers that do not occur, the first position for those that occur twice.
fn positions(numbers: impl Iterator<Item = Option<usize>>, least: usize) -> Vec<i16> {
    let mut table = vec![-1; least];
    for (position, number) in numbers.enumerate() {
        let (Some(number), Ok(position)) = (number, i16::try_from(position)) else { continue };
        // Numbers of files are small; a table of a gigabyte helps nobody.
        if number > usize::from(u16::MAX) {
            continue;
        }
        if table.len() <= number {
            table.resize(number.saturating_add(1), -1);
        }
        if let Some(row) = table.get_mut(number).filter(|row| **row < 0) {
            *row = position;
        }
    }
    table
}

impl Model {
    /// Completes a model that was built by hand, in any version that can be written: generates the lookup tables, the views
    /// for fewer bones, the words of bones that follow from the skeleton, and what submeshes are sorted by.
    ///
    /// It expects one view in `views`, also from 264 on, where the views become skins, and particles with the three fixed keys
    /// of older versions. The report lists what the version cannot hold.
    pub fn complete(&mut self, report: &mut Report) {
        let caps = self.caps();
        lookup::generate(self, caps);
        let whole = |number: i64| usize::try_from(number).ok();
        let contents = &mut self.contents;
        contents.key_bones =
            positions(contents.bones.iter().map(|bone| whole(bone.key_bone.into())), KEY_BONES).into();
        let kinds = contents.textures.iter().map(|texture| whole(texture.kind.into()));
        contents.replaceable_lookup = positions(kinds, 1).into();
        let places = contents.attachments.iter().map(|attachment| whole(attachment.id.into()));
        contents.attachment_lookup = positions(places, 0).into();
        let cameras = contents.cameras.iter().map(|camera| whole(camera.kind.into()));
        contents.camera_lookup = positions(cameras, 0).into();
        // The other views take what they are sorted by from the first one.
        if caps.contains(Caps::SORTING) {
            view::add_sorting(self, &mut Report::default());
        }
        let missing = view::generate(self);
        if missing > 0 {
            report.dropped("views", format!("{missing} views for fewer bones are too large"));
        }
        if caps.contains(Caps::SKINS) {
            view::detach(self);
        }
        if caps.contains(Caps::FREE_LIFE) {
            particle::to_free(self, report);
        }
        skeleton::convert_words(self, Version::VANILLA.caps(), caps, false, report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Attachment, Bone, Sequence, Submesh, Vertex, View};

    #[test]
    fn tables_refer_to_the_first_of_each_number() {
        let numbers = [Some(3), None, Some(1), Some(3)];
        assert_eq!(positions(numbers.into_iter(), 2), [-1, 2, -1, 0]);
        assert_eq!(positions(std::iter::empty(), 2), [-1, -1]);
    }

    #[test]
    fn a_model_made_by_hand_gets_its_tables_and_views_in_every_version() {
        for number in Version::TARGETS {
            let mut model = Model::new(Version::new(*number).unwrap());
            model.sequences = vec![Sequence { id: 4, ..Sequence::default() }, Sequence::default()].into();
            model.bones = vec![Bone { key_bone: 6, ..Bone::default() }, Bone::default()].into();
            model.attachments = vec![Attachment { id: 2, ..Attachment::default() }].into();
            model.vertices =
                vec![Vertex { weights: [255, 0, 0, 0], bones: [1, 0, 0, 0], ..Vertex::default() }; 3].into();
            model.bone_combos = vec![1].into();
            let submesh = Submesh { vertex_count: 3, triangle_count: 3, bone_count: 1, ..Submesh::default() };
            model.views = vec![View {
                vertices: vec![0, 1, 2].into(),
                triangles: vec![0, 1, 2].into(),
                properties: vec![[0; 4]; 3].into(),
                submeshes: vec![submesh].into(),
                ..View::default()
            }]
            .into();
            model.complete(&mut Report::default());
            assert_eq!(model.key_bones.get(6), Some(&0));
            assert_eq!(model.attachment_lookup.as_slice(), [-1, -1, 0]);
            let limits: Vec<u32> = model.views().map(|view| view.bone_limit).collect();
            assert_eq!(limits, [256, 75, 53, 21], "{number}");
            if *number < 264 {
                assert_eq!(model.sequence_lookup.as_slice(), [1, -1, -1, -1, 0]);
                assert!(model.playable_lookup.len() > 200);
            } else {
                // Two animations: five rows; 4 is at 4, 0 at 0.
                assert_eq!(model.sequence_lookup.as_slice(), [1, -1, -1, -1, 0]);
                assert_eq!(model.skin_count, 4);
            }
            let again = crate::read(&model.write().unwrap()).unwrap();
            assert_eq!(again.bones.len(), 2, "{number}");
        }
    }

    #[test]
    fn a_table_has_at_most_as_many_rows_as_16_bit_numbers() {
        let table = positions([Some(65_536), Some(65_535), Some(0)].into_iter(), 0);
        assert_eq!((table.len(), table[0], table[65_535], table[1]), (65_536, 2, 1, -1));
        assert_eq!(positions([Some(2), Some(2)].into_iter(), 3), [-1, -1, 0]);
    }

    #[test]
    fn views_that_are_too_large_are_counted() {
        // 60 bones fit into the view for 75; the views for 53 and 21 need combos beyond the 16-bit indices.
        for (combos, missing) in [(100, 0), (70_000, 2)] {
            let mut model = Model::new(Version::VANILLA);
            model.vertices = vec![Vertex { weights: [255, 0, 0, 0], ..Vertex::default() }; 3].into();
            model.bone_combos = vec![0; combos].into();
            let submesh =
                Submesh { vertex_count: 3, triangle_count: 3, bone_count: 60, ..Submesh::default() };
            let view = View {
                vertices: vec![0, 1, 2].into(),
                triangles: vec![0, 1, 2].into(),
                properties: vec![[0; 4]; 3].into(),
                submeshes: vec![submesh].into(),
                ..View::default()
            };
            model.views = vec![view].into();
            let mut report = Report::default();
            model.complete(&mut report);
            assert_eq!(model.views.len(), 4 - missing);
            let notes: Vec<String> = report.notes().iter().map(|note| note.message.to_string()).collect();
            let expected: &[&str] =
                if missing == 0 { &[] } else { &["2 views for fewer bones are too large"] };
            assert_eq!(notes, expected);
        }
        let mut empty = Model::new(Version::WRATH);
        let mut report = Report::default();
        empty.complete(&mut report);
        assert!(report.is_empty() && empty.skins.is_empty(), "{report}");
    }
}

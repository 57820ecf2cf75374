//! The model that is shown in the corner of the screen: the same one, with a camera and its portrait sequences only.

use effigy_mdx::{Camera, Model};
use effigy_wire::FixedStr;

/// Field of view of a camera that was made, radians.
pub(super) const FIELD: f32 = 0.7;

/// Where a camera is that looks at the head of a model of this height, and at what it looks.
pub(super) fn at_head(height: f32, head: Option<[f32; 3]>) -> [[f32; 3]; 2] {
    let target = head.unwrap_or([0.0, 0.0, height * 0.85]);
    let [x, y, z] = target;
    [[x + height.max(1.0) * 1.2, y - height * 0.15, z], target]
}

/// A model for the portrait. A camera is made where the model has none.
#[must_use]
pub fn portrait(model: &Model) -> Model {
    let mut made = model.clone();
    let starts =
        |name: &str, word: &str| name.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    let has = made.sequences.iter().any(|it| starts(&it.name.text(), "portrait"));
    let word = if has { "portrait" } else { "stand" };
    made.sequences.retain(|it| starts(&it.name.text(), word));
    if !has {
        for sequence in &mut made.sequences {
            sequence.name = FixedStr::truncated("Portrait");
        }
    }
    if made.cameras.is_empty() {
        let extent = made.sequences.first().map(|it| it.extent.clone()).unwrap_or_default();
        let height = extent.max[2];
        let head = made.attachments.iter().find(|it| starts(&it.node.name.text(), "head"));
        let head =
            head.and_then(|it| usize::try_from(it.node.object_id).ok()).and_then(|id| made.pivots.get(id));
        let [position, target] = at_head(height, head.copied());
        made.cameras.push(Camera {
            name: FixedStr::truncated("Portrait"),
            position,
            field_of_view: FIELD,
            far_clip: height.max(1.0) * 20.0,
            near_clip: (height * 0.05).max(0.1),
            target,
            ..Camera::default()
        });
    }
    made
}

//! Views: in the model before 264, in `.skin` files from then on; and their data for sorting (260 on).

use super::aside::Aside;
use super::split::split;
use super::views_mut;
use crate::block::Block;
use crate::model::Model;
use crate::records::{Submesh, Vertex, View};
use crate::series::word;
use crate::skin::Skin;
use effigy_wire::{Report, Result};

/// Most bones of a submesh in the four views of older clients.
const BONE_LIMITS: [u32; 4] = [256, 75, 53, 21];

pub(super) fn to_skins(model: &mut Model, report: &mut Report) {
    detach(model);
    clear_shaders(model, report, "the order of drawing");
}

/// Moves the views from the skins into the model, and generates those that are missing.
pub(super) fn to_views(model: &mut Model, aside: Option<&Aside>, report: &mut Report) -> Result<()> {
    let skins = std::mem::take(&mut model.skins);
    for (index, skin) in skins.iter().enumerate().filter(|(_, skin)| !skin.shadows().is_empty()) {
        let message = format!("{} batches that cast shadows", skin.shadows().len());
        report.dropped(format!("skins[{index}].shadows"), message);
    }
    let stated = std::mem::take(&mut model.skin_count);
    if skins.is_empty() && stated > 0 {
        report.dropped("views", format!("{stated} .skin files are not attached"));
    }
    model.contents.views = skins.into_iter().map(|skin| skin.view().clone()).collect();
    clear_shaders(model, report, "the shader");
    let wanted = aside.map_or(BONE_LIMITS.len(), |aside| aside.views as usize);
    if model.contents.views.is_empty() {
        return Ok(());
    }
    if aside.is_none() {
        for (view, usual) in model.contents.views.iter_mut().zip(BONE_LIMITS) {
            let most = view.submeshes.iter().map(|it| u32::from(it.bone_count)).max().unwrap_or(0);
            let fits = BONE_LIMITS.into_iter().rev().find(|limit| *limit >= most.max(usual));
            if view.bone_limit == 0 {
                view.bone_limit = fits.unwrap_or(BONE_LIMITS[0]);
            }
        }
    }
    let have = model.contents.views.len();
    for &limit in BONE_LIMITS.get(have.min(wanted)..wanted.min(BONE_LIMITS.len())).unwrap_or_default() {
        let view = split(&mut model.contents, limit)?;
        model.contents.views.push(view);
    }
    if model.contents.views.len() > have {
        report.rebuilt("views", "the views of older clients were split off the first one");
    }
    Ok(())
}

/// The views for fewer bones, split off the first one; returns how many of them are too large for their indices.
pub(super) fn generate(model: &mut Model) -> usize {
    let Some(first) = model.contents.views.first_mut() else { return 0 };
    let [most, fewer @ ..] = BONE_LIMITS;
    first.bone_limit = most;
    for (made, limit) in fewer.iter().enumerate() {
        match split(&mut model.contents, *limit) {
            Ok(view) => model.contents.views.push(view),
            Err(_) => return fewer.len().saturating_sub(made),
        }
    }
    0
}

/// Moves the views into skins.
pub(super) fn detach(model: &mut Model) {
    let views = std::mem::take(&mut model.contents.views);
    model.skins = views.iter().cloned().map(Skin::from).collect();
    model.skin_count = word(model.skins.len());
}

/// The word is a shader in 264 and a render order before. Neither can be converted, so it is set to 0.
fn clear_shaders(model: &mut Model, report: &mut Report, what: &str) {
    let mut cleared = 0_usize;
    for view in views_mut(model) {
        for batch in view.batches.iter_mut().filter(|batch| batch.shader != 0) {
            batch.shader = 0;
            cleared = cleared.saturating_add(1);
        }
    }
    if cleared > 0 {
        report.dropped("views.batches.shader", format!("{what} of {cleared} batches"));
    }
}

impl View {
    /// The sort centre and sort radius of a submesh, as original files of 260 to 264 have them.
    ///
    /// There are two candidates for the centre: `center` of the submesh, which is the mean of its vertices, and the centre
    /// of the box around them. The one whose farthest vertex is nearer is used; the radius is the distance of that vertex.
    #[must_use]
    pub fn sort_sphere(&self, submesh: &Submesh, vertices: &[Vertex]) -> ([f32; 3], f32) {
        let start = usize::from(submesh.vertex_start);
        let range = start..start.saturating_add(submesh.vertex_count.into());
        let indices = self.vertices.get(range).unwrap_or_default();
        let points = || indices.iter().filter_map(|&index| vertices.get(usize::from(index)));
        if points().next().is_none() {
            return ([0.0; 3], 0.0);
        }
        let mut low = [f32::INFINITY; 3];
        let mut high = [f32::NEG_INFINITY; 3];
        for vertex in points() {
            for ((low, high), &part) in low.iter_mut().zip(&mut high).zip(&vertex.position) {
                *low = if part < *low { part } else { *low };
                *high = if part > *high { part } else { *high };
            }
        }
        let mut middle = low;
        for (low, high) in middle.iter_mut().zip(high) {
            *low = (*low + high) * 0.5;
        }
        let square = |vertex: &Vertex, center: [f32; 3]| -> f32 {
            let parts = vertex.position.iter().zip(center);
            parts.map(|(part, center)| (part - center) * (part - center)).sum()
        };
        let (mut mean, mut boxed) = (0.0_f32, 0.0_f32);
        for vertex in points() {
            let (from_mean, from_middle) = (square(vertex, submesh.center), square(vertex, middle));
            mean = if from_mean > mean { from_mean } else { mean };
            boxed = if from_middle > boxed { from_middle } else { boxed };
        }
        let (mean, boxed) = (mean.sqrt(), boxed.sqrt());
        if mean < boxed { (submesh.center, mean) } else { (middle, boxed) }
    }
}

/// Adds the centre and radius for sorting that submeshes have from 260 on.
pub(super) fn add_sorting(model: &mut Model, report: &mut Report) {
    let vertices = model.contents.vertices.to_vec();
    let mut made = false;
    for view in views_mut(model) {
        let submeshes: Block<Submesh> = view
            .submeshes
            .iter()
            .map(|submesh| {
                let (sort_center, sort_radius) = view.sort_sphere(submesh, &vertices);
                Submesh { sort_center, sort_radius, ..submesh.clone() }
            })
            .collect();
        made |= !submeshes.is_empty();
        view.submeshes = submeshes;
    }
    if made {
        report.rebuilt("views.submeshes", "centre and radius for sorting were computed from the vertices");
    }
}

pub(super) fn drop_sorting(model: &mut Model, report: &mut Report) {
    let vertices = model.contents.vertices.to_vec();
    let mut odd = 0_usize;
    for view in views_mut(model) {
        let mut submeshes = std::mem::take(&mut view.submeshes);
        for submesh in &mut submeshes {
            if view.sort_sphere(submesh, &vertices) != (submesh.sort_center, submesh.sort_radius) {
                odd = odd.saturating_add(1);
            }
            submesh.sort_center = [0.0; 3];
            submesh.sort_radius = 0.0;
        }
        view.submeshes = submeshes;
    }
    if odd > 0 {
        report.dropped(
            "views.submeshes",
            format!("{odd} centres for sorting that do not follow from the vertices"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Batch;
    use crate::version::Version;

    fn notes(report: &Report) -> Vec<String> {
        report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect()
    }

    /// A triangle with 8 units at its base and 6 of height. Its box has the centre (4, 3), 5 units from each vertex of
    /// the base.
    fn triangle() -> (View, Vec<Vertex>) {
        let vertex = |x, y| Vertex { position: [x, y, 0.0], ..Vertex::default() };
        let view = View { vertices: vec![9, 3, 2, 1, 0].into(), ..View::default() };
        (view, vec![vertex(0.0, 0.0), vertex(8.0, 0.0), vertex(4.0, 6.0), vertex(99.0, 99.0)])
    }

    #[test]
    fn the_sort_sphere_has_the_candidate_with_the_nearer_farthest_vertex() {
        let (view, vertices) = triangle();
        for (center, expected) in [
            // The mean: the square of its distance to the base's vertices is 16 + 4.
            ([4.0, 2.0, 0.0], ([4.0, 2.0, 0.0], 20.0_f32.sqrt())),
            // As far from the top as the centre of the box from the base: the box is used.
            ([4.0, 1.0, 0.0], ([4.0, 3.0, 0.0], 5.0)),
            ([0.0, 0.0, 0.0], ([4.0, 3.0, 0.0], 5.0)),
        ] {
            let submesh = Submesh { vertex_start: 2, vertex_count: 3, center, ..Submesh::default() };
            assert_eq!(view.sort_sphere(&submesh, &vertices), expected, "{center:?}");
        }
        for (vertex_start, vertex_count) in [(2, 0), (9, 3), (0, 1)] {
            let submesh = Submesh { vertex_start, vertex_count, center: [1.0; 3], ..Submesh::default() };
            assert_eq!(view.sort_sphere(&submesh, &vertices), ([0.0; 3], 0.0));
        }
    }

    #[test]
    fn spheres_for_sorting_are_added_and_those_that_follow_go_without_a_word() {
        let (view, vertices) = triangle();
        let submesh =
            Submesh { vertex_start: 2, vertex_count: 3, center: [4.0, 2.0, 0.0], ..Submesh::default() };
        let mut model = Model::new(Version::VANILLA);
        let mut report = Report::default();
        add_sorting(&mut model, &mut report);
        assert!(report.is_empty());
        model.vertices = vertices.into();
        model.views = vec![View { submeshes: vec![submesh.clone(), submesh].into(), ..view }].into();
        add_sorting(&mut model, &mut report);
        assert_eq!(report.notes().len(), 1);
        let found = &model.views[0].submeshes[1];
        assert_eq!((found.sort_center, found.sort_radius), ([4.0, 2.0, 0.0], 20.0_f32.sqrt()));
        let mut odd = model.clone();
        odd.views[0].submeshes[0].sort_radius = 1.0;
        for (mut model, expected) in [
            (model, &[][..]),
            (odd, &["views.submeshes: 1 centres for sorting that do not follow from the vertices"]),
        ] {
            let mut report = Report::default();
            drop_sorting(&mut model, &mut report);
            assert_eq!(notes(&report), expected);
            for submesh in &model.views[0].submeshes {
                assert_eq!((submesh.sort_center, submesh.sort_radius), ([0.0; 3], 0.0));
            }
        }
    }

    #[test]
    fn skins_become_views_and_missing_ones_are_split_off() {
        let skin = |bone_limit| Skin::from(View { bone_limit, ..View::default() });
        let kept = Aside { views: 2, ..Aside::default() };
        let split = "views: the views of older clients were split off the first one".to_owned();
        for (limits, aside, expected, notes_of) in [
            (&[][..], None, &[][..], vec![]),
            (&[0], None, &[256, 75, 53, 21], vec![split.clone()]),
            (&[64], None, &[64, 75, 53, 21], vec![split.clone()]),
            (&[0, 75, 53, 21], None, &[256, 75, 53, 21], vec![]),
            (&[256, 0, 0, 0], None, &[256, 75, 53, 21], vec![]),
            (&[0], Some(&kept), &[0, 75], vec![split]),
            (&[0, 1, 2], Some(&kept), &[0, 1, 2], vec![]),
        ] {
            let mut model = Model::new(Version::WRATH);
            model.skins = limits.iter().map(|&limit| skin(limit)).collect();
            model.skin_count = word(limits.len());
            let mut report = Report::default();
            to_views(&mut model, aside, &mut report).unwrap();
            let found: Vec<u32> = model.contents.views.iter().map(|view| view.bone_limit).collect();
            assert_eq!((found.as_slice(), notes(&report)), (expected, notes_of), "{limits:?}");
            assert_eq!((model.skins.len(), model.skin_count), (0, 0));
        }
        // A limit below the bones of a submesh would be untrue.
        let mut large = View::default();
        large.submeshes.push(Submesh { bone_count: 60, ..Submesh::default() });
        let mut model = Model::new(Version::WRATH);
        model.skins = vec![Skin::from(large.clone()), Skin::from(large.clone()), Skin::from(large)];
        to_views(&mut model, None, &mut Report::default()).unwrap();
        let found: Vec<u32> = model.contents.views.iter().map(|view| view.bone_limit).collect();
        assert_eq!(found, [256, 75, 75, 21]);
        let mut model = Model::new(Version::WRATH);
        model.skin_count = 2;
        let mut report = Report::default();
        to_views(&mut model, None, &mut report).unwrap();
        assert_eq!(notes(&report), ["views: 2 .skin files are not attached"]);
    }

    #[test]
    fn shaders_are_cleared_and_counted() {
        let batch = |shader| Batch { shader, ..Batch::default() };
        for (shaders, expected) in [
            ([0, 0, 0], &[][..]),
            ([1, 0, 0x8000], &["views.batches.shader: the order of drawing of 2 batches"]),
        ] {
            let mut model = Model::new(Version::VANILLA);
            let view = View { batches: shaders.into_iter().map(batch).collect(), ..View::default() };
            model.views = vec![view].into();
            let mut report = Report::default();
            to_skins(&mut model, &mut report);
            assert_eq!(notes(&report), expected);
            assert_eq!((model.contents.views.len(), model.skins.len(), model.skin_count), (0, 1, 1));
            assert!(model.skins[0].batches.iter().all(|batch| batch.shader == 0));
        }
    }
}

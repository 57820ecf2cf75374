//! Levels of detail: far away, the last vertices of a surface are replaced by earlier ones.

use crate::{Model, Surface};

/// The share of the vertices that the games draw for a body of this size on the screen: `projected` is its radius as a
/// share of the screen's height. `scale` and `bias` are the player's settings (5 and 0 unless changed).
#[must_use]
pub fn share(model: &Model, projected: f32, scale: f32, bias: f32) -> f32 {
    let share = projected * scale * model.lod_scale - (0.25 * bias + model.lod_bias);
    share.clamp(0.0, 1.0)
}

impl Surface {
    /// The number of vertices that are drawn for a share from [`share`]. Corpses ignore the least number.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut as in the games; 0 to 1")]
    pub fn drawn_vertices(&self, share: f32, corpse: bool) -> usize {
        let count = self.vertices.len();
        let wanted = (count as f32 * share.clamp(0.0, 1.0)) as usize;
        let least = if corpse { 0 } else { usize::try_from(self.min_lod).unwrap_or(0) };
        wanted.max(least).min(count)
    }

    /// The triangles that remain when only the first vertices are drawn. Triangles that collapse are left out, and so are
    /// those with a vertex that does not exist.
    #[must_use]
    pub fn collapsed(&self, vertices: usize) -> Vec<[u32; 3]> {
        let mut replaced: Vec<u32> = Vec::with_capacity(self.vertices.len());
        for (index, entry) in self.collapse_map.iter().enumerate() {
            let own = u32::try_from(index).unwrap_or(u32::MAX);
            // An entry that is not smaller than its vertex would be read before it is known: the vertex stays.
            let earlier = usize::try_from(*entry).ok().and_then(|entry| replaced.get(entry).copied());
            replaced.push(if index < vertices { own } else { earlier.unwrap_or(own) });
        }
        let corners = |triangle: &[u32; 3]| {
            let mut corners = [0; 3];
            for (corner, index) in corners.iter_mut().zip(triangle) {
                *corner = *replaced.get(*index as usize)?;
            }
            let [a, b, c] = corners;
            (a != b && b != c && c != a).then_some(corners)
        };
        self.triangles.iter().filter_map(corners).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Vertex};

    fn fan() -> Surface {
        Surface {
            vertices: vec![Vertex::default(); 5],
            triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 4]],
            collapse_map: vec![0, 0, 1, 2, 3],
            min_lod: 3,
            ..Surface::default()
        }
    }

    #[test]
    fn vertices_collapse_along_the_map_and_flat_triangles_vanish() {
        let surface = fan();
        assert_eq!(surface.collapsed(5), surface.triangles);
        assert_eq!(surface.collapsed(4), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(surface.collapsed(3), [[0, 1, 2]]);
        assert!(surface.collapsed(2).is_empty());
    }

    #[test]
    fn the_least_number_of_vertices_holds_for_the_living_only() {
        let surface = fan();
        assert_eq!(surface.drawn_vertices(0.1, false), 3);
        assert_eq!(surface.drawn_vertices(0.1, true), 0);
        assert_eq!(surface.drawn_vertices(0.9, false), 4);
        assert_eq!(surface.drawn_vertices(7.0, false), 5);
    }

    #[test]
    fn a_bias_of_minus_one_draws_everything() {
        let mut model = Model::new(Format::Mds);
        assert_eq!(share(&model, 0.1, 5.0, 0.0), 0.5);
        assert_eq!(share(&model, 0.1, 5.0, 1.0), 0.25);
        model.lod_bias = -1.0;
        assert_eq!(share(&model, 0.0, 5.0, 0.0), 1.0);
    }
}

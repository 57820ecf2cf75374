//! What each game accepts.
//!
//! The games enforce the version and the numbers of vertices and triangles of a surface. Everything else in [`NOMINAL`] is
//! the size of an array that they fill without looking.

use crate::{Format, Model};

/// A game, or a version of one, with limits of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name of the game.
    pub name: &'static str,
    /// Maximum number of vertices in a surface.
    pub vertices: usize,
    /// Maximum number of vertex indices (three per triangle) in a surface.
    pub indices: usize,
    /// The formats that it loads.
    pub formats: &'static [Format],
}

/// Return to Castle Wolfenstein.
pub const RTCW: Game =
    Game { name: "Return to Castle Wolfenstein", vertices: 4000, indices: 24000, formats: &[Format::Mds] };
/// The multiplayer part of Return to Castle Wolfenstein, as iortcw builds it.
pub const RTCW_MP: Game =
    Game { name: "iortcw multiplayer", vertices: 999, indices: 6000, formats: &[Format::Mds] };
/// Wolfenstein: Enemy Territory.
pub const ET: Game = Game { name: "Enemy Territory", vertices: 1025, indices: 6150, formats: &Format::ALL };
/// ET: Legacy.
pub const ET_LEGACY: Game =
    Game { name: "ET: Legacy", vertices: 10000, indices: 60000, formats: &Format::ALL };

/// The games, oldest first.
pub const GAMES: [Game; 4] = [RTCW, RTCW_MP, ET, ET_LEGACY];

/// Sizes of the games' arrays, which a file may overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nominal {
    /// Bones of a model.
    pub bones: usize,
    /// Tags of a model.
    pub tags: usize,
    /// Surfaces of a model.
    pub surfaces: usize,
    /// Vertices of a surface, for the collapse map.
    pub vertices: usize,
}

/// Sizes of the games' arrays.
pub const NOMINAL: Nominal = Nominal { bones: 128, tags: 128, surfaces: 32, vertices: 6000 };

impl Game {
    /// Why the game refuses a model; `None` if it loads the model.
    #[must_use]
    pub fn refuses(&self, model: &Model) -> Option<String> {
        if !self.formats.contains(&model.format) {
            return Some(format!("{} does not load {}", self.name, model.format));
        }
        model.surfaces.iter().enumerate().find_map(|(index, surface)| {
            let (vertices, indices) = (surface.vertices.len(), surface.triangles.len().saturating_mul(3));
            let (what, count, most) = if vertices > self.vertices {
                ("vertices", vertices, self.vertices)
            } else if indices > self.indices {
                ("indices", indices, self.indices)
            } else {
                return None;
            };
            Some(format!("surfaces[{index}] has {count} {what}, {} loads up to {most}", self.name))
        })
    }
}

impl Model {
    /// The games that load the model.
    #[must_use]
    pub fn accepted_by(&self) -> Vec<&'static str> {
        let loads = |game: &&Game| game.refuses(self).is_none();
        GAMES.iter().filter(loads).map(|game| game.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Surface, Vertex};

    #[test]
    fn limits_differ_between_games() {
        let with =
            |vertices: usize| Surface { vertices: vec![Vertex::default(); vertices], ..Surface::default() };
        for (vertices, games) in [(999, 4), (1000, 3), (1025, 3), (1026, 2), (4000, 2), (4001, 1), (10001, 0)]
        {
            let model = Model { surfaces: vec![with(vertices)], ..Model::new(Format::Mds) };
            assert_eq!(model.accepted_by().len(), games, "{vertices} vertices");
        }
        let triangles = Surface { triangles: vec![[0; 3]; 2051], ..with(10) };
        let model = Model { surfaces: vec![triangles], ..Model::new(Format::Mds) };
        assert_eq!(model.accepted_by(), ["Return to Castle Wolfenstein", "ET: Legacy"]);
        assert_eq!(Model::new(Format::Mdm).accepted_by(), ["Enemy Territory", "ET: Legacy"]);
    }
}

//! What each game accepts. These are the only limits that the games enforce on a surface.

use crate::Model;

/// A game, or a version of one, with limits of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name of the game.
    pub name: &'static str,
    /// Maximum number of vertices in a surface.
    pub vertices: usize,
    /// Maximum number of vertex indices (three per triangle) in a surface.
    pub indices: usize,
    /// Maximum number of levels of detail that the game looks for, including the model itself.
    pub lods: usize,
    /// Whether a surface exactly at the limit is refused as well.
    pub exclusive: bool,
}

/// Return to Castle Wolfenstein.
pub const RTCW: Game =
    Game { name: "Return to Castle Wolfenstein", vertices: 4000, indices: 24000, lods: 3, exclusive: false };
/// The multiplayer part of Return to Castle Wolfenstein, as iortcw builds it.
pub const RTCW_MP: Game =
    Game { name: "iortcw multiplayer", vertices: 1000, indices: 6000, lods: 1, exclusive: true };
/// Wolfenstein: Enemy Territory.
pub const ET: Game =
    Game { name: "Enemy Territory", vertices: 1025, indices: 6150, lods: 4, exclusive: false };
/// ET: Legacy.
pub const ET_LEGACY: Game =
    Game { name: "ET: Legacy", vertices: 10000, indices: 60000, lods: 4, exclusive: false };

/// The games, oldest first.
pub const GAMES: [Game; 4] = [RTCW, RTCW_MP, ET, ET_LEGACY];

impl Game {
    /// Why the game refuses a model; `None` if it loads the model.
    #[must_use]
    pub fn refuses(&self, model: &Model) -> Option<String> {
        let beyond = |count: usize, most: usize| count > most || (self.exclusive && count == most);
        model.surfaces.iter().enumerate().find_map(|(index, surface)| {
            let (vertices, indices) = (surface.vertex_count(), surface.triangles.len().saturating_mul(3));
            if beyond(vertices, self.vertices) {
                Some(format!(
                    "surfaces[{index}] has {vertices} vertices, {} loads up to {}",
                    self.name, self.vertices
                ))
            } else if beyond(indices, self.indices) {
                Some(format!(
                    "surfaces[{index}] has {indices} indices, {} loads up to {}",
                    self.name, self.indices
                ))
            } else {
                None
            }
        })
    }
}

impl Model {
    /// The games that load the model. All of them support both formats.
    #[must_use]
    pub fn accepted_by(&self) -> Vec<&'static str> {
        let loads = |game: &&Game| game.refuses(self).is_none();
        GAMES.iter().filter(loads).map(|game| game.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Frame, Surface};

    #[test]
    fn limits_differ_between_games() {
        let mut model = Model::new(Format::Md3);
        model.frames.push(Frame::default());
        let with = |vertices: usize| Surface { texcoords: vec![[0.0; 2]; vertices], ..Surface::default() };
        for (vertices, games) in [(999, 4), (1000, 3), (1025, 3), (1026, 2), (4000, 2), (4001, 1), (10001, 0)]
        {
            model.surfaces = vec![with(vertices)];
            assert_eq!(model.accepted_by().len(), games, "{vertices} vertices");
        }
        model.surfaces = vec![Surface { triangles: vec![[0; 3]; 2051], ..with(10) }];
        assert_eq!(model.accepted_by(), ["Return to Castle Wolfenstein", "ET: Legacy"]);
    }
}

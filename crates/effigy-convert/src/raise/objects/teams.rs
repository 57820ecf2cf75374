//! Materials with the player's colour, by their names.

use super::super::Names;
use super::super::words::{without_copy_number, words};
use super::{chosen, units};
use effigy_scene::{Animated, Blend, Id, Layer, LayerTexture, Material, Replaceable, Role, Scene, Texture};
use effigy_wire::Report;

/// What the game puts into a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::raise) enum Team {
    Color,
    Glow,
}

impl Team {
    /// What a text means, such as `team colour`, `TeamGlow`; none: neither.
    pub(in crate::raise) fn from_text(text: &str) -> Option<Self> {
        let words = words(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let has = |whole: &str| {
            let parts = whole.split_at_checked(4).map(|(team, what)| [team, what]);
            words.contains(&whole) || parts.is_some_and(|parts| words.windows(2).any(|pair| pair == parts))
        };
        if has("teamcolor") || has("teamcolour") {
            return Some(Self::Color);
        }
        has("teamglow").then_some(Self::Glow)
    }

    /// Its name in files of names.
    pub(in crate::raise) const fn name(self) -> &'static str {
        match self {
            Self::Color => "team colour",
            Self::Glow => "team glow",
        }
    }
}

/// What a material is taken for.
pub(in crate::raise) fn team(scene: &Scene, names: &Names, material: &Material) -> Option<Team> {
    match chosen(&names.materials, &material.name) {
        Some(text) => Team::from_text(text),
        None if units::format(scene) == "gltf" => Team::from_text(without_copy_number(&material.name)),
        None => None,
    }
}

/// The materials that the player's colour belongs into.
pub(super) fn found(scene: &Scene, names: &Names) -> Vec<(Id<Material>, Team)> {
    let all = scene.materials.iter();
    all.filter_map(|(id, material)| Some((id, team(scene, names, material)?))).collect()
}

pub(super) fn apply(scene: &mut Scene, found: &[(Id<Material>, Team)], report: &mut Report) {
    let (mut color, mut glow) = (None, None);
    for (id, team) in found {
        let (texture, replaceable) = match team {
            Team::Color => (&mut color, Replaceable::TeamColor),
            Team::Glow => (&mut glow, Replaceable::TeamGlow),
        };
        let texture = *texture.get_or_insert_with(|| {
            let same = |it: &Texture| it.replaceable == Some(replaceable);
            let known = scene.textures.iter().find(|(_, it)| same(it)).map(|(id, _)| id);
            let new = Texture { replaceable: Some(replaceable), ..Texture::default() };
            known.unwrap_or_else(|| scene.textures.push(new))
        });
        let Some(material) = scene.materials.get_mut(*id) else { continue };
        let what = match team {
            Team::Color => "the player's colour",
            Team::Glow => "the player's glow",
        };
        let skin = material.layers.iter().any(|layer| layer.texture(Role::Base).is_some());
        let text = match team {
            Team::Color if skin => {
                format!("{what} by its name; it shows where the texture is transparent")
            }
            _ => format!("{what} by its name"),
        };
        report.rebuilt(material.name.as_str(), text);
        if material.physical {
            let text =
                format!("{what} is drawn by the classic shader, without normal, roughness and metal maps");
            report.dropped(material.name.as_str(), text);
        }
        *material = made(material, *team, texture);
    }
}

fn made(source: &Material, team: Team, texture: Id<Texture>) -> Material {
    let first = source.layers.first().cloned().unwrap_or_default();
    let below = Layer {
        blend: if team == Team::Glow { Blend::AddAlpha } else { Blend::Opaque },
        alpha_test: 0.0,
        textures: vec![LayerTexture { texture: Some(texture), ..LayerTexture::default() }],
        // The colour of the source stands for the player's.
        color: Animated::fixed([1.0; 3]),
        alpha: Animated::fixed(1.0),
        color_alpha: Animated::fixed(1.0),
        unlit: true,
        no_depth_write: team == Team::Glow,
        ..first
    };
    let mut layers = vec![below];
    if team == Team::Color {
        // The skin is drawn over it, with holes; what has no texture would only hide it.
        let textured = |layer: &&Layer| layer.texture(Role::Base).is_some_and(|it| it.texture.is_some());
        layers.extend(source.layers.iter().filter(textured).cloned().map(|layer| {
            let solid = matches!(layer.blend, Blend::Opaque | Blend::AlphaKey);
            let textures = layer.textures.into_iter().filter(|it| it.role == Role::Base).collect();
            let (blend, alpha_test) =
                if solid { (Blend::Alpha, 0.0) } else { (layer.blend, layer.alpha_test) };
            Layer { blend, alpha_test, textures, ..layer }
        }));
    }
    // No plane is turned to the eye: which side of it is the front is not known.
    Material { layers, physical: false, ..source.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_materials_mean_teams() {
        for (name, expected) in [
            ("TeamColor", Some(Team::Color)),
            ("Armor_TeamColor.001", Some(Team::Color)),
            ("team colour", Some(Team::Color)),
            ("teamcolor", Some(Team::Color)),
            ("Hero TeamGlow 2", Some(Team::Glow)),
            ("Steam Color", None),
            ("Team", None),
            ("Color", None),
            ("TeamRed Color", None),
            ("", None),
        ] {
            assert_eq!(Team::from_text(name), expected, "{name}");
        }
        for team in [Team::Color, Team::Glow] {
            assert_eq!(Team::from_text(team.name()), Some(team));
        }
    }

    fn layer(texture: Option<u32>, blend: Blend) -> Layer {
        let texture =
            texture.map(|at| LayerTexture { texture: Some(Id::new(at)), ..LayerTexture::default() });
        let color = Animated::fixed([0.5, 0.0, 0.0]);
        Layer { blend, alpha_test: 0.5, textures: texture.into_iter().collect(), color, ..Layer::default() }
    }

    #[test]
    fn the_players_colour_is_below_the_skin_and_shows_through_its_holes() {
        let mut skin = layer(Some(3), Blend::AlphaKey);
        let normal = LayerTexture { role: Role::Normal, ..LayerTexture::default() };
        skin.textures.push(normal);
        skin.two_sided = true;
        let glow = layer(Some(4), Blend::Add);
        let layers = vec![skin.clone(), layer(None, Blend::Add), glow.clone()];
        let source = Material { name: "TeamColor".into(), physical: true, layers, ..Material::default() };
        let material = made(&source, Team::Color, Id::new(9));
        assert!(!material.physical);
        let [below, over, light] = &material.layers[..] else { panic!("{:?}", material.layers) };
        let found = (below.blend, below.alpha_test, below.unlit, below.two_sided, below.no_depth_write);
        assert_eq!(found, (Blend::Opaque, 0.0, true, true, false));
        assert_eq!((&below.color, below.textures[0].texture), (&Animated::fixed([1.0; 3]), Some(Id::new(9))));
        let base = skin.textures[0].clone();
        assert_eq!(*over, Layer { blend: Blend::Alpha, alpha_test: 0.0, textures: vec![base], ..skin });
        assert_eq!(*light, glow);
        // Without a texture there is nothing over it.
        let plain = Material { layers: vec![layer(None, Blend::Alpha)], ..Material::default() };
        assert_eq!(made(&plain, Team::Color, Id::new(0)).layers.len(), 1);
        let [glow] = &made(&plain, Team::Glow, Id::new(0)).layers[..] else { panic!("one layer") };
        assert_eq!((glow.blend, glow.unlit, glow.no_depth_write), (Blend::AddAlpha, true, true));
    }

    #[test]
    fn only_the_user_gives_materials_of_games_a_team() {
        let names = |list: &[(&str, &str)]| Names {
            materials: list.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect(),
            ..Names::default()
        };
        let mut scene = Scene::default();
        for name in ["TeamColor.001", "Gold", "TeamColor.001"] {
            scene.materials.push(Material { name: name.into(), ..Material::default() });
        }
        assert!(found(&scene, &Names::default()).is_empty());
        let chosen = names(&[("Gold", "Team Glow"), ("TeamColor", "")]);
        assert_eq!(found(&scene, &chosen), [(Id::new(1), Team::Glow)]);
        scene.extras.set("format", "gltf");
        assert_eq!(found(&scene, &chosen), [(Id::new(1), Team::Glow)]);
        let both = [(Id::new(0), Team::Color), (Id::new(2), Team::Color)];
        assert_eq!(found(&scene, &Names::default()), both);
        let mut report = Report::default();
        apply(&mut scene, &both, &mut report);
        // Both have the same texture.
        let textures: Vec<_> = scene.textures.as_slice().iter().map(|it| it.replaceable).collect();
        assert_eq!(textures, [Some(Replaceable::TeamColor)]);
        let notes: Vec<String> =
            report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect();
        assert_eq!(notes, ["TeamColor.001: the player's colour by its name"; 2]);
    }

    #[test]
    fn maps_that_the_classic_shader_does_not_have_are_reported() {
        let notes = |physical: bool| {
            let mut scene = Scene::default();
            let id =
                scene.materials.push(Material { name: "TeamColor".into(), physical, ..Material::default() });
            let mut report = Report::default();
            apply(&mut scene, &[(id, Team::Color)], &mut report);
            assert!(scene.materials.as_slice().iter().all(|it| !it.physical));
            report.notes().iter().map(|note| note.message.to_string()).collect::<Vec<_>>()
        };
        let text =
            "the player's colour is drawn by the classic shader, without normal, roughness and metal maps";
        assert_eq!(notes(true).last().map(String::as_str), Some(text));
        assert_eq!(notes(false).len(), 1);
    }
}

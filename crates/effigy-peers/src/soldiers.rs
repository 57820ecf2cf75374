//! The whole soldiers that are exported and compared: bodies with head, helmet, backpack and weapon.

use effigy_testkit::{SOLDIERS, require};

/// A soldier: his name, and what is opened, a player folder or a character file.
const LIST: [(&str, &str); 3] = [
    ("soldier-multi", "rtcw-mp/models/players/multi"),
    ("soldier-murphy", "rtcw-sp/models/players/murphy"),
    ("soldier-et", "et/characters/temperate/allied/soldier.char"),
];
/// The weapon of all of them.
const THOMPSON: &str = "rtcw-mp/models/weapons2/thompson/thompson.mdc";

/// A soldier with the paths of his files.
pub(crate) struct Soldier {
    pub name: &'static str,
    /// The player folder or character file.
    pub path: String,
    /// `PLACE=FILE` of his weapon.
    pub weapon: String,
}

/// The soldiers; none, which is recorded, where their files are missing.
pub(crate) fn all() -> Vec<Soldier> {
    let folder = match SOLDIERS.find() {
        Ok(folder) => folder,
        Err(why) => {
            require(SOLDIERS.name, false, &why);
            return Vec::new();
        }
    };
    let path = |name: &str| folder.join(name).display().to_string();
    let weapon = format!("tag_weapon={}", path(THOMPSON));
    LIST.iter().map(|(name, own)| Soldier { name, path: path(own), weapon: weapon.clone() }).collect()
}

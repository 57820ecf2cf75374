//! Bones: key bones by number, and names by the CRC-32 that 264 stores.
//!
//! The checksum is that of zlib over the name. Names are recovered from a dictionary: key bones, events, attachments,
//! parts of a body with side and number, and the default names of modelling programs. It has a name for 149 of the 380
//! different bones in the real files that were examined.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The name of a key bone.
#[must_use]
pub fn key_bone(id: i32) -> Option<&'static str> {
    KEY_BONES.get(usize::try_from(id).ok()?).copied()
}

/// The number of a key bone by its name, in upper or lower case.
#[must_use]
pub fn key_bone_id(name: &str) -> Option<i32> {
    let at = KEY_BONES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
    i32::try_from(at).ok()
}

/// The CRC-32 of a bone's name, as 264 stores it.
#[must_use]
pub const fn bone_crc(name: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    let mut rest = name;
    while let Some((&byte, after)) = rest.split_first() {
        crc ^= byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            bit = 1 + bit;
        }
        rest = after;
    }
    !crc
}

/// The name of a bone by its CRC-32, when the dictionary has it.
#[must_use]
pub fn bone(crc: u32) -> Option<&'static str> {
    DICTIONARY.get(&crc).map(String::as_str)
}

#[rustfmt::skip]
const KEY_BONES: [&str; 35] = [
    "ArmL", "ArmR", "ShoulderL", "ShoulderR", "SpineLow", "Waist", "Head", "Jaw", "IndexR", "MiddleR", "PinkyR",
    "RingR", "ThumbR", "IndexL", "MiddleL", "PinkyL", "RingL", "ThumbL", "$BTH", "$CSR", "$CSL", "_Breath", "_Name",
    "_NameMount", "$CHD", "$CCH", "Root", "Wheel1", "Wheel2", "Wheel3", "Wheel4", "Wheel5", "Wheel6", "Wheel7",
    "Wheel8",
];

/// Parts of bodies, of clothes and of helpers.
#[rustfmt::skip]
const PARTS: [&str; 66] = [
    "Root", "Main", "Base", "Body", "Torso", "Spine", "SpineLow", "SpineMid", "SpineUp", "Neck", "Head", "Helm",
    "Face", "Jaw", "Chin", "Lip", "Tongue", "Nose", "Cheek", "Brow", "Eye", "Eyelid", "Ear", "Hair", "Beard", "Braid",
    "Chest", "Back", "Breath", "Waist", "Belt", "Pelvis", "Hip", "Thigh", "Calf", "Shin", "Leg", "Knee", "Ankle",
    "Foot", "Heel", "Toe", "Clavicle", "Shoulder", "Arm", "Forearm", "Elbow", "Wrist", "Hand", "Thumb", "Index",
    "Middle", "Ring", "Pinky", "Finger", "Wing", "Tail", "Cape", "Cloak", "Cloth", "Skirt", "Loin", "Shield",
    "Weapon", "Mount", "Wheel",
];

const SIDES: [&str; 5] = ["", "L", "R", "_L", "_R"];
const PROGRAMS: [&str; 6] = ["Object", "Box", "Bone", "Dummy", "Plane", "Line"];

static DICTIONARY: LazyLock<BTreeMap<u32, String>> = LazyLock::new(|| {
    let mut names: Vec<String> = KEY_BONES.iter().map(|&name| name.to_owned()).collect();
    names.extend(super::place::EVENTS.iter().map(|(id, _)| (*id).to_owned()));
    for (start, _) in super::place::EVENT_FAMILIES {
        names.extend((0..10).map(|digit| format!("{start}{digit}")));
    }
    for part in PARTS {
        for side in SIDES {
            for start in ["", "_"] {
                names.push(format!("{start}{part}{side}"));
            }
            for number in 0..10 {
                names.push(format!("{part}{side}{number}"));
                names.push(format!("{part}{side}{number:02}"));
            }
        }
    }
    for program in PROGRAMS {
        names.extend((1..400).map(|number| format!("{program}{number:02}")));
    }
    let mut dictionary = BTreeMap::new();
    for name in names {
        dictionary.entry(bone_crc(name.as_bytes())).or_insert(name);
    }
    dictionary
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_real_files() {
        for (crc, name) in [
            (0xB6C6_5665, "Root"),
            (0x07C1_59A2, "Head"),
            (0xDBF7_1B1F, "Waist"),
            (0x0266_8CBB, "SpineLow"),
            (0xC4A4_AD56, "_Breath"),
            (0xA334_A123, "_Name"),
            (0xDF9B_0188, "$CCH"),
        ] {
            assert_eq!(bone_crc(name.as_bytes()), crc, "{name}");
            assert_eq!(bone(crc), Some(name));
        }
        assert_eq!(bone(0), None);
        assert_eq!((key_bone(26), key_bone(-1), key_bone(35)), (Some("Root"), None, None));
        let ids = ["ArmL", "root", "WHEEL8", "Object01"].map(key_bone_id);
        assert_eq!(ids, [Some(0), Some(26), Some(34), None]);
    }
}

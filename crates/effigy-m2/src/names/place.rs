//! Attachment points by number, events by their four letters.

use effigy_wire::Tag;

/// The name of an attachment point.
#[must_use]
pub fn attachment(id: u32) -> Option<&'static str> {
    ATTACHMENTS.get(usize::try_from(id).ok()?).copied()
}

/// The meaning of an event.
#[must_use]
pub fn event(id: Tag) -> Option<&'static str> {
    let text = std::str::from_utf8(&id.0).ok()?;
    let known = EVENTS.iter().find(|(known, _)| *known == text).map(|(_, meaning)| *meaning);
    known.or_else(|| {
        let (start, digit) = text.split_at_checked(3)?;
        let family = EVENT_FAMILIES.iter().find(|(family, _)| *family == start)?;
        digit.chars().all(|digit| digit.is_ascii_digit()).then_some(family.1)
    })
}

#[rustfmt::skip]
const ATTACHMENTS: [&str; 47] = [
    "Shield", "HandRight", "HandLeft", "ElbowRight", "ElbowLeft", "ShoulderRight", "ShoulderLeft", "KneeRight",
    "KneeLeft", "HipRight", "HipLeft", "Helm", "Back", "ShoulderFlapRight", "ShoulderFlapLeft", "ChestBloodFront",
    "ChestBloodBack", "Breath", "PlayerName", "Base", "Head", "SpellLeftHand", "SpellRightHand", "Special1",
    "Special2", "Special3", "SheathMainHand", "SheathOffHand", "SheathShield", "PlayerNameMounted", "LargeWeaponLeft",
    "LargeWeaponRight", "HipWeaponLeft", "HipWeaponRight", "Chest", "HandArrow", "Bullet", "SpellHandOmni",
    "SpellHandDirected", "VehicleSeat1", "VehicleSeat2", "VehicleSeat3", "VehicleSeat4", "VehicleSeat5",
    "VehicleSeat6", "VehicleSeat7", "VehicleSeat8",
];

/// Events by their letters.
pub(super) const EVENTS: &[(&str, &str)] = &[
    ("$DTH", "death thud"),
    ("$HIT", "hit"),
    ("$CAH", "attack hold"),
    ("$CSS", "weapon swoosh"),
    ("$CST", "release spell, both hands"),
    ("$CSR", "release spell, right hand"),
    ("$CSL", "release spell, left hand"),
    ("$CPP", "parry"),
    ("$CSD", "emote sound"),
    ("$ESD", "emote state sound"),
    ("$BTH", "breath"),
    ("$BWP", "bow pull"),
    ("$BWR", "bow release"),
    ("$TRD", "trade sound"),
    ("$SHL", "sheathe left"),
    ("$SHR", "sheathe right"),
    ("$FSD", "footfall"),
    ("$FDX", "stand sound"),
    ("$BRT", "birth"),
    ("$SCD", "directed cast"),
    ("$AIM", "missile origin"),
    ("$CCH", "fishing string"),
    ("$CHD", "head"),
    ("$CFM", "mount camera"),
    ("$CMA", "mount camera"),
    ("$DSO", "doodad sound, once"),
    ("$DSL", "doodad sound, loop"),
    ("$DSE", "doodad sound, end"),
    ("$SHK", "camera shake"),
    ("$SMD", "submerged"),
    ("$SMG", "submerge"),
    ("$SND", "sound"),
    ("$WNG", "wing flap"),
    ("$WGG", "wing glide"),
    ("$WTB", "weapon trail, bottom"),
    ("$WTT", "weapon trail, top"),
    ("$STB", "mount transition begins"),
    ("$STE", "mount transition ends"),
    ("$ALT", "display change"),
    ("POIN", "point"),
    ("WHEE", "wheel"),
    ("DEST", "destination"),
];

/// Events with a number behind three letters.
pub(super) const EVENT_FAMILIES: &[(&str, &str)] = &[
    ("$FL", "foot left, forward"),
    ("$FR", "foot right, forward"),
    ("$RL", "foot left, run"),
    ("$RR", "foot right, run"),
    ("$WL", "foot left, walk"),
    ("$WR", "foot right, walk"),
    ("$BL", "foot left, back"),
    ("$BR", "foot right, back"),
    ("$SL", "foot left, stop"),
    ("$SR", "foot right, stop"),
    ("$FD", "fidget"),
    ("$AH", "custom attack"),
    ("$GO", "game object sound, open"),
    ("$GC", "game object sound, close"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_events_have_their_names() {
        assert_eq!(attachment(11), Some("Helm"));
        assert_eq!(attachment(46), Some("VehicleSeat8"));
        assert_eq!(attachment(47), None);
        assert_eq!(event(Tag(*b"$DTH")), Some("death thud"));
        assert_eq!(event(Tag(*b"$FL1")), Some("foot left, forward"));
        assert_eq!(event(Tag(*b"$FLx")), None);
        assert_eq!(event(Tag([0xff; 4])), None);
    }
}

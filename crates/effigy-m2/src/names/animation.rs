//! Animations by number, with the animation that is played instead if a model does not have one.
//!
//! 0 to 207 are the rows of `AnimationData.dbc` of 1.12, 208 to 228 those of 3.3.5; from 229 on the list repeats for
//! flying models.

use std::borrow::Cow;

/// The name of an animation, such as `Stand` for 0 and `FlyStand` for 229.
#[must_use]
pub fn animation(id: u16) -> Option<Cow<'static, str>> {
    if let Some(&(name, _)) = TABLE.get(usize::from(id)) {
        return Some(name.into());
    }
    let &(name, _) = TABLE.get(usize::from(id).checked_sub(TABLE.len())?)?;
    Some(format!("Fly{name}").into())
}

/// The animation that is played if a model does not have this one; 0 (`Stand`) for most. A flying animation falls back
/// to the same one on the ground.
#[must_use]
pub fn animation_fallback(id: u16) -> Option<u16> {
    if let Some(&(_, fallback)) = TABLE.get(usize::from(id)) {
        return Some(fallback);
    }
    let ground = usize::from(id).checked_sub(TABLE.len())?;
    TABLE.get(ground).and_then(|_| u16::try_from(ground).ok())
}

/// The number of an animation by its name, in upper or lower case: 0 for `Stand`, 229 for `FlyStand`.
#[must_use]
pub fn animation_id(name: &str) -> Option<u16> {
    let at = |name: &str| TABLE.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
    let flying = || {
        let (start, rest) = name.split_at_checked(3)?;
        start.eq_ignore_ascii_case("fly").then(|| at(rest))?.map(|found| found.saturating_add(TABLE.len()))
    };
    u16::try_from(at(name).or_else(flying)?).ok()
}

/// Name and fallback, by number.
#[rustfmt::skip]
const TABLE: [(&str, u16); 229] = [
    ("Stand", 147), ("Death", 0), ("Spell", 0), ("Stop", 0), ("Walk", 0), ("Run", 0), ("Dead", 1),
    ("Rise", 0), ("StandWound", 0), ("CombatWound", 8), ("CombatCritical", 9), ("ShuffleLeft", 0),
    ("ShuffleRight", 0), ("Walkbackwards", 4), ("Stun", 0), ("HandsClosed", 0), ("AttackUnarmed", 0),
    ("Attack1H", 16), ("Attack2H", 17), ("Attack2HL", 18), ("ParryUnarmed", 8), ("Parry1H", 8),
    ("Parry2H", 8), ("Parry2HL", 8), ("ShieldBlock", 8), ("ReadyUnarmed", 0), ("Ready1H", 0),
    ("Ready2H", 0), ("Ready2HL", 0), ("ReadyBow", 0), ("Dodge", 8), ("SpellPrecast", 0), ("SpellCast", 16),
    ("SpellCastArea", 32), ("NPCWelcome", 0), ("NPCGoodbye", 0), ("Block", 8), ("JumpStart", 0),
    ("Jump", 0), ("JumpEnd", 0), ("Fall", 0), ("SwimIdle", 0), ("Swim", 0), ("SwimLeft", 0),
    ("SwimRight", 0), ("SwimBackwards", 42), ("AttackBow", 0), ("FireBow", 0), ("ReadyRifle", 0),
    ("AttackRifle", 0), ("Loot", 0), ("ReadySpellDirected", 52), ("ReadySpellOmni", 31),
    ("SpellCastDirected", 54), ("SpellCastOmni", 33), ("BattleRoar", 16), ("ReadyAbility", 0),
    ("Special1H", 17), ("Special2H", 18), ("ShieldBash", 87), ("EmoteTalk", 0), ("EmoteEat", 0),
    ("EmoteWork", 0), ("EmoteUseStanding", 0), ("EmoteTalkExclamation", 0), ("EmoteTalkQuestion", 0),
    ("EmoteBow", 0), ("EmoteWave", 0), ("EmoteCheer", 0), ("EmoteDance", 0), ("EmoteLaugh", 0),
    ("EmoteSleep", 100), ("EmoteSitGround", 0), ("EmoteRude", 0), ("EmoteRoar", 0), ("EmoteKneel", 0),
    ("EmoteKiss", 0), ("EmoteCry", 0), ("EmoteChicken", 0), ("EmoteBeg", 0), ("EmoteApplaud", 0),
    ("EmoteShout", 0), ("EmoteFlex", 0), ("EmoteShy", 0), ("EmotePoint", 0), ("Attack1HPierce", 17),
    ("Attack2HLoosePierce", 19), ("AttackOff", 88), ("AttackOffPierce", 16), ("Sheath", 0),
    ("HipSheath", 0), ("Mount", 0), ("RunRight", 0), ("RunLeft", 0), ("MountSpecial", 0), ("Kick", 16),
    ("SitGroundDown", 0), ("SitGround", 96), ("SitGroundUp", 96), ("SleepDown", 0), ("Sleep", 99),
    ("SleepUp", 99), ("SitChairLow", 0), ("SitChairMed", 0), ("SitChairHigh", 0), ("LoadBow", 0),
    ("LoadRifle", 0), ("AttackThrown", 16), ("ReadyThrown", 0), ("HoldBow", 0), ("HoldRifle", 0),
    ("HoldThrown", 0), ("LoadThrown", 0), ("EmoteSalute", 0), ("KneelStart", 0), ("KneelLoop", 114),
    ("KneelEnd", 114), ("AttackUnarmedOff", 87), ("SpecialUnarmed", 57), ("StealthWalk", 4),
    ("StealthStand", 0), ("Knockdown", 0), ("EatingLoop", 0), ("UseStandingLoop", 128),
    ("ChannelCastDirected", 52), ("ChannelCastOmni", 31), ("Whirlwind", 0), ("Birth", 0),
    ("UseStandingStart", 0), ("UseStandingEnd", 128), ("CreatureSpecial", 0), ("Drown", 1),
    ("Drowned", 131), ("FishingCast", 0), ("FishingLoop", 0), ("Fly", 0), ("EmoteWorkNoSheathe", 62),
    ("EmoteStunNoSheathe", 14), ("EmoteUseStandingNoSheathe", 63), ("SpellSleepDown", 0),
    ("SpellKneelStart", 0), ("SpellKneelLoop", 0), ("SpellKneelEnd", 0), ("Sprint", 5), ("InFlight", 0),
    ("Spawn", 0), ("Close", 148), ("Closed", 146), ("Open", 146), ("Opened", 148), ("Destroy", 148),
    ("Destroyed", 150), ("Rebuild", 150), ("Custom0", 0), ("Custom1", 0), ("Custom2", 0), ("Custom3", 0),
    ("Despawn", 0), ("Hold", 0), ("Decay", 0), ("BowPull", 0), ("BowRelease", 0), ("ShipStart", 0),
    ("ShipMoving", 0), ("ShipStop", 0), ("GroupArrow", 0), ("Arrow", 0), ("CorpseArrow", 0),
    ("GuideArrow", 0), ("Sway", 0), ("DruidCatPounce", 0), ("DruidCatRip", 0), ("DruidCatRake", 0),
    ("DruidCatRavage", 0), ("DruidCatClaw", 0), ("DruidCatCower", 0), ("DruidBearSwipe", 0),
    ("DruidBearBite", 0), ("DruidBearMaul", 0), ("DruidBearBash", 0), ("DragonTail", 0),
    ("DragonStomp", 0), ("DragonSpit", 0), ("DragonSpitHover", 0), ("DragonSpitFly", 0), ("EmoteYes", 0),
    ("EmoteNo", 0), ("JumpLandRun", 5), ("LootHold", 50), ("LootUp", 50), ("StandHigh", 0), ("Impact", 0),
    ("LiftOff", 0), ("Hover", 0), ("SuccubusEntice", 0), ("EmoteTrain", 0), ("EmoteDead", 1),
    ("EmoteDanceOnce", 69), ("Deflect", 0), ("EmoteEatNoSheathe", 61), ("Land", 0), ("Submerge", 0),
    ("Submerged", 0), ("Cannibalize", 115), ("ArrowBirth", 0), ("GroupArrowBirth", 0),
    ("CorpseArrowBirth", 0), ("GuideArrowBirth", 0), ("EmoteTalkNoSheathe", 60),
    ("EmotePointNoSheathe", 84), ("EmoteSaluteNoSheathe", 113), ("EmoteDanceSpecial", 69),
    ("Mutilate", 16), ("CustomSpell01", 0), ("CustomSpell02", 0), ("CustomSpell03", 0),
    ("CustomSpell04", 0), ("CustomSpell05", 0), ("CustomSpell06", 0), ("CustomSpell07", 0),
    ("CustomSpell08", 0), ("CustomSpell09", 0), ("CustomSpell10", 0), ("StealthRun", 119), ("Emerge", 127),
    ("Cower", 0), ("Grab", 0), ("GrabClosed", 0), ("GrabThrown", 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_fallbacks_agree_with_the_game() {
        for (id, name, fallback) in [
            (0, "Stand", 147),
            (5, "Run", 0),
            (85, "Attack1HPierce", 17),
            (147, "Closed", 146),
            (203, "Cannibalize", 115),
            (225, "Cower", 0),
            (228, "GrabThrown", 0),
            (229, "FlyStand", 0),
            (234, "FlyRun", 5),
            (457, "FlyGrabThrown", 228),
        ] {
            assert_eq!(animation(id).as_deref(), Some(name), "{id}");
            assert_eq!(animation_fallback(id), Some(fallback), "{id}");
        }
        for id in 0..458 {
            assert_eq!(animation_id(&animation(id).unwrap()), Some(id));
        }
        assert_eq!(animation_id("flystand"), Some(229));
        assert_eq!(animation_id("Gallop"), None);
        assert_eq!(animation(458), None);
        assert_eq!(animation_fallback(458), None);
    }
}

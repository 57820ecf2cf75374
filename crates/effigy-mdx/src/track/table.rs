//! Every track that the format knows, declared once: tag, kind of value, the record that it animates, its MDL word, the
//! static field that it replaces while it plays, and the capability that it needs.
//!
//! A track of a field needs what the field needs in the declaration of its record, so that a capability is only stated
//! here for tracks without a field of their own. The reader, the MDL parser and printer, the loss report and the
//! documentation all work from this table.

use crate::records::{
    Attachment, Camera, GeosetAnimation, Layer, Light, Node, ParticleEmitter, ParticleEmitter2,
    PopcornEmitter, RibbonEmitter, TextureAnimation, field_caps,
};
use crate::version::Caps;
use effigy_wire::{Record, Tag};

/// What a track's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// One float.
    Float,
    /// Three floats: a position, a scale, a direction.
    Vector,
    /// Three floats: a colour. In Warcraft III blue comes first here, unlike in static colours.
    Color,
    /// Four floats: x, y, z, w of a rotation.
    Rotation,
    /// A whole number: an index.
    Index,
}

impl ValueKind {
    /// 32-bit words in one value.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::Float | Self::Index => 1,
            Self::Vector | Self::Color => 3,
            Self::Rotation => 4,
        }
    }
}

/// What the values of a track mean in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Nothing.
    Plain,
    /// A distance, a speed, or an acceleration along a fixed axis.
    Length,
    /// A quantity per length.
    PerLength,
    /// A quantity per area.
    PerArea,
    /// An offset.
    Vector,
    /// A rotation about a pivot.
    Rotation,
}

/// A record with tracks of its own.
pub(crate) trait Animated {
    /// What [`TrackInfo::owner`] calls it.
    const TRACK_OWNER: &'static str;
}

/// [`TrackInfo::owner`] of a track that many records can have.
pub(crate) const ANY: &str = "any";

/// `TAG Kind Measure "MDL word" inside "inner block" also OtherRecord of static_field [capability], "what it does";`, grouped by
/// the record that the track animates. `inside`, `also`, `of` and the capability are optional.
macro_rules! tracks {
    (any { $any:ident $any_kind:ident $any_measure:ident $any_word:literal [$any_cap:expr], $any_doc:literal; }
        $($record:ident $owner:literal { $($tag:ident $kind:ident $measure:ident $word:literal $(inside $section:literal)?
        $(also $also:ident)? $(of $field:ident)? $([$cap:expr])?, $doc:literal;)* })*
    ) => {
        /// Tags of all tracks.
        pub mod tags {
            use effigy_wire::Tag;
            $($(#[doc = concat!($owner, ": ", $doc, ".")]
            pub const $tag: Tag = tag(stringify!($tag));)*)*
            #[doc = concat!("any: ", $any_doc, ".")]
            pub const $any: Tag = tag(stringify!($any));

            const fn tag(name: &str) -> Tag {
                match name.as_bytes().first_chunk::<4>() {
                    Some(bytes) => Tag(*bytes),
                    None => Tag(*b"????"),
                }
            }
        }

        /// The rows of [`TRACKS`] by tag.
        pub(crate) mod rows {
            use super::*;
            $($(pub const $tag: TrackInfo = TrackInfo {
                tag: tags::$tag,
                kind: ValueKind::$kind,
                measure: Measure::$measure,
                owner: $owner,
                also: first(&[$(<$also as Animated>::TRACK_OWNER)?]),
                word: $word,
                section: first(&[$($section)?]),
                needs: Caps::empty()
                    $(.union(field_caps(<$record as Record<Caps>>::FIELDS, stringify!($field))))?
                    $(.union($cap))?,
                doc: $doc,
            };)*)*
            pub const $any: TrackInfo = TrackInfo {
                tag: tags::$any,
                kind: ValueKind::$any_kind,
                measure: Measure::$any_measure,
                owner: ANY,
                also: "",
                word: $any_word,
                section: "",
                needs: $any_cap,
                doc: $any_doc,
            };
        }

        // The fields exist.
        const _: () = {
            $($($(const _: fn(&$record) = |record| { let _ = &record.$field; };)?)*)*
        };

        $(impl Animated for $record {
            const TRACK_OWNER: &'static str = $owner;
        })*

        /// Every track.
        pub const TRACKS: &[TrackInfo] = &[$($(rows::$tag,)*)* rows::$any];

        /// What the values of the track with this tag are, if the tag is known.
        #[must_use]
        pub fn value_kind(tag: Tag) -> Option<ValueKind> {
            match tag {
                $($(tags::$tag => Some(ValueKind::$kind),)*)*
                tags::$any => Some(ValueKind::$any_kind),
                _ => None,
            }
        }
    };
}

/// The first of at most one word; empty when there is none.
const fn first(words: &[&'static str]) -> &'static str {
    match words.first() {
        Some(word) => word,
        None => "",
    }
}

/// One row of [`TRACKS`].
#[derive(Clone, Copy, Debug)]
pub struct TrackInfo {
    /// The tag.
    pub tag: Tag,
    /// What its values are.
    pub kind: ValueKind,
    /// What its values mean in space.
    pub measure: Measure,
    /// The record that it animates; `any` for `KVIS`, which all but nodes, layers and texture animations can have.
    pub owner: &'static str,
    /// Another record that has it, or empty.
    pub also: &'static str,
    /// The word for it in MDL text.
    pub word: &'static str,
    /// The block inside the record's block that MDL text has it in, or empty.
    pub section: &'static str,
    /// The capability without which a game does not play it.
    pub needs: Caps,
    /// What it does.
    pub doc: &'static str,
}

impl TrackInfo {
    /// The row of a tag.
    #[must_use]
    pub fn of(tag: Tag) -> Option<&'static Self> {
        TRACKS.iter().find(|info| info.tag == tag)
    }

    /// Whether the track shows and hides something: its values are 0 or 1, with nothing between them.
    #[must_use]
    pub fn is_visibility(&self) -> bool {
        self.word == rows::KVIS.word
    }
}

tracks! {
    any { KVIS Float Plain "Visibility" [Caps::WOW], "shown when above zero"; }
    Node "node" {
        KGTR Vector Vector "Translation", "movement relative to the pivot";
        KGRT Rotation Rotation "Rotation", "rotation about the pivot";
        KGSC Vector Plain "Scaling", "scale about the pivot";
    }
    Layer "layer" {
        KMTA Float Plain "Alpha" of alpha, "opacity";
        KMTF Index Plain "TextureID" of texture [Caps::LAYER_TEXTURE_TRACK], "index of the texture";
        KMTE Float Plain "EmissiveGain" of emissive_gain, "strength of the glow";
        KFC3 Color Plain "FresnelColor" of fresnel_color, "colour of the Fresnel term";
        KFCA Float Plain "FresnelOpacity" of fresnel_opacity, "strength of the Fresnel term";
        KFTC Float Plain "FresnelTeamColor" of fresnel_team_color, "how much of it is team colour";
    }
    TextureAnimation "texture animation" {
        KTAT Vector Plain "Translation", "movement of texture coordinates";
        KTAR Rotation Plain "Rotation", "rotation of texture coordinates";
        KTAS Vector Plain "Scaling", "scale of texture coordinates";
    }
    GeosetAnimation "geoset animation" {
        KGAO Float Plain "Alpha" of alpha, "opacity";
        KGAC Color Plain "Color" of color, "tint";
    }
    Light "light" {
        KLAS Float Length "AttenuationStart" of attenuation_start, "distance at which it begins to fade";
        KLAE Float Length "AttenuationEnd" of attenuation_end, "distance at which it is gone";
        KLAC Color Plain "Color" of color, "colour";
        KLAI Float Plain "Intensity" of intensity, "strength";
        KLBC Color Plain "AmbColor" of ambient_color, "ambient colour";
        KLBI Float Plain "AmbIntensity" of ambient_intensity, "ambient strength";
        KLAV Float Plain "Visibility" [Caps::WC3], "shown when above zero";
        KLSS Float Length "ShadowCastingStart" of shadow_range, "distance at which shadows begin";
        KLSE Float Length "ShadowCastingEnd" of shadow_range, "distance at which shadows end";
        KLQF Float PerArea "QuadraticFalloff" of quadratic_falloff, "quadratic falloff";
        KLLF Float PerLength "LinearFalloff" of linear_falloff, "linear falloff";
        KLDA Float Plain "Damping" of damping, "damping of the falloff";
    }
    Attachment "attachment" {
        KATV Float Plain "Visibility" [Caps::WC3], "shown when above zero";
    }
    ParticleEmitter "particle emitter" {
        KPEE Float Plain "EmissionRate" of emission_rate, "particles per second";
        KPEG Float Length "Gravity" of gravity, "downward acceleration";
        KPLN Float Plain "Longitude" also ParticleEmitter2 of longitude, "spread around the axis";
        KPLT Float Plain "Latitude" of latitude, "spread away from the axis";
        KPEL Float Plain "LifeSpan" inside "Particle" of life_span, "seconds that a particle lives";
        KPES Float Length "InitVelocity" inside "Particle" of speed, "speed at birth";
        KPEV Float Plain "Visibility" [Caps::WC3], "emits when above zero";
    }
    ParticleEmitter2 "particle emitter 2" {
        KP2S Float Length "Speed" of speed, "speed at birth";
        KP2R Float Plain "Variation" of variation, "random part of the speed";
        KP2L Float Plain "Latitude" of latitude, "spread away from the axis, degrees";
        KP2G Float Length "Gravity" of gravity, "downward acceleration";
        KP2E Float Plain "EmissionRate" of emission_rate, "particles per second";
        KP2N Float Length "Length" of length, "size of the emitting area along x";
        KP2W Float Length "Width" of width, "size of the emitting area along y";
        KP2V Float Plain "Visibility" [Caps::WC3], "emits when above zero";
        KP2Z Float Length "ZSource" of z_source, "height of the source";
        KLIF Float Plain "LifeSpan" of life_span [Caps::WOW], "seconds that a particle lives";
    }
    RibbonEmitter "ribbon emitter" {
        KRHA Float Length "HeightAbove" of height_above, "half height above the path";
        KRHB Float Length "HeightBelow" of height_below, "half height below the path";
        KRAL Float Plain "Alpha" of alpha, "opacity";
        KRCO Color Plain "Color" of color, "colour";
        KRTX Index Plain "TextureSlot" of texture_slot, "cell of the texture";
        KRVS Float Plain "Visibility" [Caps::WC3], "emits when above zero";
    }
    PopcornEmitter "popcorn emitter" {
        KPPA Float Plain "Alpha" of alpha, "opacity";
        KPPC Color Plain "Color" of color, "colour";
        KPPE Float Plain "EmissionRate" of emission_rate, "emission rate";
        KPPL Float Plain "LifeSpan" of life_span, "life span";
        KPPS Float Plain "Speed" of speed, "speed";
        KPPV Float Plain "Visibility" [Caps::WC3], "on above zero";
    }
    Camera "camera" {
        KCTR Vector Vector "Translation", "movement of the camera";
        KTTR Vector Vector "Translation" inside "Target", "movement of the point it looks at";
        KCRL Float Plain "Rotation", "roll, radians";
        KCVS Float Plain "Visibility" [Caps::WC3.union(Caps::CAMERA_VARIANT_3)], "in use when above zero";
        IDUF Float Length "FocusDistanceKeys" [Caps::CAMERA_VARIANT_3], "focus distance";
        ELAF Float Plain "FocalLengthKeys" [Caps::CAMERA_VARIANT_3], "focal length";
        PTSF Float Plain "FStopKeys" [Caps::CAMERA_VARIANT_3], "aperture";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_track_needs_what_its_field_or_its_row_needs() {
        let expected = [
            (rows::KGTR, Caps::empty()),
            (rows::KMTA, Caps::empty()),
            (rows::KMTE, Caps::EMISSIVE),
            (rows::KFC3, Caps::FRESNEL),
            (rows::KFCA, Caps::FRESNEL),
            (rows::KFTC, Caps::FRESNEL),
            (rows::KMTF, Caps::LAYER_TEXTURE_TRACK),
            (rows::KLAS, Caps::empty()),
            (rows::KLAV, Caps::WC3),
            (rows::KLSS, Caps::SHADOW_CASTING),
            (rows::KLSE, Caps::SHADOW_CASTING),
            (rows::KLQF, Caps::LIGHT_FALLOFF),
            (rows::KLLF, Caps::LIGHT_FALLOFF),
            (rows::KLDA, Caps::LIGHT_FALLOFF),
            (rows::KP2Z, Caps::WOW),
            (rows::KLIF, Caps::WOW),
            (rows::KCVS, Caps::WC3 | Caps::CAMERA_VARIANT_3),
            (rows::IDUF, Caps::CAMERA_VARIANT_3),
            (rows::KVIS, Caps::WOW),
        ];
        for (row, needs) in expected {
            assert_eq!(row.needs, needs, "{}", row.tag);
        }
    }

    #[test]
    fn each_tag_has_one_row() {
        for (index, info) in TRACKS.iter().enumerate() {
            let first = TRACKS.iter().position(|other| other.tag == info.tag);
            assert_eq!(first, Some(index), "{}", info.tag);
            assert_eq!(value_kind(info.tag), Some(info.kind), "{}", info.tag);
        }
    }
}

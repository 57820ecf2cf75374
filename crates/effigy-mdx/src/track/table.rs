//! Every track that the format knows: tag, kind of value, the record that it animates, its MDL word.

use effigy_wire::Tag;

/// What a track's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// One float.
    Float,
    /// Three floats: a place, a scale, a direction.
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

macro_rules! tracks {
    ($($tag:ident $kind:ident $owner:literal $word:literal $doc:literal;)*) => {
        /// Tags of all tracks.
        pub mod tags {
            use effigy_wire::Tag;
            $(#[doc = concat!($owner, ": ", $doc, ".")]
            pub const $tag: Tag = match stringify!($tag).as_bytes().first_chunk::<4>() {
                Some(bytes) => Tag(*bytes),
                None => Tag(*b"????"),
            };)*
        }

        /// Every track: tag, kind of value, the record that it animates, its MDL word, what it is.
        pub const TRACKS: &[TrackInfo] = &[$(TrackInfo {
            tag: tags::$tag, kind: ValueKind::$kind, owner: $owner, word: $word, doc: $doc,
        },)*];

        /// What the values of the track with this tag are, if the tag is known.
        #[must_use]
        pub fn value_kind(tag: Tag) -> Option<ValueKind> {
            match tag {
                $(tags::$tag => Some(ValueKind::$kind),)*
                _ => None,
            }
        }
    };
}

/// One row of [`TRACKS`].
#[derive(Clone, Copy, Debug)]
pub struct TrackInfo {
    /// The tag on the wire.
    pub tag: Tag,
    /// What its values are.
    pub kind: ValueKind,
    /// The record that it animates.
    pub owner: &'static str,
    /// The word for it in MDL text.
    pub word: &'static str,
    /// What it does.
    pub doc: &'static str,
}

tracks! {
    KGTR Vector "node" "Translation" "movement relative to the pivot";
    KGRT Rotation "node" "Rotation" "rotation about the pivot";
    KGSC Vector "node" "Scaling" "scale about the pivot";
    KMTA Float "layer" "Alpha" "opacity";
    KMTF Index "layer" "TextureID" "texture, picture by picture";
    KMTE Float "layer" "EmissiveGain" "strength of the glow, from 900";
    KFC3 Color "layer" "FresnelColor" "colour of the Fresnel term, from 1000";
    KFCA Float "layer" "FresnelOpacity" "strength of the Fresnel term, from 1000";
    KFTC Float "layer" "FresnelTeamColor" "how much of it is team colour, from 1000";
    KTAT Vector "texture animation" "Translation" "movement of texture coordinates";
    KTAR Rotation "texture animation" "Rotation" "rotation of texture coordinates";
    KTAS Vector "texture animation" "Scaling" "scale of texture coordinates";
    KGAO Float "geoset animation" "Alpha" "opacity";
    KGAC Color "geoset animation" "Color" "tint";
    KLAS Float "light" "AttenuationStart" "distance at which it begins to fade";
    KLAE Float "light" "AttenuationEnd" "distance at which it is gone";
    KLAC Color "light" "Color" "colour";
    KLAI Float "light" "Intensity" "strength";
    KLBC Color "light" "AmbColor" "ambient colour";
    KLBI Float "light" "AmbIntensity" "ambient strength";
    KLAV Float "light" "Visibility" "shown when above zero, Warcraft III";
    KLSS Float "light" "ShadowCastingStart" "distance at which shadows begin, from 1300";
    KLSE Float "light" "ShadowCastingEnd" "distance at which shadows end, from 1300";
    KLQF Float "light" "QuadraticFalloff" "quadratic falloff, from 1600";
    KLLF Float "light" "LinearFalloff" "linear falloff, from 1600";
    KLDA Float "light" "Damping" "damping of the falloff, from 1600";
    KATV Float "attachment" "Visibility" "shown when above zero, Warcraft III";
    KPEE Float "particle emitter" "EmissionRate" "particles per second";
    KPEG Float "particle emitter" "Gravity" "downward acceleration";
    KPLN Float "particle emitter" "Longitude" "spread around the axis";
    KPLT Float "particle emitter" "Latitude" "spread away from the axis";
    KPEL Float "particle emitter" "LifeSpan" "seconds that a particle lives";
    KPES Float "particle emitter" "InitVelocity" "speed at birth";
    KPEV Float "particle emitter" "Visibility" "emits when above zero, Warcraft III";
    KP2S Float "particle emitter 2" "Speed" "speed at birth";
    KP2R Float "particle emitter 2" "Variation" "random part of the speed";
    KP2L Float "particle emitter 2" "Latitude" "spread away from the axis, degrees";
    KP2G Float "particle emitter 2" "Gravity" "downward acceleration";
    KP2E Float "particle emitter 2" "EmissionRate" "particles per second";
    KP2N Float "particle emitter 2" "Length" "size of the emitting area along x";
    KP2W Float "particle emitter 2" "Width" "size of the emitting area along y";
    KP2V Float "particle emitter 2" "Visibility" "emits when above zero, Warcraft III";
    KP2Z Float "particle emitter 2" "ZSource" "height of the source, WoW alpha";
    KLIF Float "particle emitter 2" "LifeSpan" "seconds that a particle lives, WoW alpha";
    KRHA Float "ribbon emitter" "HeightAbove" "half height above the path";
    KRHB Float "ribbon emitter" "HeightBelow" "half height below the path";
    KRAL Float "ribbon emitter" "Alpha" "opacity";
    KRCO Color "ribbon emitter" "Color" "colour";
    KRTX Index "ribbon emitter" "TextureSlot" "cell of the texture";
    KRVS Float "ribbon emitter" "Visibility" "emits when above zero, Warcraft III";
    KPPA Float "popcorn emitter" "Alpha" "opacity";
    KPPC Color "popcorn emitter" "Color" "colour";
    KPPE Float "popcorn emitter" "EmissionRate" "emission rate";
    KPPL Float "popcorn emitter" "LifeSpan" "life span";
    KPPS Float "popcorn emitter" "Speed" "speed";
    KPPV Float "popcorn emitter" "Visibility" "on above zero";
    KCTR Vector "camera" "Translation" "movement of the camera";
    KTTR Vector "camera" "TargetTranslation" "movement of the point it looks at";
    KCRL Float "camera" "Rotation" "roll, radians";
    KCVS Float "camera" "Visibility" "in use when above zero, from 1200";
    IDUF Float "camera" "FocusDistanceKeys" "focus distance";
    ELAF Float "camera" "FocalLengthKeys" "focal length";
    PTSF Float "camera" "FStopKeys" "aperture";
    KVIS Float "any" "Visibility" "shown when above zero, WoW alpha";
}

//! The creature's pictures, painted by code: a metal atlas, fire, glow, smoke and a trail.
//!
//! In the atlas, alpha is the mask of the team colour as in Warcraft III: the player's colour is visible where alpha is 0.

use super::math::{ease, wave};
use super::noise::{cloud, grain, smooth};
use super::{Blend, Layer, Material, Texture};

/// Rectangles of the atlas.
pub(crate) mod atlas {
    use super::super::shape::Area;

    pub(crate) const CASE: Area = Area::pixels(0.0, 0.0, 128.0, 128.0);
    pub(crate) const BANNER: Area = Area::pixels(128.0, 0.0, 64.0, 128.0);
    pub(crate) const IRON: Area = Area::pixels(192.0, 0.0, 64.0, 64.0);
    pub(crate) const COPPER: Area = Area::pixels(192.0, 64.0, 64.0, 64.0);
    pub(crate) const BRASS: Area = Area::pixels(0.0, 128.0, 64.0, 64.0);
    pub(crate) const WOOD: Area = Area::pixels(64.0, 128.0, 64.0, 64.0);
    pub(crate) const CASE_INSIDE: Area = Area::pixels(128.0, 128.0, 64.0, 64.0);
    pub(crate) const LEG: Area = Area::pixels(192.0, 128.0, 64.0, 64.0);
    pub(crate) const BELLY: Area = Area::pixels(0.0, 192.0, 64.0, 64.0);
    pub(crate) const EYE: Area = Area::pixels(64.0, 192.0, 64.0, 64.0);
    pub(crate) const GLASS: Area = Area::pixels(128.0, 192.0, 64.0, 64.0);
    pub(crate) const GEAR: Area = Area::pixels(192.0, 192.0, 64.0, 64.0);
}

/// Indices of the materials.
pub(crate) mod material {
    pub(crate) const METAL: usize = 0;
    pub(crate) const TEAM: usize = 1;
    pub(crate) const BANNER: usize = 2;
    pub(crate) const FIRE: usize = 3;
    pub(crate) const LAMP: usize = 4;
    pub(crate) const GLOW: usize = 5;
    pub(crate) const TRAIL: usize = 6;
}

/// Indices of the textures.
pub(crate) mod slot {
    pub(crate) const TEAM: usize = 0;
    pub(crate) const ATLAS: usize = 1;
    pub(crate) const FIRE: usize = 2;
    pub(crate) const GLOW: usize = 3;
    pub(crate) const SMOKE: usize = 4;
    pub(crate) const TRAIL: usize = 5;
}

/// A picture of 8-bit RGBA, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Stem of the file's name.
    pub name: &'static str,
    /// In pixels.
    pub width: u16,
    /// In pixels.
    pub height: u16,
    /// Red, green, blue, alpha; not premultiplied.
    pub pixels: Vec<[u8; 4]>,
}

/// A colour in 0..1, not clamped while it is being painted.
type Rgb = [f32; 3];

fn mul(c: Rgb, s: f32) -> Rgb {
    c.map(|x| x * s)
}

fn blend(a: Rgb, b: Rgb, t: f32) -> Rgb {
    super::math::mix(a, b, t.clamp(0.0, 1.0))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..255 first")]
fn byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

impl Picture {
    fn paint(name: &'static str, size: u16, color: impl Fn(f32, f32) -> (Rgb, f32)) -> Self {
        let mut pixels = Vec::with_capacity(usize::from(size) * usize::from(size));
        for y in 0..size {
            for x in 0..size {
                let (u, v) = ((f32::from(x) + 0.5) / f32::from(size), (f32::from(y) + 0.5) / f32::from(size));
                let ([r, g, b], a) = color(u, v);
                pixels.push([byte(r), byte(g), byte(b), byte(a)]);
            }
        }
        Self { name, width: size, height: size, pixels }
    }
}

pub(crate) fn materials() -> (Vec<Material>, Vec<Texture>) {
    let layer = |texture, blend, unshaded| Layer { texture, blend, unshaded, animation: None };
    let team = vec![layer(slot::TEAM, Blend::Opaque, false), layer(slot::ATLAS, Blend::Alpha, false)];
    let mut fire = layer(slot::FIRE, Blend::Opaque, true);
    fire.animation = Some(0);
    let one = |layer| Material { layers: vec![layer], two_sided: false };
    let materials = vec![
        one(layer(slot::ATLAS, Blend::Opaque, false)),
        Material { layers: team.clone(), two_sided: false },
        Material { layers: team, two_sided: true },
        one(fire),
        one(layer(slot::ATLAS, Blend::Opaque, true)),
        one(layer(slot::GLOW, Blend::Add, true)),
        Material { layers: vec![layer(slot::TRAIL, Blend::Add, true)], two_sided: true },
    ];
    let textures = vec![
        Texture::TeamColor,
        Texture::Picture(Picture::paint("LanternBeetle", 256, paint_atlas)),
        Texture::Picture(Picture::paint("LanternBeetleFire", 128, fire_color)),
        Texture::Picture(Picture::paint("LanternBeetleGlow", 64, glow_color)),
        Texture::Picture(Picture::paint("LanternBeetleSmoke", 64, smoke_color)),
        Texture::Picture(Picture::paint("LanternBeetleTrail", 64, trail_color)),
    ];
    (materials, textures)
}

/// A dark red with some grain.
fn team_color(u: f32, v: f32) -> Rgb {
    mul([0.62, 0.09, 0.08], 0.9 + 0.2 * smooth(u, v, 8, 171))
}

/// A substitute for the player's colour.
pub(crate) fn team_stand_in() -> Picture {
    Picture::paint("LanternBeetleTeam", 16, |u, v| (team_color(u, v), 1.0))
}

/// The atlas over that colour, for formats that have one layer.
pub(crate) fn team_painted() -> Picture {
    Picture::paint("LanternBeetlePainted", 256, |u, v| {
        let (color, alpha) = paint_atlas(u, v);
        (blend(team_color(u, v), color, alpha), 1.0)
    })
}

const BRASS: Rgb = [0.82, 0.57, 0.22];
const COPPER: Rgb = [0.80, 0.42, 0.22];
const IRON: Rgb = [0.30, 0.30, 0.34];
const WOOD: Rgb = [0.44, 0.27, 0.14];

/// Paints the atlas: finds the tile of a pixel and calls its painter with coordinates of 0..1 inside it.
fn paint_atlas(u: f32, v: f32) -> (Rgb, f32) {
    if v < 0.5 {
        if u < 0.5 {
            return case(u * 2.0, v * 2.0);
        }
        if u < 0.75 {
            return cloth((u - 0.5) * 4.0, v * 2.0);
        }
    }
    let (s, t) = ((u * 4.0).fract(), (v * 4.0).fract());
    let color = match (u, v) {
        (_, v) if v < 0.25 => metal(IRON, s, t, 11),
        (_, v) if v < 0.5 => mul(metal(COPPER, s, t, 23), bands(t, 4.0)),
        (u, v) if v < 0.75 && u < 0.25 => head(s, t),
        (u, v) if v < 0.75 && u < 0.5 => wood(s, t),
        (u, v) if v < 0.75 && u < 0.75 => mul(metal([0.42, 0.24, 0.13], s, t, 37), 0.8 * bands(t, 3.0)),
        (_, v) if v < 0.75 => leg(s, t),
        (u, _) if u < 0.25 => belly(s, t),
        (u, _) if u < 0.5 => eye(s, t),
        (u, _) if u < 0.75 => glass(s, t),
        _ => rivets(s, t),
    };
    (color, 1.0)
}

/// Brushed metal with wear and a soft sheen.
fn metal(base: Rgb, s: f32, t: f32, seed: u32) -> Rgb {
    let wear = cloud(s, t, 4, seed);
    let brush = smooth(s, t * 0.25, 32, seed + 9) - 0.5;
    let sheen = 0.16 * (1.0 - (2.0 * t - 1.0).abs());
    let light = 0.78 + 0.34 * wear + 0.10 * brush + sheen;
    let tarnish = ease(0.56, 0.80, cloud(s, t, 3, seed + 5));
    blend(mul(base, light), mul([0.34, 0.46, 0.38], light), tarnish * 0.35)
}

/// Light and dark rings along t.
fn bands(t: f32, count: f32) -> f32 {
    let x = (t * count).fract();
    1.0 - 0.45 * (1.0 - ease(0.0, 0.10, x)) + 0.12 * super::math::hump(0.1, 0.2, 0.4, x)
}

/// The depth of a groove at this distance: 0 outside, 1 in its middle.
fn groove(distance: f32, width: f32) -> f32 {
    1.0 - ease(width * 0.3, width, distance.abs())
}

/// The brightness of a rivet at an offset from its middle: bright at the top left, dark at the bottom.
fn rivet(dx: f32, dy: f32, radius: f32) -> f32 {
    let d = (dx * dx + dy * dy).sqrt() / radius;
    if d > 1.5 {
        return 0.0;
    }
    if d > 1.0 {
        return -0.30 * (1.5 - d) * 2.0;
    }
    0.42 * (1.0 - d) + 0.30 * (-(dx + dy) / radius)
}

/// A wing case: brass with plates and rivets; a broad blaze in the player's colour. s goes from the spine to the rim.
fn case(s: f32, t: f32) -> (Rgb, f32) {
    let mut color = metal(BRASS, s, t, 3);
    let edge = groove(s - 0.05, 0.03).max(groove(s - 0.93, 0.03));
    // The blaze is broad in front and ends in a point behind.
    let (left, right) = (0.17 + 0.16 * ease(0.35, 0.95, t), 0.78 - 0.38 * ease(0.30, 0.95, t));
    let inside = (s - left).min(right - s).min((t - 0.12) * 0.8).min((0.93 - t) * 0.6);
    let rim = 1.0 - ease(0.010, 0.028, (inside + 0.004).abs());
    color = blend(color, mul([1.0, 0.86, 0.50], 0.9 + 0.25 * smooth(s, t, 16, 71)), rim);
    let plates =
        [0.30, 0.52, 0.74].iter().map(|&x| groove(t - x - 0.05 * (s - 0.5), 0.018)).fold(0.0, f32::max);
    let dark = if inside > 0.0 { edge } else { edge.max(plates) };
    color = mul(color, 1.0 - 0.62 * dark);
    let along = ((t * 14.0).fract() - 0.5) / 14.0;
    color = mul(color, 1.0 + rivet(s - 0.965, along, 0.017) + rivet(s - 0.105, along, 0.013));
    let color = mul(color, 1.06 - 0.32 * s);
    // In the blaze the player's colour shows through, with worn flecks of brass.
    let paint = ease(0.0, 0.012, inside);
    let fleck = 0.8 * ease(0.70, 0.78, cloud(s, t, 10, 83));
    let (enamel, veil) = enamel(s, t, inside);
    (blend(color, enamel, paint * (1.0 - fleck)), 1.0 - paint * (1.0 - fleck.max(veil)))
}

/// Shade and sheen on the player's colour, which alone would look flat: darker at the border and towards the rim, lighter
/// along the top. `inside` is the distance from the border.
fn enamel(s: f32, t: f32, inside: f32) -> (Rgb, f32) {
    let border = 0.40 * (1.0 - ease(0.0, 0.13, inside));
    let shade = (border + 0.42 * ease(0.34, 0.78, s) + 0.16 * cloud(s, t, 5, 97)).min(0.8);
    let sheen = 0.30 * super::math::hump(0.20, 0.33, 0.50, s) * (0.6 + 0.4 * cloud(s, t, 6, 113));
    let veil = 1.0 - (1.0 - shade) * (1.0 - sheen);
    (blend([0.11, 0.03, 0.04], [1.0, 0.90, 0.80], sheen / veil.max(1e-3)), veil)
}

/// The banner: the player's colour with a gold hem and a lantern sewn on. t goes from the pole to the tips.
fn cloth(s: f32, t: f32) -> (Rgb, f32) {
    let weave = 0.86 + 0.14 * grain_at(s, t, 5);
    let gold = mul([0.93, 0.74, 0.34], weave * (0.9 + 0.2 * smooth(s, t, 8, 6)));
    let hem = !(0.07..=0.93).contains(&s) || t < 0.04;
    // The lantern: a roof, a glass, a foot, three rays on each side.
    let (x, y) = ((t - 0.40) * 2.0, s - 0.5);
    let glass = (x / 0.17).powi(2) + (y / 0.17).powi(2) < 1.0;
    let roof = y < -0.15 && y > -0.25 && x.abs() < 0.20 + (y + 0.15) * 1.4;
    let foot = y > 0.17 && y < 0.23 && x.abs() < 0.14;
    let ring = (x * x + (y + 0.29) * (y + 0.29)).sqrt();
    let angle = y.atan2(x);
    let far = (x * x + y * y).sqrt();
    let ray = (0.23..0.36).contains(&far)
        && wave(angle * 6.0 / std::f32::consts::TAU + 0.25) > 0.72
        && y.abs() < 0.30;
    let sewn = glass || roof || foot || ray || (0.025..0.055).contains(&ring);
    if hem || sewn { (gold, 1.0) } else { (mul([0.5, 0.5, 0.5], weave), 0.12 * (1.0 - weave) * 4.0) }
}

fn grain_at(s: f32, t: f32, seed: u32) -> f32 {
    let cell = |x: f32| (0..64_u16).rev().find(|&c| f32::from(c) <= x * 64.0).map_or(0, u32::from);
    grain(cell(s), cell(t), seed)
}

fn head(s: f32, t: f32) -> Rgb {
    let mut color = metal(BRASS, s, t, 41);
    color = mul(color, 1.0 - 0.5 * groove(t - 0.52, 0.03) - 0.35 * groove(t - 0.24, 0.02));
    let around = ((s * 12.0).fract() - 0.5) / 12.0;
    mul(color, 1.0 + rivet(around, t - 0.45, 0.022))
}

fn leg(s: f32, t: f32) -> Rgb {
    let color = metal(blend(BRASS, IRON, ease(0.72, 0.86, t)), s, t, 53);
    mul(
        color,
        (1.0 - 0.5 * groove(t - 0.18, 0.04)) * (1.0 - 0.5 * groove(t - 0.72, 0.04)) * (1.05 - 0.25 * t),
    )
}

fn belly(s: f32, t: f32) -> Rgb {
    // s = 0.75 is the underside, which lies in the shade.
    let shade = 0.70 + 0.30 * ease(0.0, 0.3, (s - 0.75).abs());
    mul(metal([0.50, 0.36, 0.20], s, t, 61), shade * bands(t, 7.0))
}

fn wood(s: f32, t: f32) -> Rgb {
    let fibre = smooth(s, t * 0.2, 24, 91);
    mul(WOOD, (0.7 + 0.6 * fibre) * (1.0 - 0.5 * groove((t * 5.0).fract() - 0.5, 0.06)))
}

/// An eye of warm glass: a dark ring at the rim (t = 0), a bright iris, a pupil, a highlight.
fn eye(s: f32, t: f32) -> Rgb {
    let iris = blend([0.95, 0.42, 0.06], [1.0, 0.93, 0.48], ease(0.15, 0.70, t));
    let spokes = 0.90 + 0.10 * wave(s * 16.0);
    let mut color = mul(iris, spokes * (0.35 + 0.65 * ease(0.0, 0.25, t)));
    color = blend(color, [0.16, 0.06, 0.02], ease(0.70, 0.77, t));
    let (dx, dy) = ((s - 0.30).abs().min(1.0 - (s - 0.30).abs()), t - 0.60);
    let spot = 1.0 - ease(0.6, 1.0, ((dx / 0.10).powi(2) + (dy / 0.16).powi(2)).sqrt());
    blend(color, [1.0, 1.0, 0.96], spot)
}

/// The lantern's glass with the flame behind it; t goes from the foot to the roof.
fn glass(s: f32, t: f32) -> Rgb {
    let pane = ((s * 6.0).fract() - 0.5).abs();
    let flame = ease(0.0, 0.25, t) * (1.0 - ease(0.45, 1.0, t));
    let color = blend([1.0, 0.62, 0.16], [1.0, 0.97, 0.76], flame * (1.0 - pane));
    mul(color, 1.0 - 0.30 * ease(0.38, 0.5, pane))
}

fn rivets(s: f32, t: f32) -> Rgb {
    let around = ((s * 22.0).fract() - 0.5) / 22.0;
    let color = mul(metal(BRASS, s, t, 77), 0.92 - 0.4 * groove(t, 0.1) - 0.4 * groove(t - 1.0, 0.1));
    mul(color, 1.0 + rivet(around * 3.0, (t - 0.5) * 0.45, 0.045))
}

fn fire_color(u: f32, v: f32) -> (Rgb, f32) {
    let heat = cloud(u, v, 4, 101) * 0.65 + cloud(v, u, 8, 131) * 0.35;
    let crust = ease(0.42, 0.60, heat);
    let color = blend([0.62, 0.12, 0.03], [1.0, 0.46, 0.08], crust);
    (blend(color, [1.0, 0.90, 0.45], ease(0.56, 0.72, heat)), 1.0)
}

fn distance(u: f32, v: f32) -> f32 {
    (((u - 0.5) * 2.0).powi(2) + ((v - 0.5) * 2.0).powi(2)).sqrt()
}

fn glow_color(u: f32, v: f32) -> (Rgb, f32) {
    let light = (1.0 - distance(u, v)).max(0.0).powf(2.2);
    (mul([1.0, 0.72, 0.30], light), light)
}

fn smoke_color(u: f32, v: f32) -> (Rgb, f32) {
    let puff = cloud(u, v, 3, 151);
    let alpha = (1.0 - distance(u, v) - 0.35 * (1.0 - puff)).max(0.0) * 1.3;
    (mul([0.86, 0.84, 0.80], 0.6 + 0.4 * puff), alpha)
}

fn trail_color(u: f32, v: f32) -> (Rgb, f32) {
    let across = 1.0 - (2.0 * v - 1.0).abs();
    let light = across * across * (1.0 - u);
    (mul(blend([1.0, 0.45, 0.10], [1.0, 0.90, 0.55], across), light), light)
}

//! Shader scripts as materials: stages become layers, waves and scrolling become tracks of global sequences.

use super::sprites;
use effigy_mdc::shader::{
    Alpha, AlphaTest, Color, Factor, MOST_IMAGES, MOST_STAGES, Move, Shader, Shape, Sides, Stage, Wave,
};
use effigy_scene::coordinates::flip_winding;
use effigy_scene::{
    Animated, Blend, Coordinates, GlobalSequence, Id, Interpolation, Layer, LayerTexture, Material, Rotation,
    Scene, Texture, TextureTransform, Track,
};
use effigy_wire::Report;

/// Number of keys for one period of a wave that is not piecewise linear.
const STEPS: u8 = 16;
/// Most repetitions of one scrolling direction that are tried to find a common period for both.
const ROUNDS: u8 = 60;

/// Replaces the materials of a lowered scene by those of shader scripts. `find` returns the shader of a name.
pub fn apply_shaders<'a>(scene: &mut Scene, find: impl Fn(&str) -> Option<&'a Shader>) -> Report {
    let mut report = Report::default();
    for index in 0..scene.materials.len() {
        let Some(id) = scene.materials.id(index) else { continue };
        let name = scene.materials.get(id).map(|material| material.name.clone()).unwrap_or_default();
        let Some(shader) = find(&name) else { continue };
        let layers = layers(scene, shader, &name, &mut report);
        if let Some(material) = scene.materials.get_mut(id) {
            if !layers.is_empty() {
                material.layers = layers;
            }
            #[allow(clippy::cast_possible_truncation, reason = "the cast saturates")]
            let place = shader.place() as i32;
            material.priority = place;
        }
        apply_to_meshes(scene, id, shader, &mut report);
    }
    // Combined numbers of a script may overflow to infinity.
    effigy_scene::repair(scene, &mut report);
    report
}

/// Makes surfaces without a script see-through where their image is: `find` returns whether there is a script of this name,
/// `mix` how an image with an alpha channel is meant.
///
/// The game draws such surfaces opaque, because its own scripts say otherwise for every image with an alpha channel.
/// Models without their scripts would show black squares instead of leaves.
pub fn apply_alpha(
    scene: &mut Scene,
    find: impl Fn(&str) -> bool,
    mut mix: impl FnMut(&Texture) -> Option<Blend>,
) -> Report {
    let mut report = Report::default();
    for material in scene.materials.as_mut_slice() {
        let [layer] = material.layers.as_mut_slice() else { continue };
        let texture = layer.textures.first().and_then(|first| first.texture);
        let Some(texture) = texture.and_then(|id| scene.textures.get(id)) else { continue };
        if layer.blend != Blend::Opaque || find(&material.name) {
            continue;
        }
        let Some(blend) = mix(texture) else { continue };
        layer.blend = blend;
        let how = if blend == Blend::AlphaKey {
            layer.alpha_test = 0.5;
            "it is cut out"
        } else {
            layer.no_depth_write = true;
            "it is blended"
        };
        report.approximated(
            format!("shader {}", material.name),
            format!("the image has an alpha channel and there is no script: {how}"),
        );
    }
    report
}

/// Applies the settings of a shader that concern whole meshes.
fn apply_to_meshes(scene: &mut Scene, id: Id<Material>, shader: &Shader, report: &mut Report) {
    for index in 0..scene.meshes.len() {
        let Some(mesh) = scene.meshes.as_mut_slice().get_mut(index) else { continue };
        if mesh.material != Some(id) {
            continue;
        }
        mesh.shown &= !shader.hidden;
        if shader.sides == Sides::Back {
            flip_winding(&mut mesh.indices);
        }
        if shader.sprite && !sprites::turn(scene, index) {
            report.approximated(
                format!("meshes[{index}]"),
                "quads that face the camera in the game are not animated",
            );
        }
    }
}

fn layers(scene: &mut Scene, shader: &Shader, name: &str, report: &mut Report) -> Vec<Layer> {
    let mut layers = Vec::new();
    if shader.more_stages > 0 {
        report.dropped(format!("shader {name}"), format!("stages beyond the first {MOST_STAGES}"));
    }
    if shader.deformed {
        report.dropped(format!("shader {name}"), "a deformation of the surface");
    }
    for stage in shader.stages.iter().filter(|stage| !stage.images.is_empty()) {
        if stage.more_images > 0 {
            report.dropped(
                format!("shader {name}"),
                format!("images of a stage beyond the first {MOST_IMAGES}"),
            );
        }
        let mut say = |what: &'static str| report.approximated(format!("shader {name}"), what);
        let (blend, exact) = blend(stage.blend);
        if !exact {
            say("the blend function is approximated");
        }
        let solid = blend == Blend::Opaque;
        let texture = LayerTexture {
            texture: stage.images.first().and_then(|image| texture(scene, image, stage.clamp)),
            flipbook: flipbook(scene, stage, &mut say),
            coordinates: if stage.environment { Coordinates::Room } else { Coordinates::Set(0) },
            transform: transform(scene, &stage.moves, &mut say),
            ..LayerTexture::default()
        };
        layers.push(Layer {
            blend: if solid && stage.alpha_test.is_some() { Blend::AlphaKey } else { blend },
            alpha_test: match stage.alpha_test {
                None => 0.0,
                // A little below the smallest alpha that is not 0.
                Some(AlphaTest::Above0) => 0.5 / 255.0,
                Some(AlphaTest::Below128 | AlphaTest::From128) => 0.5,
            },
            alpha_below: stage.alpha_test == Some(AlphaTest::Below128),
            textures: vec![texture],
            color: match stage.color {
                Color::White | Color::Lit => Animated::fixed([1.0; 3]),
                Color::Fixed(color) => Animated::fixed(color),
                Color::Wave(wave) => swinging(scene, &wave, |grey| [grey; 3]),
            },
            alpha: match stage.alpha {
                Alpha::Own => Animated::fixed(1.0),
                Alpha::Fixed(alpha) => Animated::fixed(alpha),
                Alpha::Wave(wave) => swinging(scene, &wave, |alpha| alpha),
            },
            unlit: stage.color != Color::Lit,
            two_sided: shader.sides == Sides::Both,
            no_depth_write: !solid && !stage.depth_write,
            ..Layer::default()
        });
    }
    layers
}

/// The blend mode of two factors, and whether it is exact.
const fn blend(factors: Option<[Factor; 2]>) -> (Blend, bool) {
    use Factor::{DstColor, One, OneMinusSrcAlpha, SrcAlpha, SrcColor, Zero};
    let Some([source, destination]) = factors else { return (Blend::Opaque, true) };
    match (source, destination) {
        (One, Zero) => (Blend::Opaque, true),
        (One, One) => (Blend::Add, true),
        (SrcAlpha, One) => (Blend::AddAlpha, true),
        (SrcAlpha, OneMinusSrcAlpha) => (Blend::Alpha, true),
        (DstColor, Zero) | (Zero, SrcColor) => (Blend::Modulate, true),
        (DstColor, SrcColor) => (Blend::Modulate2x, true),
        (_, One | Factor::OneMinusSrcColor) => (Blend::Add, false),
        (Zero | DstColor, _) => (Blend::Modulate, false),
        _ => (Blend::Alpha, false),
    }
}

fn is_built_in(image: &str) -> bool {
    image.starts_with(['$', '*'])
}

/// The texture of an image; `None` for the built-in white ones.
fn texture(scene: &mut Scene, image: &str, clamp: bool) -> Option<Id<Texture>> {
    if is_built_in(image) {
        return None;
    }
    let wanted = Texture { path: image.to_owned(), replaceable: None, repeat: [!clamp; 2] };
    let known = scene.textures.iter().find(|(_, texture)| **texture == wanted).map(|(id, _)| id);
    Some(known.unwrap_or_else(|| scene.textures.push(wanted)))
}

/// Seconds as milliseconds, at least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
fn milliseconds(seconds: f32) -> u32 {
    ((seconds * 1000.0).round().min(1e9) as u32).max(1)
}

fn time(milliseconds: u32) -> i32 {
    i32::try_from(milliseconds).unwrap_or(i32::MAX)
}

/// The global sequence of this many milliseconds; it is added if it does not exist.
fn clock(scene: &mut Scene, length: u32) -> Id<GlobalSequence> {
    let known = scene.global_sequences.iter().find(|(_, clock)| clock.length == length).map(|(id, _)| id);
    known.unwrap_or_else(|| scene.global_sequences.push(GlobalSequence { length }))
}

fn on_clock<T: Copy>(scene: &mut Scene, length: u32, keys: Vec<(u32, T)>, first: T, step: bool) -> Track<T> {
    let mut track = Track::linear(
        keys.iter().map(|(at, _)| time(*at)).collect(),
        keys.iter().map(|it| it.1).collect(),
        first,
    );
    track.global = Some(clock(scene, length));
    if step {
        track.interpolation = Interpolation::Step;
    }
    track
}

fn flipbook(scene: &mut Scene, stage: &Stage, say: &mut impl FnMut(&'static str)) -> Option<Track<u32>> {
    if stage.images.len() < 2 || stage.fps <= 0.0 {
        return None;
    }
    if stage.images.iter().any(|image| is_built_in(image)) {
        say("an image sequence with a built-in image is not animated");
        return None;
    }
    let mut keys = Vec::new();
    for (number, image) in stage.images.iter().enumerate() {
        let id = texture(scene, image, stage.clamp)?;
        let at = milliseconds(number as f32 / stage.fps);
        keys.push((if number == 0 { 0 } else { at }, u32::try_from(id.index()).unwrap_or(0)));
    }
    let first = keys.first().map_or(0, |key| key.1);
    let length = milliseconds(stage.images.len() as f32 / stage.fps);
    Some(on_clock(scene, length, keys, first, true))
}

/// A periodic value, sampled over one period.
fn swinging<T: Copy>(scene: &mut Scene, wave: &Wave, of: impl Fn(f32) -> T) -> Animated<T> {
    if wave.frequency == 0.0 || wave.amplitude == 0.0 {
        return Animated::fixed(of(wave.at(0.0)));
    }
    let period = 1.0 / wave.frequency.abs();
    let first = of(wave.at(0.0));
    if matches!(wave.shape, Shape::Sawtooth | Shape::InverseSawtooth) {
        let length = milliseconds(period);
        let keys = teeth(wave, length).into_iter().map(|(at, value)| (at, of(value))).collect();
        let track = on_clock(scene, length, keys, first, false);
        return Animated { base: first, track: Some(track) };
    }
    let keys = (0..=STEPS)
        .map(|step| {
            let share = f32::from(step) / f32::from(STEPS);
            let at = if step == 0 { 0 } else { milliseconds(period * share) };
            (at, of(wave.at(period * share)))
        })
        .collect();
    let track = on_clock(scene, milliseconds(period), keys, first, wave.shape == Shape::Square);
    Animated { base: first, track: Some(track) }
}

/// The keys of a sawtooth over one period: linear from one end to the other, then a jump back within a millisecond.
fn teeth(wave: &Wave, length: u32) -> Vec<(u32, f32)> {
    let rises = (wave.shape == Shape::Sawtooth) == (wave.frequency > 0.0);
    let (low, high) = (wave.base, wave.base + wave.amplitude);
    let (start, end) = if rises { (low, high) } else { (high, low) };
    let phase = wave.phase.rem_euclid(1.0);
    let rest = if wave.frequency > 0.0 { 1.0 - phase } else { phase };
    let jump = milliseconds(rest / wave.frequency.abs());
    if phase == 0.0 || jump < 2 || jump >= length {
        return vec![(0, start), (length, end)];
    }
    let now = wave.at(0.0);
    vec![(0, now), (jump - 1, end), (jump, start), (length, now)]
}

/// Seconds after which both coordinates have moved by a whole number of images.
fn round_trip([s, t]: [f32; 2]) -> f32 {
    let [s, t] = [s.abs(), t.abs()];
    let (slow, fast) = if s == 0.0 || (t > 0.0 && t < s) { (t, s) } else { (s, t) };
    if slow == 0.0 {
        return 1.0;
    }
    let off = |rounds: u8| {
        let gone = fast * f32::from(rounds) / slow;
        (gone - gone.round()).abs()
    };
    let best = (1..=ROUNDS).find(|rounds| off(*rounds) < 1e-3);
    let best = best.or_else(|| (1..=ROUNDS).min_by(|a, b| off(*a).total_cmp(&off(*b))));
    f32::from(best.unwrap_or(1)) / slow
}

/// All changes of the coordinates, combined into one rotation, scale and translation.
fn transform(
    scene: &mut Scene,
    moves: &[Move],
    say: &mut impl FnMut(&'static str),
) -> Option<Id<TextureTransform>> {
    let (mut scale, mut speed, mut turn) = ([1.0_f32; 2], [0.0_f32; 2], 0.0_f32);
    let mut mixed = false;
    for movement in moves {
        match movement {
            Move::Scroll(by) => speed = [speed[0] + by[0], speed[1] + by[1]],
            Move::Scale(by) => {
                scale = [scale[0] * by[0], scale[1] * by[1]];
                speed = [speed[0] * by[0], speed[1] * by[1]];
            }
            Move::Rotate(degrees) => {
                mixed |= scale != [1.0; 2] || speed != [0.0; 2];
                turn += degrees;
            }
            Move::Other(_) => say("a change of texture coordinates is not supported"),
        }
    }
    if mixed {
        say("the order of texture transforms is changed: the rotation comes first");
    }
    if scale == [1.0; 2] && speed == [0.0; 2] && turn == 0.0 {
        return None;
    }
    // The script scales about the origin, the scene about the centre.
    let shift = [(scale[0] - 1.0) * 0.5, (scale[1] - 1.0) * 0.5, 0.0];
    let mut made = TextureTransform {
        translation: Animated::fixed(shift),
        scale: Animated::fixed([scale[0], scale[1], 1.0]),
        ..TextureTransform::default()
    };
    if speed != [0.0; 2] {
        let seconds = round_trip(speed);
        let length = milliseconds(seconds);
        let gone = [shift[0] + speed[0] * seconds, shift[1] + speed[1] * seconds, 0.0];
        made.translation.track =
            Some(on_clock(scene, length, vec![(0, shift), (length, gone)], shift, false));
    }
    if turn != 0.0 {
        let length = milliseconds(360.0 / turn.abs());
        let keys = (0_u8..=4).map(|quarter| {
            let half = -turn.signum() * f32::from(quarter) * std::f32::consts::FRAC_PI_4;
            (length * u32::from(quarter) / 4, Rotation([0.0, 0.0, half.sin(), half.cos()]))
        });
        made.rotation.track = Some(on_clock(scene, length, keys.collect(), Rotation::IDENTITY, false));
    }
    Some(scene.texture_transforms.push(made))
}

#[cfg(test)]
mod tests;

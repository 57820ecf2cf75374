//! Cameras, lights and events at a moment.

use super::{Moment, Pose, Sampler, View};
use crate::{Camera, Event, Id, Light, Sequence};
use glam::{Quat, Vec3};

/// The field of view of cameras that state none.
const DEFAULT_FOV: f32 = std::f32::consts::FRAC_PI_4;

/// A camera at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraPose {
    /// Where it is.
    pub position: [f32; 3],
    /// Where it looks.
    pub target: [f32; 3],
    /// Turn about the view axis, radians.
    pub roll: f32,
    /// Diagonal field of view, radians.
    pub fov: f32,
}

impl CameraPose {
    /// The vertical field of view in a picture of this width / height.
    #[must_use]
    pub fn vertical_fov(&self, aspect: f32) -> f32 {
        self.fov / (1.0 + aspect * aspect).sqrt()
    }

    /// What it sees from where.
    #[must_use]
    pub fn view(&self) -> View {
        let view = View::look_at(self.position, self.target);
        let turn = Quat::from_axis_angle(Vec3::from(view.back), self.roll);
        View {
            right: (turn * Vec3::from(view.right)).into(),
            up: (turn * Vec3::from(view.up)).into(),
            ..view
        }
    }
}

/// A light at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightPose {
    /// Whether it shines.
    pub on: bool,
    /// Where it is.
    pub position: [f32; 3],
    /// Where it shines to, unit length.
    pub direction: [f32; 3],
    /// Red, green, blue.
    pub color: [f32; 3],
    /// Strength, never negative.
    pub intensity: f32,
    /// Red, green, blue of its ambient part.
    pub ambient_color: [f32; 3],
    /// Strength of its ambient part, never negative.
    pub ambient_intensity: f32,
    /// Distances where it begins to fade and has faded.
    pub attenuation: [f32; 2],
}

impl Sampler<'_> {
    /// A camera at a moment.
    #[must_use]
    pub fn camera(&self, camera: &Camera, moment: &Moment) -> CameraPose {
        let moved = |base: [f32; 3], track: &Option<crate::Track<[f32; 3]>>| -> [f32; 3] {
            let shift = track.as_ref().map_or([0.0; 3], |track| self.track(track, moment));
            (Vec3::from(base) + Vec3::from(shift)).into()
        };
        CameraPose {
            position: moved(camera.position, &camera.translation),
            target: moved(camera.target, &camera.target_translation),
            roll: camera.roll.as_ref().map_or(0.0, |track| self.track(track, moment)),
            fov: if camera.fov > 0.0 { camera.fov } else { DEFAULT_FOV },
        }
    }

    /// A light in a pose.
    #[must_use]
    pub fn light(&self, light: &Light, pose: &Pose) -> LightPose {
        let clocks = self.clocks(&pose.moment);
        let matrix = pose.matrices.get(light.node.index()).copied().unwrap_or_default();
        LightPose {
            on: self.value_at(&light.visibility, &clocks) > 0.0 && pose.is_open(light.node),
            position: matrix.transform_point3a(light.position.into()).into(),
            direction: (-matrix.matrix3.z_axis).normalize_or_zero().into(),
            color: self.value_at(&light.color, &clocks),
            intensity: self.value_at(&light.intensity, &clocks).max(0.0),
            ambient_color: self.value_at(&light.ambient_color, &clocks),
            ambient_intensity: self.value_at(&light.ambient_intensity, &clocks).max(0.0),
            attenuation: [
                self.value_at(&light.attenuation_start, &clocks),
                self.value_at(&light.attenuation_end, &clocks),
            ],
        }
    }

    /// Which events fire after `from` up to and including `to`, milliseconds since the sequence started.
    ///
    /// `from` is none when the sequence has just begun: its first millisecond counts too. A looping sequence may be
    /// passed several times; then each event fires at most once per key. Keys on global clocks are ignored.
    pub fn events(
        &self,
        sequence: Id<Sequence>,
        from: Option<f64>,
        to: f64,
        fired: &mut Vec<(Id<Event>, i32)>,
    ) {
        let Some(playing) = self.scene.sequences.get(sequence) else { return };
        let length = f64::from(playing.length());
        let start = f64::from(playing.start);
        let from = from.unwrap_or(-1.0);
        // Up to two intervals of the sequence, each without its start and with its end.
        let stretches = if !playing.looping || length <= 0.0 || to <= length {
            [(from.min(length), to.min(length)), (0.0, 0.0)]
        } else if to - from.max(0.0) >= length {
            [(-1.0, length), (0.0, 0.0)]
        } else {
            let wrap = |time: f64| if time > length { time.rem_euclid(length) } else { time };
            let (a, b) = (wrap(from), wrap(to));
            if a <= b { [(a, b), (0.0, 0.0)] } else { [(a, length), (-1.0, b)] }
        };
        for (id, event) in self.scene.events.iter().filter(|(_, event)| event.global.is_none()) {
            for (after, until) in stretches {
                let first = event.times.partition_point(|time| f64::from(*time) - start <= after);
                for time in
                    event.times.iter().skip(first).take_while(|time| f64::from(**time) - start <= until)
                {
                    if *time >= playing.start && *time <= playing.end {
                        fired.push((id, *time));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, NodeKind, Scene, validate};

    fn scene(looping: bool) -> Scene {
        let mut scene = Scene::default();
        let node = scene.nodes.push(Node::new("n", NodeKind::Event, None, [0.0; 3]));
        scene.sequences.push(Sequence { start: 100, end: 200, looping, ..Sequence::default() });
        let times = vec![50, 100, 150, 200, 250];
        let event = Event { name: "e".into(), data: 0, node, position: [0.0; 3], times, global: None };
        scene.events.push(event);
        scene
    }

    fn fired(scene: &Scene, from: Option<f64>, to: f64) -> Vec<i32> {
        let scene = validate(scene.clone()).unwrap();
        let mut list = Vec::new();
        Sampler::new(&scene).events(Id::new(0), from, to, &mut list);
        list.into_iter().map(|(_, time)| time).collect()
    }

    #[test]
    fn an_event_fires_once_also_at_the_first_millisecond_and_through_the_loop() {
        let once = scene(false);
        assert_eq!(fired(&once, None, 0.0), [100]);
        assert_eq!(fired(&once, Some(0.0), 50.0), [150]);
        assert_eq!(fired(&once, Some(50.0), 5000.0), [200]);
        let looped = scene(true);
        assert_eq!(fired(&looped, Some(60.0), 155.0), [200, 100, 150]);
        assert_eq!(fired(&looped, Some(90.0), 110.0), [200, 100]);
        // From the first millisecond on to the end: what has happened there does not happen again.
        assert_eq!(fired(&looped, Some(0.0), 100.0), [150, 200]);
    }

    #[test]
    fn a_sequence_without_length_fires_its_events_once() {
        let mut still = scene(true);
        still.sequences.as_mut_slice()[0].end = 100;
        assert_eq!(fired(&still, None, 0.0), [100]);
        assert_eq!(fired(&still, Some(0.0), 500.0), []);
    }
}

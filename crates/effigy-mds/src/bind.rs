//! The bind pose, which no file stores.
//!
//! A vertex has a place in the space of each of its bones. All of them come from one pose of the model, in which they
//! agree, but that pose is in no frame. It can be recovered: the vertices that two bones share give the place of one bone in
//! the space of the other by a rigid fit. Bones without shared vertices keep the place that they have in a frame.
//!
//! Real MDS files fit within 0.009 units. MDM files, which were rounded again, fit within 0.3 units, one within 1.3.

mod fit;

use crate::pose::{Place, Pose, Skeleton};
use crate::{Model, Weight};
use effigy_wire::Result;
use fit::Rigid;
use std::collections::BTreeMap;

/// How often each bone is fitted again to the mean of the others.
const ROUNDS: usize = 60;

/// The recovered bind pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bind {
    /// The place of each bone.
    pub bones: Vec<Place>,
    /// How far a vertex that moves rigidly with this pose can be from the vertex of the games, in units: the distances of
    /// the places that its bones give it from their mean, by weight, for the worst vertex.
    pub error: f32,
}

impl Bind {
    /// Recovers the bind pose of a mesh. `frame` is the frame of `skeleton` whose places are used for bones without shared
    /// vertices, and for the place of the whole.
    ///
    /// # Errors
    /// When the frame cannot be posed.
    pub fn recover(mesh: &Model, skeleton: &Model, frame: usize) -> Result<Self> {
        let bones = Skeleton::new(skeleton)?.with_formula(crate::pose::Formula::Wolfenstein);
        let pose = bones.frame(skeleton, frame)?;
        let weights: Vec<&[Weight]> = mesh
            .surfaces
            .iter()
            .flat_map(|surface| &surface.vertices)
            .map(|it| it.weights.as_slice())
            .collect();
        let mut places = start(&weights, skeleton, &bones, &pose);
        for _ in 0..ROUNDS {
            refine(&weights, &mut places);
        }
        let error = spread(&weights, &places);
        Ok(Self { bones: places.iter().map(Rigid::place).collect(), error })
    }

    /// The position of a vertex: the mean of what its bones say, by weight.
    #[must_use]
    pub fn position(&self, weights: &[Weight]) -> [f32; 3] {
        let mut sum = [0.0; 3];
        let mut total = 0.0;
        for weight in weights {
            let Some(place) = usize::try_from(weight.bone).ok().and_then(|bone| self.bones.get(bone)) else {
                continue;
            };
            total += weight.weight;
            let point = place.point(weight.offset);
            sum = crate::math::add(sum, crate::math::scaled(point, weight.weight));
        }
        if total > 0.0 { crate::math::scaled(sum, 1.0 / total) } else { sum }
    }
}

fn wide(offset: [f32; 3]) -> [f64; 3] {
    offset.map(f64::from)
}

fn index(weight: &Weight) -> usize {
    usize::try_from(weight.bone).unwrap_or(usize::MAX)
}

/// A first pose: along the pairs of bones that share the most vertices, and along parents where there are none.
fn start(weights: &[&[Weight]], model: &Model, skeleton: &Skeleton<'_>, pose: &Pose) -> Vec<Rigid> {
    let mut pairs: BTreeMap<[usize; 2], Vec<[[f64; 3]; 2]>> = BTreeMap::new();
    for list in weights {
        for (at, first) in list.iter().enumerate() {
            for second in list.iter().skip(at + 1) {
                let (a, b) = if first.bone < second.bone { (first, second) } else { (second, first) };
                if a.bone != b.bone {
                    let points = pairs.entry([index(a), index(b)]).or_default();
                    points.push([wide(a.offset), wide(b.offset)]);
                }
            }
        }
    }
    let framed: Vec<Rigid> = pose.bones.iter().map(Rigid::of).collect();
    // The place of the second bone in the space of the first, and how widely the shared vertices are spread. Too few of them leave the
    // rotation open: it is that of the frame.
    let links: Vec<([usize; 2], Rigid, f64)> = pairs
        .into_iter()
        .filter_map(|([a, b], points)| {
            let between = framed.get(a)?.inverse().after(framed.get(b)?);
            let turned = points.iter().map(|[a, b]| (*b, *a, 1.0));
            let (link, width) = between.fitted(turned)?;
            Some(([a, b], link, width))
        })
        .collect();
    let mut places: Vec<Option<Rigid>> = vec![None; framed.len()];
    for &bone in skeleton.order() {
        if places.get(bone).is_none_or(Option::is_some) {
            continue;
        }
        let own = framed.get(bone).copied().unwrap_or_default();
        let parent = model.bones.get(bone).and_then(|bone| usize::try_from(bone.parent).ok());
        let carried = parent.and_then(|parent| {
            let (placed, rest) = ((*places.get(parent)?)?, framed.get(parent)?);
            Some(placed.after(&rest.inverse().after(&own)))
        });
        if let Some(place) = places.get_mut(bone) {
            *place = Some(carried.unwrap_or(own));
        }
        spread_out(&links, &mut places);
    }
    places.into_iter().map(Option::unwrap_or_default).collect()
}

/// Places every bone that is linked to a placed one, over the best known links first.
fn spread_out(links: &[([usize; 2], Rigid, f64)], places: &mut [Option<Rigid>]) {
    loop {
        let known = |bone: usize| places.get(bone).copied().flatten();
        let next = links
            .iter()
            .filter(|([a, b], ..)| known(*a).is_some() != known(*b).is_some())
            .max_by(|(_, _, a), (_, _, b)| a.total_cmp(b));
        let Some(([a, b], link, _)) = next else { return };
        let (bone, made) = match (known(*a), known(*b)) {
            (Some(first), None) => (*b, first.after(link)),
            (None, Some(second)) => (*a, second.after(&link.inverse())),
            _ => return,
        };
        match places.get_mut(bone) {
            Some(place) => *place = Some(made),
            None => return,
        }
    }
}

/// What a bone says about a vertex.
struct Said {
    bone: usize,
    offset: [f64; 3],
    point: [f64; 3],
    weight: f64,
}

/// The places of a vertex by its bones.
fn points(list: &[Weight], places: &[Rigid]) -> Vec<Said> {
    let sound = list.iter().filter(|weight| weight.weight > 0.0);
    sound
        .filter_map(|weight| {
            let offset = wide(weight.offset);
            let point = places.get(index(weight))?.point(offset);
            Some(Said { bone: index(weight), offset, point, weight: f64::from(weight.weight) })
        })
        .collect()
}

/// The mean of the places of a vertex, by weight.
fn mean(points: &[Said]) -> [f64; 3] {
    let total: f64 = points.iter().map(|said| said.weight).sum();
    let mut mean = [0.0; 3];
    for Said { point, weight, .. } in points {
        for (sum, value) in mean.iter_mut().zip(point) {
            *sum += value * weight / total;
        }
    }
    mean
}

/// Fits each bone to the mean of what all bones of its vertices say.
fn refine(weights: &[&[Weight]], places: &mut [Rigid]) {
    let mut targets: BTreeMap<usize, Vec<_>> = BTreeMap::new();
    for list in weights.iter().filter(|list| list.len() > 1) {
        let points = points(list, places);
        let mean = mean(&points);
        for said in points {
            targets.entry(said.bone).or_default().push((said.offset, mean, said.weight));
        }
    }
    for (bone, points) in targets {
        let Some(place) = places.get_mut(bone) else { continue };
        if let Some((made, _)) = place.fitted(points.into_iter()) {
            *place = made;
        }
    }
}

/// How far a vertex that moves rigidly with the bind pose can be from the vertex of the games, at most.
#[allow(clippy::cast_possible_truncation, reason = "a distance for people")]
fn spread(weights: &[&[Weight]], places: &[Rigid]) -> f32 {
    let mut worst = 0.0_f64;
    for list in weights {
        let points = points(list, places);
        let mean = mean(&points);
        let away = |Said { point, weight, .. }: &Said| {
            let square: f64 = point.iter().zip(mean).map(|(a, b)| (a - b) * (a - b)).sum();
            square.sqrt() * weight
        };
        worst = worst.max(points.iter().map(away).sum());
    }
    worst as f32
}

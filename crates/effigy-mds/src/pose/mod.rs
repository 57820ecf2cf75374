//! Poses: the bones, tags and vertices of a model at a moment, by the games' formulas.
//!
//! A body plays two animations at once, one for the legs and one for the torso, and each blends from an old frame to a new
//! one. A bone's `torso_weight` says how far it follows the torso. Rotations and directions are stored in model space; only
//! the distance from the parent belongs to the bone. Finally everything above the torso's bone turns with the torso.
//!
//! [`Formula::Wolfenstein`] is the arithmetic of Return to Castle Wolfenstein, which Enemy Territory also uses for MDS.
//! [`Formula::EnemyTerritory`] is the one that Enemy Territory uses for MDM and MDX, with a table of sines.

mod encode;
mod et;
mod mesh;
mod rtcw;

pub use encode::{angles_of, direction_of};
pub use mesh::{Mesh, Placed};

use crate::math::{IDENTITY, Rows, add, product, scaled, sub, transposed, turn};
use crate::version::Caps;
use crate::{Bone, Frame, Model, inspect};
use effigy_wire::{Error, Kind, Result};

/// Which game's arithmetic is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// Sines and angles as Return to Castle Wolfenstein computes them.
    #[default]
    Wolfenstein,
    /// Enemy Territory's table of 4096 sines and its angles in whole numbers. It differs from exact numbers by up to 0.06
    /// units in a frame and up to 2 units between two frames.
    EnemyTerritory,
}

/// A frame of a model: an MDS, or one of the MDX files of a body.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The model with the frame.
    pub model: &'a Model,
    /// The number of the frame.
    pub frame: usize,
}

/// The way from an old frame to a new one.
#[derive(Clone, Copy, Debug)]
pub struct Blend<'a> {
    /// The frame that is being reached.
    pub new: At<'a>,
    /// The frame that is being left.
    pub old: At<'a>,
    /// The share of the old frame, 0 to 1.
    pub back: f32,
}

impl<'a> Blend<'a> {
    /// A frame without blending.
    #[must_use]
    pub const fn still(model: &'a Model, frame: usize) -> Self {
        let at = At { model, frame };
        Self { new: at, old: at, back: 0.0 }
    }
}

/// What a body does at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The animation of the legs. Its new frame's model gives the bones.
    pub legs: Blend<'a>,
    /// The animation of the torso.
    pub torso: Blend<'a>,
    /// The axes of the torso relative to the legs (forward, left, up), the identity for a soldier that looks ahead.
    pub torso_axes: [[f32; 3]; 3],
}

impl<'a> Moment<'a> {
    /// Legs and torso in the same frame.
    #[must_use]
    pub const fn still(model: &'a Model, frame: usize) -> Self {
        let blend = Blend::still(model, frame);
        Self { legs: blend, torso: blend, torso_axes: IDENTITY }
    }
}

/// Where a bone is: it moves a point `x` of its space to `matrix * x + translation`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Three rows.
    pub matrix: [[f32; 3]; 3],
    /// The position of the bone.
    pub translation: [f32; 3],
}

impl Place {
    /// A point of the bone's space in model space.
    #[must_use]
    pub fn point(&self, point: [f32; 3]) -> [f32; 3] {
        add(turn(&self.matrix, point), self.translation)
    }
}

/// All bones at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// One place per bone.
    pub bones: Vec<Place>,
}

/// Where a tag is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TagPose {
    /// Position in units.
    pub origin: [f32; 3],
    /// Forward, left and up.
    pub axes: [[f32; 3]; 3],
}

impl Pose {
    /// The pose of a tag of an MDS or MDM; `None` if there is no such tag or its bone does not exist.
    ///
    /// In MDS the tag is the bone, and its axes are the rows of the bone's matrix. In MDM the tag has a place on its bone.
    #[must_use]
    pub fn tag(&self, model: &Model, tag: usize) -> Option<TagPose> {
        let tag = model.tags.get(tag)?;
        let place = self.bones.get(usize::try_from(tag.bone).ok()?)?;
        if !model.format.caps().contains(Caps::PLACED_TAGS) {
            return Some(TagPose { origin: place.translation, axes: place.matrix });
        }
        let (rows, _) = tag.axes.as_chunks::<3>();
        let rows: Rows = rows.try_into().ok()?;
        Some(TagPose { origin: place.point(tag.offset), axes: rows.map(|row| turn(&place.matrix, row)) })
    }
}

/// The bones of a model, ready to be posed: parents are known to exist, and to form no loop.
#[derive(Clone, Debug)]
pub struct Skeleton<'a> {
    bones: &'a [Bone],
    /// The bones in an order in which parents come first.
    order: Vec<usize>,
    torso_parent: Option<usize>,
    formula: Formula,
}

impl<'a> Skeleton<'a> {
    /// The skeleton of an MDS or MDX, with the formula of its game.
    ///
    /// # Errors
    /// When a parent does not exist, or parents form a loop.
    pub fn new(model: &'a Model) -> Result<Self> {
        let formula = match model.format.caps().contains(Caps::WHOLE) {
            true => Formula::Wolfenstein,
            false => Formula::EnemyTerritory,
        };
        let wrong = |message: String| Error::new(Kind::Malformed, message);
        let count = model.bones.len();
        for (index, bone) in model.bones.iter().enumerate() {
            if bone.parent >= 0 && usize::try_from(bone.parent).is_ok_and(|parent| parent >= count) {
                let parent = bone.parent;
                return Err(wrong(format!("bones[{index}].parent: bone {parent} does not exist")));
            }
        }
        if let Some(index) = inspect::loops(model).first() {
            return Err(wrong(format!("bones[{index}].parent: the parents of this bone lead back to it")));
        }
        Ok(Self {
            bones: &model.bones,
            order: order(&model.bones),
            torso_parent: usize::try_from(model.torso_parent).ok().filter(|bone| *bone < count),
            formula,
        })
    }

    /// The same skeleton with another formula.
    #[must_use]
    pub fn with_formula(self, formula: Formula) -> Self {
        Self { formula, ..self }
    }

    /// The number of bones.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bones.len()
    }

    /// Whether there are no bones.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// The bones in an order in which parents come before their children.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The pose of a frame, with legs and torso in the same frame.
    ///
    /// # Errors
    /// When the frame does not exist or has fewer bones than the skeleton.
    pub fn frame(&self, model: &Model, frame: usize) -> Result<Pose> {
        self.pose(&Moment::still(model, frame))
    }

    /// The pose at a moment.
    ///
    /// # Errors
    /// When a frame does not exist or has fewer bones than the skeleton.
    pub fn pose(&self, moment: &Moment<'_>) -> Result<Pose> {
        let mut pose = Pose::default();
        self.pose_into(moment, &mut pose)?;
        Ok(pose)
    }

    /// Like [`Skeleton::pose`], into an existing pose, whose memory is used again.
    ///
    /// # Errors
    /// Like [`Skeleton::pose`].
    pub fn pose_into(&self, moment: &Moment<'_>, pose: &mut Pose) -> Result<()> {
        let frames = Frames::of(self, moment)?;
        pose.bones.clear();
        pose.bones.resize(self.bones.len(), Place::default());
        for &index in &self.order {
            let Some(bone) = self.bones.get(index) else { continue };
            let parent = usize::try_from(bone.parent).ok().and_then(|parent| pose.bones.get(parent));
            let (matrix, direction) = match self.formula {
                Formula::Wolfenstein => rtcw::bone(bone.torso_weight, &frames, index),
                Formula::EnemyTerritory => et::bone(bone.torso_weight, &frames, index),
            };
            let translation = match parent {
                Some(parent) => add(parent.translation, scaled(direction, bone.parent_dist)),
                None => frames.root(),
            };
            if let Some(place) = pose.bones.get_mut(index) {
                *place = Place { matrix, translation };
            }
        }
        self.turn_torso(&moment.torso_axes, pose);
        Ok(())
    }

    /// Turns everything above the torso's bone with the torso. Between weights 0 and 1 the games mix the matrix with the
    /// identity, which leaves it slightly skewed.
    fn turn_torso(&self, axes: &Rows, pose: &mut Pose) {
        if *axes == IDENTITY {
            return;
        }
        let centre = self.torso_parent.and_then(|bone| pose.bones.get(bone));
        let centre = centre.map_or([0.0; 3], |place| place.translation);
        let turned = transposed(*axes);
        for (bone, place) in self.bones.iter().zip(&mut pose.bones) {
            let weight = bone.torso_weight;
            if weight <= 0.0 || weight.is_nan() {
                continue;
            }
            let mut mixed = turned.map(|row| scaled(row, weight));
            for (index, row) in mixed.iter_mut().enumerate() {
                if let Some(number) = row.get_mut(index) {
                    *number += 1.0 - weight;
                }
            }
            place.translation = add(turn(&mixed, sub(place.translation, centre)), centre);
            place.matrix = match bone.flags & 1 {
                // The axes of a tag are the rows of its matrix.
                1 => place.matrix.map(|row| turn(&mixed, row)),
                _ => product(&mixed, &place.matrix),
            };
        }
    }
}

/// The bones in an order in which parents come first. The parents exist and form no loop.
fn order(bones: &[Bone]) -> Vec<usize> {
    let mut done = vec![false; bones.len()];
    let mut order = Vec::with_capacity(bones.len());
    for start in 0..bones.len() {
        let mut path = Vec::new();
        let mut next = Some(start);
        while let Some(bone) = next.filter(|bone| done.get(*bone) == Some(&false)) {
            if let Some(done) = done.get_mut(bone) {
                *done = true;
            }
            path.push(bone);
            next = bones.get(bone).and_then(|bone| usize::try_from(bone.parent).ok());
        }
        order.extend(path.into_iter().rev());
    }
    order
}

/// The four frames of a moment.
struct Frames<'a> {
    legs: [&'a [crate::BoneKey]; 2],
    torso: [&'a [crate::BoneKey]; 2],
    roots: [[f32; 3]; 2],
    /// The share of the old legs frame.
    back: f32,
    /// The share of the old torso frame.
    torso_back: f32,
    /// Whether anything blends.
    blends: bool,
}

impl<'a> Frames<'a> {
    fn of(skeleton: &Skeleton<'_>, moment: &Moment<'a>) -> Result<Self> {
        let keys = |at: At<'a>| -> Result<(&'a [crate::BoneKey], &'a Frame)> {
            let missing = || {
                let count = at.model.frames.len();
                Error::new(Kind::Usage, format!("frame {} does not exist, there are {count}", at.frame))
            };
            let frame = at.model.frames.get(at.frame).ok_or_else(missing)?;
            let keys = at.model.keys_of(at.frame);
            if keys.len() < skeleton.bones.len() {
                let (has, needs) = (keys.len(), skeleton.bones.len());
                let message = format!("frame {} has {has} bones, the skeleton has {needs}", at.frame);
                return Err(Error::new(Kind::Malformed, message));
            }
            Ok((keys, frame))
        };
        let ((new, root), (old, old_root)) = (keys(moment.legs.new)?, keys(moment.legs.old)?);
        let (torso, old_torso) = (keys(moment.torso.new)?.0, keys(moment.torso.old)?.0);
        let same = |a: At<'_>, b: At<'_>| std::ptr::eq(a.model, b.model);
        let (legs, upper) = (moment.legs, moment.torso);
        let back = if legs.new.frame == legs.old.frame && same(legs.new, legs.old) { 0.0 } else { legs.back };
        // Enemy Territory compares the old file of the torso with the old file of the legs here.
        let partner = match skeleton.formula {
            Formula::Wolfenstein => upper.new,
            Formula::EnemyTerritory => legs.old,
        };
        let still = upper.new.frame == upper.old.frame && same(upper.old, partner);
        let torso_back = if still { 0.0 } else { upper.back };
        Ok(Self {
            legs: [new, old],
            torso: [torso, old_torso],
            roots: [root.parent_offset, old_root.parent_offset],
            back,
            torso_back,
            blends: back != 0.0 || torso_back != 0.0,
        })
    }

    /// The position of the root, which always follows the legs.
    fn root(&self) -> [f32; 3] {
        let [new, old] = self.roots;
        if !self.blends {
            return new;
        }
        let front = 1.0 - self.back;
        add(scaled(new, front), scaled(old, self.back))
    }

    /// The new and the old key of a bone.
    fn keys(list: [&[crate::BoneKey]; 2], bone: usize) -> [crate::BoneKey; 2] {
        list.map(|keys| keys.get(bone).copied().unwrap_or_default())
    }
}

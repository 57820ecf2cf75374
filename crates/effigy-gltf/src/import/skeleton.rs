//! The nodes of a glTF scene as nodes with pivots.
//!
//! A node of the scene is at its pivot in the bind pose, without rotation; its matrix takes the bind pose to the pose. A glTF
//! node has a matrix `W` of its own at every moment. With a fixed frame `B` for each node, `M = W B^-1` is the matrix of the
//! scene's node, and its own motion is `B_parent TRS B^-1`: constants from the left and from the right of what the keys
//! hold, so every key maps to one key. `B` is a position, a rotation and one scale for all axes, so that the three parts stay
//! translation, rotation and scale.
//!
//! - Joints: `B` is the inverse of the inverse bind matrix, which also gives the pivot. Vertices are brought to the place where the
//!   first joint of the skin is at rest.
//! - Other nodes: `B` is their rest pose. A node that is stretched unevenly keeps its rotation and scale as rest values.
//! - A joint that two skins bind differently, or that is stretched unevenly, gets a child that holds the difference.
//! - Branches that never move are at rest in the bind pose, whatever their matrices are.

use super::document::{Document, NodeJson, SkinJson};
use effigy_wire::{Error, Kind, Report, Result};
use glam::{DAffine3, DMat4, DQuat, DVec3};

/// Translation, rotation, scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trs {
    pub translation: [f32; 3],
    pub rotation: [f32; 4],
    pub scale: [f32; 3],
}

/// A position, a rotation, and one scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub point: DVec3,
    pub turn: DQuat,
    pub scale: f64,
}

impl Frame {
    pub(crate) const IDENTITY: Self = Self { point: DVec3::ZERO, turn: DQuat::IDENTITY, scale: 1.0 };

    pub(crate) fn affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(DVec3::splat(self.scale), self.turn, self.point)
    }

    /// The frame of a matrix; none if it shears, mirrors or stretches unevenly.
    pub(crate) fn of(matrix: DAffine3) -> Option<Self> {
        if !matrix.is_finite() || matrix.matrix3.determinant() <= 0.0 {
            return None;
        }
        let (scale, turn, point) = matrix.to_scale_rotation_translation();
        let frame = Self { point, turn: turn.normalize(), scale: scale.x };
        let same = (frame.affine().matrix3 - matrix.matrix3).to_cols_array();
        same.iter().all(|it| it.abs() <= 1e-5 * scale.x.abs()).then_some(frame)
    }
}

/// What is known about a glTF node.
#[derive(Clone, Debug)]
pub(crate) struct Bone {
    pub parent: Option<usize>,
    pub rest: Trs,
    /// The matrix at rest, in the document's space.
    pub world: DAffine3,
    /// The frame `B`.
    pub frame: Frame,
    /// In branches that never move: the whole matrix `B`, which may be anything.
    pub fixed: Option<DAffine3>,
}

impl Bone {
    /// The matrix that takes what is in the node's space to the bind pose.
    pub(crate) fn bind(&self) -> DAffine3 {
        self.fixed.unwrap_or_else(|| self.frame.affine())
    }
}

/// The nodes that are part of the model.
pub(crate) struct Skeleton {
    /// By index of the document; none: not part of the model.
    pub bones: Vec<Option<Bone>>,
    /// Indices, parents before children.
    pub order: Vec<usize>,
}

fn wrong(text: String) -> Error {
    Error::new(Kind::Malformed, text)
}

pub(crate) fn matrix(columns: &[f32; 16]) -> DAffine3 {
    DAffine3::from_mat4(DMat4::from_cols_array(&columns.map(f64::from)))
}

fn rest_of(node: &NodeJson, index: usize, report: &mut Report) -> (Trs, DAffine3) {
    let unit = |[x, y, z, w]: [f32; 4]| {
        let turn = DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into());
        if turn.length_squared() > 1e-12 { turn.normalize() } else { DQuat::IDENTITY }
    };
    let wide = |value: [f32; 3]| DVec3::from_array(value.map(f64::from));
    if let Some(columns) = &node.matrix {
        let whole = matrix(columns);
        if !whole.is_finite() {
            return rest_of(&NodeJson::default(), index, report);
        }
        let (scale, turn, place) = whole.to_scale_rotation_translation();
        let turn = if turn.is_finite() { turn.normalize() } else { DQuat::IDENTITY };
        let rest = Trs {
            translation: place.as_vec3().into(),
            rotation: turn.as_quat().to_array(),
            scale: scale.as_vec3().into(),
        };
        return (rest, whole);
    }
    let rest = Trs {
        translation: node.translation.unwrap_or([0.0; 3]),
        rotation: unit(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0])).as_quat().to_array(),
        scale: node.scale.unwrap_or([1.0; 3]),
    };
    let finite = rest.translation.iter().chain(&rest.rotation).chain(&rest.scale).all(|it| it.is_finite());
    if !finite {
        report.approximated(format!("nodes[{index}]"), "numbers that are not finite were set to rest");
        return rest_of(&NodeJson::default(), index, report);
    }
    let whole = DAffine3::from_scale_rotation_translation(
        wide(rest.scale),
        unit(rest.rotation),
        wide(rest.translation),
    );
    (rest, whole)
}

impl Skeleton {
    /// Collects the nodes below these roots.
    pub(crate) fn collect(document: &Document, roots: &[usize], report: &mut Report) -> Result<Self> {
        let mut skeleton = Self { bones: vec![None; document.nodes.len()], order: Vec::new() };
        let mut has_place = vec![false; document.nodes.len()];
        for index in document.nodes.iter().flat_map(|node| &node.children).chain(roots) {
            if let Some(place) = has_place.get_mut(*index) {
                *place = true;
            }
        }
        let mut open: Vec<(usize, Option<usize>)> = roots.iter().rev().map(|root| (*root, None)).collect();
        while let Some((index, parent)) = open.pop() {
            let node =
                document.nodes.get(index).ok_or_else(|| wrong(format!("nodes[{index}] does not exist")))?;
            let above = parent.and_then(|it: usize| skeleton.bones.get(it)?.as_ref()).map(|it| it.world);
            let Some(slot) = skeleton.bones.get_mut(index) else { continue };
            if slot.is_some() {
                return Err(wrong(format!("nodes[{index}] has two parents, or is a descendant of itself")));
            }
            let (rest, local) = rest_of(node, index, report);
            let world = above.unwrap_or(DAffine3::IDENTITY) * local;
            *slot = Some(Bone { parent, rest, world, frame: Frame::IDENTITY, fixed: None });
            skeleton.order.push(index);
            open.extend(node.children.iter().rev().map(|child| (*child, Some(index))));
            // Coarser levels of detail are usually not children of anything.
            for level in node.extensions.lod.iter().flat_map(|it| &it.ids) {
                if let Some(taken) = has_place.get_mut(*level).filter(|taken| !**taken) {
                    *taken = true;
                    open.push((*level, parent));
                }
            }
        }
        Ok(skeleton)
    }

    pub(crate) fn bone(&self, index: usize) -> Option<&Bone> {
        self.bones.get(index).and_then(Option::as_ref)
    }

    fn parent_frame(&self, bone: &Bone) -> Frame {
        bone.parent.and_then(|it| self.bone(it)).map_or(Frame::IDENTITY, |it| it.frame)
    }

    /// Chooses the frames. `moves`: the node has keys. `uneven`: it is stretched unevenly at some time. `forced`: frames that
    /// are given, by joints or by the file's own notes.
    pub(crate) fn place(&mut self, moves: &[bool], uneven: &[bool], forced: &[Option<Frame>]) {
        let is = |list: &[bool], index: usize| list.get(index).copied().unwrap_or(false);
        let given = |index: usize| forced.get(index).copied().flatten();
        // A branch rests when neither it nor anything below it moves or is a joint.
        let mut busy: Vec<bool> =
            (0..self.bones.len()).map(|index| is(moves, index) || given(index).is_some()).collect();
        for index in self.order.iter().rev() {
            let parent = self.bone(*index).and_then(|it| it.parent);
            if is(&busy, *index)
                && let Some(above) = parent.and_then(|it| busy.get_mut(it))
            {
                *above = true;
            }
        }
        for index in self.order.clone() {
            let Some(bone) = self.bone(index) else { continue };
            let above = self.parent_frame(bone);
            let above_fixed = bone.parent.and_then(|it| self.bone(it)).and_then(|it| it.fixed);
            let rest = bone.rest;
            let [x, y, z, w] = rest.rotation.map(f64::from);
            let place = DVec3::from_array(rest.translation.map(f64::from));
            let point = above.point + above.turn * (place * above.scale);
            let mut fixed = None;
            let frame = match given(index) {
                Some(frame) => frame,
                None if !is(&busy, index) => {
                    let parent_world = bone.parent.and_then(|it| self.bone(it)).map(|it| it.world);
                    let local = parent_world.unwrap_or(DAffine3::IDENTITY).inverse() * bone.world;
                    let local = if local.is_finite() {
                        local
                    } else {
                        DAffine3::from_scale_rotation_translation(
                            DVec3::from_array(rest.scale.map(f64::from)),
                            DQuat::from_xyzw(x, y, z, w),
                            place,
                        )
                    };
                    let whole = above_fixed.unwrap_or_else(|| above.affine()) * local;
                    fixed = Some(whole);
                    Frame { point: whole.translation, ..Frame::IDENTITY }
                }
                None if is(uneven, index) => Frame { point, turn: DQuat::IDENTITY, scale: above.scale },
                None => {
                    let [size, ..] = rest.scale.map(f64::from);
                    let turn = (above.turn * DQuat::from_xyzw(x, y, z, w)).normalize();
                    Frame { point, turn, scale: above.scale * size }
                }
            };
            if let Some(Some(bone)) = self.bones.get_mut(index) {
                bone.frame = frame;
                bone.fixed = fixed;
            }
        }
    }

    /// How translation, rotation and scale of a node's keys become those of the scene's node (still with Y up).
    pub(crate) fn change(&self, index: usize) -> Change {
        let Some(bone) = self.bone(index) else { return Change::default() };
        if bone.fixed.is_some() {
            return Change { still: true, ..Change::default() };
        }
        let above = self.parent_frame(bone);
        let right = bone.frame.turn.inverse();
        let sides = [above.turn.as_quat(), right.as_quat()];
        Change {
            still: false,
            turn: above.turn,
            factor: above.scale,
            shift: above.point - bone.frame.point,
            scale: above.scale / bone.frame.scale,
            sides: (!is_none(above.turn) || !is_none(right)).then_some(sides),
        }
    }

    /// The frames that the inverse bind matrices ask for, and where each skin's vertices are put.
    pub(crate) fn bind(
        &self,
        skins: &[SkinJson],
        matrices: &[Vec<DAffine3>],
        uneven: &[bool],
        forced: &mut [Option<Frame>],
    ) -> Vec<DAffine3> {
        let mut places = Vec::with_capacity(skins.len());
        for (skin, matrices) in skins.iter().zip(matrices) {
            let first = skin.joints.first().and_then(|joint| self.bone(*joint)).map(|it| it.world);
            let place = match (first, matrices.first()) {
                (Some(world), Some(inverse)) => world * *inverse,
                _ => DAffine3::IDENTITY,
            };
            let sound = place.is_finite() && place.matrix3.determinant().abs() > 1e-30;
            let place = if sound { place } else { DAffine3::IDENTITY };
            for (joint, inverse) in skin.joints.iter().zip(matrices) {
                let Some(slot) = forced.get_mut(*joint) else { continue };
                if slot.is_none()
                    && !uneven.get(*joint).copied().unwrap_or(false)
                    && self.bone(*joint).is_some()
                {
                    *slot = Frame::of(place * inverse.inverse());
                }
            }
            places.push(place);
        }
        places
    }
}

/// How the keys of a node change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub still: bool,
    turn: DQuat,
    factor: f64,
    shift: DVec3,
    scale: f64,
    /// What rotations are multiplied with from the left and from the right; none: they stay as they are.
    sides: Option<[glam::Quat; 2]>,
}

impl Default for Change {
    fn default() -> Self {
        Self { still: false, turn: DQuat::IDENTITY, factor: 1.0, shift: DVec3::ZERO, scale: 1.0, sides: None }
    }
}

/// Whether a rotation does nothing but for rounding.
fn is_none(turn: DQuat) -> bool {
    turn.x.abs() + turn.y.abs() + turn.z.abs() < 1e-9
}

impl Change {
    pub(crate) fn translation(&self, value: [f32; 3]) -> [f32; 3] {
        let value = DVec3::from_array(value.map(f64::from));
        (self.turn * (value * self.factor) + self.shift).as_vec3().into()
    }

    pub(crate) fn tangent(&self, value: [f32; 3]) -> [f32; 3] {
        let value = DVec3::from_array(value.map(f64::from));
        (self.turn * (value * self.factor)).as_vec3().into()
    }

    pub(crate) fn rotation(&self, value: glam::Quat) -> glam::Quat {
        match self.sides {
            Some([left, right]) => left * value * right,
            None => value,
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "the scene holds single-precision numbers")]
    pub(crate) fn scale(&self, value: [f32; 3]) -> [f32; 3] {
        if (self.scale - 1.0).abs() < 1e-12 {
            return value;
        }
        value.map(|it| (f64::from(it) * self.scale) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;

    #[test]
    fn a_frame_is_a_place_a_rotation_and_one_size() {
        let turn = DQuat::from_rotation_y(0.7);
        let made =
            |scale: DVec3| DAffine3::from_scale_rotation_translation(scale, turn, DVec3::new(1.0, 2.0, 3.0));
        let frame = Frame::of(made(DVec3::splat(2.0))).unwrap();
        assert!(frame.affine().abs_diff_eq(made(DVec3::splat(2.0)), 1e-9));
        assert!((frame.scale - 2.0).abs() < 1e-9 && frame.point == DVec3::new(1.0, 2.0, 3.0));
        // Differences of up to a hundred-thousandth of the size are rounding.
        assert!(Frame::of(made(DVec3::new(200.0, 200.001, 200.0))).is_some());
        assert!(Frame::of(made(DVec3::new(200.0, 200.01, 200.0))).is_none());
        assert!(Frame::of(made(DVec3::new(0.01, 0.010_001, 0.01))).is_none());
        // Mirrored, flat, sheared and broken ones are none.
        assert!(Frame::of(made(DVec3::new(-1.0, 1.0, 1.0))).is_none());
        assert!(Frame::of(made(DVec3::new(1.0, 0.0, 1.0))).is_none());
        let sheared = DMat3::from_cols(DVec3::X, DVec3::new(0.1, 1.0, 0.0), DVec3::Z);
        assert!(Frame::of(DAffine3::from_mat3(sheared)).is_none());
        assert!(Frame::of(made(DVec3::splat(f64::NAN))).is_none());
    }

    #[test]
    fn keys_become_those_of_the_scene_by_the_frames_of_a_node_and_its_parent() {
        // A parent at (1, 0, 0), twice as large and turned by a quarter about Y; a child at (3, 0, 0) that is half as large.
        let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let bone = |parent: Option<usize>, frame: Frame| {
            let rest = Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };
            Some(Bone { parent, rest, world: DAffine3::IDENTITY, frame, fixed: None })
        };
        let above = Frame { point: DVec3::X, turn: quarter, scale: 2.0 };
        let below = Frame { point: DVec3::X * 3.0, turn: DQuat::IDENTITY, scale: 0.5 };
        let mut skeleton =
            Skeleton { bones: vec![bone(None, above), bone(Some(0), below)], order: vec![0, 1] };
        let change = skeleton.change(1);
        let near = |found: [f32; 3], wanted: [f32; 3]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        };
        // Twice (0, 0, 5), turned to (10, 0, 0), from (1, 0, 0) to what is at (3, 0, 0).
        near(change.translation([0.0, 0.0, 5.0]), [8.0, 0.0, 0.0]);
        near(change.tangent([0.0, 0.0, 5.0]), [10.0, 0.0, 0.0]);
        near(change.scale([1.0, 2.0, 3.0]), [4.0, 8.0, 12.0]);
        assert!(change.rotation(glam::Quat::IDENTITY).abs_diff_eq(quarter.as_quat(), 1e-6));
        // What is at the top keeps its keys, apart from its own frame; what never moves has none.
        let change = skeleton.change(0);
        near(change.translation([0.0, 0.0, 5.0]), [-1.0, 0.0, 5.0]);
        near(change.scale([2.0; 3]), [1.0; 3]);
        assert!(!change.still && change.rotation(quarter.as_quat()).abs_diff_eq(glam::Quat::IDENTITY, 1e-6));
        skeleton.bones[1].as_mut().unwrap().fixed = Some(DAffine3::IDENTITY);
        assert!(skeleton.change(1).still && !skeleton.change(7).still);
    }
}

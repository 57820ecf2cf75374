//! MDS to MDM and MDX, and back: the same body in one file or in two.
//!
//! The difference is in the tags. In MDS a tag is a bone whose axes are the rows of its matrix. In MDM a tag has a place on
//! a bone, and its axes are turned by the bone's matrix like any direction.

use crate::math::{dot, transposed, turn};
use crate::pose::{Formula, Mesh, Pose, Skeleton, angles_of, direction_of};
use crate::{Bone, BoneKey, Format, Frame, Model, Tag};
use effigy_wire::{Error, Kind, Report, Result};

/// An MDS as an MDM and an MDX.
///
/// # Errors
/// When the model is not an MDS, or its frames cannot be posed.
pub fn split(model: &Model) -> Result<(Model, Model, Report)> {
    if model.format != Format::Mds {
        return Err(Error::new(Kind::Usage, format!("only an MDS can be split, this is {}", model.format)));
    }
    let mut report = Report::default();
    let mut mesh = Model {
        format: Format::Mdm,
        name: model.name,
        lod_scale: model.lod_scale,
        lod_bias: model.lod_bias,
        surfaces: model.surfaces.clone(),
        ..Model::default()
    };
    for (index, surface) in mesh.surfaces.iter_mut().enumerate() {
        surface.ident = Format::Mdm.surface_ident();
        let mut fixed = false;
        for vertex in &mut surface.vertices {
            fixed |= vertex.fixed_parent != 0 || vertex.fixed_dist != 0.0;
            (vertex.fixed_parent, vertex.fixed_dist) = (0, 0.0);
        }
        if fixed {
            report.dropped(
                format!("surfaces[{index}].vertices"),
                "MDM has no fixed parents; games ignore them",
            );
        }
    }
    let mut bones = Model {
        format: Format::Mdx,
        name: model.name,
        torso_parent: model.torso_parent,
        frames: model.frames.clone(),
        keys: model.keys.clone(),
        bones: model.bones.clone(),
        ..Model::default()
    };
    for bone in &mut bones.bones {
        bone.flags &= !1;
    }
    let skeleton = Skeleton::new(model)?;
    let carried = model.surfaces.iter().flat_map(|surface| &surface.vertices).flat_map(|it| &it.weights);
    let carrying: std::collections::BTreeSet<i32> = carried.map(|weight| weight.bone).collect();
    for (index, tag) in model.tags.iter().enumerate() {
        let path = format!("tags[{index}]");
        let number = usize::try_from(tag.bone).ok().filter(|bone| *bone < model.bones.len());
        let Some(number) = number else {
            report.dropped(path, "its bone does not exist");
            continue;
        };
        if carrying.contains(&tag.bone) {
            report.approximated(path.clone(), "its bone also moves vertices, which turn the other way now");
        }
        if tag.torso_weight != 0.0 {
            report.dropped(format!("{path}.torso_weight"), "MDM does not store it; games ignore it");
        }
        mesh.tags.push(Tag {
            name: tag.name,
            bone: tag.bone,
            bone_references: ancestors(&model.bones, number),
            ..Tag::default()
        });
    }
    // The rows of a tag's matrix become its columns.
    let tags: std::collections::BTreeSet<usize> =
        mesh.tags.iter().filter_map(|tag| usize::try_from(tag.bone).ok()).collect();
    if !tags.is_empty() {
        report.rebuilt(
            "tags",
            "the angles of the tags' bones are stored the other way round, within 1/65536 turn",
        );
        let mut pose = Pose::default();
        for frame in 0..model.frames.len() {
            skeleton.pose_into(&crate::pose::Moment::still(model, frame), &mut pose)?;
            for bone in &tags {
                let at = frame.saturating_mul(model.bones.len()).saturating_add(*bone);
                if let (Some(key), Some(place)) = (bones.keys.get_mut(at), pose.bones.get(*bone)) {
                    key.angles = angles_of(&transposed(place.matrix));
                }
            }
        }
    }
    Ok((mesh, bones, report))
}

/// An MDM with its MDX files as one MDS, with the frames of all files one after the other.
///
/// # Errors
/// When the models are of other formats, there is no MDX, or frames cannot be posed.
pub fn join(mesh: &Model, animations: &[&Model]) -> Result<(Model, Report)> {
    let usage = |message: &str| Error::new(Kind::Usage, message.to_owned());
    let Some(first) = animations.first() else {
        return Err(usage("an MDM has no bones of its own: an MDX is needed"));
    };
    if mesh.format != Format::Mdm || animations.iter().any(|model| model.format != Format::Mdx) {
        return Err(usage("an MDM and its MDX files are needed"));
    }
    let mut report = Report::default();
    let mut made = Model {
        format: Format::Mds,
        name: mesh.name,
        lod_scale: mesh.lod_scale,
        lod_bias: mesh.lod_bias,
        torso_parent: first.torso_parent,
        bones: first.bones.clone(),
        surfaces: mesh.surfaces.clone(),
        ..Model::default()
    };
    for surface in &mut made.surfaces {
        surface.ident = Format::Mds.surface_ident();
    }
    for (index, tag) in mesh.tags.iter().enumerate() {
        let carrier = usize::try_from(tag.bone).ok().and_then(|bone| first.bones.get(bone));
        let weight = carrier.map_or(0.0, |bone| bone.torso_weight);
        if carrier.is_none() {
            report.dropped(format!("tags[{index}]"), "its bone does not exist");
            continue;
        }
        made.tags.push(Tag {
            name: tag.name,
            torso_weight: weight,
            bone: i32::try_from(made.bones.len()).unwrap_or(i32::MAX),
            ..Tag::default()
        });
        made.bones.push(Bone {
            name: tag.name,
            parent: tag.bone,
            torso_weight: weight,
            parent_dist: dot(tag.offset, tag.offset).sqrt(),
            flags: 1,
        });
    }
    if !made.tags.is_empty() {
        report.rebuilt("tags", "each tag becomes a bone; its angles are rounded to 1/65536 turn");
    }
    report.rebuilt("frames", "the boxes are those of the vertices");
    let shape = Mesh::new(mesh);
    let skeleton = Skeleton::new(first)?.with_formula(Formula::Wolfenstein);
    for (index, model) in animations.iter().enumerate() {
        let differs = |(a, b): (&Bone, &Bone)| a.parent >= 0 && (a.parent_dist - b.parent_dist).abs() > 1e-4;
        if index > 0 && first.bones.iter().zip(&model.bones).any(differs) {
            let message =
                "its bones have other lengths than those of the first MDX, which are used for all frames";
            report.approximated(format!("animations[{index}].bones"), message);
        }
        for number in 0..model.frames.len() {
            let pose = skeleton.frame(model, number)?;
            made.keys.extend(
                model.keys_of(number).iter().take(first.bones.len()).map(|key| BoneKey { unused: 0, ..*key }),
            );
            for tag in 0..mesh.tags.len() {
                let exists = |tag: &Tag| usize::try_from(tag.bone).is_ok_and(|bone| bone < first.bones.len());
                let (Some(own), Some(found)) =
                    (mesh.tags.get(tag).filter(|tag| exists(tag)), pose.tag(mesh, tag))
                else {
                    continue;
                };
                let bone = usize::try_from(own.bone).ok().and_then(|bone| pose.bones.get(bone)).copied();
                let way = turn(&bone.unwrap_or_default().matrix, own.offset);
                made.keys.push(BoneKey {
                    angles: angles_of(&found.axes),
                    unused: 0,
                    offset: direction_of(way),
                });
            }
            let root = model.frames.get(number).map_or([0.0; 3], |frame| frame.parent_offset);
            made.frames.push(boxed(shape.bounds(&pose), root));
        }
    }
    Ok((made, report))
}

/// A frame with this box, as MDS files have it: the radius reaches from zero to the farthest corner.
fn boxed((min, max): ([f32; 3], [f32; 3]), parent_offset: [f32; 3]) -> Frame {
    if min.iter().zip(&max).any(|(min, max)| min > max) {
        return Frame { parent_offset, ..Frame::default() };
    }
    let mut local_origin = [0.0; 3];
    let mut far = [0.0; 3];
    for (((centre, far), min), max) in local_origin.iter_mut().zip(&mut far).zip(min).zip(max) {
        *centre = (min + max) * 0.5;
        *far = min.abs().max(max.abs());
    }
    Frame { min, max, local_origin, radius: dot(far, far).sqrt(), parent_offset }
}

/// A bone and its ancestors, the root first.
fn ancestors(bones: &[Bone], bone: usize) -> Vec<i32> {
    let mut path = Vec::new();
    let mut next = Some(bone);
    // The skeleton was checked for loops; the length is a second guard.
    while let Some(bone) = next.filter(|_| path.len() < bones.len()) {
        path.push(i32::try_from(bone).unwrap_or(i32::MAX));
        next = bones.get(bone).and_then(|bone| usize::try_from(bone.parent).ok());
    }
    path.reverse();
    path
}

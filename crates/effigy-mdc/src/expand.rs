//! From MDC to MD3, which stores every frame in full.

use crate::decode::OFFSET_BIAS;
use crate::pose::{ANGLE_SCALE, axes_of};
use crate::{Format, Model, Surface, Tag, Tags, Vertex, normals};
use effigy_wire::{Limits, Locate, Report, Result};

/// Converts an MDC to MD3: compressed vertices are rounded to 1/64 unit (error at most 0.0078 on each axis) and their
/// normals to two bytes (error at most one degree). Base frames and tag positions stay exact. An MD3 is returned
/// unchanged.
///
/// # Errors
/// When a frame refers to a base or compressed frame that does not exist, or when the frames need more memory than the
/// default limits allow.
pub fn to_md3(source: &Model) -> Result<(Model, Report)> {
    let mut report = Report::default();
    if source.format == Format::Md3 {
        return Ok((source.clone(), report));
    }
    source.check_unpacked(size_of::<Vertex>(), &Limits::DEFAULT)?;
    let packed_normals = normals::table().map(normals::pack);
    let mut surfaces = Vec::with_capacity(source.surfaces.len());
    for (index, surface) in source.surfaces.iter().enumerate() {
        surfaces.push(expand(surface, source.frames.len(), &packed_normals, index, &mut report)?);
    }
    if source.surfaces.iter().any(|surface| surface.compressed_count() > 0) {
        let message = "compressed vertices rounded to 1/64 unit, their normals to 1.4 degrees";
        report.approximated("surfaces", message);
    }
    let mut tags = Vec::new();
    for frame in 0..source.frames.len() {
        for (tag, name) in names(source).iter().enumerate() {
            let Some(pose) = source.tag_pose(tag, frame) else { continue };
            let mut axes = [0.0; 9];
            axes.copy_from_slice(pose.axes.as_flattened());
            tags.push(Tag { name: *name, origin: pose.origin, axes });
        }
    }
    note_angles(source, &mut report);
    crate::layout::note(source, &mut report);
    let model = Model {
        name: source.name,
        flags: source.flags,
        skins: source.skins,
        frames: source.frames.clone(),
        tags: Tags::Full(tags),
        surfaces,
        trailing: source.trailing.clone(),
        ..Model::new(Format::Md3)
    };
    Ok((model, report))
}

/// Reports angles that mean the same rotation as others, and that come back as those: -180 degrees as 180.
fn note_angles(source: &Model, report: &mut Report) {
    let Tags::Packed { poses, .. } = &source.tags else { return };
    let changes = |tag: &&crate::PackedTag| {
        let axes = axes_of(tag.angles.map(|angle| f64::from(angle) * ANGLE_SCALE));
        crate::encode::packed_angles(axes) != tag.angles
    };
    let count = poses.iter().filter(changes).count();
    if count > 0 {
        let message =
            format!("{count} poses have angles that come back in another form, such as -180 degrees as 180");
        report.approximated("tags.angles", message);
    }
}

fn names(model: &Model) -> &[crate::Name] {
    match &model.tags {
        Tags::Packed { names, .. } => names,
        Tags::Full(_) => &[],
    }
}

fn expand(
    surface: &Surface,
    frames: usize,
    packed_normals: &[u16; 256],
    index: usize,
    report: &mut Report,
) -> Result<Surface> {
    let mut base = Vec::with_capacity(frames.saturating_mul(surface.vertex_count()));
    let mut all_fit = true;
    for frame in 0..if surface.vertex_count() == 0 { 0 } else { frames } {
        let stored = surface.stored(frame).in_index(index).in_field("surfaces")?;
        let Some(compressed) = stored.compressed else {
            base.extend(stored.base);
            continue;
        };
        for (vertex, packed) in stored.base.iter().zip(compressed) {
            let mut position = vertex.position;
            for (value, byte) in position.iter_mut().zip(packed.offset) {
                // A step of 0.05 units is 3.2 of the stored 1/64 units.
                let steps = i32::from(byte) - i32::from(OFFSET_BIAS);
                let exact = i32::from(*value) + (steps * 32 + 5).div_euclid(10);
                let clamped = exact.clamp(i16::MIN.into(), i16::MAX.into());
                all_fit &= exact == clamped;
                *value = i16::try_from(clamped).unwrap_or(*value);
            }
            let normal = packed_normals.get(usize::from(packed.normal)).copied().unwrap_or(0);
            base.push(Vertex { position, normal });
        }
    }
    if !all_fit {
        report.approximated(
            format!("surfaces[{index}]"),
            "a vertex is outside the range of 512 units that MD3 can store",
        );
    }
    Ok(Surface {
        ident: Format::Md3.surface_ident(),
        name: surface.name,
        flags: surface.flags,
        triangles: surface.triangles.clone(),
        shaders: surface.shaders.clone(),
        texcoords: surface.texcoords.clone(),
        base,
        trailing: surface.trailing.clone(),
        ..Surface::default()
    })
}

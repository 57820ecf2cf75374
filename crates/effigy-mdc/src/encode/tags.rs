//! Tags from floats to 16-bit numbers.

use super::Mode;
use crate::pose::{ANGLE_SCALE, angles_of};
use crate::{Model, PackedTag, Tag, Tags};
use effigy_wire::Report;

/// How close to an integer a value must be to count as that integer where the compressor truncates: axes are floats, and
/// an angle that was an integer number of steps has to come back as the same number.
const SNAP: f64 = 0.002;

fn to_i16(value: f64, mode: Mode) -> (i16, bool) {
    let rounded = value.round();
    let whole = match mode {
        Mode::Engine if (value - rounded).abs() > SNAP => value.trunc(),
        _ => rounded,
    };
    let fits = whole >= f64::from(i16::MIN) && whole <= f64::from(i16::MAX);
    #[allow(clippy::cast_possible_truncation, reason = "the cast saturates, and that is reported")]
    (whole as i16, fits)
}

/// The angles that the game's compressor stores for three axes.
pub(crate) fn packed_angles(axes: [[f32; 3]; 3]) -> [i16; 3] {
    angles_of(axes).map(|angle| to_i16(angle / ANGLE_SCALE, Mode::Engine).0)
}

/// The tags of an MD3 as MDC stores them.
pub(super) fn pack(source: &Model, list: &[Tag], mode: Mode, report: &mut Report) -> Tags {
    let count = source.tag_count();
    let names: Vec<_> = list.iter().take(count).map(|tag| tag.name).collect();
    if let Some(at) = (0..list.len()).find(|&at| {
        let first = at.checked_rem(count).and_then(|tag| names.get(tag));
        list.get(at).map(|tag| &tag.name) != first
    }) {
        report.dropped(format!("tags[{at}].name"), "MDC stores one name per tag for all frames");
    }
    let mut all_fit = true;
    let mut poses = Vec::with_capacity(list.len());
    for (index, tag) in list.iter().enumerate() {
        let (rows, _) = tag.axes.as_chunks::<3>();
        let angles =
            angles_of(rows.try_into().unwrap_or_default()).map(|angle| to_i16(angle / ANGLE_SCALE, mode));
        let origin = tag.origin.map(|number| to_i16(f64::from(number) * 64.0, mode));
        if all_fit && !origin.iter().chain(&angles).all(|(_, fits)| *fits) {
            all_fit = false;
            report.approximated(
                format!("tags[{index}].origin"),
                "a tag is outside the range of 512 units that MDC can store",
            );
        }
        poses.push(PackedTag {
            origin: origin.map(|(value, _)| value),
            angles: angles.map(|(value, _)| value),
        });
    }
    Tags::Packed { names, poses }
}

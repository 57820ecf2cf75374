//! How the tin soldier moves: the rotation of each bone in model space, frame by frame.

use super::{BONES, IDENTITY, Rows, Vector, apply, product, turn_x, turn_y, turn_z};
use std::f32::consts::TAU;

/// Name, first frame, frames, frames that repeat at the end, frames per second.
pub const ROWS: [(&str, u16, u16, u16, u16); 4] =
    [("idle", 0, 8, 8, 10), ("walk", 8, 12, 12, 20), ("shoot", 20, 6, 0, 15), ("death", 26, 10, 0, 15)];

/// The number of frames.
pub const FRAMES: u16 = 36;

/// The position of the root and the rotations of all bones. Children turn with their parents.
pub(super) fn frame(frame: u16) -> (Vector, [Rows; 11]) {
    let row = ROWS.iter().rev().find(|(_, first, ..)| frame >= *first);
    let (name, first, count) = row.map_or(("idle", 0, 1), |(name, first, count, ..)| (*name, *first, *count));
    let share = f32::from(frame - first) / f32::from(count);
    let mut own = [IDENTITY; 11];
    let mut root = [0.0, 0.0, 28.0];
    let swing = (share * TAU).sin();
    let mut set = |bone: usize, turn: Rows| {
        if let Some(place) = own.get_mut(bone) {
            *place = turn;
        }
    };
    match name {
        "walk" => {
            root[2] += 0.5 * (share * TAU * 2.0).cos();
            set(6, turn_y(28.0 * swing));
            set(7, turn_y(-28.0 * swing));
            set(4, turn_y(-20.0 * swing));
            set(5, turn_y(20.0 * swing));
            set(2, turn_z(6.0 * swing));
        }
        "shoot" => {
            let back = (1.0 - share) * 12.0;
            set(5, turn_y(-80.0 - back));
            set(4, product(turn_z(-25.0), turn_y(-70.0 - back)));
            set(3, turn_z(-10.0));
        }
        "death" => {
            let fall = (f32::from(frame - first) / f32::from(count - 1)).powi(2);
            let lying = turn_y(-90.0 * fall);
            let [x, _, z] = apply(lying, [0.0, 0.0, 28.0]);
            root = [x, 0.0, z + 4.0 * fall];
            set(0, lying);
            set(4, turn_x(40.0 * fall));
            set(5, turn_x(-40.0 * fall));
        }
        _ => {
            set(2, turn_y(1.5 * swing));
            set(3, turn_z(15.0 * swing));
        }
    }
    let mut turns = [IDENTITY; 11];
    for (index, (_, parent, ..)) in BONES.iter().enumerate() {
        let carrier = usize::try_from(*parent).ok().and_then(|parent| turns.get(parent).copied());
        let turn = product(carrier.unwrap_or(IDENTITY), own.get(index).copied().unwrap_or(IDENTITY));
        if let Some(place) = turns.get_mut(index) {
            *place = turn;
        }
    }
    (root, turns)
}

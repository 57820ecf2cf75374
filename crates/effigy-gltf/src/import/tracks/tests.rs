use super::*;

#[test]
fn times_are_the_nearest_millisecond_and_the_rest() {
    for (seconds, whole, fraction) in [
        (0.0, 0, 0.0),
        (0.001, 1, 0.0),
        (0.0104, 10, 0.4),
        (0.0106, 11, -0.4),
        (1.25, 1250, 0.0),
        (-1.0, 0, 0.0),
    ] {
        let (found, rest) = milliseconds(seconds);
        assert!(found == whole && (rest - fraction).abs() < 1e-3, "{seconds}: {found} {rest}");
    }
    // A time that single precision cannot state better is whole.
    assert_eq!(milliseconds(0.333), (333, 0.0));
    assert_eq!((ending(0.0104), ending(0.0106), ending(0.0)), (11, 11, 1));
}

#[test]
fn both_signs_of_a_rotation_are_near_each_other() {
    let turn = Rotation([0.6, 0.0, 0.0, 0.8]);
    assert!(turn.is_near(turn) && turn.is_near(Rotation([-0.6, 0.0, 0.0, -0.8])));
    assert!(!turn.is_near(Rotation([-0.6, 0.0, 0.0, 0.8])) && !turn.is_near(Rotation([0.8, 0.0, 0.0, 0.6])));
    assert!((apart(Quat::from_xyzw(0.6, 0.0, 0.0, 0.8), Quat::from_xyzw(-0.6, 0.0, 0.0, -0.8))).abs() < 1e-6);
    let small = apart(Quat::from_rotation_x(0.5), Quat::from_rotation_x(0.51));
    assert!((small - 0.01).abs() < 1e-5, "{small}");
}

//! Effigy: the toolkit for classic game models. This crate is the door that most programs use: it tells formats
//! apart, opens any of them, and gives each the same face.

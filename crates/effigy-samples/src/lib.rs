//! Models made by code, one module per format, that use every feature: the demo that `effigy demo` writes and the
//! fixtures of the tests. No game file is in here.

pub mod creature;

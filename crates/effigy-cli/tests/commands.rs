//! Help, tables and usage errors as people see them: every `tests/cmd/*.trycmd` is a session with its output.
//! `TRYCMD=overwrite cargo test -p effigy-cli` writes the outputs anew.

#[test]
fn sessions_print_what_they_are_documented_to_print() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

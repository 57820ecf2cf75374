//! The tables in `docs/formats/m2.md` are those of the declarations.
#![allow(clippy::unwrap_used)]

#[test]
fn tables_in_the_documentation_are_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/m2.md");
    let text = std::fs::read_to_string(path).unwrap();
    let tables = text.split("<!-- generated: m2 -->\n").nth(1).unwrap().split("<!-- end -->").next().unwrap();
    assert!(tables == effigy_m2::tables::markdown(), "the tables are those of `effigy_m2::tables::markdown`");
}

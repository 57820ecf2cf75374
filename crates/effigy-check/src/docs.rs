//! The table of rules as documentation.
pub fn markdown() -> String {
    String::new()
}

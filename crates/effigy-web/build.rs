//! Makes the font of the page smaller.

#[path = "build/font.rs"]
mod font;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build");
    let font =
        font::without_hints(epaint_default_fonts::UBUNTU_LIGHT).ok_or("the font has another structure")?;
    let folder = std::env::var("OUT_DIR")?;
    std::fs::write(std::path::Path::new(&folder).join("font.ttf"), font)?;
    Ok(())
}

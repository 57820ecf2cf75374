//! The textures of the model: where they were found, their size, their channels, mip levels and texture coordinates.

use crate::app::Viewer;
use crate::session::Session;
use effigy::image::Image;
use effigy::pictures::TeamColor;
use effigy::scene::{Id, Scene, Texture};
use egui::{Color32, ColorImage, Rect, ScrollArea, Sense, Stroke, TextureHandle, TextureOptions, Ui};

/// Which channels of a texture are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// Colours, over a pattern where they are transparent.
    #[default]
    Color,
    Red,
    Green,
    Blue,
    Alpha,
}

impl Channel {
    const ALL: [(Self, &'static str); 5] =
        [(Self::Color, "RGB"), (Self::Red, "R"), (Self::Green, "G"), (Self::Blue, "B"), (Self::Alpha, "A")];

    fn pixel(self, [r, g, b, a]: [u8; 4]) -> Color32 {
        match self {
            Self::Color => Color32::from_rgb(r, g, b),
            Self::Red => Color32::from_gray(r),
            Self::Green => Color32::from_gray(g),
            Self::Blue => Color32::from_gray(b),
            Self::Alpha => Color32::from_gray(a),
        }
    }
}

/// A texture as it is listed.
struct Row {
    name: String,
    place: Option<String>,
    image: Option<Image>,
    handle: Option<TextureHandle>,
}

/// What the panel keeps of the model's textures.
#[derive(Default)]
pub struct TextureView {
    rows: Option<Vec<Row>>,
    channel: Channel,
    level: usize,
    uvs: bool,
}

impl TextureView {
    /// Forgets the textures, for another model or colour.
    pub fn clear(&mut self) {
        self.rows = None;
    }
}

fn load(session: &Session, team: TeamColor) -> Vec<Row> {
    let row = |texture: &Texture| {
        let name = match texture.replaceable {
            Some(replaceable) if texture.path.is_empty() => format!("replaceable {}", replaceable.number()),
            _ => texture.path.clone(),
        };
        Row { name, place: session.image_file(texture), image: session.image(texture, team), handle: None }
    };
    session.stage.scene().textures.as_slice().iter().map(row).collect()
}

/// A mip level as egui shows it.
fn picture(image: &Image, level: usize, channel: Channel) -> Option<ColorImage> {
    let level = level.min(image.levels.len().saturating_sub(1));
    let (width, height) = image.level_size(level);
    let size = [usize::try_from(width).ok()?, usize::try_from(height).ok()?];
    let pixels: Vec<Color32> =
        image.levels.get(level)?.as_chunks::<4>().0.iter().map(|pixel| channel.pixel(*pixel)).collect();
    (pixels.len() == size[0].checked_mul(size[1])?).then(|| ColorImage::new(size, pixels))
}

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let team = viewer.settings.team_color();
    let Some(session) = &viewer.session else { return super::nothing_open(ui) };
    let view = &mut viewer.textures;
    let rows = view.rows.get_or_insert_with(|| load(session, team));
    let before = (view.channel, view.level);
    ui.horizontal(|ui| {
        for (channel, name) in Channel::ALL {
            ui.selectable_value(&mut view.channel, channel, name);
        }
        ui.separator();
        ui.toggle_value(&mut view.uvs, "UV").on_hover_text("Texture coordinates of the meshes that use it");
    });
    let most =
        rows.iter().filter_map(|row| row.image.as_ref()).map(|image| image.levels.len()).max().unwrap_or(1);
    if most > 1 {
        ui.add(egui::Slider::new(&mut view.level, 0..=most - 1).text("mip level"));
    }
    if before != (view.channel, view.level) {
        rows.iter_mut().for_each(|row| row.handle = None);
    }
    if rows.is_empty() {
        ui.weak("The model has no textures.");
    }
    let (channel, level, uvs) = (view.channel, view.level, view.uvs);
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        for (index, row) in rows.iter_mut().enumerate() {
            ui.separator();
            ui.strong(&row.name);
            let Some(image) = &row.image else {
                ui.colored_label(ui.visuals().warn_fg_color, "missing: a stand-in is shown");
                continue;
            };
            let mips = image.levels.len();
            ui.weak(format!("{} x {}, {mips} levels, {}", image.width, image.height, image.stored));
            if let Some(place) = &row.place {
                ui.add(egui::Label::new(egui::RichText::new(place).weak().size(10.0)).truncate());
            }
            if row.handle.is_none() {
                row.handle = picture(image, level, channel)
                    .map(|picture| ui.ctx().load_texture(&row.name, picture, TextureOptions::NEAREST));
            }
            let Some(handle) = &row.handle else { continue };
            let side = ui.available_width().min(256.0);
            let size = egui::vec2(side, side * image.height as f32 / image.width.max(1) as f32);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            let uv = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(handle.id(), rect, uv, Color32::WHITE);
            if uvs && let Ok(index) = u32::try_from(index) {
                coordinates(ui, rect, session.stage.scene(), Id::new(index));
            }
        }
    });
}

/// Edges of the triangles that use a texture, in its coordinates.
fn coordinates(ui: &Ui, rect: Rect, scene: &Scene, texture: Id<Texture>) {
    let painter = ui.painter_at(rect);
    let stroke = Stroke::new(0.5, Color32::from_rgb(255, 140, 0));
    let uses = |mesh: &effigy::scene::Mesh| {
        let material = mesh.material.and_then(|id| scene.materials.get(id));
        let layers = material.into_iter().flat_map(|material| &material.layers);
        layers.flat_map(|layer| &layer.textures).any(|used| used.texture == Some(texture))
    };
    for mesh in scene.meshes.as_slice().iter().filter(|mesh| uses(mesh)) {
        let Some(uvs) = mesh.uvs.first() else { continue };
        let at = |index: u32| {
            let [u, v] = *uvs.get(index as usize)?;
            (u.is_finite() && v.is_finite())
                .then(|| egui::pos2(rect.left() + u * rect.width(), rect.top() + v * rect.height()))
        };
        for [a, b, c] in mesh.indices.as_chunks::<3>().0 {
            if let (Some(a), Some(b), Some(c)) = (at(*a), at(*b), at(*c)) {
                painter.add(egui::Shape::closed_line(vec![a, b, c], stroke));
            }
        }
    }
}

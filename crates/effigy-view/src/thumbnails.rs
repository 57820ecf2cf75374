//! Small pictures of the models in the list. Each is drawn into a texture that egui shows, so nothing waits for the device.

use crate::library::{Item, Library};
use crate::viewport::{FORMAT, target};
use effigy::assets::FileRef;
use effigy::pictures::{Background, Canvas, DrawStyle, Frame, Model, Renderer, Stage, TeamColor};
use effigy::scene::validate;
use effigy::{Limits, OpenOptions, Result};
use std::collections::BTreeMap;

/// Width and height in pixels.
const SIDE: u32 = 96;
/// Pictures that are kept. As many fit into 10 MB.
const MOST: usize = 256;
/// Larger files are not opened for a picture: the window would stand still.
const LARGEST: u64 = 32 << 20;
/// Seconds between two pictures while a sequence plays, so that it goes on playing.
const PAUSE: f64 = 0.1;

/// A texture with the picture of a file.
struct Slot {
    label: String,
    view: effigy::pictures::wgpu::TextureView,
    id: egui::TextureId,
    /// The last frame in which it was visible.
    seen: u64,
}

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thumbnail {
    Drawn(egui::TextureId),
    /// It cannot be opened, is too large, or shows nothing.
    None,
    /// It will be drawn.
    Waiting,
}

/// The pictures that were drawn, at most [`MOST`], and the files that have none.
pub struct Thumbnails {
    state: egui_wgpu::RenderState,
    canvas: Option<Canvas>,
    slots: Vec<Slot>,
    /// Files without a picture.
    failed: BTreeMap<String, u64>,
    /// Files that are visible in this frame and not drawn yet.
    wanted: Vec<(String, FileRef)>,
    frame: u64,
    /// Where the list was scrolled to, and whether that changed in this frame.
    offset: f32,
    is_moving: bool,
    /// When the last picture was drawn, in egui's seconds.
    last: f64,
    /// Pictures drawn so far.
    pub drawn: u64,
}

impl Thumbnails {
    pub const fn new(state: egui_wgpu::RenderState) -> Self {
        Self {
            state,
            canvas: None,
            slots: Vec::new(),
            failed: BTreeMap::new(),
            wanted: Vec::new(),
            frame: 0,
            offset: 0.0,
            is_moving: false,
            last: f64::NEG_INFINITY,
            drawn: 0,
        }
    }

    /// Draws all pictures again when they are visible: textures may be found elsewhere now. The textures stay for them.
    pub fn forget(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.label.clear());
        self.failed.clear();
    }

    /// Draws the picture of this file again.
    pub fn forget_file(&mut self, label: &str) {
        self.slots.iter_mut().filter(|slot| slot.label == label).for_each(|slot| slot.label.clear());
        self.failed.remove(label);
    }

    /// Takes note of where the list is scrolled to.
    pub fn scroll_to(&mut self, offset: f32) {
        self.is_moving = (offset - self.offset).abs() > 0.01;
        self.offset = offset;
    }

    /// The picture of an item that is visible in this frame.
    pub fn get(&mut self, library: &Library, item: &Item) -> Thumbnail {
        let file = library.file(item);
        let frame = self.frame;
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.label == file.label()) {
            slot.seen = frame;
            return Thumbnail::Drawn(slot.id);
        }
        if let Some(seen) = self.failed.get_mut(file.label()) {
            *seen = frame;
            return Thumbnail::None;
        }
        self.wanted.push((file.label().to_owned(), file));
        Thumbnail::Waiting
    }

    /// Draws one of the pictures that were asked for in this frame, unless the user is doing something. Asks for another frame only
    /// while something is left to draw.
    pub fn advance(
        &mut self,
        ctx: &egui::Context,
        renderer: &Renderer,
        options: &OpenOptions,
        playing: bool,
    ) {
        let wanted = std::mem::take(&mut self.wanted);
        self.frame += 1;
        let Some((label, file)) = wanted.into_iter().next() else { return };
        let (now, is_held) = ctx.input(|input| (input.time, input.pointer.any_down()));
        let waits = playing && now < self.last + PAUSE;
        if !is_held && !self.is_moving && !waits {
            self.last = now;
            self.drawn += 1;
            if !matches!(self.draw(renderer, &label, &file, options), Ok(true)) {
                self.failed.insert(label, self.frame);
                // As bounded as the pictures; a folder may have any number of broken files.
                while self.failed.len() > MOST * 4 {
                    let oldest = self.failed.iter().min_by_key(|(_, seen)| **seen);
                    let Some(oldest) = oldest.map(|(label, _)| label.clone()) else { break };
                    self.failed.remove(&oldest);
                }
            }
        }
        ctx.request_repaint();
    }

    /// Draws the picture of a file. False where there is nothing to see.
    fn draw(
        &mut self,
        renderer: &Renderer,
        label: &str,
        file: &FileRef,
        options: &OpenOptions,
    ) -> Result<bool> {
        let limits = Limits { input_bytes: options.limits.input_bytes.min(LARGEST), ..options.limits };
        let options = OpenOptions { limits, attach: Vec::new(), ..options.clone() };
        let model = effigy::open_file(file, &options)?;
        let mut stage = Stage::new(validate(model.lower_shown()?.scene)?);
        let camera = stage.pose_for_still(1.0);
        let team = TeamColor::default();
        let drawn = Model::new(renderer, stage.scene(), team.color, &mut *model.textures(team.number));
        let style = DrawStyle { background: Background::Transparent, ..DrawStyle::default() };
        let canvas = match self.canvas.take() {
            Some(canvas) => canvas,
            None => Canvas::new(renderer.gpu(), FORMAT, [SIDE, SIDE])?,
        };
        let at = self.slot();
        let Some(slot) = self.slots.get_mut(at) else { return Ok(false) };
        let frame = Frame { model: &drawn, stage: &stage, camera: &camera, style: &style };
        let summary = renderer.draw_into(&frame, &slot.view, &canvas);
        self.canvas = Some(canvas);
        let shows = summary?.draws > 0;
        if shows {
            label.clone_into(&mut slot.label);
            slot.seen = self.frame;
        }
        Ok(shows)
    }

    /// A texture to draw into.
    fn slot(&mut self) -> usize {
        let used: Vec<Option<u64>> =
            self.slots.iter().map(|slot| (!slot.label.is_empty()).then_some(slot.seen)).collect();
        let at = free(&used, MOST);
        if at == self.slots.len() {
            let (view, id) = target(&self.state, [SIDE, SIDE], None);
            self.slots.push(Slot { label: String::new(), view, id, seen: 0 });
        } else if let Some(slot) = self.slots.get_mut(at) {
            slot.label.clear();
        }
        at
    }
}

/// Which of the textures is drawn into next, by when each was last visible: a free one, else a new one, else the one that has not been
/// visible for the longest time.
fn free(seen: &[Option<u64>], most: usize) -> usize {
    if let Some(free) = seen.iter().position(Option::is_none) {
        return free;
    }
    if seen.len() < most {
        return seen.len();
    }
    let oldest = seen.iter().enumerate().min_by_key(|(_, seen)| **seen);
    oldest.map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::free;

    #[test]
    fn textures_are_used_again_from_the_one_that_was_not_visible_for_the_longest_time() {
        assert_eq!(free(&[], 3), 0);
        assert_eq!(free(&[Some(9), Some(4)], 3), 2);
        assert_eq!(free(&[Some(9), None, Some(1)], 4), 1);
        assert_eq!(free(&[Some(9), Some(4), Some(7)], 3), 1);
    }
}

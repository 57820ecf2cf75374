//! The browser as the viewer's platform.

use effigy::assets::ArchiveKind;
use effigy::assets::pack::{Changes, create};
use effigy::{Converted, Result};
use effigy_view::{Content, Platform, PlatformEvent};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The JavaScript object around a viewer. Its functions must not call the viewer before they return.
    pub type Host;

    /// Asks for files, or for a folder.
    #[wasm_bindgen(method, js_name = askOpen)]
    fn ask_open(this: &Host, folder: bool);

    /// Offers a file for download.
    #[wasm_bindgen(method)]
    fn save(this: &Host, name: &str, bytes: Vec<u8>);

    /// The settings that were kept.
    #[wasm_bindgen(method, js_name = loadSettings)]
    fn load_settings(this: &Host) -> Option<String>;

    /// Keeps settings.
    #[wasm_bindgen(method, js_name = storeSettings)]
    fn store_settings(this: &Host, text: &str);

    /// The graphics device is lost: nothing can be drawn any more.
    #[wasm_bindgen(method, js_name = deviceLost)]
    fn device_lost(this: &Host, why: &str);

    /// The graphics device refused something: what is drawn may be wrong from now on.
    #[wasm_bindgen(method, js_name = deviceFailed)]
    fn device_failed(this: &Host, why: &str);
}

thread_local! {
    /// The hosts of all viewers. The callback of a lost device can hold a number, but not an object of JavaScript.
    static HOSTS: RefCell<Vec<Rc<Host>>> = const { RefCell::new(Vec::new()) };
}

fn host_of(number: usize) -> Option<Rc<Host>> {
    HOSTS.with_borrow(|hosts| hosts.get(number).cloned())
}

/// Reports to the host when the device is lost for another reason than that the viewer was stopped, and when it refuses
/// something.
pub fn watch_device(device: &wgpu::Device, host: &Rc<Host>) {
    let number = HOSTS.with_borrow_mut(|hosts| {
        hosts.push(Rc::clone(host));
        hosts.len() - 1
    });
    device.set_device_lost_callback(move |reason, why| {
        if reason != wgpu::DeviceLostReason::Destroyed {
            host_of(number).into_iter().for_each(|host| host.device_lost(&why));
        }
    });
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        host_of(number).into_iter().for_each(|host| host.device_failed(&error.to_string()));
    }));
}

/// What pictures that are still drawn report when they are done.
type Events = Rc<RefCell<Vec<PlatformEvent>>>;

/// The browser around one viewer.
pub struct Browser {
    host: Rc<Host>,
    events: Events,
}

impl Browser {
    pub fn new(host: Rc<Host>) -> Self {
        Self { host, events: Events::default() }
    }
}

/// The files of a conversion as one download: several are packed into a zip archive.
fn packed(converted: Converted, name: &str) -> Result<(String, Vec<u8>)> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let files = converted.into_files(stem)?;
    if files.companions.is_empty() {
        return Ok((name.to_owned(), files.main));
    }
    let mut changes = Changes::default();
    changes.put(name, files.main)?;
    for (name, bytes) in files.companions {
        changes.put(&name, bytes)?;
    }
    Ok((format!("{stem}.zip"), create(ArchiveKind::Zip, &changes)?.bytes))
}

impl Platform for Browser {
    fn ask_open(&mut self, _: &egui::Context, folder: bool) {
        self.host.ask_open(folder);
    }

    fn save(&mut self, ctx: &egui::Context, name: String, content: Content) {
        let (host, events, ctx) = (Rc::clone(&self.host), Rc::clone(&self.events), ctx.clone());
        let finish = move |file: Result<(String, Vec<u8>)>| {
            let event = match file {
                Ok((name, bytes)) => {
                    host.save(&name, bytes);
                    PlatformEvent::Saved(name)
                }
                Err(error) => PlatformEvent::Failed(error),
            };
            events.borrow_mut().push(event);
            ctx.request_repaint();
        };
        match content {
            Content::Bytes(bytes) => finish(Ok((name, bytes))),
            Content::Converted(converted) => finish(packed(*converted, &name)),
            Content::Drawing(drawing) => wasm_bindgen_futures::spawn_local(async move {
                finish(drawing.await.map(|bytes| (name, bytes)));
            }),
        }
    }

    fn events(&mut self) -> Vec<PlatformEvent> {
        std::mem::take(&mut self.events.borrow_mut())
    }

    fn watch(&mut self, _: &egui::Context, _: Option<&Path>) {}

    fn load_settings(&mut self) -> Option<String> {
        self.host.load_settings()
    }

    fn store_settings(&mut self, text: &str) -> Result<()> {
        self.host.store_settings(text);
        Ok(())
    }

    fn has_files(&self) -> bool {
        false
    }
}

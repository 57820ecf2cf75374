//! Names and places of what can be clicked. egui makes this tree for screen readers; a page has no use for it by itself, but
//! tests and other tools find widgets in it.

use egui::accesskit::{Node, TreeUpdate};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The last tree, as JSON.
pub type Tree = Arc<Mutex<String>>;

/// Keeps the tree of each frame.
pub struct Widgets(pub Tree);

impl egui::Plugin for Widgets {
    fn debug_name(&self) -> &'static str {
        "widgets"
    }

    fn output_hook(&mut self, _: &egui::Context, output: &mut egui::FullOutput) {
        if let Some(update) = output.platform_output.accesskit_update.take() {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = listed(&update);
        }
    }
}

fn listed(update: &TreeUpdate) -> String {
    let one = |node: &Node| {
        let rect = node.bounds()?;
        let label = node.label().or_else(|| node.value())?;
        let role = format!("{:?}", node.role());
        Some(json!({ "role": role, "label": label, "rect": [rect.x0, rect.y0, rect.x1, rect.y1] }))
    };
    Value::Array(update.nodes.iter().filter_map(|(_, node)| one(node)).collect()).to_string()
}

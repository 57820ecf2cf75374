//! The commands of the viewer: one table from which the menu, the keys, the help window and the documentation follow.

use egui::{Key, Modifiers};
use std::fmt::Write;

/// Something that the user can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Choose a file.
    Open,
    /// Choose a folder.
    OpenFolder,
    /// Open the built-in sample.
    Sample,
    /// The next model of the folder or archive.
    NextFile,
    /// The previous model of the folder or archive.
    PreviousFile,
    /// Read the file again.
    Reload,
    /// Show a second model next to it.
    Compare,
    /// Show the next model of the folder or archive next to it.
    CompareNext,
    /// Show one model again.
    EndComparison,
    /// Attach a model to the selected attachment or bone.
    Attach,
    /// Write the model in another format.
    Export,
    /// Close the window.
    Quit,
    /// Place the camera so that the model fills the view.
    Fit,
    /// Look from the front.
    Front,
    /// Look from the model's right side.
    Side,
    /// Look from above.
    Top,
    /// Look from behind.
    Back,
    /// Look from the front, to the side and above.
    ThreeQuarter,
    /// Parallel lines of sight.
    Orthographic,
    /// The next camera of the model.
    ModelCamera,
    /// A grid on the ground.
    Grid,
    /// Edges of triangles.
    Edges,
    /// Bones.
    Bones,
    /// Attachments.
    Attachments,
    /// Collision shapes.
    Collision,
    /// The model's bounds.
    Extents,
    /// Normals.
    Normals,
    /// The next background.
    Background,
    /// The next player's colour.
    TeamColor,
    /// Light or dark.
    Theme,
    /// Shows or hides the panels at the sides.
    Panels,
    /// Shows or hides the pictures of the list of files.
    Thumbnails,
    /// Plays or pauses.
    Play,
    /// A frame back.
    StepBack,
    /// A frame on.
    StepOn,
    /// The next sequence.
    NextSequence,
    /// The previous sequence.
    PreviousSequence,
    /// The next way of looping.
    Loop,
    /// Half the speed.
    Slower,
    /// Twice the speed.
    Faster,
    /// A picture of the view.
    Picture,
    /// An animated picture of the sequence.
    Animation,
    /// An animated picture while the camera goes around the model.
    Turntable,
    /// A picture of all sequences.
    Sheet,
    /// The list of commands.
    Help,
}

/// The menus, in the order of the menu bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Menu {
    /// Opening, saving, closing.
    File,
    /// The camera and what is drawn.
    View,
    /// Time.
    Play,
    /// Pictures.
    Capture,
    /// Help.
    Help,
}

impl Menu {
    /// All menus.
    pub const ALL: [Self; 5] = [Self::File, Self::View, Self::Play, Self::Capture, Self::Help];

    /// The title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::View => "View",
            Self::Play => "Play",
            Self::Capture => "Capture",
            Self::Help => "Help",
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The command.
    pub command: Command,
    /// The menu that lists it.
    pub menu: Menu,
    /// Its name in the menu.
    pub name: &'static str,
    /// The key that starts it.
    pub key: Option<(Modifiers, Key)>,
    /// What it does, in one sentence.
    pub help: &'static str,
}

const fn entry(
    command: Command,
    menu: Menu,
    name: &'static str,
    key: Option<(Modifiers, Key)>,
    help: &'static str,
) -> Entry {
    Entry { command, menu, name, key, help }
}

const fn plain(key: Key) -> Option<(Modifiers, Key)> {
    Some((Modifiers::NONE, key))
}

const fn control(key: Key) -> Option<(Modifiers, Key)> {
    Some((Modifiers::COMMAND, key))
}

const fn shift(key: Key) -> Option<(Modifiers, Key)> {
    Some((Modifiers::SHIFT, key))
}

/// All commands.
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Command::Open, Menu::File, "Open...", control(Key::O), "Chooses a model, a map or an archive."),
    entry(Command::OpenFolder, Menu::File, "Open folder...", Some((Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::O)), "Chooses a folder and lists its models."),
    entry(Command::Sample, Menu::File, "Open the sample", None, "Opens the built-in model."),
    entry(Command::NextFile, Menu::File, "Next file", plain(Key::ArrowRight), "Opens the next model of the folder or archive."),
    entry(Command::PreviousFile, Menu::File, "Previous file", plain(Key::ArrowLeft), "Opens the previous model of the folder or archive."),
    entry(Command::Reload, Menu::File, "Reload", plain(Key::F5), "Reads the file again. This also happens when the file changes."),
    entry(Command::Compare, Menu::File, "Compare with...", None, "Shows a second model next to this one, with the same camera and at the same part of its sequence."),
    entry(Command::CompareNext, Menu::File, "Compare with the next file", control(Key::ArrowRight), "Shows the next model of the folder or archive next to this one. Again: the one after it."),
    entry(Command::EndComparison, Menu::File, "End the comparison", control(Key::ArrowLeft), "Shows one model again."),
    entry(Command::Attach, Menu::File, "Attach a model...", None, "Puts another model onto the selected attachment or bone."),
    entry(Command::Export, Menu::File, "Export...", control(Key::E), "Writes the model in another format and reports what is lost."),
    entry(Command::Quit, Menu::File, "Quit", control(Key::Q), "Closes the window."),
    entry(Command::Fit, Menu::View, "Fit", plain(Key::Enter), "Moves the camera until the model fills the view."),
    entry(Command::Front, Menu::View, "Front", plain(Key::Num1), "Looks at the model from the front."),
    entry(Command::Side, Menu::View, "Side", plain(Key::Num3), "Looks at the model's right side."),
    entry(Command::Top, Menu::View, "Top", plain(Key::Num7), "Looks at the model from above."),
    entry(Command::Back, Menu::View, "Back", plain(Key::Num9), "Looks at the model from behind."),
    entry(Command::ThreeQuarter, Menu::View, "Three-quarter", plain(Key::Num0), "Looks from the front, to the side and above."),
    entry(Command::Orthographic, Menu::View, "Orthographic", plain(Key::Num5), "Switches between perspective and parallel lines of sight."),
    entry(Command::ModelCamera, Menu::View, "Model camera", plain(Key::C), "Looks through the model's cameras, one after another, such as that of the portrait."),
    entry(Command::Grid, Menu::View, "Grid", plain(Key::G), "Shows a grid on the ground."),
    entry(Command::Edges, Menu::View, "Edges", plain(Key::E), "Shows the edges of all triangles."),
    entry(Command::Bones, Menu::View, "Bones", plain(Key::B), "Shows bones as lines from parent to child."),
    entry(Command::Attachments, Menu::View, "Attachments", plain(Key::A), "Shows attachments as crosses."),
    entry(Command::Collision, Menu::View, "Collision", plain(Key::X), "Shows collision and hit-test shapes."),
    entry(Command::Extents, Menu::View, "Extents", plain(Key::M), "Shows the bounds that the model states."),
    entry(Command::Normals, Menu::View, "Normals", plain(Key::N), "Shows normals as short lines."),
    entry(Command::Background, Menu::View, "Next background", plain(Key::K), "Changes what is behind the model."),
    entry(Command::TeamColor, Menu::View, "Next team colour", plain(Key::T), "Changes the player's colour."),
    entry(Command::Theme, Menu::View, "Light or dark", plain(Key::D), "Switches between the light and the dark theme."),
    entry(Command::Panels, Menu::View, "Panels", plain(Key::P), "Shows or hides the panels at the sides."),
    entry(Command::Thumbnails, Menu::View, "Thumbnails", None, "Shows small pictures in the list of files."),
    entry(Command::Play, Menu::Play, "Play or pause", plain(Key::Space), "Plays the sequence, or pauses it."),
    entry(Command::StepBack, Menu::Play, "Step back", plain(Key::Comma), "Goes back by one frame (1/30 s)."),
    entry(Command::StepOn, Menu::Play, "Step on", plain(Key::Period), "Goes on by one frame (1/30 s)."),
    entry(Command::NextSequence, Menu::Play, "Next sequence", plain(Key::W), "Plays the next sequence."),
    entry(Command::PreviousSequence, Menu::Play, "Previous sequence", shift(Key::W), "Plays the previous sequence."),
    entry(Command::Loop, Menu::Play, "Next loop mode", plain(Key::L), "Loops as the file says, always, or never."),
    entry(Command::Slower, Menu::Play, "Slower", plain(Key::Minus), "Halves the speed."),
    entry(Command::Faster, Menu::Play, "Faster", plain(Key::Plus), "Doubles the speed."),
    entry(Command::Picture, Menu::Capture, "Picture...", plain(Key::F12), "Saves the view as a PNG picture."),
    entry(Command::Animation, Menu::Capture, "Animation...", None, "Saves the sequence as an animated GIF or PNG."),
    entry(Command::Turntable, Menu::Capture, "Turntable...", None, "Saves a turn around the model as an animated GIF or PNG."),
    entry(Command::Sheet, Menu::Capture, "Contact sheet...", None, "Saves one picture with a tile for each sequence."),
    entry(Command::Help, Menu::Help, "Keys and mouse", plain(Key::H), "Lists all commands."),
];

/// What the mouse does in the view: button and effect.
pub const MOUSE: &[(&str, &str)] = &[
    ("Left drag", "turns the view around the model"),
    ("Middle drag, Shift + left drag", "moves the view"),
    ("Wheel, right drag", "moves closer or farther away"),
    ("Click", "selects a mesh, or a bone or attachment where they are shown"),
    ("Double click", "fits the view"),
];

impl Command {
    /// The row of a command.
    #[must_use]
    pub fn entry(self) -> Option<&'static Entry> {
        TABLE.iter().find(|entry| entry.command == self)
    }
}

impl Entry {
    /// The key in words; empty where there is none.
    #[must_use]
    pub fn key_text(&self) -> String {
        let Some((modifiers, key)) = self.key else { return String::new() };
        let mut text = String::new();
        if modifiers.command {
            text.push_str("Ctrl+");
        }
        if modifiers.shift {
            text.push_str("Shift+");
        }
        text.push_str(match key {
            Key::ArrowLeft => "Left",
            Key::ArrowRight => "Right",
            Key::Comma => ",",
            Key::Period => ".",
            Key::Minus => "-",
            Key::Plus => "+",
            other => other.name(),
        });
        text
    }
}

/// The commands whose keys were pressed. Keys that a text field wants are left alone.
pub(crate) fn pressed(ctx: &egui::Context) -> Vec<Command> {
    if ctx.text_edit_focused() {
        return Vec::new();
    }
    ctx.input_mut(|input| {
        // Keys with more modifiers first: `consume_key` takes Shift+W for W too.
        let mut keys: Vec<(Modifiers, Key, Command)> = TABLE
            .iter()
            .filter_map(|entry| entry.key.map(|(with, key)| (with, key, entry.command)))
            .collect();
        keys.sort_by_key(|(with, ..)| std::cmp::Reverse(u8::from(with.command) + u8::from(with.shift)));
        keys.retain(|(with, key, _)| input.consume_key(*with, *key));
        keys.into_iter().map(|(_, _, command)| command).collect()
    })
}

/// The table as Markdown, for the documentation.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from("| key | command | what it does |\n|---|---|---|\n");
    for entry in TABLE {
        let key = entry.key_text();
        let key = if key.is_empty() { String::new() } else { format!("`{key}`") };
        let name = entry.name.trim_end_matches('.');
        _ = writeln!(text, "| {key} | {} > {name} | {} |", entry.menu.title(), entry.help);
    }
    text.push_str("\n| mouse | what it does |\n|---|---|\n");
    for (button, effect) in MOUSE {
        _ = writeln!(text, "| {button} | {effect} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_command_and_every_key_occurs_once() {
        let commands: HashSet<Command> = TABLE.iter().map(|entry| entry.command).collect();
        assert_eq!(commands.len(), TABLE.len());
        let keys: Vec<String> = TABLE.iter().map(Entry::key_text).filter(|key| !key.is_empty()).collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len(), "{keys:?}");
        // The last command of the enum is in the table, and the table ends with it.
        assert_eq!(TABLE.last().map(|entry| entry.command as usize + 1), Some(TABLE.len()));
    }

    #[test]
    fn keys_are_written_as_people_say_them() {
        let text = |command: Command| command.entry().map(Entry::key_text).unwrap_or_default();
        assert_eq!(text(Command::Open), "Ctrl+O");
        assert_eq!(text(Command::PreviousSequence), "Shift+W");
        assert_eq!(text(Command::StepBack), ",");
        assert_eq!(text(Command::Sheet), "");
    }
}

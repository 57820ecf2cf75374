//! `cargo xtask viewer session`: `effigy view` in a real window on a display without a screen, used by keys and mouse as a person
//! would, and what can be measured there. It needs Linux, Xvfb and xdotool.
//!
//! What is on the screen is read from the file in which Xvfb keeps it. Dialogs of the viewer end up at a program called zenity, for
//! which a script answers with a path. Files cannot be dropped by xdotool: they are opened by argument, and drops are tested in
//! `crates/effigy-view/tests`.

use effigy_testkit::{Shell, TESTED, Task};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The display: 24 bits per pixel in words of 32.
const SCREEN: [usize; 2] = [1280, 800];
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// What makes a window usable: programs, and a library that is loaded when the window opens.
const PACKAGES: [(&str, &str); 2] = [("Xvfb", "xvfb"), ("xdotool", "xdotool")];
/// A strip through the middle of the view.
const MIDDLE: [usize; 4] = [300, 300, 600, 40];
/// Copies of a unit in the picture whose frames are counted.
const UNITS: usize = 10;

/// A child process that ends with the session.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It has usually ended by itself.
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// The display, and where the files of the session are.
struct Session<'a> {
    shell: &'a Shell,
    program: PathBuf,
    folder: PathBuf,
    display: String,
    _server: Ended,
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Runs the session with a program of this profile of cargo.
pub fn run(shell: &Shell, release: bool) -> Task {
    for (program, package) in PACKAGES {
        if !shell.succeeds(&["sh", "-c", &format!("command -v {program}")]) {
            shell.install(package)?;
        }
    }
    if !shell.succeeds(&["sh", "-c", "ldconfig -p | grep -q libxkbcommon-x11"]) {
        shell.install("libxkbcommon-x11-0")?;
    }
    let mut build = vec!["cargo", "build", "--quiet", "--bin", "effigy"];
    if release {
        build.push("--release");
    } else {
        // With the features of the tests, so that what they compiled serves here too.
        build.extend(TESTED);
    }
    shell.run(&build)?;
    let profile = if release { "release" } else { "debug" };
    let session = Session::start(shell, shell.program(profile, "effigy"))?;
    shell.say(&format!("profile {profile}"));
    session.use_window()?;
    session.count_frames()
}

impl<'a> Session<'a> {
    fn start(shell: &'a Shell, program: PathBuf) -> Result<Self, String> {
        let folder = shell.target().join("viewer-session");
        _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("bin")).map_err(text)?;
        let script = folder.join("bin/zenity");
        std::fs::write(&script, format!("#!/bin/sh\ncat '{}'\n", folder.join("answer").display()))
            .map_err(text)?;
        shell.run(&["chmod", "+x", &script.display().to_string()])?;
        let [width, height] = SCREEN;
        let screen = format!("{width}x{height}x24");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &screen, "-fbdir"])
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(Ended)
            .map_err(|error| format!("Xvfb: {error}"))?;
        let mut number = String::new();
        let stdout = server.0.stdout.take().ok_or("Xvfb has no output")?;
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut number).map_err(text)?;
        let display = format!(":{}", number.trim());
        let session = Self { shell, program, folder, display, _server: server };
        let demo = session.folder.join("demo").display().to_string();
        if !shell.succeeds(&[&session.program.display().to_string(), "demo", &demo]) {
            return Err("the samples could not be written".to_owned());
        }
        Ok(session)
    }

    /// Starts `effigy` in the session's folder.
    fn effigy(&self, arguments: &[&str]) -> Result<Running<'_>, String> {
        let log = std::fs::File::create(self.folder.join("stderr.txt")).map_err(text)?;
        let path = std::env::var("PATH").unwrap_or_default();
        let child = Command::new(&self.program)
            .args(arguments)
            .current_dir(&self.folder)
            .env("DISPLAY", &self.display)
            .env("XDG_CONFIG_HOME", self.folder.join("config"))
            .env("PATH", format!("{}:{path}", self.folder.join("bin").display()))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        Ok(Running { session: self, child: Ended(child), since: Instant::now() })
    }

    fn xdotool(&self, words: &[&str]) -> Result<String, String> {
        let output =
            Command::new("xdotool").args(words).env("DISPLAY", &self.display).output().map_err(text)?;
        if !output.status.success() {
            return Err(format!("xdotool {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn key(&self, key: &str) -> Task {
        self.xdotool(&["key", key]).map(drop)
    }

    /// The pixels of a part of the screen: left, top, width and height.
    fn pixels(&self, [left, top, width, height]: [usize; 4]) -> Result<Vec<u8>, String> {
        let mut file = std::fs::File::open(self.folder.join("Xvfb_screen0")).map_err(text)?;
        let mut header = [0; 100];
        file.read_exact(&mut header).map_err(text)?;
        let number = |at: usize| {
            let bytes = header.get(at * 4..at * 4 + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, |bytes| usize::try_from(u32::from_be_bytes(bytes)).unwrap_or(0))
        };
        // The header of a window dump, and its colours of 12 bytes.
        let (start, row) = (number(0) + number(19) * 12, number(12));
        let from = u64::try_from(start + top * row).map_err(text)?;
        file.seek(SeekFrom::Start(from)).map_err(text)?;
        let mut rows = vec![0; height * row];
        file.read_exact(&mut rows).map_err(text)?;
        let part = |row: &[u8]| row.get(left * 4..(left + width) * 4).map(<[u8]>::to_vec);
        let parts: Option<Vec<Vec<u8>>> = rows.chunks_exact(row.max(1)).map(part).collect();
        Ok(parts.ok_or("the screen is smaller")?.concat())
    }

    /// The middle of the view of a window that fills the screen.
    fn view(&self) -> Result<Vec<u8>, String> {
        self.pixels([300, 100, 600, 500])
    }

    /// Waits until something holds; the error says for what.
    fn wait_for(&self, what: &str, mut holds: impl FnMut() -> Result<bool, String>) -> Task {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if holds()? {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        Err(format!("{what}: nothing happens"))
    }

    /// The view as soon as it has not changed for a moment.
    fn still_view(&self) -> Result<Vec<u8>, String> {
        let (mut last, mut since) = (self.view()?, Instant::now());
        self.wait_for("the end of a movement", || {
            let now = self.view()?;
            if now != last {
                (last, since) = (now, Instant::now());
            }
            Ok(since.elapsed() > Duration::from_millis(300))
        })?;
        self.view()
    }

    /// Waits until the view shows something else than before.
    fn wait_for_change(&self, what: &str, before: &[u8]) -> Task {
        self.wait_for(what, || Ok(self.view()? != before))
    }

    /// Pictures that a part of the screen shows in this time. A small part: looking at it takes time from the viewer.
    fn pictures(&self, part: [usize; 4], time: Duration) -> Result<u32, String> {
        let (start, mut last, mut count) = (Instant::now(), self.pixels(part)?, 0);
        while start.elapsed() < time {
            let now = self.pixels(part)?;
            if now != last {
                (last, count) = (now, count + 1);
            }
            std::thread::sleep(Duration::from_millis(4));
        }
        Ok(count)
    }

    /// Says where the next dialog saves, presses a key, and waits for the file.
    fn save_by(&self, key: &str, name: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join(name);
        std::fs::write(self.folder.join("answer"), format!("{}\n", path.display())).map_err(text)?;
        self.key(key)?;
        self.wait_for(name, || Ok(std::fs::metadata(&path).is_ok_and(|data| data.len() > 0)))?;
        std::thread::sleep(Duration::from_millis(200));
        std::fs::read(&path).map_err(text)
    }

    /// Opens, plays, scrubs, exports and closes.
    fn use_window(&self) -> Task {
        let mut viewer = self.effigy(&["view", "demo/warcraft3/LanternBeetle.mdx"])?;
        let first = viewer.until_picture()?;
        self.shell.say(&format!("first picture after {} ms", first.as_millis()));
        self.focus("LanternBeetle")?;
        let playing = self.pictures(MIDDLE, Duration::from_secs(1))?;
        self.shell.say(&format!("{playing} pictures in a second while it plays"));
        if playing < 2 {
            return Err("the sequence does not play".to_owned());
        }
        self.key("space")?;
        std::thread::sleep(Duration::from_millis(500));
        if self.pictures(MIDDLE, Duration::from_secs(1))? > 0 {
            return Err("something moves while it is paused".to_owned());
        }
        let before = self.view()?;
        let [width, height] = SCREEN;
        let [from, to] = [width / 4, width * 3 / 4].map(|x| x.to_string());
        // The scrubber is 26 points high, above the line of the status.
        let y = (height - 53).to_string();
        for words in
            [&["mousemove", &from, &y][..], &["mousedown", "1"], &["mousemove", &to, &y], &["mouseup", "1"]]
        {
            self.xdotool(words)?;
            // All of it in one frame would not be a drag.
            std::thread::sleep(Duration::from_millis(300));
        }
        self.wait_for_change("the scrubber", &before)?;
        let before = self.view()?;
        self.key("w")?;
        self.wait_for_change("the next sequence", &before)?;
        let before = self.still_view()?;
        self.key("ctrl+e")?;
        self.wait_for_change("the export window", &before)?;
        // The window fades in.
        let before = self.still_view()?;
        self.key("Return")?;
        self.wait_for_change("the conversion", &before)?;
        self.still_view()?;
        if !self.save_by("Return", "beetle.glb")?.starts_with(b"glTF") {
            return Err("what was exported is not a glTF file".to_owned());
        }
        if !self.save_by("F12", "beetle.png")?.starts_with(b"\x89PNG") {
            return Err("the picture is not a PNG file".to_owned());
        }
        self.key("ctrl+q")?;
        viewer.wait()
    }

    /// Gives a window the keyboard: there is no window manager that would.
    fn focus(&self, title: &str) -> Task {
        let window = self.xdotool(&["search", "--onlyvisible", "--name", title])?;
        let window = window.lines().next().unwrap_or_default().to_owned();
        self.xdotool(&["windowfocus", "--sync", &window])?;
        self.xdotool(&["mousemove", "640", "300"]).map(drop)
    }

    /// Counts the frames of ten animated units in a window of 800 x 600.
    fn count_frames(&self) -> Task {
        std::fs::create_dir_all(self.folder.join("config/effigy")).map_err(text)?;
        std::fs::write(self.folder.join("config/effigy/viewer.conf"), "panels = no\n").map_err(text)?;
        let mut words = vec!["view".to_owned(), "ground.mdl".to_owned()];
        std::fs::write(self.folder.join("ground.mdl"), ground()).map_err(text)?;
        for number in 0..UNITS {
            // Copies, because a file is read and drawn once however often it is named.
            let name = format!("demo/warcraft3/beetle{number}.mdx");
            let beetle = self.folder.join("demo/warcraft3/LanternBeetle.mdx");
            std::fs::copy(beetle, self.folder.join(&name)).map_err(text)?;
            words.extend(["--attach".to_owned(), format!("Place {number}={name}#Walk")]);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut viewer = self.effigy(&words)?;
        viewer.until_picture()?;
        let window = self.xdotool(&["search", "--onlyvisible", "--name", "ground"])?;
        self.xdotool(&["windowsize", window.lines().next().unwrap_or_default(), "800", "600"])?;
        self.focus("ground")?;
        std::thread::sleep(Duration::from_secs(1));
        let seconds = 5;
        let count = self.pictures([100, 190, 600, 40], Duration::from_secs(seconds))?;
        self.shell
            .say(&format!("{UNITS} units at 800 x 600: {:.1} frames/s", f64::from(count) / seconds as f64));
        self.key("ctrl+q")?;
        viewer.wait()
    }
}

/// A model without meshes: places for the units, in two rows.
fn ground() -> String {
    let mut model = format!(
        "Version {{ FormatVersion 800, }}\nModel \"Ground\" {{ NumAttachments {UNITS}, }}\nSequences 1 {{ Anim \"Stand\" {{ Interval {{ 0, 1000 }}, }} }}\n"
    );
    for number in 0..UNITS {
        model += &format!("Attachment \"Place {number}\" {{ ObjectId {number}, AttachmentID {number}, }}\n");
    }
    model += &format!("PivotPoints {UNITS} {{\n");
    for number in 0..UNITS {
        let (row, column) = (number / 5, number % 5);
        model += &format!("{{ -{}, {}, 0 }},\n", row * 220, column * 220);
    }
    model + "}\n"
}

/// A started viewer.
struct Running<'a> {
    session: &'a Session<'a>,
    child: Ended,
    since: Instant,
}

impl Running<'_> {
    /// Waits until the view shows more colours than an empty window, and returns how long that took since the start.
    fn until_picture(&mut self) -> Result<Duration, String> {
        let (session, child) = (self.session, &mut self.child.0);
        session.wait_for("the first picture", || {
            if let Some(status) = child.try_wait().map_err(text)? {
                return Err(format!("the viewer has ended ({status}): {}", session.log()));
            }
            let pixels = session.pixels(MIDDLE)?;
            let colors: std::collections::BTreeSet<&[u8]> = pixels.chunks_exact(4).step_by(37).collect();
            Ok(colors.len() > 30)
        })?;
        Ok(self.since.elapsed())
    }

    /// Waits for the end; it must be a good one, and nothing may be written to stderr.
    fn wait(&mut self) -> Task {
        let (session, child) = (self.session, &mut self.child.0);
        let mut ended = None;
        session.wait_for("the end of the program", || {
            ended = child.try_wait().map_err(text)?;
            Ok(ended.is_some())
        })?;
        let log = session.log();
        if !ended.is_some_and(|status| status.success()) {
            return Err(format!("the program failed: {log}"));
        }
        if log.trim().is_empty() { Ok(()) } else { Err(format!("there are messages on stderr: {log}")) }
    }
}

impl Session<'_> {
    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("stderr.txt")).unwrap_or_default()
    }
}

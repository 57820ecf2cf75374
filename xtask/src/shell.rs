//! Starting other programs in the project's root, and saying so.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// Done, or why not, in one line.
pub type Task = Result<(), String>;

/// Starts programs and prints.
pub struct Shell {
    root: PathBuf,
}

impl Shell {
    /// A shell in the project's root.
    pub fn new() -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: here.parent().unwrap_or(here).to_path_buf() }
    }

    /// The project's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a program is that cargo built; `part` is the folder inside cargo's own, such as `release`.
    pub fn program(&self, part: &str, name: &str) -> PathBuf {
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        // Cargo runs in the root, so that is where a relative folder starts.
        let folder = self.root.join(target).join(part);
        folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Data, on stdout. Whoever closed it has enough.
    pub fn print(&self, text: &str) {
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
    }

    /// Talk, on stderr.
    pub fn say(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }

    fn command(&self, words: &[&str]) -> Result<Command, String> {
        let (program, arguments) = words.split_first().ok_or("nothing to run")?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root);
        Ok(command)
    }

    /// Runs a program with our own streams.
    pub fn run(&self, words: &[&str]) -> Task {
        self.say(&format!("$ {}", words.join(" ")));
        let status =
            self.command(words)?.status().map_err(|error| format!("{}: {error}", words.join(" ")))?;
        if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", words.join(" "))) }
    }

    /// Whether a program runs and is content. It prints nothing.
    pub fn succeeds(&self, words: &[&str]) -> bool {
        self.command(words).is_ok_and(|mut command| {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        })
    }

    /// What a program prints.
    pub fn output(&self, words: &[&str]) -> Result<String, String> {
        let (status, text) = self.ended(words)?;
        if status.success() { Ok(text) } else { Err(format!("`{}` failed ({status})", words.join(" "))) }
    }

    /// What a program prints, even if it is not content.
    pub fn output_anyway(&self, words: &[&str]) -> Result<String, String> {
        self.ended(words).map(|(_, text)| text)
    }

    fn ended(&self, words: &[&str]) -> Result<(ExitStatus, String), String> {
        let output = self
            .command(words)?
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("{}: {error}", words.join(" ")))?;
        Ok((output.status, String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// Runs xtask once more with a feature that it was built without, from a folder of its own: some systems cannot
    /// replace a program that is running.
    #[cfg_attr(
        all(feature = "bench", feature = "docs"),
        allow(dead_code, reason = "every feature is built in")
    )]
    pub fn again(&self, feature: &str, arguments: &[&str]) -> Task {
        let mut words = vec!["cargo", "run", "--quiet", "--release", "--package", "xtask", "--bin", "xtask"];
        words.extend(["--features", feature, "--target-dir", "target/xtask", "--"]);
        words.extend(arguments);
        let status = self.command(&words)?.status().map_err(|error| format!("cargo: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("`cargo xtask {}` failed", arguments.join(" "))) }
    }
}

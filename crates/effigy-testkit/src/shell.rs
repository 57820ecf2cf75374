//! Starting other programs in the root of the project.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The result of a task; the error is one line for the user.
pub type Task = Result<(), String>;

/// The arguments of cargo for everything that is tested. All builds of the tasks use them, because cargo compiles a crate
/// again if other features are asked for. Benchmarks are left out: they have no tests and large dependencies.
pub const TESTED: &[&str] = &["--workspace", "--exclude", "effigy-bench", "--features", "xtask/docs"];

/// Starts programs and prints.
#[derive(Clone)]
pub struct Shell {
    root: PathBuf,
    variables: Vec<(String, String)>,
}

impl Default for Shell {
    fn default() -> Self {
        Self::new()
    }
}

impl Shell {
    /// A shell in the project's root.
    #[must_use]
    pub fn new() -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.ancestors().nth(2).unwrap_or(here);
        Self { root: root.to_path_buf(), variables: Vec::new() }
    }

    /// The project's root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Sets an environment variable for all programs started from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// Cargo's target folder: `CARGO_TARGET_DIR`, else `target`.
    #[must_use]
    pub fn target(&self) -> PathBuf {
        // Cargo runs in the root, so a relative folder starts there.
        self.root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
    }

    /// The path of a program that cargo built; `part` is the folder inside cargo's own, such as `release`.
    #[must_use]
    pub fn program(&self, part: &str, name: &str) -> PathBuf {
        self.target().join(part).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Prints data to stdout. A closed stdout is not an error.
    pub fn print(&self, text: &str) {
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
    }

    /// Prints a message to stderr.
    pub fn say(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }

    fn command(&self, words: &[&str]) -> Result<Command, String> {
        let (program, arguments) = words.split_first().ok_or("there is no program to run")?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// Runs a program that shares our standard streams, after printing its command line.
    pub fn run(&self, words: &[&str]) -> Task {
        match self.status(words)? {
            status if status.success() => Ok(()),
            status => Err(format!("`{}` failed ({status})", words.join(" "))),
        }
    }

    /// Like [`Self::run`], but gives the exit code to the caller. A program ended by a signal is an error.
    pub fn code(&self, words: &[&str]) -> Result<i32, String> {
        let status = self.status(words)?;
        status.code().ok_or_else(|| format!("`{}` failed ({status})", words.join(" ")))
    }

    fn status(&self, words: &[&str]) -> Result<ExitStatus, String> {
        self.say(&format!("$ {}", words.join(" ")));
        self.command(words)?.status().map_err(|error| format!("{}: {error}", words.join(" ")))
    }

    /// Whether a program runs and exits with 0. Its output is discarded.
    #[must_use]
    pub fn succeeds(&self, words: &[&str]) -> bool {
        self.command(words).is_ok_and(|mut command| {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        })
    }

    /// The standard output of a program that exits with 0.
    pub fn output(&self, words: &[&str]) -> Result<String, String> {
        let (code, text) = self.code_and_output(words)?;
        if code == 0 { Ok(text) } else { Err(format!("`{}` failed (exit code {code})", words.join(" "))) }
    }

    /// Installs a package of the system, which works for root on Debian and its relatives.
    pub fn install(&self, package: &str) -> Task {
        let install = || self.succeeds(&["apt-get", "install", "--yes", "--no-install-recommends", package]);
        if install() || (self.succeeds(&["apt-get", "update"]) && install()) {
            return Ok(());
        }
        Err(format!("{package} is missing and could not be installed"))
    }

    /// Runs a program and returns its exit code and what it wrote to standard error, which is printed too.
    pub fn code_and_log(&self, words: &[&str]) -> Result<(i32, String), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", words.join(" "));
        self.say(&format!("$ {}", words.join(" ")));
        let mut child = self.command(words)?.stderr(Stdio::piped()).spawn().map_err(failed)?;
        let mut log = String::new();
        if let Some(stderr) = child.stderr.take() {
            for line in BufReader::new(stderr).split(b'\n') {
                let line = String::from_utf8_lossy(&line.map_err(failed)?).into_owned();
                self.say(&line);
                log.push_str(&line);
                log.push('\n');
            }
        }
        let status = child.wait().map_err(failed)?;
        let code = status.code().ok_or_else(|| format!("`{}` failed ({status})", words.join(" ")))?;
        Ok((code, log))
    }

    /// The exit code and the standard output of a program.
    pub fn code_and_output(&self, words: &[&str]) -> Result<(i32, String), String> {
        self.answer(words, Stdio::inherit())
    }

    /// Like [`Self::code_and_output`], but discards standard error, for programs that are expected to crash.
    pub fn code_and_output_alone(&self, words: &[&str]) -> Result<(i32, String), String> {
        self.answer(words, Stdio::null())
    }

    fn answer(&self, words: &[&str], stderr: Stdio) -> Result<(i32, String), String> {
        let line = || words.join(" ");
        let output = self.command(words)?.stderr(stderr).output();
        let output = output.map_err(|error| format!("{}: {error}", line()))?;
        let code = output.status.code().ok_or_else(|| format!("`{}` failed ({})", line(), output.status))?;
        Ok((code, String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

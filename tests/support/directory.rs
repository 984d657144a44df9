//! A directory of files in which the real binary is run.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A directory that is gone with this value.
pub struct Directory(tempfile::TempDir);

impl Directory {
    pub fn new(files: &[(&str, &str)]) -> Directory {
        let directory = Directory(tempfile::tempdir().expect("a directory"));
        for (path, text) in files {
            let path = directory.0.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a directory");
            std::fs::write(path, text).expect("written");
        }
        directory
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_repertoire"));
        command.args(arguments).current_dir(self.0.path()).env_remove("SHOP_USER").output().expect("performed")
    }

    /// The same with this text on standard input.
    pub fn says_to(&self, input: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_repertoire"));
        command.args(arguments).current_dir(self.0.path()).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = pipes.spawn().expect("started");
        // It may end before it has read everything.
        let _ = running.stdin.take().expect("a pipe").write_all(input.as_bytes());
        self.text(running.wait_with_output().expect("performed"))
    }

    /// The exit code, standard output and standard error.
    pub fn says(&self, arguments: &[&str]) -> String {
        self.text(self.run(arguments))
    }

    fn text(&self, output: Output) -> String {
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            text.replace(&self.0.path().canonicalize().expect("it exists").display().to_string(), "DIR")
        };
        format!("{}\n{}{}", output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }
}

//! A directory of files in which the real binary is run.

use std::path::Path;
use std::process::{Command, Output};

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

    /// The exit code, standard output and standard error.
    pub fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            text.replace(&self.0.path().canonicalize().expect("it exists").display().to_string(), "DIR")
        };
        format!("{}\n{}{}", output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }
}

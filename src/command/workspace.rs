//! The one directory in which commands read and write files: uploads, screenshots, downloads.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::{Error, file_name};
use crate::browser::Downloaded;

/// Where downloads go, below the workspace.
const DOWNLOADS: &str = "downloads";
/// How many files of one name there can be.
const MAX_NUMBER: u32 = 1_000;

/// Files and directories of a directory that is read as a whole.
const MAX_ENTRIES: usize = 10_000;

/// A directory that paths in arguments can't leave, neither by `..` nor by symbolic links.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace at a directory, which exists.
    ///
    /// # Errors
    /// When the directory can't be resolved.
    pub fn new(root: &Path) -> std::io::Result<Workspace> {
        Ok(Workspace { root: root.canonicalize()? })
    }

    /// The directory, with symbolic links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The real path of a file that is to be read.
    ///
    /// # Errors
    /// [`Error::File`] when it isn't there, [`Error::OutsideWorkspace`].
    pub fn existing(&self, path: &Path) -> Result<PathBuf, Error> {
        let real = self.inside(path)?;
        if !real.is_file() {
            return Err(Error::File { path: path.to_path_buf(), reason: "it is not a file".to_owned() });
        }
        Ok(real)
    }

    /// The real path of a file, or of a directory that is to be read as a whole.
    ///
    /// # Errors
    /// As [`Workspace::existing`]; also when something in the directory leads out of the workspace.
    pub fn existing_tree(&self, path: &Path) -> Result<PathBuf, Error> {
        let real = self.inside(path)?;
        if !real.is_dir() {
            return self.existing(path);
        }
        self.contain(&real, path)?;
        Ok(real)
    }

    fn inside(&self, path: &Path) -> Result<PathBuf, Error> {
        let real = self.root.join(path).canonicalize().map_err(|error| failed(path, &error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(self.outside(path)) }
    }

    /// Whoever reads a directory follows the symbolic links in it.
    fn contain(&self, directory: &Path, path: &Path) -> Result<(), Error> {
        let mut directories = vec![directory.to_path_buf()];
        let mut count = 0;
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(&directory).map_err(|error| failed(path, &error))?.flatten() {
                count += 1;
                if count > MAX_ENTRIES {
                    let reason = format!("it holds more than {MAX_ENTRIES} files");
                    return Err(Error::File { path: path.to_path_buf(), reason });
                }
                let kind = entry.file_type().map_err(|error| failed(path, &error))?;
                if kind.is_symlink() && !entry.path().canonicalize().is_ok_and(|real| real.starts_with(&self.root)) {
                    return Err(self.outside(path));
                }
                if kind.is_dir() {
                    directories.push(entry.path());
                }
            }
        }
        Ok(())
    }

    /// Writes a file whole or not at all; makes the directories above it. Answers its real path.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::OutsideWorkspace`].
    pub fn write(&self, path: &Path, content: &[u8]) -> Result<PathBuf, Error> {
        let (directory, name) = self.place(path)?;
        let real = self.make(&directory, path)?;
        let target = real.join(name);
        // Put in place by renaming, which replaces a symbolic link instead of following it.
        let mut file = tempfile::NamedTempFile::new_in(&real).map_err(|error| failed(path, &error))?;
        std::io::Write::write_all(&mut file, content).map_err(|error| failed(path, &error))?;
        file.persist(&target).map_err(|error| failed(path, &error.error))?;
        Ok(target)
    }

    /// Keeps a download in `downloads/`, under the name that was suggested for it or one like `name (2).pdf`; no file is
    /// ever replaced. Answers its real path.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::OutsideWorkspace`].
    pub fn keep(&self, download: &Downloaded) -> Result<PathBuf, Error> {
        self.take_in(download.file(), &download.name)
    }

    fn take_in(&self, file: &Path, suggested: &str) -> Result<PathBuf, Error> {
        let name = file_name::safe(suggested);
        let path = Path::new(DOWNLOADS).join(&name);
        let (directory, _) = self.place(&path)?;
        let real = self.make(&directory, &path)?;
        // Copied first, since the browser's directory may be on another file system; then put in place at once.
        let mut staged = tempfile::NamedTempFile::new_in(&real).map_err(|error| failed(&path, &error))?;
        std::fs::copy(file, staged.path()).map_err(|error| failed(&path, &error))?;
        for number in 1..=MAX_NUMBER {
            let target = real.join(file_name::numbered(&name, number).as_ref());
            match staged.persist_noclobber(&target) {
                Ok(_) => return Ok(target),
                Err(taken) if taken.error.kind() == std::io::ErrorKind::AlreadyExists => staged = taken.file,
                Err(error) => return Err(failed(&path, &error.error)),
            }
        }
        Err(Error::File { path, reason: format!("there are {MAX_NUMBER} files of this name") })
    }

    /// Makes a directory of the workspace; answers its real path.
    fn make(&self, directory: &Path, path: &Path) -> Result<PathBuf, Error> {
        std::fs::create_dir_all(directory).map_err(|error| failed(path, &error))?;
        let real = directory.canonicalize().map_err(|error| failed(path, &error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(self.outside(path)) }
    }

    /// Directory and name of a file to be written. Nothing may be made outside, so the nearest directory that exists is
    /// resolved first.
    fn place(&self, path: &Path) -> Result<(PathBuf, OsString), Error> {
        let joined = self.root.join(path);
        let (Some(parent), Some(name)) = (joined.parent(), joined.file_name()) else {
            return Err(Error::File { path: path.to_path_buf(), reason: "it names no file".to_owned() });
        };
        if parent.components().any(|component| component == Component::ParentDir) {
            return Err(self.outside(path));
        }
        let existing = parent.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
        if !existing.is_some_and(|existing| existing.starts_with(&self.root)) {
            return Err(self.outside(path));
        }
        Ok((parent.to_path_buf(), name.to_owned()))
    }

    fn outside(&self, path: &Path) -> Error {
        Error::OutsideWorkspace { path: path.to_path_buf(), root: self.root.clone() }
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::File { path: path.to_path_buf(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn no_path_leads_out() {
        let outside = tempfile::tempdir().expect("a directory");
        let inside = tempfile::tempdir().expect("a directory");
        std::fs::write(outside.path().join("secret.txt"), "x").expect("written");
        std::os::unix::fs::symlink(outside.path(), inside.path().join("link")).expect("linked");
        let workspace = Workspace::new(inside.path()).expect("a workspace");
        for path in ["../x.png", "a/../../x.png", "link/x.png", "link/new/x.png", "/etc/x.png"] {
            assert!(matches!(workspace.write(Path::new(path), b"x"), Err(Error::OutsideWorkspace { .. })), "{path}");
        }
        assert!(matches!(workspace.existing(Path::new("link/secret.txt")), Err(Error::OutsideWorkspace { .. })));
        std::fs::create_dir(inside.path().join("album")).expect("made");
        std::os::unix::fs::symlink(outside.path(), inside.path().join("album/link")).expect("linked");
        assert!(matches!(workspace.existing_tree(Path::new("album")), Err(Error::OutsideWorkspace { .. })));
        assert!(!outside.path().join("new").exists());
        std::os::unix::fs::symlink(outside.path(), inside.path().join(DOWNLOADS)).expect("linked");
        let download = outside.path().join("secret.txt");
        assert!(matches!(workspace.take_in(&download, "x.pdf"), Err(Error::OutsideWorkspace { .. })));
        let written = workspace.write(Path::new("shots/last.png"), b"x").expect("written");
        assert_eq!(workspace.existing(Path::new("shots/last.png")).expect("found"), written);
    }
    #[test]
    fn no_download_replaces_a_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let workspace = Workspace::new(directory.path()).expect("a workspace");
        let file = directory.path().join("5bf1");
        let kept = ["one", "two", "three"].map(|content| {
            std::fs::write(&file, content).expect("written");
            let kept = workspace.take_in(&file, "../a report.pdf").expect("kept");
            let relative = kept.strip_prefix(workspace.root()).expect("inside").display().to_string();
            (relative, std::fs::read_to_string(kept).expect("readable"))
        });
        let expected = [
            ("downloads/a report.pdf", "one"),
            ("downloads/a report (2).pdf", "two"),
            ("downloads/a report (3).pdf", "three"),
        ];
        assert_eq!(kept, expected.map(|(path, content)| (path.to_owned(), content.to_owned())));
    }
}

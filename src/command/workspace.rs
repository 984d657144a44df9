//! The one directory in which commands read and write files: uploads and screenshots.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::Error;

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
        let real = self.root.join(path).canonicalize().map_err(|error| failed(path, &error))?;
        if !real.starts_with(&self.root) {
            return Err(self.outside(path));
        }
        if !real.is_file() {
            return Err(Error::File { path: path.to_path_buf(), reason: "it is not a file".to_owned() });
        }
        Ok(real)
    }

    /// Writes a file whole or not at all; makes the directories above it. Answers its real path.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::OutsideWorkspace`].
    pub fn write(&self, path: &Path, content: &[u8]) -> Result<PathBuf, Error> {
        let (directory, name) = self.place(path)?;
        std::fs::create_dir_all(&directory).map_err(|error| failed(path, &error))?;
        let real = directory.canonicalize().map_err(|error| failed(path, &error))?;
        if !real.starts_with(&self.root) {
            return Err(self.outside(path));
        }
        let target = real.join(name);
        // Put in place by renaming, which replaces a symbolic link instead of following it.
        let mut file = tempfile::NamedTempFile::new_in(&real).map_err(|error| failed(path, &error))?;
        std::io::Write::write_all(&mut file, content).map_err(|error| failed(path, &error))?;
        file.persist(&target).map_err(|error| failed(path, &error.error))?;
        Ok(target)
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
        assert!(!outside.path().join("new").exists());
        let written = workspace.write(Path::new("shots/last.png"), b"x").expect("written");
        assert_eq!(workspace.existing(Path::new("shots/last.png")).expect("found"), written);
    }
}

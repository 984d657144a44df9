//! Finding a Chromium, Chrome or Edge on this machine.

use std::path::{Path, PathBuf};

use chromiumoxide::detection::{DetectionOptions, default_executable};

use super::error::Error;
use super::install;

/// Names looked for on PATH, beside those that detection knows.
const NAMES: [&str; 3] = ["chromium", "google-chrome", "chromium-headless-shell"];

/// Places of packages that put nothing on PATH.
const PLACES: [&str; 5] = [
    "/snap/bin/chromium",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/homebrew/bin/chromium",
    "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
];

/// The executable to use: the given one, else the usual names on PATH and the usual places of Linux, macOS and Windows
/// (chromiumoxide's detection, which also reads `CHROME`), else one that [`install`](super::install) fetched.
///
/// # Errors
/// [`Error::BadBrowser`] when the given path is no executable file, [`Error::NoBrowser`] when nothing is found.
pub fn find(explicit: Option<&Path>, lookup: &dyn Fn(&str) -> Option<String>) -> Result<PathBuf, Error> {
    if let Some(path) = explicit {
        return match std::fs::metadata(path) {
            Ok(metadata) if is_executable(&metadata) => Ok(path.to_path_buf()),
            Ok(_) => {
                Err(Error::BadBrowser { path: path.to_path_buf(), reason: "it is not an executable file".to_owned() })
            }
            Err(error) => Err(Error::BadBrowser { path: path.to_path_buf(), reason: error.to_string() }),
        };
    }
    let on_path = lookup("PATH").unwrap_or_default();
    let named = || {
        NAMES.iter().flat_map(|name| {
            std::env::split_paths(&on_path).map(move |directory| directory.join(name)).collect::<Vec<_>>()
        })
    };
    if let Some(found) = named().chain(PLACES.iter().map(PathBuf::from)).find(|path| exists(path)) {
        return Ok(found);
    }
    if let Ok(found) = default_executable(DetectionOptions { msedge: true, unstable: false }) {
        return Ok(found);
    }
    if let Some(found) = install::installed() {
        return Ok(found);
    }
    Err(Error::NoBrowser {
        tried: vec![
            "PATH".to_owned(),
            "the usual places of this system".to_owned(),
            install::directory().display().to_string(),
        ],
    })
}

fn exists(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| is_executable(&metadata))
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    metadata.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_path_must_be_an_executable_file() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let error = find(Some(directory.path()), &|_| None).expect_err("a directory is no browser");
        assert_eq!(
            error.to_string(),
            format!("the browser `{}` can't be used: it is not an executable file", directory.path().display())
        );
        let missing = directory.path().join("chromium");
        assert!(matches!(find(Some(&missing), &|_| None), Err(Error::BadBrowser { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn the_first_on_path_is_taken() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a temporary directory");
        let browser = directory.path().join("chromium");
        std::fs::write(&browser, "#!/bin/sh\n").expect("written");
        std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("made executable");
        let path = directory.path().display().to_string();
        assert_eq!(find(None, &|name| (name == "PATH").then(|| path.clone())).expect("found"), browser);
    }
}

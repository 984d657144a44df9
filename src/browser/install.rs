//! Getting a browser onto a machine that has none: Chrome for Testing through chromiumoxide's fetcher, else the
//! distribution's own package.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use chromiumoxide::fetcher::{BrowserFetcher, BrowserFetcherOptions, BrowserKind};
use tokio::process::Command;

use super::discover::find;
use super::error::Error;

/// The longest that the download of a browser may take.
const FETCH_LIMIT: Duration = Duration::from_secs(600);
/// The longest that the package manager may take.
const PACKAGE_LIMIT: Duration = Duration::from_secs(900);

/// Finds a browser or installs one; `progress` hears what is being done. Answers the executable.
///
/// # Errors
/// [`Error::Install`] with every way that was tried and how it ended.
pub async fn install(
    lookup: &dyn Fn(&str) -> Option<String>,
    progress: &(dyn Fn(&str) + Send + Sync),
) -> Result<PathBuf, Error> {
    if let Ok(found) = find(None, lookup) {
        progress(&format!("found {}", found.display()));
        return Ok(found);
    }
    progress("downloading Chrome for Testing");
    let fetched = match fetch().await {
        Ok(path) => return Ok(path),
        Err(reason) => reason,
    };
    progress(&format!("that failed ({fetched}); trying the distribution's package"));
    match package(progress).await {
        Ok(()) => find(None, lookup),
        Err(reason) => Err(Error::Install {
            reason: format!("Chrome for Testing: {fetched}; the distribution's package: {reason}"),
        }),
    }
}

/// Where fetched browsers are kept.
pub(super) fn directory() -> PathBuf {
    match directories::ProjectDirs::from("", "", "repertoire") {
        Some(directories) => directories.cache_dir().join("browsers"),
        None => std::env::temp_dir().join("repertoire-browsers"),
    }
}

/// The browser that was fetched earlier, if it is still there.
pub(super) fn installed() -> Option<PathBuf> {
    let path = PathBuf::from(std::fs::read_to_string(marker()).ok()?);
    path.is_file().then_some(path)
}

/// Holds the path of the executable: its place in the archive depends on platform and version.
fn marker() -> PathBuf {
    directory().join("executable")
}

async fn fetch() -> Result<PathBuf, String> {
    std::fs::create_dir_all(directory()).map_err(|error| error.to_string())?;
    let options = BrowserFetcherOptions::builder()
        .with_kind(BrowserKind::Chrome)
        .with_path(directory())
        .build()
        .map_err(|error| error.to_string())?;
    let installation = tokio::time::timeout(FETCH_LIMIT, BrowserFetcher::new(options).fetch())
        .await
        .map_err(|_| "the download took too long".to_owned())?
        .map_err(|error| sentence(&error))?;
    let path = installation.executable_path;
    // A downloaded browser brings none of the system's libraries: better to learn that here than at the first call.
    run(&path, &["--version"], Duration::from_secs(30)).await?;
    std::fs::write(marker(), path.display().to_string()).map_err(|error| error.to_string())?;
    Ok(path)
}

async fn package(progress: &(dyn Fn(&str) + Send + Sync)) -> Result<(), String> {
    if !Path::new("/etc/debian_version").exists() {
        return Err("only Debian's and Ubuntu's package manager is known".to_owned());
    }
    if !is_root() {
        return Err("needs root: run `sudo apt-get install chromium`".to_owned());
    }
    let apt = Path::new("apt-get");
    progress("apt-get update");
    run(apt, &["update", "-qq"], PACKAGE_LIMIT).await?;
    progress("apt-get install chromium");
    run(apt, &["install", "-y", "-qq", "--no-install-recommends", "chromium"], PACKAGE_LIMIT).await
}

async fn run(program: &Path, arguments: &[&str], limit: Duration) -> Result<(), String> {
    let name = program.display();
    let child = Command::new(program)
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("{name}: {error}"))?;
    let output = tokio::time::timeout(limit, child.wait_with_output())
        .await
        .map_err(|_| format!("{name} took longer than {}", humantime::format_duration(limit)))?
        .map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name}: {}", errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("failed without a word")))
}

fn sentence(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

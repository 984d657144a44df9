//! `repertoire browser`: finding and installing Chromium.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{Console, Environment, stage};
use crate::browser::{self, Error};

/// Prints the path of the browser that would be used.
pub(super) fn path(explicit: Option<&Path>, environment: &Environment) -> anyhow::Result<ExitCode> {
    let path = find(explicit, environment)?;
    writeln!(std::io::stdout(), "{}", path.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Installs a browser and prints its path.
pub(super) async fn install(environment: &Environment, console: &Console) -> anyhow::Result<ExitCode> {
    let path = fetch(environment, console).await?;
    writeln!(std::io::stdout(), "{}", path.display())?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn find(explicit: Option<&Path>, environment: &Environment) -> Result<PathBuf, Error> {
    browser::find(explicit, &|name| stage::text(environment, name))
}

pub(super) async fn fetch(environment: &Environment, console: &Console) -> Result<PathBuf, Error> {
    browser::install(&|name| stage::text(environment, name), &|line| console.line(line)).await
}

//! `repertoire convert`: a classic file in the step form, printed or written in its place.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use super::FAILED;
use super::check::painted;
use super::console::{Advice, Console};
use crate::action::{self, ConvertError};

/// Converts one file.
pub(super) fn convert(file: &Path, write: bool, console: &Console) -> anyhow::Result<ExitCode> {
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("`{shown}` can't be read"))?;
    let converted = match action::convert(file, &text) {
        Ok(converted) => converted,
        Err(ConvertError::Broken(problems)) => {
            problems.iter().for_each(|problem| console.line(&format!("{}\n", painted(problem, console))));
            return Ok(ExitCode::from(FAILED));
        }
        Err(error) => {
            let hint = error.hint().to_owned();
            return Err(Advice { message: format!("`{shown}`: {error}"), hint }.into());
        }
    };
    if write {
        replace(file, &converted).with_context(|| format!("`{shown}` can't be written"))?;
        console.line(&format!("converted {shown}"));
    } else {
        std::io::stdout().lock().write_all(converted.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Replaces a file at once, so that nobody reads half of it; its permissions stay.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    // A link keeps pointing to what is written.
    let file = fs::canonicalize(file)?;
    let mut fresh = tempfile::NamedTempFile::new_in(file.parent().unwrap_or(Path::new(".")))?;
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().set_permissions(fs::metadata(&file)?.permissions())?;
    fresh.as_file().sync_all()?;
    fresh.persist(&file)?;
    Ok(())
}

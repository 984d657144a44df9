//! `repertoire new`: a file to begin with, which works on the demo shop as it is.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use super::check;
use super::console::{Advice, Console};
use crate::action;
use crate::config;

/// The templates by their names.
const TEMPLATES: [(&str, &str); 3] = [
    ("login", include_str!("new/login.yaml")),
    ("checkout", include_str!("new/checkout.yaml")),
    ("extract", include_str!("new/extract.yaml")),
];

/// Writes a file from a template; one that is there stays as it is.
pub(super) async fn new(request: config::New, console: &Console) -> anyhow::Result<ExitCode> {
    let (name, text) =
        TEMPLATES.iter().find(|(name, _)| *name == request.template).context("there is no such template")?;
    let directory = request.options.actions.first().cloned().unwrap_or_default();
    let below = below(&request.name)?;
    let file = directory.join(&below);
    std::fs::create_dir_all(file.parent().unwrap_or(&directory))
        .with_context(|| format!("the directory of `{}` can't be made", file.display()))?;
    let mut fresh = match std::fs::File::create_new(&file) {
        Ok(fresh) => fresh,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let message = format!("`{}` is there already", check::shown(&file).display());
            return Err(Advice { message, hint: "choose another name, or remove it first".to_owned() }.into());
        }
        Err(error) => return Err(error).with_context(|| format!("`{}` can't be written", file.display())),
    };
    fresh.write_all(text.as_bytes()).with_context(|| format!("`{}` can't be written", file.display()))?;
    console.line(&format!("wrote {} from the template `{name}`", check::shown(&file).display()));
    // Whatever would keep it from being offered: another action of this name, for one.
    let catalog = check::load(vec![directory], true).await?;
    for problem in catalog.problems().iter().filter(|problem| problem.file == below) {
        console.line(&check::painted(problem, console));
    }
    if let Some(action) = catalog.actions().find(|action| action.source.shown() == below) {
        let secrets: Vec<&str> = action.secret_names().iter().map(|name| name.as_str()).collect();
        if !secrets.is_empty() {
            console.line(&format!("set its secrets in `.env`: {}", secrets.join(", ")));
        }
        console.line(&format!("see what it does with `repertoire run {} --dry-run`", action.name));
    }
    Ok(ExitCode::SUCCESS)
}

/// The file of a name, relative to the directory of actions.
fn below(name: &str) -> anyhow::Result<PathBuf> {
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or(name);
    let is_word = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    let file = PathBuf::from(format!("{stem}.yaml"));
    if stem.split('/').all(is_word) && action::can_be_named(&file) {
        return Ok(file);
    }
    let message = format!("`{name}` can't be the name of an action");
    let hint = "use up to 40 letters, digits and `_`, beginning with a letter; `shop/login` is `login.yaml` in `shop`";
    Err(Advice { message, hint: hint.to_owned() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_directory() {
        let names = ["login", "shop/sign-in.yaml", "../login", "/login", "shop//login", "_part", "login.test", "9", ""];
        let files = names.map(|name| below(name).map(|file| file.display().to_string()).unwrap_or_default());
        assert_eq!(files, ["login.yaml", "shop/sign-in.yaml", "", "", "", "", "", "", ""]);
        assert!(TEMPLATES.iter().map(|(name, _)| *name).eq(config::TEMPLATES));
    }
}

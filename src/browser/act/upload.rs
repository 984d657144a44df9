//! Giving files to a page: to a file input, or to the chooser that something else opens.

use std::path::PathBuf;
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::page::SetInterceptFileChooserDialogParams;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::connection::Verbatim;
use super::super::frames::Place;
use super::super::retry::{Obstacle, Trial};
use super::super::tracker::Chooser;
use super::super::{Deadline, Error, Link, Page};
use super::ClickOptions;
use crate::selector::Selector;

/// How long a page may take from the click to its file chooser.
const CHOOSER: Duration = Duration::from_secs(3);

/// What `upload_file` found.
#[derive(Deserialize)]
struct Target {
    /// The file input; none where the element may open a chooser.
    input: Option<Value>,
    #[serde(default)]
    multiple: bool,
    #[serde(default)]
    directory: bool,
    element: String,
}

impl Page<'_> {
    /// Gives files, none included, to a file input, to the one that a label or wrapper stands for, or to the chooser that
    /// a click on the element opens. The paths are the browser's.
    ///
    /// # Errors
    /// As [`Page::click`]; also when the element takes no files, or not these.
    pub async fn upload(&self, selector: &Selector, files: &[PathBuf], deadline: &Deadline) -> Result<(), Error> {
        let mut trial = Trial::new("upload_file", selector, deadline);
        while trial.attempt(self.upload_once(selector, files, deadline)).await?.is_none() {}
        self.settle(deadline).await
    }

    async fn upload_once(&self, selector: &Selector, files: &[PathBuf], deadline: &Deadline) -> Result<(), Error> {
        let place = self.place(selector).await?;
        let target: Target = self.ask(&place, "prepareUpload", json!({ "clear": files.is_empty() })).await?;
        let Some(input) = target.input else {
            return self.choose(selector, &place, target.element, files, deadline).await;
        };
        fits(selector, files, target.multiple, Some(target.directory))?;
        if files.is_empty() {
            return Ok(());
        }
        let object = self.element(&place, &input).await?;
        let params = json!({ "files": files, "objectId": object });
        let upload = Verbatim { method: "DOM.setFileInputFiles", params };
        self.link.connection.send::<Value>(Some(&place.session), &upload).await.map(drop)
    }

    /// Clicks what opens a file chooser, and answers it.
    async fn choose(
        &self,
        selector: &Selector,
        place: &Place,
        element: String,
        files: &[PathBuf],
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let intercepted = Intercepted::new(self.link, place);
        self.click_once(selector, &ClickOptions::default(), deadline).await?;
        let opened = self.link.wait(&deadline.within(CHOOSER), |tracker| tracker.chooser.take()).await;
        let Chooser { session, input, multiple } = match opened {
            Err(Error::Timeout { .. }) => {
                let detail = Some("it was clicked, and no file chooser opened".to_owned());
                let state = "file input".to_owned();
                return Err(Error::Refused(Obstacle::Missing { state, detail, element: Some(element) }));
            }
            chooser => chooser?,
        };
        drop(intercepted);
        // The click is done: what can't be given now must not lead to another one.
        fits(selector, files, multiple, None)?;
        let params = json!({ "files": files, "backendNodeId": input });
        let upload = Verbatim { method: "DOM.setFileInputFiles", params };
        self.link.connection.send::<Value>(Some(&session), &upload).await.map(drop)
    }
}

/// File choosers are reported instead of shown, until this is dropped.
struct Intercepted<'l> {
    link: &'l Link,
    place: &'l Place,
}

impl<'l> Intercepted<'l> {
    fn new(link: &'l Link, place: &'l Place) -> Intercepted<'l> {
        link.tracker().chooser = None;
        link.connection.post(Some(&place.session), &SetInterceptFileChooserDialogParams::new(true));
        Intercepted { link, place }
    }
}

impl Drop for Intercepted<'_> {
    fn drop(&mut self) {
        self.link.connection.post(Some(&self.place.session), &SetInterceptFileChooserDialogParams::new(false));
    }
}

/// Whether an input takes these files. A chooser doesn't tell whether it is for a directory.
fn fits(selector: &Selector, files: &[PathBuf], multiple: bool, directory: Option<bool>) -> Result<(), Error> {
    let refused = |message, hint: &str| Err(Error::Argument { message, hint: hint.to_owned() });
    if directory == Some(true) {
        return match files {
            [] => Ok(()),
            [only] if only.is_dir() => Ok(()),
            _ => refused(format!("`{selector}` takes one directory"), "name the directory, not the files in it"),
        };
    }
    if directory == Some(false)
        && let Some(path) = files.iter().find(|path| path.is_dir())
    {
        let name = path.file_name().unwrap_or_default().display();
        return refused(format!("`{selector}` takes files, and `{name}` is a directory"), "name the files in it");
    }
    if files.len() > 1 && !multiple {
        return refused(
            format!("`{selector}` takes one file, {} were given", files.len()),
            "upload one file, or choose an input with the `multiple` attribute",
        );
    }
    Ok(())
}

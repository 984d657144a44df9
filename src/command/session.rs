//! The session itself, and the dialogs of its pages.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Command, Context, Error, Output};
use crate::browser::{Dialog, DialogReply};

/// The answer to a dialog
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Accept,
    Dismiss,
}

/// Answer the dialog that is open, or without one set the answer for the next; else alerts are accepted and questions dismissed
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HandleDialog {
    /// `accept` or `dismiss`
    answer: Answer,
    /// What to answer to a prompt; its own suggestion when not given
    text: Option<String>,
    /// For how many dialogs
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100))]
    times: usize,
}

/// A dialog as steps and calls know it.
pub fn dialog_value(Dialog { kind, message, default_value }: Dialog) -> Value {
    json!({ "kind": kind.name(), "message": message, "default_value": default_value })
}

fn one() -> usize {
    1
}

impl Command for HandleDialog {
    const NAME: &'static str = "handle_dialog";
    const MAIN: Option<&'static str> = Some("answer");
    const EXAMPLE: &'static str = "handle_dialog: { answer: accept, text: Ada }";
    const RETURNS: &'static str = "the dialog that was open, `{ kind, message, default_value }`, or null";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let reply = match (self.answer, self.text) {
            (Answer::Accept, text) => DialogReply::Accept { text },
            (Answer::Dismiss, None) => DialogReply::Dismiss,
            (Answer::Dismiss, Some(_)) => {
                let message = "`text` goes with `answer: accept` only".to_owned();
                return Err(Error::Arguments { command: Self::NAME, message });
            }
        };
        let open = context.session.handle_dialog(reply, self.times, &context.deadline).await?;
        Ok(Output::of(open.map_or(Value::Null, dialog_value)))
    }
}

/// End the browser, or let go of one that ran before the session; the next command starts or finds one anew
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CloseBrowser {}

impl Command for CloseBrowser {
    const NAME: &'static str = "close_browser";
    const EXAMPLE: &'static str = "close_browser";
    const RETURNS: &'static str = "whether one was running";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        Ok(Output::of(context.session.close().await))
    }
}

//! Dialogs of pages: alerts, questions, prompts, and the question whether a page may be left.
//!
//! While a dialog is open everything in its page waits, so it is answered by the connection's reader, the moment it is
//! told of: as a step expects it, else as was asked for in advance, else by default. Only what opens while no command
//! runs stays open, for the next command to answer or to dismiss.

use std::collections::VecDeque;

use chromiumoxide::cdp::browser_protocol::page::{CrashParams, HandleJavaScriptDialogParams};
use serde::Deserialize;

use super::connection::{Connection, SessionId};
use super::tracker::Tracker;
use super::{Deadline, Error, Session};
use crate::selector::TextMatch;

/// A page that opens more dialogs than this in one command is ended: nothing else stops a loop of them.
pub(super) const MOST: u32 = 100;
/// The longest message that is kept, in characters.
const MAX_MESSAGE: usize = 2_000;
/// Answers that can be given in advance.
const MAX_QUEUE: usize = 100;

/// What kind of dialog it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogKind {
    /// A message.
    Alert,
    /// A question with two answers.
    Confirm,
    /// A question for text.
    Prompt,
    /// The question whether to leave a page that may hold unsaved work.
    BeforeUnload,
}

/// A dialog that a page opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialog {
    /// What kind it is.
    pub kind: DialogKind,
    /// The page's words.
    pub message: String,
    /// What a prompt suggests; empty for other kinds.
    pub default_value: String,
}

/// The answer to a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogReply {
    /// OK, or leave the page.
    Accept {
        /// What to answer to a prompt; its own suggestion when not given.
        text: Option<String>,
    },
    /// Cancel, or stay on the page.
    Dismiss,
}

/// A dialog that a step expects.
#[derive(Clone, Debug)]
pub struct ExpectedDialog {
    /// The answer.
    pub reply: DialogReply,
    /// What its message must be. Another dialog is dismissed, and an error.
    pub message: Option<TextMatch>,
}

impl From<DialogReply> for ExpectedDialog {
    fn from(reply: DialogReply) -> ExpectedDialog {
        ExpectedDialog { reply, message: None }
    }
}

impl DialogKind {
    /// Its name in JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            DialogKind::Alert => "alert",
            DialogKind::Confirm => "confirm",
            DialogKind::Prompt => "prompt",
            DialogKind::BeforeUnload => "beforeunload",
        }
    }

    /// Answers that change as little as possible; a page may always be left.
    fn default_reply(self) -> DialogReply {
        match self {
            DialogKind::Alert | DialogKind::BeforeUnload => DialogReply::Accept { text: None },
            DialogKind::Confirm | DialogKind::Prompt => DialogReply::Dismiss,
        }
    }
}

/// The dialogs that nobody expects.
#[derive(Default)]
pub(super) struct Dialogs {
    /// Answers for the next ones.
    queue: VecDeque<DialogReply>,
    /// No command runs: what opens now stays open until one does.
    idle: bool,
    open: Vec<(SessionId, Dialog)>,
    /// A dialog kept its page from being left, in the command under way.
    stayed: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Opening {
    message: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    default_prompt: String,
}

impl Session {
    /// The dialogs that are open: those that opened since the last run ended.
    pub fn open_dialogs(&self) -> Vec<Dialog> {
        let open =
            |live: &super::Live| live.link.tracker().dialogs.open.iter().map(|(_, dialog)| dialog.clone()).collect();
        self.live.as_ref().map(open).unwrap_or_default()
    }

    /// Answers the dialog that is open; without one, sets the answer for the next `times` dialogs that no step expects.
    /// Answers the dialog that was open.
    ///
    /// # Errors
    /// What keeps the browser from starting.
    pub async fn handle_dialog(
        &mut self,
        reply: DialogReply,
        times: usize,
        deadline: &Deadline,
    ) -> Result<Option<Dialog>, Error> {
        let link = self.link(deadline).await?;
        let mut tracker = link.tracker();
        let mut left = times.min(MAX_QUEUE);
        let mut first = None;
        for (session, dialog) in std::mem::take(&mut tracker.dialogs.open) {
            if left == 0 {
                tracker.dialogs.open.push((session, dialog));
                continue;
            }
            left -= 1;
            answer(&link.connection, &session, &dialog, &reply);
            first.get_or_insert(dialog);
        }
        if first.is_none() {
            tracker.dialogs.queue = std::iter::repeat_n(reply, left).collect();
        }
        Ok(first)
    }
}

impl Tracker {
    pub(super) fn dialog_opened(
        &mut self,
        connection: &Connection,
        session: &SessionId,
        opening: Opening,
    ) -> Option<()> {
        let kind = match opening.kind.as_str() {
            "alert" => DialogKind::Alert,
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            _ => DialogKind::BeforeUnload,
        };
        let page = self.pages.iter_mut().find(|page| page.session == *session)?;
        page.dialogs += 1;
        if page.dialogs > MOST {
            connection.post(Some(session), &CrashParams::default());
            return Some(());
        }
        let dialog = Dialog { kind, message: shortened(&opening.message), default_value: opening.default_prompt };
        let reply = match self.expects_dialog(&dialog) {
            Some(reply) => reply,
            None => match self.dialogs.queue.pop_front() {
                Some(reply) => {
                    self.note(told(&dialog, &reply, "as `handle_dialog` asked"));
                    reply
                }
                None if self.dialogs.idle => {
                    self.dialogs.open.push((session.clone(), dialog));
                    return Some(());
                }
                None => {
                    let reply = kind.default_reply();
                    self.note(told(&dialog, &reply, ""));
                    reply
                }
            },
        };
        if kind == DialogKind::BeforeUnload && reply == DialogReply::Dismiss {
            self.dialogs.stayed = true;
            // Nothing else tells that the navigation was given up.
            for frame in self.frames.values_mut().filter(|frame| frame.session.as_ref() == Some(session)) {
                frame.navigating = false;
            }
        }
        answer(connection, session, &dialog, &reply);
        Some(())
    }

    /// The dialog of a page was closed, or the page is gone.
    pub(super) fn dialog_gone(&mut self, session: &SessionId) {
        self.dialogs.open.retain(|(open, _)| open != session);
    }

    /// A command begins: what was left open is answered by default.
    pub(super) fn begin_command(&mut self, connection: &Connection) {
        self.dialogs.idle = false;
        self.dialogs.stayed = false;
        // Of one that was ended for its dialogs the count is the reason.
        for page in self.pages.iter_mut().filter(|page| !page.crashed) {
            page.dialogs = 0;
        }
        for (session, dialog) in std::mem::take(&mut self.dialogs.open) {
            let reply = dialog.kind.default_reply();
            answer(connection, &session, &dialog, &reply);
            self.note(told(&dialog, &reply, "which was open before this command"));
        }
    }

    /// The last command of a run is over.
    pub(super) fn idle(&mut self) {
        self.dialogs.idle = true;
    }

    /// Whether the page kept itself from being left, in the command under way.
    pub(super) fn stayed(&self) -> bool {
        self.dialogs.stayed
    }
}

fn answer(connection: &Connection, session: &SessionId, dialog: &Dialog, reply: &DialogReply) {
    let mut handle = HandleJavaScriptDialogParams::new(*reply != DialogReply::Dismiss);
    if let (DialogKind::Prompt, DialogReply::Accept { text }) = (dialog.kind, reply) {
        handle.prompt_text = Some(text.clone().unwrap_or_else(|| dialog.default_value.clone()));
    }
    connection.post(Some(session), &handle);
}

/// What is told of a dialog that no step expected.
pub(super) fn told(dialog: &Dialog, reply: &DialogReply, how: &str) -> String {
    let Dialog { kind, message, .. } = dialog;
    let did = match (kind, reply) {
        (DialogKind::BeforeUnload, DialogReply::Accept { .. }) => "left the page in spite of",
        (DialogKind::BeforeUnload, DialogReply::Dismiss) => "stayed on the page because of",
        (_, DialogReply::Accept { .. }) => "accepted",
        (_, DialogReply::Dismiss) => "dismissed",
    };
    let separator = if how.is_empty() { "" } else { ", " };
    let colon = if message.is_empty() { "" } else { ": " };
    format!("{did} a dialog ({}) of the page{separator}{how}{colon}{message}", kind.name())
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

//! One call: from arguments to the reply, with progress on the way and an end when it is cancelled.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{JsonObject, ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::response::{self, Reply};
use super::tools;
use crate::action::{self, Action, Catalog};
use crate::run::{Progress, Run, Stage, State};

/// Progress that a client does not read in time is left out.
const PENDING_PROGRESS: usize = 64;
/// A client that reads nothing may not hold up the result.
const PATIENCE: Duration = Duration::from_secs(1);

/// More of a name that nothing has is not repeated.
const LONGEST_NAME: usize = 100;

/// What a call needs besides its arguments.
pub(super) struct Call<'a> {
    pub(super) stage: &'a Arc<Stage>,
    pub(super) stop: &'a CancellationToken,
    pub(super) context: &'a RequestContext<RoleServer>,
}

impl Call<'_> {
    /// Answers `list_actions`.
    pub(super) fn list_actions(&self, catalog: &Catalog, arguments: &JsonObject) -> Reply {
        let redactor = self.stage.redactor();
        if let Some(unknown) = arguments.keys().find(|key| *key != "query") {
            return Reply::refusal(
                &format!("unknown argument `{unknown}`"),
                "the only argument is `query`, a text",
                &redactor,
            );
        }
        match arguments.get("query") {
            None | Some(Value::Null) => Reply::json(&tools::listing(catalog, ""), &redactor),
            Some(Value::String(query)) => Reply::json(&tools::listing(catalog, query), &redactor),
            Some(other) => Reply::refusal(
                &format!("`query` is not a text: `{other}`"),
                "pass some words, or leave it out",
                &redactor,
            ),
        }
    }

    /// Answers `run_action`, which goes the same way as the action's own tool.
    pub(super) async fn run_action(&self, catalog: &Catalog, mut arguments: JsonObject) -> Reply {
        let redactor = self.stage.redactor();
        let name = arguments.remove("name");
        let inner = arguments.remove("arguments");
        if let Some(unknown) = arguments.keys().next() {
            let hint = "the arguments are `name` and `arguments`; the action's own go inside `arguments`";
            return Reply::refusal(&format!("unknown argument `{unknown}`"), hint, &redactor);
        }
        let Some(Value::String(name)) = name else {
            return Reply::refusal(
                "`name` is missing",
                "pass the name of an action; `list_actions` shows them",
                &redactor,
            );
        };
        let inner = match inner {
            None | Some(Value::Null) => JsonObject::new(),
            Some(Value::Object(inner)) => inner,
            Some(other) => {
                return Reply::refusal(
                    &format!("`arguments` is not an object: `{other}`"),
                    "pass an object such as `{}`",
                    &redactor,
                );
            }
        };
        match catalog.get(&name) {
            Some(action) => self.perform(action, inner).await,
            None => self.unknown(catalog, "action", &name),
        }
    }

    /// Answers for a name that nothing has.
    pub(super) fn unknown(&self, catalog: &Catalog, what: &str, name: &str) -> Reply {
        let names = catalog.actions().map(|action| action.name.as_str());
        let hint = match action::did_you_mean(name, names) {
            Some(suggestion) => format!("{suggestion} `list_actions` shows all actions"),
            None => "`list_actions` shows all actions".to_owned(),
        };
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        Reply::refusal(&format!("there is no {what} `{shown}`"), &hint, &self.stage.redactor())
    }

    /// Performs an action.
    pub(super) async fn perform(&self, action: &Arc<Action>, arguments: JsonObject) -> Reply {
        let arguments = match action.arguments(arguments) {
            Ok(arguments) => arguments,
            Err(errors) => return Reply::bad_arguments(&errors, &self.stage.redactor()),
        };
        let (events, received) = mpsc::channel(PENDING_PROGRESS);
        let token = self.context.meta.get_progress_token();
        let forwarding = token
            .map(|token| tokio::spawn(forward(received, token, self.context.peer.clone(), Arc::clone(self.stage))));
        // A task of its own, so that a fault in it becomes an answer instead of a call without one.
        let cancel = self.stop.child_token();
        let _stop_when_dropped = cancel.clone().drop_guard();
        let (stage, performed, cancelled) = (Arc::clone(self.stage), Arc::clone(action), cancel.clone());
        let mut performing = tokio::spawn(async move {
            let progress = move |progress: Progress| {
                // A full channel means that the client does not keep up; the result still reaches it.
                let _ = events.try_send(progress);
            };
            stage.perform(&performed, arguments, Run { cancel: cancelled, progress: &progress }).await
        });
        let outcome = tokio::select! {
            outcome = &mut performing => outcome,
            () = self.context.ct.cancelled() => {
                cancel.cancel();
                performing.await
            }
        };
        if let Some(forwarding) = forwarding {
            // Progress belongs before the result.
            let _ = tokio::time::timeout(PATIENCE, forwarding).await;
        }
        let redactor = self.stage.redactor();
        match outcome {
            Ok(outcome) => Reply::outcome(action, &outcome, &redactor),
            Err(error) => {
                tracing::error!("`{}` broke off: {error}", action.name);
                let hint = "this is a fault of the host, not of the call; its log has more";
                Reply::refusal(&format!("`{}` broke off", action.name), hint, &redactor)
            }
        }
    }
}

/// Sends progress as it comes.
async fn forward(
    mut received: mpsc::Receiver<Progress>,
    token: ProgressToken,
    peer: Peer<RoleServer>,
    stage: Arc<Stage>,
) {
    let mut last = 0.0;
    while let Some(progress) = received.recv().await {
        last = position(&progress, last);
        let mut notice = ProgressNotificationParam::new(token.clone(), last)
            .with_message(response::progress(&progress, &stage.redactor()));
        if progress.steps > 0 {
            notice = notice.with_total(progress.steps as f64);
        }
        if peer.notify_progress(notice).await.is_err() {
            return;
        }
    }
}

/// How far a run is, in steps: a started step counts half, steps inside others come ever closer to the end of the
/// outermost, and a later notice always says more than an earlier one.
fn position(progress: &Progress, last: f64) -> f64 {
    let step = progress.step as f64;
    match (progress.id == progress.step.to_string(), progress.state) {
        (true, State::Started) => (step - 0.5).max(last + 0.001),
        (true, _) => step.max(last + 0.001),
        (false, _) if last < step => last + (step - last) / 50.0,
        (false, _) => last + 0.001,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_only_grows() {
        let progress = |id: &str, step, state| {
            let id = id.to_owned();
            Progress { id, step, steps: 2, text: String::new(), state, elapsed: Duration::ZERO }
        };
        let states = [
            ("1", 1, State::Started),
            ("1.1[0]", 1, State::Started),
            ("1.1[0]", 1, State::Done),
            ("1", 1, State::Done),
            ("1", 1, State::Done),
            ("2", 2, State::Started),
            ("2", 2, State::Failed),
            ("finally.1", 2, State::Done),
        ];
        let mut last = 0.0;
        let positions: Vec<String> = states
            .into_iter()
            .map(|(id, step, state)| {
                last = position(&progress(id, step, state), last);
                format!("{last:.4}")
            })
            .collect();
        assert_eq!(positions, ["0.5000", "0.5100", "0.5198", "1.0000", "1.0010", "1.5000", "2.0000", "2.0010"]);
    }
}

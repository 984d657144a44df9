//! Performing one action: its turn at the session, its deadline, its steps, what they capture, what it reports.
//!
//! A run knows nothing of MCP or the command line: it takes arguments, tells its progress, listens to a cancellation and
//! ends in an [`Outcome`]. Its texts may hold secrets; `mcp::response` is where they are masked.

mod awaited;
mod data;
mod flow;
mod outcome;
mod pace;
mod perform;
mod place;
mod plan;
mod steps;

use std::path::PathBuf;
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

pub use outcome::{FailedStep, Failure, Outcome, Progress, State, StepReport};
pub use pace::{Answer, Next, Pace};
pub use plan::{Planned, plan};

use crate::action::Action;
use crate::browser::{Deadline, Session};
use crate::command::Workspace;
use crate::secrets::{Redactor, Store};

/// What runs are limited to.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where commands may read and write files.
    pub workspace: PathBuf,
    /// A step's limit, where neither it nor its command has its own.
    pub step_timeout: Duration,
    /// An action's limit, where it has none of its own.
    pub action_timeout: Duration,
    /// How long a call waits for its turn.
    pub queue_timeout: Duration,
    /// Whether a failure comes with a picture of the page.
    pub failure_screenshot: bool,
}

/// Where actions are performed: the one browser session, the secrets, the workspace.
pub struct Stage {
    session: Mutex<Session>,
    holder: Lock<Option<Holder>>,
    store: Arc<Store>,
    settings: Settings,
    closing: CancellationToken,
}

/// How one action is performed.
pub struct Run<'a> {
    /// Ends the run: the browser's work stops and the session is free again.
    pub cancel: CancellationToken,
    /// Hears of every step. The texts are not yet redacted.
    pub progress: &'a (dyn Fn(Progress) + Send + Sync),
}

#[derive(Clone)]
struct Holder {
    action: String,
    since: Instant,
}

/// The session for the time of one run.
struct Turn<'a> {
    session: MutexGuard<'a, Session>,
    stage: &'a Stage,
}

impl Stage {
    /// A stage for a session.
    pub fn new(session: Session, store: Arc<Store>, settings: Settings) -> Stage {
        Stage {
            session: Mutex::new(session),
            holder: Lock::default(),
            store,
            settings,
            closing: CancellationToken::new(),
        }
    }

    /// Performs an action whose arguments have been checked. Calls take their turns in the order of arrival. Dropping
    /// the future stops the run as cancelling it does.
    pub async fn perform(&self, action: &Arc<Action>, arguments: Map<String, Value>, run: Run<'_>) -> Outcome {
        self.perform_at(None, action, arguments, run).await
    }

    /// The same, but `pace` is asked before each step.
    pub async fn perform_at(
        &self,
        pace: Option<&dyn Pace>,
        action: &Arc<Action>,
        arguments: Map<String, Value>,
        run: Run<'_>,
    ) -> Outcome {
        let began = Instant::now();
        let cancel = self.closing.child_token();
        let performing = self.perform_in_turn(pace, action, &arguments, &cancel, run.progress);
        tokio::pin!(performing);
        let mut outcome = tokio::select! {
            biased;
            outcome = &mut performing => outcome,
            () = run.cancel.cancelled() => {
                cancel.cancel();
                performing.await
            }
        };
        outcome.elapsed = began.elapsed();
        outcome
    }

    /// Masks the values of the secrets that actions use.
    pub fn redactor(&self) -> Arc<Redactor> {
        self.store.redactor()
    }

    /// The secrets.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Ends what runs and closes the browser. Whatever comes after is refused.
    pub async fn shutdown(&self) {
        self.closing.cancel();
        self.session.lock().await.close().await;
    }

    async fn perform_in_turn(
        &self,
        pace: Option<&dyn Pace>,
        action: &Action,
        arguments: &Map<String, Value>,
        cancel: &CancellationToken,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Outcome {
        // An edited `.env` counts from this call on; what can't be read leaves the values as they were.
        let problems = self.store.refresh();
        self.store.watch_names(action.secret_names().iter().cloned());
        let workspace = match Workspace::new(&self.settings.workspace) {
            Ok(workspace) => workspace,
            Err(error) => {
                return Outcome::refused(
                    format!("the workspace `{}` can't be used: {error}", self.settings.workspace.display()),
                    "give a directory that exists with `--workspace`",
                );
            }
        };
        let mut turn = match self.turn(action, cancel).await {
            Ok(turn) => turn,
            Err(refused) => return *refused,
        };
        let overall = Deadline::after(action.timeout.unwrap_or(self.settings.action_timeout), cancel.clone());
        turn.session.begin_run(&overall).await;
        let mut performance = perform::Performance {
            session: &mut turn.session,
            store: &self.store,
            workspace: &workspace,
            settings: &self.settings,
            progress,
            pace,
            outcome: Outcome { warnings: problems.iter().map(ToString::to_string).collect(), ..Outcome::default() },
            top: (0, 0),
            left: perform::MOST_STEPS,
            depth: 0,
        };
        performance.called(action, arguments, overall).await;
        performance.outcome
    }

    /// Waits for the session.
    async fn turn(&self, action: &Action, cancel: &CancellationToken) -> Result<Turn<'_>, Box<Outcome>> {
        let deadline = Deadline::after(self.settings.queue_timeout, cancel.clone());
        let session = match deadline.race(self.session.lock()).await {
            Ok(session) => session,
            Err(error) => {
                let holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let message = match (error, holder) {
                    (crate::browser::Error::Timeout { limit }, Some(holder)) => format!(
                        "the browser was busy for {}: `{}` holds it for {} now",
                        humantime::format_duration(limit),
                        holder.action,
                        humantime::format_duration(Duration::from_secs(holder.since.elapsed().as_secs())),
                    ),
                    (error, _) => error.to_string(),
                };
                return Err(Box::new(Outcome::refused(
                    message,
                    "call again when it has ended, or start the host with a longer `--queue-timeout`",
                )));
            }
        };
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Holder { action: action.name.clone(), since: Instant::now() });
        Ok(Turn { session, stage: self })
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.session.end_run();
        *self.stage.holder.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests;

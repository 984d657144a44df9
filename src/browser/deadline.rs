//! The one object that bounds a wait: a moment in time and a cancellation.
//!
//! Every await on the browser goes through [`Deadline::race`], and nothing else in the crate sleeps. What is tried
//! again and how often is decided in `retry`, not here.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::Error;

/// A limit on time, shared with the cancellation of the call it belongs to.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Instant,
    limit: Duration,
    /// The end of the whole that this is a part of.
    outer: Instant,
    cancel: CancellationToken,
}

impl Deadline {
    /// A deadline `limit` from now; `cancel` ends every wait under it at once.
    pub fn after(limit: Duration, cancel: CancellationToken) -> Deadline {
        let at = Instant::now() + limit;
        Deadline { at, limit, outer: at, cancel }
    }

    /// The earlier of this deadline and `limit` from now, under the same cancellation.
    pub fn within(&self, limit: Duration) -> Deadline {
        let at = Instant::now() + limit;
        if at < self.at { Deadline { at, limit, ..self.clone() } } else { self.clone() }
    }

    /// At least `limit` from now where the whole that this deadline is a part of allows it: for what must not be given
    /// up in the middle.
    pub fn at_least(&self, limit: Duration) -> Deadline {
        let at = (Instant::now() + limit).min(self.outer);
        if at > self.at { Deadline { at, limit, ..self.clone() } } else { self.clone() }
    }

    /// A new deadline `limit` from now under the same cancellation, even when this one has passed.
    pub fn renewed(&self, limit: Duration) -> Deadline {
        Deadline::after(limit, self.cancel.clone())
    }

    /// The time that was given when the deadline was made.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Whether the call it belongs to was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The time left, zero once it has passed.
    pub fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Awaits `future`, at most until the deadline or the cancellation.
    ///
    /// # Errors
    /// [`Error::Timeout`] or [`Error::Cancelled`].
    pub async fn race<T>(&self, future: impl Future<Output = T>) -> Result<T, Error> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Error::Cancelled),
            value = future => Ok(value),
            () = tokio::time::sleep_until(self.at) => Err(Error::Timeout { limit: self.limit }),
        }
    }

    /// Waits for `duration`; an error when the deadline or the cancellation comes first.
    ///
    /// # Errors
    /// [`Error::Timeout`] or [`Error::Cancelled`].
    pub async fn pause(&self, duration: Duration) -> Result<(), Error> {
        self.race(tokio::time::sleep(duration)).await
    }
}

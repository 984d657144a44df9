//! The one object that bounds a wait: a moment in time and a cancellation.
//!
//! Every await on the browser goes through [`Deadline::race`], and nothing else in the crate sleeps. What is tried
//! again and how often is decided in `retry`, not here.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::Error;

/// A limit on time, shared with the cancellation of the call it belongs to.
#[derive(Clone, Debug)]
pub struct Deadline {
    /// As a moment of a clock that stands still while somebody is asked.
    at: Instant,
    limit: Duration,
    /// The end of the whole that this is a part of.
    outer: Instant,
    cancel: CancellationToken,
    /// For how many milliseconds somebody was asked so far; of the whole, with all of its parts.
    stopped: Arc<AtomicU64>,
}

impl Deadline {
    /// A deadline `limit` from now; `cancel` ends every wait under it at once.
    pub fn after(limit: Duration, cancel: CancellationToken) -> Deadline {
        let at = Instant::now() + limit;
        Deadline { at, limit, outer: at, cancel, stopped: Arc::default() }
    }

    /// The earlier of this deadline and `limit` from now, under the same cancellation.
    pub fn within(&self, limit: Duration) -> Deadline {
        let at = self.now() + limit;
        if at < self.at { Deadline { at, limit, ..self.clone() } } else { self.clone() }
    }

    /// As [`Deadline::within`] for a limit that somebody has set: nothing under it goes on for longer, not even what
    /// [`Deadline::at_least`] would give time to.
    pub fn strictly_within(&self, limit: Duration) -> Deadline {
        let within = self.within(limit);
        Deadline { outer: within.at, ..within }
    }

    /// At least `limit` from now where the whole that this deadline is a part of allows it: for what must not be given
    /// up in the middle.
    pub fn at_least(&self, limit: Duration) -> Deadline {
        let at = (self.now() + limit).min(self.outer);
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
        self.at.saturating_duration_since(self.now())
    }

    fn now(&self) -> Instant {
        let now = Instant::now();
        now.checked_sub(self.stopped()).unwrap_or(now)
    }

    fn stopped(&self) -> Duration {
        Duration::from_millis(self.stopped.load(Ordering::Relaxed))
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
            () = tokio::time::sleep_until(self.at + self.stopped()) => Err(Error::Timeout { limit: self.limit }),
        }
    }

    /// Awaits what somebody decides: no limit of the whole runs meanwhile.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub async fn stand_still<T>(&self, future: impl Future<Output = T>) -> Result<T, Error> {
        let began = Instant::now();
        let decided = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Error::Cancelled),
            value = future => Ok(value),
        };
        let taken = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.stopped.fetch_add(taken, Ordering::Relaxed);
        decided
    }

    /// Waits for `duration`; an error when the deadline or the cancellation comes first.
    ///
    /// # Errors
    /// [`Error::Timeout`] or [`Error::Cancelled`].
    pub async fn pause(&self, duration: Duration) -> Result<(), Error> {
        self.race(tokio::time::sleep(duration)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked takes none of the time, of a part no more than of the whole.
    #[tokio::test]
    async fn time_stands_still_while_somebody_decides() {
        const ASKED: Duration = Duration::from_millis(150);
        let began = Instant::now();
        let whole = Deadline::after(Duration::from_secs(60), CancellationToken::new());
        let part = whole.within(Duration::from_secs(30));
        let asking = Deadline::after(Duration::from_secs(60), CancellationToken::new());
        part.stand_still(asking.pause(ASKED)).await.unwrap().unwrap();
        let (parts, wholes) = (part.remaining(), whole.remaining());
        let spent = began.elapsed() - ASKED;
        assert!(parts + spent >= Duration::from_secs(30) - Duration::from_millis(1), "{parts:?} after {spent:?}");
        assert!(wholes + spent >= Duration::from_secs(60) - Duration::from_millis(1), "{wholes:?} after {spent:?}");
        assert!(part.remaining() <= Duration::from_secs(30) && whole.race(async {}).await.is_ok());
    }
}

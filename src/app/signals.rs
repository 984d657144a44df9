//! When the process is asked to end.

/// Waits until the process is asked to end: Ctrl-C anywhere, SIGTERM and SIGHUP on Unix.
#[cfg(unix)]
pub(super) async fn asked_to_end() {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    async fn next(signal: std::io::Result<Signal>) {
        match signal {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(error) => {
                tracing::debug!("a signal can't be listened for: {error}");
                std::future::pending().await
            }
        }
    }

    tokio::select! {
        () = next(signal(SignalKind::interrupt())) => {}
        () = next(signal(SignalKind::terminate())) => {}
        () = next(signal(SignalKind::hangup())) => {}
    }
}

/// Waits until the process is asked to end.
#[cfg(not(unix))]
pub(super) async fn asked_to_end() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::debug!("Ctrl-C can't be listened for: {error}");
        std::future::pending::<()>().await;
    }
}

//! `repertoire serve`: watching, serving, and the order of shutting down.

use std::process::ExitCode;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{Environment, signals, stage};
use crate::action::LoadRequest;
use crate::config::Options;
use crate::mcp::{self, Host};
use crate::watch::Watcher;

/// Serves over standard input and output until the input ends or the process is asked to end.
///
/// The order of the end: running calls are cancelled, their answers sent, then the browser is closed.
pub(super) async fn serve(options: Options, environment: Environment) -> anyhow::Result<ExitCode> {
    let watcher = Arc::new(Watcher::start(LoadRequest { directories: options.actions.clone(), builtins: true }).await);
    let stage = stage::stage(&options, &environment);
    let stop = CancellationToken::new();
    let stop_on_signal = stop.clone();
    tokio::spawn(async move {
        signals::asked_to_end().await;
        stop_on_signal.cancel();
    });
    let catalogs = watcher.catalogs();
    let folders: Vec<String> = options.actions.iter().map(|path| format!("`{}`", path.display())).collect();
    tracing::info!("serving {} actions from {}", catalogs.borrow().actions().count(), folders.join(", "));
    let host = Host {
        catalogs,
        settle: Arc::new(move || {
            let watcher = Arc::clone(&watcher);
            Box::pin(async move { watcher.settled().await })
        }),
        stage: Arc::clone(&stage),
    };
    let (input, output) = mcp::standard_streams();
    let served = mcp::serve(host, input, output, stop).await;
    stage::close(&stage).await;
    served?;
    Ok(ExitCode::SUCCESS)
}

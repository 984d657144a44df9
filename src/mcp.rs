//! The MCP server: lists the catalog's actions as tools, performs calls, and tells clients when the list changes.
//!
//! Both eras of the protocol are served from one handler (`initialize` up to 2025-11-25, and the stateless 2026-07-28
//! with `subscriptions/listen`). Catalogs come through a channel and are never changed here; performing is `run`'s;
//! [`response`] is the only exit for text, so that everything a client reads has passed the redactor and a budget.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::action::Catalog;
use crate::run::Stage;

mod call;
mod input;
mod peers;
pub mod response;
mod server;
mod tools;

pub use tools::HOST_TOOLS;

/// Waits until every change on disk made so far is in the published catalog.
pub type Settle = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// What the server serves.
#[derive(Clone)]
pub struct Host {
    /// The published catalogs.
    pub catalogs: watch::Receiver<Arc<Catalog>>,
    /// Called before each call and each list.
    pub settle: Settle,
    /// Where actions are performed.
    pub stage: Arc<Stage>,
}

/// Why serving ended other than by its client or its stop signal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The first message was none that opens a session.
    #[error("the client's first message is not an MCP request")]
    NotMcp,
    /// The session could not be opened.
    #[error("the MCP session could not be opened: {0}")]
    Opening(String),
}

impl Error {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::NotMcp => Some("`repertoire serve` is started by an MCP client; try `repertoire demo`".to_owned()),
            Error::Opening(_) => None,
        }
    }
}

/// The process's standard input and output, without a thread between where the system allows.
pub fn standard_streams() -> (impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static) {
    rmcp::transport::stdio_pipes()
}

/// Running calls get this long to end after the stop signal, and their answers to be sent.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Serves one client until its input ends or `stop` is cancelled; the end of input cancels `stop`.
///
/// Running calls are cancelled at once: a closed input means that nobody waits for their results. The browser stays
/// as it is; closing it is the caller's part.
///
/// # Errors
///
/// When no session could be opened. The end of input before that is no error.
pub async fn serve<R, W>(host: Host, input: R, output: W, stop: CancellationToken) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let input = input::EndOfInput::new(input, stop.clone());
    let serving = CancellationToken::new();
    let server = server::Server::new(host, stop.clone());
    let notifying = tokio::spawn(server.announce());
    let opening = server.serve_with_ct((input, output), serving.clone());
    let opened = tokio::select! {
        opened = opening => opened,
        () = stop.cancelled() => Err(ServerInitializeError::Cancelled),
    };
    let result = match opened {
        Ok(mut service) => {
            stop.cancelled().await;
            // Nothing is left to be said if it fails: the client is gone.
            let _ = service.close_with_timeout(LAST_WORDS).await;
            Ok(())
        }
        Err(ServerInitializeError::Cancelled | ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => Err(Error::NotMcp),
        Err(error) => Err(Error::Opening(error.to_string())),
    };
    stop.cancel();
    notifying.abort();
    result
}

#[cfg(test)]
mod tests;

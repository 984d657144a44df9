//! Standard input whose end is a signal.
//!
//! The protocol engine waits several seconds for running calls before it tells anyone that its input has ended; a host
//! whose client is gone should stop at once.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// Cancels a token when the input ends or breaks.
pub(super) struct EndOfInput<R> {
    input: R,
    ended: CancellationToken,
}

impl<R> EndOfInput<R> {
    pub(super) fn new(input: R, ended: CancellationToken) -> EndOfInput<R> {
        EndOfInput { input, ended }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for EndOfInput<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.input).poll_read(cx, buffer);
        let ended = match &read {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(error)) => error.kind() != io::ErrorKind::Interrupted,
            Poll::Pending => false,
        };
        if ended {
            self.ended.cancel();
        }
        read
    }
}

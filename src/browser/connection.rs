//! The DevTools protocol over Chromium's debugging pipe: one writer, one reader, sessions multiplexed flat.
//!
//! Messages are decoded leniently: method and session first, the rest raw. A message this host doesn't know is
//! ignored, never an error: generated types reject the events of a newer Chromium. Meaning is the `tracker`'s.

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use chromiumoxide::Command;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};

use super::error::Error;
use super::surrogates;

/// The largest message taken from the browser, in bytes: a full-page screenshot stays far below.
const MAX_MESSAGE: u64 = 256 * 1024 * 1024;

/// A session of one target, as Chromium names it.
pub(super) type SessionId = Arc<str>;

/// What the connection tells its one listener, in the order of arrival.
pub(super) enum Notice<'a> {
    Event {
        session: Option<&'a str>,
        method: &'a str,
        params: &'a str,
    },
    /// The result of a command that was sent with [`Connection::track`].
    Tracked {
        session: Option<&'a str>,
        method: &'a str,
        result: &'a str,
    },
    /// The browser is gone; nothing follows.
    Closed,
}

/// A handle on the connection; clones share it. The browser's pipe closes when the last one is dropped.
#[derive(Clone)]
pub(super) struct Connection {
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    next: AtomicU64,
    pending: Mutex<Pending>,
}

#[derive(Default)]
struct Pending {
    closed: bool,
    commands: HashMap<u64, Waiting>,
}

struct Waiting {
    session: Option<SessionId>,
    method: Cow<'static, str>,
    reply: Reply,
}

enum Reply {
    Caller(oneshot::Sender<Result<String, Error>>),
    Listener,
    Nobody,
}

/// The result of a command that is on its way.
pub(super) struct Answer<R> {
    receiver: oneshot::Receiver<Result<String, Error>>,
    method: Cow<'static, str>,
    result: PhantomData<fn() -> R>,
}

impl<R: DeserializeOwned> Future for Answer<R> {
    type Output = Result<R, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<R, Error>> {
        Pin::new(&mut self.receiver).poll(context).map(|received| {
            let result = received.unwrap_or(Err(Error::Closed))?;
            decode(&result).map_err(|error| Error::Protocol { method: self.method.clone(), message: error.to_string() })
        })
    }
}

#[derive(Deserialize)]
struct Incoming<'a> {
    id: Option<u64>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<Cow<'a, str>>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ProtocolError>,
}

#[derive(Deserialize)]
struct ProtocolError {
    message: String,
}

/// A command whose generated type leaves out what Chromium insists on: empty lists.
#[derive(serde::Serialize)]
#[serde(transparent)]
pub(super) struct Verbatim {
    #[serde(skip)]
    pub(super) method: &'static str,
    pub(super) params: serde_json::Value,
}

impl chromiumoxide::Method for Verbatim {
    fn identifier(&self) -> Cow<'static, str> {
        self.method.into()
    }
}

impl Command for Verbatim {
    type Response = serde_json::Value;
}

impl Connection {
    /// Starts the reader and the writer. `listen` is called by the reader, so it must not block; it gets the
    /// connection to send commands with, and everything it sends goes out before anything that is sent later.
    pub(super) fn start(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        listen: impl FnMut(&Connection, Notice<'_>) + Send + 'static,
    ) -> Connection {
        let (outgoing, queue) = mpsc::unbounded_channel();
        let connection = Connection { outgoing, shared: Arc::default() };
        tokio::spawn(write(output, queue));
        // The reader holds the sending side weakly: otherwise the pipe would stay open for as long as it reads.
        let reader = Reader { outgoing: connection.outgoing.downgrade(), shared: connection.shared.clone() };
        tokio::spawn(reader.run(input, listen));
        connection
    }

    /// Sends a command now and answers with its result, decoded into `R`, an own small type that ignores what it
    /// doesn't need. The command is on its way when this returns, before the future is awaited: commands are
    /// pipelined by calling `send` several times and awaiting later.
    pub(super) fn send<R: DeserializeOwned>(&self, session: Option<&SessionId>, command: &impl Command) -> Answer<R> {
        let (sender, receiver) = oneshot::channel();
        let method = command.identifier();
        self.enqueue(session, command, Reply::Caller(sender));
        Answer { receiver, method, result: PhantomData }
    }

    /// Sends a command whose result goes to the listener, in order with the events.
    pub(super) fn track(&self, session: Option<&SessionId>, command: &impl Command) {
        self.enqueue(session, command, Reply::Listener);
    }

    /// Sends a command whose result nobody needs.
    pub(super) fn post(&self, session: Option<&SessionId>, command: &impl Command) {
        self.enqueue(session, command, Reply::Nobody);
    }

    /// Fails what is in flight on a session that has ended, at once.
    pub(super) fn fail_session(&self, session: &str, error: impl Fn() -> Error) {
        let mut pending = self.shared.pending();
        let ended: Vec<u64> = pending
            .commands
            .iter()
            .filter(|(_, waiting)| waiting.session.as_deref() == Some(session))
            .map(|(id, _)| *id)
            .collect();
        for id in ended {
            if let Some(Waiting { reply: Reply::Caller(sender), .. }) = pending.commands.remove(&id) {
                let _ = sender.send(Err(error()));
            }
        }
    }

    /// Forgets the commands that their callers gave up before an answer came; answers the sessions they went to.
    pub(super) fn take_abandoned(&self) -> Vec<SessionId> {
        let mut pending = self.shared.pending();
        let is_abandoned = |waiting: &Waiting| matches!(&waiting.reply, Reply::Caller(sender) if sender.is_closed());
        let abandoned = pending.commands.extract_if(|_, waiting| is_abandoned(waiting));
        let mut sessions: Vec<SessionId> = abandoned.filter_map(|(_, waiting)| waiting.session).collect();
        sessions.sort();
        sessions.dedup();
        sessions
    }

    fn enqueue(&self, session: Option<&SessionId>, command: &impl Command, reply: Reply) {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed) + 1;
        let method = command.identifier();
        let mut pending = self.shared.pending();
        let message = match encode(id, session, &method, command) {
            Ok(message) if !pending.closed => message,
            outcome => {
                if let Reply::Caller(sender) = reply {
                    let _ = sender.send(Err(outcome.err().unwrap_or(Error::Closed)));
                }
                return;
            }
        };
        pending.commands.insert(id, Waiting { session: session.cloned(), method, reply });
        // Sent under the lock, so that the order of ids is the order on the wire.
        if self.outgoing.send(message).is_err() {
            pending.commands.remove(&id);
        }
    }
}

/// Decodes what the browser says, also where text of a page is not well-formed.
pub(super) fn decode<R: DeserializeOwned>(json: &str) -> serde_json::Result<R> {
    serde_json::from_str(json).or_else(|_| serde_json::from_str(&surrogates::replaced(json)))
}

impl Shared {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn encode(id: u64, session: Option<&SessionId>, method: &str, command: &impl Command) -> Result<Vec<u8>, Error> {
    #[derive(serde::Serialize)]
    struct Outgoing<'a, C> {
        id: u64,
        #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
        session: Option<&'a str>,
        method: &'a str,
        params: &'a C,
    }
    let outgoing = Outgoing { id, session: session.map(|session| &**session), method, params: command };
    let mut message = serde_json::to_vec(&outgoing)
        .map_err(|error| Error::Protocol { method: method.to_owned().into(), message: error.to_string() })?;
    message.push(0);
    Ok(message)
}

async fn write(mut output: impl AsyncWrite + Unpin, mut queue: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(message) = queue.recv().await {
        if output.write_all(&message).await.is_err() {
            return;
        }
    }
}

struct Reader {
    outgoing: mpsc::WeakUnboundedSender<Vec<u8>>,
    shared: Arc<Shared>,
}

impl Reader {
    async fn run(self, input: impl AsyncRead + Unpin, mut listen: impl FnMut(&Connection, Notice<'_>)) {
        let mut input = BufReader::with_capacity(64 * 1024, input);
        let mut message = Vec::new();
        loop {
            message.clear();
            match (&mut input).take(MAX_MESSAGE).read_until(0, &mut message).await {
                Ok(length) if length > 0 && message.pop() == Some(0) => {}
                _ => break,
            }
            // Gone when every handle was dropped: nobody is left to hear.
            let Some(outgoing) = self.outgoing.upgrade() else { break };
            let connection = Connection { outgoing, shared: self.shared.clone() };
            match serde_json::from_slice(&message) {
                Ok(incoming) => self.dispatch(&connection, incoming, &mut listen),
                Err(error) => tracing::debug!(%error, "ignored a message that is not a DevTools message"),
            }
        }
        // Told before the callers hear of it: who calls again because of that must find the session closed.
        if let Some(outgoing) = self.outgoing.upgrade() {
            listen(&Connection { outgoing, shared: self.shared.clone() }, Notice::Closed);
        }
        let mut pending = self.shared.pending();
        pending.closed = true;
        for (_, waiting) in pending.commands.drain() {
            if let Reply::Caller(sender) = waiting.reply {
                let _ = sender.send(Err(Error::Closed));
            }
        }
    }

    fn dispatch(
        &self,
        connection: &Connection,
        incoming: Incoming<'_>,
        listen: &mut impl FnMut(&Connection, Notice<'_>),
    ) {
        let session = incoming.session.as_deref();
        let Some(id) = incoming.id else {
            if let Some(method) = incoming.method.as_deref() {
                listen(
                    connection,
                    Notice::Event { session, method, params: incoming.params.map_or("{}", RawValue::get) },
                );
            }
            return;
        };
        let Some(waiting) = self.shared.pending().commands.remove(&id) else { return };
        let outcome = match incoming.error {
            Some(error) => Err(Error::Protocol { method: waiting.method.clone(), message: error.message }),
            None => Ok(incoming.result.map_or("{}", RawValue::get)),
        };
        match (waiting.reply, outcome) {
            (Reply::Caller(sender), outcome) => {
                let _ = sender.send(outcome.map(str::to_owned));
            }
            (Reply::Listener, Ok(result)) => {
                listen(connection, Notice::Tracked { session, method: &waiting.method, result });
            }
            (Reply::Listener | Reply::Nobody, Err(error)) => tracing::debug!(%error, "a set-up command failed"),
            (Reply::Nobody, Ok(_)) => {}
        }
    }
}

//! A browser that someone else runs, reached by its DevTools endpoint.
//!
//! The connection speaks in messages that end with a zero byte, as the pipe does; here they are carried over a
//! WebSocket. <https://chromedevtools.github.io/devtools-protocol/#endpoints>

use std::time::Duration;

use async_tungstenite::WebSocketStream;
use async_tungstenite::tokio::{TokioAdapter, client_async_with_config};
use async_tungstenite::tungstenite::Message;
use async_tungstenite::tungstenite::protocol::WebSocketConfig;
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::net::TcpStream;
use url::Url;

use super::{Deadline, Error};

/// How long an endpoint may take to accept the connection.
const LIMIT: Duration = Duration::from_secs(10);
/// Bytes on their way between the WebSocket and the connection.
const BUFFER: usize = 64 * 1024;
/// The longest message in either direction, as on the pipe.
const MAX_MESSAGE: usize = 256 * 1024 * 1024;

/// What `/json/version` tells.
#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    socket: String,
}

/// Connects to `http://HOST:PORT`, where the browser tells its socket's address, or to `ws://…` itself. Answers what
/// the browser says, and where it is told.
pub(super) async fn connect(endpoint: &str, deadline: &Deadline) -> Result<(DuplexStream, DuplexStream), Error> {
    let failed = |reason: String| Error::Endpoint { endpoint: endpoint.to_owned(), reason };
    let connected = deadline.within(LIMIT).race(open(endpoint)).await;
    let socket = match connected {
        Ok(outcome) => outcome.map_err(failed)?,
        Err(Error::Timeout { limit }) => {
            return Err(failed(format!("no answer within {}", humantime::format_duration(limit))));
        }
        Err(error) => return Err(error),
    };
    let (near_said, far_said) = tokio::io::duplex(BUFFER);
    let (near_told, far_told) = tokio::io::duplex(BUFFER);
    tokio::spawn(carry(socket, far_said, far_told));
    Ok((near_said, near_told))
}

async fn open(endpoint: &str) -> Result<WebSocketStream<TokioAdapter<TcpStream>>, String> {
    let address = Url::parse(endpoint).map_err(|error| error.to_string())?;
    let socket = match address.scheme() {
        "ws" => address,
        "http" => {
            let version = address.join("/json/version").map_err(|error| error.to_string())?;
            let answer = reqwest::get(version).await.and_then(reqwest::Response::error_for_status);
            let text = answer.map_err(told)?.text().await.map_err(told)?;
            let version: Version = serde_json::from_str(&text).map_err(|_| "it is no DevTools endpoint".to_owned())?;
            let mut socket = Url::parse(&version.socket).map_err(|error| error.to_string())?;
            // Behind a forwarded port the browser doesn't know how it is reached.
            let (host, port) = (address.host_str(), address.port_or_known_default());
            socket.set_host(host).map_err(|error| error.to_string())?;
            socket.set_port(port).map_err(|()| "its address has no port".to_owned())?;
            socket
        }
        scheme => return Err(format!("`{scheme}:` is no scheme of an endpoint")),
    };
    let (Some(host), Some(port)) = (socket.host_str(), socket.port_or_known_default()) else {
        return Err("its address names no host".to_owned());
    };
    let stream = TcpStream::connect((host, port)).await.map_err(|error| error.to_string())?;
    // A burst of small messages would otherwise wait for the acknowledgement of its first.
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    let config = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    let connected = client_async_with_config(socket.as_str(), stream, Some(config)).await;
    connected.map(|(socket, _)| socket).map_err(|error| error.to_string())
}

/// The innermost words of an HTTP client's error.
fn told(error: reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Carries messages both ways until one side ends.
async fn carry(socket: WebSocketStream<TokioAdapter<TcpStream>>, mut said: DuplexStream, told: DuplexStream) {
    let (mut sink, mut stream) = socket.split();
    let receive = async move {
        while let Some(Ok(message)) = stream.next().await {
            let Message::Text(text) = message else { continue };
            if said.write_all(text.as_bytes()).await.is_err() || said.write_all(&[0]).await.is_err() {
                break;
            }
        }
    };
    let send = async move {
        let mut told = BufReader::new(told);
        let mut message = Vec::new();
        loop {
            message.clear();
            match (&mut told).take(MAX_MESSAGE as u64).read_until(0, &mut message).await {
                Ok(length) if length > 0 && message.pop() == Some(0) => {}
                _ => break,
            }
            let Ok(text) = String::from_utf8(std::mem::take(&mut message)) else { continue };
            if sink.send(Message::text(text)).await.is_err() {
                break;
            }
        }
        let _ = sink.close(None).await;
    };
    tokio::select! {
        () = receive => {}
        () = send => {}
    }
}

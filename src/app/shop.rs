//! The demo shop: a small web application that `repertoire demo` and the tests drive.
//!
//! It owns its server, its pages and all its state, which lives in memory and ends with it. Nothing is shared between two
//! shops, so that tests can run many at once. It knows nothing of browsers, actions or MCP.
//!
//! What makes it worth automating: a cookie banner over every page, products that a script renders late, variants in a
//! listbox of its own, selects that depend on each other, a payment form in a frame of another origin, a processing page,
//! an order history of several pages with menus, dialogs, tabs and invoices, a profile with a picture, rich text and a
//! list to drag, and a playground with every control that a command can act on.

mod account;
mod address;
mod calendar;
mod cart;
mod catalogue;
mod checkout;
mod goods;
mod history;
mod html;
mod invoice;
mod order;
mod payment;
mod playground;
mod profile;
mod store;
mod visitor;

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::serve::ListenerExt;
use tokio::sync::oneshot;

use store::Store;

/// The address of the shop's one account.
pub const DEMO_EMAIL: &str = "ada@example.com";

/// The account's password, unless the [`Settings`] name another.
pub const DEMO_PASSWORD: &str = "correct horse battery";

/// What a shop is told before it starts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The account's password.
    pub password: String,
    /// How long the page between payment and confirmation takes.
    pub processing: Duration,
    /// How long it takes to cancel an order.
    pub cancelling: Duration,
    /// Today in days since 1970-01-01, in place of the system's date.
    pub today: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            password: DEMO_PASSWORD.to_owned(),
            processing: Duration::from_secs(3),
            cancelling: Duration::from_millis(1_500),
            today: None,
        }
    }
}

/// No form or JSON body of the shop comes near this many bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// How many free ports to try until one is free on both loopback addresses.
const PORT_ATTEMPTS: usize = 16;

/// A running demo shop; it ends when it is dropped.
///
/// The shop runs on a thread and a runtime of its own: ending the runtime ends every connection, however a client hangs.
#[derive(Debug)]
pub struct Shop {
    url: String,
    /// Dropping the sender is the signal to end.
    running: oneshot::Sender<()>,
    ended: oneshot::Receiver<()>,
}

impl Shop {
    /// Serves on loopback at `port` (0 takes any free one), with the default settings.
    ///
    /// # Errors
    /// The port is taken, or the system gives no socket or thread.
    pub async fn start(port: u16) -> io::Result<Shop> {
        Shop::start_with(port, Settings::default()).await
    }

    /// Like [`Shop::start`], with other settings.
    ///
    /// # Errors
    /// The port is taken, or the system gives no socket or thread.
    pub async fn start_with(port: u16, settings: Settings) -> io::Result<Shop> {
        let listeners = bind(port)?;
        let port = listeners.port;
        let router = router(Arc::new(Store::new(port, settings)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (running, stop) = oneshot::channel::<()>();
        let (report_end, ended) = oneshot::channel();
        let (report_start, started) = oneshot::channel();
        thread::Builder::new().name("demo-shop".into()).spawn(move || {
            runtime.block_on(async {
                let serving = serve(listeners, &router);
                let failed = serving.is_err();
                // Nobody listens any more if the caller gave up on starting, and then `stop` resolves at once.
                let _ = report_start.send(serving);
                if !failed {
                    let _ = stop.await;
                }
            });
            runtime.shutdown_background();
            let _ = report_end.send(());
        })?;
        started.await.map_err(io::Error::other)??;
        Ok(Shop { url: format!("http://127.0.0.1:{port}"), running, ended })
    }

    /// The address of the shop without a trailing slash, such as `http://127.0.0.1:4173`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the shop and returns when its port is free and every task has ended.
    pub async fn stop(self) {
        drop(self.running);
        // An error means that the thread is gone already.
        let _ = self.ended.await;
    }
}

/// The sockets of a shop, all at one port.
struct Listeners {
    port: u16,
    ipv4: TcpListener,
    /// Absent where the system has no IPv6 loopback.
    ipv6: Option<TcpListener>,
}

/// Binds both loopback addresses: the payment frame lives at `localhost`, which browsers look for at `::1` first.
fn bind(port: u16) -> io::Result<Listeners> {
    let mut attempts = if port == 0 { PORT_ATTEMPTS } else { 1 };
    loop {
        let ipv4 = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let port = ipv4.local_addr()?.port();
        let ipv6 = match TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port))) {
            Ok(listener) => Some(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                attempts -= 1;
                if attempts == 0 {
                    return Err(error);
                }
                continue;
            }
            Err(_) => None,
        };
        return Ok(Listeners { port, ipv4, ipv6 });
    }
}

/// Serves on all sockets; must run inside the shop's runtime, whose end is the end of these tasks.
fn serve(listeners: Listeners, router: &Router) -> io::Result<()> {
    for listener in [Some(listeners.ipv4), listeners.ipv6].into_iter().flatten() {
        listener.set_nonblocking(true)?;
        // Without TCP_NODELAY a small answer on a kept-alive connection waits for the client's delayed ACK.
        let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let serving = axum::serve(listener, router.clone());
        tokio::spawn(async move { serving.await });
    }
    Ok(())
}

fn router(store: Arc<Store>) -> Router {
    Router::new()
        .merge(html::routes())
        .merge(goods::routes())
        .merge(account::routes())
        .merge(checkout::routes())
        .merge(history::routes())
        .merge(profile::routes())
        .merge(playground::routes())
        .fallback(html::not_found)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(map_response(with_common_headers))
        .with_state(store)
}

async fn with_common_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    async fn first_line(port: u16, request: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer.lines().next().unwrap_or_default().to_owned())
    }

    fn port(shop: &Shop) -> u16 {
        shop.url().rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Two shops run side by side, and stopping one frees its port although a client hangs in the middle of a request.
    #[tokio::test]
    async fn shops_start_and_stop() {
        let (one, other) = (Shop::start(0).await.unwrap(), Shop::start(0).await.unwrap());
        let (one_port, other_port) = (port(&one), port(&other));
        let request = "GET /login HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        assert_eq!(first_line(one_port, request).await.unwrap(), "HTTP/1.1 200 OK");

        let mut hanging = TcpStream::connect((Ipv4Addr::LOCALHOST, one_port)).await.unwrap();
        hanging.write_all(b"GET /login HT").await.unwrap();
        one.stop().await;
        // Closed or reset, the connection has ended.
        let _ = hanging.read_to_end(&mut Vec::new()).await;
        let again = Shop::start(one_port).await.unwrap();
        assert_eq!(again.url(), format!("http://127.0.0.1:{one_port}"));

        assert_eq!(first_line(other_port, request).await.unwrap(), "HTTP/1.1 200 OK");
        let taken = Shop::start(other_port).await.unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
    }

    /// Whatever is posted, the answer is a page or a client error.
    #[tokio::test]
    async fn odd_requests_are_answered() {
        let shop = Shop::start(0).await.unwrap();
        let mut answers = Vec::new();
        for (line, kind, body) in [
            ("GET /nowhere", "text/plain", ""),
            ("DELETE /login", "text/plain", ""),
            ("GET /orders?page=-1", "text/plain", ""),
            ("GET /checkout/confirmation?order=%00", "text/plain", ""),
            ("POST /login", "application/x-www-form-urlencoded", "email=%ff&password"),
            ("POST /api/cart", "application/json", "{\"product\":"),
            ("POST /api/cart", "application/json", "{\"product\":\"nothing\"}"),
            ("POST /api/payments/none", "application/json", "{\"number\":\"\",\"expiry\":\"\",\"cvc\":\"\"}"),
            ("POST /echo", "application/x-www-form-urlencoded", "a=<b>&a=%3Cb%3E&&="),
        ] {
            let request = format!(
                "{line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            answers.push(format!("{line} → {}", first_line(port(&shop), &request).await.unwrap()));
        }
        assert_eq!(
            answers,
            [
                "GET /nowhere → HTTP/1.1 404 Not Found",
                "DELETE /login → HTTP/1.1 405 Method Not Allowed",
                "GET /orders?page=-1 → HTTP/1.1 303 See Other",
                "GET /checkout/confirmation?order=%00 → HTTP/1.1 303 See Other",
                "POST /login → HTTP/1.1 422 Unprocessable Entity",
                "POST /api/cart → HTTP/1.1 400 Bad Request",
                "POST /api/cart → HTTP/1.1 404 Not Found",
                "POST /api/payments/none → HTTP/1.1 404 Not Found",
                "POST /echo → HTTP/1.1 200 OK",
            ]
        );
    }
}

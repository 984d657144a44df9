//! A web site of a few pages on a loopback port.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

type Pages = Arc<Mutex<HashMap<String, String>>>;

/// Serves what it is given until it is dropped.
pub struct Site {
    address: String,
    pages: Pages,
    server: JoinHandle<()>,
}

impl Site {
    pub async fn start() -> Site {
        let pages = Pages::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(page).with_state(pages.clone());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
        Site { address, pages, server }
    }

    /// Sets the body of a page; the document around it is a plain one.
    pub fn set(&self, path: &str, body: &str) {
        let document =
            format!("<!doctype html><html lang=en><head><title>{path}</title></head><body>{body}</body></html>");
        self.pages.lock().expect("not poisoned").insert(path.to_owned(), document);
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The same page under a host name that is another site, and so another process, to the browser.
    pub fn other_origin(&self, path: &str) -> String {
        self.url(path).replace("127.0.0.1", "localhost")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn page(State(pages): State<Pages>, request: Request) -> Response {
    match pages.lock().expect("not poisoned").get(request.uri().path()) {
        Some(document) => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], document.clone()).into_response(),
        None => (StatusCode::NOT_FOUND, "no such page").into_response(),
    }
}

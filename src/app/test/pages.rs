//! The pages of a case: a directory of files, served on this machine alone, until the value is dropped.

use std::io;
use std::net::Ipv4Addr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path as Requested, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The types of the files that pages are made of; anything else is bytes.
const TYPES: [(&str, &str); 17] = [
    ("html", "text/html; charset=utf-8"),
    ("htm", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("xml", "application/xml"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("pdf", "application/pdf"),
];

/// A directory that is served.
pub(super) struct Fixture {
    url: String,
    server: JoinHandle<()>,
}

impl Fixture {
    /// Serves a directory at a port of its own, so that each case has an origin of its own.
    pub(super) async fn serve(directory: &Path) -> io::Result<Fixture> {
        let root: Arc<Path> = directory.canonicalize()?.into();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let router = Router::new()
            .route("/", any(|root| page(root, Requested(String::new()))))
            .route("/{*path}", any(page))
            .with_state(root);
        // It ends when it is aborted.
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap_or_default() });
        Ok(Fixture { url, server })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// A file; whatever the method, so that forms can be sent.
async fn page(State(root): State<Arc<Path>>, Requested(path): Requested<String>) -> Response {
    let Some(file) = find(&root, &path) else {
        return (StatusCode::NOT_FOUND, "there is no such file in the fixture").into_response();
    };
    match tokio::fs::read(&file).await {
        Ok(bytes) => {
            ([(header::CONTENT_TYPE, kind(&file)), (header::CACHE_CONTROL, "no-store")], bytes).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// The file of a path: itself, the page of that name, or a directory's `index.html`; never one outside.
fn find(root: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path.trim_matches('/'));
    if !path.components().all(|component| matches!(component, Component::Normal(_))) {
        return None;
    }
    let file = root.join(path);
    let name = file.file_name()?.to_str()?.to_owned();
    let candidates = [file.clone(), file.with_file_name(format!("{name}.html")), file.join("index.html")];
    let found = candidates.into_iter().find(|file| file.is_file())?.canonicalize().ok()?;
    found.starts_with(root).then_some(found)
}

fn kind(file: &Path) -> &'static str {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    TYPES.iter().find(|(known, _)| *known == extension).map_or("application/octet-stream", |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_directory_are_found() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let inner = root.join("site");
        std::fs::create_dir_all(inner.join("orders")).unwrap();
        for file in ["secret.txt", "site/index.html", "site/log in.html", "site/orders/index.html"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let found =
            |path: &str| find(&inner, path).map(|file| file.strip_prefix(&inner).unwrap().display().to_string());
        let paths =
            ["", "log in", "orders/", "index.html", "../secret.txt", "orders/../../secret.txt", "/secret.txt", "none"];
        assert_eq!(
            paths.map(found).map(Option::unwrap_or_default),
            ["index.html", "log in.html", "orders/index.html", "index.html", "", "", "", ""]
        );
    }
}

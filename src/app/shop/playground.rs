//! Pages for tests and for trying things out: the playground with one of every control, a file input, and an echo.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, RawQuery};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

use super::html::{Html, fill, page};
use super::store::Store;
use super::visitor::Visitor;

/// When the late controls of the playground appear, in milliseconds, unless `?ms=` says otherwise.
const LATE: u32 = 1_000;

/// The longest that `?ms=` makes them wait.
const LATEST: u32 = 60_000;

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/playground", get(playground_page))
        .route("/upload", get(upload_page))
        .route("/echo", get(echo_query).post(echo_form))
}

async fn playground_page(visitor: Visitor, Query(asked): Query<HashMap<String, String>>) -> Response {
    let late = asked.get("ms").and_then(|ms| ms.parse::<u32>().ok()).map_or(LATE, |ms| ms.min(LATEST));
    let rows = (1..=60).map(|row| fill("<li>Row {{row}}</li>", &[("row", Html::text(row))])).collect();
    let values = [("ms", Html::text(late)), ("rows", rows)];
    page(&visitor, StatusCode::OK, "Playground", fill(include_str!("pages/playground.html"), &values))
}

async fn upload_page(visitor: Visitor) -> Response {
    page(&visitor, StatusCode::OK, "Upload", Html::markup(include_str!("pages/upload.html")))
}

type Pairs = Vec<(String, String)>;

async fn echo_query(visitor: Visitor, RawQuery(raw): RawQuery, Query(pairs): Query<Pairs>) -> Response {
    echo_page(&visitor, "GET", &pairs, raw.as_deref().unwrap_or_default())
}

async fn echo_form(visitor: Visitor, RawQuery(raw): RawQuery, Form(pairs): Form<Pairs>) -> Response {
    echo_page(&visitor, "POST", &pairs, raw.as_deref().unwrap_or_default())
}

fn echo_page(visitor: &Visitor, method: &'static str, pairs: &Pairs, raw: &str) -> Response {
    let pair = |(name, value): &(String, String)| {
        fill("<dt>{{name}}</dt><dd>{{value}}</dd>", &[("name", Html::text(name)), ("value", Html::text(value))])
    };
    let values = [
        ("method", Html::text(method)),
        ("pairs", pairs.iter().map(pair).collect()),
        ("raw", Html::text(raw)),
        ("none", Html::when(pairs.is_empty(), "<p>Nothing was sent.</p>")),
    ];
    page(visitor, StatusCode::OK, "Echo", fill(include_str!("pages/echo.html"), &values))
}

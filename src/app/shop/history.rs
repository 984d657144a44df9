//! The order history: its pages, an order's details and invoice, and cancelling.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use super::html::{Html, fill, not_found, page};
use super::invoice::invoice;
use super::order::{Order, OrderLine};
use super::store::Store;
use super::visitor::Visitor;

const ORDERS_PER_PAGE: usize = 10;

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/orders", get(orders_page))
        .route("/orders/{number}", get(order_page))
        .route("/orders/{number}/invoice.pdf", get(invoice_file))
        .route("/api/orders", get(all_orders))
        .route("/api/orders/{number}", get(one_order))
        .route("/api/orders/{number}/cancel", post(cancel))
}

#[derive(Deserialize)]
struct Paging {
    #[serde(default)]
    page: Option<String>,
}

async fn orders_page(State(store): State<Arc<Store>>, visitor: Visitor, Query(asked): Query<Paging>) -> Response {
    if visitor.session.email.is_none() {
        return Redirect::to("/login?next=/orders").into_response();
    }
    let orders = store.orders();
    let pages = orders.len().div_ceil(ORDERS_PER_PAGE).max(1);
    let number = asked.page.as_deref().map_or(Some(1), |page| page.parse().ok());
    let Some(number) = number.filter(|number| (1..=pages).contains(number)) else {
        return Redirect::to("/orders").into_response();
    };
    let rows = orders.iter().skip((number - 1) * ORDERS_PER_PAGE).take(ORDERS_PER_PAGE).map(order_row).collect();
    let link = |to: usize, relation: &'static str, name: &'static str| {
        let values = [("to", Html::text(to)), ("relation", Html::text(relation)), ("name", Html::text(name))];
        fill("<a class=\"button quiet\" rel=\"{{relation}}\" href=\"/orders?page={{to}}\">{{name}}</a>", &values)
    };
    let newer = if number > 1 { link(number - 1, "prev", "Previous") } else { Html::default() };
    let older = if number < pages { link(number + 1, "next", "Next") } else { Html::default() };
    let values = [
        ("rows", rows),
        ("page", Html::text(number)),
        ("pages", Html::text(pages)),
        ("newer", newer),
        ("older", older),
    ];
    page(&visitor, StatusCode::OK, "Your orders", fill(include_str!("pages/orders.html"), &values))
}

fn order_row(order: &Order) -> Html {
    let values = [
        ("number", Html::text(&order.number)),
        ("date", Html::text(&order.date)),
        ("state", Html::text(order.state)),
        ("total", Html::text(order.total)),
    ];
    fill(include_str!("pages/order_row.html"), &values)
}

async fn order_page(State(store): State<Arc<Store>>, visitor: Visitor, Path(number): Path<String>) -> Response {
    if visitor.session.email.is_none() {
        return Redirect::to("/login?next=/orders").into_response();
    }
    let Some(order) = store.order(&number) else {
        return not_found(visitor).await;
    };
    let reason =
        fill("<dt>Reason</dt><dd data-testid=\"reason\">{{reason}}</dd>", &[("reason", Html::text(&order.reason))]);
    let values = [
        ("number", Html::text(&order.number)),
        ("date", Html::text(&order.date)),
        ("state", Html::text(order.state)),
        ("reason", if order.reason.is_empty() { Html::default() } else { reason }),
        ("lines", order.lines.iter().map(order_line).collect()),
        ("total", Html::text(order.total)),
        ("card", Html::text(&order.card)),
        ("name", Html::text(&order.address.name)),
        ("city", Html::text(&order.address.city)),
        ("delivery", Html::text(&order.address.delivery)),
    ];
    let title = format!("Order {number}");
    page(&visitor, StatusCode::OK, &title, fill(include_str!("pages/order.html"), &values))
}

/// An article of an order, as a list shows it.
pub(super) fn order_line(line: &OrderLine) -> Html {
    let values = [("quantity", Html::text(line.quantity)), ("article", Html::text(&line.article))];
    fill("<li>{{quantity}} × {{article}}</li>", &values)
}

async fn invoice_file(State(store): State<Arc<Store>>, visitor: Visitor, Path(number): Path<String>) -> Response {
    match store.order(&number) {
        Some(order) if visitor.session.email.is_some() => {
            // The number is one of the shop's own by now.
            let disposition = format!("attachment; filename=\"invoice-{number}.pdf\"");
            let headers =
                [(header::CONTENT_TYPE, "application/pdf"), (header::CONTENT_DISPOSITION, disposition.as_str())];
            (headers, invoice(&order)).into_response()
        }
        _ => not_found(visitor).await,
    }
}

/// What tests look at to see that an order really was placed.
async fn all_orders(State(store): State<Arc<Store>>) -> Json<Vec<Order>> {
    Json(store.orders())
}

async fn one_order(State(store): State<Arc<Store>>, visitor: Visitor, Path(number): Path<String>) -> Response {
    match store.order(&number) {
        Some(order) if visitor.session.email.is_some() => Json(order).into_response(),
        _ => problem(StatusCode::NOT_FOUND, "There is no such order"),
    }
}

#[derive(Deserialize)]
struct Cancellation {
    reason: String,
}

async fn cancel(
    State(store): State<Arc<Store>>,
    visitor: Visitor,
    Path(number): Path<String>,
    Json(asked): Json<Cancellation>,
) -> Response {
    let cancelled = visitor.session.email.and_then(|_| store.cancel(&number, &asked.reason));
    match cancelled {
        None => problem(StatusCode::NOT_FOUND, "There is no such order"),
        Some(Err(message)) => problem(StatusCode::CONFLICT, message),
        Some(Ok(())) => StatusCode::ACCEPTED.into_response(),
    }
}

fn problem(status: StatusCode, message: &'static str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

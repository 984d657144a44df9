//! The checkout: address, payment in a frame of another origin, review, processing, confirmation.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;

use super::address::{Address, delivery_days};
use super::catalogue::{COUNTRIES, regions};
use super::history::order_line;
use super::html::{Html, alert, document, fill, not_found, options, page};
use super::order::OrderLine;
use super::payment::Card;
use super::store::{ChargeError, Store};
use super::visitor::Visitor;

/// The regions of a country come a little after it was chosen.
const REGIONS_DELAY: Duration = Duration::from_millis(150);

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/checkout", get(|| async { Redirect::to("/checkout/address") }))
        .route("/checkout/address", get(address_page).post(save_address))
        .route("/api/regions", get(region_names))
        .route("/checkout/payment", get(payment_page))
        .route("/payment-frame", get(payment_frame))
        .route("/api/payments/{id}", post(pay))
        .route("/checkout/review", get(review_page))
        .route("/checkout/processing", get(processing_page))
        .route("/checkout/complete", post(complete))
        .route("/checkout/confirmation", get(confirmation_page))
}

/// Where someone has to go who is not ready to check out.
fn detour(visitor: &Visitor) -> Option<Redirect> {
    match &visitor.session {
        session if session.email.is_none() => Some(Redirect::to("/login?next=/checkout/address")),
        session if session.cart.is_empty() => Some(Redirect::to("/cart")),
        _ => None,
    }
}

async fn address_page(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    if let Some(detour) = detour(&visitor) {
        return detour.into_response();
    }
    let address = visitor.session.address.clone().unwrap_or_else(|| Address::suggest(store.today()));
    address_form(&store, &visitor, StatusCode::OK, &address, &[])
}

fn address_form(
    store: &Store,
    visitor: &Visitor,
    status: StatusCode,
    address: &Address,
    problems: &[(&'static str, &'static str)],
) -> Response {
    let regions = regions(&address.country);
    let (first, last) = delivery_days(store.today());
    let values = [
        ("problems", alert(problems.iter().map(|(_, sentence)| *sentence))),
        ("name", Html::text(&address.name)),
        ("street", Html::text(&address.street)),
        ("city", Html::text(&address.city)),
        ("postcode", Html::text(&address.postcode)),
        ("countries", options(COUNTRIES.iter().map(|(name, _)| *name), &address.country)),
        ("regions", options(regions.iter().copied(), &address.region)),
        ("no-regions", Html::when(regions.is_empty(), " disabled")),
        ("delivery", Html::text(&address.delivery)),
        ("first", Html::text(first)),
        ("last", Html::text(last)),
        ("total", Html::text(visitor.session.cart.total())),
    ];
    page(visitor, status, "Delivery address", fill(include_str!("pages/address.html"), &values))
}

async fn save_address(State(store): State<Arc<Store>>, visitor: Visitor, Form(address): Form<Address>) -> Response {
    if let Some(detour) = detour(&visitor) {
        return detour.into_response();
    }
    let problems = address.problems(store.today());
    if !problems.is_empty() {
        return address_form(&store, &visitor, StatusCode::UNPROCESSABLE_ENTITY, &address, &problems);
    }
    store.change(visitor.id.as_deref(), |session| session.address = Some(address));
    Redirect::to("/checkout/payment").into_response()
}

async fn region_names(Query(asked): Query<HashMap<String, String>>) -> Json<&'static [&'static str]> {
    tokio::time::sleep(REGIONS_DELAY).await;
    Json(asked.get("country").map_or(&[], |country| regions(country)))
}

async fn payment_page(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    if let Some(detour) = detour(&visitor) {
        return detour.into_response();
    }
    if visitor.session.address.is_none() {
        return Redirect::to("/checkout/address").into_response();
    }
    let Some(payment) = visitor.id.as_deref().and_then(|id| store.ask_for_payment(id)) else {
        return Redirect::to("/cart").into_response();
    };
    let values = [
        ("origin", Html::text(visitor.host.frame_origin())),
        ("payment", Html::text(payment.id)),
        ("total", Html::text(payment.total)),
    ];
    page(&visitor, StatusCode::OK, "Payment", fill(include_str!("pages/payment.html"), &values))
}

/// The payment provider's document. It has no session: all it knows is the payment that it was asked for.
async fn payment_frame(
    State(store): State<Arc<Store>>,
    visitor: Visitor,
    Query(asked): Query<HashMap<String, String>>,
) -> Response {
    let Some(payment) = asked.get("payment").and_then(|id| store.payment(id)) else {
        return not_found(visitor).await;
    };
    let shop = visitor.host.frame_origin();
    let policy = format!("default-src 'self'; frame-ancestors {shop}; base-uri 'none'; form-action 'self'");
    let values = [("shop", Html::text(shop)), ("payment", Html::text(payment.id))];
    document(StatusCode::OK, &policy, fill(include_str!("pages/payment_frame.html"), &values))
}

async fn pay(State(store): State<Arc<Store>>, Path(id): Path<String>, Json(card): Json<Card>) -> Response {
    let (status, answer) = match store.charge(&id, &card) {
        Ok(()) => (StatusCode::OK, json!({ "paid": true })),
        Err(ChargeError::UnknownPayment) => {
            (StatusCode::NOT_FOUND, json!({ "message": "This payment is no longer open" }))
        }
        Err(ChargeError::Card { field, message }) => {
            (StatusCode::UNPROCESSABLE_ENTITY, json!({ "field": field, "message": message }))
        }
    };
    (status, Json(answer)).into_response()
}

/// What will be ordered, once there is an address and a card that pays for what is in the cart now.
async fn review_page(visitor: Visitor) -> Response {
    if let Some(detour) = detour(&visitor) {
        return detour.into_response();
    }
    let session = &visitor.session;
    let (Some(address), Some(card)) = (&session.address, session.paid_card()) else {
        return Redirect::to("/checkout/payment").into_response();
    };
    let values = [
        ("lines", Vec::<OrderLine>::from(&session.cart).iter().map(order_line).collect()),
        ("total", Html::text(session.cart.total())),
        ("card", Html::text(card)),
        ("name", Html::text(&address.name)),
        ("city", Html::text(&address.city)),
        ("delivery", Html::text(&address.delivery)),
    ];
    page(&visitor, StatusCode::OK, "Review", fill(include_str!("pages/review.html"), &values))
}

async fn processing_page(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    if let Some(detour) = detour(&visitor) {
        return detour.into_response();
    }
    let ms = store.settings.processing.as_millis();
    let content = fill(include_str!("pages/processing.html"), &[("ms", Html::text(ms))]);
    page(&visitor, StatusCode::OK, "Processing", content)
}

async fn complete(State(store): State<Arc<Store>>, visitor: Visitor) -> Redirect {
    match visitor.id.as_deref().and_then(|id| store.place_order(id)) {
        Some(order) => Redirect::to(&format!("/checkout/confirmation?order={}", order.number)),
        None => Redirect::to("/checkout/payment"),
    }
}

async fn confirmation_page(
    State(store): State<Arc<Store>>,
    visitor: Visitor,
    Query(asked): Query<HashMap<String, String>>,
) -> Response {
    if visitor.session.email.is_none() {
        return Redirect::to("/login?next=/orders").into_response();
    }
    let number = asked.get("order").map(String::as_str).unwrap_or_default();
    let Some(order) = store.order(number) else {
        return not_found(visitor).await;
    };
    let values = [
        ("number", Html::text(&order.number)),
        ("date", Html::text(&order.date)),
        ("total", Html::text(order.total)),
        ("lines", order.lines.iter().map(order_line).collect()),
        ("card", Html::text(&order.card)),
        ("name", Html::text(&order.address.name)),
        ("city", Html::text(&order.address.city)),
        ("delivery", Html::text(&order.address.delivery)),
    ];
    page(&visitor, StatusCode::OK, "Order placed", fill(include_str!("pages/confirmation.html"), &values))
}

//! The product list and the cart.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use super::catalogue::{PRODUCTS, Product, find_product};
use super::html::{Html, fill, page};
use super::store::Store;
use super::visitor::{Visitor, with_session};

/// The list of products takes its time, as such lists do.
const PRODUCTS_DELAY: Duration = Duration::from_millis(300);

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/products", get(products_page))
        .route("/api/products", get(products))
        .route("/cart", get(cart_page).post(update_cart))
        .route("/api/cart", post(add_to_cart))
}

async fn products_page(visitor: Visitor) -> Response {
    page(&visitor, StatusCode::OK, "Products", Html::markup(include_str!("pages/products.html")))
}

async fn products() -> Json<&'static [Product]> {
    tokio::time::sleep(PRODUCTS_DELAY).await;
    Json(&PRODUCTS)
}

#[derive(Deserialize)]
struct Wanted {
    product: String,
}

async fn add_to_cart(State(store): State<Arc<Store>>, visitor: Visitor, Json(wanted): Json<Wanted>) -> Response {
    let Some(product) = find_product(&wanted.product) else {
        return (StatusCode::NOT_FOUND, Json(json!({ "message": "There is no such product" }))).into_response();
    };
    if !product.in_stock {
        return (StatusCode::CONFLICT, Json(json!({ "message": "The product is sold out" }))).into_response();
    }
    let mut count = 0;
    let opened = store.change(visitor.id.as_deref(), |session| {
        session.cart.add(product);
        count = session.cart.count();
    });
    let message = format!("{} added to the cart", product.name);
    with_session(visitor.host, opened, Json(json!({ "count": count, "message": message })))
}

async fn cart_page(visitor: Visitor, Query(asked): Query<HashMap<String, String>>) -> Response {
    let cart = &visitor.session.cart;
    let content = if cart.is_empty() {
        Html::markup(include_str!("pages/cart_empty.html"))
    } else {
        let values = [
            ("notice", Html::when(asked.contains_key("updated"), "<p class=\"notice\">Cart updated</p>")),
            ("lines", cart.lines().iter().map(cart_line).collect()),
            ("total", Html::text(cart.total())),
        ];
        fill(include_str!("pages/cart.html"), &values)
    };
    page(&visitor, StatusCode::OK, "Your cart", content)
}

fn cart_line((product, quantity): &(&'static Product, u32)) -> Html {
    let values = [
        ("id", Html::text(product.id)),
        ("name", Html::text(product.name)),
        ("price", Html::text(product.price)),
        ("quantity", Html::text(quantity)),
        ("sum", Html::text(product.price.times(*quantity))),
    ];
    fill(include_str!("pages/cart_line.html"), &values)
}

/// The form holds a quantity for each product, and the product whose "Remove" was pressed.
async fn update_cart(
    State(store): State<Arc<Store>>,
    visitor: Visitor,
    Form(typed): Form<Vec<(String, String)>>,
) -> Response {
    let opened = store.change(visitor.id.as_deref(), |session| {
        for (name, value) in &typed {
            match (name.strip_prefix("quantity-"), value.trim().parse()) {
                (Some(id), Ok(quantity)) => session.cart.set(id, quantity),
                _ if name == "remove" => session.cart.set(value, 0),
                // What is no number changes nothing.
                _ => {}
            }
        }
    });
    with_session(visitor.host, opened, Redirect::to("/cart?updated=1"))
}

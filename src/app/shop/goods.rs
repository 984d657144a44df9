//! The products and the cart.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::cart::QUANTITY_LIMIT;
use super::catalogue::{Article, PRODUCTS, Product, Variant, find_product};
use super::html::{Html, fill, not_found, page};
use super::store::Store;
use super::visitor::{Visitor, with_session};

/// The list of products takes its time, as such lists do.
const PRODUCTS_DELAY: Duration = Duration::from_millis(300);

/// The counter of the cart is asked for after a change, and comes a little later.
const COUNT_DELAY: Duration = Duration::from_millis(150);

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/products", get(products_page))
        .route("/products/{id}", get(product_page))
        .route("/api/products", get(products))
        .route("/cart", get(cart_page).post(update_cart))
        .route("/api/cart", get(cart_count).post(add_to_cart))
}

async fn products_page(visitor: Visitor) -> Response {
    page(&visitor, StatusCode::OK, "Products", Html::markup(include_str!("pages/products.html")))
}

async fn products() -> Json<Vec<Value>> {
    tokio::time::sleep(PRODUCTS_DELAY).await;
    let product = |product: &Product| {
        let Product { id, name, blurb, price, .. } = product;
        json!({ "id": id, "name": name, "blurb": blurb, "price": price, "in_stock": product.in_stock() })
    };
    Json(PRODUCTS.iter().map(product).collect())
}

async fn product_page(visitor: Visitor, Path(id): Path<String>) -> Response {
    let Some(product) = find_product(&id) else {
        return not_found(visitor).await;
    };
    let values = [
        ("id", Html::text(product.id)),
        ("name", Html::text(product.name)),
        ("blurb", Html::text(product.blurb)),
        ("price", Html::text(product.price)),
        ("most", Html::text(QUANTITY_LIMIT)),
        ("choice", if product.choice.is_empty() { Html::default() } else { choice(product) }),
        ("stock", Html::markup(if product.in_stock() { "In stock" } else { "Out of stock" })),
        ("disabled", Html::when(!product.in_stock(), " disabled")),
    ];
    page(&visitor, StatusCode::OK, product.name, fill(include_str!("pages/product.html"), &values))
}

/// The listbox of a product's variants.
fn choice(product: &Product) -> Html {
    let option = |(at, variant): (usize, &Variant)| {
        let values = [
            ("at", Html::text(at)),
            ("stock", Html::markup(if variant.in_stock { "In stock" } else { "Out of stock" })),
            ("name", Html::text(variant.name)),
        ];
        fill(
            "<div id=\"choice-{{at}}\" role=\"option\" aria-selected=\"false\" data-stock=\"{{stock}}\">{{name}}</div>",
            &values,
        )
    };
    let options = product.variants.iter().enumerate().map(option).collect();
    fill(include_str!("pages/choice.html"), &[("label", Html::text(product.choice)), ("options", options)])
}

#[derive(Deserialize)]
struct Wanted {
    product: String,
    #[serde(default)]
    variant: String,
    #[serde(default = "one")]
    quantity: u32,
}

fn one() -> u32 {
    1
}

async fn add_to_cart(State(store): State<Arc<Store>>, visitor: Visitor, Json(wanted): Json<Wanted>) -> Response {
    let problem = |status: StatusCode, message: &str| (status, Json(json!({ "message": message }))).into_response();
    let product = find_product(&wanted.product);
    let Some(article) = product.and_then(|product| product.article(&wanted.variant)) else {
        return problem(StatusCode::NOT_FOUND, "There is no such product");
    };
    if !article.variant.in_stock {
        return problem(StatusCode::CONFLICT, "Out of stock");
    }
    if !(1..=QUANTITY_LIMIT).contains(&wanted.quantity) {
        return problem(StatusCode::UNPROCESSABLE_ENTITY, "Enter a quantity from 1 to 99");
    }
    let opened = store.change(visitor.id.as_deref(), |session| session.cart.add(article, wanted.quantity));
    let message = format!("{} added to the cart", article.product.name);
    with_session(visitor.host, opened, Json(json!({ "message": message })))
}

async fn cart_count(visitor: Visitor) -> Json<Value> {
    tokio::time::sleep(COUNT_DELAY).await;
    Json(json!({ "count": visitor.session.cart.count() }))
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

fn cart_line((article, quantity): &(Article, u32)) -> Html {
    let price = article.product.price;
    let values = [
        ("id", Html::text(article.id())),
        ("name", Html::text(article.title())),
        ("price", Html::text(price)),
        ("quantity", Html::text(quantity)),
        ("sum", Html::text(price.times(*quantity))),
    ];
    fill(include_str!("pages/cart_line.html"), &values)
}

/// The form holds a quantity for each article, and the article whose "Remove" was pressed.
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

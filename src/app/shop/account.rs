//! Signing in and out, the account page, and the order history.

use std::sync::Arc;

use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;

use super::html::{Html, alert, fill, page};
use super::order::Order;
use super::store::Store;
use super::visitor::Visitor;

const ORDERS_PER_PAGE: usize = 10;

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/login", get(login_page).post(sign_in))
        // A plain link signs out as well, as it does in most shops.
        .route("/logout", post(sign_out).get(sign_out))
        .route("/account", get(account_page))
        .route("/orders", get(orders_page))
        .route("/api/orders", get(placed_orders))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Credentials {
    email: String,
    password: String,
    remember: Option<String>,
    next: String,
}

async fn login_page(visitor: Visitor, Query(asked): Query<Credentials>) -> Response {
    login_form(&visitor, StatusCode::OK, &asked, Html::default())
}

fn login_form(visitor: &Visitor, status: StatusCode, typed: &Credentials, problem: Html) -> Response {
    let values = [
        ("problem", problem),
        ("email", Html::text(&typed.email)),
        ("remember", Html::when(typed.remember.is_some(), " checked")),
        ("next", Html::text(&typed.next)),
    ];
    page(visitor, status, "Sign in", fill(include_str!("pages/login.html"), &values))
}

async fn sign_in(State(store): State<Arc<Store>>, visitor: Visitor, Form(typed): Form<Credentials>) -> Response {
    match store.sign_in(visitor.id.as_deref(), &typed.email, &typed.password) {
        Some(id) => {
            let cookie = visitor.host.open_session(&id, typed.remember.is_some());
            (AppendHeaders([cookie]), Redirect::to(local_path(&typed.next).unwrap_or("/account"))).into_response()
        }
        None => {
            let problem = alert(["Wrong email or password"]);
            login_form(&visitor, StatusCode::UNPROCESSABLE_ENTITY, &typed, problem)
        }
    }
}

/// The text if it is a path of this shop and nothing that a browser takes for another site.
fn local_path(text: &str) -> Option<&str> {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    (plain && text.starts_with('/') && !text.starts_with("//")).then_some(text)
}

async fn sign_out(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    if let Some(id) = &visitor.id {
        store.sign_out(id);
    }
    visitor.host.sign_out(visitor.session.email.is_some())
}

async fn account_page(visitor: Visitor) -> Response {
    let Some(email) = visitor.session.email else {
        return Redirect::to("/login").into_response();
    };
    let content = fill(include_str!("pages/account.html"), &[("email", Html::text(email))]);
    page(&visitor, StatusCode::OK, "Your account", content)
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
    let orders = store.order_history();
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

/// What tests look at to see that an order really was placed.
async fn placed_orders(State(store): State<Arc<Store>>) -> Json<Vec<Order>> {
    Json(store.placed_orders())
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn only_paths_of_the_shop_are_followed() {
        let texts =
            ["/checkout/address?a=b", "", "//evil.example", "/\\evil.example", "https://evil.example", "/a b\r\n"];
        assert_eq!(texts.map(local_path), [Some(texts[0]), None, None, None, None, None]);
    }
}

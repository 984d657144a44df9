//! Signing in and out, and the account page.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::html::{Html, alert, fill, page};
use super::store::Store;
use super::visitor::Visitor;

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/login", get(login_page).post(sign_in))
        // A plain link signs out as well, as it does in most shops.
        .route("/logout", post(sign_out).get(sign_out))
        .route("/account", get(account_page))
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

async fn account_page(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    let Some(email) = visitor.session.email else {
        return Redirect::to("/login").into_response();
    };
    let values = [("name", Html::text(store.profile().name)), ("email", Html::text(email))];
    let content = fill(include_str!("pages/account.html"), &values);
    page(&visitor, StatusCode::OK, "Your account", content)
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

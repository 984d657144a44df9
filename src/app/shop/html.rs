//! Pages: escaping, the fill-in templates, the layout with its cookie banner, assets, and the pages for errors.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::store::Store;
use super::visitor::Visitor;

/// Text that is safe to stand in a page.
#[derive(Debug, Clone, Default)]
pub(super) struct Html(String);

impl Html {
    /// Escapes text for an element's content or a quoted attribute.
    pub(super) fn text(text: impl ToString) -> Html {
        let mut safe = String::new();
        for character in text.to_string().chars() {
            match character {
                '&' => safe.push_str("&amp;"),
                '<' => safe.push_str("&lt;"),
                '>' => safe.push_str("&gt;"),
                '"' => safe.push_str("&quot;"),
                '\'' => safe.push_str("&#39;"),
                other => safe.push(other),
            }
        }
        Html(safe)
    }

    /// Markup of ours.
    pub(super) fn markup(markup: &'static str) -> Html {
        Html(markup.to_owned())
    }

    /// The markup if the condition holds, else nothing.
    pub(super) fn when(condition: bool, markup: &'static str) -> Html {
        if condition { Html::markup(markup) } else { Html::default() }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(parts: I) -> Html {
        Html(parts.into_iter().map(|part| part.0).collect())
    }
}

/// Replaces each `{{name}}` of the template, in one pass: a value is never read as a template again.
pub(super) fn fill(template: &'static str, values: &[(&str, Html)]) -> Html {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            rest = after;
            break;
        };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            filled.push_str(value.as_str());
        }
        rest = after;
    }
    filled.push_str(rest);
    Html(filled)
}

/// Options of a select, with one of them chosen.
pub(super) fn options<'a>(names: impl IntoIterator<Item = &'a str>, chosen: &str) -> Html {
    let option = |name: &'a str| {
        let selected = Html::when(name == chosen, " selected");
        fill("<option{{selected}}>{{name}}</option>", &[("selected", selected), ("name", Html::text(name))])
    };
    names.into_iter().map(option).collect()
}

/// An alert with one sentence for each problem; nothing if there is none.
pub(super) fn alert<'a>(problems: impl IntoIterator<Item = &'a str>) -> Html {
    let line = |problem| fill("<p>{{problem}}</p>", &[("problem", Html::text(problem))]);
    let lines: Html = problems.into_iter().map(line).collect();
    if lines.as_str().is_empty() {
        return lines;
    }
    fill("<div class=\"notice problem\" role=\"alert\">{{lines}}</div>", &[("lines", lines)])
}

/// A whole page of the shop.
pub(super) fn page(visitor: &Visitor, status: StatusCode, title: &str, content: Html) -> Response {
    let session = match visitor.session.email {
        Some(email) => fill(include_str!("pages/session_in.html"), &[("email", Html::text(email))]),
        None => Html::markup("<a class=\"nav-link\" href=\"/login\">Sign in</a>"),
    };
    let banner = Html::when(!visitor.accepted_cookies, include_str!("pages/cookie_banner.html"));
    let values = [
        ("title", Html::text(title)),
        ("session", session),
        ("cart-count", Html::text(visitor.session.cart.count())),
        ("cookie", Html::text(visitor.host.consent_cookie())),
        ("banner", banner),
        ("content", content),
    ];
    let policy = format!(
        "default-src 'self'; img-src 'self' blob:; frame-src {}; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'",
        visitor.host.frame_origin()
    );
    document(status, &policy, fill(include_str!("pages/layout.html"), &values))
}

/// A whole document under a content security policy.
pub(super) fn document(status: StatusCode, policy: &str, document: Html) -> Response {
    let policy = HeaderValue::from_str(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (status, headers, document.0).into_response()
}

pub(super) async fn not_found(visitor: Visitor) -> Response {
    page(&visitor, StatusCode::NOT_FOUND, "Page not found", Html::markup(include_str!("pages/not_found.html")))
}

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/", get(|| async { Redirect::to("/products") }))
        .route("/favicon.ico", get(|| async { Redirect::permanent("/assets/favicon.svg") }))
        .route("/assets/{name}", get(asset))
}

async fn asset(visitor: Visitor, Path(name): Path<String>) -> Response {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let (kind, text) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", include_str!("assets/style.css")),
        "shop.js" => (SCRIPT, include_str!("assets/shop.js")),
        "product.js" => (SCRIPT, include_str!("assets/product.js")),
        "products.js" => (SCRIPT, include_str!("assets/products.js")),
        "address.js" => (SCRIPT, include_str!("assets/address.js")),
        "payment.js" => (SCRIPT, include_str!("assets/payment.js")),
        "payment-frame.js" => (SCRIPT, include_str!("assets/payment-frame.js")),
        "review.js" => (SCRIPT, include_str!("assets/review.js")),
        "processing.js" => (SCRIPT, include_str!("assets/processing.js")),
        "orders.js" => (SCRIPT, include_str!("assets/orders.js")),
        "profile.js" => (SCRIPT, include_str!("assets/profile.js")),
        "upload.js" => (SCRIPT, include_str!("assets/upload.js")),
        "playground.js" => (SCRIPT, include_str!("assets/playground.js")),
        "playground-drag.js" => (SCRIPT, include_str!("assets/playground-drag.js")),
        "products.svg" => ("image/svg+xml", include_str!("assets/products.svg")),
        "portrait.svg" => ("image/svg+xml", include_str!("assets/portrait.svg")),
        "favicon.svg" => ("image/svg+xml", include_str!("assets/favicon.svg")),
        _ => return not_found(visitor).await,
    };
    // Two shops, one after the other, may share a port and a browser profile.
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_once() {
        let name = Html::text("<b> & \"{{other}}\" 'x'");
        let values = [("name", name), ("other", Html::markup("never"))];
        let filled = fill("a {{name}}, {{unknown}}b {{unfinished", &values);
        assert_eq!(filled.as_str(), "a &lt;b&gt; &amp; &quot;{{other}}&quot; &#39;x&#39;, b unfinished");
    }
}

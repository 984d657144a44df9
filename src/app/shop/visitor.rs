//! Who asks: the session cookie, the choice about cookies, and the name by which the visitor reached the shop.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};

use super::store::{Session, Store};

/// "Remember me" lasts this many seconds: thirty days.
const REMEMBER_SECONDS: u32 = 30 * 24 * 60 * 60;

/// The visitor behind a request; someone unknown has an empty session.
#[derive(Debug)]
pub(super) struct Visitor {
    pub(super) id: Option<String>,
    pub(super) session: Session,
    pub(super) accepted_cookies: bool,
    pub(super) host: Host,
}

impl FromRequestParts<Arc<Store>> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, store: &Arc<Store>) -> Result<Visitor, Infallible> {
        let host = Host::of(&parts.headers, store.port);
        let id = cookie(&parts.headers, &host.session_cookie());
        let known = id.and_then(|id| store.session(id).map(|session| (id.to_owned(), session)));
        let (id, session) = known.map_or((None, Session::default()), |(id, session)| (Some(id), session));
        let accepted_cookies = cookie(&parts.headers, &host.consent_cookie()).is_some();
        Ok(Visitor { id, session, accepted_cookies, host })
    }
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// The name by which the shop was reached; each name is an origin, and the payment frame lives at the other one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Host {
    by_name: bool,
    port: u16,
}

impl Host {
    fn of(headers: &HeaderMap, port: u16) -> Host {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        Host { by_name: host.split(':').next() == Some("localhost"), port }
    }

    /// The origin of the payment frame, seen from the shop, and of the shop, seen from the frame.
    pub(super) fn frame_origin(self) -> String {
        let name = if self.by_name { "127.0.0.1" } else { "localhost" };
        format!("http://{name}:{}", self.port)
    }

    // Browsers share cookies between the ports of a host, and shops should not: their names carry the port.

    pub(super) fn consent_cookie(self) -> String {
        format!("cookies_{}", self.port)
    }

    fn session_cookie(self) -> String {
        format!("session_{}", self.port)
    }

    /// The header that hands out a session's id.
    pub(super) fn open_session(self, id: &str, remember: bool) -> (HeaderName, String) {
        let lifetime = if remember { format!("; Max-Age={REMEMBER_SECONDS}") } else { String::new() };
        let cookie = format!("{}={id}; Path=/; HttpOnly; SameSite=Lax{lifetime}", self.session_cookie());
        (header::SET_COOKIE, cookie)
    }

    /// The answer to signing out: no session, no choice about cookies, and the sign-in page.
    pub(super) fn sign_out(self, forget_session: bool) -> Response {
        let expire = |name: String| (header::SET_COOKIE, format!("{name}=; Path=/; Max-Age=0; SameSite=Lax"));
        let mut cookies = vec![expire(self.consent_cookie())];
        if forget_session {
            cookies.push(expire(self.session_cookie()));
        }
        (AppendHeaders(cookies), Redirect::to("/login")).into_response()
    }
}

/// Adds the cookie of a session that was opened while the request was answered.
pub(super) fn with_session(host: Host, opened: Option<String>, response: impl IntoResponse) -> Response {
    match opened {
        Some(id) => (AppendHeaders([host.open_session(&id, false)]), response).into_response(),
        None => response.into_response(),
    }
}

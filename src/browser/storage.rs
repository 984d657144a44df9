//! The state that a sign-in leaves behind: cookies and local storage, read and written in Playwright's form of them.
//! <https://playwright.dev/docs/api/class-browsercontext#browser-context-storage-state>
//!
//! Local storage belongs to an origin and can only be reached from a document of it. An empty tab that nobody sees
//! goes there; the requests it makes are answered here, so that no server and no script of the site takes part.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use chromiumoxide::cdp::browser_protocol::fetch::{
    EnableParams as FetchEnable, FulfillRequestParams, HeaderEntry, RequestPattern,
};
use chromiumoxide::cdp::browser_protocol::network::{
    CookieParam, CookieSameSite, EnableParams as NetworkEnable, SetBypassServiceWorkerParams, TimeSinceEpoch,
};
use chromiumoxide::cdp::browser_protocol::page::NavigateParams;
use chromiumoxide::cdp::browser_protocol::storage::{ClearCookiesParams, GetCookiesParams, SetCookiesParams};
use chromiumoxide::cdp::browser_protocol::target::{CloseTargetParams, CreateTargetParams};
use chromiumoxide::cdp::js_protocol::runtime::{CallFunctionOnParams, EvaluateParams, RemoteObjectId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::calls::{ExceptionDetails, RemoteObject, argument};
use super::connection::{Connection, SessionId};
use super::{Deadline, Error, Link, Session};

/// Origins whose local storage is remembered to be saved.
pub(super) const MOST_ORIGINS: usize = 200;

/// Cookies and local storage, as Playwright's `storageState` writes them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct StorageState {
    /// Every cookie of the browser.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// The local storage of each origin that has one.
    #[serde(default)]
    pub origins: Vec<OriginState>,
}

/// A cookie.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its domain; with a dot before it, the subdomains too.
    pub domain: String,
    /// The path from which on it is sent.
    #[serde(default = "root")]
    pub path: String,
    /// Seconds since 1970; -1 for one that ends with the browser.
    #[serde(default = "never")]
    pub expires: f64,
    /// Hidden from scripts.
    #[serde(default)]
    pub http_only: bool,
    /// Sent over TLS only.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default = "lax")]
    pub same_site: String,
}

/// What an origin has stored.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginState {
    /// The origin, `https://shop.example`.
    pub origin: String,
    /// Its entries.
    #[serde(default)]
    pub local_storage: Vec<Entry>,
}

/// An entry of local storage.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Entry {
    /// Its key.
    pub name: String,
    /// Its value.
    pub value: String,
}

#[derive(Deserialize)]
struct Cookies {
    cookies: Vec<Cookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    error_text: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    result: RemoteObject,
    exception_details: Option<ExceptionDetails>,
}

const READ: &str = "() => Object.entries(localStorage).map(([name, value]) => ({ name, value }))";
const WRITE: &str =
    "(entries) => { localStorage.clear(); for (const { name, value } of entries) localStorage.setItem(name, value); }";

impl StorageState {
    /// Reads a file of at most 16 MiB.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(path: &Path) -> Result<StorageState, String> {
        const MOST: u64 = 16 * 1024 * 1024;
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
        std::io::Read::read_to_string(&mut std::io::Read::take(file, MOST), &mut text)
            .map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| format!("it is no storage state: {error}"))
    }
}

impl Session {
    /// The cookies of the browser and the local storage of the origins that its tabs were at.
    ///
    /// # Errors
    /// As [`Session::page`].
    pub async fn storage_state(&mut self, deadline: &Deadline) -> Result<StorageState, Error> {
        let link = self.page(deadline).await?.link.clone();
        let Cookies { cookies } = deadline.race(link.connection.send(None, &GetCookiesParams::default())).await??;
        let visited: Vec<String> = link.tracker().origins.iter().cloned().collect();
        let mut origins = Vec::new();
        if !visited.is_empty() {
            let workbench = Workbench::open(&link, deadline).await?;
            for origin in visited {
                let entries: Vec<Entry> = workbench.call(&origin, READ, Value::Null, deadline).await?;
                if !entries.is_empty() {
                    origins.push(OriginState { origin, local_storage: entries });
                }
            }
        }
        Ok(StorageState { cookies, origins })
    }

    /// Replaces all cookies, and the local storage of the origins that the state names. Pages that are open see the
    /// cookies with their next request.
    ///
    /// # Errors
    /// [`Error::Argument`] for a cookie or an origin that the browser refuses.
    pub async fn restore(&mut self, state: &StorageState, deadline: &Deadline) -> Result<(), Error> {
        let link = self.page(deadline).await?.link.clone();
        link.restore(state, deadline).await
    }
}

impl Link {
    pub(super) async fn restore(&self, state: &StorageState, deadline: &Deadline) -> Result<(), Error> {
        let mut origins = Vec::new();
        for entry in &state.origins {
            origins.push((origin(&entry.origin)?, serde_json::to_value(&entry.local_storage).unwrap_or_default()));
        }
        let cookies = state.cookies.iter().map(Cookie::parameter).collect::<Result<Vec<_>, _>>()?;
        deadline.race(self.connection.send::<Value>(None, &ClearCookiesParams::default())).await??;
        if !cookies.is_empty() {
            let set = self.connection.send::<Value>(None, &SetCookiesParams::new(cookies));
            deadline.race(set).await?.map_err(|error| Error::Argument {
                message: format!("a cookie can't be restored: {error}"),
                hint: "check the names, domains and values of `cookies` in the file".to_owned(),
            })?;
        }
        if !origins.is_empty() {
            let workbench = Workbench::open(self, deadline).await?;
            for (origin, entries) in origins {
                workbench.call::<Value>(&origin, WRITE, entries, deadline).await?;
                self.tracker().visit(&origin);
            }
        }
        Ok(())
    }
}

/// Where the tab that nobody sees is.
#[derive(Default)]
pub(super) enum Workplace {
    #[default]
    Nowhere,
    /// It was asked for, at this address.
    Awaited(String),
    There(SessionId),
}

impl Workplace {
    pub(super) fn session(&self) -> Option<&SessionId> {
        match self {
            Workplace::There(session) => Some(session),
            Workplace::Nowhere | Workplace::Awaited(_) => None,
        }
    }

    /// Whether a target at this address is it.
    pub(super) fn awaits(&self, url: &str) -> bool {
        matches!(self, Workplace::Awaited(address) if address == url)
    }
}

/// The tab that nobody sees; closed when dropped.
struct Workbench<'l> {
    link: &'l Link,
    target: String,
    session: SessionId,
}

impl<'l> Workbench<'l> {
    async fn open(link: &'l Link, deadline: &Deadline) -> Result<Workbench<'l>, Error> {
        // The address by which it is told from the others; a page that could guess it would hide a tab of its own.
        let address = format!("about:blank#{:016x}", RandomState::new().hash_one(()));
        link.tracker().workbench = Workplace::Awaited(address.clone());
        let mut create = CreateTargetParams::new(address);
        create.background = Some(true);
        let Created { target_id } = deadline.race(link.connection.send(None, &create)).await??;
        let arrived = link.wait(deadline, |tracker| tracker.workbench.session().cloned()).await;
        let session =
            arrived.inspect_err(|_| link.connection.post(None, &CloseTargetParams::new(target_id.clone())))?;
        let workbench = Workbench { link, target: target_id, session };
        let session = Some(&workbench.session);
        link.connection.post(session, &NetworkEnable::default());
        link.connection.post(session, &SetBypassServiceWorkerParams::new(true));
        let everything = RequestPattern { url_pattern: Some("*".to_owned()), ..RequestPattern::default() };
        link.connection.post(session, &FetchEnable { patterns: Some(vec![everything]), handle_auth_requests: None });
        Ok(workbench)
    }

    /// Calls a function in an empty document of an origin.
    async fn call<R: serde::de::DeserializeOwned>(
        &self,
        origin: &str,
        function: &str,
        input: Value,
        deadline: &Deadline,
    ) -> Result<R, Error> {
        let failed = |reason: String| Error::Argument {
            message: format!("the local storage of `{origin}` can't be reached: {reason}"),
            hint: "leave the origin out of the file, or sign in again".to_owned(),
        };
        let connection = &self.link.connection;
        let session = Some(&self.session);
        let navigated: Navigated =
            deadline.race(connection.send(session, &NavigateParams::new(format!("{origin}/")))).await??;
        if let Some(error) = navigated.error_text.filter(|error| !error.is_empty()) {
            return Err(failed(error));
        }
        let global: Answer = deadline.race(connection.send(session, &EvaluateParams::new("globalThis"))).await??;
        let mut call = CallFunctionOnParams::new(function);
        call.object_id = global.result.object_id.map(RemoteObjectId::new);
        call.arguments = Some(vec![argument(input)]);
        call.return_by_value = Some(true);
        let answer: Answer = deadline.race(connection.send(session, &call)).await??;
        if let Some(exception) = answer.exception_details {
            return Err(failed(exception.words()));
        }
        serde_json::from_value(answer.result.value).map_err(|error| failed(error.to_string()))
    }
}

impl Drop for Workbench<'_> {
    fn drop(&mut self) {
        self.link.tracker().workbench = Workplace::Nowhere;
        self.link.connection.post(None, &CloseTargetParams::new(self.target.clone()));
    }
}

/// Answers a request of the tab that nobody sees with an empty document.
pub(super) fn answer(connection: &Connection, session: &SessionId, request: &str) {
    let mut page = FulfillRequestParams::new(request.to_owned(), 200);
    page.response_headers = Some(vec![HeaderEntry::new("content-type", "text/html")]);
    connection.post(Some(session), &page);
}

/// The origin of an address of the web.
pub(super) fn origin_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.origin().ascii_serialization())
}

fn origin(text: &str) -> Result<String, Error> {
    origin_of(text).ok_or_else(|| Error::Argument {
        message: format!("`{text}` is not an origin"),
        hint: "origins are written as in `https://shop.example`".to_owned(),
    })
}

impl Cookie {
    fn parameter(&self) -> Result<CookieParam, Error> {
        let mut cookie = CookieParam::new(&self.name, &self.value);
        cookie.domain = Some(self.domain.clone());
        cookie.path = Some(self.path.clone());
        cookie.http_only = Some(self.http_only);
        cookie.secure = Some(self.secure);
        cookie.expires = (self.expires >= 0.0).then(|| TimeSinceEpoch::new(self.expires));
        cookie.same_site = Some(match self.same_site.as_str() {
            "Strict" => CookieSameSite::Strict,
            "Lax" => CookieSameSite::Lax,
            "None" => CookieSameSite::None,
            other => {
                return Err(Error::Argument {
                    message: format!("the cookie `{}` has an unknown `sameSite`: `{other}`", self.name),
                    hint: "write `Strict`, `Lax` or `None`".to_owned(),
                });
            }
        });
        Ok(cookie)
    }
}

fn root() -> String {
    "/".to_owned()
}

fn never() -> f64 {
    -1.0
}

fn lax() -> String {
    "Lax".to_owned()
}

//! What pages are told of where and what they run on: language, time zone, user agent, extra headers, size.
//! <https://chromedevtools.github.io/devtools-protocol/tot/Emulation/>

use chromiumoxide::cdp::browser_protocol::emulation::{
    SetDeviceMetricsOverrideParams, SetLocaleOverrideParams, SetTimezoneOverrideParams, SetTouchEmulationEnabledParams,
    SetUserAgentOverrideParams,
};
use chromiumoxide::cdp::browser_protocol::network::{
    EnableParams as NetworkEnable, Headers, SetExtraHttpHeadersParams,
};
use serde_json::{Map, Value};

use super::connection::{Connection, SessionId};

/// What pages are told, where it differs from the browser's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emulation {
    /// The language as a BCP 47 tag such as `de-CH`: of dates and numbers, of `navigator.language`, of requests.
    pub locale: Option<String>,
    /// The time zone as an IANA name such as `Europe/Zurich`.
    pub time_zone: Option<String>,
    /// The user agent.
    pub user_agent: Option<String>,
    /// Headers of every request, by name.
    pub headers: Vec<(String, String)>,
    /// Whether there is a touch screen; clicks are taps then.
    pub touch: bool,
}

impl Emulation {
    /// The languages that pages are asked for in: the given one, then its language without a region.
    pub(super) fn languages(&self) -> Option<String> {
        let locale = self.locale.as_deref()?;
        Some(match locale.split_once('-') {
            Some((language, _)) => format!("{locale},{language}"),
            None => locale.to_owned(),
        })
    }

    /// Applies to a page or an out-of-process iframe that has not run yet. `agent` is the browser's own user agent,
    /// where it has to be said again.
    pub(super) fn apply(&self, connection: &Connection, session: &SessionId, agent: Option<&str>) {
        let session = Some(session);
        if let Some(locale) = &self.locale {
            let locale = Some(locale.replace('-', "_"));
            connection.post(session, &SetLocaleOverrideParams { locale });
        }
        if let Some(zone) = &self.time_zone {
            connection.post(session, &SetTimezoneOverrideParams::new(zone));
        }
        if let Some(agent) = self.user_agent.as_deref().or(agent) {
            let mut override_ = SetUserAgentOverrideParams::new(agent);
            override_.accept_language = self.languages();
            connection.post(session, &override_);
        }
        if self.touch {
            connection.post(session, &SetTouchEmulationEnabledParams::new(true));
        }
        if !self.headers.is_empty() {
            let headers: Map<String, Value> =
                self.headers.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
            connection.post(session, &NetworkEnable::default());
            connection.post(session, &SetExtraHttpHeadersParams::new(Headers::new(Value::Object(headers))));
        }
    }
}

/// The size of a page in CSS pixels.
pub(super) fn size((width, height): (u32, u32)) -> SetDeviceMetricsOverrideParams {
    SetDeviceMetricsOverrideParams::new(width, height, 1.0, false)
}

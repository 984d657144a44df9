//! Tabs: which are open, opening, choosing and closing them. Their ids (`t1`, `t2`, …) are never used again.

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::page::CloseParams as ClosePage;
use chromiumoxide::cdp::browser_protocol::target::{
    ActivateTargetParams, CloseTargetParams, CreateTargetParams, GetTargetsParams,
};
use serde::Deserialize;
use serde_json::Value;

use super::retry::{Obstacle, Trial};
use super::tracker::{MAX_TABS, Tracker};
use super::{Deadline, Error, Link, LoadState, Session};
use crate::selector::TextMatch;

/// How long a page may take to close itself, its own handlers included.
const CLOSE: Duration = Duration::from_secs(2);

/// An open tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// `t1`, `t2`, … in the order of opening.
    pub id: String,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Commands act on it.
    pub active: bool,
    /// The id of the tab that opened it, where that is still there.
    pub opener: Option<String>,
}

/// How a tab is named.
#[derive(Clone, Debug)]
pub enum TabChoice {
    /// By its id.
    Id(String),
    /// By its address; it must be the only one that matches.
    Url(TextMatch),
    /// By its title; it must be the only one that matches.
    Title(TextMatch),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Targets {
    target_infos: Vec<Info>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Info {
    target_id: String,
    title: String,
    url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    target_id: String,
}

impl Session {
    /// The open tabs, in the order of opening.
    ///
    /// # Errors
    /// As [`Session::page`].
    pub async fn tabs(&mut self, deadline: &Deadline) -> Result<Vec<Tab>, Error> {
        let link = self.page(deadline).await?.link.clone();
        link.tabs(deadline).await
    }

    /// Opens a tab, which becomes the active one, and goes to an address in it.
    ///
    /// # Errors
    /// As [`super::Page::navigate`]; the tab stays open then. [`Error::Argument`] when too many tabs are open.
    pub async fn open_tab(&mut self, url: Option<&str>, until: LoadState, deadline: &Deadline) -> Result<Tab, Error> {
        let link = self.page(deadline).await?.link.clone();
        if link.tracker().pages.len() >= MAX_TABS {
            return Err(Error::Argument {
                message: format!("{MAX_TABS} tabs are open, and no more can be"),
                hint: "close some with `close_tab`; `tabs` lists them".to_owned(),
            });
        }
        link.new_tab(deadline).await?;
        let page = self.page(deadline).await?;
        if let Some(url) = url {
            page.navigate(url, until, deadline).await?;
        }
        self.active_tab(deadline).await
    }

    /// Makes a tab the active one. One that is named by its address or title is waited for.
    ///
    /// # Errors
    /// [`Error::Argument`] for an id that isn't there and for several tabs that match, [`Error::Unmet`] when none comes.
    pub async fn switch_tab(&mut self, choice: &TabChoice, deadline: &Deadline) -> Result<Tab, Error> {
        let link = self.page(deadline).await?.link.clone();
        let target = link.find_tab(choice, deadline).await?;
        link.tracker().activate(&target);
        // What it shows is not what commands see, except for a person who watches.
        link.connection.post(None, &ActivateTargetParams::new(target));
        self.active_tab(deadline).await
    }

    /// Closes a tab, the active one if none is named; answers the tab that is active then. Where it was the last, an
    /// empty one takes its place. A page that asks whether to leave it is left, unless a step expects otherwise.
    ///
    /// # Errors
    /// As [`Session::switch_tab`]; [`Error::TabStayed`] when its dialog kept it open.
    pub async fn close_tab(&mut self, choice: Option<&TabChoice>, deadline: &Deadline) -> Result<Tab, Error> {
        let link = self.page(deadline).await?.link.clone();
        let target = match choice {
            Some(choice) => link.find_tab(choice, deadline).await?,
            None => link.tracker().page().map(|page| page.target.clone()).ok_or(Error::PageClosed)?,
        };
        // A browser without a tab may end.
        let is_last = link.tracker().pages.len() == 1;
        let spare = if is_last { Some(link.new_tab(deadline).await?) } else { None };
        let closed = link.close(&target, deadline).await;
        if let (Err(_), Some(spare)) = (&closed, spare) {
            link.tracker().activate(&target);
            link.connection.post(None, &CloseTargetParams::new(spare));
        }
        closed?;
        self.active_tab(deadline).await
    }

    /// The tab that commands act on.
    pub(super) async fn active_tab(&mut self, deadline: &Deadline) -> Result<Tab, Error> {
        let tabs = self.tabs(deadline).await?;
        tabs.into_iter().find(|tab| tab.active).ok_or(Error::PageClosed)
    }
}

impl Link {
    /// The browser knows of titles what a page that is busy could not tell.
    async fn tabs(&self, deadline: &Deadline) -> Result<Vec<Tab>, Error> {
        let targets: Targets = deadline.race(self.connection.send(None, &GetTargetsParams::default())).await??;
        let tracker = self.tracker();
        let tabs = tracker.pages.iter().map(|page| {
            let info = targets.target_infos.iter().find(|info| info.target_id == page.target);
            let url = tracker.frames.get(&page.target).map(|frame| frame.url.clone());
            Tab {
                id: id(page.number),
                // The address that commands see; the browser's is that of a navigation still under way.
                url: url.or_else(|| info.map(|info| info.url.clone())).unwrap_or_default(),
                title: info.map(|info| info.title.clone()).unwrap_or_default(),
                active: tracker.active.as_ref() == Some(&page.target),
                opener: page.opener.as_ref().and_then(|opener| tracker.number(opener)).map(id),
            }
        });
        Ok(tabs.collect())
    }

    /// Opens an empty tab and makes it the active one; answers its target.
    pub(super) async fn new_tab(&self, deadline: &Deadline) -> Result<String, Error> {
        let create = CreateTargetParams::new("about:blank");
        let Created { target_id } = deadline.race(self.connection.send(None, &create)).await??;
        self.wait(deadline, |tracker| tracker.activate(&target_id).then_some(())).await?;
        Ok(target_id)
    }

    /// The target of the one tab that matches.
    async fn find_tab(&self, choice: &TabChoice, deadline: &Deadline) -> Result<String, Error> {
        let wanted = match choice {
            TabChoice::Id(id) => format!("the tab `{id}`"),
            TabChoice::Url(url) => format!("a tab whose address matches `{}`", url.text()),
            TabChoice::Title(title) => format!("a tab whose title matches `{}`", title.text()),
        };
        let mut trial = Trial::of("switch_tab", wanted.clone(), deadline);
        let tab = loop {
            let attempt = async {
                let tabs = self.tabs(deadline).await?;
                let mut matching = tabs.iter().filter(|tab| choice.matches(tab));
                match (matching.next(), matching.next(), choice) {
                    (Some(tab), None, _) => Ok(tab.id.clone()),
                    (Some(_), Some(_), _) => Err(Error::Argument {
                        message: format!("more than one is {wanted}: {}", listed(&tabs)),
                        hint: "name the tab by its id".to_owned(),
                    }),
                    (None, _, TabChoice::Id(id)) => Err(Error::Argument {
                        message: format!("there is no tab `{id}`; open are {}", listed(&tabs)),
                        hint: "take an id that `tabs` lists".to_owned(),
                    }),
                    (None, ..) => {
                        Err(Error::Blocked(Obstacle::Waiting { seen: format!("open are {}", listed(&tabs)) }))
                    }
                }
            };
            if let Some(tab) = trial.attempt(attempt).await? {
                break tab;
            }
        };
        let tracker = self.tracker();
        let page = tracker.pages.iter().find(|page| id(page.number) == tab);
        page.map(|page| page.target.clone()).ok_or(Error::PageClosed)
    }

    /// Closes a tab as a person does. One that doesn't answer, a crashed one for example, is closed by force.
    async fn close(&self, target: &str, deadline: &Deadline) -> Result<(), Error> {
        let Some(session) = self.session_of(target) else { return Ok(()) };
        self.connection.post(Some(&session), &ClosePage::default());
        let soon = deadline.within(CLOSE);
        let closed = self.wait(&soon, |tracker| {
            let is_open = tracker.pages.iter().any(|page| page.target == target);
            if is_open && tracker.stayed() { Some(false) } else { (!is_open).then_some(true) }
        });
        match closed.await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::TabStayed),
            Err(Error::Timeout { .. }) if !deadline.remaining().is_zero() => {
                deadline
                    .race(self.connection.send::<Value>(None, &CloseTargetParams::new(target.to_owned())))
                    .await??;
                self.wait(deadline, |tracker| (!tracker.pages.iter().any(|page| page.target == target)).then_some(()))
                    .await
            }
            Err(error) => Err(error),
        }
    }
}

impl Tracker {
    /// Makes a tab the active one; false when it isn't there.
    pub(super) fn activate(&mut self, target: &str) -> bool {
        let is_there = self.pages.iter().any(|page| page.target == target);
        if is_there {
            self.active = Some(target.to_owned());
        }
        is_there
    }

    fn number(&self, target: &str) -> Option<u32> {
        self.pages.iter().find(|page| page.target == target).map(|page| page.number)
    }
}

impl TabChoice {
    fn matches(&self, tab: &Tab) -> bool {
        match self {
            TabChoice::Id(id) => tab.id == *id,
            TabChoice::Url(url) => url.matches(&tab.url),
            TabChoice::Title(title) => title.matches(&tab.title),
        }
    }
}

fn id(number: u32) -> String {
    format!("t{number}")
}

/// Tabs in one line: their ids and addresses.
fn listed(tabs: &[Tab]) -> String {
    const MOST: usize = 10;
    let mut words: Vec<String> = tabs.iter().take(MOST).map(|tab| format!("`{}` ({})", tab.id, tab.url)).collect();
    if tabs.len() > MOST {
        words.push(format!("{} more", tabs.len() - MOST));
    }
    words.join(", ")
}

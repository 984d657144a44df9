//! Targets: tabs and out-of-process iframes that come, crash and go.

use std::sync::atomic::Ordering;

use chromiumoxide::cdp::browser_protocol::target::CloseTargetParams;

use super::wire::Attached;
use super::{Page, Tracker};
use crate::browser::connection::{Connection, SessionId};
use crate::browser::{Error, setup, storage};

/// Pages can't open further tabs when there are so many.
pub(in crate::browser) const MAX_TABS: usize = 30;

impl Tracker {
    pub(super) fn attached(&mut self, connection: &Connection, attached: Attached) {
        let session: SessionId = attached.session_id.into();
        let target = attached.target_info;
        match target.kind.as_str() {
            "page" if self.workbench.awaits(&target.url) => {
                self.workbench = storage::Workplace::There(session.clone());
                setup::resume(connection, &session);
            }
            // Only what a page opens now: a browser that was there before may hold more.
            "page" if attached.waiting_for_debugger && target.opener_id.is_some() && self.pages.len() >= MAX_TABS => {
                self.opening = false;
                connection.post(None, &CloseTargetParams::new(target.target_id));
                self.note(format!("a tab was closed at once: no more than {MAX_TABS} can be open"));
            }
            "page" => {
                self.setup.page(connection, &session);
                self.sessions.insert(session.clone(), target.target_id.clone());
                self.opened(session, target.target_id, target.opener_id);
            }
            "iframe" => {
                self.sessions.insert(session.clone(), target.target_id.clone());
                let frame = self.frames.entry(target.target_id).or_default();
                frame.session = Some(session.clone());
                self.setup.frame(connection, &session);
            }
            _ => setup::resume(connection, &session),
        }
    }

    fn opened(&mut self, session: SessionId, target: String, opener: Option<String>) {
        self.opening = false;
        let number = self.tabs.fetch_add(1, Ordering::Relaxed) + 1;
        // A tab that the active one opened is where the next step acts; what opens behind it stays there.
        let is_followed = opener.is_some() && opener == self.active;
        if self.active.is_none() || is_followed {
            self.active = Some(target.clone());
        }
        if opener.is_some() && !self.expects_tab(&target) {
            let whereto = if is_followed { "is active now" } else { "stays in the background" };
            self.note(format!("the page opened the tab `t{number}`, which {whereto}"));
        }
        self.pages.push(Page {
            number,
            target,
            session,
            opener,
            crashed: false,
            is_told: false,
            ready: false,
            dialogs: 0,
        });
    }

    pub(super) fn detached(&mut self, connection: &Connection, session: &str) -> Option<()> {
        let is_page = self.pages.iter().any(|page| *page.session == *session);
        connection.fail_session(session, || if is_page { Error::PageClosed } else { Error::ContextLost });
        let (session, target) = self.sessions.remove_entry(session)?;
        self.frames.retain(|_, frame| frame.session.as_ref() != Some(&session));
        self.dialog_gone(&session);
        if let Some(index) = self.pages.iter().position(|page| page.session == session) {
            let page = self.pages.remove(index);
            if self.active.as_deref() == Some(target.as_str()) {
                let opener = page.opener.filter(|opener| self.pages.iter().any(|page| page.target == *opener));
                self.active = opener.or_else(|| self.pages.last().map(|page| page.target.clone()));
            }
        }
        Some(())
    }

    /// The process of a page or of an iframe has ended, or was ended because of its dialogs.
    pub(super) fn crashed(&mut self, connection: &Connection, session: &SessionId) {
        self.forget_contexts_of(session);
        self.dialog_gone(session);
        let active = self.active.clone();
        let Some(page) = self.pages.iter_mut().find(|page| page.session == *session) else {
            connection.fail_session(session, || Error::FrameCrashed);
            self.note("an iframe of the page has crashed".to_owned());
            return;
        };
        page.crashed = true;
        let (number, dialogs) = (page.number, page.dialogs);
        connection.fail_session(session, || Page::end(dialogs));
        if active.as_ref() != Some(&page.target) {
            self.note(format!("the tab `t{number}` in the background has crashed"));
        }
    }

    /// A crashed process was replaced because its page or iframe was navigated.
    pub(super) fn recovered(&mut self, session: &SessionId) -> Option<()> {
        let page = self.pages.iter_mut().find(|page| page.session == *session)?;
        page.crashed = false;
        page.is_told = false;
        Some(())
    }
}

//! What every new page and frame gets before its first script runs: the domains we listen to, the injected bundle in
//! its isolated world, automatic attachment to what it opens.

use chromiumoxide::cdp::browser_protocol::emulation::SetFocusEmulationEnabledParams;
use chromiumoxide::cdp::browser_protocol::page::{
    AddScriptToEvaluateOnNewDocumentParams, EnableParams as PageEnable, GetFrameTreeParams,
    SetLifecycleEventsEnabledParams,
};
use chromiumoxide::cdp::browser_protocol::target::{FilterEntry, SetAutoAttachParams, TargetFilter};
use chromiumoxide::cdp::js_protocol::runtime::{EnableParams as RuntimeEnable, RunIfWaitingForDebuggerParams};

use super::connection::{Connection, SessionId};
use super::emulation::{self, Emulation};

/// The name of the isolated world, by which its execution contexts are recognised.
pub(super) const WORLD: &str = "repertoire";

/// The bundle: fragments of one function scope, in the order in which they use each other.
pub(super) const BUNDLE: &str = concat!(
    "(() => { \"use strict\";\n",
    include_str!("injected/dom.js"),
    include_str!("injected/registry.js"),
    include_str!("injected/roles.js"),
    include_str!("injected/implicit.js"),
    include_str!("injected/states.js"),
    include_str!("injected/counters.js"),
    include_str!("injected/styles.js"),
    include_str!("injected/content.js"),
    include_str!("injected/native.js"),
    include_str!("injected/names.js"),
    include_str!("injected/lookup.js"),
    include_str!("injected/text.js"),
    include_str!("injected/selectors.js"),
    include_str!("injected/css.js"),
    include_str!("injected/describe.js"),
    include_str!("injected/unique.js"),
    include_str!("injected/near.js"),
    include_str!("injected/actionability.js"),
    include_str!("injected/aim.js"),
    include_str!("injected/watch.js"),
    include_str!("injected/click.js"),
    include_str!("injected/drag.js"),
    include_str!("injected/fill.js"),
    include_str!("injected/choose.js"),
    include_str!("injected/reading.js"),
    include_str!("injected/wheel.js"),
    include_str!("injected/conditions.js"),
    include_str!("injected/frames.js"),
    include_str!("injected/snapshot.js"),
    include_str!("injected/outline.js"),
    include_str!("injected/main.js"),
    "})();\n",
);

/// What pages are set up with.
#[derive(Clone, Debug, Default)]
pub(super) struct Setup {
    /// The viewport in CSS pixels; `None` leaves the window's own.
    pub(super) viewport: Option<(u32, u32)>,
    /// What pages are told of where they run.
    pub(super) emulation: Emulation,
    /// The browser's user agent, where it has to be said again with the language.
    pub(super) agent: Option<String>,
}

impl Setup {
    /// Sets a new page up and lets it run. Everything goes out in one burst; the frame tree's arrival marks the end.
    pub(super) fn page(&self, connection: &Connection, session: &SessionId) {
        // Without emulated focus a page behind another gets no animation frames and no focus events.
        connection.post(Some(session), &SetFocusEmulationEnabledParams::new(true));
        if let Some(viewport) = self.viewport {
            connection.post(Some(session), &emulation::size(viewport));
        }
        self.document(connection, session);
    }

    /// Sets an out-of-process iframe up and lets it run.
    pub(super) fn frame(&self, connection: &Connection, session: &SessionId) {
        self.document(connection, session);
    }

    fn document(&self, connection: &Connection, session: &SessionId) {
        self.emulation.apply(connection, session, self.agent.as_deref());
        let session = Some(session);
        connection.post(session, &PageEnable::default());
        // Before the lifecycle events: those of a loader that isn't known yet are passed over.
        connection.track(session, &GetFrameTreeParams::default());
        connection.post(session, &SetLifecycleEventsEnabledParams::new(true));
        connection.post(session, &RuntimeEnable::default());
        let mut bundle = AddScriptToEvaluateOnNewDocumentParams::new(BUNDLE);
        bundle.world_name = Some(WORLD.to_owned());
        bundle.run_immediately = Some(true);
        connection.post(session, &bundle);
        connection.post(session, &auto_attach("iframe"));
        connection.post(session, &RunIfWaitingForDebuggerParams::default());
    }
}

/// Attaches to every target of a kind that opens below a session, paused before its first script.
pub(super) fn auto_attach(kind: &str) -> SetAutoAttachParams {
    let mut attach = SetAutoAttachParams::new(true, true);
    attach.flatten = Some(true);
    let only = FilterEntry { exclude: None, r#type: Some(kind.to_owned()) };
    attach.filter = Some(TargetFilter::new(vec![only]));
    attach
}

/// Lets a target that we don't set up go on.
pub(super) fn resume(connection: &Connection, session: &SessionId) {
    connection.post(Some(session), &RunIfWaitingForDebuggerParams::default());
}

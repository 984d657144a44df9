//! From options to the stage that actions are performed on.

use std::sync::Arc;
use std::time::Duration;

use super::Environment;
use crate::browser::{Emulation, LaunchOptions, Session};
use crate::config::Options;
use crate::run::{Settings, Stage};
use crate::secrets::Store;

/// The browser gets this long to close by itself.
const CLOSING: Duration = Duration::from_secs(5);

/// A stage without a browser yet: the first call that needs one launches it.
pub(super) fn stage(options: &Options, environment: &Environment) -> Arc<Stage> {
    let variables = Arc::clone(environment);
    let store = Store::new(options.env_files.clone(), move |name: &str| text(&variables, name));
    stage_with(options, environment, store)
}

/// The same with other secrets.
pub(super) fn stage_with(options: &Options, environment: &Environment, store: Store) -> Arc<Stage> {
    let session = Session::new(LaunchOptions {
        executable: options.browser.clone(),
        profile: options.profile.clone(),
        headed: options.headed,
        viewport: (options.viewport.width, options.viewport.height),
        emulation: Emulation {
            locale: options.locale.clone(),
            time_zone: options.time_zone.clone(),
            user_agent: options.user_agent.clone(),
            headers: options.headers.clone(),
            touch: options.touch,
        },
        proxy: options.proxy.clone(),
        endpoint: options.cdp_endpoint.clone(),
        storage_state: options.storage_state.clone(),
        test_id_attribute: options.test_id_attribute.clone(),
        path: text(environment, "PATH"),
    });
    let settings = Settings {
        workspace: options.workspace.clone(),
        step_timeout: options.timeout,
        action_timeout: options.action_timeout,
        queue_timeout: options.queue_timeout,
        failure_screenshot: options.failure_screenshot,
    };
    Arc::new(Stage::new(session, Arc::new(store), settings))
}

/// Closes the browser, in a bounded time.
pub(super) async fn close(stage: &Stage) {
    if tokio::time::timeout(CLOSING, stage.shutdown()).await.is_err() {
        tracing::warn!("the browser did not close in time");
    }
}

/// A variable that is text.
pub(super) fn text(environment: &Environment, name: &str) -> Option<String> {
    environment(name)?.into_string().ok()
}

//! A browser that dies is replaced; a host that ends takes its browser along, however it ends.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::{TestHost, browser, gone};

const HELLO: (&str, &str) = (
    "actions/hello.yaml",
    "description: Says hello\nsteps:\n  - navigate: data:text/html,hello\n  - get_text: css:body\n",
);
const WAIT: (&str, &str) =
    ("actions/wait.yaml", "description: Waits\nsteps:\n  - navigate: about:blank\n  - wait_for_timeout: 50s\n");

fn kill(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.cast_signed()).expect("a process"), signal).expect("signalled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_killed_between_calls_costs_no_error() {
    let host = TestHost::start(&[HELLO]).await;
    assert_eq!(host.call("hello", json!({})).await.page_text(), "hello");
    let profile = host.path("profile").display().to_string();
    kill(browser(&host.path("profile")), Signal::KILL);
    assert!(gone(&profile).await);
    assert_eq!(host.call("hello", json!({})).await.page_text(), "hello");
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_browser_outlives_its_host() {
    for signal in [None, Some(Signal::TERM), Some(Signal::KILL)] {
        for busy in [false, true] {
            let host = TestHost::start(&[HELLO, WAIT]).await;
            let profile = host.path("profile").display().to_string();
            assert_eq!(host.call("hello", json!({})).await.page_text(), "hello");
            let call = if busy { Some(host.begin("wait", json!({})).await) } else { None };
            if busy {
                host.heard("wait_for_timeout").await;
            }
            assert!(!host.browsers().is_empty());
            match signal {
                Some(signal) => kill(host.pid(), signal),
                None => drop(host.close().await),
            }
            assert!(gone(&profile).await, "after {signal:?}, busy: {busy}");
            drop(call);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_frees_the_session() {
    let host = TestHost::start(&[HELLO, WAIT]).await;
    assert_eq!(host.call("hello", json!({})).await.page_text(), "hello");
    let call = host.begin("wait", json!({})).await;
    host.heard("wait_for_timeout").await;
    call.cancel(Some("enough".to_owned())).await.expect("cancelled");
    assert_eq!(host.call("hello", json!({})).await.page_text(), "hello");
    host.close().await;
}

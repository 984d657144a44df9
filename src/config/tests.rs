//! Command lines, environments and files, and the options that come of them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::*;

/// A directory with an `actions` folder, an environment, and a `repertoire.yaml` beside the actions.
struct World {
    folder: tempfile::TempDir,
    environment: Vec<(&'static str, &'static str)>,
    file: Option<Value>,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("actions")).unwrap();
        World { folder, environment: Vec::new(), file: None }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn parse(&self, line: &str) -> Result<Invocation, String> {
        let arguments = std::iter::once("repertoire").chain(line.split_whitespace()).map(OsString::from).collect();
        let environment = |name: &str| {
            self.environment.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        };
        let read = |path: &Path| -> Result<Option<Map<String, Value>>, String> {
            let here = path == self.path("repertoire.yaml");
            Ok(self.file.as_ref().filter(|_| here).and_then(Value::as_object).cloned())
        };
        let surroundings = Surroundings { environment: &environment, directory: self.folder.path(), read: &read };
        parse(arguments, &surroundings).map_err(|failure| {
            let shown = self.folder.path().display().to_string();
            match failure {
                Failure::Usage(error) => error.to_string(),
                Failure::Options(error) => match error.hint() {
                    Some(hint) => format!("{error} ({hint})"),
                    None => error.to_string(),
                },
            }
            .replace(&shown, "…")
        })
    }

    fn serve(&self, line: &str) -> Result<Options, String> {
        match self.parse(&format!("serve {line}"))?.task {
            Task::Serve(options) => Ok(options),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn defaults_hold_where_nothing_is_said() {
    let world = World::new();
    let expected = Options {
        actions: vec![world.path("actions")],
        env_files: vec![world.path("actions/.env"), world.path(".env")],
        workspace: world.path(""),
        browser: None,
        profile: None,
        headed: false,
        cdp_endpoint: None,
        storage_state: None,
        proxy: None,
        locale: None,
        time_zone: None,
        user_agent: None,
        touch: false,
        headers: Vec::new(),
        viewport: Viewport { width: 1280, height: 720 },
        timeout: Duration::from_secs(10),
        action_timeout: Duration::from_secs(120),
        test_id_attribute: "data-testid".to_owned(),
        queue_timeout: Duration::from_secs(30),
        failure_screenshot: false,
        log: Level::Info,
    };
    assert_eq!(world.serve("").unwrap(), expected);
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let mut world = World::new();
    world.file = Some(json!({ "timeout": "1s", "headed": true, "viewport": "800x600", "workspace": "out" }));
    world.environment = vec![("REPERTOIRE_TIMEOUT", "2s"), ("REPERTOIRE_VIEWPORT", "1024x768"), ("REPERTOIRE_LOG", "")];
    let options = world.serve("--timeout 3s").unwrap();
    assert_eq!(options.timeout, Duration::from_secs(3));
    assert_eq!(options.viewport, Viewport { width: 1024, height: 768 });
    assert_eq!((options.headed, options.workspace), (true, world.path("out")));
    assert!(!world.serve("--headed=false").unwrap().headed);
}

#[test]
fn headers_are_lines_of_a_flag_and_a_map_of_the_file() {
    let mut world = World::new();
    world.file = Some(json!({ "header": { "X-Team": "shop", "X-Run": "7: a" }, "locale": "de-CH" }));
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let options = world.serve("").unwrap();
    assert_eq!(options.headers, [header("X-Team", "shop"), header("X-Run", "7: a")]);
    assert_eq!(options.locale.as_deref(), Some("de-CH"));
    assert_eq!(world.serve("--header A:1 --header B:2").unwrap().headers, [header("A", "1"), header("B", "2")]);
    world.environment = vec![("REPERTOIRE_HEADER", "A: 1\nB: 2")];
    assert_eq!(world.serve("").unwrap().headers, [header("A", "1"), header("B", "2")]);
}

#[test]
fn what_a_browser_is_told_is_checked() {
    let world = World::new();
    let refused = |line: &str| world.serve(line).expect_err("refused").to_string();
    assert_eq!(refused("--header Token"), "`--header` takes headers like `Name: value`: `Token`");
    assert_eq!(refused("--locale german"), "`--locale` takes a language tag like `en-GB`: `german`");
    assert_eq!(
        refused("--proxy http://ada:pw@proxy.test:8080"),
        "`--proxy` takes an address like `http://localhost:9222`, without a name and password: `http://ada:pw@proxy.test:8080`"
    );
}

#[test]
fn paths_may_be_given_several_times() {
    let mut world = World::new();
    let options = world.serve("--actions one --actions ./two").unwrap();
    assert_eq!(options.actions, [world.path("one"), world.path("two")]);
    assert_eq!(
        options.env_files,
        [world.path("one/.env"), world.path(".env"), world.path("two/.env")],
        "each place once"
    );
    world.file = Some(json!({ "actions": ["three", "four"] }));
    assert_eq!(world.serve("").unwrap().actions, [world.path("three"), world.path("four")]);
}

#[test]
fn mistakes_name_their_source() {
    let mut world = World::new();
    let error = |world: &World, line: &str| world.serve(line).unwrap_err();
    assert_eq!(
        error(&world, "--timeout soon"),
        "`--timeout` takes a duration like `500ms`, `10s` or `2m`, longer than zero: `soon`"
    );
    assert_eq!(error(&world, "--env-file no.env"), "`--env-file` names a path that does not exist: `…/no.env`");
    world.environment = vec![("REPERTOIRE_LOG", "loud")];
    assert_eq!(
        error(&world, ""),
        "the environment variable `REPERTOIRE_LOG` takes one of `error`, `warn`, `info`, `debug`: `loud`"
    );
    world.file = Some(json!({ "viewport": 1280 }));
    assert_eq!(
        error(&world, "--log info"),
        "`viewport` in `…/repertoire.yaml` takes a size like `1280x720`, each side between 1 and 10000: `1280`"
    );
    world.file = Some(json!({ "time-out": "1s" }));
    assert_eq!(error(&world, ""), "unknown option in `…/repertoire.yaml`: `time-out` (did you mean `timeout`?)");
}

#[test]
fn without_actions_there_is_a_hint() {
    let world = World::new();
    fs::remove_dir(world.path("actions")).unwrap();
    assert_eq!(
        world.serve("").unwrap_err(),
        "there is no directory of actions: `…/actions` (name one with `--actions DIR`, create `actions` here, or try \
         `repertoire demo` first)"
    );
    assert!(matches!(world.parse("demo").unwrap().task, Task::Demo(_)), "the demonstration brings its own");
}

#[test]
fn inputs_are_pairs() {
    let world = World::new();
    match world.parse("run shop_login -i email=a@b.c --input note=a=b --json").unwrap().task {
        Task::Run(run) => {
            assert_eq!((run.action.as_str(), run.json), ("shop_login", true));
            assert_eq!(run.inputs, [("email".into(), "a@b.c".into()), ("note".into(), "a=b".into())]);
        }
        other => panic!("{other:?}"),
    }
    let error = world.parse("run shop_login --input email").unwrap_err();
    assert!(error.contains("expected `NAME=VALUE`"), "{error}");
}

#[test]
fn help_shows_every_option_with_default_and_variable() {
    let help = World::new().parse("serve --help").unwrap_err();
    let help: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for definition in table() {
        for part in [format!("--{}", definition.flag()), definition.variable(), definition.default.to_owned()] {
            assert!(help.contains(&part), "{part} is not in: {help}");
        }
    }
}

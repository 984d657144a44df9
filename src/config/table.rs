//! The table of options: key, kind, default and doc of each, once.
//!
//! The flag and the environment variable follow from the key, so that the three spellings can't drift apart.

/// What an option's value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One path.
    Path,
    /// Several paths: a repeated flag, a list in the file, a search path in the environment.
    Paths,
    /// True or false.
    Switch,
    /// `WIDTHxHEIGHT` in CSS pixels.
    Size,
    /// A duration such as `10s` or `2m`.
    Duration,
    /// The name of an HTML attribute.
    Attribute,
    /// A level of logging.
    Level,
    /// A language as a BCP 47 tag.
    Language,
    /// One line of text.
    Text,
    /// An address.
    Url,
    /// Headers: a repeated flag or lines of `Name: value`, a map in the file.
    Headers,
}

impl Kind {
    /// What a value of this kind looks like, for error messages.
    pub fn expected(self) -> &'static str {
        match self {
            Kind::Path => "a path",
            Kind::Paths => "a path or a list of paths",
            Kind::Switch => "`true` or `false`",
            Kind::Size => "a size like `1280x720`, each side between 1 and 10000",
            Kind::Duration => "a duration like `500ms`, `10s` or `2m`, longer than zero",
            Kind::Attribute => "the name of an attribute like `data-testid`",
            Kind::Level => "one of `error`, `warn`, `info`, `debug`",
            Kind::Language => "a language tag like `en-GB`",
            Kind::Text => "one line of text",
            Kind::Url => "an address like `http://localhost:9222`, without a name and password",
            Kind::Headers => "headers like `Name: value`",
        }
    }
}

/// Which subcommands an option belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    /// Every subcommand.
    Host,
    /// Those that load actions.
    Actions,
    /// Those that perform actions.
    Session,
}

/// One option.
#[derive(Debug)]
pub struct Definition {
    /// Its key in `repertoire.yaml`; the flag and the environment variable follow from it.
    pub key: &'static str,
    /// What its value looks like.
    pub kind: Kind,
    /// What stands for the value in help texts; empty for a switch.
    pub value: &'static str,
    /// The default, as text for people.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    pub(super) scope: Scope,
}

impl Definition {
    /// The flag's name without its dashes.
    pub fn flag(&self) -> String {
        self.key.replace('_', "-")
    }

    /// The environment variable's name.
    pub fn variable(&self) -> String {
        format!("REPERTOIRE_{}", self.key.to_uppercase())
    }
}

/// Every option, in the order of the help text.
pub fn table() -> &'static [Definition] {
    &TABLE
}

/// The option of the given key.
pub(super) fn find(key: &str) -> Option<&'static Definition> {
    TABLE.iter().find(|definition| definition.key == key)
}

static TABLE: [Definition; 21] = [
    Definition {
        key: "actions",
        kind: Kind::Paths,
        value: "DIR",
        default: "`actions` in the current directory",
        doc: "A directory of actions; may be given several times.",
        scope: Scope::Actions,
    },
    Definition {
        key: "env_file",
        kind: Kind::Paths,
        value: "FILE",
        default: "`.env` in and beside the actions directory, and in the current directory",
        doc: "A file of secrets in `.env` form; may be given several times, and the first that has a name wins.",
        scope: Scope::Session,
    },
    Definition {
        key: "workspace",
        kind: Kind::Path,
        value: "DIR",
        default: "the current directory",
        doc: "The directory that screenshots are written to and uploads are read from.",
        scope: Scope::Session,
    },
    Definition {
        key: "browser",
        kind: Kind::Path,
        value: "FILE",
        default: "the first Chromium or Chrome found",
        doc: "The browser's executable.",
        scope: Scope::Session,
    },
    Definition {
        key: "profile",
        kind: Kind::Path,
        value: "DIR",
        default: "a fresh temporary one",
        doc: "The browser's profile directory, kept between runs.",
        scope: Scope::Session,
    },
    Definition {
        key: "headed",
        kind: Kind::Switch,
        value: "",
        default: "false",
        doc: "Shows the browser's window.",
        scope: Scope::Session,
    },
    Definition {
        key: "cdp_endpoint",
        kind: Kind::Url,
        value: "URL",
        default: "a browser of its own",
        doc: "The DevTools endpoint of a browser that runs already: `http://…` or `ws://…`.",
        scope: Scope::Session,
    },
    Definition {
        key: "storage_state",
        kind: Kind::Path,
        value: "FILE",
        default: "none",
        doc: "Cookies and local storage that a new browser begins with, as `save_state` and Playwright write them.",
        scope: Scope::Session,
    },
    Definition {
        key: "proxy",
        kind: Kind::Url,
        value: "URL",
        default: "the system's",
        doc: "The proxy of a browser of its own: `http://…`, `https://…` or `socks5://…`.",
        scope: Scope::Session,
    },
    Definition {
        key: "locale",
        kind: Kind::Language,
        value: "TAG",
        default: "the browser's",
        doc: "The language of pages, dates and numbers.",
        scope: Scope::Session,
    },
    Definition {
        key: "time_zone",
        kind: Kind::Text,
        value: "NAME",
        default: "the system's",
        doc: "The time zone of pages as an IANA name such as `Europe/Zurich`.",
        scope: Scope::Session,
    },
    Definition {
        key: "user_agent",
        kind: Kind::Text,
        value: "TEXT",
        default: "the browser's",
        doc: "What the browser calls itself.",
        scope: Scope::Session,
    },
    Definition {
        key: "touch",
        kind: Kind::Switch,
        value: "",
        default: "false",
        doc: "Emulates a touch screen; clicks are taps then.",
        scope: Scope::Session,
    },
    Definition {
        key: "header",
        kind: Kind::Headers,
        value: "NAME: VALUE",
        default: "none",
        doc: "A header that every request carries; may be given several times.",
        scope: Scope::Session,
    },
    Definition {
        key: "viewport",
        kind: Kind::Size,
        value: "SIZE",
        default: "1280x720",
        doc: "The size of the page in CSS pixels.",
        scope: Scope::Session,
    },
    Definition {
        key: "timeout",
        kind: Kind::Duration,
        value: "DURATION",
        default: "10s",
        doc: "How long one step may take, unless the step says otherwise.",
        scope: Scope::Session,
    },
    Definition {
        key: "action_timeout",
        kind: Kind::Duration,
        value: "DURATION",
        default: "2m",
        doc: "How long one action may take, unless the action says otherwise.",
        scope: Scope::Session,
    },
    Definition {
        key: "test_id_attribute",
        kind: Kind::Attribute,
        value: "NAME",
        default: "data-testid",
        doc: "The attribute that `testid:` selectors read.",
        scope: Scope::Session,
    },
    Definition {
        key: "queue_timeout",
        kind: Kind::Duration,
        value: "DURATION",
        default: "30s",
        doc: "How long a call waits for its turn while another one uses the browser.",
        scope: Scope::Session,
    },
    Definition {
        key: "failure_screenshot",
        kind: Kind::Switch,
        value: "",
        default: "false",
        doc: "Adds a picture of the page to the report of a failure; it shows what is typed in, secrets too.",
        scope: Scope::Session,
    },
    Definition {
        key: "log",
        kind: Kind::Level,
        value: "LEVEL",
        default: "info",
        doc: "What is logged to standard error: error, warn, info or debug.",
        scope: Scope::Host,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_unique_and_docs_are_one_sentence() {
        let keys: BTreeSet<_> = table().iter().map(|definition| definition.key).collect();
        assert_eq!(keys.len(), table().len());
        for definition in table() {
            let doc = definition.doc;
            assert!(doc.ends_with('.') && !doc.contains(". "), "one sentence: {doc}");
            assert_eq!(definition.value.is_empty(), definition.kind == Kind::Switch, "{}", definition.key);
        }
    }

    #[test]
    fn the_three_spellings_follow_from_the_key() {
        let definition = find("action_timeout").unwrap();
        assert_eq!(definition.flag(), "action-timeout");
        assert_eq!(definition.variable(), "REPERTOIRE_ACTION_TIMEOUT");
    }
}

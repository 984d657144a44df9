//! The vocabulary: every browser command, defined once.
//!
//! One struct is one command: its documentation, its typed arguments with their schema, an example, and `run`. YAML
//! steps, the built-in tools and (later) scripts are thin adapters over [`execute`]; the README's table, the schemas
//! and the checks of the loader are made from [`all`].
//!
//! Leaves to others: how an element is found and acted on (`browser`), files and steps (`action`), the words for a
//! client (`mcp::response`).

mod capture;
mod duration;
mod error;
mod expect;
mod file_name;
mod form;
mod misuse;
mod navigation;
mod pointer;
mod read;
mod script;
mod session;
mod state;
mod table;
mod tabs;
mod wait;
mod workspace;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::time::Duration;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub use duration::{Time, parse_duration};
pub use error::Error;
pub use expect::{PageState, StateKind, holds, page_state, page_states};
pub use misuse::Misuse;
pub use session::dialog_value;
pub use table::markdown_table;
pub use tabs::tab_value;
pub use workspace::Workspace;

use crate::browser::{Deadline, Page, Picture, Session};
use crate::secrets::{Store, Tree};

/// One command of the vocabulary.
pub struct Definition {
    /// Its name in YAML, in `browser_session` and in the docs.
    pub name: &'static str,
    /// The argument that may stand at the command's name: `- click: role:button`.
    pub main: Option<&'static str>,
    /// A step in YAML, as the docs show it.
    pub example: &'static str,
    /// What a capture with `as` holds.
    pub returns: &'static str,
    /// Whether it does something in the page that dialogs, tabs and downloads can come of.
    pub acts: bool,
    timeout: Option<Duration>,
    schema: fn() -> Schema,
    cache: OnceLock<Schema>,
    run: Run,
    words: fn(&Value) -> Option<String>,
    misuse: fn(&Map<String, Value>) -> Option<Misuse>,
}

type Running<'a> = Pin<Box<dyn Future<Output = Result<Output, Error>> + Send + 'a>>;
type Run = for<'a> fn(Value, &'a mut Context<'_>) -> Running<'a>;

struct Schema {
    doc: String,
    object: Map<String, Value>,
}

/// What a command needs to run.
pub struct Context<'a> {
    /// The one browser session.
    pub session: &'a mut Session,
    /// Resolves the secrets that arguments name.
    pub store: &'a Store,
    /// Where files may be read and written.
    pub workspace: &'a Workspace,
    /// The step's own limit.
    pub deadline: Deadline,
    /// The limit of the whole action.
    pub overall: Deadline,
}

/// A command with its arguments, in which secrets are named but not resolved.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which command.
    pub command: &'static Definition,
    /// Its arguments by name.
    pub arguments: Vec<(String, Tree)>,
}

/// What a command answers.
#[derive(Debug, Default)]
pub struct Output {
    /// The result, null for commands that only act.
    pub value: Value,
    /// Pictures for the client.
    pub pictures: Vec<Picture>,
}

/// One struct per command: its fields are the arguments, its doc comment is the command's documentation.
trait Command: DeserializeOwned + JsonSchema + Send + 'static {
    const NAME: &'static str;
    const MAIN: Option<&'static str> = None;
    const EXAMPLE: &'static str;
    const RETURNS: &'static str = "nothing";
    /// Limits the step where neither it nor the options do otherwise.
    const TIMEOUT: Option<Duration> = None;
    /// Whether dialogs, tabs and downloads can come of it.
    const ACTS: bool = true;

    fn run(self, context: &mut Context<'_>) -> impl Future<Output = Result<Output, Error>> + Send;

    /// What a step does, in words, where the main argument says it badly.
    fn words(_main: &Value) -> Option<String> {
        None
    }

    /// What is wrong with arguments beyond their types; one whose value is not known yet is null.
    fn misuse(_given: &Map<String, Value>) -> Option<Misuse> {
        None
    }
}

const fn define<C: Command>() -> Definition {
    Definition {
        name: C::NAME,
        main: C::MAIN,
        example: C::EXAMPLE,
        returns: C::RETURNS,
        acts: C::ACTS,
        timeout: C::TIMEOUT,
        schema: schema::<C>,
        cache: OnceLock::new(),
        words: C::words,
        misuse: C::misuse,
        run: |arguments, context| {
            Box::pin(async move {
                let command: C = serde_json::from_value(arguments)
                    .map_err(|error| Error::Arguments { command: C::NAME, message: error.to_string() })?;
                command.run(context).await
            })
        },
    }
}

/// Every command, in the order of the docs.
pub fn all() -> &'static [Definition] {
    static ALL: [Definition; 40] = [
        define::<navigation::Navigate>(),
        define::<navigation::NavigateBack>(),
        define::<navigation::NavigateForward>(),
        define::<navigation::Reload>(),
        define::<read::GetUrl>(),
        define::<read::GetTitle>(),
        define::<pointer::Click>(),
        define::<form::Fill>(),
        define::<form::Type>(),
        define::<form::Clear>(),
        define::<form::PressKey>(),
        define::<pointer::Hover>(),
        define::<form::Check>(),
        define::<form::Uncheck>(),
        define::<form::SelectOption>(),
        define::<pointer::Drag>(),
        define::<form::UploadFile>(),
        define::<pointer::Scroll>(),
        define::<wait::WaitForText>(),
        define::<wait::WaitForSelector>(),
        define::<wait::WaitForUrl>(),
        define::<wait::WaitForLoad>(),
        define::<wait::WaitForTimeout>(),
        define::<expect::Expect>(),
        define::<read::GetText>(),
        define::<read::GetValue>(),
        define::<read::GetAttribute>(),
        define::<read::GetCount>(),
        define::<script::Evaluate>(),
        define::<capture::Snapshot>(),
        define::<capture::Screenshot>(),
        define::<tabs::Tabs>(),
        define::<tabs::OpenTab>(),
        define::<tabs::SwitchTab>(),
        define::<tabs::CloseTab>(),
        define::<session::HandleDialog>(),
        define::<state::SetViewport>(),
        define::<state::SaveState>(),
        define::<state::LoadState>(),
        define::<session::CloseBrowser>(),
    ];
    &ALL
}

/// The command of a name.
pub fn find(name: &str) -> Option<&'static Definition> {
    static BY_NAME: OnceLock<BTreeMap<&'static str, &'static Definition>> = OnceLock::new();
    BY_NAME.get_or_init(|| all().iter().map(|definition| (definition.name, definition)).collect()).get(name).copied()
}

/// An argument's name in our spelling: the classic format's `clickCount` is `click_count`.
pub fn snake_case(key: &str) -> Cow<'_, str> {
    if !key.chars().any(|character| character.is_ascii_uppercase()) {
        return Cow::Borrowed(key);
    }
    let mut spelled = String::with_capacity(key.len() + 2);
    for character in key.chars() {
        if character.is_ascii_uppercase() {
            spelled.push('_');
        }
        spelled.push(character.to_ascii_lowercase());
    }
    Cow::Owned(spelled)
}

/// The schema of a list of commands given as data, for `browser_session`: flat objects, because clients and models
/// handle alternatives of objects badly.
pub fn list_schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(make_list_schema)
}

fn make_list_schema() -> Value {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({ "type": "string", "enum": all().iter().map(|definition| definition.name).collect::<Vec<_>>(), "description": "The command" }));
    for definition in all() {
        for (name, property) in definition.properties() {
            let used_by = format!("{}: {}", definition.name, property["description"].as_str().unwrap_or_default());
            match properties.get_mut(name) {
                None => {
                    let mut property = property.clone();
                    property["description"] = Value::from(used_by);
                    properties.insert(name.clone(), property);
                }
                Some(Value::Object(known)) => {
                    // Two commands may use one name for different types: what both take is anything.
                    if shape(known) != property.as_object().map(shape).unwrap_or_default() {
                        let description = known.remove("description").unwrap_or_default();
                        known.clear();
                        known.insert("description".to_owned(), description);
                    }
                    if let Some(Value::String(description)) = known.get_mut("description")
                        && description.len() < 160
                    {
                        description.push_str("; ");
                        description.push_str(&used_by);
                    }
                }
                Some(_) => {}
            }
        }
    }
    properties.insert(
        "timeout".to_owned(),
        json!({ "type": ["integer", "string"], "description": "Limit for this command: milliseconds, or `5s`" }),
    );
    properties
        .insert("optional".to_owned(), json!({ "type": "boolean", "description": "Go on when this command fails" }));
    json!({ "type": "array", "minItems": 1, "items": { "type": "object", "properties": properties, "required": ["type"] } })
}

fn shape(property: &Map<String, Value>) -> Vec<(&String, &Value)> {
    property.iter().filter(|(key, _)| *key != "description" && *key != "default").collect()
}

/// Runs one command: resolves the secrets that its arguments name, then acts.
///
/// # Errors
/// Missing secrets, all at once and before anything is done; arguments of a wrong type; what the browser answers.
pub async fn execute(call: &Call, context: &mut Context<'_>) -> Result<Output, Error> {
    let arguments = context.store.resolve(&Tree::Map(call.arguments.clone()))?;
    let deadline = context.deadline.clone();
    let outcome = (call.command.run)(arguments, context).await;
    match outcome {
        Err(Error::Browser(error)) => Err(Error::Browser(explained(error, context, &deadline).await)),
        outcome => outcome,
    }
}

/// An error with what a last look at the page adds to it.
async fn explained(
    error: crate::browser::Error,
    context: &mut Context<'_>,
    deadline: &Deadline,
) -> crate::browser::Error {
    const LOOK: Duration = Duration::from_millis(500);
    let look = deadline.renewed(LOOK);
    match (error.about().cloned(), context.session.is_running()) {
        (Some(selector), true) => match context.session.page(&look).await {
            Ok(page) => page.explain(error, &selector, &look).await,
            Err(_) => error,
        },
        _ => error,
    }
}

impl Definition {
    /// What it does, in one sentence.
    pub fn doc(&self) -> &str {
        &self.described().doc
    }

    /// The schema of its arguments: an inline 2020-12 object.
    pub fn schema(&self) -> &Map<String, Value> {
        &self.described().object
    }

    /// The schemas of its arguments by name.
    pub fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.schema().get("properties").and_then(Value::as_object).into_iter().flatten()
    }

    /// The arguments that must be given.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.schema().get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// What a step with this main argument does, in words; `None` where the argument itself says it.
    pub fn words(&self, main: &Value) -> Option<String> {
        (self.words)(main)
    }

    /// What is wrong with arguments that each have the right type; one whose value is not known yet is null.
    pub fn misuse(&self, given: &Map<String, Value>) -> Option<Misuse> {
        (self.misuse)(given)
    }

    /// The limit of a step of this command, where the command has its own.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    fn described(&self) -> &Schema {
        self.cache.get_or_init(self.schema)
    }
}

impl std::fmt::Debug for Definition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Definition").field(&self.name).finish()
    }
}

impl Context<'_> {
    async fn page(&mut self) -> Result<Page<'_>, Error> {
        Ok(self.session.page(&self.deadline).await?)
    }
}

impl Output {
    fn of(value: impl Into<Value>) -> Output {
        Output { value: value.into(), ..Output::default() }
    }
}

fn schema<C: Command>() -> Schema {
    let generator = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    let mut schema = generator.into_root_schema_for::<C>();
    let doc = schema.remove("description").and_then(|doc| doc.as_str().map(one_line)).unwrap_or_default();
    for key in ["$schema", "title"] {
        schema.remove(key);
    }
    let mut object = match schema.to_value() {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    for property in object.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        tidy(property);
    }
    Schema { doc, object }
}

/// Takes out what optional fields bring along (`null` beside the type) and folds descriptions into one line.
fn tidy(property: &mut Value) {
    let Some(property) = property.as_object_mut() else { return };
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(alternatives)) = property.get_mut("anyOf") {
        alternatives.retain(|alternative| alternative["type"] != "null");
        if let [Value::Object(only)] = alternatives.as_slice() {
            let only = only.clone();
            property.remove("anyOf");
            for (key, value) in only {
                property.entry(key).or_insert(value);
            }
        }
    }
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if property.get("default").is_some_and(Value::is_null) {
        property.remove("default");
    }
    if let Some(Value::String(description)) = property.get_mut("description") {
        *description = one_line(description);
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The classic format's commands, which keep their names.
    const CLASSIC: [&str; 24] = [
        "navigate",
        "navigate_back",
        "reload",
        "get_url",
        "get_title",
        "click",
        "type",
        "fill",
        "clear",
        "press_key",
        "hover",
        "check",
        "uncheck",
        "select_option",
        "drag",
        "upload_file",
        "wait_for_text",
        "wait_for_selector",
        "wait_for_timeout",
        "get_text",
        "get_attribute",
        "evaluate",
        "screenshot",
        "scroll",
    ];

    #[test]
    fn names_are_unique_and_hold_the_classic_ones() {
        let names: BTreeSet<&str> = all().iter().map(|definition| definition.name).collect();
        assert_eq!(names.len(), all().len());
        assert!(CLASSIC.iter().all(|name| names.contains(name)));
    }

    #[test]
    fn every_command_and_argument_is_documented_in_one_sentence() {
        for definition in all() {
            assert!(
                !definition.doc().is_empty() && !definition.doc().contains(". "),
                "{}: {:?}",
                definition.name,
                definition.doc()
            );
            for (name, property) in definition.properties() {
                let description = property["description"].as_str().unwrap_or_default();
                assert!(!description.is_empty(), "{}.{name} has no description", definition.name);
            }
            assert_eq!(definition.schema()["additionalProperties"], false, "{}", definition.name);
            assert!(!serde_json::to_string(definition.schema()).expect("JSON").contains("$ref"), "{}", definition.name);
            assert!(
                definition.main.is_none_or(|main| definition.properties().any(|(name, _)| name == main)),
                "{}",
                definition.name
            );
        }
    }

    #[test]
    fn classic_spellings_are_ours_in_snake_case() {
        assert_eq!(snake_case("clickCount"), "click_count");
        assert_eq!(snake_case("targetSelector"), "target_selector");
        assert_eq!(snake_case("selector"), "selector");
    }
}

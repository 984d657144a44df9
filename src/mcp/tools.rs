//! Actions as tools, and the two tools of the host itself.
//!
//! `list_actions` and `run_action` never change, so they work for clients that read the list of tools only once.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::action::{Action, Annotations, Catalog};

/// Lists the actions.
pub(super) const LIST_ACTIONS: &str = "list_actions";
/// Performs an action by name.
pub(super) const RUN_ACTION: &str = "run_action";

/// The names that no action may have.
pub const HOST_TOOLS: [&str; 2] = [LIST_ACTIONS, RUN_ACTION];

/// A list longer than this leaves the schemas out, and says so.
const LIST_BUDGET: usize = 30_000;

/// More problems than this are counted, not shown.
const MOST_PROBLEMS: usize = 20;

/// Every tool, in name order.
pub(super) fn all(catalog: &Catalog) -> Vec<Tool> {
    let mut tools: Vec<Tool> = catalog
        .actions()
        .filter(|action| !HOST_TOOLS.contains(&action.name.as_str()))
        .map(|action| tool(action))
        .chain([list_actions(), run_action()])
        .collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    tools
}

/// The tool of this name.
pub(super) fn find(catalog: &Catalog, name: &str) -> Option<Tool> {
    match name {
        LIST_ACTIONS => Some(list_actions()),
        RUN_ACTION => Some(run_action()),
        name => catalog.get(name).map(|action| tool(action)),
    }
}

fn tool(action: &Action) -> Tool {
    let mut tool = Tool::new(
        Cow::Owned(action.name.clone()),
        Cow::Owned(action.description.clone()),
        Arc::clone(&action.input_schema),
    );
    tool.title.clone_from(&action.title);
    tool.output_schema.clone_from(&action.output_schema);
    tool.annotations = annotations(&action.annotations);
    tool
}

fn annotations(given: &Annotations) -> Option<ToolAnnotations> {
    let annotations =
        ToolAnnotations::from_raw(None, given.read_only, given.destructive, given.idempotent, given.open_world);
    (annotations != ToolAnnotations::default()).then_some(annotations)
}

fn list_actions() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": "Words that the name, title or description must contain." }
        },
        "additionalProperties": false
    });
    let description = "Lists the actions that can be performed now, with their input schemas and the problems of their \
                       files. The list may be newer than your list of tools; perform with `run_action`.";
    let mut tool = Tool::new(LIST_ACTIONS, description, object(schema));
    tool.title = Some("List actions".to_owned());
    tool.annotations = Some(ToolAnnotations::new().read_only(true).open_world(false));
    tool
}

fn run_action() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "The action's name, as `list_actions` shows it." },
            "arguments": {
                "type": "object",
                "description": "The action's arguments, after its input schema.",
                "additionalProperties": true
            }
        },
        "required": ["name"],
        "additionalProperties": false
    });
    let description = "Performs an action by name, exactly as its own tool would. For actions that your list of tools \
                       does not show.";
    let mut tool = Tool::new(RUN_ACTION, description, object(schema));
    tool.title = Some("Perform an action".to_owned());
    tool
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// What `list_actions` answers: the actions that contain all words of the query, and the problems of files.
pub(super) fn listing(catalog: &Catalog, query: &str) -> JsonObject {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let matching: Vec<&Arc<Action>> = catalog.actions().filter(|action| matches(action, &words)).collect();
    let mut problems: Vec<String> = catalog.problems().iter().take(MOST_PROBLEMS).map(ToString::to_string).collect();
    if catalog.problems().len() > MOST_PROBLEMS {
        problems.push(format!("… and {} more: `repertoire check` shows all", catalog.problems().len() - MOST_PROBLEMS));
    }
    let listing = |schemas: bool| {
        let actions: Vec<Value> = matching.iter().map(|action| entry(catalog, action, schemas)).collect();
        let mut listing = json!({ "actions": actions });
        if !problems.is_empty() {
            listing["problems"] = json!(problems);
        }
        if !schemas {
            listing["note"] =
                json!("the input schemas are left out for length; a `query` that matches fewer shows them");
        }
        listing
    };
    let whole = listing(true);
    object(if whole.to_string().len() <= LIST_BUDGET { whole } else { listing(false) })
}

fn matches(action: &Action, words: &[String]) -> bool {
    let title = action.title.as_deref().unwrap_or_default();
    let text = format!("{} {title} {}", action.name, action.description).to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn entry(catalog: &Catalog, action: &Action, schemas: bool) -> Value {
    let mut entry = json!({ "name": action.name, "description": action.description });
    if schemas {
        entry["inputSchema"] = json!(action.input_schema);
    }
    if let Some(problem) = catalog.stale(&action.name) {
        let (location, message) = (problem.location(), &problem.message);
        entry["stale"] = json!(format!("performs its last good version; the file is broken at {location}: {message}"));
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_own_tools_are_listed_in_name_order() {
        let names: Vec<_> = all(&Catalog::default()).into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["list_actions", "run_action"]);
        for name in HOST_TOOLS {
            let tool = find(&Catalog::default(), name).unwrap();
            assert_eq!(tool.input_schema["type"], "object");
            assert!(tool.output_schema.is_none());
        }
    }

    #[test]
    fn an_empty_catalog_lists_nothing() {
        assert_eq!(Value::Object(listing(&Catalog::default(), "shop login")), json!({ "actions": [] }));
    }
}

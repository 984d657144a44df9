//! Owns the schemas of steps: commands in short, in full and in the classic form, the words of the flow, and what may
//! stand beside them.

use serde_json::{Map, Value, json};

use super::value::{self, argument, reference};
use crate::action::awaited::{WORDS, is_sensible};
use crate::action::context::Dialect;
use crate::action::flow::{self, MOST_ROUNDS, Word};
use crate::action::form::PERFORM;
use crate::action::modifiers;
use crate::command::{self, Definition};

/// What other schemas refer to.
pub fn definitions() -> Map<String, Value> {
    let mut definitions = Map::new();
    let mut define = |name: &str, schema: Value| definitions.insert(name.to_owned(), schema);
    for definition in command::all() {
        let arguments = definition.properties().map(|(name, schema)| (name.clone(), argument(schema)));
        define(definition.name, json!({ "properties": arguments.collect::<Map<_, _>>() }));
    }
    let names = modifiers::of(Dialect::Shortcut).iter();
    let modifiers: Map<String, Value> = names.map(|name| ((*name).to_owned(), modifier(name))).collect();
    define("modifiers", json!({ "properties": modifiers }));
    define("command", json!({ "anyOf": command::all().iter().map(short).collect::<Vec<_>>() }));
    define("classic", json!({ "anyOf": command::all().iter().map(classic).collect::<Vec<_>>() }));
    define("flow", json!({ "anyOf": flow::WORDS.iter().map(word).chain([perform()]).collect::<Vec<_>>() }));
    define(
        "step",
        json!({ "anyOf": [
        alone(Some("return")), reference("command"), reference("flow"), reference("classic"),
    ] }),
    );
    define("steps", json!({ "type": "array", "minItems": 1, "items": reference("step") }));
    definitions
}

/// What stands at `commands`, the list of a classic file.
pub fn commands() -> Value {
    let step = json!({ "anyOf": [alone(None), reference("classic"), reference("command"), perform()] });
    json!({
        "type": "array", "minItems": 1, "items": step,
        "description": "The steps of a classic file; a new one has `steps`",
    })
}

/// An entry of `needs` in full.
pub fn need() -> Value {
    json!({
        "type": "object",
        "properties": { "run": target(), "with": values("The arguments of the action"), "unless": reference("condition") },
        "required": ["run"],
        "additionalProperties": false,
    })
}

/// `- get_title`.
fn alone(word: Option<&str>) -> Value {
    let needs_nothing = |definition: &&Definition| definition.required().next().is_none();
    let names = command::all().iter().filter(needs_nothing).map(|definition| definition.name).chain(word);
    json!({
        "enum": names.collect::<Vec<_>>(), "description": "A command without arguments",
        // What the language server says of a step that fits nowhere.
        "errorMessage": "No command of this name, or not one that stands alone",
    })
}

/// `- fill: label:Email`, with the other arguments beside it or all of them in a map.
fn short(definition: &Definition) -> Value {
    let name = definition.name;
    let required: Vec<&str> = definition.required().collect();
    let mut inside = json!({ "type": "object", "properties": arguments(definition), "additionalProperties": false });
    inside["patternProperties"] = camel_case(definition).into();
    let is_main = |name: &&str| definition.main == Some(*name);
    inside["required"] = required.iter().copied().filter(is_main).collect();
    let mut at_name: Vec<Value> = definition.main.iter().map(|main| the_argument(definition, main)).collect();
    at_name.extend([inside, json!({ "type": "null" })]);
    let doc = format!("{}, for example `- {}`", definition.doc(), definition.example);

    let mut properties = Map::new();
    properties.insert(name.into(), json!({ "description": doc, "anyOf": at_name }));
    for (name, schema) in arguments(definition) {
        properties.entry(name).or_insert(schema);
    }
    let mut rules: Vec<Value> = required.iter().map(|argument| given(definition, argument)).collect();
    // The main argument is given once.
    if let Some(main) = definition.main.filter(|main| *main != name) {
        rules.push(
            json!({ "not": { "required": [main], "properties": { name: { "not": { "type": ["object", "null"] } } } } }),
        );
    }
    let mut step = object(name, properties);
    step["patternProperties"] = camel_case(definition).into();
    if !rules.is_empty() {
        step["allOf"] = rules.into();
    }
    headed(name, None, step)
}

/// That an argument is given: beside the command's name, in the map at it, or as its main argument.
fn given(definition: &Definition, argument: &str) -> Value {
    let at_name = match definition.main == Some(argument) {
        true => json!({ "not": { "type": "null" } }),
        false => json!({ "type": "object", "required": [argument] }),
    };
    let beside = if argument == definition.name { json!(false) } else { json!({ "required": [argument] }) };
    json!({ "if": { "properties": { definition.name: at_name } }, "else": beside })
}

/// `{ type: fill, selector: …, value: … }`.
fn classic(definition: &Definition) -> Value {
    let mut properties = Map::new();
    let doc = format!("{} (the classic form)", definition.doc());
    properties.insert("type".into(), json!({ "const": definition.name, "description": doc }));
    properties.extend(arguments(definition));
    properties.insert("description".into(), value::words("What people are shown instead of the command"));
    let mut step = object(definition.name, properties);
    // The classic format's name for how long to wait is `timeout`.
    step["required"] = definition.required().filter(|name| *name != "duration").collect();
    step["patternProperties"] = camel_case(definition).into();
    headed("type", Some(definition.name), step)
}

/// A word of the flow.
fn word(word: &Word) -> Value {
    let doc = format!("{}, for example `- {}`", word.doc, word.example);
    let fields =
        || -> Map<String, Value> { word.keys.iter().map(|key| ((*key).to_owned(), field(word, key))).collect() };
    let map = |required: &[&str]| json!({ "type": "object", "properties": fields(), "required": required, "additionalProperties": false });
    let mut main = match word.name {
        "if" => json!({ "allOf": [reference("condition")] }),
        "for_each" => map(&["in", "as", "steps"]),
        "repeat" => {
            let mut repeat = map(&["max", "steps"]);
            repeat["not"] = json!({ "required": ["while", "until"] });
            repeat
        }
        "group" => json!({ "allOf": [reference("steps")] }),
        "run" => target(),
        "set" => json!({ "type": "object", "minProperties": 1 }),
        "return" => json!({ "type": ["object", "null"] }),
        "fail" => json!({ "anyOf": [reference("text"), map(&["message"])] }),
        _ => json!({}),
    };
    main["description"] = doc.into();
    let mut properties = Map::new();
    properties.insert(word.name.into(), main);
    properties.extend(word.parts.iter().map(|part| ((*part).to_owned(), self::part(part))));
    let mut step = object(word.name, properties);
    if word.name == "if" {
        step["required"] = json!(["then"]);
    }
    if !word.captures
        && let Some(properties) = step["properties"].as_object_mut()
    {
        properties.shift_remove("as");
    }
    headed(word.name, None, step)
}

/// What stands beside a word of the flow.
fn part(part: &str) -> Value {
    match part {
        "then" => json!({ "allOf": [reference("steps")], "description": "The steps where it holds" }),
        "else" => json!({ "allOf": [reference("steps")], "description": "The steps where it does not" }),
        "with" => values("The arguments of the action"),
        _ => json!({}),
    }
}

/// A key of the map of a word.
fn field(word: &Word, key: &str) -> Value {
    match (word.name, key) {
        (_, "in") => json!({ "anyOf": [reference("expression"), { "type": "array" }], "description": "The list" }),
        (_, "as") => value::name("The name of the item"),
        (_, "index") => value::name("The name of the round, counted from 0"),
        (_, "steps") => reference("steps"),
        (_, "max") => json!({
            "anyOf": [{ "type": "integer", "minimum": 1, "maximum": MOST_ROUNDS }, reference("expression")],
            "description": "Rounds at most",
        }),
        (_, "while") => json!({ "allOf": [reference("condition")], "description": "A round begins while this holds" }),
        (_, "until") => json!({ "allOf": [reference("condition")], "description": "No round begins once this holds" }),
        (_, "code") => value::code(),
        (_, "message") => value::words("What happened"),
        (_, "hint") => value::words("What to do about it"),
        _ => json!({}),
    }
}

/// `perform`, for commands given as data.
fn perform() -> Value {
    let doc = "Perform commands given as data, from an input of the type `commands`";
    let main = json!({ "allOf": [reference("expression")], "description": doc });
    headed(PERFORM, None, object(PERFORM, Map::from_iter([(PERFORM.to_owned(), main)])))
}

/// What stands beside any step.
fn modifier(name: &str) -> Value {
    match name {
        "as" => value::name("The name under which later steps know what it answers"),
        "when" => json!({ "allOf": [reference("condition")], "description": "The step is skipped unless this holds" }),
        "optional" => json!({ "type": "boolean", "description": "A failure becomes a warning" }),
        "timeout" => json!({ "allOf": [reference("duration")], "description": "How long the step may take" }),
        "label" => json!({
            "type": "string", "not": { "pattern": "\\$\\{\\{|\\$<<" },
            "description": "What people are shown instead of the command",
        }),
        "retry" => {
            let attempts = json!({ "type": "integer", "minimum": 2, "maximum": 100, "description": "Attempts in all" });
            let full = json!({
                "type": "object", "properties": { "attempts": attempts, "backoff": reference("duration") },
                "required": ["attempts"], "additionalProperties": false,
            });
            json!({ "anyOf": [attempts, full], "description": "How often the step is tried, with a pause that doubles" })
        }
        "dialog" => {
            let text = value::words("What is answered to a prompt; its own suggestion when not given");
            let message = value::words("What the dialog says; another one is dismissed, and the step fails");
            let answer = |key: &str, mut properties: Map<String, Value>| {
                properties.insert(key.into(), json!({ "enum": [true, null], "description": "The answer" }));
                properties.insert("message".into(), message.clone());
                properties.insert("as".into(), value::name("The name that the dialog gets"));
                json!({ "type": "object", "properties": properties, "required": [key], "additionalProperties": false })
            };
            let accept = answer("accept", Map::from_iter([("text".to_owned(), text)]));
            let dismiss = answer("dismiss", Map::new());
            json!({
                "anyOf": [{ "enum": ["accept", "dismiss"] }, accept, dismiss],
                "description": "The dialog that the step opens, and its answer",
            })
        }
        "opens" => awaited("The tab that the step opens", Map::new()),
        "download" => {
            let size = json!({ "type": ["integer", "string"], "description": "How large it may be, such as `5MB`" });
            let fields = Map::from_iter([("max_bytes".to_owned(), size)]);
            awaited("The download that the step begins, which is kept in the workspace", fields)
        }
        _ => json!({}),
    }
}

/// What comes of a step beside its result: `true`, a name, or a map.
fn awaited(doc: &str, mut fields: Map<String, Value>) -> Value {
    let name = value::name("The name that it gets");
    fields.insert("as".into(), name.clone());
    let full = json!({ "type": "object", "properties": fields, "additionalProperties": false });
    json!({ "anyOf": [{ "const": true }, name, full], "description": doc })
}

/// A step with these properties and all modifiers that make sense for it; a property wins over the modifier of its name.
fn object(word: &str, mut properties: Map<String, Value>) -> Value {
    let sensible = |name: &&&str| !WORDS.contains(*name) || is_sensible(word, name);
    for name in modifiers::of(Dialect::Shortcut).iter().filter(sensible) {
        let modifier = || reference(&format!("modifiers/properties/{name}"));
        properties.entry(*name).or_insert_with(modifier);
    }
    json!({ "properties": properties, "additionalProperties": false })
}

/// A step that begins with this key, or with this value at it. What else it takes counts, and is proposed, once the key
/// is there.
fn headed(key: &str, value: Option<&str>, mut step: Value) -> Value {
    let head = std::mem::replace(&mut step["properties"][key], Value::Bool(true));
    let mut begun = json!({ "required": [key] });
    if let Some(value) = value {
        begun["properties"] = json!({ key: { "const": value } });
    }
    json!({
        "title": value.unwrap_or(key), "type": "object", "properties": { key: head }, "required": [key],
        "if": begun, "then": step,
    })
}

fn arguments(definition: &Definition) -> Map<String, Value> {
    definition.properties().map(|(name, _)| (name.clone(), the_argument(definition, name))).collect()
}

fn the_argument(definition: &Definition, name: &str) -> Value {
    reference(&format!("{}/properties/{name}", definition.name))
}

/// The arguments in the spelling of the classic format: understood, and not proposed.
fn camel_case(definition: &Definition) -> Map<String, Value> {
    let long = definition.properties().map(|(name, _)| name).filter(|name| name.contains('_'));
    let spelled = long.map(|name| {
        let (first, rest) = name.split_once('_').unwrap_or((name, ""));
        let capitals = rest.split('_').flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        });
        (format!("^{first}{}$", capitals.collect::<String>()), the_argument(definition, name))
    });
    spelled.collect()
}

/// What `run` performs.
fn target() -> Value {
    json!({
        "type": "string", "minLength": 1, "not": { "pattern": "\\$\\{\\{" },
        "description": "The action's name, or a file beside this one",
    })
}

fn values(doc: &str) -> Value {
    json!({ "type": "object", "description": doc })
}

//! Owns which names exist at each place of a file: inputs, what steps captured or set before, loop variables. How names
//! are found in text and where their faults are shown is `context`'s.

use std::collections::BTreeSet;

use super::expression::FUNCTIONS;
use super::meant;
use super::problem::{Report, Span, did_you_mean, listed};

/// How a name comes to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `as`: once in a sequence of steps.
    Capture,
    /// `opens` or `download` with a name alone; as often.
    Beside(&'static str),
    /// `set`: as often as wanted.
    Variable,
    /// The item or index of a loop: inside the loop only.
    Loop,
}

#[derive(Debug)]
struct Name {
    text: String,
    span: Span,
    origin: Origin,
    used: bool,
    /// Expressions may read it here.
    visible: bool,
    /// It was given in the sequence of steps that is being read.
    taken: bool,
    /// It is given later in a loop that is being read: null in the first round.
    foreseen: bool,
}

/// The names of one file while it is read.
#[derive(Debug, Default)]
pub struct Names {
    inputs: Vec<String>,
    /// The inputs that expressions have read so far.
    used_inputs: BTreeSet<String>,
    names: Vec<Name>,
    /// Given anywhere in the file.
    anywhere: Vec<String>,
    /// The names in the order in which they were given, so that branches can be told apart.
    given: Vec<usize>,
    /// `error` exists: what is read is performed after a failure.
    failed: bool,
}

/// A name that does not exist where it is used.
#[derive(Debug)]
pub struct Unknown {
    /// The part of the expression that is wrong.
    pub part: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl Names {
    /// The names of a file with these inputs, whose steps give these names in any place.
    pub fn new(inputs: Vec<String>, anywhere: Vec<String>) -> Names {
        Names { inputs, anywhere, ..Names::default() }
    }

    /// A name that what follows may use. An error names the line where it was given before.
    pub fn give(&mut self, text: &str, span: Span, origin: Origin) -> Result<(), String> {
        let known = self.names.iter().position(|name| name.text == text);
        let Some(at) = known else {
            self.given.push(self.names.len());
            let text = text.to_owned();
            self.names.push(Name { text, span, origin, used: false, visible: true, taken: true, foreseen: false });
            return Ok(());
        };
        let name = &mut self.names[at];
        if name.taken && !(origin == Origin::Variable && name.origin != Origin::Loop) {
            let line = name.span.start.map_or_else(String::new, |start| format!(" on line {}", start.line));
            return Err(match name.origin {
                Origin::Capture | Origin::Beside(_) => format!("`{text}` is already captured{line}"),
                Origin::Variable => format!("`{text}` is already set{line}"),
                Origin::Loop => format!("`{text}` is already the name of a loop{line}"),
            });
        }
        if !name.taken {
            (name.span, name.origin) = (span, origin);
            (name.taken, name.visible) = (true, true);
            self.given.push(at);
        }
        Ok(())
    }

    /// The inputs that expressions have read so far.
    pub fn used_inputs(&self) -> &BTreeSet<String> {
        &self.used_inputs
    }

    /// Where the names given from now on begin.
    pub fn mark(&self) -> usize {
        self.given.len()
    }

    /// Between two branches of which only one is performed: what the first gave is unknown in the second, which may give
    /// it too.
    pub fn other_branch(&mut self, mark: usize) {
        for &at in &self.given[mark..] {
            let name = &mut self.names[at];
            (name.taken, name.visible) = (false, name.foreseen);
        }
    }

    /// After both branches: what either gave is known, and null if the other was performed.
    pub fn join(&mut self, mark: usize) {
        for &at in &self.given[mark..] {
            let name = &mut self.names[at];
            if name.origin != Origin::Loop {
                (name.taken, name.visible) = (true, true);
            }
        }
    }

    /// What a loop's steps will give: known to all of them, since it is there from the second round on.
    pub fn foresee(&mut self, names: Vec<String>) {
        for text in names {
            match self.names.iter_mut().find(|name| name.text == text) {
                Some(name) => name.visible = true,
                None => self.names.push(Name {
                    text,
                    span: Span::default(),
                    origin: Origin::Capture,
                    used: false,
                    visible: true,
                    taken: false,
                    foreseen: true,
                }),
            }
        }
    }

    /// The names of a loop that was read are free again.
    pub fn leave_loop(&mut self, own: &[String]) {
        for name in self.names.iter_mut().filter(|name| name.origin == Origin::Loop && own.contains(&name.text)) {
            (name.taken, name.visible) = (false, false);
        }
    }

    /// What is read from now on is performed after a failure, or may be.
    pub fn after_failure(&mut self, failed: bool) {
        self.failed = failed;
    }

    /// Warns about names that nothing reads.
    pub fn finish(self, report: &mut Report<'_>) {
        // What reads them may be in a step that could not be understood.
        if report.has_errors() {
            return;
        }
        for name in self.names.iter().filter(|name| !name.used && name.taken) {
            let (what, remove) = match name.origin {
                Origin::Capture => ("captured", "remove the `as`".to_owned()),
                Origin::Beside(word) => ("captured", format!("write `{word}: true`")),
                Origin::Variable => ("set", "remove the `set`".to_owned()),
                Origin::Loop => continue,
            };
            let message = format!("`{}` is {what} but never used", name.text);
            report.warning(name.span, message, Some(format!("use it in a later step or in `outputs`, or {remove}")));
        }
    }

    /// Notes the use of a name with its attributes, `inputs.email`.
    pub fn check(&mut self, path: &str) -> Result<(), Unknown> {
        let mut parts = path.split('.');
        let root = parts.next().unwrap_or_default();
        let attribute = parts.next();
        if let Some(name) = self.names.iter_mut().find(|name| name.text == root && name.visible) {
            name.used = true;
            return Ok(());
        }
        let unknown =
            |part: &str, message: String, hint: Option<String>| Err(Unknown { part: part.to_owned(), message, hint });
        match (root, attribute) {
            ("page", None | Some("url" | "title")) => Ok(()),
            // Which of them it reads is known only when it is evaluated.
            ("inputs", None) => {
                self.used_inputs.extend(self.inputs.iter().cloned());
                Ok(())
            }
            ("error", Some("code" | "message" | "step")) if self.failed => Ok(()),
            ("inputs", Some(input)) if self.inputs.iter().any(|known| known == input) => {
                self.used_inputs.insert(input.to_owned());
                Ok(())
            }
            ("inputs", Some(input)) => {
                let known = self.inputs.iter().map(String::as_str);
                let hint = did_you_mean(&format!("inputs.{input}"), self.full_names().iter().map(String::as_str))
                    .or_else(|| (!self.inputs.is_empty()).then(|| format!("the inputs are {}", listed(known))))
                    .or_else(|| Some("declare it under `inputs:`".into()));
                unknown(&format!("inputs.{input}"), format!("unknown input `{input}`"), hint)
            }
            ("page", Some(attribute)) => unknown(
                &format!("page.{attribute}"),
                format!("`page` has no `{attribute}`"),
                Some("use `page.url` or `page.title`".into()),
            ),
            ("error", _) if self.failed => unknown(
                path,
                match attribute {
                    Some(attribute) => format!("`error` has no `{attribute}`"),
                    None => "`error` is no value by itself".into(),
                },
                Some("use `error.message`, `error.code` or `error.step`, which are null where nothing failed".into()),
            ),
            ("error", _) => unknown(
                "error",
                "`error` is known in `errors` and `finally` only".into(),
                Some("read it there; a step that may fail is `optional: true`".into()),
            ),
            _ if FUNCTIONS.contains(&root) => Ok(()),
            _ if self.names.iter().any(|name| name.text == root && name.origin == Origin::Loop) => unknown(
                root,
                format!("`{root}` is known inside its loop only"),
                Some("keep what is needed after the loop with `set`".into()),
            ),
            _ if self.names.iter().any(|name| name.text == root) => unknown(
                root,
                format!("`{root}` is given by the other branch only"),
                Some("only one of `then` and `else` is performed: use it after the `if`, where it may be null".into()),
            ),
            _ if self.anywhere.iter().any(|name| name == root) => unknown(
                root,
                format!("`{root}` is captured by a later step"),
                Some("use it after the step that captures it".into()),
            ),
            _ => unknown(root, format!("unknown name `{root}`"), Some(self.suggestion(path, root))),
        }
    }

    fn suggestion(&self, path: &str, root: &str) -> String {
        if let Some(input) = self.inputs.iter().find(|input| *input == root) {
            return format!("did you mean `inputs.{input}`?");
        }
        let names = || self.names.iter().filter(|name| name.visible).map(|name| name.text.as_str());
        let mut known = self.full_names();
        known.extend(names().map(str::to_owned));
        let near = did_you_mean(path, known.iter().map(String::as_str)).or_else(|| did_you_mean(root, names()));
        near.or_else(|| meant::secret(root)).unwrap_or_else(|| {
            "names are `inputs.…`, what an earlier step captured with `as`, `page.url` and `page.title`".into()
        })
    }

    fn full_names(&self) -> Vec<String> {
        let inputs = self.inputs.iter().map(|input| format!("inputs.{input}"));
        inputs.chain(["page.url".into(), "page.title".into()]).collect()
    }
}

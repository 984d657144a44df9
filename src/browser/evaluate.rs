//! Running an author's JavaScript in the page's own world.

use chromiumoxide::cdp::js_protocol::runtime::{
    CallFunctionOnParams, CompileScriptParams, EvaluateParams, RemoteObjectId, TerminateExecutionParams,
};
use serde::Deserialize;
use serde_json::Value;

use super::calls::{ExceptionDetails, RemoteObject, argument};
use super::connection::SessionId;
use super::{Deadline, Error, Page};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    result: RemoteObject,
    exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Compiled {
    exception_details: Option<ExceptionDetails>,
}

impl Page<'_> {
    /// Evaluates an expression, or calls a function with `arguments`, in the page's own world; a promise is awaited.
    /// Answers the result as JSON, `undefined` as null.
    ///
    /// # Errors
    /// [`Error::Script`] with the exception's words when the script throws or can't be parsed.
    pub async fn evaluate(&self, script: &str, arguments: &[Value], deadline: &Deadline) -> Result<Value, Error> {
        let session = self.link.page_session()?;
        let outcome = self.evaluate_in(&session, script, arguments, deadline).await;
        if matches!(outcome, Err(Error::Timeout { .. } | Error::Cancelled)) {
            // An endless loop would block the page for whatever comes next.
            self.link.connection.post(Some(&session), &TerminateExecutionParams::default());
        }
        outcome
    }

    async fn evaluate_in(
        &self,
        session: &SessionId,
        script: &str,
        arguments: &[Value],
        deadline: &Deadline,
    ) -> Result<Value, Error> {
        let context = self
            .link
            .wait(deadline, |tracker| {
                let page = tracker.page()?;
                tracker.frames.get(&page.target)?.main.clone()
            })
            .await?;
        let mut evaluate = EvaluateParams::new(self.program(session, script, deadline).await?);
        // Statements may declare the same name again, and await.
        evaluate.repl_mode = Some(true);
        evaluate.unique_context_id = Some(context.clone());
        evaluate.await_promise = Some(true);
        evaluate.user_gesture = Some(true);
        let object = result(deadline.race(self.link.connection.send(Some(session), &evaluate)).await??)?;
        let mut call = if object.kind == "function" {
            CallFunctionOnParams::new("function (...given) { return this(...given); }")
        } else {
            CallFunctionOnParams::new("function () { return this; }")
        };
        let object = match object.object_id {
            None => object,
            // By value in a second call: Chromium refuses values that it can't clone with an error about cycles only here.
            Some(id) => {
                call.object_id = Some(RemoteObjectId::new(id));
                call.arguments = (object.kind == "function").then(|| arguments.iter().cloned().map(argument).collect());
                call.return_by_value = Some(true);
                call.await_promise = Some(true);
                call.user_gesture = Some(true);
                result(deadline.race(self.link.connection.send(Some(session), &call)).await?.map_err(untold)?)?
            }
        };
        Ok(object.unserializable_value.map_or(object.value, Value::String))
    }
}

impl Page<'_> {
    /// The script as an expression if it is one: an object literal is one only in parentheses. Statements with `return`
    /// are the body of a function, all others a program whose last value counts.
    async fn program(&self, session: &SessionId, script: &str, deadline: &Deadline) -> Result<String, Error> {
        let expression = format!("(\n{script}\n)");
        if self.compiles(session, &expression, deadline).await? {
            return Ok(expression);
        }
        let body = format!("(async () => {{\n{script}\n}})()");
        let is_body = !self.compiles(session, script, deadline).await?
            && script.contains("return")
            && self.compiles(session, &body, deadline).await?;
        Ok(if is_body { body } else { script.to_owned() })
    }

    async fn compiles(&self, session: &SessionId, source: &str, deadline: &Deadline) -> Result<bool, Error> {
        let compile = CompileScriptParams::new(source, "", false);
        let compiled: Compiled = deadline.race(self.link.connection.send(Some(session), &compile)).await??;
        Ok(compiled.exception_details.is_none())
    }
}

/// What a script answers may be no JSON.
fn untold(error: Error) -> Error {
    let Error::Protocol { message, .. } = &error else { return error };
    let why = match message.as_str() {
        "Object reference chain is too long" => "it refers to itself, or is nested too deep",
        "Object couldn't be returned by value" => "it holds a value that JSON has no form for, such as a `BigInt`",
        _ => return error,
    };
    Error::Argument {
        message: format!("the script's result can't be told as JSON: {why}"),
        hint: "return only what is needed of it: texts, numbers, lists, plain objects".to_owned(),
    }
}

fn result(evaluated: Evaluated) -> Result<RemoteObject, Error> {
    match evaluated.exception_details {
        None => Ok(evaluated.result),
        Some(details) => Err(Error::Script(details.words())),
    }
}

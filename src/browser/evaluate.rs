//! Running an author's JavaScript in the page's own world.

use chromiumoxide::cdp::js_protocol::runtime::{
    CallFunctionOnParams, CompileScriptParams, EvaluateParams, RemoteObjectId, TerminateExecutionParams,
};
use serde::Deserialize;
use serde_json::Value;

use super::connection::SessionId;
use super::frames::{ExceptionDetails, RemoteObject, argument};
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
        // An object literal is an expression only in parentheses; a list of statements only without.
        let bracketed = format!("(\n{script}\n)");
        let compile = CompileScriptParams::new(bracketed.as_str(), "", false);
        let compiled: Compiled = deadline.race(self.link.connection.send(Some(session), &compile)).await??;
        let mut evaluate =
            EvaluateParams::new(if compiled.exception_details.is_none() { bracketed } else { script.to_owned() });
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
                result(deadline.race(self.link.connection.send(Some(session), &call)).await??)?
            }
        };
        Ok(object.unserializable_value.map_or(object.value, Value::String))
    }
}

fn result(evaluated: Evaluated) -> Result<RemoteObject, Error> {
    match evaluated.exception_details {
        None => Ok(evaluated.result),
        Some(details) => Err(Error::Script(details.words())),
    }
}

//! Asking documents: calls into the injected bundle in a frame's isolated world, and what they answer.

use chromiumoxide::cdp::js_protocol::runtime::{CallArgument, CallFunctionOnParams, RemoteObjectId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::frames::Place;
use super::retry::Obstacle;
use super::{Error, Page};

/// Hands a call to the bundle, which stands in the isolated world's global object. The world is there a moment before
/// the bundle has run in it: then the answer is null.
const CALL: &str = "function (method, argument) { return globalThis.__repertoire?.call(method, argument) ?? null; }";
/// Takes the element behind a token out of the bundle, as a remote object.
const ELEMENT: &str = "function (token) { return globalThis.__repertoire?.element(token) ?? null; }";

/// The bundle's answer to a call that looks an element up.
#[derive(Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub(super) enum Answer {
    Ok(Map<String, Value>),
    None {
        /// The reference whose element is gone.
        gone: Option<String>,
        #[serde(default)]
        near: Vec<Near>,
    },
    Many {
        count: u64,
        candidates: Vec<Near>,
    },
    Missing {
        state: String,
        detail: Option<String>,
        element: Option<String>,
        /// Of several clicks, how many arrived before one missed.
        #[serde(default)]
        delivered: u64,
        /// Waiting can't mend it.
        #[serde(default, rename = "final")]
        is_final: bool,
    },
    Invalid {
        message: String,
    },
}

/// An element that is told to people.
#[derive(Deserialize)]
pub(super) struct Near {
    selector: String,
    description: String,
    why: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallReturns {
    pub(super) result: RemoteObject,
    exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RemoteObject {
    #[serde(default)]
    pub(super) value: Value,
    pub(super) object_id: Option<String>,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    pub(super) unserializable_value: Option<String>,
    pub(super) description: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct ExceptionDetails {
    pub(super) text: String,
    pub(super) exception: Option<RemoteObject>,
}

impl ExceptionDetails {
    pub(super) fn words(self) -> String {
        self.exception
            .and_then(|exception| exception.description.or_else(|| exception.value.as_str().map(str::to_owned)))
            .unwrap_or(self.text)
    }
}

impl Page<'_> {
    /// The remote object of an element that the bundle gave a token.
    pub(super) async fn element(&self, place: &Place, token: &Value) -> Result<RemoteObjectId, Error> {
        let object = self.invoke(&place.frame, ELEMENT, vec![token.clone()], false).await?;
        object.object_id.map(RemoteObjectId::new).ok_or(Error::ContextLost)
    }

    /// Calls a method of the bundle that looks the place's selector up, and takes its answer apart.
    pub(super) async fn ask<R: DeserializeOwned>(
        &self,
        place: &Place,
        method: &str,
        argument: Value,
    ) -> Result<R, Error> {
        let mut argument = argument;
        argument["selector"] = place.selector.clone();
        argument["testid_attribute"] = Value::from(self.options.test_id_attribute.as_str());
        match self.fields(place, method, argument.clone()).await {
            // It may be where only the browser can look.
            Err(Error::Blocked(Obstacle::Absent { .. })) if self.reveal(place, false).await? => {
                decode(method, Value::Object(self.fields(place, method, argument).await?))
            }
            Err(Error::Blocked(Obstacle::Absent { why: None })) => {
                Err(Error::Blocked(Obstacle::Absent { why: self.still_loading(place) }))
            }
            fields => decode(method, Value::Object(fields?)),
        }
    }

    async fn fields(&self, place: &Place, method: &str, argument: Value) -> Result<Map<String, Value>, Error> {
        match self.call(&place.frame, method, argument).await {
            Err(Error::ContextLost) => Err(self.without_context(place)),
            answer => place.fields(answer?),
        }
    }

    /// The error where a frame has no execution context: an iframe may be waiting for its server.
    fn without_context(&self, place: &Place) -> Error {
        match self.still_loading(place) {
            Some(why) => Error::Blocked(Obstacle::Absent { why: Some(why) }),
            None => Error::ContextLost,
        }
    }

    /// What keeps an iframe from having its content yet.
    fn still_loading(&self, place: &Place) -> Option<String> {
        let tracker = self.link.tracker();
        let frame = tracker.frames.get(&place.frame).filter(|_| !place.owners.is_empty())?;
        let is_loading = frame.navigating || !frame.lifecycle.contains("DOMContentLoaded");
        is_loading.then(|| format!("the iframe `{}` is still loading", place.path.trim_end_matches(" >> ")))
    }

    /// Asks several questions about one document at the same moment; each has its own answer.
    pub(super) async fn questions(
        &self,
        place: &Place,
        questions: Vec<Value>,
    ) -> Result<Vec<Result<Value, Error>>, Error> {
        #[derive(Deserialize)]
        struct Answers {
            answers: Vec<Answer>,
            /// Something was not found.
            missed: bool,
        }
        let questions = json!({ "questions": questions });
        let mut asked: Answers = self.ask(place, "look", questions.clone()).await?;
        if asked.missed && self.reveal(place, true).await? {
            asked = self.ask(place, "look", questions).await?;
        }
        Ok(asked.answers.into_iter().map(|answer| place.fields(answer).map(Value::Object)).collect())
    }

    /// Calls a method of the bundle in a frame.
    pub(super) async fn call<R: DeserializeOwned>(
        &self,
        frame: &str,
        method: &str,
        argument: Value,
    ) -> Result<R, Error> {
        let object = self.invoke(frame, CALL, vec![Value::from(method), argument], true).await?;
        if object.value.is_null() {
            return Err(Error::ContextLost);
        }
        decode(method, object.value)
    }

    /// Calls a function without arguments in a frame's isolated world.
    pub(super) async fn invoke_isolated(&self, frame: &str, function: &str) -> Result<RemoteObject, Error> {
        self.invoke(frame, function, Vec::new(), true).await
    }

    async fn invoke(
        &self,
        frame: &str,
        function: &str,
        arguments: Vec<Value>,
        by_value: bool,
    ) -> Result<RemoteObject, Error> {
        let (session, context) = {
            let tracker = self.link.tracker();
            let frame = tracker.frames.get(frame).ok_or(Error::ContextLost)?;
            (frame.session.clone().ok_or(Error::ContextLost)?, frame.isolated.clone().ok_or(Error::ContextLost)?)
        };
        let mut call = CallFunctionOnParams::new(function);
        call.unique_context_id = Some(context);
        call.arguments = Some(arguments.into_iter().map(argument).collect());
        call.return_by_value = Some(by_value);
        call.await_promise = Some(true);
        let returns: CallReturns = self.link.connection.send(Some(&session), &call).await?;
        match returns.exception_details {
            None => Ok(returns.result),
            Some(details) => Err(Error::Protocol { method: "Runtime.callFunctionOn".into(), message: details.words() }),
        }
    }
}

impl Place {
    /// The bundle's answer about an element of this place, taken apart.
    pub(super) fn fields(&self, answer: Answer) -> Result<Map<String, Value>, Error> {
        let lines = |near: Vec<Near>| near.into_iter().map(|near| near.line(&self.path)).collect();
        match answer {
            Answer::Ok(fields) => Ok(fields),
            Answer::None { gone: Some(reference), .. } => {
                Err(Error::StaleReference { reference, reason: "its element is gone from the page" })
            }
            Answer::None { near, .. } if near.is_empty() => Err(Error::Blocked(Obstacle::Absent { why: None })),
            Answer::None { near, .. } => Err(Error::NearMisses(lines(near))),
            Answer::Many { count, candidates } => {
                Err(Error::Ambiguous { selector: self.text.clone(), count, candidates: lines(candidates) })
            }
            Answer::Missing { delivered: 1.., .. } => Err(Error::Delivered),
            Answer::Missing { state, detail, element, is_final, .. } => {
                let obstacle = Obstacle::Missing { state, detail, element };
                Err(if is_final { Error::Refused(obstacle) } else { Error::Blocked(obstacle) })
            }
            Answer::Invalid { message } => Err(Error::BadSelector { selector: self.text.clone(), message }),
        }
    }
}

impl Near {
    pub(super) fn because(self, why: &str) -> Near {
        Near { why: Some(why.to_owned()), ..self }
    }

    /// One line about the element; `path` leads to its frame.
    pub(super) fn line(self, path: &str) -> String {
        let Near { selector, description, why } = self;
        let why = why.map(|why| format!("{why}, ")).unwrap_or_default();
        format!("{path}{selector}: {why}{description}")
    }
}

pub(super) fn argument(value: Value) -> CallArgument {
    CallArgument { value: Some(value), unserializable_value: None, object_id: None }
}

pub(super) fn decode<R: DeserializeOwned>(method: &str, value: Value) -> Result<R, Error> {
    serde_json::from_value(value)
        .map_err(|error| Error::Protocol { method: method.to_owned().into(), message: error.to_string() })
}

//! Asking documents: calls into the injected bundle, and the way from the main frame into iframes.

use chromiumoxide::cdp::browser_protocol::dom::DescribeNodeParams;
use chromiumoxide::cdp::js_protocol::runtime::{CallArgument, CallFunctionOnParams, RemoteObjectId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::connection::SessionId;
use super::pointer::Point;
use super::retry::Obstacle;
use super::{Error, Page};
use crate::selector::{Part, Selector};

/// Hands a call to the bundle, which stands in the isolated world's global object. The world is there a moment before
/// the bundle has run in it: then the answer is null.
const CALL: &str = "function (method, argument) { return globalThis.__repertoire?.call(method, argument) ?? null; }";
/// Takes the element behind a token out of the bundle, as a remote object.
const ELEMENT: &str = "function (token) { return globalThis.__repertoire?.element(token) ?? null; }";

/// Where a selector is looked up: a frame, its place on the page, and what is left of the selector there.
pub(super) struct Place {
    pub(super) frame: String,
    /// The session that takes this frame's input.
    pub(super) session: SessionId,
    /// From the frame's own viewport to the coordinates of its session's input.
    input: View,
    /// From the frame's own viewport to the viewport of the page.
    page: View,
    /// The selector's parts within the frame, in the page's form.
    pub(super) selector: Value,
    /// The whole selector as written.
    text: String,
}

/// Where one viewport lies in another: its top left corner, and how much its pixels are enlarged.
#[derive(Clone, Copy)]
struct View {
    origin: Point,
    scale: Point,
}

/// The bundle's answer to a call that looks an element up.
#[derive(Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
enum Answer {
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

#[derive(Deserialize)]
struct Near {
    selector: String,
    description: String,
    why: Option<String>,
}

/// An element found by `locate`.
#[derive(Deserialize)]
pub(super) struct Located {
    pub(super) token: Value,
    #[serde(default)]
    pub(super) tag: String,
    #[serde(default)]
    frame: bool,
    content: Option<Content>,
}

/// Where the content of an iframe begins in its parent's viewport.
#[derive(Deserialize)]
struct Content {
    x: f64,
    y: f64,
    scale: Point,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallReturns {
    result: RemoteObject,
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

#[derive(Deserialize)]
struct Described {
    node: Node,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    frame_id: Option<String>,
}

impl ExceptionDetails {
    pub(super) fn words(self) -> String {
        self.exception
            .and_then(|exception| exception.description.or_else(|| exception.value.as_str().map(str::to_owned)))
            .unwrap_or(self.text)
    }
}

impl Page<'_> {
    /// The place of a selector: goes through its `frame:` parts, each of which must match one iframe.
    pub(super) async fn place(&self, selector: &Selector) -> Result<Place, Error> {
        let (mut frames, rest) = selector.split_frames();
        let mut given_in = None;
        if let [Part::Ref(reference), ..] = rest.parts() {
            let Some(document) = self.link.tracker().references.document_of(reference).cloned() else {
                let reason = "no snapshot has given this reference";
                return Err(Error::StaleReference { reference: reference.clone(), reason });
            };
            frames.clone_from(&document.path);
            given_in = Some((reference, document.context));
        }
        let mut place = match (self.document(&frames).await, &given_in) {
            (Err(Error::StaleReference { .. }), Some((reference, _))) => {
                let reason = "the iframe that its element was in is gone";
                return Err(Error::StaleReference { reference: (*reference).clone(), reason });
            }
            (place, _) => place?,
        };
        if let Some((reference, context)) = given_in {
            let now = self.link.tracker().frames.get(&place.frame).and_then(|frame| frame.isolated.clone());
            if now.ok_or(Error::ContextLost)? != context {
                let reason = "the document that its element was in has been left";
                return Err(Error::StaleReference { reference: reference.clone(), reason });
            }
        }
        place.selector = rest.to_page(&self.options.test_id_attribute);
        place.text = selector.to_string();
        Ok(place)
    }

    /// The document of the main frame or, through `frames`, of an iframe; its place selects nothing yet.
    pub(super) async fn document(&self, frames: &[Selector]) -> Result<Place, Error> {
        let (frame, state) = self.link.main_frame().ok_or(Error::PageClosed)?;
        let mut place = Place::whole(frame, state.session.ok_or(Error::ContextLost)?);
        for owner in frames {
            place.selector = owner.to_page(&self.options.test_id_attribute);
            place.text = owner.to_string();
            place = self.enter(place).await?;
        }
        place.selector = Value::Null;
        Ok(place)
    }

    /// Goes from a place that matches an iframe into its document.
    async fn enter(&self, owner: Place) -> Result<Place, Error> {
        // Scrolled to first: a point inside an iframe that is out of view can't be hit.
        let _: Map<String, Value> = self.ask(&owner, "scroll", json!({})).await?;
        let located: Located = self.ask(&owner, "locate", json!({ "state": "visible" })).await?;
        let (true, Some(content)) = (located.frame, &located.content) else {
            return Err(Error::Argument {
                message: format!("`frame:` in `{}` matches <{}>, which is not an iframe", owner.text, located.tag),
                hint: "let `frame:` name the iframe itself, such as `frame:css:iframe[title=Payment] >> …`".to_owned(),
            });
        };
        let (frame, session) = self.content_frame(&owner, &located.token).await?;
        // An iframe in another process takes input in its own session and in its own coordinates.
        let input = if session == owner.session { owner.input.within(content) } else { View::SAME };
        let page = owner.page.within(content);
        Ok(Place { frame, session, input, page, selector: Value::Null, text: owner.text })
    }

    /// The id and the session of the frame that an iframe element holds.
    pub(super) async fn content_frame(&self, owner: &Place, token: &Value) -> Result<(String, SessionId), Error> {
        let object = self.element(owner, token).await?;
        let describe = DescribeNodeParams { object_id: Some(object), ..DescribeNodeParams::default() };
        let described: Described = self.link.connection.send(Some(&owner.session), &describe).await?;
        let frame = described.node.frame_id.ok_or(Error::ContextLost)?;
        let session = self.link.tracker().frames.get(&frame).and_then(|frame| frame.session.clone());
        Ok((frame, session.ok_or(Error::ContextLost)?))
    }

    /// The remote object of an element that `locate` found.
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
        let answer: Answer = self.call(&place.frame, method, argument).await?;
        decode(method, Value::Object(place.fields(answer)?))
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
        }
        let asked: Answers = self.ask(place, "look", json!({ "questions": questions })).await?;
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
    /// The whole document of a frame, to be read only.
    pub(super) fn whole(frame: String, session: SessionId) -> Place {
        Place { frame, session, input: View::SAME, page: View::SAME, selector: Value::Null, text: String::new() }
    }

    /// The bundle's answer about an element of this place, taken apart.
    fn fields(&self, answer: Answer) -> Result<Map<String, Value>, Error> {
        match answer {
            Answer::Ok(fields) => Ok(fields),
            Answer::None { gone: Some(reference), .. } => {
                Err(Error::StaleReference { reference, reason: "its element is gone from the page" })
            }
            Answer::None { near, .. } if near.is_empty() => Err(Error::Blocked(Obstacle::Absent)),
            Answer::None { near, .. } => Err(Error::NearMisses(near.into_iter().map(Near::line).collect())),
            Answer::Many { count, candidates } => Err(Error::Ambiguous {
                selector: self.text.clone(),
                count,
                candidates: candidates.into_iter().map(Near::line).collect(),
            }),
            Answer::Missing { delivered: 1.., .. } => Err(Error::Delivered),
            Answer::Missing { state, detail, element, is_final, .. } => {
                let obstacle = Obstacle::Missing { state, detail, element };
                Err(if is_final { Error::Refused(obstacle) } else { Error::Blocked(obstacle) })
            }
            Answer::Invalid { message } => Err(Error::BadSelector { selector: self.text.clone(), message }),
        }
    }

    /// A point of the frame's viewport in the coordinates of its session's input.
    pub(super) fn for_input(&self, x: f64, y: f64) -> Point {
        self.input.apply(x, y)
    }

    /// A point of the frame's viewport in the page's.
    pub(super) fn on_page(&self, x: f64, y: f64) -> Point {
        self.page.apply(x, y)
    }
}

impl View {
    const SAME: View = View { origin: Point { x: 0.0, y: 0.0 }, scale: Point { x: 1.0, y: 1.0 } };

    fn apply(&self, x: f64, y: f64) -> Point {
        Point { x: self.origin.x + x * self.scale.x, y: self.origin.y + y * self.scale.y }
    }

    /// The view of an iframe's content that lies in this one.
    fn within(&self, content: &Content) -> View {
        let scale = Point { x: self.scale.x * content.scale.x, y: self.scale.y * content.scale.y };
        View { origin: self.apply(content.x, content.y), scale }
    }
}

impl Near {
    fn line(self) -> String {
        match self.why {
            Some(why) => format!("{}: {why}, {}", self.selector, self.description),
            None => format!("{}: {}", self.selector, self.description),
        }
    }
}

pub(super) fn argument(value: Value) -> CallArgument {
    CallArgument { value: Some(value), unserializable_value: None, object_id: None }
}

fn decode<R: DeserializeOwned>(method: &str, value: Value) -> Result<R, Error> {
    serde_json::from_value(value)
        .map_err(|error| Error::Protocol { method: method.to_owned().into(), message: error.to_string() })
}

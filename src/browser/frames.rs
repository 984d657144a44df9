//! The way from the main frame into iframes, and that of a point in them back out.

use chromiumoxide::cdp::browser_protocol::dom::DescribeNodeParams;
use serde::Deserialize;
use serde_json::{Value, json};

use super::calls::{Answer, decode};
use super::connection::SessionId;
use super::pointer::Point;
use super::retry::Obstacle;
use super::tracker::Frame;
use super::{Error, Page};
use crate::selector::{Part, Selector};

/// Where a selector is looked up: a frame, the way into it, and what is left of the selector there.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) frame: String,
    /// The session that takes this frame's input.
    pub(super) session: SessionId,
    /// The iframes around the frame, outermost first.
    pub(super) owners: Vec<Owner>,
    /// The selector's parts within the frame, in the page's form.
    pub(super) selector: Value,
    /// The whole selector as written.
    pub(super) text: String,
    /// The `frame:` parts that lead to the frame, each followed by `>>`.
    pub(super) path: String,
}

/// The way to an element.
pub(super) struct Way {
    /// The iframes that lead to it, outermost first.
    pub(super) frames: Vec<Selector>,
    /// Its selector in the innermost.
    pub(super) rest: Selector,
    /// Its reference, and the execution context of the document that it was given in.
    given_in: Option<(String, String)>,
}

/// An iframe element: the document that holds it, and its token there.
#[derive(Clone)]
pub(super) struct Owner {
    frame: String,
    session: SessionId,
    token: Value,
}

/// What a point in a frame is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// To know where it is.
    Measure,
    /// To move the pointer there: nothing in the documents around may lie over it.
    Hover,
    /// To click there: besides, what the documents around get of the click is stopped.
    Click,
}

/// The element that a `frame:` part matches.
#[derive(Deserialize)]
pub(super) struct Entered {
    /// Whether it can hold a document.
    pub(super) holds: bool,
    #[serde(default)]
    pub(super) token: Value,
    /// The description of the element.
    pub(super) element: String,
    /// A selector of the one iframe inside of it.
    pub(super) inside: Option<String>,
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

impl Page<'_> {
    /// The place of a selector: goes through its `frame:` parts, each of which must match one iframe.
    pub(super) async fn place(&self, selector: &Selector) -> Result<Place, Error> {
        let Way { frames, rest, given_in } = self.way(selector)?;
        let mut place = match (self.document(&frames).await, &given_in) {
            (Err(Error::StaleReference { .. }), Some((reference, _))) => {
                let reason = "the iframe that its element was in is gone";
                return Err(Error::StaleReference { reference: reference.clone(), reason });
            }
            (place, _) => place?,
        };
        if let Some((reference, context)) = given_in {
            let now = self.link.tracker().frames.get(&place.frame).and_then(|frame| frame.isolated.clone());
            if now.ok_or(Error::ContextLost)? != context {
                let reason = "the document that its element was in has been left";
                return Err(Error::StaleReference { reference, reason });
            }
        }
        place.selector = rest.to_page(&self.options.test_id_attribute);
        place.text = selector.to_string();
        Ok(place)
    }

    /// The way to an element: through the iframes that its selector's `frame:` parts or its reference name.
    pub(super) fn way(&self, selector: &Selector) -> Result<Way, Error> {
        let (frames, rest) = selector.split_frames();
        let [Part::Ref(reference), ..] = rest.parts() else { return Ok(Way { frames, rest, given_in: None }) };
        let reference = reference.clone();
        let Some(document) = self.link.tracker().references.document_of(&reference).cloned() else {
            let reason = "no snapshot has given this reference";
            return Err(Error::StaleReference { reference, reason });
        };
        Ok(Way { frames: document.path, rest, given_in: Some((reference, document.context)) })
    }

    /// Lets a place select what the selector finds in its document.
    pub(super) fn select(&self, place: &mut Place, selector: &Selector) {
        place.selector = selector.to_page(&self.options.test_id_attribute);
        place.text = format!("{}{selector}", place.path);
    }

    /// The document of the main frame or, through `frames`, of an iframe; its place selects nothing yet.
    pub(super) async fn document(&self, frames: &[Selector]) -> Result<Place, Error> {
        let mut place = self.main_document()?;
        for owner in frames {
            place = self.enter(place, owner).await?;
        }
        Ok(place)
    }

    pub(super) fn main_document(&self) -> Result<Place, Error> {
        let (frame, state) = self.link.main_frame().ok_or(Error::PageClosed)?;
        let session = state.session.ok_or(Error::ContextLost)?;
        Ok(Place::whole(frame, session))
    }

    /// Goes from a document into that of an iframe in it.
    pub(super) async fn enter(&self, mut place: Place, owner: &Selector) -> Result<Place, Error> {
        self.select(&mut place, owner);
        let entered = match self.ask::<Entered>(&place, "enter", json!({})).await {
            Err(Error::Blocked(Obstacle::Absent { .. })) => {
                let why = Some(format!("no iframe matches `{}`", place.text));
                return Err(Error::Blocked(Obstacle::Absent { why }));
            }
            entered => entered?,
        };
        if !entered.holds {
            let path = &place.path;
            let inside = entered.inside.unwrap_or_else(|| "css:iframe[title=Payment]".to_owned());
            return Err(Error::Argument {
                message: format!("`frame:` names `{}`, which is no iframe: {}", place.text, entered.element),
                hint: format!("let `frame:` name the iframe itself, such as `{path}frame:({inside}) >> …`"),
            });
        }
        self.enter_at(place, owner, entered).await
    }

    /// Goes into the document of an iframe element that was found.
    pub(super) async fn enter_at(&self, place: Place, owner: &Selector, entered: Entered) -> Result<Place, Error> {
        let Some((frame, session)) = self.content_frame(&place, &entered.token).await? else {
            let why = Some(format!("{} holds no document", entered.element));
            return Err(Error::Blocked(Obstacle::Absent { why }));
        };
        let step = Selector::from(vec![Part::Frame(owner.clone())]);
        let path = format!("{}{step} >> ", place.path);
        let mut owners = place.owners;
        owners.push(Owner { frame: place.frame, session: place.session, token: entered.token });
        Ok(Place { owners, path, ..Place::whole(frame, session) })
    }

    /// The id and the session of the frame that an iframe element holds; `None` where it holds no document.
    pub(super) async fn content_frame(
        &self,
        owner: &Place,
        token: &Value,
    ) -> Result<Option<(String, SessionId)>, Error> {
        let is_it = |frame: &Frame| frame.parent.as_ref() == Some(&owner.frame) && frame.owner == *token;
        let known = self.link.tracker().frames.iter().find(|(_, frame)| is_it(frame)).map(|(id, _)| id.clone());
        let id = match known {
            Some(id) => id,
            None => {
                let object = self.element(owner, token).await?;
                let describe = DescribeNodeParams { object_id: Some(object), ..DescribeNodeParams::default() };
                let described: Described = self.link.connection.send(Some(&owner.session), &describe).await?;
                let Some(id) = described.node.frame_id else { return Ok(None) };
                id
            }
        };
        let mut tracker = self.link.tracker();
        let frame = tracker.frames.get_mut(&id).ok_or(Error::ContextLost)?;
        frame.owner = token.clone();
        let session = frame.session.clone().ok_or(Error::ContextLost)?;
        Ok(Some((id, session)))
    }

    /// A point of the frame's viewport in the coordinates of its session's input: an iframe in another process takes
    /// input in its own.
    pub(super) async fn for_input(&self, place: &Place, x: f64, y: f64, aim: Aim) -> Result<Point, Error> {
        Ok(self.outward(place, Point { x, y }, aim).await?.0)
    }

    /// A point of the frame's viewport in the page's.
    pub(super) async fn on_page(&self, place: &Place, x: f64, y: f64, aim: Aim) -> Result<Point, Error> {
        Ok(self.outward(place, Point { x, y }, aim).await?.1)
    }

    /// Follows a point out of the frame through the documents around it; answers it for input, and on the page.
    async fn outward(&self, place: &Place, mut point: Point, aim: Aim) -> Result<(Point, Point), Error> {
        let (mut input, mut session) = (None, &place.session);
        for owner in place.owners.iter().rev() {
            if owner.session != *session {
                input.get_or_insert(point);
            }
            session = &owner.session;
            let argument = json!({
                "token": owner.token, "x": point.x, "y": point.y,
                "check": aim != Aim::Measure, "guard": aim == Aim::Click,
            });
            let answer: Answer = self.call(&owner.frame, "outward", argument).await?;
            point = decode("outward", Value::Object(place.fields(answer)?))?;
        }
        Ok((input.unwrap_or(point), point))
    }
}

impl Place {
    /// The whole document of a frame that nothing leads to.
    pub(super) fn whole(frame: String, session: SessionId) -> Place {
        let (text, path) = (String::new(), String::new());
        Place { frame, session, owners: Vec::new(), selector: Value::Null, text, path }
    }
}

//! The account's profile: a name, a picture, rich text and an order of shelves, with the page that changes them.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, put};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::html::{Html, fill, page};
use super::store::Store;
use super::visitor::Visitor;

/// The longest name, in characters.
const NAME_LIMIT: usize = 60;

/// The longest text about someone, in characters.
const ABOUT_LIMIT: usize = 500;

/// The largest picture, in bytes.
const PICTURE_LIMIT: usize = 100_000;

/// A picture in base64 with a long text beside it comes near this many bytes.
const BODY_LIMIT: usize = 256 * 1024;

const SHELVES: [&str; 4] = ["Kettles and pots", "Mugs", "Linen", "Lamps"];

/// The first bytes of the kinds of pictures that are taken.
const PICTURES: [(&[u8], &str); 3] =
    [(b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif")];

/// What the account tells about itself.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    pub(super) name: String,
    about: Vec<Paragraph>,
    /// The best liked first.
    shelves: Vec<&'static str>,
    picture: Option<Picture>,
}

type Paragraph = Vec<Run>;

/// A piece of text in one style. The page sends these and no markup, so that there is nothing to sanitise.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
struct Run {
    text: String,
    bold: bool,
    italic: bool,
}

#[derive(Debug, Clone)]
struct Picture {
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Default for Profile {
    fn default() -> Profile {
        let about = Run { text: "I write programs for engines that are not built yet.".into(), ..Run::default() };
        Profile { name: "Ada Lovelace".into(), about: vec![vec![about]], shelves: SHELVES.to_vec(), picture: None }
    }
}

/// What the page saves at once; without a picture the old one stays.
#[derive(Debug, Deserialize)]
struct Changes {
    name: String,
    about: Vec<Paragraph>,
    /// In base64.
    picture: Option<String>,
}

impl Profile {
    /// Takes all of the changes or none.
    ///
    /// # Errors
    /// A sentence that says what is wrong with them.
    fn change(&mut self, changes: Changes) -> Result<(), &'static str> {
        let name = changes.name.trim();
        if name.is_empty() || name.chars().count() > NAME_LIMIT {
            return Err("Enter a name of up to 60 characters");
        }
        let length: usize = changes.about.iter().flatten().map(|run| run.text.chars().count()).sum();
        if length > ABOUT_LIMIT {
            return Err("Tell us about you in up to 500 characters");
        }
        let picture = changes.picture.map(|base64| Picture::decode(&base64)).transpose()?;
        self.name = name.to_owned();
        self.about = changes.about;
        self.picture = picture.or(self.picture.take());
        Ok(())
    }

    /// Sorts the shelves as the names say, which must be all of them.
    fn sort(&mut self, names: &[String]) -> Result<(), &'static str> {
        let place = |shelf: &&str| names.iter().position(|name| name == shelf);
        if names.len() != SHELVES.len() || SHELVES.iter().any(|shelf| place(shelf).is_none()) {
            return Err("These are not the shelves");
        }
        self.shelves.sort_by_key(place);
        Ok(())
    }

    fn about(&self) -> Html {
        let run = |run: &Run| {
            let text = Html::text(&run.text);
            let text = if run.italic { fill("<em>{{text}}</em>", &[("text", text)]) } else { text };
            if run.bold { fill("<strong>{{text}}</strong>", &[("text", text)]) } else { text }
        };
        let paragraph = |runs: &Paragraph| fill("<p>{{runs}}</p>", &[("runs", runs.iter().map(run).collect())]);
        self.about.iter().map(paragraph).collect()
    }
}

impl Picture {
    fn decode(base64: &str) -> Result<Picture, &'static str> {
        let bytes = BASE64.decode(base64).map_err(|_| "The picture did not arrive whole")?;
        if bytes.len() > PICTURE_LIMIT {
            return Err("The picture is larger than 100 kB");
        }
        let known = PICTURES.iter().find(|(start, _)| bytes.starts_with(start));
        let (_, kind) = known.ok_or("Choose a picture: a PNG, JPEG or GIF file")?;
        Ok(Picture { kind, bytes })
    }
}

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/profile", get(profile_page))
        .route("/profile/picture", get(picture))
        .route("/api/profile", get(show).put(save).layer(DefaultBodyLimit::max(BODY_LIMIT)))
        .route("/api/profile/shelves", put(sort))
}

async fn profile_page(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    if visitor.session.email.is_none() {
        return Redirect::to("/login?next=/profile").into_response();
    }
    let profile = store.profile();
    let shelf = |name: &&str| fill("<li draggable=\"true\">{{name}}</li>", &[("name", Html::text(name))]);
    let values = [
        ("limit", Html::text(PICTURE_LIMIT)),
        ("name", Html::text(&profile.name)),
        ("about", profile.about()),
        ("shelves", profile.shelves.iter().map(shelf).collect()),
    ];
    page(&visitor, StatusCode::OK, "Your profile", fill(include_str!("pages/profile.html"), &values))
}

async fn picture(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    match store.profile().picture {
        Some(picture) if visitor.session.email.is_some() => {
            ([(header::CONTENT_TYPE, picture.kind)], picture.bytes).into_response()
        }
        _ => Redirect::to("/assets/portrait.svg").into_response(),
    }
}

/// What tests look at to see what really was saved.
async fn show(State(store): State<Arc<Store>>, visitor: Visitor) -> Response {
    if visitor.session.email.is_none() {
        return answer(StatusCode::UNAUTHORIZED, "Sign in first");
    }
    let Profile { name, about, shelves, picture } = store.profile();
    let picture = picture.map(|picture| json!({ "kind": picture.kind, "bytes": picture.bytes.len() }));
    Json(json!({ "name": name, "about": about, "shelves": shelves, "picture": picture })).into_response()
}

async fn save(State(store): State<Arc<Store>>, visitor: Visitor, Json(changes): Json<Changes>) -> Response {
    if visitor.session.email.is_none() {
        return answer(StatusCode::UNAUTHORIZED, "Sign in first");
    }
    match store.change_profile(|profile| profile.change(changes)) {
        Ok(()) => answer(StatusCode::OK, "Profile saved"),
        Err(message) => answer(StatusCode::UNPROCESSABLE_ENTITY, message),
    }
}

async fn sort(State(store): State<Arc<Store>>, visitor: Visitor, Json(names): Json<Vec<String>>) -> Response {
    if visitor.session.email.is_none() {
        return answer(StatusCode::UNAUTHORIZED, "Sign in first");
    }
    match store.change_profile(|profile| profile.sort(&names)) {
        Ok(()) => answer(StatusCode::OK, "Order kept"),
        Err(message) => answer(StatusCode::UNPROCESSABLE_ENTITY, message),
    }
}

fn answer(status: StatusCode, message: &'static str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(name: &str, about: &str, picture: Option<&[u8]>) -> Changes {
        let about = Run { text: about.into(), bold: true, italic: true };
        Changes { name: name.into(), about: vec![vec![about]], picture: picture.map(|bytes| BASE64.encode(bytes)) }
    }

    #[test]
    fn all_is_changed_or_nothing() {
        let mut profile = Profile::default();
        let large = [b"GIF89a".as_slice(), &[0; PICTURE_LIMIT]].concat();
        let answers = [
            profile.change(changes(" ", "x", None)),
            profile.change(changes("Grace", &"x".repeat(501), None)),
            profile.change(changes("Grace", "x", Some(b"<svg/>"))),
            profile.change(changes("Grace", "x", Some(&large))),
            profile.change(Changes { picture: Some("?".into()), ..changes("Grace", "x", None) }),
        ];
        assert!(answers.iter().all(Result::is_err), "{answers:?}");
        let initial = "<p>I write programs for engines that are not built yet.</p>";
        assert_eq!((profile.name.as_str(), profile.about().as_str()), ("Ada Lovelace", initial));

        profile.change(changes(" Grace ", "<b>", Some(b"GIF89a"))).unwrap();
        profile.change(changes("Grace", "<b>", None)).unwrap();
        assert_eq!(profile.about().as_str(), "<p><strong><em>&lt;b&gt;</em></strong></p>");
        assert_eq!((profile.name.as_str(), profile.picture.map(|picture| picture.kind)), ("Grace", Some("image/gif")));
    }

    #[test]
    fn shelves_keep_their_names() {
        let mut profile = Profile::default();
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(profile.sort(&names(&["Mugs", "Mugs", "Linen", "Lamps"])).is_err());
        profile.sort(&names(&["Lamps", "Mugs", "Linen", "Kettles and pots"])).unwrap();
        assert_eq!(profile.shelves, ["Lamps", "Mugs", "Linen", "Kettles and pots"]);
    }
}

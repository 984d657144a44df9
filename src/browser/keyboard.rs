//! The keyboard: key names to key events, after the US layout that chromiumoxide's table describes.

use chromiumoxide::cdp::browser_protocol::input::{DispatchKeyEventParams, DispatchKeyEventType, InsertTextParams};
use chromiumoxide::keys::{KeyDefinition, USKEYBOARD_LAYOUT, get_key_definition};
use serde_json::Value;

use super::connection::SessionId;
use super::{Error, Link};

/// A key that changes the meaning of others while it is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    /// Alt, Option on macOS.
    Alt,
    /// Control.
    Control,
    /// Meta: Command on macOS, the Windows key elsewhere.
    Meta,
    /// Shift.
    Shift,
}

/// A set of modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifiers(i64);

impl Modifiers {
    /// The protocol's bits: Alt 1, Control 2, Meta 4, Shift 8.
    pub(super) fn bits(self) -> i64 {
        self.0
    }

    fn with(self, modifier: Modifier) -> Modifiers {
        Modifiers(self.0 | modifier.bit())
    }

    fn contains(self, modifier: Modifier) -> bool {
        self.0 & modifier.bit() != 0
    }
}

impl FromIterator<Modifier> for Modifiers {
    fn from_iter<I: IntoIterator<Item = Modifier>>(modifiers: I) -> Modifiers {
        modifiers.into_iter().fold(Modifiers::default(), Modifiers::with)
    }
}

impl Modifier {
    const ALL: [Modifier; 4] = [Modifier::Alt, Modifier::Control, Modifier::Meta, Modifier::Shift];

    fn bit(self) -> i64 {
        match self {
            Modifier::Alt => 1,
            Modifier::Control => 2,
            Modifier::Meta => 4,
            Modifier::Shift => 8,
        }
    }

    fn key(self) -> &'static str {
        match self {
            Modifier::Alt => "Alt",
            Modifier::Control => "Control",
            Modifier::Meta => "Meta",
            Modifier::Shift => "Shift",
        }
    }

    fn named(name: &str) -> Option<Modifier> {
        match name {
            "Ctrl" | "ctrl" => Some(Modifier::Control),
            "ControlOrMeta" | "CmdOrCtrl" => {
                Some(if cfg!(target_os = "macos") { Modifier::Meta } else { Modifier::Control })
            }
            "Cmd" | "Command" => Some(Modifier::Meta),
            "Option" => Some(Modifier::Alt),
            name => Modifier::ALL.into_iter().find(|modifier| modifier.key().eq_ignore_ascii_case(name)),
        }
    }
}

/// A key with the modifiers held, such as `Control+A`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    modifiers: Modifiers,
    key: &'static KeyDefinition,
}

impl Chord {
    /// Parses `Enter`, `a`, `Control+Shift+T`, `+`.
    pub(super) fn parse(text: &str) -> Result<Chord, Error> {
        let (held, key) = match text.strip_suffix("++") {
            Some(held) => (held, "+"),
            None if text == "+" => ("", "+"),
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        let mut modifiers = Modifiers::default();
        for name in held.split('+').filter(|name| !name.is_empty()) {
            modifiers = modifiers.with(Modifier::named(name).ok_or_else(|| unknown(name))?);
        }
        let key = find(key).ok_or_else(|| unknown(key))?;
        // `Shift+a` types an `A`, as on a keyboard.
        let key = if modifiers.contains(Modifier::Shift) && key.key.len() == 1 {
            find(&key.key.to_uppercase()).unwrap_or(key)
        } else {
            key
        };
        Ok(Chord { modifiers, key })
    }
}

fn find(name: &str) -> Option<&'static KeyDefinition> {
    match name {
        "Space" => get_key_definition(" "),
        "Esc" => get_key_definition("Escape"),
        "Return" => get_key_definition("Enter"),
        "Del" => get_key_definition("Delete"),
        "Up" | "Down" | "Left" | "Right" => get_key_definition(format!("Arrow{name}")),
        name => get_key_definition(name).or_else(|| USKEYBOARD_LAYOUT.iter().find(|key| key.code == name)),
    }
}

fn unknown(name: &str) -> Error {
    Error::Argument {
        message: format!("`{name}` is not a key"),
        hint: "keys are named as in `KeyboardEvent.key`: `Enter`, `Tab`, `ArrowDown`, `a`, `F5`, with modifiers `Control+A`".to_owned(),
    }
}

impl Link {
    /// Presses a chord: the modifiers go down, the key goes down and up, the modifiers go up; one burst.
    pub(super) async fn press(&self, session: &SessionId, chord: Chord) -> Result<(), Error> {
        let Chord { modifiers, key } = chord;
        let mut held = Modifiers::default();
        let order: Vec<Modifier> = Modifier::ALL.into_iter().filter(|modifier| modifiers.contains(*modifier)).collect();
        for modifier in &order {
            held = held.with(*modifier);
            if let Some(key) = get_key_definition(modifier.key()) {
                self.connection.post(Some(session), &event(DispatchKeyEventType::RawKeyDown, key, held, None));
            }
        }
        let types = !modifiers.contains(Modifier::Control)
            && !modifiers.contains(Modifier::Meta)
            && !modifiers.contains(Modifier::Alt);
        let text = text_of(key).filter(|_| types);
        let kind = if text.is_some() { DispatchKeyEventType::KeyDown } else { DispatchKeyEventType::RawKeyDown };
        let mut down = event(kind, key, modifiers, text);
        // Chromium applies an editing key's default only when the command is named.
        if (modifiers.contains(Modifier::Control) || modifiers.contains(Modifier::Meta))
            && key.key.eq_ignore_ascii_case("a")
        {
            down.commands = Some(vec!["selectAll".to_owned()]);
        }
        self.connection.post(Some(session), &down);
        let mut last =
            self.connection.send::<Value>(Some(session), &event(DispatchKeyEventType::KeyUp, key, modifiers, None));
        for modifier in order.iter().rev() {
            held = Modifiers(held.0 & !modifier.bit());
            if let Some(key) = get_key_definition(modifier.key()) {
                last =
                    self.connection.send::<Value>(Some(session), &event(DispatchKeyEventType::KeyUp, key, held, None));
            }
        }
        last.await.map(drop)
    }

    /// Types one character: by key events where the layout has it, else as composed text.
    pub(super) async fn type_character(&self, session: &SessionId, character: char) -> Result<(), Error> {
        let name = match character {
            '\n' | '\r' => "Enter".to_owned(),
            '\t' => "Tab".to_owned(),
            character => character.to_string(),
        };
        match get_key_definition(&name) {
            Some(key) => self.press(session, Chord { modifiers: Modifiers::default(), key }).await,
            None => self.connection.send::<Value>(Some(session), &InsertTextParams::new(name)).await.map(drop),
        }
    }
}

fn text_of(key: &'static KeyDefinition) -> Option<&'static str> {
    match key.key {
        "Enter" => Some("\r"),
        name if name.chars().count() == 1 => Some(key.text.unwrap_or(name)),
        _ => key.text,
    }
}

fn event(
    kind: DispatchKeyEventType,
    key: &KeyDefinition,
    modifiers: Modifiers,
    text: Option<&str>,
) -> DispatchKeyEventParams {
    let mut event = DispatchKeyEventParams::new(kind);
    event.modifiers = Some(modifiers.bits());
    event.key = Some(key.key.to_owned());
    event.code = Some(key.code.to_owned());
    event.windows_virtual_key_code = Some(key.key_code);
    event.text = text.map(str::to_owned);
    event.unmodified_text = event.text.clone();
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(text: &str) -> (i64, &'static str) {
        let chord = Chord::parse(text).expect("a chord");
        (chord.modifiers.bits(), chord.key.key)
    }

    #[test]
    fn chords_are_read_as_people_write_them() {
        assert_eq!(chord("Enter"), (0, "Enter"));
        assert_eq!(chord("Control+A"), (2, "A"));
        assert_eq!(chord("Control+Shift+t"), (10, "T"));
        assert_eq!(chord("+"), (0, "+"));
        assert_eq!(chord("Control++"), (2, "+"));
        assert_eq!(chord("Space"), (0, " "));
        assert_eq!(chord("Esc"), (0, "Escape"));
    }

    #[test]
    fn an_unknown_key_is_named() {
        assert_eq!(Chord::parse("Contrl+A").expect_err("no such modifier").to_string(), "`Contrl` is not a key");
        assert_eq!(Chord::parse("Entr").expect_err("no such key").to_string(), "`Entr` is not a key");
    }
}

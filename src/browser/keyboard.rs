//! The keyboard: key names and text to key events, after the US layout.

mod layout;
mod text;

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchKeyEventType, ImeSetCompositionParams, InsertTextParams,
};
use serde_json::Value;

use super::connection::{Answer, SessionId};
use super::{Deadline, Error, Link};
use layout::{ALIASES, KEYS, Key};
use text::Stroke;

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

    fn without(self, modifier: Modifier) -> Modifiers {
        Modifiers(self.0 & !modifier.bit())
    }

    fn contains(self, modifier: Modifier) -> bool {
        self.0 & modifier.bit() != 0
    }

    /// With these held a key gives a command and types nothing.
    fn are_commands(self) -> bool {
        self.0 & !Modifier::Shift.bit() != 0
    }

    fn each(self) -> impl DoubleEndedIterator<Item = Modifier> {
        Modifier::ALL.into_iter().filter(move |modifier| self.contains(*modifier))
    }
}

impl FromIterator<Modifier> for Modifiers {
    fn from_iter<I: IntoIterator<Item = Modifier>>(modifiers: I) -> Modifiers {
        modifiers.into_iter().fold(Modifiers::default(), Modifiers::with)
    }
}

impl Modifier {
    const ALL: [Modifier; 4] = [Modifier::Alt, Modifier::Control, Modifier::Meta, Modifier::Shift];

    /// Its own key, with these modifiers held.
    fn chord(self, modifiers: Modifiers) -> Option<Chord> {
        Chord::key(self.name()).map(|(key, shifted)| Chord { modifiers, key, shifted })
    }

    fn bit(self) -> i64 {
        match self {
            Modifier::Alt => 1,
            Modifier::Control => 2,
            Modifier::Meta => 4,
            Modifier::Shift => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Modifier::Alt => "Alt",
            Modifier::Control => "Control",
            Modifier::Meta => "Meta",
            Modifier::Shift => "Shift",
        }
    }

    /// The modifier that shortcuts of this system begin with: Command on macOS, Control elsewhere.
    pub const CONTROL_OR_META: Modifier = if cfg!(target_os = "macos") { Modifier::Meta } else { Modifier::Control };

    fn named(name: &str) -> Option<Modifier> {
        Some(match name.to_ascii_lowercase().as_str() {
            "alt" | "option" => Modifier::Alt,
            "control" | "ctrl" => Modifier::Control,
            "meta" | "cmd" | "command" | "super" | "win" => Modifier::Meta,
            "shift" => Modifier::Shift,
            "controlormeta" | "cmdorctrl" => Modifier::CONTROL_OR_META,
            _ => return None,
        })
    }
}

/// Whether a text names a key or a chord.
///
/// # Errors
/// Which part of it does not.
pub fn known_key(text: &str) -> Result<(), Error> {
    Chord::parse(text).map(drop)
}

/// A key with the modifiers held, such as `Control+A`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    modifiers: Modifiers,
    key: &'static Key,
    /// What the key reports is what it types with Shift.
    shifted: bool,
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
            modifiers = modifiers.with(Modifier::named(name.trim()).ok_or_else(|| unknown(name))?);
        }
        let name = if key.trim().is_empty() { key } else { key.trim() };
        let (key, shifted) = Chord::key(name).ok_or_else(|| unknown(name))?;
        // `Shift+a` types an `A`, as on a keyboard, and `Control+S` is no more than Control and the key `s`.
        let is_letter = key.code.starts_with("Key");
        let shifted = modifiers.contains(Modifier::Shift) || shifted && !(is_letter && modifiers.are_commands());
        Ok(Chord { modifiers, key, shifted })
    }

    /// The key of a name, and whether the name is what it types with Shift.
    fn key(name: &str) -> Option<(&'static Key, bool)> {
        let exactly = |name: &str| {
            KEYS.iter()
                .find(|key| key.key == name && key.location == 0 || key.code == name)
                .map(|key| (key, false))
                .or_else(|| KEYS.iter().find(|key| key.shifted == name).map(|key| (key, true)))
        };
        let alias =
            |name: &str| ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map(|(_, key)| *key);
        let known = match (alias(name), name.len()) {
            (Some(key), _) => key,
            // The case of a name with several letters tells nothing.
            (None, 2..) => KEYS
                .iter()
                .find_map(|key| [key.code, key.key].into_iter().find(|known| known.eq_ignore_ascii_case(name)))?,
            (None, _) => name,
        };
        exactly(known)
    }

    /// What the key reports.
    fn reports(self) -> &'static str {
        if self.shifted { self.key.shifted } else { self.key.key }
    }

    /// What the key types.
    fn text(self) -> Option<&'static str> {
        match self.reports() {
            _ if self.modifiers.are_commands() => None,
            "Enter" => Some("\r"),
            name => (name.chars().count() == 1).then_some(name),
        }
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
        let Chord { modifiers, key, .. } = chord;
        self.hold(session, modifiers);
        let text = chord.text();
        let kind = if text.is_some() { DispatchKeyEventType::KeyDown } else { DispatchKeyEventType::RawKeyDown };
        let mut down = event(kind, chord, text);
        // Chromium applies an editing key's default only when the command is named.
        if key.code == "KeyA" && modifiers.are_commands() && !modifiers.contains(Modifier::Alt) {
            down.commands = Some(vec!["selectAll".to_owned()]);
        }
        self.connection.post(Some(session), &down);
        let up = self.connection.send::<Value>(Some(session), &event(DispatchKeyEventType::KeyUp, chord, None));
        self.release(session, modifiers).unwrap_or(up).await.map(drop)
    }

    /// Presses modifiers down, without waiting.
    pub(super) fn hold(&self, session: &SessionId, modifiers: Modifiers) {
        let mut held = Modifiers::default();
        for modifier in modifiers.each() {
            held = held.with(modifier);
            if let Some(chord) = modifier.chord(held) {
                self.connection.post(Some(session), &event(DispatchKeyEventType::RawKeyDown, chord, None));
            }
        }
    }

    /// Lets modifiers go; answers the last event, which is on its way.
    pub(super) fn release(&self, session: &SessionId, modifiers: Modifiers) -> Option<Answer<Value>> {
        let (mut held, mut last) = (modifiers, None);
        for modifier in modifiers.each().rev() {
            held = held.without(modifier);
            if let Some(chord) = modifier.chord(held) {
                last = Some(self.connection.send(Some(session), &event(DispatchKeyEventType::KeyUp, chord, None)));
            }
        }
        last
    }

    /// Enters text as a person does, stroke by stroke, with a pause between two.
    pub(super) async fn enter_text(
        &self,
        session: &SessionId,
        text: &str,
        delay: Duration,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        for (index, stroke) in text::strokes(text).into_iter().enumerate() {
            if index > 0 && !delay.is_zero() {
                deadline.pause(delay).await?;
            }
            deadline.race(self.enter(session, stroke)).await??;
        }
        Ok(())
    }

    /// Inserts text at once where the caret is.
    pub(super) async fn insert_text(&self, session: &SessionId, text: &str) -> Result<(), Error> {
        self.connection.send::<Value>(Some(session), &InsertTextParams::new(text)).await.map(drop)
    }

    async fn enter(&self, session: &SessionId, stroke: Stroke) -> Result<(), Error> {
        let acknowledged = match stroke {
            Stroke::Key(key, shifted) => {
                return self.press(session, Chord { modifiers: Modifiers::default(), key, shifted }).await;
            }
            Stroke::Other(character) => {
                let key = character.to_string();
                let named = |kind| {
                    let mut event = DispatchKeyEventParams::new(kind);
                    event.key = Some(key.clone());
                    event
                };
                let mut down = named(DispatchKeyEventType::KeyDown);
                down.text = Some(key.clone());
                down.unmodified_text = Some(key.clone());
                self.connection.post(Some(session), &down);
                self.connection.send::<Value>(Some(session), &named(DispatchKeyEventType::KeyUp))
            }
            Stroke::Composed(text) => {
                // What a page hears of keys that an input method takes for itself.
                let taken = |kind| {
                    let mut event = DispatchKeyEventParams::new(kind);
                    event.key = Some("Process".to_owned());
                    event.windows_virtual_key_code = Some(229);
                    event
                };
                let end: i64 = text.encode_utf16().count().try_into().unwrap_or_default();
                self.connection.post(Some(session), &taken(DispatchKeyEventType::RawKeyDown));
                self.connection.post(Some(session), &ImeSetCompositionParams::new(text.clone(), end, end));
                self.connection.post(Some(session), &InsertTextParams::new(text));
                self.connection.send::<Value>(Some(session), &taken(DispatchKeyEventType::KeyUp))
            }
            Stroke::Inserted(text) => return self.insert_text(session, &text).await,
        };
        acknowledged.await.map(drop)
    }
}

fn event(kind: DispatchKeyEventType, chord: Chord, text: Option<&str>) -> DispatchKeyEventParams {
    let mut event = DispatchKeyEventParams::new(kind);
    event.modifiers = Some(chord.modifiers.bits());
    event.key = Some(chord.reports().to_owned());
    event.code = Some(chord.key.code.to_owned());
    event.windows_virtual_key_code = Some(chord.key.key_code);
    event.location = Some(chord.key.location);
    event.is_keypad = Some(chord.key.location == 3);
    event.text = text.map(str::to_owned);
    event.unmodified_text = event.text.clone();
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(text: &str) -> (i64, &'static str, &'static str) {
        let chord = Chord::parse(text).expect("a chord");
        (chord.modifiers.bits(), chord.reports(), chord.key.code)
    }

    #[test]
    fn chords_are_read_as_people_write_them() {
        assert_eq!(chord("Enter"), (0, "Enter", "Enter"));
        assert_eq!(chord("Control+A"), (2, "a", "KeyA"));
        assert_eq!(chord("Control+Shift+t"), (10, "T", "KeyT"));
        assert_eq!(chord("ctrl + s"), (2, "s", "KeyS"));
        assert_eq!(chord("+"), (0, "+", "Equal"));
        assert_eq!(chord("Control++"), (2, "+", "Equal"));
        assert_eq!(chord("Shift+1"), (8, "!", "Digit1"));
        assert_eq!(chord("Space"), (0, " ", "Space"));
        assert_eq!(chord(" "), (0, " ", "Space"));
        assert_eq!(chord("Esc"), (0, "Escape", "Escape"));
        assert_eq!(chord("arrowdown"), (0, "ArrowDown", "ArrowDown"));
        assert_eq!(chord("NumpadAdd"), (0, "+", "NumpadAdd"));
        assert_eq!(chord("ShiftRight"), (0, "Shift", "ShiftRight"));
    }

    #[test]
    fn an_unknown_key_is_named() {
        assert_eq!(Chord::parse("Contrl+A").expect_err("no such modifier").to_string(), "`Contrl` is not a key");
        for name in ["Entr", "é", "", "Control+", "日本"] {
            assert!(Chord::parse(name).is_err(), "{name}");
        }
    }

    #[test]
    fn every_key_is_found_by_its_code() {
        for key in &KEYS {
            assert_eq!(Chord::key(key.code).map(|(found, _)| found.code), Some(key.code));
        }
    }
}

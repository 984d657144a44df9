//! Text as a person enters it: which characters are keys, which are composed by an input method, and which are inserted.

use super::Chord;
use super::layout::Key;

/// One thing that a person does to enter a part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    /// A key of the layout.
    Key(&'static Key, bool),
    /// A key of another layout, whose place is not known: `ü`, `я`.
    Other(char),
    /// An input method composes it and then commits it: `日本`.
    Composed(String),
    /// It comes from a picker or the clipboard: `😀`.
    Inserted(String),
}

/// The strokes of a text, in order.
pub(super) fn strokes(text: &str) -> Vec<Stroke> {
    let text = text.replace("\r\n", "\n");
    let mut strokes = Vec::new();
    for character in text.chars() {
        let mut buffer = [0; 4];
        let stroke = match Chord::key(character.encode_utf8(&mut buffer)) {
            Some((key, shifted)) => Stroke::Key(key, shifted),
            None if is_composed(character) => Stroke::Composed(character.to_string()),
            None if is_typed(character) => Stroke::Other(character),
            None => Stroke::Inserted(character.to_string()),
        };
        match (strokes.last_mut(), stroke) {
            // One word, and one emoji of several characters, are entered as a whole.
            (Some(Stroke::Composed(run)), Stroke::Composed(more)) => run.push_str(&more),
            (Some(Stroke::Inserted(run)), Stroke::Inserted(more)) => run.push_str(&more),
            (_, stroke) => strokes.push(stroke),
        }
    }
    strokes
}

/// Whether it is entered by way of an input method: Chinese, Japanese and Korean.
fn is_composed(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF
        | 0x1_B000..=0x1_B16F | 0x2_0000..=0x3_FFFF)
}

/// Whether some keyboard has it: the alphabets with their marks, punctuation and currencies, but nothing invisible.
fn is_typed(character: char) -> bool {
    !character.is_control()
        && matches!(u32::from(character), 0xA0..=0x10FF | 0x1200..=0x1FFF | 0x2010..=0x2027 | 0x2030..=0x205E | 0x20A0..=0x20CF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        strokes(text)
            .into_iter()
            .map(|stroke| match stroke {
                Stroke::Key(key, shifted) => format!("{}{}", if shifted { "shifted " } else { "" }, key.code),
                Stroke::Other(character) => format!("other {character}"),
                Stroke::Composed(text) => format!("composed {text}"),
                Stroke::Inserted(text) => format!("inserted {text}"),
            })
            .collect()
    }

    #[test]
    fn each_character_is_entered_as_a_person_does() {
        assert_eq!(kinds("a!\r\n\t"), ["KeyA", "shifted Digit1", "Enter", "Tab"]);
        assert_eq!(kinds("üя€"), ["other ü", "other я", "other €"]);
        assert_eq!(kinds("日本 한"), ["composed 日本", "Space", "composed 한"]);
        assert_eq!(kinds("👨\u{200D}👩x"), ["inserted 👨\u{200D}👩", "KeyX"]);
    }
}

//! "Did you mean": the known word closest to an unknown one.

/// The closest of `known` to `word`, if it is within `distance` edits, ignoring case.
pub(super) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, distance: usize) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|(edits, _)| *edits <= distance)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// How many edits still count as a slip of the pen in a word of this length.
pub(super) fn tolerance(word: &str) -> usize {
    match word.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

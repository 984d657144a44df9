//! What changed between two snapshots: lines with `-` and `+`, each under the unchanged lines that it is nested in.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// After this the comparison settles for a longer answer.
const LIMIT: Duration = Duration::from_millis(200);

/// The changes from `old` to `new`, both indented lines; `None` when there are none.
pub(super) fn between(old: &[String], new: &[String]) -> Option<Vec<String>> {
    let operations = capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(Instant::now() + LIMIT));
    let mut changes = Changes { new, shown: 0, lines: Vec::new() };
    for operation in operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. })) {
        let (removed, added) = (&old[operation.old_range()], &new[operation.new_range()]);
        let depth = removed.first().into_iter().chain(added.first()).map(|line| indent(line)).min();
        changes.lead_to(operation.new_range().start, depth.unwrap_or_default());
        changes.lines.extend(removed.iter().map(|line| format!("- {line}")));
        changes.lines.extend(added.iter().map(|line| format!("+ {line}")));
        changes.shown = operation.new_range().end;
    }
    (!changes.lines.is_empty()).then_some(changes.lines)
}

struct Changes<'a> {
    new: &'a [String],
    /// Lines before this one are shown, or not needed any more.
    shown: usize,
    lines: Vec<String>,
}

impl Changes<'_> {
    /// Shows the lines that enclose the line at `end`, as far as they were not shown.
    fn lead_to(&mut self, end: usize, depth: usize) {
        let mut depth = depth;
        let mut way = Vec::new();
        for line in self.new[self.shown.min(end)..end].iter().rev() {
            if indent(line) < depth {
                depth = indent(line);
                way.push(format!("  {line}"));
            }
        }
        self.lines.extend(way.into_iter().rev());
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn changes(old: &str, new: &str) -> String {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        between(&lines(old), &lines(new)).map_or("no change".to_owned(), |lines| lines.join("\n"))
    }

    #[test]
    fn changes_stand_under_what_encloses_them() {
        let old = "- main:\n  - heading \"Cart\"\n  - list:\n    - listitem: a\n    - listitem: b\n  - button \"Pay\" [disabled] [ref=e1]\n- contentinfo";
        let new = "- main:\n  - heading \"Cart\"\n  - list:\n    - listitem: a\n    - listitem: c\n    - listitem: d\n  - button \"Pay\" [ref=e1]\n- contentinfo";
        assert_snapshot!(changes(old, new), @r#"
          - main:
            - list:
        -     - listitem: b
        -   - button "Pay" [disabled] [ref=e1]
        +     - listitem: c
        +     - listitem: d
        +   - button "Pay" [ref=e1]
        "#);
        assert_eq!(changes(new, new), "no change");
    }
}

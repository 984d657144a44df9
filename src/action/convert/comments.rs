//! Owns which comment belongs to which lines of a file.

use std::ops::Range;

use crate::action::yaml::{self, Node};

/// The comments of a file by their lines.
pub struct Comments {
    comments: Vec<(usize, String)>,
    /// The first character of every line.
    starts: Vec<usize>,
}

impl Comments {
    /// The comments of a file.
    pub fn of(source: &str) -> Comments {
        let breaks = source.chars().enumerate().filter(|(_, c)| *c == '\n').map(|(at, _)| at + 1);
        Comments { comments: yaml::comments(source), starts: [0].into_iter().chain(breaks).collect() }
    }

    /// Takes out the comments on these lines.
    pub fn take(&mut self, lines: Range<usize>) -> Vec<String> {
        let (taken, left) = std::mem::take(&mut self.comments).into_iter().partition(|(line, _)| lines.contains(line));
        self.comments = left;
        taken.into_iter().map(|(_, comment)| comment).collect()
    }

    /// The last line on which something of a node stands.
    pub fn last_line(&self, node: &Node) -> usize {
        let ends = node.scalars().into_iter().map(|(line, column, length)| {
            let start = self.starts.get(line as usize - 1).copied().unwrap_or(0) + column as usize - 1;
            let last = start + (length as usize).saturating_sub(1);
            self.starts.partition_point(|start| *start <= last)
        });
        ends.max().unwrap_or(0)
    }
}

//! Reading a page as a whole: the accessibility snapshot with references.
//!
//! Leaves to others: finding and acting (`browser`), the words around it for a client (`mcp::response`). Nothing here
//! retries.

use crate::browser::{Deadline, Error, Page};
use crate::selector::{Part, Selector};

/// Iframes that a snapshot goes into.
const MAX_FRAMES: usize = 20;
/// How deep iframes in iframes are followed.
const MAX_DEPTH: usize = 4;

/// The aria snapshot of the page, or of the part that a selector matches, with the documents of iframes in place.
///
/// # Errors
/// What the browser answers for the page itself; an iframe that can't be read is left out with a note in its place.
pub async fn snapshot(page: &Page<'_>, selector: Option<&Selector>, deadline: &Deadline) -> Result<String, Error> {
    let path = selector.map(|selector| selector.split_frames().0).unwrap_or_default();
    let mut frames = 0;
    let root = document(page, &path, selector, "", deadline).await?;
    let mut lines: Vec<String> = Vec::new();
    // A stack instead of recursion: (lines still to come, with the iframes among them).
    let mut stack = vec![root];
    while let Some(document) = stack.last_mut() {
        let Some(line) = document.lines.next() else {
            stack.pop();
            continue;
        };
        let depth = document.indent;
        let number = document.next;
        document.next += 1;
        lines.push(format!("{:depth$}{line}", ""));
        let Some(frame) = document.frames.iter().find(|frame| frame.line == number) else { continue };
        let indent = depth + frame.indent;
        let mut path = document.path.clone();
        path.push(Selector::from(vec![Part::Ref(frame.reference.clone())]));
        if frames == MAX_FRAMES || path.len() > MAX_DEPTH {
            lines.push(format!("{:indent$}- text: (not shown: too many iframes)", ""));
            continue;
        }
        frames += 1;
        let prefix = format!("f{frames}");
        match self::document(page, &path, None, &prefix, deadline).await {
            Ok(mut inner) => {
                if let Some(owner) = lines.last_mut().filter(|owner| !owner.ends_with(':')) {
                    owner.push(':');
                }
                page.remember_frame(prefix, path);
                inner.indent = indent;
                stack.push(inner);
            }
            Err(error @ (Error::Cancelled | Error::Closed)) => return Err(error),
            Err(_) => lines.push(format!("{:indent$}- text: (this iframe could not be read)", "")),
        }
    }
    Ok(lines.join("\n"))
}

struct Document {
    lines: std::vec::IntoIter<String>,
    next: usize,
    indent: usize,
    frames: Vec<crate::browser::SnapshotFrame>,
    path: Vec<Selector>,
}

async fn document(
    page: &Page<'_>,
    path: &[Selector],
    selector: Option<&Selector>,
    prefix: &str,
    deadline: &Deadline,
) -> Result<Document, Error> {
    let limit =
        if prefix.is_empty() { deadline.clone() } else { deadline.within(std::time::Duration::from_millis(500)) };
    let snapshot = page.snapshot(path, selector, prefix, &limit).await?;
    let lines: Vec<String> = snapshot.text.lines().map(str::to_owned).collect();
    Ok(Document { lines: lines.into_iter(), next: 0, indent: 0, frames: snapshot.frames, path: path.to_vec() })
}

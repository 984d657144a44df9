//! Choosing lines: what matters stays, and a note under each parent tells how much of it does not.
//!
//! Every line gets a place in one order: what has the focus and open dialogs first, then landmarks and headings,
//! controls, other content, each in the viewport before outside of it, the tails of long lists behind their heads. A
//! line is never kept without those that it is nested in. The longest beginning of that order which fits is kept.

use std::collections::HashMap;

use super::outline::Line;
use super::tokens::estimate;

/// Items of a list that count as much as their place among other things; each doubling of the index counts a step less.
const HEAD: usize = 10;
/// What a note costs, about.
const NOTE: usize = 9;

/// Lines that were chosen, with notes in the places of the others.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) lines: Vec<Line>,
    /// How many lines of the outline are not among them.
    pub(super) left_out: usize,
}

/// Keeps lines less deep than `depth`, and of those what fits into `tokens`; `None` when that is all of them.
pub(super) fn choose(lines: &[Line], depth: usize, tokens: usize) -> Option<Chosen> {
    let shallow: Vec<bool> = lines.iter().map(|line| line.depth < depth).collect();
    let is_whole = shallow.iter().all(|kept| *kept);
    if is_whole && tokens == usize::MAX {
        return None;
    }
    let tree = Tree::new(lines);
    if is_whole && tree.costs.iter().sum::<usize>() <= tokens {
        return None;
    }
    let order = tree.order(lines);
    let kept = |limit: u64| -> Vec<bool> {
        order.iter().zip(&shallow).map(|(place, shallow)| *shallow && *place < limit).collect()
    };
    let mut limits: Vec<u64> = order.iter().map(|place| place + 1).collect();
    limits.sort_unstable();
    limits.dedup();
    let fits = limits.partition_point(|limit| tree.cost(lines, &kept(*limit)) <= tokens);
    // A note costs about as much as was thought, so the last ones may have to go.
    let chosen = limits[..fits].iter().rev().map(|limit| tree.select(lines, &kept(*limit)));
    Some(
        chosen
            .into_iter()
            .find(|chosen| cost_of(&chosen.lines) <= tokens)
            .unwrap_or(Chosen { lines: Vec::new(), left_out: lines.len() }),
    )
}

/// Takes the references from all but the `most` lines that matter most. Answers how many were taken.
pub(super) fn limit_references(lines: &mut [Line], most: usize) -> usize {
    let tree = Tree::new(lines);
    let order = tree.order(lines);
    let mut referenced: Vec<usize> = (0..lines.len()).filter(|index| lines[*index].reference.is_some()).collect();
    referenced.sort_by_key(|index| order[*index]);
    let surplus = referenced.into_iter().skip(most);
    surplus.map(|index| lines[index].reference = None).count()
}

fn cost_of(lines: &[Line]) -> usize {
    lines.iter().map(|line| estimate(&line.shown()) + 1).sum()
}

/// How the lines are nested.
struct Tree {
    parents: Vec<Option<usize>>,
    /// Position among the lines of the same parent and kind.
    positions: Vec<usize>,
    costs: Vec<usize>,
}

impl Tree {
    fn new(lines: &[Line]) -> Tree {
        let mut above: Vec<usize> = Vec::new();
        let mut counts = HashMap::new();
        let (mut parents, mut positions) = (Vec::new(), Vec::new());
        for (index, line) in lines.iter().enumerate() {
            while above.last().is_some_and(|last| lines[*last].depth >= line.depth) {
                above.pop();
            }
            let parent = above.last().copied();
            let count = counts.entry((parent, line.kind())).or_insert(0);
            positions.push(*count);
            *count += 1;
            parents.push(parent);
            above.push(index);
        }
        let costs = lines.iter().map(|line| estimate(&line.shown()) + 1).collect();
        Tree { parents, positions, costs }
    }

    /// The place of each line in the order of what matters, a parent's not behind its children's.
    fn order(&self, lines: &[Line]) -> Vec<u64> {
        let mut tails: Vec<u32> = Vec::with_capacity(lines.len());
        for (position, parent) in self.positions.iter().zip(&self.parents) {
            let own = if *position < HEAD { 0 } else { 1 + (position / HEAD).ilog2() };
            tails.push(own + parent.map_or(0, |parent| tails[parent]));
        }
        let mut order: Vec<u64> = lines
            .iter()
            .zip(&tails)
            .enumerate()
            .map(|(index, (line, tail))| {
                let class = match line.rank {
                    0 => return index as u64,
                    1 | 4 | 5 => 1,
                    2 => 2,
                    3 => 3,
                    6 => 4,
                    _ => 5,
                };
                (u64::from(class + tail) << 32) + index as u64
            })
            .collect();
        for index in (0..lines.len()).rev() {
            if let Some(parent) = self.parents[index] {
                order[parent] = order[parent].min(order[index]);
            }
        }
        order
    }

    /// What the kept lines cost together with the notes about the others.
    fn cost(&self, lines: &[Line], kept: &[bool]) -> usize {
        let mut cost = 0;
        // By parent, the document itself last.
        let mut noted = vec![false; lines.len() + 1];
        for (index, parent) in self.parents.iter().enumerate() {
            if kept[index] {
                cost += self.costs[index];
            } else if parent.is_none_or(|parent| kept[parent]) {
                let at = parent.unwrap_or(lines.len());
                if !std::mem::replace(&mut noted[at], true) {
                    cost += NOTE;
                }
            }
        }
        cost
    }

    /// The kept lines, and behind the children of each a note about those that are not.
    fn select(&self, lines: &[Line], kept: &[bool]) -> Chosen {
        let mut missing: HashMap<Option<usize>, (usize, &str, bool)> = HashMap::new();
        for (index, parent) in self.parents.iter().enumerate() {
            if !kept[index] && parent.is_none_or(|parent| kept[parent]) {
                let kind = lines[index].kind();
                let entry = missing.entry(*parent).or_insert((0, kind, true));
                entry.0 += 1;
                entry.2 &= entry.1 == kind;
            }
        }
        let note = |parent: Option<usize>| {
            let (count, kind, alike) = missing.get(&parent)?;
            let depth = parent.map_or(0, |parent| lines[parent].depth + 1);
            let what = if *alike && *kind != "text" { format!(" ({kind})") } else { String::new() };
            Some(Line::note(depth, format!("- … {count} more{what}")))
        };
        let mut chosen = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (index, line) in lines.iter().enumerate().filter(|(index, _)| kept[*index]) {
            while let Some(last) = open.pop_if(|last| lines[*last].depth >= line.depth) {
                chosen.extend(note(Some(last)));
            }
            open.push(index);
            chosen.push(line.clone());
            // What had all its content below it says so by the note.
            let has_note = missing.contains_key(&Some(index));
            if let Some(last) = chosen.last_mut().filter(|last| has_note && !last.text.ends_with(':')) {
                last.text.push(':');
            }
        }
        while let Some(last) = open.pop() {
            chosen.extend(note(Some(last)));
        }
        chosen.extend(note(None));
        Chosen { lines: chosen, left_out: kept.iter().filter(|kept| !**kept).count() }
    }
}

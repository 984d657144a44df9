//! A page of a few cells: its documents, as HTML by path.

use super::cell::{Cell, Hazard, Wrapping};
use super::random::Random;
use crate::support::Site;

const SCRIPT: &str = include_str!("document.js");
const CELLS: usize = 5;

pub struct Page {
    pub cells: Vec<Cell>,
    pub path: String,
}

impl Page {
    /// The page of a seed, with its documents put on the site.
    pub fn random(seed: u64, site: &Site) -> Page {
        let mut random = Random::new(seed);
        let cells: Vec<Cell> = (0..CELLS).map(|number| Cell::random(&mut random, format!("c{number}"))).collect();
        let path = format!("/{seed}");
        let body: String = cells.iter().map(|cell| cell_html(cell, &path, &mut random, site)).collect();
        site.set(&path, &document(&body));
        Page { cells, path }
    }
}

/// The cell from the inside out.
fn cell_html(cell: &Cell, path: &str, random: &mut Random, site: &Site) -> String {
    let id = &cell.id;
    let mut html = format!("<div class=cell style='position: relative; width: 220px'>{}</div>", cell.element());
    let innermost_frame = cell.around.iter().rposition(|wrapping| wrapping.is_frame());
    for (depth, wrapping) in cell.around.iter().enumerate().rev() {
        let is_covered = cell.hazard == Hazard::FrameCovered && Some(depth) == innermost_frame;
        let hazard = if is_covered { "data-hazard=covered" } else { "" };
        let filler = if random.once_in(3) { "<div style='height: 400px'></div>" } else { "" };
        let frame =
            format!("id=frame-{id}-{depth} title='Frame {id} {depth}' {hazard} style='width: 280px; height: 160px'");
        let source = format!("{path}/{id}/{depth}");
        html = match wrapping {
            Wrapping::Written => framed(&format!(
                "<iframe {frame} srcdoc=\"{}\"></iframe>",
                escaped(&document(&(filler.to_owned() + &html)))
            )),
            Wrapping::SameOrigin => {
                site.set(&source, &document(&(filler.to_owned() + &html)));
                framed(&format!("<iframe {frame} src='{source}'></iframe>"))
            }
            Wrapping::OtherOrigin => {
                site.set(&source, &document(&(filler.to_owned() + &html)));
                framed(&format!("<iframe {frame} src='{}'></iframe>", site.other_origin(&source)))
            }
            Wrapping::Open => format!("<div data-shadow=open data-content=\"{}\"></div>", escaped(&html)),
            Wrapping::Closed => format!("<div data-shadow=closed data-content=\"{}\"></div>", escaped(&html)),
            Wrapping::Scroller => format!(
                "<div style='width: 260px; height: 90px; overflow: auto'>{filler}{html}<div style='height: 300px'></div></div>"
            ),
            Wrapping::Scaled => format!("<div style='transform: scale(.9) translate(4px, 3px)'>{html}</div>"),
            Wrapping::Turned => {
                format!("<div style='transform: rotate(4deg); margin: 12px; width: fit-content'>{html}</div>")
            }
            Wrapping::Sticky => format!(
                "<div style='height: 110px; overflow: auto'><div id=sticky-{id}-{depth} style='position: sticky; top: 0; height: 30px; background: #eee; z-index: 3'>Header</div>{filler}{html}<div style='height: 200px'></div></div>"
            ),
        };
    }
    format!("<section style='margin: 6px 6px 90px'>{html}</section>")
}

/// An iframe in a cell of its own, which what covers it covers.
fn framed(iframe: &str) -> String {
    format!("<div class=cell style='position: relative; width: 300px'>{iframe}</div>")
}

fn document(body: &str) -> String {
    format!("<script>{SCRIPT}</script>{body}")
}

fn escaped(html: &str) -> String {
    html.replace('&', "&amp;").replace('"', "&quot;")
}

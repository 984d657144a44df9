//! `repertoire run --step`: shows each step before it is performed, and reads what is to be done with it.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin, stdin};
use tokio::sync::Mutex;

use super::console::{Console, Style};
use crate::run::{Answer, Next, Pace, Stage};

/// What may be answered.
const CHOICES: &str = "Enter: perform it, s: skip it, c: go on without asking, q: end here";

/// Asks the person at standard input. Its end means `q`: nobody is there any more.
pub(super) struct Prompt<'a> {
    console: &'a Console,
    stage: &'a Stage,
    lines: Mutex<Lines<BufReader<Stdin>>>,
    is_over: AtomicBool,
}

impl<'a> Prompt<'a> {
    pub(super) fn new(console: &'a Console, stage: &'a Stage) -> Prompt<'a> {
        console.line(&console.paint(Style::Dim, CHOICES));
        let lines = Mutex::new(BufReader::new(stdin()).lines());
        Prompt { console, stage, lines, is_over: AtomicBool::new(false) }
    }
}

impl Pace for Prompt<'_> {
    fn ask(&self, Next { id, text }: Next) -> Pin<Box<dyn Future<Output = Answer> + Send + '_>> {
        Box::pin(async move {
            if self.is_over.load(Ordering::Relaxed) {
                return Answer::Perform;
            }
            let text = self.stage.redactor().text(&text).into_owned();
            self.console.line(&format!("{} {id} {text}", self.console.paint(Style::Bold, "next:")));
            let mut lines = self.lines.lock().await;
            loop {
                // What can't be read is as good as the end.
                let Ok(Some(line)) = lines.next_line().await else { return Answer::Quit };
                match line.trim() {
                    "" => return Answer::Perform,
                    "s" => return Answer::Skip,
                    "q" => return Answer::Quit,
                    "c" => {
                        self.is_over.store(true, Ordering::Relaxed);
                        return Answer::Perform;
                    }
                    _ => self.console.line(CHOICES),
                }
            }
        })
    }
}

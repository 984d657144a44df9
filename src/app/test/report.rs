//! How the cases went: lines for people, and JUnit's XML for machines.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::super::console::{Console, Style};
use crate::mcp::response::seconds;

/// How a case went.
#[derive(Debug)]
pub(super) struct Verdict {
    /// Its file, as people know it.
    pub(super) file: PathBuf,
    /// Its line in the file.
    pub(super) line: u32,
    pub(super) name: String,
    pub(super) elapsed: Duration,
    /// What is wrong, if anything is: the first line says it.
    pub(super) fault: Option<String>,
}

impl Verdict {
    pub(super) fn show(&self, console: &Console) {
        let (style, word) = match self.fault {
            None => (Style::Good, "ok    "),
            Some(_) => (Style::Bad, "failed"),
        };
        let file = self.file.display();
        console.line(&format!("{} {file}: {} ({})", console.paint(style, word), self.name, seconds(self.elapsed)));
        let Some(fault) = &self.fault else { return };
        fault.lines().for_each(|line| console.line(&format!("  {line}")));
        console.line(&format!("  case at {file}:{}\n", self.line));
    }
}

/// Writes the verdicts as JUnit's XML, a suite for each file.
pub(super) fn junit(path: &Path, verdicts: &[Verdict], elapsed: Duration) -> anyhow::Result<()> {
    let mut report = Report::new("repertoire");
    report.set_time(elapsed);
    for group in verdicts.chunk_by(|one, other| one.file == other.file) {
        let Some(first) = group.first() else { continue };
        let mut suite = TestSuite::new(first.file.display().to_string());
        for verdict in group {
            let status = match &verdict.fault {
                None => TestCaseStatus::success(),
                Some(fault) => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(fault.lines().next().unwrap_or_default()).set_description(fault.as_str());
                    status
                }
            };
            let mut case = TestCase::new(verdict.name.as_str(), status);
            case.set_classname(first.file.display().to_string()).set_time(verdict.elapsed);
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    let text = report.to_string().context("the report can't be made")?;
    std::fs::write(path, text).with_context(|| format!("can't write `{}`", path.display()))
}

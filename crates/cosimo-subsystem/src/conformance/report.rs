//! What the suite found.

use std::fmt;

use super::Check;
use crate::SubsystemError;

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The rule holds.
    Passed,
    /// The rule is broken; the text says what was found.
    Failed(String),
    /// The check does not apply, or builds on one that failed; the text says why.
    Skipped(String),
}

/// The outcome of every check, in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConformanceReport {
    subsystem: String,
    outcomes: Vec<(Check, CheckOutcome)>,
}

impl ConformanceReport {
    pub(super) fn new(subsystem: String, outcomes: Vec<(Check, CheckOutcome)>) -> Self {
        Self { subsystem, outcomes }
    }

    /// Name of the subsystem that was checked.
    #[must_use]
    pub fn subsystem(&self) -> &str {
        &self.subsystem
    }

    /// Every check with its outcome.
    #[must_use]
    pub fn outcomes(&self) -> &[(Check, CheckOutcome)] {
        &self.outcomes
    }

    /// How this check ended.
    #[must_use]
    pub fn outcome(&self, check: Check) -> Option<&CheckOutcome> {
        self.outcomes.iter().find(|(made, _)| *made == check).map(|(_, outcome)| outcome)
    }

    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = Check> + '_ {
        self.outcomes
            .iter()
            .filter(|(_, outcome)| matches!(outcome, CheckOutcome::Failed(_)))
            .map(|(check, _)| *check)
    }

    /// The checks that were skipped.
    pub fn skipped(&self) -> impl Iterator<Item = Check> + '_ {
        self.outcomes
            .iter()
            .filter(|(_, outcome)| matches!(outcome, CheckOutcome::Skipped(_)))
            .map(|(check, _)| *check)
    }

    /// Whether no check failed.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.failed().next().is_none()
    }

    /// For tests: panics with the whole report when a check failed.
    ///
    /// # Panics
    /// A check failed.
    #[expect(clippy::panic, reason = "this is an assertion; `has_passed` is for those who do not want one")]
    #[track_caller]
    pub fn assert_passed(&self) {
        if !self.has_passed() {
            panic!("{self}");
        }
    }
}

impl fmt::Display for ConformanceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failures = self.failed().count();
        writeln!(f, "subsystem `{}`: {failures} of {} checks failed", self.subsystem, self.outcomes.len())?;
        for (check, outcome) in &self.outcomes {
            match outcome {
                CheckOutcome::Passed => writeln!(f, "  passed   {check}: {}", check.rule())?,
                CheckOutcome::Failed(found) => {
                    writeln!(f, "  FAILED   {check}: {}", check.rule())?;
                    writeln!(f, "           {found}")?;
                }
                CheckOutcome::Skipped(reason) => writeln!(f, "  skipped  {check}: {reason}")?,
            }
        }
        Ok(())
    }
}

/// Why a check ended early.
#[derive(Debug)]
pub(super) enum Finding {
    /// The rule is broken.
    Broken(String),
    /// The rule does not apply.
    NotApplicable(&'static str),
}

/// What a check returns.
pub(super) type Found = Result<(), Finding>;

/// The rule is broken when `condition` is false.
pub(super) fn ensure(condition: bool, found: impl FnOnce() -> String) -> Found {
    if condition { Ok(()) } else { Err(Finding::Broken(found())) }
}

impl From<SubsystemError> for Finding {
    fn from(error: SubsystemError) -> Self {
        let mut text = format!("unexpected error: {error}");
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            text.push_str(&format!(": {error}"));
            cause = error.source();
        }
        Self::Broken(text)
    }
}

impl From<Found> for CheckOutcome {
    fn from(found: Found) -> Self {
        match found {
            Ok(()) => Self::Passed,
            Err(Finding::Broken(text)) => Self::Failed(text),
            Err(Finding::NotApplicable(reason)) => Self::Skipped(reason.to_owned()),
        }
    }
}

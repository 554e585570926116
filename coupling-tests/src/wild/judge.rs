//! Runs a model and says what became of it.

use cosimo::master::Outcome;
use cosimo::model::read_model;

use super::account::Account;
use super::{draw, text};
use crate::Run;

/// Share of the stake that a run may create without a word.
pub const SHARE: f64 = 0.01;

/// What became of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Refused before the run, with this reason.
    Refused(String),
    /// It created no more than it may, and said nothing.
    Right,
    /// A warning tells of energy, the first of them.
    Warned(String),
    /// Ended on the way, or as not to be trusted.
    Ended(String),
    /// It created more than it may, and nothing tells of it.
    Silent,
}

/// A model and its verdict.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Number of the model in its seed.
    pub model: u64,
    /// `ωh` of its fastest vibration at the start.
    pub stiff: f64,
    /// What it is, in a line.
    pub what: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What it created.
    pub account: Account,
    /// The first warning of another kind.
    pub other: Option<String>,
}

/// Draws a model, runs it and judges it.
#[must_use]
pub fn judge(seed: u64, model: u64) -> Judged {
    let (draft, stiff) = draw(seed, model);
    let what = super::report::describe(&draft);
    let (verdict, account, other) = judge_text(&text(&draft));
    Judged { model, stiff, what, verdict, account, other }
}

/// Runs a model file and judges it.
#[must_use]
pub fn judge_text(text: &str) -> (Verdict, Account, Option<String>) {
    let refused = |reason: String| (Verdict::Refused(reason), Account::default(), None);
    let spec = match read_model("model.toml", text, &[]) {
        Ok((spec, _)) => spec,
        Err(mistakes) => return refused(mistakes.to_string()),
    };
    let run = match spec.build() {
        Ok(master) => Run::by(master, &spec),
        Err(error) => return refused(error.to_string()),
    };
    let account = Account::of(&spec, &run);
    let is_of_energy = |text: &str| text.contains("created") || text.contains("energy");
    let warnings = || run.report.warnings.iter().map(|warning| &warning.text);
    let other = warnings().find(|text| !is_of_energy(text)).cloned();
    let verdict = if let Outcome::Failed(reason) = &run.report.outcome {
        Verdict::Ended(reason.clone())
    } else if let Some(warning) = warnings().find(|text| is_of_energy(text)) {
        Verdict::Warned(warning.clone())
    } else if account.share <= SHARE {
        Verdict::Right
    } else {
        Verdict::Silent
    };
    (verdict, account, other)
}

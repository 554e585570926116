//! What was tried and found, as text.

use std::fmt::Write as _;

use super::draft::{Law, ParsedModel, Side};
use super::judge::{Judged, Verdict};

/// A model in a line.
#[must_use]
pub fn describe(draft: &ParsedModel) -> String {
    let side = |side: &Side| {
        let solver =
            side.solver.as_deref().unwrap_or("midpoint").trim_matches(['{', '}', ' ']).replace('"', "");
        let (lumps, springs, contacts) = (side.lumps.len(), side.springs.len(), side.contacts.len());
        format!("{} ({solver}; {lumps} masses, {springs} springs, {contacts} contacts)", side.kind)
    };
    let mut text = side(&draft.sides[0]);
    for (own, joint) in draft.sides[1..].iter().zip(&draft.joints[1..]) {
        let law = match joint.map(|joint| joint.law) {
            None => "apart",
            Some(Law::Rigid) => "rigid",
            Some(Law::Tikhonov(_)) => "tikhonov",
            Some(Law::Compliant(..)) => "compliant",
        };
        let _ = write!(text, " – {law} – {}", side(own));
    }
    let master = draft.master.replace(['"', '\n'], " ").replace("  ", " ");
    format!("{text}, {}", master.trim())
}

const NAMES: [&str; 5] = ["right", "warned", "ended", "silent", "refused"];

fn column(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Right => 0,
        Verdict::Warned(_) => 1,
        Verdict::Ended(_) => 2,
        Verdict::Silent => 3,
        Verdict::Refused(_) => 4,
    }
}

/// Verdicts by `ωh`.
#[must_use]
pub fn table(all: &[Judged]) -> String {
    let mut text = format!("| ωh | {} |\n|---|---|---|---|---|---|\n", NAMES.join(" | "));
    let bands = [(0.0, 0.1), (0.1, 1.0), (1.0, 10.0), (10.0, f64::INFINITY), (0.0, f64::INFINITY)];
    for (from, to) in bands {
        let mut counts = [0; 5];
        for judged in all.iter().filter(|judged| (from..to).contains(&judged.stiff)) {
            counts[column(&judged.verdict)] += 1;
        }
        let name = if from == 0.0 && to > 1.0 { "all".to_owned() } else { format!("{from} to {to}") };
        let _ = writeln!(text, "| {name} | {} |", counts.map(|count| count.to_string()).join(" | "));
    }
    text
}

/// A verdict in a line.
#[must_use]
pub fn line(judged: &Judged) -> String {
    let reason = match &judged.verdict {
        Verdict::Right | Verdict::Silent => "",
        Verdict::Warned(text) | Verdict::Ended(text) | Verdict::Refused(text) => text,
    };
    format!(
        "{} ωh {:.2e} {}: created {:.2e} of {:.2e} J at {:.3e} s\n    {}\n    {reason}{}",
        judged.model,
        judged.stiff,
        NAMES[column(&judged.verdict)],
        judged.account.created,
        judged.account.at_stake,
        judged.account.time,
        judged.what,
        judged.other.as_ref().map_or_else(String::new, |text| format!("\n    besides: {text}"))
    )
}

/// Whether a model of slow vibrations does not go through in silence, or one of any creates in silence.
#[must_use]
pub fn is_exception(judged: &Judged) -> bool {
    match judged.verdict {
        Verdict::Silent | Verdict::Refused(_) => true,
        Verdict::Right => false,
        Verdict::Warned(_) | Verdict::Ended(_) => judged.stiff < 1.0,
    }
}

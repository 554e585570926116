//! What is printed and written.

use std::fmt::Write;

use super::case::Verdict;
use super::list::{Case, Check, Take};

/// The checks, and where their tolerances come from.
pub(super) fn list(wanted: &[(&Case, Vec<&Check>)]) -> String {
    let mut text = String::new();
    for (case, checks) in wanted {
        let _ = writeln!(text, "{}  ({})", case.name, case.model);
        for check in checks {
            let (quantity, reference) = (described(check), check.reference.text());
            let _ =
                writeln!(text, "  {quantity} against {reference}: {:.1e}, {}", check.tolerance, check.why);
        }
    }
    text
}

/// A row for each check, and how many passed.
pub(super) fn text(verdicts: &[Verdict<'_>]) -> String {
    let width = |of: fn(&Verdict<'_>) -> usize| verdicts.iter().map(of).max().unwrap_or(0);
    let (case, quantity) =
        (width(|v| v.case.len()).max(4), width(|v| described(v.check).chars().count()).max(8));
    let mut text = format!("{:case$}  {:quantity$}  norm     error     tolerance\n", "case", "quantity");
    for verdict in verdicts {
        let (check, is_passed) = (verdict.check, verdict.is_passed());
        let error = verdict.error.as_ref().map_or("–".to_owned(), |error| format!("{error:.2e}"));
        let _ = writeln!(
            text,
            "{:case$}  {:quantity$}  {:7}  {error:8}  {:8.1e}   {}",
            verdict.case,
            described(check),
            check.norm.name(),
            check.tolerance,
            if is_passed { "ok" } else { "FAILED" }
        );
        if let Err(reason) = &verdict.error {
            let _ = writeln!(text, "  {reason}");
        }
    }
    let passed = verdicts.iter().filter(|verdict| verdict.is_passed()).count();
    let _ = writeln!(text, "{passed} of {} checks passed", verdicts.len());
    text
}

/// The same as CSV.
pub(super) fn csv(verdicts: &[Verdict<'_>]) -> String {
    let mut text = "case,quantity,reference,norm,error,tolerance,passed,seconds\n".to_owned();
    for verdict in verdicts {
        let Verdict { case, check, error, seconds } = verdict;
        let error = error.as_ref().map_or(String::new(), |error| format!("{error:e}"));
        let (quantity, reference) = (described(check), check.reference.text());
        let (norm, tolerance, passed) = (check.norm.name(), check.tolerance, verdict.is_passed());
        let _ = writeln!(
            text,
            "{case},\"{quantity}\",\"{reference}\",{norm},{error},{tolerance:e},{passed},{seconds:.3}"
        );
    }
    text
}

fn described(check: &Check) -> String {
    let quantity = check.quantity.text();
    match (&check.table, &check.events) {
        (None, _) if check.take == Take::End => format!("{quantity} at the end"),
        (None, _) => format!("{}{quantity}", check.take.name()),
        (_, None) => quantity.to_owned(),
        (_, Some(events)) => format!("{quantity} of {} events of {}", events.count, events.contact),
    }
}

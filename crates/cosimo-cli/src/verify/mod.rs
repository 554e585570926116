//! `cosimo verify`: runs the reference cases of the project and compares.
//!
//! | file | subject |
//! |---|---|
//! | `list.rs` | the list of checks |
//! | `expression.rs` | arithmetic of quantities and columns |
//! | `source.rs` | models and tables that are built in |
//! | `case.rs` | a run and its checks |
//! | `table.rs` | what is printed and written |

mod case;
mod expression;
mod list;
mod source;
mod table;

use std::fs;
use std::path::Path;

use cosimo::model::read_text;

use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::terminal;
use case::Verdict;
use list::{Case, Check, List};
use source::{LIST, Source};

/// Makes the checks that are wanted; what is done when it is stopped is reported all the same.
pub(crate) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let (list, source) = read(args.cases.as_deref()).map_err(Failure::bad_input)?;
    let wanted = wanted(&list, &args.filters)?;
    if args.list {
        return terminal::print_result(&table::list(&wanted));
    }
    if let Some(out) = args.out.as_ref().filter(|out| out.exists() && !args.force) {
        let reason = format!("`{}` exists: add --force to replace it", out.display());
        return Err(Failure::bad_input(reason));
    }
    let interrupt = Interrupt::listen().map_err(Failure::failed)?;
    let mut verdicts = Vec::new();
    for (case, checks) in &wanted {
        let Some(found) = case::verify(case, checks, &source, (Progress::new(!args.quiet), &interrupt))
        else {
            break;
        };
        verdicts.extend(found);
    }
    terminal::print_result(&table::text(&verdicts))?;
    if let Some(out) = &args.out {
        write(out, &verdicts)?;
    }
    let failed = verdicts.iter().filter(|verdict| !verdict.is_passed()).count();
    match (interrupt.stop(), failed) {
        (Some(stop), _) => Err(Failure::Interrupted(stop)),
        (None, 0) => Ok(()),
        (None, _) => Err(Failure::failed(format!("{failed} of {} checks failed", verdicts.len()))),
    }
}

fn read(cases: Option<&Path>) -> Result<(List, Source), String> {
    let Some(path) = cases else {
        return Ok((List::read(LIST, &Source::Project.read(LIST)?)?, Source::Project));
    };
    let name = path.display().to_string();
    let text = read_text(path).map_err(|error| format!("cannot read `{name}`: {error}"))?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok((List::read(&name, &text)?, Source::Folder(folder)))
}

/// Cases with those checks that a filter names by case or quantity.
fn wanted<'a>(list: &'a List, filters: &[String]) -> Result<Vec<(&'a Case, Vec<&'a Check>)>, Failure> {
    let is_wanted = |case: &Case, check: &Check| {
        let fits = |filter: &String| case.name.contains(filter) || check.quantity.text().contains(filter);
        filters.is_empty() || filters.iter().any(fits)
    };
    let of = |case: &'a Case| (case, case.checks.iter().filter(|check| is_wanted(case, check)).collect());
    let found: Vec<(&Case, Vec<&Check>)> =
        list.cases.iter().map(of).filter(|(_, checks): &(_, Vec<_>)| !checks.is_empty()).collect();
    if found.is_empty() {
        let reason = format!("no case or quantity contains {}: --list has them", filters.join(" or "));
        return Err(Failure::bad_input(reason));
    }
    Ok(found)
}

fn write(out: &Path, verdicts: &[Verdict<'_>]) -> Result<(), Failure> {
    let cannot = |error| Failure::bad_input(format!("cannot write to `{}`: {error}", out.display()));
    fs::write(out, table::csv(verdicts)).map_err(cannot)
}

//! `cosimo solve`: solves a complementarity problem from a file.

mod friction;
mod lcp;
mod text;

use std::time::Instant;

use serde::Serialize;

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::terminal;

/// What is reported of a solution, and written with it.
#[derive(Debug, Serialize)]
struct Answer {
    /// Class of the problem.
    problem: &'static str,
    /// Unknowns, and contacts where there are any.
    size: String,
    solver: &'static str,
    status: String,
    is_solved: bool,
    residual: f64,
    /// The natural map without scaling, as Siconos measures it.
    #[serde(skip_serializing_if = "Option::is_none")]
    unscaled_residual: Option<f64>,
    iterations: usize,
    seconds: f64,
    /// What is odd about the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
    /// Impulses, or `z`.
    solution: Vec<f64>,
}

/// Reads the problem, solves it, and reports how that went.
pub(crate) fn solve(args: &SolveArgs) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        check_out(out, args).map_err(Failure::bad_input)?;
    }
    let content = text::read(&args.path).map_err(Failure::bad_input)?;
    let answer = if content.trim_start().starts_with('{') {
        lcp::solve(&content, args)
    } else {
        friction::solve(&content, args)
    }
    .map_err(|reason| Failure::bad_input(format!("{}: {reason}", args.path.display())))?;
    let printed = terminal::print_result(&table(&answer));
    if let Some(out) = &args.out {
        write(out, &answer)?;
    }
    printed?;
    if answer.is_solved {
        return Ok(());
    }
    Err(Failure::failed(format!("not solved: {}; the residual is {:.1e}", answer.status, answer.residual)))
}

/// Refuses to write over the problem, and over another file without being asked to. What is no file, as `/dev/stdout`, may be
/// written to.
fn check_out(out: &std::path::Path, args: &SolveArgs) -> Result<(), String> {
    if !out.is_file() {
        return Ok(());
    }
    let is_problem = match (out.canonicalize(), args.path.canonicalize()) {
        (Ok(out), Ok(problem)) => out == problem,
        _ => false,
    };
    if is_problem {
        return Err(format!("{} is the problem itself: choose another file with --out", out.display()));
    }
    if !args.force {
        return Err(format!(
            "{} exists already: replace it with --force, or choose another file with --out",
            out.display()
        ));
    }
    Ok(())
}

fn write(out: &std::path::Path, answer: &Answer) -> Result<(), Failure> {
    let refuse = |reason: String| Failure::bad_input(format!("cannot write {}: {reason}", out.display()));
    let text = serde_json::to_string_pretty(answer).map_err(|error| refuse(error.to_string()))?;
    std::fs::write(out, text + "\n").map_err(|error| refuse(error.to_string()))
}

fn table(answer: &Answer) -> String {
    let mut text = format!(
        "problem     {} ({})\nsolver      {}\nstatus      {}\nresidual    {:.2e}\n",
        answer.problem, answer.size, answer.solver, answer.status, answer.residual
    );
    if let Some(residual) = answer.unscaled_residual {
        text += &format!("  unscaled  {residual:.2e}  (Siconos' measure)\n");
    }
    text += &format!("iterations  {}\ntime        {:.3} ms\n", answer.iterations, 1e3 * answer.seconds);
    if let Some(warning) = &answer.warning {
        text += &format!("warning     {warning}\n");
    }
    text
}

/// What `work` gives, and the seconds that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let found = work();
    (found, started.elapsed().as_secs_f64())
}

//! `cosimo solve`: solves a complementarity problem from a file.

mod friction;
mod lcp;
mod nesting;
mod text;

use std::path::Path;
use std::time::{Duration, Instant};

use cosimo::complementarity::Budget;
use serde::{Deserialize, Serialize};

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::terminal;

/// Numbers of a solution that are printed, and how many of them in a line.
const SHOWN: usize = 24;
const PER_LINE: usize = 6;

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
    /// What the solution is called.
    #[serde(skip)]
    symbol: &'static str,
    /// Impulses, or `z`.
    solution: Vec<f64>,
    /// Velocities `u = W r + q` of a friction-contact problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    u: Option<Vec<f64>>,
    /// `w = M z + q` of an LCP.
    #[serde(skip_serializing_if = "Option::is_none")]
    w: Option<Vec<f64>>,
    /// `y ≥ 0` with `Mᵀ y ≤ 0` and `qᵀ y < 0`, of an LCP without solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Vec<f64>>,
}

/// What is to be solved, from where, and what that may take.
struct Task<'a> {
    args: &'a SolveArgs,
    content: &'a str,
    guess: Option<Vec<f64>>,
    budget: Budget<'a>,
}

impl Task<'_> {
    /// The point to begin at, of so many numbers.
    fn first_guess(&self, length: usize) -> Result<Vec<f64>, String> {
        let Some(guess) = &self.guess else { return Ok(vec![0.0; length]) };
        if guess.len() == length {
            return Ok(guess.clone());
        }
        Err(format!("the guess has {} numbers, the problem asks for {length}", guess.len()))
    }
}

/// A first guess as it stands in a file.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Guess {
    Numbers(Vec<f64>),
    Answer { solution: Vec<f64> },
}

/// Reads the problem, solves it, and reports how that went.
pub(crate) fn solve(args: &SolveArgs) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        check_out(out, args).map_err(Failure::bad_input)?;
    }
    let guess = args.guess.as_deref().map(|path| read_guess(path, args.max_bytes)).transpose();
    let guess = guess.map_err(Failure::bad_input)?;
    let content = text::read(&args.path, args.max_bytes).map_err(Failure::bad_input)?;
    let interrupt = Interrupt::listen().map_err(Failure::bad_input)?;
    let budget = Budget {
        max_iterations: args.max_iterations.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
        until: args.time_limit.and_then(after),
        stop: Some(interrupt.flag()),
    };
    let task = Task { args, content: &content, guess, budget };
    let is_lcp = content.trim_start().starts_with('{');
    let answer = if is_lcp { lcp::solve(&task) } else { friction::solve(&task) }
        .map_err(|reason| Failure::bad_input(format!("{}: {reason}", args.path.display())))?;
    let printed = terminal::print_result(&table(&answer));
    if let Some(out) = &args.out {
        write(out, &answer)?;
    }
    printed?;
    if answer.is_solved {
        return Ok(());
    }
    if let Some(stop) = interrupt.stop() {
        return Err(Failure::Interrupted(stop));
    }
    Err(Failure::failed(format!("not solved: {}; the residual is {:.1e}", answer.status, answer.residual)))
}

/// The instant after so many seconds; none where it is too far for a clock.
fn after(seconds: f64) -> Option<Instant> {
    Duration::try_from_secs_f64(seconds).ok().and_then(|limit| Instant::now().checked_add(limit))
}

fn read_guess(path: &Path, most: u64) -> Result<Vec<f64>, String> {
    let content = text::read(path, most)?;
    let guess: Guess = serde_json::from_str(&content).map_err(|_| {
        format!("{} is no guess: it must be an array of numbers, or what --out has written", path.display())
    })?;
    let (Guess::Numbers(numbers) | Guess::Answer { solution: numbers }) = guess;
    Ok(numbers)
}

/// Refuses to write over the problem, and over another file without being asked to. What is no file, as `/dev/stdout`, may be
/// written to.
fn check_out(out: &Path, args: &SolveArgs) -> Result<(), String> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if out.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(format!(
            "cannot write {}: it is a directory, or in one that is not there",
            out.display()
        ));
    }
    if !out.is_file() {
        return Ok(());
    }
    if is_same_file(out, &args.path) {
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

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn write(out: &Path, answer: &Answer) -> Result<(), Failure> {
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
    match answer.solution.len() {
        0..=SHOWN => text + &numbers(answer),
        _ => text + "solution    by --out FILE\n",
    }
}

/// The numbers of the solution, and what they make of the problem.
fn numbers(answer: &Answer) -> String {
    let rows = [
        Some((answer.symbol, &answer.solution)),
        answer.u.as_ref().map(|u| ("u", u)),
        answer.w.as_ref().map(|w| ("w", w)),
        answer.certificate.as_ref().map(|y| ("certificate", y)),
    ];
    let row = |(name, values): (&str, &Vec<f64>)| {
        let lines: Vec<String> = values.chunks(PER_LINE).map(line).collect();
        format!("{name:<12}{}\n", lines.join("\n            "))
    };
    rows.into_iter().flatten().map(row).collect()
}

/// Numbers to ten digits.
fn line(values: &[f64]) -> String {
    // Without the sign of zero.
    let rounded = |x: &f64| format!("{:.9e}", x + 0.0).parse().unwrap_or(*x);
    let values: Vec<String> = values.iter().map(|x| format!("{:?}", rounded(x))).collect();
    values.join("  ")
}

/// What `work` gives, and the seconds that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let found = work();
    (found, started.elapsed().as_secs_f64())
}

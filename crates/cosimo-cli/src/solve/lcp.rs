//! Linear complementarity problems, `{"M": [[…], …], "q": […]}`. What the file says about the problem besides may be in any of the
//! dialects that are written in practice, with `NaN` and `Infinity` for numbers.

use std::fmt;

use cosimo::complementarity::{
    FischerBurmeister, FischerBurmeisterConfig, LcpError, LcpMethod, LcpOutcome, LcpProblem, LcpSolver,
    LcpStatus, LemkeConfig, LemkeWorkspace, ProjectedGaussSeidel, ProjectedGaussSeidelConfig,
};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::{Answer, Task, nesting, timed};
use crate::args::{Law, Solver};

/// Keys that say what a problem is, and are left alone.
const SAID: [&str; 6] = ["name", "title", "description", "comment", "source", "solvers"];

/// The problem as it stands in the file.
struct LcpFile {
    matrix: Vec<Vec<f64>>,
    q: Vec<f64>,
}

impl<'de> Deserialize<'de> for LcpFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Keys)
    }
}

/// Reads the keys of a problem one by one.
struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = LcpFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a problem {\"M\": [[…], …], \"q\": […]}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LcpFile, A::Error> {
        let (mut matrix, mut q) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "M" if matrix.is_none() => matrix = Some(map.next_value()?),
                "q" if q.is_none() => q = Some(map.next_value()?),
                "M" | "q" => return Err(A::Error::custom(format_args!("there is more than one `{key}`"))),
                said if SAID.contains(&said) => drop(map.next_value::<IgnoredAny>()?),
                _ => return Err(unknown(&key)),
            }
        }
        let missing = A::Error::missing_field;
        Ok(LcpFile { matrix: matrix.ok_or_else(|| missing("M"))?, q: q.ok_or_else(|| missing("q"))? })
    }
}

fn unknown<E: Error>(key: &str) -> E {
    let shown: String = key.chars().take(40).collect();
    E::custom(format_args!(
        "unknown key `{shown}`: a problem has `M` and `q`; {} may say what it is",
        SAID.map(|key| format!("`{key}`")).join(", ")
    ))
}

/// How a solver has ended, its name, and the proof that there is no solution, if it has one.
struct Ended {
    outcome: LcpOutcome,
    solver: &'static str,
    certificate: Option<Vec<f64>>,
}

pub(super) fn solve(task: &Task<'_>) -> Result<Answer, String> {
    let args = task.args;
    if args.law != Law::Coulomb {
        return Err("--law is for friction problems; this is an LCP".to_owned());
    }
    nesting::check(task.content)?;
    let file: LcpFile = json5::from_str(task.content).map_err(|error| error.to_string())?;
    let n = file.q.len();
    if let Some(row) =
        file.matrix.iter().position(|row| row.len() != n).or((file.matrix.len() != n).then_some(0))
    {
        let (rows, columns) = (file.matrix.len(), file.matrix.get(row).map_or(0, Vec::len));
        return Err(format!("M has {rows} rows, row {row} has {columns} entries; q asks for {n} x {n}"));
    }
    let by_columns: Vec<f64> = (0..n).flat_map(|j| file.matrix.iter().map(move |row| row[j])).collect();
    let problem = LcpProblem::new(&by_columns, &file.q).map_err(|error| error.to_string())?;
    let problem = problem.within(task.budget);
    let tolerance = args.tolerance.unwrap_or(1e-10);
    let mut z = task.first_guess(n)?;
    let (ended, seconds) = timed(|| solve_by(args.solver, problem, tolerance, &mut z));
    let Ended { outcome, solver, certificate } = ended?;
    let mut w = vec![0.0; n];
    problem.complement(&z, &mut w).map_err(|error| error.to_string())?;
    Ok(Answer {
        problem: "linear complementarity",
        size: format!("{n} unknowns"),
        solver,
        status: status(outcome.status).to_owned(),
        is_solved: outcome.is_solved(),
        residual: outcome.residual,
        unscaled_residual: None,
        iterations: outcome.iterations,
        seconds,
        warning: None,
        symbol: "z",
        solution: z,
        u: None,
        w: Some(w),
        certificate,
    })
}

fn solve_by(solver: Solver, problem: LcpProblem<'_>, tolerance: f64, z: &mut [f64]) -> Result<Ended, String> {
    let text = |error: LcpError| error.to_string();
    let (mut name_of_solver, mut certificate) = (solver.name(), None);
    let outcome = match solver {
        Solver::Auto => {
            let mut automatic = LcpSolver::new(tolerance).map_err(text)?;
            let outcome = automatic.solve(problem, z);
            (name_of_solver, certificate) =
                (name(automatic.method()), automatic.certificate().map(<[f64]>::to_vec));
            outcome
        }
        Solver::Lemke => {
            let config = LemkeConfig { tolerance, ..LemkeConfig::default() };
            let mut lemke = LemkeWorkspace::with_config(z.len(), config).map_err(text)?;
            let outcome = lemke.solve(problem, z);
            certificate = lemke.certificate().map(<[f64]>::to_vec);
            outcome
        }
        Solver::Newton => {
            let config = FischerBurmeisterConfig { tolerance, ..FischerBurmeisterConfig::default() };
            FischerBurmeister::new(config).and_then(|mut newton| newton.solve(problem, z))
        }
        Solver::GaussSeidel => {
            let config = ProjectedGaussSeidelConfig { tolerance, ..ProjectedGaussSeidelConfig::default() };
            ProjectedGaussSeidel::new(config).and_then(|mut sweeps| sweeps.solve(problem, z))
        }
        _ => return Err("this solver is for friction problems; this is an LCP".to_owned()),
    };
    Ok(Ended { outcome: outcome.map_err(text)?, solver: name_of_solver, certificate })
}

fn name(method: LcpMethod) -> &'static str {
    match method {
        LcpMethod::Guess => "none: the first guess is a solution",
        LcpMethod::Lemke => "lemke",
        LcpMethod::Newton => "newton",
        LcpMethod::Enumeration => "enumeration of all bases",
        _ => "gauss-seidel",
    }
}

fn status(status: LcpStatus) -> &'static str {
    match status {
        LcpStatus::Solved => "solved",
        LcpStatus::Ray => "no solution exists: the method ended on a ray that proves it",
        LcpStatus::Interrupted => "interrupted",
        LcpStatus::PivotLimit => "no solution found within the limit of pivots",
        LcpStatus::IterationLimit => "no solution found within the limit of iterations",
        LcpStatus::Stalled => "no solution found: the method cannot go on",
        _ => "a solution up to round-off, which does not meet the tolerance",
    }
}

//! Linear complementarity problems, `{"M": [[…], …], "q": […]}`.

use cosimo::complementarity::{LcpProblem, LcpStatus, LemkeConfig, LemkeWorkspace};
use serde::Deserialize;

use super::{Answer, timed};
use crate::args::{SolveArgs, Solver};

/// The problem as it stands in the file; other entries are left alone.
#[derive(Debug, Deserialize)]
struct LcpFile {
    #[serde(rename = "M")]
    matrix: Vec<Vec<f64>>,
    q: Vec<f64>,
}

pub(super) fn solve(content: &str, args: &SolveArgs) -> Result<Answer, String> {
    if !matches!(args.solver, Solver::Auto | Solver::Lemke) {
        return Err(format!(
            "the solver `{}` is for friction problems; this is an LCP: use lemke or auto",
            args.solver.name()
        ));
    }
    let file: LcpFile = serde_json::from_str(content).map_err(|error| error.to_string())?;
    let n = file.q.len();
    if let Some(row) =
        file.matrix.iter().position(|row| row.len() != n).or((file.matrix.len() != n).then_some(0))
    {
        let (rows, columns) = (file.matrix.len(), file.matrix.get(row).map_or(0, Vec::len));
        return Err(format!("M has {rows} rows, row {row} has {columns} entries; q asks for {n} x {n}"));
    }
    let by_columns: Vec<f64> = (0..n).flat_map(|j| file.matrix.iter().map(move |row| row[j])).collect();
    let problem = LcpProblem::new(&by_columns, &file.q).map_err(|error| error.to_string())?;
    let config = LemkeConfig { tolerance: args.tolerance.unwrap_or(1e-10), ..LemkeConfig::default() };
    let mut lemke = LemkeWorkspace::with_config(n, config).map_err(|error| error.to_string())?;
    let mut z = vec![0.0; n];
    let (outcome, seconds) = timed(|| lemke.solve(problem, &mut z));
    let outcome = outcome.map_err(|error| error.to_string())?;
    Ok(Answer {
        problem: "linear complementarity",
        size: format!("{n} unknowns"),
        solver: "lemke",
        status: status(outcome.status).to_owned(),
        is_solved: outcome.is_solved(),
        residual: outcome.residual,
        unscaled_residual: None,
        iterations: outcome.pivots,
        seconds,
        solution: z,
    })
}

fn status(status: LcpStatus) -> &'static str {
    match status {
        LcpStatus::Solved => "solved",
        LcpStatus::Ray => "no solution found: the method ended on a ray",
        LcpStatus::PivotLimit => "no solution found within the limit of pivots",
        _ => "no solution found that meets the tolerance",
    }
}

//! Friction-contact problems, as text.

use cosimo::complementarity::friction::{
    BlockMatrix, FrictionError, FrictionProblem, FrictionStatus, FrictionText, GaussSeidel, GaussSeidelConfig,
};

use super::{Answer, timed};
use crate::args::{SolveArgs, Solver};

pub(super) fn solve(content: &str, args: &SolveArgs) -> Result<Answer, String> {
    if !matches!(args.solver, Solver::Auto | Solver::GaussSeidel) {
        return Err(format!(
            "the solver `{}` is for LCPs; this is a friction problem: use gauss-seidel or auto",
            args.solver.name()
        ));
    }
    let file = FrictionText::parse(content).map_err(|error| error.to_string())?;
    match file.dimension() {
        2 => solve_as::<2>(&file, args),
        _ => solve_as::<3>(&file, args),
    }
}

fn solve_as<const D: usize>(file: &FrictionText, args: &SolveArgs) -> Result<Answer, String> {
    let contacts = file.friction.len();
    let text = |error: FrictionError| error.to_string();
    let matrix = BlockMatrix::<D>::from_triplets(contacts, file.entries.iter().copied()).map_err(text)?;
    let problem = FrictionProblem::new(&matrix, &file.offset, &file.friction).map_err(text)?;
    let config =
        GaussSeidelConfig { tolerance: args.tolerance.unwrap_or(1e-8), ..GaussSeidelConfig::default() };
    let mut solver = GaussSeidel::new(config).map_err(text)?;
    let mut impulses = vec![0.0; file.offset.len()];
    let (outcome, seconds) = timed(|| solver.solve(&problem, &mut impulses));
    let outcome = outcome.map_err(text)?;
    Ok(Answer {
        problem: "friction contact",
        size: format!("{contacts} contacts in {}", if D == 3 { "space" } else { "the plane" }),
        solver: "gauss-seidel",
        status: status(outcome.status).to_owned(),
        is_solved: outcome.is_solved(),
        residual: outcome.residual,
        unscaled_residual: Some(problem.unscaled_residual(&impulses)),
        iterations: outcome.iterations,
        seconds,
        solution: impulses,
    })
}

fn status(status: FrictionStatus) -> &'static str {
    match status {
        FrictionStatus::Solved => "solved",
        FrictionStatus::IterationLimit => "not converged within the limit of iterations",
        _ => "the method cannot go on",
    }
}

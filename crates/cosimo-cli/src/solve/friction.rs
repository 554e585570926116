//! Friction-contact problems, as text.

use cosimo::complementarity::friction::{
    AlartCurnier, BlockMatrix, FrictionConfig, FrictionError, FrictionLaw, FrictionMethod, FrictionOutcome,
    FrictionProblem, FrictionSolver, FrictionStatus, FrictionText, GaussSeidel, GaussSeidelConfig,
    InteriorPoint, Patches, ProjectedGradient, ProximalPoint, PseudoTransient,
};

use super::{Answer, Task, timed};
use crate::args::{Law, Solver};

/// Share of the mean diagonal by which mirror images may differ without a word.
const ASYMMETRY: f64 = 1e-6;

pub(super) fn solve(task: &Task<'_>) -> Result<Answer, String> {
    if task.args.solver == Solver::Lemke {
        return Err("lemke is for LCPs; this is a friction problem: use auto".to_owned());
    }
    let file = FrictionText::parse(task.content).map_err(|error| error.to_string())?;
    match file.dimension() {
        2 => solve_as::<2>(&file, task),
        _ => solve_as::<3>(&file, task),
    }
}

fn solve_as<const D: usize>(file: &FrictionText, task: &Task<'_>) -> Result<Answer, String> {
    let contacts = file.friction.len();
    let text = |error: FrictionError| error.to_string();
    let matrix = BlockMatrix::<D>::from_triplets(contacts, file.entries.iter().copied()).map_err(text)?;
    let problem = FrictionProblem::new(&matrix, &file.offset, &file.friction).map_err(text)?;
    let problem = problem.within(task.budget).with_law(match task.args.law {
        Law::Coulomb => FrictionLaw::Coulomb,
        Law::Associated => FrictionLaw::Associated,
    });
    let tolerance = task.args.tolerance.unwrap_or(1e-8);
    let mut impulses = task.first_guess(file.offset.len())?;
    let (ended, seconds) = timed(|| solve_by(task.args.solver, &problem, tolerance, &mut impulses));
    let (outcome, solver) = ended.map_err(text)?;
    Ok(Answer {
        problem: "friction contact",
        size: format!("{contacts} contacts in {}", if D == 3 { "space" } else { "the plane" }),
        solver,
        status: status(outcome.status).to_owned(),
        is_solved: outcome.is_solved(),
        residual: outcome.residual,
        unscaled_residual: Some(problem.unscaled_residual(&impulses)),
        iterations: outcome.iterations,
        seconds,
        warning: warning(&matrix, &file.entries),
        u: Some(problem.velocities(&impulses).map_err(text)?),
        w: None,
        certificate: None,
        symbol: "r",
        solution: impulses,
    })
}

/// What is odd about `W`.
fn warning<const D: usize>(matrix: &BlockMatrix<D>, entries: &[(usize, usize, f64)]) -> Option<String> {
    let asymmetric = matrix.asymmetry(ASYMMETRY).map(|(row, column, size)| {
        format!(
            "W is not symmetric: its entries ({row}, {column}) and ({column}, {row}) differ by {size:.1e}. It was \
             solved as it stands; both triangles must be given"
        )
    });
    let mut places: Vec<(usize, usize)> = entries.iter().map(|(row, column, _)| (*row, *column)).collect();
    places.sort_unstable();
    let repeated = places.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| {
        let (row, column) = pair[0];
        format!("the entry ({row}, {column}) of W is given more than once: such entries are summed")
    });
    let notes: Vec<String> = asymmetric.into_iter().chain(repeated).collect();
    (!notes.is_empty()).then(|| notes.join(". "))
}

/// How it ended, and the name of the solver.
fn solve_by<const D: usize>(
    solver: Solver,
    problem: &FrictionProblem<'_, D>,
    tolerance: f64,
    r: &mut [f64],
) -> Result<(FrictionOutcome, &'static str), FrictionError> {
    let config = FrictionConfig { tolerance, ..FrictionConfig::default() };
    let outcome = match solver {
        Solver::GaussSeidel => {
            let config = GaussSeidelConfig { tolerance, ..GaussSeidelConfig::default() };
            GaussSeidel::new(config)?.solve(problem, r)
        }
        Solver::PseudoTransient => PseudoTransient::new(config)?.solve(problem, r),
        Solver::ProximalPoint => ProximalPoint::new(config)?.solve(problem, r),
        Solver::Patches => Patches::new(config)?.solve(problem, r),
        Solver::InteriorPoint => InteriorPoint::new(config)?.solve(problem, r),
        Solver::Newton => AlartCurnier::new(config)?.solve(problem, r),
        Solver::ProjectedGradient => ProjectedGradient::new(config)?.solve(problem, r),
        Solver::Auto | Solver::Lemke => {
            let mut automatic = FrictionSolver::new(tolerance)?;
            let outcome = automatic.solve(problem, r)?;
            return Ok((outcome, name(automatic.method(), outcome.is_solved())));
        }
    };
    outcome.map(|outcome| (outcome, solver.name()))
}

/// The method that found the point.
fn name(method: FrictionMethod, is_solved: bool) -> &'static str {
    match method {
        FrictionMethod::Guess if is_solved => "none: the first guess is a solution",
        FrictionMethod::Guess => "none: no method improves on the first guess",
        FrictionMethod::GaussSeidel => Solver::GaussSeidel.name(),
        FrictionMethod::Patches => Solver::Patches.name(),
        FrictionMethod::ProximalPoint => Solver::ProximalPoint.name(),
        FrictionMethod::PseudoTransient => Solver::PseudoTransient.name(),
        FrictionMethod::InteriorPoint => Solver::InteriorPoint.name(),
        FrictionMethod::Newton => Solver::Newton.name(),
        _ => Solver::ProjectedGradient.name(),
    }
}

fn status(status: FrictionStatus) -> &'static str {
    match status {
        FrictionStatus::Solved => "solved",
        FrictionStatus::Interrupted => "interrupted",
        FrictionStatus::IterationLimit => "not converged within the limit of iterations",
        _ => "the method cannot go on",
    }
}

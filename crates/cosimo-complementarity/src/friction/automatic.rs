//! The choice of a solver, with others to fall back to.

use super::gauss_seidel::solve_single;
use super::{
    AlartCurnier, AlartCurnierConfig, CentralPath, CentralPathConfig, FrictionError, FrictionLaw,
    FrictionOutcome, FrictionProblem, FrictionStatus, GaussSeidel, GaussSeidelConfig, InteriorPoint,
    InteriorPointConfig, Patches, PatchesConfig, ProjectedGradient, ProjectedGradientConfig, ProximalPoint,
    ProximalPointConfig, PseudoTransient, PseudoTransientConfig, SweepOrder,
};

/// Sweeps, or gradients, that are tried before a factorisation.
const FIRST_SWEEPS: usize = 200;
/// Residual below which more sweeps are worth their time before a factorisation.
const CLOSE: f64 = 1e-3;
/// Contacts from which on patches of them are smaller than the whole.
const PATCHED_CONTACTS: usize = 300;
/// Newton steps from the best point.
const NEWTON_STEPS: usize = 30;
/// Contacts above which Newton's matrix is not formed far from a solution.
const NEWTON_CONTACTS: usize = 1500;
/// The same near one, and contacts above which the sweeps of the last resort are the plain ones alone.
const NEARBY_CONTACTS: usize = 3000;
/// Accelerated sweeps from a point that is close; those that go on before the central path and in the end, and plain ones of
/// the last resort.
const MORE_SWEEPS: usize = 1500;
const FURTHER_SWEEPS: usize = 2000;
const LONG_SWEEPS: usize = 20_000;
const LAST_SWEEPS: usize = 4000;
/// Factorisations of proximal points, and those of the last resort, which go on.
const PROXIMAL: usize = 500;
const LONG_PROXIMAL: usize = 4500;
/// The same with equal weights, and contacts up to which these are tried.
const EQUAL_PROXIMAL: usize = 4000;
const EQUAL_CONTACTS: usize = 300;

/// A method that solves friction-contact problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrictionMethod {
    /// The first guess is a solution.
    Guess,
    /// [`GaussSeidel`].
    GaussSeidel,
    /// [`Patches`].
    Patches,
    /// [`InteriorPoint`].
    InteriorPoint,
    /// [`CentralPath`].
    CentralPath,
    /// [`PseudoTransient`].
    PseudoTransient,
    /// [`ProximalPoint`].
    ProximalPoint,
    /// [`AlartCurnier`].
    Newton,
    /// [`ProjectedGradient`].
    ProjectedGradient,
}

/// Solves friction-contact problems without asking how.
///
/// For Coulomb's law: 200 accelerated sweeps, and more with [`Patches`] where these have come close, which settle impacts
/// and packings in motion; then [`PseudoTransient`], which settles packings at rest, walls and other bodies held by more
/// contacts than they need; then, from the best point found, Newton's method; then sweeps go on where they have stopped;
/// then [`ProximalPoint`] leads on from the best point; then the central path is followed, and interior points and Newton's method from no impulses are tried as they are by name;
/// up to 300 contacts [`ProximalPoint`] from no impulses with equal weights;
/// then sweeps go on again, up to
/// 20,000 of them, and then proximal points. For the associated law gradients take the place of sweeps, and
/// [`InteriorPoint`] that of the rest. Impulses to begin with are used throughout; those of the time step before save most
/// of the work.
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FrictionProblem, FrictionSolver};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<2>::from_dense(&DMatrix::identity(2, 2))?;
/// let (offset, friction) = ([-1.0, 0.2], [0.5]);
/// let problem = FrictionProblem::new(&mass, &offset, &friction)?;
/// let mut r = [0.0; 2];
/// assert!(FrictionSolver::new(1e-10)?.solve(&problem, &mut r)?.is_solved());
/// assert!((r[0] - 1.0_f64).abs() < 1e-9 && (r[1] + 0.2_f64).abs() < 1e-9); // it sticks
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FrictionSolver {
    tolerance: f64,
    first: GaussSeidel,
    accelerated: GaussSeidel,
    further: GaussSeidel,
    long: GaussSeidel,
    patches: Patches,
    transient: PseudoTransient,
    plain: GaussSeidel,
    proximal: ProximalPoint,
    long_proximal: ProximalPoint,
    equal_proximal: ProximalPoint,
    gradient: ProjectedGradient,
    long_gradient: ProjectedGradient,
    interior: InteriorPoint,
    path: CentralPath,
    newton: AlartCurnier,
    long_newton: AlartCurnier,
    method: FrictionMethod,
    trial: Vec<f64>,
    /// Where sweeps have stopped, and proximal points.
    swept: Vec<f64>,
    followed: Vec<f64>,
}

impl FrictionSolver {
    /// A solver with this [`residual`](FrictionProblem::residual) to be met.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(tolerance: f64) -> Result<Self, FrictionError> {
        let sweeps = |max_sweeps, window| {
            GaussSeidel::new(GaussSeidelConfig { tolerance, max_sweeps, window, order: SweepOrder::Given })
        };
        let window = GaussSeidelConfig::default().window;
        let gradient =
            |max_iterations| ProjectedGradient::new(ProjectedGradientConfig { tolerance, max_iterations });
        let patches = Patches::new(PatchesConfig { tolerance, ..PatchesConfig::default() })?;
        let transient = PseudoTransientConfig { tolerance, ..PseudoTransientConfig::default() };
        let proximal =
            |max_factorizations| ProximalPoint::new(ProximalPointConfig { tolerance, max_factorizations });
        let newton = AlartCurnierConfig { tolerance, max_steps: NEWTON_STEPS };
        Ok(Self {
            tolerance,
            first: sweeps(FIRST_SWEEPS, window)?,
            accelerated: sweeps(MORE_SWEEPS, window)?,
            further: sweeps(FURTHER_SWEEPS, window)?,
            long: sweeps(LONG_SWEEPS, window)?,
            patches: patches.with_small_patches(),
            transient: PseudoTransient::new(transient)?,
            plain: sweeps(LAST_SWEEPS, 0)?,
            proximal: proximal(PROXIMAL)?,
            long_proximal: proximal(LONG_PROXIMAL)?,
            equal_proximal: proximal(EQUAL_PROXIMAL)?.with_equal_weights(),
            gradient: gradient(FIRST_SWEEPS)?,
            long_gradient: gradient(LAST_SWEEPS)?,
            interior: InteriorPoint::new(InteriorPointConfig {
                tolerance,
                ..InteriorPointConfig::default()
            })?,
            path: CentralPath::new(CentralPathConfig { tolerance, ..CentralPathConfig::default() })?,
            newton: AlartCurnier::new(newton)?,
            long_newton: AlartCurnier::new(AlartCurnierConfig {
                tolerance,
                ..AlartCurnierConfig::default()
            })?,
            method: FrictionMethod::Guess,
            trial: Vec::new(),
            swept: Vec::new(),
            followed: Vec::new(),
        })
    }

    /// The method that found the impulses of the last solve.
    #[must_use]
    pub fn method(&self) -> FrictionMethod {
        self.method
    }

    /// Solves for the impulses `r`, which hold the first guess (0 for none), then the best found.
    ///
    /// # Errors
    /// `r` has another length.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.speed_unit() != 1.0 {
            return self.solve_scaled(problem, r);
        }
        if problem.contacts() == 1 && problem.law == FrictionLaw::Coulomb {
            // Solved by the first sweep.
            self.method = FrictionMethod::GaussSeidel;
            let outcome = solve_single(problem, r, self.tolerance)?;
            if outcome.is_solved() {
                return Ok(outcome);
            }
        }
        let mut best = FrictionOutcome {
            status: FrictionStatus::IterationLimit,
            iterations: 0,
            residual: f64::INFINITY,
        };
        self.method = FrictionMethod::Guess;
        self.trial.clear();
        self.trial.extend_from_slice(r);
        let stages: &[Stage] = match problem.law {
            FrictionLaw::Coulomb => &COULOMB,
            FrictionLaw::Associated => &ASSOCIATED,
        };
        for stage in stages {
            let is_of_use = match stage {
                Stage::Newton | Stage::NewtonFromRest => problem.contacts() <= NEWTON_CONTACTS,
                Stage::MoreSweeps => best.residual < CLOSE && problem.contacts() < PATCHED_CONTACTS,
                Stage::Patches => best.residual < CLOSE && problem.contacts() >= PATCHED_CONTACTS,
                Stage::FurtherSweeps | Stage::LongSweeps => problem.contacts() <= NEARBY_CONTACTS,
                Stage::EqualProximalPoint => problem.contacts() <= EQUAL_CONTACTS,
                Stage::NewtonNearby => best.residual < CLOSE && problem.contacts() <= NEARBY_CONTACTS,
                _ => true,
            };
            if !is_of_use {
                continue;
            }
            // Every stage begins with the best point so far, but some sweeps go on where they have stopped: the best point of
            // another method may be one that they do not leave.
            if matches!(stage, Stage::FurtherSweeps | Stage::LongSweeps) {
                self.trial.copy_from_slice(&self.swept);
            }
            let (method, outcome) = self.run(*stage, problem)?;
            best.iterations += outcome.iterations;
            if outcome.residual < best.residual {
                best.residual = outcome.residual;
                if outcome.iterations > 0 {
                    self.method = method;
                }
                r.copy_from_slice(&self.trial);
            }
            if best.residual <= self.tolerance {
                best.status = FrictionStatus::Solved;
                break;
            }
            if stage.is_swept() {
                self.swept.clone_from(&self.trial);
            }
            self.trial.copy_from_slice(r);
        }
        Ok(best)
    }

    /// Solves a problem with velocities of extreme size in other units, in which they are of order 1.
    fn solve_scaled<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        let unit = problem.speed_unit();
        let offset: Vec<f64> = problem.offset.iter().map(|q| unit * q).collect();
        r.iter_mut().for_each(|r| *r *= unit);
        let outcome = self.solve(&problem.with_offset(&offset), r);
        r.iter_mut().for_each(|r| *r /= unit);
        let mut outcome = outcome?;
        if r.iter().any(|r| !r.is_finite()) {
            // Larger than numbers are in the units of the data.
            r.fill(0.0);
        }
        let residual = problem.residual(r);
        // Impulses that are no normal numbers lose digits on the way back.
        if outcome.is_solved() && residual > self.tolerance {
            outcome.status = FrictionStatus::Stalled;
        }
        outcome.residual = residual;
        Ok(outcome)
    }

    fn run<const D: usize>(
        &mut self,
        stage: Stage,
        problem: &FrictionProblem<'_, D>,
    ) -> Result<(FrictionMethod, FrictionOutcome), FrictionError> {
        let r = &mut self.trial;
        Ok(match stage {
            Stage::FirstSweeps => (FrictionMethod::GaussSeidel, self.first.solve(problem, r)?),
            Stage::MoreSweeps => (FrictionMethod::GaussSeidel, self.accelerated.solve(problem, r)?),
            Stage::FurtherSweeps => (FrictionMethod::GaussSeidel, self.further.solve(problem, r)?),
            Stage::LongSweeps => (FrictionMethod::GaussSeidel, self.long.solve(problem, r)?),
            Stage::Transient => (FrictionMethod::PseudoTransient, self.transient.solve(problem, r)?),
            Stage::ProximalPoint => {
                self.followed.clone_from(r);
                let outcome = self.proximal.go_on(problem, &mut self.followed, r);
                (FrictionMethod::ProximalPoint, outcome)
            }
            Stage::LongProximalPoint => {
                let outcome = self.long_proximal.go_on(problem, &mut self.followed, r);
                (FrictionMethod::ProximalPoint, outcome)
            }
            Stage::EqualProximalPoint => {
                r.fill(0.0);
                (FrictionMethod::ProximalPoint, self.equal_proximal.solve(problem, r)?)
            }
            Stage::Patches => (FrictionMethod::Patches, self.patches.solve(problem, r)?),
            Stage::PlainSweeps => (FrictionMethod::GaussSeidel, self.plain.solve(problem, r)?),
            Stage::FirstGradients => (FrictionMethod::ProjectedGradient, self.gradient.solve(problem, r)?),
            Stage::Gradients => (FrictionMethod::ProjectedGradient, self.long_gradient.solve(problem, r)?),
            Stage::InteriorPoint => (FrictionMethod::InteriorPoint, self.interior.solve(problem, r)?),
            Stage::CentralPath => (FrictionMethod::CentralPath, self.path.solve(problem, r)?),
            Stage::Newton | Stage::NewtonNearby => (FrictionMethod::Newton, self.newton.solve(problem, r)?),
            Stage::NewtonFromRest => {
                r.fill(0.0);
                (FrictionMethod::Newton, self.long_newton.solve(problem, r)?)
            }
        })
    }
}

/// A method with its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    FirstSweeps,
    /// Where the first sweeps have come close, of few contacts and of many.
    MoreSweeps,
    Patches,
    /// From inside the cones.
    Transient,
    /// From the best point, and from where it has stopped.
    ProximalPoint,
    LongProximalPoint,
    /// From no impulses.
    EqualProximalPoint,
    FurtherSweeps,
    LongSweeps,
    PlainSweeps,
    FirstGradients,
    Gradients,
    InteriorPoint,
    CentralPath,
    /// From a point that is close.
    NewtonNearby,
    Newton,
    /// From no impulses.
    NewtonFromRest,
}

impl Stage {
    /// Whether other sweeps may go on where this has stopped.
    fn is_swept(self) -> bool {
        matches!(self, Self::FirstSweeps | Self::MoreSweeps | Self::Patches | Self::FurtherSweeps)
    }
}

const COULOMB: [Stage; 15] = [
    Stage::FirstSweeps,
    Stage::MoreSweeps,
    Stage::Patches,
    Stage::Transient,
    Stage::NewtonNearby,
    Stage::Newton,
    Stage::FurtherSweeps,
    Stage::ProximalPoint,
    Stage::CentralPath,
    Stage::InteriorPoint,
    Stage::NewtonFromRest,
    Stage::EqualProximalPoint,
    Stage::LongSweeps,
    Stage::PlainSweeps,
    Stage::LongProximalPoint,
];
const ASSOCIATED: [Stage; 3] = [Stage::FirstGradients, Stage::InteriorPoint, Stage::Gradients];

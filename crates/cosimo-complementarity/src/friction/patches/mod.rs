//! Sweeps, and the contacts that do not settle solved together with those around them.

mod patch;

use patch::{Patch, SWEEPS};

use super::by_contact::of_contact;
use super::method::{Best, Method, NoSystem, Pursuit, Step, check, solve_by};
use super::thresholds::PROGRESS;
use super::{
    FrictionConfig, FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, GaussSeidel,
    GaussSeidelConfig, ScaledSystem,
};

/// Rounds after which it gives up.
const ROUNDS: usize = 150;
/// Share of the squared mismatch that the patches of a round are to cover.
const COVERED: f64 = 0.9;
/// Contacts of a patch, at first and at most, and by how much they grow after rounds without progress.
const SIZE: usize = 120;
const LARGEST: usize = 960;
const GROWTH: usize = 2;
/// Such rounds after which patches grow, and after which it gives up.
const HELD: usize = 4;
const PATIENCE: usize = 15;
/// Share of the tolerance, and of what there was to begin with, that is left of a patch.
const OF_TOLERANCE: f64 = 0.1;
const OF_START: f64 = 0.03;

/// Sweeps over all contacts, and between them problems of about a hundred contacts each, around those that miss the law by
/// most, with the impulses of all others held.
///
/// In packings sweeps come to an end in a few places only, where contacts wait to slide or to open and all around them
/// follows. Those are solved at once, by the methods for few contacts: sweeps, Newton's method, sweeps from zero, interior
/// points. The time of a round is that of a number of sweeps. It is no method for bodies that all hang together by more
/// contacts than they need, such as walls, where [`InteriorPoint`](super::InteriorPoint) is at home.
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FrictionConfig, FrictionProblem, Patches};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<2>::from_dense(&DMatrix::identity(2, 2))?;
/// let problem = FrictionProblem::new(&mass, &[-1.0, 0.2], &[0.5])?;
/// let mut r = [0.0; 2];
/// assert!(Patches::new(FrictionConfig::default())?.solve(&problem, &mut r)?.is_solved());
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Patches {
    config: FrictionConfig,
    sweeps: GaussSeidel,
    trail: Vec<f64>,
    trial: Vec<f64>,
    /// Squared mismatch of each contact, and the contacts by it, largest first.
    squares: Vec<f64>,
    order: Vec<usize>,
    patch: Patch,
}

impl Patches {
    /// A solver with these settings; iterations are sweeps over all contacts, and patches, of 150 rounds by default.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: FrictionConfig) -> Result<Self, FrictionError> {
        let (config, empty) = (config.checked()?, Vec::new);
        let tolerance = config.tolerance;
        let sweeps = GaussSeidelConfig { tolerance, max_sweeps: SWEEPS, ..GaussSeidelConfig::default() };
        let (sweeps, patch) = (GaussSeidel::new(sweeps)?, Patch::new()?);
        let (trail, trial, squares, order) = (empty(), empty(), empty(), Vec::new());
        Ok(Self { config, sweeps, trail, trial, squares, order, patch })
    }

    /// Solves for the impulses `r`, which hold the first guess, then the best found, with Coulomb's law.
    ///
    /// # Errors
    /// `r` has another length, or the problem has another law.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        check(("the patches", Some(FrictionLaw::Coulomb)), problem, r)?;
        let (tolerance, pursuit) = (self.config.tolerance, self.pursuit(problem));
        let residual = problem.residual(r);
        let mut rounds = Rounds::new(self, problem, (residual, &*r));
        solve_by((&mut rounds, &mut NoSystem), problem, (tolerance, pursuit), Best { residual, r })
    }

    pub(super) fn pursuit<const D: usize>(&self, problem: &FrictionProblem<'_, D>) -> Pursuit {
        Pursuit::new(self.config.limit(problem, usize::MAX), PATIENCE)
    }

    /// Patches around the worst contacts, one after the other, until they cover most of the mismatch; gives their number.
    fn round<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        size: usize,
        r: &mut [f64],
    ) -> Result<usize, FrictionError> {
        self.measure(problem, r);
        let Self { config, trail, squares, order, patch, .. } = self;
        let total = squares.iter().sum::<f64>();
        let (mut covered, mut count) = (0.0, 0);
        for &worst in &*order {
            if !(covered < COVERED * total) {
                break;
            }
            // Those of an earlier patch are done.
            if squares[worst] == 0.0 {
                continue;
            }
            patch.grow(problem, worst, size);
            for &member in patch.members() {
                covered += std::mem::take(&mut squares[member]);
            }
            let wanted = OF_TOLERANCE * config.tolerance * problem.offset_norm();
            patch.solve(problem, (wanted, OF_START), r, trail)?;
            count += 1;
        }
        Ok(count)
    }

    /// By how much every contact misses the law, and in what order; the trail of `r` along with it.
    fn measure<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>, r: &[f64]) {
        let Self { trail, squares, order, .. } = self;
        problem.delassus.start(r, trail);
        let square = |i: usize| {
            let own = of_contact::<D>(r, i) * problem.diagonal_scale();
            problem.square_missed(i, &own, &problem.velocity(i, r, trail))
        };
        squares.clear();
        squares.extend((0..problem.contacts()).map(square));
        order.clear();
        order.extend(0..squares.len());
        order.sort_by(|a, b| squares[*b].total_cmp(&squares[*a]));
    }
}

/// Rounds of patches and sweeps over a problem.
pub(super) struct Rounds<'s, 'a, const D: usize> {
    solver: &'s mut Patches,
    problem: &'a FrictionProblem<'a, D>,
    rounds: usize,
    /// The least residual, that of the last progress, and rounds since.
    least: f64,
    to_beat: f64,
    waited: usize,
    /// Contacts of a patch.
    size: usize,
}

impl<'s, 'a, const D: usize> Rounds<'s, 'a, D> {
    /// Begins at impulses whose residual is known.
    pub(super) fn new(
        solver: &'s mut Patches,
        problem: &'a FrictionProblem<'a, D>,
        (residual, r): (f64, &[f64]),
    ) -> Self {
        solver.trail.resize(problem.delassus.trail(), 0.0);
        solver.trial.clear();
        solver.trial.extend_from_slice(r);
        let (least, to_beat) = (residual, residual);
        Self { solver, problem, rounds: 0, least, to_beat, waited: 0, size: SIZE }
    }
}

impl<const D: usize> Method<D> for Rounds<'_, '_, D> {
    fn step(&mut self, _system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError> {
        let mut trial = std::mem::take(&mut self.solver.trial);
        let patches = self.solver.round(self.problem, self.size, &mut trial)?;
        let swept = self.solver.sweeps.solve(self.problem, &mut trial)?;
        self.solver.trial = trial;
        self.rounds += 1;
        self.waited += 1;
        self.least = self.least.min(swept.residual);
        if self.least < PROGRESS * self.to_beat {
            (self.to_beat, self.waited, self.size) = (self.least, 0, SIZE);
        } else if self.waited.is_multiple_of(HELD) {
            self.size = (self.size * GROWTH).min(LARGEST);
        }
        let (iterations, residual) = (patches + swept.iterations, Some(swept.residual));
        Ok(Step { iterations, residual, goes_on: self.rounds < ROUNDS })
    }

    fn impulses(&self) -> &[f64] {
        &self.solver.trial
    }
}

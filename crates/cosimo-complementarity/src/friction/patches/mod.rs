//! Sweeps, and the contacts that do not settle solved together with those around them.

mod matrix;
mod patch;

use patch::Patch;

use super::by_contact::of_contact;
use super::problem::{check_length, check_tolerance};
use super::{
    FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus, GaussSeidel,
    GaussSeidelConfig,
};

/// Sweeps after every round of patches.
const SWEEPS: usize = 100;
/// Share of the squared mismatch that the patches of a round are to cover.
const COVERED: f64 = 0.9;
/// Contacts of a patch, at first and at most, and by how much they grow after rounds in which the residual has not fallen by
/// this factor.
const SIZE: usize = 120;
const LARGEST: usize = 960;
const PROGRESS: f64 = 0.7;
const GROWTH: usize = 2;
/// Such rounds after which patches grow, and after which it gives up.
const HELD: usize = 4;
const PATIENCE: usize = 16;
/// Share of the tolerance, and of what there was to begin with, that is left of a patch.
const OF_TOLERANCE: f64 = 0.1;
const OF_START: f64 = 0.03;

/// Settings of the patches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchesConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Rounds after which it gives up. Default: 150.
    pub max_rounds: usize,
}

impl Default for PatchesConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_rounds: 150 }
    }
}

/// Sweeps over all contacts, and between them problems of about a hundred contacts each, around those that miss the law by
/// most, with the impulses of all others held.
///
/// In packings sweeps come to an end in a few places only, where contacts wait to slide or to open and all around them
/// follows. Those are solved at once, by the methods for few contacts: sweeps, Newton's method, sweeps from zero, interior
/// points. The time of a round is that of a number of sweeps. It is no method for bodies that all hang together by more
/// contacts than they need, such as walls, where [`InteriorPoint`](super::InteriorPoint) is at home.
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FrictionProblem, Patches, PatchesConfig};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<2>::from_dense(&DMatrix::identity(2, 2))?;
/// let problem = FrictionProblem::new(&mass, &[-1.0, 0.2], &[0.5])?;
/// let mut r = [0.0; 2];
/// assert!(Patches::new(PatchesConfig::default())?.solve(&problem, &mut r)?.is_solved());
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Patches {
    config: PatchesConfig,
    sweeps: GaussSeidel,
    /// Rounds without progress after which it gives up.
    patience: usize,
    trail: Vec<f64>,
    trial: Vec<f64>,
    /// Squared mismatch of each contact, and the contacts by it, largest first.
    squares: Vec<f64>,
    order: Vec<usize>,
    patch: Patch,
}

impl Patches {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: PatchesConfig) -> Result<Self, FrictionError> {
        let tolerance = config.tolerance;
        check_tolerance(tolerance)?;
        let sweeps = GaussSeidelConfig { tolerance, max_sweeps: SWEEPS, ..GaussSeidelConfig::default() };
        Ok(Self {
            config,
            sweeps: GaussSeidel::new(sweeps)?,
            patience: PATIENCE,
            trail: Vec::new(),
            trial: Vec::new(),
            squares: Vec::new(),
            order: Vec::new(),
            patch: Patch::new()?,
        })
    }

    /// The same, but it gives up where its first patches make no progress, in place of larger ones.
    pub(super) fn with_small_patches(self) -> Self {
        Self { patience: HELD, ..self }
    }

    /// Solves for the impulses `r`, which hold the first guess, then the best found, with Coulomb's law. The iterations are
    /// sweeps over all contacts, and patches.
    ///
    /// # Errors
    /// `r` has another length, or the problem has another law.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.law != FrictionLaw::Coulomb {
            return Err(FrictionError::Law { solver: "the patches", law: "Coulomb's" });
        }
        check_length("r", r, problem.offset.len())?;
        self.trail.resize(problem.delassus.trail(), 0.0);
        let residual = problem.residual_in(r, &mut self.trail);
        let mut best = FrictionOutcome { status: FrictionStatus::IterationLimit, iterations: 0, residual };
        self.trial.clear();
        self.trial.extend_from_slice(r);
        let (mut to_beat, mut waited, mut size) = (residual, 0, SIZE);
        for _ in 0..self.config.max_rounds {
            if best.residual <= self.config.tolerance {
                break;
            }
            let mut trial = std::mem::take(&mut self.trial);
            best.iterations += self.round(problem, size, &mut trial)?;
            let swept = self.sweeps.solve(problem, &mut trial)?;
            best.iterations += swept.iterations;
            if swept.residual < best.residual {
                best.residual = swept.residual;
                r.copy_from_slice(&trial);
            }
            self.trial = trial;
            waited += 1;
            if best.residual < PROGRESS * to_beat {
                (to_beat, waited, size) = (best.residual, 0, SIZE);
            } else if waited >= self.patience {
                best.status = FrictionStatus::Stalled;
                break;
            } else if waited % HELD == 0 {
                size = (size * GROWTH).min(LARGEST);
            }
        }
        if best.residual <= self.config.tolerance {
            best.status = FrictionStatus::Solved;
        }
        Ok(best)
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

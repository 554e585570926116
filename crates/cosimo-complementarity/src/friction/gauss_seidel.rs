//! Nonsmooth Gauss-Seidel: contact after contact, each solved exactly with the impulses of the others, and the sweeps
//! accelerated by Anderson's method.

use rayon::prelude::*;

use super::anderson::Anderson;
use super::by_contact::{of_contact, set_contact};
use super::colours::Colours;
use super::cone::project_onto_cone;
use super::drift::Drift;
use super::local::LocalProblem;
use super::method::{Best, Method, NoSystem, Pursuit, Step, check, solve_by};
use super::problem::check_length;
use super::progress::{Judgement, Progress};
use super::thresholds::CHECK;
use super::{
    FrictionConfig, FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus,
    ScaledSystem,
};

/// Settings of the Gauss-Seidel solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussSeidelConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Sweeps after which it gives up. Default: 20,000.
    pub max_sweeps: usize,
    /// Sweeps that the acceleration remembers; 0 for none. Default: 8.
    pub window: usize,
    /// Order of the contacts in a sweep. Default: as given.
    pub order: SweepOrder,
}

/// In what order a sweep goes over the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SweepOrder {
    /// One after the other, as they are given.
    #[default]
    Given,
    /// Colour after colour, no two contacts of a colour meeting: those of one are solved at once, by as many threads as
    /// there are. The order depends on the contacts alone, so that the bits are the same for any number of threads.
    Coloured,
}

impl Default for GaussSeidelConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_sweeps: 20_000, window: 8, order: SweepOrder::Given }
    }
}

/// Contacts of a colour from which on threads share them.
const PARALLEL: usize = 128;

/// The solver with its memory: it allocates only for a problem larger than any before.
#[derive(Debug, Clone)]
pub struct GaussSeidel {
    config: GaussSeidelConfig,
    /// In the order of a sweep.
    local: Vec<LocalProblem>,
    colours: Colours,
    /// Impulses of a colour.
    found: Vec<f64>,
    trail: Vec<f64>,
    /// The impulses at hand, and those before the sweep.
    r: Vec<f64>,
    before: Vec<f64>,
    /// The point at which the residual was last looked at.
    seen: Vec<f64>,
    anderson: Anderson,
    drift: Drift,
    progress: Progress,
    sweeps: usize,
    /// Residual in units of the correction, as last seen.
    share: f64,
}

impl GaussSeidel {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: GaussSeidelConfig) -> Result<Self, FrictionError> {
        let _ = FrictionConfig { tolerance: config.tolerance, ..FrictionConfig::default() }.checked()?;
        let empty = Vec::new;
        Ok(Self {
            config,
            local: Vec::new(),
            colours: Colours::default(),
            found: empty(),
            trail: empty(),
            r: empty(),
            before: empty(),
            seen: empty(),
            anderson: Anderson::new(config.window),
            drift: Drift::default(),
            progress: Progress::default(),
            sweeps: 0,
            share: 1.0,
        })
    }

    /// Another residual to be met, known to be positive.
    pub(super) fn set_tolerance(&mut self, tolerance: f64) {
        self.config.tolerance = tolerance;
    }

    /// Solves for the impulses `r`, which hold the first guess, with Coulomb's law.
    ///
    /// # Errors
    /// `r` has another length, or the problem has another law.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        check(("Gauss-Seidel", Some(FrictionLaw::Coulomb)), problem, r)?;
        let (tolerance, pursuit) = (self.config.tolerance, self.pursuit(problem));
        self.begin(problem, r)?;
        let best = Best { residual: self.residual(problem), r };
        let mut sweeping = Sweeping { solver: self, problem };
        solve_by((&mut sweeping, &mut NoSystem), problem, (tolerance, pursuit), best)
    }

    pub(super) fn pursuit<const D: usize>(&self, problem: &FrictionProblem<'_, D>) -> Pursuit {
        Pursuit::new(problem.budget.limit(self.config.max_sweeps), usize::MAX)
    }

    /// Residual of the impulses at hand.
    pub(super) fn residual<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>) -> f64 {
        problem.residual_in(&self.r, &mut self.trail)
    }

    /// Begins at these impulses.
    pub(super) fn begin<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &[f64],
    ) -> Result<(), FrictionError> {
        self.local.clear();
        if self.config.order == SweepOrder::Coloured {
            self.colours = Colours::find(problem.delassus);
            self.found.resize(r.len(), 0.0);
            for &contact in self.colours.order() {
                self.local.push(local(problem, contact)?);
            }
        } else {
            for contact in 0..problem.contacts() {
                self.local.push(local(problem, contact)?);
            }
        }
        self.trail.resize(problem.delassus.trail(), 0.0);
        for numbers in [&mut self.r, &mut self.before, &mut self.seen] {
            numbers.clear();
            numbers.extend_from_slice(r);
        }
        self.anderson.clear();
        self.drift.clear();
        (self.progress, self.sweeps, self.share) = (Progress::default(), 0, 1.0);
        Ok(())
    }

    /// A sweep, and the residual where it may be small, and from time to time: it costs a sweep.
    fn advance<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>) -> Option<f64> {
        self.sweeps += 1;
        let mut r = std::mem::take(&mut self.r);
        self.before.copy_from_slice(&r);
        let correction = problem.diagonal_scale() * self.sweep(problem, &mut r) / problem.offset_norm();
        let is_exact = problem.contacts() == 1;
        let may_be_small = self.share * correction <= self.config.tolerance;
        let is_seen = is_exact || may_be_small || self.sweeps.is_multiple_of(CHECK);
        let residual = is_seen.then(|| problem.residual_in(&r, &mut self.trail));
        if let Some(residual) = residual {
            self.share = if correction > 0.0 { (residual / correction).min(1.0) } else { 1.0 };
            self.seen.copy_from_slice(&r);
        }
        if self.config.window > 0 {
            let judgement = self.progress.judge(correction);
            self.accelerate(judgement, problem, &mut r);
        }
        self.r = r;
        residual
    }

    fn accelerate<const D: usize>(
        &mut self,
        judgement: Judgement,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) {
        if judgement == Judgement::Plain {
            self.anderson.clear();
            if self.drift.leap(&self.before, r) {
                for (i, friction) in problem.friction.iter().enumerate() {
                    let inside = project_onto_cone(*friction, &of_contact::<D>(r, i));
                    set_contact(r, i, &inside);
                }
            }
            return;
        }
        self.drift.clear();
        if judgement == Judgement::Accelerate {
            self.anderson.accelerate(&self.before, r);
        } else {
            self.anderson.go_back(r);
            self.anderson.clear();
        }
    }

    /// One sweep over all contacts; returns the norm of the change (N s).
    fn sweep<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>, r: &mut [f64]) -> f64 {
        let delassus = problem.delassus;
        delassus.start(r, &mut self.trail);
        if self.config.order == SweepOrder::Coloured {
            return self.sweep_by_colours(problem, r);
        }
        let mut sum = 0.0;
        for (i, local) in self.local.iter_mut().enumerate() {
            let own = of_contact::<D>(r, i);
            let without = problem.velocity(i, r, &self.trail) - delassus.block(i) * own;
            let found = local.solve(&without);
            let change = found - own;
            set_contact(r, i, &found);
            delassus.follow(i, &change, &mut self.trail);
            sum += change.norm_squared();
        }
        sum.sqrt()
    }

    /// The same, colour after colour: impulses of a colour are found at once and put to their places one by one.
    fn sweep_by_colours<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>, r: &mut [f64]) -> f64 {
        let Self { local, colours, found, trail, .. } = self;
        let delassus = problem.delassus;
        let mut sum = 0.0;
        for range in colours.ranges() {
            let members = &colours.order()[range.clone()];
            let found = &mut found[range.start * D..range.end * D];
            let (impulses, bodies) = (&*r, &*trail);
            let solve = |((contact, local), found): ((&usize, &mut LocalProblem), &mut [f64])| {
                let own = of_contact::<D>(impulses, *contact);
                let without = problem.velocity(*contact, impulses, bodies) - delassus.block(*contact) * own;
                found.copy_from_slice(local.solve(&without).as_slice());
            };
            let locals = &mut local[range];
            if members.len() < PARALLEL {
                members.iter().zip(locals).zip(found.chunks_exact_mut(D)).for_each(solve);
            } else {
                let places = members.par_iter().zip(locals).zip(found.par_chunks_exact_mut(D));
                places.with_min_len(PARALLEL / 4).for_each(solve);
            }
            for (k, &contact) in members.iter().enumerate() {
                let found = of_contact::<D>(found, k);
                let change = found - of_contact::<D>(r, contact);
                set_contact(r, contact, &found);
                delassus.follow(contact, &change, trail);
                sum += change.norm_squared();
            }
        }
        sum.sqrt()
    }
}

/// The solution of a single contact, without storage.
pub(super) fn solve_single<const D: usize>(
    problem: &FrictionProblem<'_, D>,
    r: &mut [f64],
    tolerance: f64,
) -> Result<FrictionOutcome, FrictionError> {
    check_length("r", r, D)?;
    let block = problem.delassus.block(0);
    let mut local = local(problem, 0)?;
    let found = local.solve(&of_contact::<D>(problem.offset, 0));
    r.copy_from_slice(found.as_slice());
    let residual = problem.residual_of_single(&block, &found);
    let status = if residual <= tolerance { FrictionStatus::Solved } else { FrictionStatus::Stalled };
    Ok(FrictionOutcome { status, iterations: 1, residual })
}

fn local<const D: usize>(
    problem: &FrictionProblem<'_, D>,
    contact: usize,
) -> Result<LocalProblem, FrictionError> {
    let block = problem.delassus.block(contact);
    let local = LocalProblem::new(&block, problem.friction[contact]);
    local.ok_or(FrictionError::Normal { contact, found: block[(0, 0)] })
}

/// Sweeps over a problem.
pub(super) struct Sweeping<'s, 'a, const D: usize> {
    pub(super) solver: &'s mut GaussSeidel,
    pub(super) problem: &'a FrictionProblem<'a, D>,
}

impl<const D: usize> Method<D> for Sweeping<'_, '_, D> {
    fn step(&mut self, _system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError> {
        Ok(Step { iterations: 1, residual: self.solver.advance(self.problem), goes_on: true })
    }

    fn impulses(&self) -> &[f64] {
        &self.solver.seen
    }
}

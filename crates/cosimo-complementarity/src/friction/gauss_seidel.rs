//! Nonsmooth Gauss-Seidel: contact after contact, each solved exactly with the impulses of the others, and the sweeps
//! accelerated by Anderson's method.

use rayon::prelude::*;

use super::anderson::Anderson;
use super::by_contact::{of_contact, set_contact};
use super::colours::Colours;
use super::cone::project_onto_cone;
use super::drift::Drift;
use super::local::LocalProblem;
use super::problem::{check_length, check_tolerance};
use super::progress::{Judgement, Progress};
use super::{FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus};

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
/// Sweeps from one look at the residual to the next.
const CHECK: usize = 16;

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
    before: Vec<f64>,
    best: Vec<f64>,
    anderson: Anderson,
    drift: Drift,
}

impl GaussSeidel {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: GaussSeidelConfig) -> Result<Self, FrictionError> {
        check_tolerance(config.tolerance)?;
        let anderson = Anderson::new(config.window);
        let (local, colours) = (Vec::new(), Colours::default());
        let (found, trail, before, best) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let drift = Drift::default();
        Ok(Self { config, local, colours, found, trail, before, best, anderson, drift })
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
        self.prepare(problem, r)?;
        let (tolerance, limit) = (self.config.tolerance, self.config.max_sweeps);
        let mut residual = self.residual(problem, r);
        let mut best = Best { residual, sweep: 0 };
        let mut progress = Progress::default();
        let mut sweep = 0;
        // Residual in units of the correction, as last seen.
        let mut share = 1.0;
        while best.residual > tolerance && sweep < limit {
            sweep += 1;
            self.before.copy_from_slice(r);
            let correction = problem.diagonal_scale() * self.sweep(problem, r) / problem.offset_norm();
            // The residual costs a sweep: asked for where it may be small, and from time to time.
            let is_exact = problem.contacts() == 1;
            if is_exact || share * correction <= tolerance || sweep.is_multiple_of(CHECK) || sweep == limit {
                residual = self.residual(problem, r);
                share = if correction > 0.0 { (residual / correction).min(1.0) } else { 1.0 };
                if residual < best.residual {
                    best = Best { residual, sweep };
                    self.best.copy_from_slice(r);
                }
            }
            if self.config.window > 0 {
                self.accelerate(progress.judge(correction), problem, r);
            }
        }
        r.copy_from_slice(&self.best);
        let is_solved = best.residual <= tolerance;
        let status = if is_solved { FrictionStatus::Solved } else { FrictionStatus::IterationLimit };
        let iterations = if is_solved { best.sweep } else { sweep };
        Ok(FrictionOutcome { status, iterations, residual: best.residual })
    }

    fn residual<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>, r: &[f64]) -> f64 {
        problem.residual_in(r, &mut self.trail)
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

    fn prepare<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &[f64],
    ) -> Result<(), FrictionError> {
        if problem.law != FrictionLaw::Coulomb {
            return Err(FrictionError::Law { solver: "Gauss-Seidel", law: "Coulomb's" });
        }
        check_length("r", r, problem.offset.len())?;
        let local = |contact: usize| {
            let block = problem.delassus.block(contact);
            let local = LocalProblem::new(&block, problem.friction[contact]);
            local.ok_or(FrictionError::Normal { contact, found: block[(0, 0)] })
        };
        self.local.clear();
        if self.config.order == SweepOrder::Coloured {
            self.colours = Colours::find(problem.delassus);
            self.found.resize(r.len(), 0.0);
            for &contact in self.colours.order() {
                self.local.push(local(contact)?);
            }
        } else {
            for contact in 0..problem.contacts() {
                self.local.push(local(contact)?);
            }
        }
        self.trail.resize(problem.delassus.trail(), 0.0);
        self.before.resize(r.len(), 0.0);
        self.best.clear();
        self.best.extend_from_slice(r);
        self.anderson.clear();
        self.drift.clear();
        Ok(())
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
    let local = LocalProblem::new(&block, problem.friction[0]);
    let mut local = local.ok_or(FrictionError::Normal { contact: 0, found: block[(0, 0)] })?;
    let found = local.solve(&of_contact::<D>(problem.offset, 0));
    r.copy_from_slice(found.as_slice());
    let residual = problem.residual_of_single(&block, &found);
    let status = if residual <= tolerance { FrictionStatus::Solved } else { FrictionStatus::Stalled };
    Ok(FrictionOutcome { status, iterations: 1, residual })
}

/// The best impulses found, kept beside.
#[derive(Debug)]
struct Best {
    residual: f64,
    sweep: usize,
}

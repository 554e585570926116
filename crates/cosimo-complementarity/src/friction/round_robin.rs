//! Methods that take turns: a round robin.

use super::gauss_seidel::Sweeping;
use super::interior_point::Run as Interior;
use super::method::{Best, Method, NoSystem, Pursuit};
use super::newton::{Memory as NewtonMemory, Point as Newton, STEPS};
use super::patches::Rounds;
use super::proximal_point::Run as Proximal;
use super::pseudo_transient::Transient;
use super::thresholds::{CHECK, CLOSE};
use super::{
    FrictionConfig, FrictionError, FrictionMethod, FrictionOutcome, FrictionProblem, FrictionStatus,
    GaussSeidel, InteriorPoint, Patches, ProximalPoint, PseudoTransient, ScaledSystem,
};

/// Sweeps from one look at their contraction to the next; the first look comes after two such blocks.
const BLOCK: usize = 2 * CHECK;
/// Factorisations in whose time sweeps must promise a solution to go on.
const PROMISED: f64 = 12.0;
/// Factorisations in whose time a turn of sweeps is done, the same where factorisations are expensive, and sweeps of a turn at
/// most.
const SWEPT: f64 = 3.0;
const LONG_SWEPT: f64 = 15.0;
const MOST_SWEPT: f64 = 992.0;
/// Sweeps in the time of a factorisation from which on it is expensive, and patches are worth their time.
const EXPENSIVE: f64 = 30.0;
/// Rounds of patches in a turn, iterations in pseudo-time, and factorisations of interior and of proximal points.
const PATCHED: usize = 2;
const IN_PSEUDO_TIME: usize = 16;
const FACTORIZED: usize = 30;
/// Largest effective mass of a contact against the least from which on bodies are uneven: interior points and Newton's method
/// have the first turns then.
const UNEVEN: f64 = 1e3;
/// Turns within whose work a method must promise a solution for a turn to go on.
const EXTENDED: f64 = 1.5;
/// Turns in a row that a method without progress is passed over at most.
const LONGEST_PAUSE: usize = 31;
/// Contacts from which on patches are smaller than the whole.
const MANY: usize = 300;
/// Sweeps in the time of a factorisation: this number times the square root of the contacts, by the contacts that each meets;
/// and at least. Measured of packings, walls and towers of 40 to 2,700 contacts; it is met within a factor of two.
const OF_FACTORIZATION: f64 = 26.0;
const LEAST_SWEEPS: f64 = 8.0;

/// Sweeps that take about as long as a factorisation.
fn sweeps_of_factorization<const D: usize>(problem: &FrictionProblem<'_, D>) -> f64 {
    let mut neighbours = Vec::new();
    (0..problem.contacts()).for_each(|contact| problem.delassus.neighbours(contact, &mut neighbours));
    let (contacts, blocks) = (problem.contacts() as f64, neighbours.len().max(1) as f64);
    (OF_FACTORIZATION * contacts.sqrt() * contacts / blocks).max(LEAST_SWEEPS)
}

/// Largest against least mean effective mass of the contacts.
fn unevenness<const D: usize>(problem: &FrictionProblem<'_, D>) -> f64 {
    let traces = (0..problem.contacts()).map(|contact| problem.delassus.block(contact).trace());
    let (least, most) = traces.fold((f64::INFINITY, 0.0_f64), |(a, b), trace| (a.min(trace), b.max(trace)));
    most / least
}

/// Iterations after which the tolerance is met if the residual goes on falling as it has in the last `done`; less than zero, or
/// no number, where it has not.
fn promised((before, after): (f64, f64), tolerance: f64, done: usize) -> f64 {
    done as f64 * (tolerance / after).ln() / (after / before).ln()
}

/// Sweeps from where they have begun, as long as their contraction promises a solution soon.
pub(super) fn first_sweeps<const D: usize>(
    sweeps: &mut GaussSeidel,
    (problem, tolerance): (&FrictionProblem<'_, D>, f64),
    best: &mut Best<'_>,
) -> Result<Pursuit, FrictionError> {
    let mut pursuit = sweeps.pursuit(problem);
    let mut sweeping = Sweeping { solver: sweeps, problem };
    let (mut before, mut allowed) = (None, 0.0);
    loop {
        pursuit.go((&mut sweeping, &mut NoSystem), (problem, tolerance, BLOCK), best)?;
        if best.residual <= tolerance || pursuit.ended.is_some() {
            return Ok(pursuit);
        }
        if let Some(before) = before.replace(pursuit.least) {
            if allowed == 0.0 {
                allowed = PROMISED * sweeps_of_factorization(problem);
            }
            let left = promised((before, pursuit.least), tolerance, BLOCK);
            if !(left > 0.0 && pursuit.iterations as f64 + left <= allowed) {
                return Ok(pursuit);
            }
        }
    }
}

/// A method that takes turns.
struct Entrant<'p, const D: usize> {
    name: FrictionMethod,
    method: Box<dyn Method<D> + 'p>,
    pursuit: Pursuit,
    /// Iterations of a turn.
    share: usize,
    /// Turns that are still passed over, and those of the last pause.
    pause: usize,
    last_pause: usize,
}

impl<'p, const D: usize> Entrant<'p, D> {
    fn new(name: FrictionMethod, method: impl Method<D> + 'p, pursuit: Pursuit, share: usize) -> Self {
        Self { name, method: Box::new(method), pursuit, share, pause: 0, last_pause: 0 }
    }

    /// A turn, and more as long as the second half of it promises a solution soon.
    fn play(
        &mut self,
        system: &mut dyn ScaledSystem<D>,
        (problem, tolerance, left): (&FrictionProblem<'_, D>, f64, usize),
        best: &mut Best<'_>,
    ) -> Result<(), FrictionError> {
        let half = (self.share / 2).max(1).min(left);
        let until = self.pursuit.iterations.saturating_add(left);
        self.pursuit.go((self.method.as_mut(), system), (problem, tolerance, half), best)?;
        loop {
            let before = self.pursuit.least;
            let half = half.min(until.saturating_sub(self.pursuit.iterations));
            self.pursuit.go((self.method.as_mut(), system), (problem, tolerance, half), best)?;
            let more = promised((before, self.pursuit.least), tolerance, half);
            let is_over = best.residual <= tolerance || self.pursuit.ended.is_some() || half == 0;
            if is_over || !(more > 0.0 && more <= EXTENDED * self.share as f64) {
                return Ok(());
            }
        }
    }

    /// Whether the next turns are passed over: twice as many each time.
    fn judge(&mut self) {
        let is_idle = self.pursuit.waited >= (self.share / 2).max(1);
        let may_pause = is_idle && self.name != FrictionMethod::ProximalPoint;
        self.pause = if may_pause { (2 * self.last_pause + 1).min(LONGEST_PAUSE) } else { 0 };
        self.last_pause = self.pause;
    }
}

/// The methods, each as it is by name, one after the other for a share of about the same time.
pub(super) struct RoundRobin<'p, const D: usize> {
    problem: &'p FrictionProblem<'p, D>,
    tolerance: f64,
    system: Box<dyn ScaledSystem<D> + 'p>,
    entrants: Vec<Entrant<'p, D>>,
}

impl<'p, const D: usize> RoundRobin<'p, D> {
    /// Sweeps go on where they have stopped, patches from the best point, others from the first guess.
    pub(super) fn new(
        (problem, config): (&'p FrictionProblem<'p, D>, FrictionConfig),
        (sweeps, swept): (&'p mut GaussSeidel, Pursuit),
        (patches, newton, best): (&'p mut Patches, &'p mut NewtonMemory, &Best<'_>),
        guess: &[f64],
    ) -> Result<Self, FrictionError> {
        let mut entrants = Vec::with_capacity(5);
        let (is_uneven, is_large) = (unevenness(problem) >= UNEVEN, problem.contacts() >= MANY);
        let ratio = sweeps_of_factorization(problem);
        let is_expensive = is_large && ratio >= EXPENSIVE;
        if best.residual < CLOSE && is_expensive {
            let pursuit = patches.pursuit(problem);
            let rounds = Rounds::new(patches, problem, (best.residual, &*best.r));
            entrants.push(Entrant::new(FrictionMethod::Patches, rounds, pursuit, PATCHED));
        }
        let transient = Transient::new(problem, config.tolerance)?;
        let pursuit = PseudoTransient::pursuit(config, problem);
        entrants.push(Entrant::new(FrictionMethod::PseudoTransient, transient, pursuit, IN_PSEUDO_TIME));
        let share = (ratio * if is_expensive { LONG_SWEPT } else { SWEPT }).min(MOST_SWEPT) as usize;
        let sweeping = Sweeping { solver: sweeps, problem };
        // The residual of sweeps is known at whole numbers of checks.
        let share = share.next_multiple_of(2 * CHECK);
        entrants.push(Entrant::new(FrictionMethod::GaussSeidel, sweeping, swept, share));
        let pursuit = ProximalPoint::pursuit(config, problem);
        let proximal = Proximal::new(problem, guess);
        entrants.push(Entrant::new(FrictionMethod::ProximalPoint, proximal, pursuit, FACTORIZED));
        let pursuit = InteriorPoint::pursuit(config, problem);
        let interior =
            Entrant::new(FrictionMethod::InteriorPoint, Interior::new(problem), pursuit, FACTORIZED);
        entrants.insert(if is_uneven { 0 } else { entrants.len() }, interior);
        if is_uneven && !is_large {
            let point = Newton::new(problem, newton, guess);
            let pursuit = Pursuit::new(config.limit(problem, STEPS), usize::MAX);
            entrants.insert(1, Entrant::new(FrictionMethod::Newton, point, pursuit, STEPS));
        }
        Ok(Self { problem, tolerance: config.tolerance, system: problem.delassus.scaled(), entrants })
    }

    /// Turn after turn, until one of the methods has met the tolerance, or all have ended; names who has found the best point.
    pub(super) fn run(
        &mut self,
        best: &mut Best<'_>,
        method: &mut FrictionMethod,
    ) -> Result<(), FrictionError> {
        let most = self.problem.budget.limit(usize::MAX);
        while self.entrants.iter().any(|entrant| entrant.pursuit.ended.is_none()) {
            for k in 0..self.entrants.len() {
                let left = most.saturating_sub(self.iterations());
                let Self { problem, tolerance, system, entrants } = self;
                let entrant = &mut entrants[k];
                if entrant.pursuit.ended.is_some() || entrant.pause > 0 {
                    entrant.pause = entrant.pause.saturating_sub(1);
                    continue;
                }
                let before = best.residual;
                entrant.play(system.as_mut(), (problem, *tolerance, left), best)?;
                entrant.judge();
                if best.residual < before {
                    *method = entrant.name;
                }
                if best.residual <= *tolerance || left == 0 {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn iterations(&self) -> usize {
        self.entrants.iter().map(|entrant| entrant.pursuit.iterations).sum()
    }

    /// How the turns have ended.
    pub(super) fn outcome(&self, residual: f64) -> FrictionOutcome {
        let is_interrupted =
            self.entrants.iter().any(|entrant| entrant.pursuit.ended == Some(FrictionStatus::Interrupted));
        let status = if residual <= self.tolerance {
            FrictionStatus::Solved
        } else if is_interrupted {
            FrictionStatus::Interrupted
        } else {
            FrictionStatus::IterationLimit
        };
        FrictionOutcome { status, iterations: self.iterations(), residual }
    }
}

//! The problem of the contacts that act together: complementarity without friction, Coulomb's law with it.

use cosimo_complementarity::friction::{
    AlartCurnier, BlockMatrix, Delassus, FacetedCone, FacetedSolver, FrictionConfig, FrictionError,
    FrictionProblem, FrictionSolver, GaussSeidel, GaussSeidelConfig, solve_contact,
};
use cosimo_complementarity::{Budget, LcpStatus};
use cosimo_mechanics::{ContactLaw, ImpactLaw};
use nalgebra::{Matrix3, Vector3};

use crate::active_set::ActiveSet;
use crate::coefficients::{Coefficients, SlipsBefore};
use crate::delassus_matrix::EffectiveMass;
use crate::laws::ActiveContacts;
use crate::mean_slip::MeanSlips;
use crate::nearest::{Nearest, PROXIMAL_STEPS, Wanted};
use crate::places::Places;
use crate::tangents::{block_along, impulse_along, moving_tangents, velocity_along};
use crate::thresholds::Accuracy;
use crate::unsolved::{Remainder, Unsolved, farthest_from_law, move_into_cones};
use crate::{ContactLaws, OneStepError};

/// Sweeps before Newton's method is tried, its steps, and those without progress after which it gives up.
const SWEEPS: usize = 48;
const NEWTON_STEPS: usize = 40;
const PATIENCE: usize = 12;
/// Contacts up to which round-off is aimed at by all means, and Newton's method tried from simpler guesses: for more the solvers for
/// hard problems are sooner there.
const FEW: usize = 16;

/// Solves for the impulses of a set of contacts.
#[derive(Debug, Clone)]
pub(crate) struct ContactSet {
    pub(crate) lcp: ActiveSet,
    delassus: BlockMatrix<3>,
    offset: Vec<f64>,
    /// The largest number of `b` (m/s), without what is added to slips.
    largest: f64,
    friction: Vec<f64>,
    accuracy: Accuracy,
    /// Iterations of all methods for a problem with friction, at most, and those done.
    limit: Option<usize>,
    done: usize,
    /// What is taken that no method solves.
    remainder: Remainder,
    nearest: Nearest,
    /// Whether proximal steps, and Newton's method after sweeps, have failed since impulses of another kind were wanted.
    is_far: bool,
    is_hard: bool,
    coefficients: Coefficients,
    means: MeanSlips,
    impulses: Vec<f64>,
    improved: Vec<f64>,
    cones: Vec<FacetedCone>,
    /// Along which directions each contact moves, by columns, where not along all.
    moving: Vec<Option<Matrix3<f64>>>,
    places: Places,
    /// Made when they are needed for the first time.
    solvers: Option<Solvers>,
    last_resort: Option<FrictionSolver>,
    faceted: Option<FacetedSolver>,
}

/// The solvers of contacts that act together.
#[derive(Debug, Clone)]
struct Solvers {
    sweeps: GaussSeidel,
    newton: AlartCurnier,
}

impl Solvers {
    fn new(tolerance: f64) -> Result<Self, FrictionError> {
        let sweeps = GaussSeidelConfig { tolerance, max_sweeps: SWEEPS, ..Default::default() };
        let newton = FrictionConfig { tolerance, max_iterations: Some(NEWTON_STEPS) };
        let newton = AlartCurnier::new(newton)?.with_patience(PATIENCE);
        Ok(Self { sweeps: GaussSeidel::new(sweeps)?, newton })
    }
}

impl ContactSet {
    pub(crate) fn with_capacity(contacts: usize) -> Self {
        Self {
            lcp: ActiveSet::with_capacity(contacts),
            delassus: BlockMatrix::default(),
            offset: Vec::new(),
            largest: 0.0,
            friction: Vec::new(),
            accuracy: Accuracy::default(),
            limit: None,
            done: 0,
            remainder: Remainder::default(),
            nearest: Nearest::default(),
            is_far: false,
            is_hard: false,
            coefficients: Coefficients::default(),
            means: MeanSlips::with_capacity(contacts),
            impulses: Vec::new(),
            improved: Vec::new(),
            cones: Vec::new(),
            moving: Vec::new(),
            places: Places::default(),
            solvers: None,
            last_resort: None,
            faceted: None,
        }
    }

    /// Says which of the impulses that solve a problem are wanted from now on.
    pub(crate) fn look_for(&mut self, wanted: Wanted) {
        self.nearest.look_for(wanted);
        self.is_far &= wanted == Wanted::Nearest;
        self.is_hard &= wanted == Wanted::Nearest;
    }

    /// What is left of the law of contacts with friction.
    pub(crate) fn residual(&self) -> f64 {
        self.accuracy.goal
    }

    /// Takes a residual that contacts with friction need not fall below.
    pub(crate) fn set_tolerance(&mut self, tolerance: f64) {
        self.accuracy = Accuracy::of(tolerance);
        self.solvers = None;
        self.last_resort = None;
    }

    /// Takes a number of iterations after which a problem with friction counts as not solved.
    pub(crate) fn set_limit(&mut self, limit: Option<usize>) {
        self.limit = limit;
    }

    /// Takes a residual (–) up to which the best impulses are taken where no method gets to what a step needs.
    pub(crate) fn set_bound(&mut self, bound: f64) {
        self.remainder = Remainder::up_to(bound);
    }

    /// The worst that problems have been left with since this was [cleared](Remainder::clear).
    pub(crate) fn remainder(&mut self) -> &mut Remainder {
        &mut self.remainder
    }

    /// What problems have been left with, to be looked at.
    pub(crate) fn unsolved(&self) -> Option<Unsolved> {
        self.remainder.worst()
    }

    /// What is left of the iterations.
    fn budget(&self) -> Budget<'static> {
        let max_iterations = self.limit.map(|limit| limit.saturating_sub(self.done));
        Budget { max_iterations, ..Budget::default() }
    }

    /// Solves the law on `set` for `u = W P + b`, matrix and vector given by row, and overwrites the impulses `out` of all
    /// rows; those of other contacts are zero. Friction may depend on the slips `before` and after.
    pub(crate) fn solve(
        &mut self,
        active: ActiveContacts<'_>,
        before: impl SlipsBefore,
        (matrix, offset): (&impl EffectiveMass, impl Fn(usize) -> f64),
        out: &mut [f64],
    ) -> Result<(), OneStepError> {
        if active.set.len() > 1 {
            let rows = active.set.iter().flat_map(|&c| std::iter::once(c).chain(active.laws.slips(c)));
            self.largest = rows.fold(0.0, |most, row| most.max(offset(row).abs()));
        }
        self.done = 0;
        let mut means = std::mem::take(&mut self.means);
        means.start(active, &before, out.len());
        let solved = loop {
            let shift = |row: usize| means.of(row);
            let solved = self.solve_for_slips(active, &before, (matrix, &offset, shift), out);
            let after = |row: usize| {
                let by_impulses = matrix.product(row, out);
                [offset(row) + by_impulses, by_impulses]
            };
            if solved.is_err() || !means.is_any() || !means.give_up(active, out, after) {
                break solved;
            }
        };
        self.means = means;
        solved
    }

    /// The same with what is added to the slips at hand.
    fn solve_for_slips(
        &mut self,
        active: ActiveContacts<'_>,
        before: &impl SlipsBefore,
        (matrix, offset, shift): (&impl EffectiveMass, impl Fn(usize) -> f64, impl Fn(usize) -> f64),
        out: &mut [f64],
    ) -> Result<(), OneStepError> {
        let shifted = |row: usize| offset(row) + shift(row);
        if !active.set.iter().any(|&c| active.laws.depends_on_slip(c)) {
            self.coefficients.constant();
            return self.solve_once(active, matrix, shifted, out);
        }
        self.coefficients.start(active, before, &offset);
        loop {
            self.solve_once(active, matrix, shifted, out)?;
            let after = |row: usize| {
                let largest = matrix.fold(row, out, offset(row).abs(), |most, term| most.max(term.abs()));
                (offset(row) + matrix.product(row, out), largest)
            };
            if !self.coefficients.revise(active, before, out, after) {
                return Ok(());
            }
        }
    }

    /// The same with the coefficients of friction at hand.
    fn solve_once(
        &mut self,
        active: ActiveContacts<'_>,
        matrix: &impl EffectiveMass,
        offset: impl Fn(usize) -> f64,
        out: &mut [f64],
    ) -> Result<(), OneStepError> {
        out.fill(0.0);
        if !active.set.iter().any(|&c| active.laws.is_frictional(c)) {
            let entry = |row: usize, column: usize| matrix.entry(row, column);
            match self.nearest.centre_for(active.set, active.set.len()) {
                Some(centre) => self.lcp.solve_near(active.set, entry, offset, centre),
                None => self.lcp.solve(active.set, entry, offset),
            }
            .or_else(|error| self.leave_inaccurate(active.set, error))?;
            self.nearest.take(active.set, self.lcp.values());
            active.set.iter().zip(self.lcp.values()).for_each(|(&c, p)| out[c] = *p);
            return Ok(());
        }
        if active.set.iter().any(|&c| active.laws.is_faceted(c)) {
            self.fill(active, matrix, offset);
            self.solve_faceted(active)?;
            self.write(active, out);
            return Ok(());
        }
        if let &[contact] = active.set {
            let r = self::single(contact, (active.laws, self.coefficients.of(0, active)), matrix, offset)?;
            write(active.laws, contact, &r, out);
            return Ok(());
        }
        self.fill(active, matrix, offset);
        // Proximal steps cost iterations, of which a limit may leave none for the problem itself.
        let has_centre =
            self.nearest.centre_for(active.set, self.offset.len()).is_some() && self.limit.is_none();
        self.nearest.guess(active.set, 3, &mut self.impulses);
        let is_near = has_centre && !self.is_far && self.solve_near(active.set)?;
        if !is_near {
            self.is_far = has_centre;
            self.solve_together(active)?;
        }
        self.nearest.take(active.set, &self.impulses);
        self.write(active, out);
        Ok(())
    }

    /// Solves for the impulses near those before by [proximal steps](Nearest), as long as Newton's method makes them; says whether that
    /// went well. Otherwise the problem is as it was.
    fn solve_near(&mut self, set: &[usize]) -> Result<bool, OneStepError> {
        let Self { delassus, offset, largest, nearest, .. } = self;
        nearest
            .begin((offset, *largest), (0..set.len()).map(|contact| delassus.block(contact).trace() / 3.0));
        delassus.add_to_diagonal(&nearest.weights);
        let mut is_solved = false;
        for step in 0..PROXIMAL_STEPS {
            self.nearest.project_positions(3, &mut self.offset);
            self.impulses.copy_from_slice(&self.nearest.centre);
            if step == 0 {
                self.nearest.guess(set, 3, &mut self.impulses);
            }
            if self.solve_soon()? > self.accuracy.accepted {
                break;
            }
            if let Some(is_close) = self.nearest.step(3, &self.impulses, self.accuracy) {
                is_solved = is_close;
                break;
            }
        }
        if !is_solved {
            let Self { delassus, offset, nearest, impulses, .. } = self;
            nearest.weights.iter_mut().for_each(|weight| *weight = -*weight);
            delassus.add_to_diagonal(&nearest.weights);
            offset.copy_from_slice(&nearest.offset);
            impulses.fill(0.0);
            nearest.guess(set, 3, impulses);
        }
        Ok(is_solved)
    }

    fn write(&self, ActiveContacts { set, laws }: ActiveContacts<'_>, out: &mut [f64]) {
        let impulses = self.impulses.chunks_exact(3).zip(&self.moving);
        for (&c, (r, moving)) in set.iter().zip(impulses) {
            write(laws, c, &impulse_along(Vector3::from_column_slice(r), moving), out);
        }
    }

    fn fill(
        &mut self,
        active: ActiveContacts<'_>,
        matrix: &impl EffectiveMass,
        offset: impl Fn(usize) -> f64,
    ) {
        self.delassus.clear();
        self.offset.clear();
        self.friction.clear();
        self.moving.clear();
        for &a in active.set {
            let velocity = velocity(active.laws, a, &offset);
            self.moving.push(moving_tangents(&block(active.laws, (a, a), matrix), &velocity));
        }
        if active.set.first().is_some_and(|contact| matrix.met_by(*contact).is_some()) {
            self.places.take(active.set, active.laws.len());
        }
        for (place, &a) in active.set.iter().enumerate() {
            let Self { delassus, moving, places, .. } = self;
            let block = |other: usize| {
                let along = [&moving[place], &moving[other]];
                (other, block_along(block(active.laws, (a, active.set[other]), matrix), along))
            };
            match matrix.met_by(a) {
                None => delassus.push_row((0..active.set.len()).map(block)),
                Some(met) => delassus.push_row(places.of_rows(met).iter().copied().map(block)),
            }
            let velocity = velocity_along(velocity(active.laws, a, &offset), &self.moving[place]);
            self.offset.extend_from_slice(velocity.as_slice());
            let coefficient = self.coefficients.of(place, active);
            self.friction.push(if active.laws.is_frictional(a) { coefficient } else { 0.0 });
        }
        self.impulses.clear();
        self.impulses.resize(3 * active.set.len(), 0.0);
    }

    /// Facets at all contacts of the set, those of a contact or the finest of any; a contact with a single tangent has two.
    fn solve_faceted(&mut self, active: ActiveContacts<'_>) -> Result<(), OneStepError> {
        let finest = active.set.iter().filter_map(|&c| active.laws.of(c).facets).max().unwrap_or(0);
        self.cones.clear();
        for (&contact, moving) in active.set.iter().zip(&self.moving) {
            let has_disk = active.laws.is_frictional(contact)
                && active.laws.slips(contact).len() > 1
                && moving.is_none();
            let facets = active.laws.of(contact).facets.unwrap_or(finest);
            self.cones.push(if has_disk { FacetedCone::new(facets)? } else { FacetedCone::line() });
        }
        let Self { delassus, offset, friction, impulses, cones, faceted, .. } = self;
        let problem = FrictionProblem::new(&*delassus, offset, friction)?;
        let solver = faceted.get_or_insert_default();
        let outcome = solver.solve(&problem, |contact| cones[contact], impulses)?;
        if outcome.is_solved() {
            return Ok(());
        }
        Err(not_solved(active, outcome.residual))
    }

    /// Newton's method from the impulses at hand, and if it does not get there, after sweeps with exact contacts, and of few contacts
    /// from simpler guesses; gives the residual of the best that was found.
    fn solve_soon(&mut self) -> Result<f64, OneStepError> {
        let Accuracy { goal, accepted } = self.accuracy;
        // Newton's method gets there from a solution before, seldom from nothing.
        let has_guess = self.impulses.iter().any(|x| *x != 0.0);
        let best = if has_guess { self.improve(Guess::AsIs, f64::INFINITY)? } else { f64::INFINITY };
        let has_few = self.friction.len() <= FEW;
        if best <= if has_few { goal } else { accepted } || self.is_hard && !has_few {
            return Ok(best);
        }
        let budget = self.budget();
        let Self { delassus, offset, friction, impulses, accuracy, solvers, done, .. } = self;
        let problem = FrictionProblem::new(&*delassus, offset, friction)?.within(budget);
        let outcome = made(solvers, *accuracy)?.sweeps.solve(&problem, impulses)?;
        *done += outcome.iterations;
        let best = outcome.residual;
        if best <= goal {
            return Ok(best);
        }
        let mut best = self.improve(Guess::AsIs, best)?;
        for guess in [Guess::Zero, Guess::Alone] {
            if best > accepted && has_few {
                best = self.improve(guess, best)?;
            }
        }
        self.is_hard = best > accepted && !has_few;
        Ok(best)
    }

    /// Takes impulses that are better than those at hand, whose residual is known, if Newton's method finds them; gives their residual.
    fn improve(&mut self, guess: Guess, best: f64) -> Result<f64, OneStepError> {
        let budget = self.budget();
        let Self { delassus, offset, friction, impulses, improved, accuracy, solvers, done, .. } = self;
        improved.clone_from(impulses);
        guess.write((delassus, offset, friction), improved);
        let problem = FrictionProblem::new(&*delassus, offset, friction)?.within(budget);
        let outcome = made(solvers, *accuracy)?.newton.solve(&problem, improved)?;
        *done += outcome.iterations;
        let residual = outcome.residual;
        if residual < best {
            impulses.copy_from_slice(improved);
        }
        Ok(residual.min(best))
    }

    /// Sweeps and Newton's method; where they fail, the solvers for hard problems.
    fn solve_together(&mut self, active: ActiveContacts<'_>) -> Result<(), OneStepError> {
        let mut best = self.solve_soon()?;
        let accepted = self.accuracy.accepted;
        if best > accepted {
            let budget = self.budget();
            let Self { delassus, offset, friction, impulses, last_resort, .. } = self;
            let problem = FrictionProblem::new(&*delassus, offset, friction)?.within(budget);
            let solver = match last_resort {
                Some(solver) => solver,
                none => none.insert(FrictionSolver::new(accepted)?),
            };
            let outcome = solver.solve(&problem, impulses)?;
            self.done += outcome.iterations;
            best = outcome.residual;
        }
        if best > accepted {
            best = self.improve(Guess::AsIs, best)?;
        }
        if best <= accepted { Ok(()) } else { self.leave(active, best) }
    }

    /// Takes the best impulses found, of this residual, moved into their cones, if what is left is within the bound and every contact
    /// could obey its law beside the others.
    #[cold]
    fn leave(&mut self, active: ActiveContacts<'_>, best: f64) -> Result<(), OneStepError> {
        let Self { delassus, offset, friction, impulses, remainder, .. } = self;
        move_into_cones(friction, impulses);
        let residual = FrictionProblem::new(&*delassus, offset, friction)?.residual(impulses).max(best);
        let farthest = farthest_from_law((delassus, offset, friction), impulses)?;
        let is_taken =
            farthest.is_ok_and(|place| remainder.take(Unsolved { contact: active.set[place], residual }));
        if is_taken { Ok(()) } else { Err(not_solved(active, best)) }
    }

    /// Takes impulses of contacts without friction that solve their problem but for the rounding of its entries, if what is left is
    /// within the bound.
    #[cold]
    fn leave_inaccurate(&mut self, set: &[usize], error: OneStepError) -> Result<(), OneStepError> {
        let OneStepError::NotSolved { status: LcpStatus::Inaccurate, residual, .. } = error else {
            return Err(error);
        };
        let contact = set.first().copied().unwrap_or(0);
        if self.remainder.take(Unsolved { contact, residual }) { Ok(()) } else { Err(error) }
    }
}

/// The solvers of contacts that act together, made when they are needed.
fn made(solvers: &mut Option<Solvers>, accuracy: Accuracy) -> Result<&mut Solvers, FrictionError> {
    match solvers {
        Some(solvers) => Ok(solvers),
        none => Ok(none.insert(Solvers::new(accuracy.goal)?)),
    }
}

/// Where Newton's method begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    /// At the impulses at hand.
    AsIs,
    /// Without impulses.
    Zero,
    /// With the impulse that each contact would have alone.
    Alone,
}

impl Guess {
    /// Overwrites the impulses by the guess for these blocks, offsets and coefficients of friction.
    fn write(self, (delassus, offset, friction): (&BlockMatrix<3>, &[f64], &[f64]), impulses: &mut [f64]) {
        match self {
            Self::AsIs => {}
            Self::Zero => impulses.fill(0.0),
            Self::Alone => {
                for (contact, out) in impulses.chunks_exact_mut(3).enumerate() {
                    let velocity = Vector3::from_column_slice(&offset[3 * contact..3 * contact + 3]);
                    let alone = solve_contact(&delassus.block(contact), &velocity, friction[contact]);
                    out.copy_from_slice(alone.unwrap_or_default().as_slice());
                }
            }
        }
    }
}

/// The problem of one contact alone, without a matrix to be filled.
fn single(
    contact: usize,
    (laws, friction): (&ContactLaws, f64),
    matrix: &impl EffectiveMass,
    offset: impl Fn(usize) -> f64,
) -> Result<Vector3<f64>, OneStepError> {
    let velocity = velocity(laws, contact, &offset);
    if velocity[0] >= 0.0 {
        return Ok(Vector3::zeros());
    }
    let block = block(laws, (contact, contact), matrix);
    let moving = moving_tangents(&block, &velocity);
    let (block, velocity) = (block_along(block, [&moving; 2]), velocity_along(velocity, &moving));
    match solve_contact(&block, &velocity, friction) {
        Some(r) if r.iter().all(|x| x.is_finite()) => Ok(impulse_along(r, &moving)),
        None if block[(0, 0)] > 0.0 && block.sum().is_finite() => {
            // What slides on where nothing but the normal impulse acts.
            let r = Vector3::new(-velocity[0] / block[(0, 0)], 0.0, 0.0);
            let residual = (block * r + velocity).norm() / velocity.norm();
            Err(not_solved(ActiveContacts { set: &[contact], laws }, residual))
        }
        _ => Err(OneStepError::NotFinite { contact }),
    }
}

fn not_solved(ActiveContacts { set, laws }: ActiveContacts<'_>, residual: f64) -> OneStepError {
    let is_newton = |law: &ContactLaw| law.impact == ImpactLaw::Newton && law.restitution > 0.0;
    OneStepError::FrictionNotSolved {
        contact: set.first().copied().unwrap_or(0),
        contacts: set.len(),
        residual,
        is_newton: set.iter().any(|&c| is_newton(laws.of(c))),
    }
}

/// Row of component `k` of a contact: its gap, then its slips; `None` for a tangent that it does not have.
fn row(laws: &ContactLaws, contact: usize, k: usize) -> Option<usize> {
    if k == 0 { Some(contact) } else { laws.slips(contact).nth(k - 1) }
}

/// The block of two contacts; zero along tangents that a contact does not have.
fn block(laws: &ContactLaws, (a, b): (usize, usize), matrix: &impl EffectiveMass) -> Matrix3<f64> {
    let rows = [0, 1, 2].map(|k| row(laws, a, k));
    let columns = [0, 1, 2].map(|k| row(laws, b, k));
    Matrix3::from_fn(|i, j| match (rows[i], columns[j]) {
        (Some(row), Some(column)) => matrix.entry(row, column),
        _ => 0.0,
    })
}

fn velocity(laws: &ContactLaws, contact: usize, offset: &impl Fn(usize) -> f64) -> Vector3<f64> {
    Vector3::from_fn(|k, _| row(laws, contact, k).map_or(0.0, offset))
}

fn write(laws: &ContactLaws, contact: usize, r: &Vector3<f64>, out: &mut [f64]) {
    for (k, x) in r.iter().enumerate() {
        if let Some(row) = row(laws, contact, k) {
            out[row] = *x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTACTS: usize = 6;

    /// A solver with the bound, and the result of a problem of contacts with friction that hold each other, in so few iterations that no
    /// method solves it; with the impulses.
    fn solve_in_few_iterations(
        bound: f64,
        limit: usize,
    ) -> (ContactSet, Result<(), OneStepError>, Vec<f64>, Vec<f64>) {
        let rows = 3 * CONTACTS;
        let number = |i: usize, j: usize| ((7 * i + 13 * j + i * j) % 17) as f64 / 17.0 - 0.5;
        let entry = |a: usize, b: usize| {
            let product: f64 = (0..10).map(|k| number(a, k) * number(b, k)).sum();
            product + if a == b { 0.02 } else { 0.0 }
        };
        let offset = |row: usize| if row < CONTACTS { -1.0 - 0.1 * row as f64 } else { number(row, 3) };
        let laws = ContactLaws::new((0..CONTACTS).map(|_| (ContactLaw::with_friction(0.0, 0.3), 2)));
        let set: Vec<usize> = (0..CONTACTS).collect();
        let mut solver = ContactSet::with_capacity(CONTACTS);
        solver.set_limit(Some(limit));
        solver.set_bound(bound);
        let mut impulses = vec![0.0; rows];
        let solved = solver.solve(
            ActiveContacts { set: &set, laws: &laws },
            |_: usize| 0.0,
            (&entry, offset),
            &mut impulses,
        );
        let product = |a: usize| (0..rows).map(|b| entry(a, b) * impulses[b]).sum::<f64>();
        let rates = (0..rows).map(|row| offset(row) + product(row)).collect();
        (solver, solved, impulses, rates)
    }

    #[test]
    fn what_no_method_solves_is_taken_within_the_bound_and_in_its_cones() {
        let mut least = f64::INFINITY;
        for limit in 1..24 {
            let (_, solved, ..) = solve_in_few_iterations(0.0, limit);
            let Err(OneStepError::FrictionNotSolved { residual, .. }) = solved else { continue };
            let (solver, solved, impulses, rates) = solve_in_few_iterations(2.0 * residual, limit);
            let left = solver.unsolved();
            assert!(solved.is_ok(), "{limit}: {residual:e}, {solved:?}");
            let left = left.unwrap();
            assert!(left.residual >= residual && left.residual <= 2.0 * residual, "{left:?}");
            for c in 0..CONTACTS {
                let slip = impulses[CONTACTS + 2 * c].hypot(impulses[CONTACTS + 2 * c + 1]);
                assert!(impulses[c] >= 0.0 && slip <= (0.3 + 1e-12) * impulses[c], "{limit}, contact {c}");
                assert!(rates[c] >= -left.residual * 4.0, "{limit}, contact {c}: {}", rates[c]);
            }
            let (solver, solved, ..) = solve_in_few_iterations(0.5 * residual, limit);
            assert!(solved.is_err() && solver.unsolved().is_none());
            least = least.min(left.residual);
        }
        assert!(least > 1e-9 && least < 1e-2, "{least:e}");
        let (solver, solved, ..) = solve_in_few_iterations(1e-2, 1000);
        assert!(solved.is_ok() && solver.unsolved().is_none());
    }
}

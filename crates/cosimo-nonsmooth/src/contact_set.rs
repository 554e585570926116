//! The problem of the contacts that act together: complementarity without friction, Coulomb's law with it.

mod blocks;
mod solvers;
mod together;

use cosimo_complementarity::friction::{
    BlockMatrix, Delassus, FacetedCone, FacetedSolver, FrictionProblem, FrictionSolver, solve_contact,
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
use crate::unsolved::{Remainder, Unsolved};
use crate::{ContactLaws, OneStepError};
use blocks::{block, velocity, write};
use solvers::Solvers;

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
            self.take_back_proximal_steps(set);
        }
        Ok(is_solved)
    }

    /// The problem as it was before proximal steps.
    fn take_back_proximal_steps(&mut self, set: &[usize]) {
        let Self { delassus, offset, nearest, impulses, .. } = self;
        nearest.weights.iter_mut().for_each(|weight| *weight = -*weight);
        delassus.add_to_diagonal(&nearest.weights);
        offset.copy_from_slice(&nearest.offset);
        impulses.fill(0.0);
        nearest.guess(set, 3, impulses);
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

#[cfg(test)]
mod tests;

//! The laws of contacts that act together, for integrators that pose the problem of their step by themselves.

use cosimo_mechanics::ContactLaw;
use nalgebra::DMatrix;

use crate::contact_set::ContactSet;
use crate::laws::ActiveContacts;
use crate::nearest::Wanted;
use crate::{ContactLaws, OneStepError};

/// Finds impulses `P` for which `u = W P + b` obeys the law of every contact, see [`ContactLaw`].
///
/// Rows are contact by contact: of each its gap, then its slips. `b` has the restitutions in it. Of all impulses that do, those of least
/// norm are found first, and in the further solves of a step those nearest to the ones before.
///
/// ```
/// use cosimo_mechanics::ContactLaw;
/// use cosimo_nonsmooth::LawProblem;
/// use nalgebra::dmatrix;
/// // A mass of 1 kg that falls at 1 m/s, slides at 2 m/s and sticks below μ = 0.6: it slides on.
/// let mut problem = LawProblem::new(1e-12, None);
/// problem.begin([ContactLaw::with_friction(0.0, 0.5)].into_iter(), 1);
/// let mut impulses = [0.0; 2];
/// problem.solve((&dmatrix![1.0, 0.0; 0.0, 1.0], &[-1.0, 2.0]), |_| 2.0, &mut impulses)?;
/// assert!((impulses[0] - 1.0_f64).abs() < 1e-12 && (impulses[1] + 0.5_f64).abs() < 1e-12);
/// # Ok::<(), cosimo_nonsmooth::OneStepError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LawProblem {
    solver: ContactSet,
    laws: ContactLaws,
    set: Vec<usize>,
    /// Slips of each contact.
    slips: usize,
    /// Impulses in the order of the laws.
    impulses: Vec<f64>,
}

impl LawProblem {
    /// A problem of contacts with friction that is solved to this residual (–), relative to the velocities in it; up to 1e-9 is taken where
    /// round-off is in the way. All methods together take so many iterations at most.
    #[must_use]
    pub fn new(tolerance: f64, max_iterations: Option<usize>) -> Self {
        let mut solver = ContactSet::with_capacity(0);
        solver.set_tolerance(tolerance);
        solver.set_limit(max_iterations);
        Self { solver, laws: ContactLaws::default(), set: Vec::new(), slips: 0, impulses: Vec::new() }
    }

    /// Begins the solves of a step with contacts of these laws, each with so many slips.
    pub fn begin(&mut self, laws: impl ExactSizeIterator<Item = ContactLaw>, slips: usize) {
        self.set.clear();
        self.set.extend(0..laws.len());
        self.laws.refill(laws, slips);
        self.slips = slips;
        self.solver.look_for(Wanted::Least);
    }

    /// Solves for `impulses`, with `W` and `b`, and with the slips of rows before the step (m/s), on which friction may depend.
    ///
    /// # Errors
    /// See [`OneStepError`].
    pub fn solve(
        &mut self,
        (matrix, offset): (&DMatrix<f64>, &[f64]),
        before: impl Fn(usize) -> f64,
        impulses: &mut [f64],
    ) -> Result<(), OneStepError> {
        let Self { solver, laws, set, slips, impulses: own } = self;
        let count = set.len();
        // Laws have the gaps first.
        let place = |row: usize| match row.checked_sub(count) {
            None => row * (1 + *slips),
            Some(slip) => slip / *slips * (1 + *slips) + 1 + slip % *slips,
        };
        own.resize(impulses.len(), 0.0);
        let entry = |row: usize, column: usize| matrix[(place(row), place(column))];
        let before = |row: usize| before(place(row));
        solver.solve(ActiveContacts { set, laws }, before, (&entry, |row| offset[place(row)]), own)?;
        own.iter().enumerate().for_each(|(row, impulse)| impulses[place(row)] = *impulse);
        solver.look_for(Wanted::Nearest);
        Ok(())
    }
}

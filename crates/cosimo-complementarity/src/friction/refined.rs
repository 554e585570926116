//! Solutions of `(L W R + B) x = b`, refined.

use super::by_contact::{of_contact, set_contact};
use super::{FrictionProblem, Scaled, ScaledSystem};

/// Refinements of every solution.
const REFINEMENTS: usize = 1;

/// Storage of a solution and of what it leaves of the right side.
#[derive(Debug, Clone, Default)]
pub(super) struct Refined {
    pub(super) right_side: Vec<f64>,
    pub(super) solution: Vec<f64>,
    impulses: Vec<f64>,
    rest: Vec<f64>,
    trail: Vec<f64>,
}

impl Refined {
    pub(super) fn new<const D: usize>(problem: &FrictionProblem<'_, D>) -> Self {
        let zeros = || vec![0.0; problem.offset.len()];
        let trail = vec![0.0; problem.delassus.trail()];
        Self { right_side: zeros(), solution: zeros(), impulses: zeros(), rest: zeros(), trail }
    }

    /// Solves for the right side by a system that is factorised with these blocks.
    pub(super) fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        scaled: &[Scaled<D>],
        system: &mut dyn ScaledSystem<D>,
    ) {
        self.solution.fill(0.0);
        self.rest.copy_from_slice(&self.right_side);
        for refinement in 0..=REFINEMENTS {
            if refinement > 0 {
                self.write_rest(problem, scaled);
            }
            system.solve(&mut self.rest);
            self.solution.iter_mut().zip(&self.rest).for_each(|(x, more)| *x += more);
        }
    }

    /// Writes what the solution at hand leaves of the right side.
    fn write_rest<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>, scaled: &[Scaled<D>]) {
        let Self { right_side, solution, impulses, rest, trail } = self;
        for (i, scaled) in scaled.iter().enumerate() {
            set_contact(impulses, i, &(scaled.right * of_contact::<D>(solution, i)));
        }
        problem.delassus.start(impulses, trail);
        for (i, scaled) in scaled.iter().enumerate() {
            let answer = scaled.left * problem.delassus.row(i, impulses, trail);
            let own = scaled.block * of_contact::<D>(solution, i);
            set_contact(rest, i, &(of_contact::<D>(right_side, i) - answer - own));
        }
    }
}

//! Contacts with friction that act together: quick methods first, those for hard problems where they fail.

use cosimo_complementarity::friction::{FrictionProblem, FrictionSolver};

use super::solvers::{Guess, made};
use super::{ContactSet, not_solved};
use crate::OneStepError;
use crate::laws::ActiveContacts;
use crate::thresholds::Accuracy;
use crate::unsolved::{Unsolved, farthest_from_law, move_into_cones};

/// Contacts up to which round-off is aimed at by all means, and Newton's method tried from simpler guesses: for more the solvers for
/// hard problems are sooner there.
const FEW: usize = 16;

impl ContactSet {
    /// Newton's method from the impulses at hand, and if it does not get there, after sweeps with exact contacts, and of few contacts
    /// from simpler guesses; gives the residual of the best that was found.
    pub(super) fn solve_soon(&mut self) -> Result<f64, OneStepError> {
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
    pub(super) fn solve_together(&mut self, active: ActiveContacts<'_>) -> Result<(), OneStepError> {
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
}

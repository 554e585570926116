//! Problems that no method solves to what a step needs, and what is taken then.

use cosimo_complementarity::friction::{
    BlockMatrix, Delassus, FrictionError, FrictionProblem, project_onto_cone, solve_contact,
};
use nalgebra::{Matrix3, Vector3};

/// What a contact problem was left with that no method solved to what a step needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unsolved {
    /// The contact that is farthest from its law.
    pub contact: usize,
    /// Relative residual of the problem (–).
    pub residual: f64,
}

/// Up to which residual the best impulses found are taken, and the worst that were taken since it was asked for last.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Remainder {
    bound: f64,
    worst: Option<Unsolved>,
}

impl Remainder {
    /// Nothing left so far, and at most this residual (–) from now on.
    pub(crate) fn up_to(bound: f64) -> Self {
        Self { bound, worst: None }
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.worst = None;
    }

    /// The worst that was taken.
    pub(crate) fn worst(&self) -> Option<Unsolved> {
        self.worst
    }

    /// Goes back to what was taken before.
    pub(crate) fn go_back(&mut self, worst: Option<Unsolved>) {
        self.worst = worst;
    }

    /// Takes what a problem was left with, if it is within the bound; says whether it is.
    pub(crate) fn take(&mut self, left: Unsolved) -> bool {
        // Not above: a residual that is no number is no solution.
        let is_taken = left.residual <= self.bound;
        if is_taken && self.worst.is_none_or(|worst| worst.residual < left.residual) {
            self.worst = Some(left);
        }
        is_taken
    }
}

/// Moves impulses into their cones of friction: Newton's method may leave them outside. Nothing pulls then.
pub(crate) fn move_into_cones(friction: &[f64], impulses: &mut [f64]) {
    for (own, friction) in impulses.chunks_exact_mut(3).zip(friction) {
        let inside = project_onto_cone(*friction, &Vector3::from_column_slice(own));
        own.copy_from_slice(inside.as_slice());
    }
}

/// The place of the contact whose impulse is farthest, as a velocity, from the one that it would have by its law beside the others; the
/// place of one that has none as the error, which nothing stops.
pub(crate) fn farthest_from_law(
    (delassus, offset, friction): (&BlockMatrix<3>, &[f64], &[f64]),
    impulses: &[f64],
) -> Result<Result<usize, usize>, FrictionError> {
    let velocities = FrictionProblem::new(delassus, offset, friction)?.velocities(impulses)?;
    let (mut farthest, mut most) = (0, -1.0);
    for (place, friction) in friction.iter().enumerate() {
        let of = |values: &[f64]| Vector3::from_column_slice(&values[3 * place..3 * place + 3]);
        let (block, own): (Matrix3<f64>, _) = (delassus.block(place), of(impulses));
        let Some(by_law) = solve_contact(&block, &(of(&velocities) - block * own), *friction) else {
            return Ok(Err(place));
        };
        let distance = (block * (by_law - own)).norm();
        if distance > most {
            (farthest, most) = (place, distance);
        }
    }
    Ok(Ok(farthest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_taken_up_to_the_bound_and_the_worst_is_remembered() {
        let mut remainder = Remainder::up_to(1e-2);
        let left = |contact, residual| Unsolved { contact, residual };
        assert!(
            remainder.take(left(1, 1e-5)) && remainder.take(left(2, 1e-3)) && remainder.take(left(3, 1e-4))
        );
        assert_eq!(remainder.worst(), Some(left(2, 1e-3)));
        assert!(!remainder.take(left(4, 1.1e-2)) && !remainder.take(left(5, f64::NAN)));
        assert_eq!(remainder.worst(), Some(left(2, 1e-3)));
        assert!(!Remainder::default().take(left(0, 1e-8)));
    }

    #[test]
    fn impulses_outside_their_cones_are_moved_into_them() {
        let mut impulses = [1.0, 0.3, 0.0, -1e-3, 0.0, 0.0, 1.0, 2.0, 0.0];
        move_into_cones(&[0.5, 0.5, 0.5], &mut impulses);
        assert_eq!(impulses[..6], [1.0, 0.3, 0.0, 0.0, 0.0, 0.0]);
        assert!((impulses[7] - 0.5 * impulses[6]).abs() < 1e-15 && impulses[6] > 0.0);
    }

    #[test]
    fn a_contact_that_nothing_stops_is_found_beside_others() {
        // Two contacts without influence on each other; the second moves along a slope only, and its friction presses it.
        let mut delassus = BlockMatrix::<3>::default();
        let slope = Matrix3::new(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        delassus.push_row([(0, Matrix3::identity()), (1, Matrix3::zeros())].into_iter());
        delassus.push_row([(0, Matrix3::zeros()), (1, slope)].into_iter());
        let offset = [-1.0, 0.2, 0.0, -1.2, -1.0, 0.0];
        let found = farthest_from_law((&delassus, &offset, &[0.5, 1.5]), &[1.0, -0.2, 0.0, 0.1, 0.0, 0.0]);
        assert_eq!(found, Ok(Err(1)));
        let found = farthest_from_law((&delassus, &offset, &[0.5, 0.1]), &[0.9, -0.2, 0.0, 1.33, 0.133, 0.0]);
        assert!(matches!(found, Ok(Ok(0 | 1))), "{found:?}");
    }
}

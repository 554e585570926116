//! The saddle point of a constrained system, for solvers beside this one.

use cosimo_dynamics::{ConstrainedSystem, Motion};

use super::error::DaeError;
use super::kkt::{Kkt, Weights};
use super::names::singular;
use super::redundancy::leave_out_redundant;

/// The matrix of a step of a constrained system, sparse, factorised in place:
///
/// ```text
///   [ M + c_v C + c_q K    Φᵀ ]
///   [ Φ                     0 ]
/// ```
///
/// with the tangents `C = ∂r/∂v` and `K = ∂r/∂q` of the balance of forces. Rows of constraints that others imply are left out.
#[derive(Debug)]
pub struct SaddlePoint {
    kkt: Kkt,
}

/// Where the tangents of a [`SaddlePoint`] are taken: motion, accelerations and multipliers.
#[derive(Debug, Clone, Copy)]
pub struct TangentPoint<'a> {
    /// Time, positions and velocities.
    pub motion: Motion<'a>,
    /// Accelerations.
    pub a: &'a [f64],
    /// Multipliers.
    pub mu: &'a [f64],
}

impl SaddlePoint {
    /// Storage for a system that is near this position at the time `t` (s). Redundant rows are found here.
    ///
    /// # Errors
    /// The mass matrix is singular.
    pub fn new(system: &dyn ConstrainedSystem, t: f64, q: &[f64]) -> Result<Self, DaeError> {
        let mut kkt = Kkt::new(system, t, q);
        leave_out_redundant(system, t, q, &mut kkt).map_err(|error| singular(system, error))?;
        Ok(Self { kkt })
    }

    /// Assembles and factorises the matrix with these weights `c_v` (s) and `c_q` (s²); zeros give the mass alone.
    ///
    /// # Errors
    /// The matrix is singular; the constraint or body is named.
    pub fn factorize(
        &mut self,
        system: &dyn ConstrainedSystem,
        (damping, stiffness): (f64, f64),
        at: TangentPoint<'_>,
    ) -> Result<(), DaeError> {
        self.kkt.begin(Weights { damping, stiffness, ..Weights::MASS }, |_| None);
        if damping == 0.0 && stiffness == 0.0 {
            system.masses(at.motion.q, &mut self.kkt);
        } else {
            system.tangents(at.motion, at.a, at.mu, &mut self.kkt);
        }
        system.jacobian(at.motion.t, at.motion.q, &mut self.kkt);
        self.kkt.factorize().map_err(|error| singular(system, error))
    }

    /// Overwrites `x`, forces and then constraint rows, by accelerations and multipliers; rows left out count as zero.
    pub fn solve(&mut self, x: &mut [f64]) {
        // Nothing moves where nothing pushes.
        let is_pushed = |some: &[f64]| some.iter().fold(false, |any, x| any | (*x != 0.0));
        if x.chunks(16).any(is_pushed) {
            self.kkt.solve(x);
        }
    }

    /// Whether each constraint row is left out because others imply it.
    #[must_use]
    pub fn left_out(&self) -> &[bool] {
        self.kkt.left_out()
    }
}

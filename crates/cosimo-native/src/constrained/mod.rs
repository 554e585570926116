//! Constrained systems with ports and contacts, as subsystems: what spatial and planar ones have in common.

mod active;
mod balance;
mod base_loads;
mod columns;
pub(crate) mod contacts;
mod controlled;
mod energy;
mod held;
mod loaded;
mod meeting;
mod moment_answer;
mod moments;
mod moved_rows;
mod moves;
mod pooled;
mod pools;
mod response;
mod row_momenta;
mod rows;
mod steps;
mod subsystem;
mod wanted;

use cosimo_dynamics::StepRule;
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, ErrorControl, Formulation, Method};
use cosimo_subsystem::{Capabilities, Description, Excitation, InverseMass};

use controlled::Controlled;
use loaded::LoadedSystem;
pub use pools::ContactPools;
pub(crate) use pools::PoolRows;
pub use rows::ConstrainedRows;
pub(crate) use rows::{Directions, Increment, Touching};
use steps::Stepping;
pub use subsystem::{Constrained, ConstrainedMotion};

/// Error of the velocities that the solution of a step may leave, relative to `1 + max |v|`.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// What constrained systems report that are solved by this rule, with ports or without.
pub(crate) fn capabilities(rule: &dyn StepRule, has_ports: bool) -> Capabilities {
    Capabilities {
        inverse_mass: InverseMass::Exact,
        is_affine: false,
        can_roll_back: true,
        takes_impulses: true,
        takes_jumps: false,
        has_variable_step: true,
        takes_moves: has_ports,
        lacks_momenta: !rule.passes_momenta(),
        captures_impacts: false,
        keeps_impacts: false,
        is_strain_free: false,
    }
}

/// At which levels a method imposes the constraints unless set otherwise.
pub(crate) fn default_formulation(method: Method) -> Formulation {
    if method.takes_means() {
        Formulation::PositionVelocity
    } else {
        Formulation::PositionVelocityAcceleration
    }
}

/// Error of a step whose size follows it, and the inputs over time that it does not pass over.
#[derive(Debug)]
pub(crate) struct FollowedError {
    pub(crate) tolerance: f64,
    pub(crate) excitations: Vec<Excitation>,
}

impl<R: ConstrainedRows + 'static> ConstrainedMotion<R> {
    /// A system at rest in its rules: the solver starts it at time, positions and velocities `start`.
    pub(crate) fn start(
        (description, followed): (Description, Option<FollowedError>),
        (system, rows): (R::System, R),
        (method, settings): (Method, DaeSettings),
        start: (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Constrained<R>, DaeError> {
        let control = followed.map(|FollowedError { tolerance, excitations }| {
            Ok(Controlled::new(ErrorControl::new(tolerance)?, (tolerance, excitations)))
        });
        let solver = DaeSolver::new(LoadedSystem::new(system, rows, &start.1), method, settings, start)?;
        let mut stepping = Stepping::new(solver, control.transpose()?);
        stepping.find_pairs(true);
        Ok(Self::new(description, stepping))
    }
}

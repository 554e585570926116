//! Motion and energy of a state.

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_smooth::dae::{DaeSolver, DaeState};

use super::loaded::LoadedSystem;
use super::rows::ConstrainedRows;

pub(super) fn motion(state: &DaeState) -> Motion<'_> {
    Motion { t: state.time, q: &state.q, v: &state.v }
}

/// Kinetic and potential energy of a state.
pub(super) fn energy<R: ConstrainedRows>(
    solver: &DaeSolver<LoadedSystem<R>>,
    state: &DaeState,
) -> cosimo_mechanics::Energy {
    solver.system().energy(motion(state))
}

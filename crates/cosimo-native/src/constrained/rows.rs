//! The rows of a constrained system.

use std::ops::Range;

use cosimo_dynamics::{Configuration, ConstrainedSystem, State, StateChange};
use cosimo_smooth::dae::DaeState;
use cosimo_subsystem::scene::Pose;
use cosimo_subsystem::{ContactScale, Signal};
use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};

use super::pools::ContactPools;

/// Positions that give the directions of loads. Those of ports turn with the system; those of contacts are fixed through a part of a
/// step: a load that turned with the body it presses would be a stiffness, negative where the body stands on it, and the inverse mass
/// of contacts neither symmetric nor positive.
#[derive(Debug, Clone, Copy)]
pub struct Directions<'a> {
    /// Those of ports.
    pub ports: &'a [f64],
    /// Those of contacts.
    pub contacts: &'a [f64],
}

impl<'a> Directions<'a> {
    /// Those of all loads at these positions.
    pub(super) fn at(q: &'a [f64]) -> Self {
        Self { ports: q, contacts: q }
    }
}

/// An increment of the positions of a system.
#[derive(Debug, Clone, Copy)]
pub struct Increment<'a> {
    /// Positions from which it leads.
    pub start: &'a [f64],
    /// As long as the velocities (m and rad); none at rest.
    pub by: &'a [f64],
}

/// A contact of bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touching {
    /// Row of its gap.
    pub gap: usize,
    /// ConstrainedRows of its slips, two at most.
    pub slips: Range<usize>,
    /// Blocks of coordinates of its bodies; `None` is the ground.
    pub bodies: [Option<usize>; 2],
}

/// The rows `z(q)` of ports and contacts of a system, with `ż = Z v`: those of the ports, the gaps, then the slips of each
/// contact. Vectors of rows hold all; loads `ℓ` on them act as `Zᵀ ℓ`. Also what the system shows.
///
/// Methods must not allocate, but for [`orientations`](Self::orientations) the first time.
pub trait ConstrainedRows: std::fmt::Debug + Send {
    /// Whose rows they are. Its tangents have room for the derivatives of the loads.
    type System: ConstrainedSystem + std::fmt::Debug;

    /// Number of rows.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those of the contacts.
    fn contacts(&self) -> Range<usize>;

    /// Those of the slips.
    fn slips(&self) -> Range<usize>;

    /// Adds `factor · Zᵀ ℓ`.
    fn add_forces(&self, along: Directions<'_>, factor: f64, loads: &[f64], out: &mut [f64]);

    /// Writes the columns of `Zᵀ` of these rows, ascending, `n ×` their number.
    fn unit_forces(&self, along: Directions<'_>, wanted: &[usize], out: &mut DMatrix<f64>);

    /// Gives the blocks of `∂(Zᵀ ℓ)/∂q` of all ports that are loaded: two blocks of coordinates and at most 36 numbers by columns.
    fn stiffness(&self, q: &[f64], loads: &[f64], give: &mut dyn FnMut(usize, usize, &[f64]));

    /// Positions of the rows but the slips; those of the turns are the rotation by which the body has come from the start, given
    /// by the positions there and the increment of the step, in world axes.
    fn positions(&self, system: &Self::System, q: &[f64], increment: Increment<'_>, out: &mut [f64]);

    /// Writes, of every contact, the share of a step from `q` by the increments `displacement` after which its surfaces meet on the way, with these end
    /// positions of the rows; 1 where they do not. Default: none is looked for.
    fn sweep(&self, _q: &[f64], _way: &[f64], _ends: &[f64], _out: &mut Vec<f64>) {}

    /// Adds to the ways of the slips those of an increment `x` at these positions.
    fn add_ways(&self, q: &[f64], x: &[f64], out: &mut [f64]);

    /// Velocities of the rows.
    fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]);

    /// Writes what gap and gap rate of every contact are differences of.
    fn scales(&self, q: &[f64], v: &[f64], out: &mut [ContactScale]);

    /// The contacts that are between pairs of many bodies by turns, the last of all. Default: there are none.
    fn pools(&self) -> Option<&ContactPools> {
        None
    }

    /// The same.
    fn pools_mut(&mut self) -> Option<&mut ContactPools> {
        None
    }

    /// Reports the response of these rows alone. Default: it costs nothing to report all.
    fn set_active_rows(&mut self, _needed: &[bool]) {}

    /// Change of the velocities of the rows that have a response with the increment `dq` of the position and the change `dv` of the velocity.
    fn velocity_changes(&self, state: State<'_>, change: StateChange<'_>, out: &mut [f64]);

    /// ConstrainedRows and bodies of a contact, by its number; `None` where contacts are not of bodies of six coordinates, block by block.
    /// Default: they are not.
    fn touching(&self, _contact: usize) -> Option<Touching> {
        None
    }

    /// Gives, of such a contact, the blocks of `Z` of its first `rows` rows at these positions: the body, and its `rows × 6` numbers by columns.
    fn directions_of(&self, _contact: usize, _q: &[f64], _rows: usize, _give: &mut dyn FnMut(usize, &[f64])) {
    }

    /// Gives the derivatives of the velocities of these rows at this state by increments of the positions of a body, and by changes of
    /// its velocities, in the same form.
    fn rate_gradients_of(
        &self,
        _contact: usize,
        _state: State<'_>,
        _rows: usize,
        _give: &mut dyn FnMut(usize, [&[f64]; 2]),
    ) {
    }

    /// Orientations of the frames of ports. Default: there are none.
    fn orientations(&self, _q: &[f64], _out: &mut Vec<UnitQuaternion<f64>>) {}

    /// Sets what the inputs drive. Default: there are none.
    fn set_inputs(&self, _inputs: &[Signal]) {}

    /// Writes the outputs. Default: there are none.
    fn write_outputs(&self, _system: &Self::System, _state: &DaeState, _out: &mut [f64]) {}

    /// Appends the poses of the bodies of the appearance.
    fn add_poses(&self, system: &Self::System, q: &[f64], out: &mut Vec<Pose>);

    /// Point and axes of a contact, by its number; `None` of one that is absent or has no place.
    fn place(&self, contact: usize, q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)>;

    /// Writes the quantities of the system; reactions belong to `stage`.
    fn observe(&self, system: &Self::System, state: &DaeState, stage: Configuration<'_>, out: &mut [f64]);
}

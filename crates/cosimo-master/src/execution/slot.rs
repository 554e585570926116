//! What one subsystem is given in a call, and what the call leaves behind.

use std::time::Duration;

use cosimo_mechanics::{ImpulseMoments, StepEnergy};
use cosimo_subsystem::cost::CallKind;
use cosimo_subsystem::{StepLoads, Subsystem, SubsystemError};

use crate::linearisation::affine_model::AffineModel;
use crate::topology::Topology;
use crate::topology::subsystem::SubsystemLayout;

/// The calls of a step that are shared among the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Begin,
    Evaluate,
    Commit,
}

impl Phase {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Evaluate => "evaluate",
            Self::Commit => "commit",
        }
    }

    /// As costs are booked.
    pub(crate) fn kind(self) -> CallKind {
        match self {
            Self::Begin => CallKind::Begin,
            Self::Evaluate => CallKind::Evaluate,
            Self::Commit => CallKind::Commit,
        }
    }

    /// Whether the last subsystem is called first. Of many subsystems the processor's cache holds those called last: a
    /// commit begins where the beginning of the step has ended, and the next step where the commit has.
    pub(crate) fn is_backward(self) -> bool {
        self == Self::Commit
    }
}

/// The largest difference of an answer from the affine model.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RowDifference {
    /// As a velocity (m/s).
    pub(crate) size: f64,
    /// Row of the subsystem where it is.
    pub(crate) row: usize,
}

/// What one subsystem is given in a call, and what the call leaves behind.
#[derive(Debug, Default)]
pub(crate) struct CallSlot {
    /// Loads to commit the step with.
    pub(crate) loads: StepLoads,
    pub(crate) ledger: StepEnergy,
    /// Whether the inverse mass has changed.
    pub(crate) has_changed: bool,
    /// What the answer says of contacts met on the way.
    pub(crate) touches: Vec<f64>,
    /// Whether the rows with which the step has begun are those under the loads expected.
    pub(crate) is_under_loads: bool,
    /// Whether the rows need not be asked for again: they are those of the affine model.
    pub(crate) stands: bool,
    pub(crate) failure: Option<Box<SubsystemError>>,
    /// Largest difference from the affine model.
    pub(crate) difference: RowDifference,
    /// The differences of all rows (m/s).
    pub(crate) differences: Vec<f64>,
    /// Time of the call on the wall, where it is weighed.
    pub(crate) time: Duration,
}

impl CallSlot {
    /// The slot of a subsystem in a model that `is_plain`: affine, and without contacts. Then it needs no more than the
    /// impulses, and momenta and moves where its rows pass on momenta.
    fn new(layout: &SubsystemLayout, is_plain: bool) -> Self {
        let rows = layout.rows.len();
        let others = if is_plain { 0 } else { rows };
        let momenta = vec![0.0; if layout.passes_momenta { rows } else { 0 }];
        let loads = StepLoads {
            impulses: vec![0.0; rows],
            moves: momenta.clone(),
            momenta,
            moments: ImpulseMoments::zeros(others),
            ..StepLoads::default()
        };
        Self { loads, differences: vec![0.0; others], ..Self::default() }
    }

    /// Takes the loads over the whole step, and those of them that are momenta.
    pub(crate) fn take_loads(&mut self, impulses: &[f64], momenta: &[f64]) {
        self.loads.impulses.iter_mut().zip(impulses).for_each(|(own, given)| *own = *given);
        self.loads.momenta.iter_mut().zip(momenta).for_each(|(own, given)| *own = *given);
    }
}

/// The slots of all subsystems of a model that is affine or not.
pub(crate) fn slots(topology: &Topology, is_affine: bool) -> Vec<CallSlot> {
    let is_plain = is_affine && topology.contacts.is_empty();
    topology.subsystems.iter().map(|subsystem| CallSlot::new(subsystem, is_plain)).collect()
}

/// One subsystem with all that a call changes.
pub(crate) struct SubsystemCall<'a> {
    /// Its number.
    pub(crate) index: usize,
    pub(crate) subsystem: &'a mut dyn Subsystem,
    pub(crate) layout: &'a SubsystemLayout,
    pub(crate) model: &'a mut AffineModel,
    pub(crate) slot: &'a mut CallSlot,
    pub(crate) positions: &'a mut [f64],
    pub(crate) velocities: &'a mut [f64],
}

//! Ports that are open: loads from outside act on them, and others ask how the model answers.
//!
//! A load on an open port acts as that of a load port; the response to it is that of the model with all its joints. With `w = W e` of the
//! rows alone, and the equations of the joints `A x = r`, which are linear in the end rows,
//!
//! ```text
//!   A x = r(χ w, w) − r(0, 0)        X = e + L x        δż = W X        δz = χ W X
//! ```
//!
//! At an instant the same equations hold with the inverse masses and the joints of a velocity jump.

use cosimo_subsystem::SubsystemError;

use crate::communication_point::jump::prepare_instant;
use crate::condensation::Condensation;
use crate::contacts::Contacts;
use crate::execution::coupling_mode::CouplingMode;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::{Linearisation, LinearisedModel};
use crate::motion::Motion;
use crate::topology::Topology;
use crate::topology::joint::{Closing, Joint};
use crate::{InterfaceLaw, StepError};

/// A load from outside on a row of a subsystem: a force (N), or an impulse (N s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowLoad {
    /// Index of the subsystem.
    pub subsystem: usize,
    /// Its row.
    pub row: usize,
    /// The load (N, N m; N s, N m s).
    pub load: f64,
}

/// Changes of all rows of a model, subsystem by subsystem.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowChanges {
    first: Vec<usize>,
    /// Of positions (m, rad).
    positions: Vec<f64>,
    /// Of velocities (m/s, rad/s).
    velocities: Vec<f64>,
}

impl RowChanges {
    /// Change of the position (m, rad) and the velocity (m/s, rad/s) of a row of a subsystem; zero where there is none.
    #[must_use]
    pub fn of(&self, subsystem: usize, row: usize) -> [f64; 2] {
        let at = self.first.get(subsystem).map_or(usize::MAX, |first| first + row);
        [&self.positions, &self.velocities].map(|all| all.get(at).copied().unwrap_or(0.0))
    }
}

/// Whether steps that are taken as a whole have one linear answer.
pub(crate) fn has_step_response(topology: &Topology, modes: &[CouplingMode]) -> bool {
    let is_moved = |joint: &Joint| match joint.closing {
        Closing::Nothing => false,
        Closing::Alike => matches!(joint.law, InterfaceLaw::Tikhonov { .. }),
        Closing::Free(_) | Closing::Seen(_) => true,
    };
    topology.contacts.is_empty()
        && !topology.joints.iter().any(is_moved)
        && !modes.contains(&CouplingMode::Explicit)
}

/// The changes at the end of a step of this size (s) just taken for constant loads (N) over it, in which all rules began anew or none did.
pub(crate) fn respond_to_loads(
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    loads: &[RowLoad],
    (size, began_anew): (f64, bool),
) -> Option<RowChanges> {
    let mut models = model.models.iter().filter(|model| !model.rows.is_empty());
    if began_anew && !models.all(|model| model.weights.are_of_mean(size)) {
        // A rule that remembers loads balances its first accelerations with them, which its weights do not tell.
        return None;
    }
    let impulses = loads.iter().map(|own| {
        let weights = model.models.get(own.subsystem).map(|model| model.weights);
        RowLoad { load: own.load * weights.map_or(size, |weights| weights.end + weights.start), ..*own }
    });
    let impulses: Vec<RowLoad> = impulses.collect();
    Some(changes(model, &joint_impulses(model, condensation, &impulses)))
}

/// The changes of velocities by impulses (N s) at the communication point that is [prepared](prepare).
pub(crate) fn respond_to_impulses(
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    impulses: &[RowLoad],
) -> RowChanges {
    let mut found = changes(model, &joint_impulses(model, condensation, impulses));
    found.positions.fill(0.0);
    found
}

/// Moves the positions by what impulses of these weights (kg m) on all rows would change the velocities by, as prepared.
pub(crate) fn project_positions(
    topology: &Topology,
    subsystems: &mut Subsystems,
    weights: &[f64],
    time: f64,
) -> Result<(), StepError> {
    for (layout, subsystem) in topology.subsystems.iter().zip(&mut subsystems.all) {
        let own = &weights[layout.rows.clone()];
        if own.iter().any(|weight| *weight != 0.0) {
            subsystem.project_positions(own).map_err(|source| StepError::NotCommitted { time, source })?;
        }
    }
    Ok(())
}

/// Inverse masses and joints of the present instant (s), for a model that goes on with steps of this size (s).
pub(crate) fn prepare(
    topology: &Topology,
    subsystems: &mut Subsystems,
    linearisation: &mut Linearisation,
    condensation: &mut Condensation,
    contacts: &Contacts,
    (time, size): (f64, f64),
) -> Result<(), StepError> {
    let memory = &contacts.state.memory;
    if let Some(contact) = memory.iter().position(cosimo_nonsmooth::ContactMemory::is_closed) {
        let subsystem = topology.subsystems[topology.contacts[contact].subsystem].name.clone();
        let action = "take impulses from outside while its contacts carry loads".into();
        return Err(StepError::Subsystem { time, source: SubsystemError::Unsupported { subsystem, action } });
    }
    prepare_instant(topology, subsystems, linearisation, condensation, contacts, (time, size))
}

/// Impulses on all rows: those given, and those that the joints pass on.
pub(crate) fn joint_impulses(
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    given: &[RowLoad],
) -> Vec<f64> {
    let topology = model.topology;
    let (rows, unknowns) = (topology.rows, topology.unknowns);
    let mut loads = vec![0.0; rows];
    for own in given {
        let layout = topology.subsystems.get(own.subsystem);
        if let Some(layout) = layout.filter(|layout| own.row < layout.rows.len()) {
            loads[layout.rows.start + own.row] += own.load;
        }
    }
    if unknowns == 0 {
        return loads;
    }
    let free = changes(model, &loads);
    let (none, still) = (vec![0.0; unknowns], vec![0.0; rows]);
    let [mut x, mut constant] = [none.clone(), none.clone()];
    let moved = Motion { positions: &free.positions, velocities: &free.velocities };
    condensation.residual(model, moved, &none, &mut x);
    condensation.residual(model, Motion { positions: &still, velocities: &still }, &none, &mut constant);
    x.iter_mut().zip(&constant).for_each(|(x, constant)| *x -= constant);
    for (number, cluster) in topology.clusters.iter().enumerate() {
        condensation.solve_present(number, &mut x[cluster.unknowns.clone()]);
    }
    let [mut passed, mut constant] = [still.clone(), still];
    condensation.add_joint_loads(model, &x, &none, &mut passed);
    condensation.add_joint_loads(model, &none, &none, &mut constant);
    for (load, (passed, constant)) in loads.iter_mut().zip(passed.iter().zip(&constant)) {
        *load += passed - constant;
    }
    loads
}

/// What the rows do under these impulses on them, without anything that joints would pass on.
fn changes(model: LinearisedModel<'_>, loads: &[f64]) -> RowChanges {
    let mut found = RowChanges {
        first: model.topology.subsystems.iter().map(|layout| layout.rows.start).collect(),
        positions: vec![0.0; loads.len()],
        velocities: vec![0.0; loads.len()],
    };
    for model in model.models {
        let own = model.rows.clone();
        model.answer_all(&loads[own.clone()], &mut found.velocities[own.clone()]);
        for row in own {
            found.positions[row] = model.weights.position * found.velocities[row];
        }
    }
    found
}

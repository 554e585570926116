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

use cosimo_subsystem::{LoadWeights, SubsystemError};

use crate::motion::Motion;
use crate::setup::coupling_mode::CouplingMode;
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::communication_point::read_rows;
use crate::step::instant::{jump, prepare_instant};
use crate::step::instant_forces::find_instant_forces;
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
pub(crate) fn has_step_response(topology: &Topology, state: &State) -> bool {
    let is_moved = |joint: &Joint| match joint.closing {
        Closing::Nothing => false,
        Closing::Alike => matches!(joint.law, InterfaceLaw::Tikhonov { .. }),
        Closing::Free(_) | Closing::Seen(_) => true,
    };
    topology.contacts.is_empty()
        && !topology.joints.iter().any(is_moved)
        && !state.coupling.modes.contains(&CouplingMode::Explicit)
}

/// Weights of loads on a subsystem in the step just taken, if it was taken as a whole.
pub(crate) fn load_weights(sim: &Simulation<'_>, subsystem: usize) -> Option<LoadWeights> {
    let model = sim.storage.linearisation.models.get(subsystem)?;
    sim.storage.whole_step.map(|_| model.weights)
}

/// The changes at the end of the step just taken for constant loads (N) over it.
pub(crate) fn respond_to_loads(sim: &mut Simulation<'_>, loads: &[RowLoad]) -> Option<RowChanges> {
    let size = sim.storage.whole_step.filter(|_| has_step_response(sim.topology, sim.state))?;
    let mut models = sim.storage.linearisation.models.iter().filter(|model| !model.rows.is_empty());
    if sim.storage.began_anew && !models.all(|model| model.weights.are_of_mean(size)) {
        // A rule that remembers loads balances its first accelerations with them, which its weights do not tell.
        return None;
    }
    let impulses = loads.iter().map(|own| {
        let weights = sim.storage.linearisation.models.get(own.subsystem).map(|model| model.weights);
        RowLoad { load: own.load * weights.map_or(size, |weights| weights.end + weights.start), ..*own }
    });
    let impulses: Vec<RowLoad> = impulses.collect();
    let x = joint_impulses(sim, &impulses);
    Some(changes(sim, &x))
}

/// The changes of velocities at the present communication point by impulses (N s).
pub(crate) fn respond_to_impulses(
    sim: &mut Simulation<'_>,
    impulses: &[RowLoad],
    size: f64,
) -> Result<RowChanges, StepError> {
    prepare(sim, size)?;
    let x = joint_impulses(sim, impulses);
    let mut found = changes(sim, &x);
    found.positions.fill(0.0);
    Ok(found)
}

/// Lets impulses (N s) act at the present communication point.
pub(crate) fn take_impulses(
    sim: &mut Simulation<'_>,
    impulses: &[RowLoad],
    size: f64,
) -> Result<(), StepError> {
    prepare(sim, size)?;
    let loads = joint_impulses(sim, impulses);
    jump(sim, &loads)?;
    take_up_changes(sim, size)
}

/// Moves the positions at the present communication point by what impulses of these weights (kg m) would change the velocities by.
pub(crate) fn shift(sim: &mut Simulation<'_>, weights: &[RowLoad], size: f64) -> Result<(), StepError> {
    prepare(sim, size)?;
    let (loads, time) = (joint_impulses(sim, weights), sim.time());
    for (layout, subsystem) in sim.topology.subsystems.iter().zip(&mut sim.subsystems.all) {
        let own = &loads[layout.rows.clone()];
        if own.iter().any(|weight| *weight != 0.0) {
            subsystem.shift(own).map_err(|source| StepError::NotCommitted { time, source })?;
        }
    }
    take_up_changes(sim, size)
}

/// What was changed from outside is the present state, from which all rules begin anew.
fn take_up_changes(sim: &mut Simulation<'_>, size: f64) -> Result<(), StepError> {
    sim.state.begins_anew = true;
    sim.state.loads.interrupt();
    read_rows(sim);
    let time = sim.time();
    let checked = sim.subsystems.check_rows(sim.topology, &sim.storage.rows);
    checked.map_err(|source| StepError::NotCommitted { time, source })?;
    sim.state.monitor.book_changes_from_outside(&sim.subsystems.all);
    find_instant_forces(sim, size);
    Ok(())
}

/// Inverse masses and joints of the present instant.
fn prepare(sim: &mut Simulation<'_>, size: f64) -> Result<(), StepError> {
    let time = sim.time();
    if let Some(contact) =
        sim.state.contact_memory.iter().position(cosimo_nonsmooth::ContactMemory::is_closed)
    {
        let subsystem = sim.topology.subsystems[sim.topology.contacts[contact].subsystem].name.clone();
        let action = "take impulses from outside while its contacts carry loads".into();
        return Err(StepError::Subsystem { time, source: SubsystemError::Unsupported { subsystem, action } });
    }
    sim.storage.whole_step = None;
    prepare_instant(sim, size)
}

/// Impulses on all rows: those given, and those that the joints pass on.
fn joint_impulses(sim: &mut Simulation<'_>, given: &[RowLoad]) -> Vec<f64> {
    let (rows, unknowns) = (sim.topology.rows, sim.topology.unknowns);
    let mut loads = vec![0.0; rows];
    for own in given {
        let layout = sim.topology.subsystems.get(own.subsystem);
        if let Some(layout) = layout.filter(|layout| own.row < layout.rows.len()) {
            loads[layout.rows.start + own.row] += own.load;
        }
    }
    if unknowns == 0 {
        return loads;
    }
    let free = changes(sim, &loads);
    let (none, still) = (vec![0.0; unknowns], vec![0.0; rows]);
    let model = sim.storage.linearisation.of(sim.topology);
    let condensation = &mut sim.storage.condensation;
    let [mut x, mut constant] = [none.clone(), none.clone()];
    let moved = Motion { positions: &free.positions, velocities: &free.velocities };
    condensation.residual(model, moved, &none, &mut x);
    condensation.residual(model, Motion { positions: &still, velocities: &still }, &none, &mut constant);
    x.iter_mut().zip(&constant).for_each(|(x, constant)| *x -= constant);
    for (number, cluster) in sim.topology.clusters.iter().enumerate() {
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
fn changes(sim: &Simulation<'_>, loads: &[f64]) -> RowChanges {
    let mut found = RowChanges {
        first: sim.topology.subsystems.iter().map(|layout| layout.rows.start).collect(),
        positions: vec![0.0; loads.len()],
        velocities: vec![0.0; loads.len()],
    };
    for model in &sim.storage.linearisation.models {
        let own = model.rows.clone();
        model.answer_all(&loads[own.clone()], &mut found.velocities[own.clone()]);
        for row in own {
            found.positions[row] = model.weights.position * found.velocities[row];
        }
    }
    found
}

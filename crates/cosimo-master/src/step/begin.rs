//! The beginning of a step: free responses of all subsystems, and the interface matrix brought up to date.

use std::sync::atomic::{AtomicBool, Ordering};

use cosimo_subsystem::{Begun, Call, ExpectedLoads, MacroStep};

use super::not_solved::singular_interface;
use super::part::StepPart;
use crate::execution::executor::SubsystemCalls;
use crate::execution::slot::Phase;
use crate::laws::equation::Mode;
use crate::loads::history::LoadHistory;
use crate::loads::pass::{begin_loads, enter_loads};
use crate::motion::Motion;
use crate::simulation::Simulation;
use crate::storage::rows::{ExpectedRows, copy_rows};
use crate::topology::Topology;
use crate::topology::joint::Side;
use crate::topology::subsystem::SubsystemLayout;
use crate::{Discretisation, StepError};

/// Begins the step in all subsystems and takes over their free response.
pub(crate) fn begin(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    let time = part.time;
    let step = MacroStep { time, size: part.size };
    set_start_forces(sim);
    begin_loads(sim, part)?;
    let expects = Expectation {
        topology: sim.topology,
        history: &sim.state.loads,
        keeps_inverse_masses: sim.state.tangent.keeps(),
    };
    if sim.subsystems.run_ahead {
        for (layout, subsystem) in sim.topology.subsystems.iter().zip(&mut sim.subsystems.all) {
            if !layout.is_load_source {
                let start_loads = &sim.storage.rows.start_loads[layout.rows.clone()];
                let expected = expects.loads_on(layout, &sim.storage.rows.expected);
                subsystem.announce(match expected {
                    Some(expected) => Call::BeginUnderLoads(step, start_loads, expected),
                    None => Call::Begin(step, start_loads),
                });
            }
        }
    }
    let rows = &mut sim.storage.rows;
    let (start_loads, expected_rows) = (&rows.start_loads, &rows.expected);
    let calls = SubsystemCalls {
        subsystems: &mut sim.subsystems.all,
        layouts: &sim.topology.subsystems,
        models: &mut sim.storage.linearisation.models,
        slots: &mut sim.subsystems.slots,
        rows: (&mut rows.free_positions, &mut rows.free_velocities),
        first_row: 0,
    };
    let (keeps, has_changed) = (sim.state.tangent.keeps(), AtomicBool::new(false));
    let has_failed =
        sim.subsystems.executor.call(calls, Phase::Begin, sim.state.counters.is_timed(), |call| {
            if call.layout.is_load_source {
                // It has begun before the others, whose loads it answers with.
                return Ok(());
            }
            let start_loads = &start_loads[call.layout.rows.clone()];
            let (response, is_under_loads) = match expects.loads_on(call.layout, expected_rows) {
                None => (call.subsystem.begin(step, start_loads)?, false),
                Some(expected) => match call.subsystem.begin_under_loads(step, start_loads, expected)? {
                    Begun::Free(response) => (response, false),
                    Begun::UnderLoads(response) => (response, true),
                },
            };
            call.slot.is_under_loads = is_under_loads;
            let is_finite = copy_rows(
                Motion { positions: &response.positions, velocities: &response.velocities },
                call.positions,
                call.velocities,
            );
            call.slot.has_changed =
                if keeps { call.model.keep_or_take(response) } else { call.model.take(response) };
            if is_under_loads {
                // Matrices that were not asked for are no newer than those kept.
                call.model.revision = Some(response.revision);
            }
            if call.slot.has_changed {
                has_changed.store(true, Ordering::Relaxed);
                call.check_inverse_mass()?;
            }
            if is_finite { Ok(()) } else { Err(call.rows_not_finite()) }
        });
    if has_changed.into_inner() {
        note_changed_inverse_masses(sim);
    }
    let failed = |source| StepError::Subsystem { time, source };
    let all = 0..sim.subsystems.slots.len();
    let failure = sim.subsystems.finish_calls(all, has_failed, &mut sim.state.counters);
    failure.map_or(Ok(()), |source| Err(failed(source)))?;
    enter_loads(sim, part.size).map_err(failed)
}

/// Which subsystems are to begin under the loads that are expected.
#[derive(Clone, Copy)]
struct Expectation<'a> {
    topology: &'a Topology,
    history: &'a LoadHistory,
    keeps_inverse_masses: bool,
}

impl Expectation<'_> {
    /// The loads expected on a subsystem whose loads enter without tangents: it reports no response of the rows that they act on, and
    /// is evaluated at them in any case. No loads where inverse masses are kept from step to step. Nothing of others.
    fn loads_on<'a>(self, layout: &SubsystemLayout, rows: &'a ExpectedRows) -> Option<ExpectedLoads<'a>> {
        if layout.is_declared_affine || layout.loaded_by.iter().any(|s| self.history.enters(*s)) {
            return None;
        }
        let needs_matrices = !self.keeps_inverse_masses || self.holds_nonlinear_subsystem(layout);
        let own = layout.rows.clone();
        let [start, end] = match layout.is_loaded() {
            true => rows.loads.each_ref().map(|loads| &loads[own.clone()]),
            false if needs_matrices => return None,
            false => [&rows.none[own.clone()], &rows.none[own]],
        };
        Some(ExpectedLoads { start, end, needs_matrices })
    }

    /// Whether a rigid joint holds a subsystem to another that is not linear: what closes the gap between them goes by their present
    /// inverse masses.
    fn holds_nonlinear_subsystem(self, layout: &SubsystemLayout) -> bool {
        let is_nonlinear = |side: &Side| !self.topology.subsystems[side.subsystem].is_declared_affine;
        layout.joints.iter().any(|port| {
            let joint = &self.topology.joints[port.joint];
            joint.law.passes_impulses() && joint.sides.iter().all(is_nonlinear)
        })
    }
}

/// Notes the clusters of the subsystems whose inverse mass has changed in the calls just made.
pub(crate) fn note_changed_inverse_masses(sim: &mut Simulation<'_>) {
    let modes = &sim.state.coupling.modes;
    for ((layout, slot), mode) in sim.topology.subsystems.iter().zip(&sim.subsystems.slots).zip(modes) {
        sim.storage.condensation.note(layout.cluster, slot.has_changed);
        if slot.has_changed && !layout.is_declared_affine {
            sim.state.tangent.count_rows(layout.rows.len(), *mode);
        }
    }
}

/// Forces of joints and contacts at the start of the step: of compliant joints and of contacts from the state, of position rows
/// those of the last step; the unknown mean force of impulse rows does not exist at an instant. At the start and after a velocity
/// jump the subsystems also receive what was found at rigid joints, for their accelerations.
fn set_start_forces(sim: &mut Simulation<'_>) {
    let Topology { joints, load_joints, contact_rows, config, .. } = sim.topology;
    if joints.is_empty() && load_joints.is_empty() && contact_rows.is_empty() {
        return;
    }
    sim.storage.rows.start_loads.fill(0.0);
    for (row, force) in contact_rows.iter().zip(&sim.state.contact_forces) {
        sim.storage.rows.start_loads[row.global_row] = *force;
    }
    let is_position = config.discretisation == Discretisation::Position;
    let is_instant = sim.state.has_instant_forces;
    for coordinate in &sim.storage.condensation.coordinates {
        let is_known = is_position || !coordinate.passes_impulses;
        let force = if is_known { sim.state.end_forces[coordinate.unknown()] } else { 0.0 };
        sim.storage.rows.start_forces[coordinate.unknown()] = force;
        let force = if is_instant { sim.state.end_forces[coordinate.unknown()] } else { force };
        sim.storage.rows.start_loads[coordinate.row(0)] -= force;
        sim.storage.rows.start_loads[coordinate.row(1)] += force;
    }
    for (_, frame) in sim.topology.bushings() {
        let (couples, first) = (&sim.storage.linearisation.frames[frame.index].couples, frame.couple_row());
        (0..3).for_each(|k| sim.storage.rows.start_loads[first + k] += couples[0][k]);
    }
}

/// Brings the interface matrix up to date if an inverse mass, a weight or the step size has changed.
#[inline]
pub(crate) fn refresh(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    let mode = Mode::Step { size: part.size, macro_size: part.macro_size.max(part.size) };
    if sim.storage.condensation.is_stale(mode) { refresh_to(sim, mode) } else { Ok(()) }
}

fn refresh_to(sim: &mut Simulation<'_>, mode: Mode) -> Result<(), StepError> {
    check_rules(sim)?;
    let model = sim.storage.linearisation.of(sim.topology);
    let discretisation = sim.topology.config.discretisation;
    let refreshed = sim.storage.condensation.refresh(model, mode, discretisation);
    refreshed.map_err(|unknown| singular_interface(sim, unknown))
}

/// In impulse rows the unknown is the impulse of both sides: their rules must take a constant force alike.
fn check_rules(sim: &Simulation<'_>) -> Result<(), StepError> {
    if sim.topology.config.discretisation == Discretisation::Position {
        return Ok(());
    }
    for joint in sim.topology.joints.iter().filter(|joint| joint.law.passes_impulses()) {
        let weights = [0, 1].map(|side: usize| {
            let weights = sim.storage.linearisation.models[joint.sides[side].subsystem].weights;
            weights.end + weights.start
        });
        if (weights[0] - weights[1]).abs() > 1e-12 * weights[0].abs() {
            let (time, interface) = (sim.state.clock.now, joint.name.clone());
            return Err(StepError::IncompatibleRules { time, interface, weights });
        }
    }
    Ok(())
}

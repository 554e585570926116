//! The beginning of a step: free responses of all subsystems, and the interface matrix brought up to date.

use std::sync::atomic::{AtomicBool, Ordering};

use cosimo_subsystem::{Begun, Call, ExpectedLoads, MacroStep};

use super::not_solved::singular_interface;
use super::part::StepPart;
use crate::StepError;
use crate::execution::cost::Account;
use crate::execution::executor::SubsystemCalls;
use crate::execution::slot::Phase;
use crate::laws::equation::Mode;
use crate::loads::history::LoadHistory;
use crate::loads::pass::{begin_loads, enter_loads};
use crate::motion::Motion;
use crate::simulation::Simulation;
use crate::storage::rows::{ExpectedRows, StepRows, copy_rows};
use crate::topology::Topology;
use crate::topology::joint::Closing;
use crate::topology::joint::Side;
use crate::topology::subsystem::SubsystemLayout;

/// Begins the step in all subsystems and takes over their free response.
pub(crate) fn begin(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    let time = part.time;
    let step = MacroStep { time, size: part.size };
    set_start_forces(sim);
    sim.storage.rows.relaxed_forces.copy_from_slice(&sim.state.relaxed_forces);
    begin_loads(sim, part)?;
    let expects = Expectation {
        topology: sim.topology,
        history: &sim.state.loads,
        is_instant: sim.state.has_instant_forces,
        keeps_inverse_masses: sim.state.tangent.keeps(),
    };
    if sim.subsystems.run_ahead {
        let before = sim.subsystems.costs.enter(Account::MESSAGES);
        for (layout, subsystem) in sim.topology.subsystems.iter().zip(&mut sim.subsystems.all) {
            if !layout.is_load_source {
                let start_loads = &sim.storage.rows.start_loads[layout.rows.clone()];
                let expected =
                    expects.loads_of(layout, (&sim.storage.rows.expected, &sim.storage.rows.start_momenta));
                subsystem.announce(match expected {
                    Some(expected) => Call::BeginUnderLoads(step, start_loads, expected),
                    None => Call::Begin(step, start_loads),
                });
            }
        }
        sim.subsystems.costs.enter(before);
    }
    let StepRows { free_positions, free_velocities, start_loads, expected, start_momenta, .. } =
        &mut sim.storage.rows;
    let calls = SubsystemCalls {
        subsystems: &mut sim.subsystems.all,
        layouts: &sim.topology.subsystems,
        models: &mut sim.storage.linearisation.models,
        slots: &mut sim.subsystems.slots,
        rows: (free_positions, free_velocities),
        first_row: 0,
        first: 0,
    };
    let (keeps, has_changed) = (sim.state.tangent.keeps(), AtomicBool::new(false));
    let has_failed =
        sim.subsystems.executor.call(calls, Phase::Begin, &mut sim.subsystems.costs, |call, meter| {
            if call.layout.is_load_source {
                // It has begun before the others, whose loads it answers with.
                return Ok(());
            }
            let start_loads = &start_loads[call.layout.rows.clone()];
            let expected = expects.loads_of(call.layout, (expected, start_momenta));
            meter.asks();
            let (response, is_under_loads) = match expected {
                None => (call.subsystem.begin(step, start_loads)?, false),
                Some(expected) => match call.subsystem.begin_under_loads(step, start_loads, expected)? {
                    Begun::Free(response) => (response, false),
                    Begun::UnderLoads(response) => (response, true),
                },
            };
            meter.answers();
            call.slot.is_under_loads = is_under_loads;
            call.slot.touches.clone_from(&response.touches);
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
    let failure = sim.subsystems.finish_calls(all, has_failed);
    failure.map_or(Ok(()), |source| Err(failed(source)))?;
    enter_loads(sim, part.size).map_err(failed)
}

/// Which subsystems are to begin under the loads that are expected, or with start loads of momenta.
#[derive(Clone, Copy)]
struct Expectation<'a> {
    topology: &'a Topology,
    history: &'a LoadHistory,
    /// Whether start loads of momenta are known.
    is_instant: bool,
    keeps_inverse_masses: bool,
}

impl Expectation<'_> {
    /// The loads expected on a subsystem whose loads enter without tangents: it reports no response of the rows that they act on, and
    /// is evaluated at them in any case. No loads where inverse masses are kept from step to step. Nothing of others.
    fn loads_of<'a>(
        self,
        layout: &SubsystemLayout,
        (rows, momenta): (&'a ExpectedRows, &'a [f64]),
    ) -> Option<ExpectedLoads<'a>> {
        let own = layout.rows.clone();
        let (none, momenta) = (&rows.none[own.clone()], &momenta[own.clone()]);
        if layout.is_declared_affine || layout.loaded_by.iter().any(|s| self.history.enters(*s)) {
            let expected = ExpectedLoads { start: none, end: none, momenta, needs_matrices: true };
            return self.is_instant.then_some(expected);
        }
        let needs_matrices = !self.keeps_inverse_masses || self.needs_present_matrices(layout);
        let [start, end] = match layout.is_loaded() {
            true => rows.loads.each_ref().map(|loads| &loads[own.clone()]),
            false if needs_matrices && !self.is_instant => return None,
            false => [none, none],
        };
        Some(ExpectedLoads { start, end, momenta, needs_matrices })
    }

    /// Whether what closes the gap of a joint goes by the present inverse mass of a subsystem: its own moves, or those that close the
    /// gap to another that is not linear.
    fn needs_present_matrices(self, layout: &SubsystemLayout) -> bool {
        let is_nonlinear = |side: &Side| !self.topology.subsystems[side.subsystem].is_declared_affine;
        layout.joints.iter().any(|port| {
            let joint = &self.topology.joints[port.joint];
            match joint.closing {
                Closing::Nothing => false,
                Closing::Alike => joint.sides.iter().all(is_nonlinear),
                Closing::Free(side) => side == port.side,
                Closing::Seen(sides) => sides[port.side],
            }
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

/// Finite loads at the start of the step: of compliant joints from the state, and of contacts whose loads are finite. At the start and
/// after a velocity jump the subsystems also receive the forces found there of what passes momenta, for their accelerations.
fn set_start_forces(sim: &mut Simulation<'_>) {
    let Topology { joints, load_joints, contact_rows, .. } = sim.topology;
    if joints.is_empty() && load_joints.is_empty() && contact_rows.is_empty() {
        return;
    }
    let rows = &mut sim.storage.rows;
    rows.start_loads.fill(0.0);
    let is_instant = sim.state.has_instant_forces;
    if is_instant {
        rows.start_momenta.fill(0.0);
    }
    for (row, force) in contact_rows.iter().zip(&sim.state.contact_forces) {
        match sim.topology.has_plain_impacts(row.subsystem) {
            false => rows.start_loads[row.global_row] = *force,
            true if is_instant => rows.start_momenta[row.global_row] = *force,
            true => {}
        }
    }
    for coordinate in &sim.storage.condensation.coordinates {
        let force = sim.state.end_forces[coordinate.unknown()];
        let [a, b] = [coordinate.row(0), coordinate.row(1)];
        rows.start_forces[coordinate.unknown()] = if coordinate.passes_impulses { 0.0 } else { force };
        if !coordinate.passes_impulses {
            rows.start_loads[a] -= force;
            rows.start_loads[b] += force;
        } else if is_instant {
            rows.start_momenta[a] -= force;
            rows.start_momenta[b] += force;
        }
    }
    if is_instant {
        rows.start_loads.iter_mut().zip(&rows.start_momenta).for_each(|(load, own)| *load += own);
    }
    for (_, frame) in sim.topology.bushings() {
        let (couples, first) = (&sim.storage.linearisation.frames[frame.index].couples, frame.couple_row());
        (0..3).for_each(|k| sim.storage.rows.start_loads[first + k] += couples[0][k]);
    }
}

/// Brings the interface matrix up to date if an inverse mass, a weight or the step size has changed.
#[inline]
pub(crate) fn refresh(sim: &mut Simulation<'_>, mode: Mode) -> Result<(), StepError> {
    if sim.storage.condensation.is_stale(mode) { refresh_to(sim, mode) } else { Ok(()) }
}

fn refresh_to(sim: &mut Simulation<'_>, mode: Mode) -> Result<(), StepError> {
    let model = sim.storage.linearisation.of(sim.topology);
    let refreshed = sim.storage.condensation.refresh(model, mode);
    refreshed.map_err(|unknown| singular_interface(sim, unknown))
}

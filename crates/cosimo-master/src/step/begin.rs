//! The beginning of a step: free responses of all subsystems.

use std::sync::atomic::{AtomicBool, Ordering};

use cosimo_subsystem::{Begun, Call, ExpectedLoads, MacroStep};

use crate::StepError;
use crate::condensation::Condensation;
use crate::execution::calls::SubsystemCalls;
use crate::execution::cost::Account;
use crate::execution::slot::Phase;
use crate::execution::subsystems::Subsystems;
use crate::laws::forces::JointForces;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::{Linearisation, LinearisedModel};
use crate::loads::history::LoadHistory;
use crate::motion::Motion;
use crate::rows::{ExpectedRows, StepRows, copy_rows};
use crate::schemes::Schemes;
use crate::simulation::StepContext;
use crate::time::part::StepPart;
use crate::topology::Topology;
use crate::topology::joint::{Closing, Side};
use crate::topology::subsystem::SubsystemLayout;

/// Begins the step in all subsystems and takes over their free response.
pub(super) fn begin(sim: &mut StepContext, part: StepPart) -> Result<(), StepError> {
    let StepPart { time, size, .. } = part;
    let step = MacroStep { time, size };
    let failed = |source| StepError::Subsystem { time, source };
    let has_loads = !sim.topology.load_sources.is_empty();
    let model = sim.linearisation.of(&sim.topology);
    set_start_forces(model, &sim.condensation, &sim.joints, &sim.contacts.forces, &mut sim.rows);
    if has_loads {
        let begun = sim.loads.begin(&sim.topology, &mut sim.subsystems, &mut sim.rows, step);
        begun.map_err(failed)?;
    }
    let expects = Expectation {
        topology: &sim.topology,
        history: &sim.loads.history,
        is_instant: sim.joints.are_of_instant,
        keeps_inverse_masses: keeps_inverse_masses(&sim.linearisation, &sim.schemes),
    };
    if sim.subsystems.run_ahead {
        expects.prefetch(&mut sim.subsystems, &sim.rows, step);
    }
    let models = &mut sim.linearisation.models;
    let (has_failed, has_changed) = expects.begin(&mut sim.subsystems, models, &mut sim.rows, step);
    if has_changed {
        let (slots, modes) = (&sim.subsystems.slots, &sim.coupling.modes);
        sim.schemes.tangent.note_changed(&sim.topology, slots, modes, &mut sim.condensation);
    }
    let all = 0..sim.subsystems.slots.len();
    let failure = sim.subsystems.finish_calls(all, has_failed);
    failure.map_or(Ok(()), |source| Err(failed(source)))?;
    if has_loads {
        let entered = sim.loads.enter(
            &sim.topology,
            &mut sim.subsystems,
            &mut sim.linearisation,
            &mut sim.condensation,
            &mut sim.rows,
            size,
        );
        entered.map_err(failed)?;
    }
    Ok(())
}

/// Whether inverse masses are kept from step to step.
pub(super) fn keeps_inverse_masses(linearisation: &Linearisation, schemes: &Schemes) -> bool {
    !linearisation.is_affine && schemes.tangent.keeps()
}

/// Which subsystems are to begin under the loads that are expected, or with start loads of momenta.
#[derive(Clone, Copy)]
pub(super) struct Expectation<'a> {
    pub(super) topology: &'a Topology,
    pub(super) history: &'a LoadHistory,
    /// Whether start loads of momenta are known.
    pub(super) is_instant: bool,
    pub(super) keeps_inverse_masses: bool,
}

impl Expectation<'_> {
    /// Announces the step to the subsystems that begin with the others.
    fn prefetch(self, subsystems: &mut Subsystems, rows: &StepRows, step: MacroStep) {
        let before = subsystems.costs.enter(Account::MESSAGES);
        for (layout, subsystem) in self.topology.subsystems.iter().zip(&mut subsystems.all) {
            if !layout.is_load_source {
                subsystem.prefetch(self.call(layout, rows, step, &rows.start_loads));
            }
        }
        subsystems.costs.enter(before);
    }

    /// The call that begins a step of a subsystem with these start loads of all rows.
    pub(super) fn call<'a>(
        self,
        layout: &SubsystemLayout,
        rows: &'a StepRows,
        step: MacroStep,
        start_loads: &'a [f64],
    ) -> Call<'a> {
        let start_loads = &start_loads[layout.rows.clone()];
        match self.loads_of(layout, (&rows.expected, &rows.start_momenta)) {
            Some(expected) => Call::BeginPredicted(step, start_loads, expected),
            None => Call::Begin(step, start_loads),
        }
    }

    /// Begins the step in the subsystems and takes over their free response; says whether any has failed, and whether any inverse mass has
    /// changed.
    fn begin(
        self,
        subsystems: &mut Subsystems,
        models: &mut [AffineModel],
        rows: &mut StepRows,
        step: MacroStep,
    ) -> (bool, bool) {
        let StepRows { free_positions, free_velocities, start_loads, expected, start_momenta, .. } = rows;
        let Subsystems { all, slots, executor, costs, .. } = subsystems;
        let calls = SubsystemCalls {
            subsystems: all,
            layouts: &self.topology.subsystems,
            models,
            slots,
            rows: (free_positions, free_velocities),
            first_row: 0,
            first: 0,
        };
        let has_changed = AtomicBool::new(false);
        let has_failed = executor.call(calls, Phase::Begin, costs, |call, meter| {
            if call.layout.is_load_source {
                // It has begun before the others, whose loads it answers with.
                return Ok(());
            }
            let start_loads = &start_loads[call.layout.rows.clone()];
            let expected = self.loads_of(call.layout, (expected, start_momenta));
            meter.asks();
            let (response, is_under_loads) = match expected {
                None => (call.subsystem.begin(step, start_loads)?, false),
                Some(expected) => match call.subsystem.begin_predicted(step, start_loads, expected)? {
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
            call.slot.has_changed = if self.keeps_inverse_masses {
                call.model.keep_or_take(response)
            } else {
                call.model.take(response)
            };
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
        (has_failed, has_changed.into_inner())
    }

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

/// Finite loads at the start of the step: of compliant joints from the state, and of contacts whose loads are finite. At the start and
/// after a velocity jump the subsystems also receive the forces found there of what passes momenta, for their accelerations.
fn set_start_forces(
    model: LinearisedModel<'_>,
    condensation: &Condensation,
    joints: &JointForces,
    contact_forces: &[f64],
    rows: &mut StepRows,
) {
    let (topology, is_instant) = (model.topology, joints.are_of_instant);
    rows.relaxed_forces.copy_from_slice(&joints.relaxed);
    if topology.joints.is_empty() && topology.load_joints.is_empty() && topology.contact_rows.is_empty() {
        return;
    }
    rows.start_loads.fill(0.0);
    if is_instant {
        rows.start_momenta.fill(0.0);
    }
    for (row, force) in topology.contact_rows.iter().zip(contact_forces).filter(|(_, force)| **force != 0.0) {
        match topology.has_plain_impacts(row.subsystem) {
            false => rows.start_loads[row.global_row] = *force,
            true if is_instant => rows.start_momenta[row.global_row] = *force,
            true => {}
        }
    }
    for coordinate in &condensation.coordinates {
        let force = joints.end[coordinate.unknown()];
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
    if topology.frames.is_empty() {
        return;
    }
    for (_, frame) in topology.bushings() {
        let (couples, first) = (&model.frames[frame.index].couples, frame.couple_row());
        (0..3).for_each(|k| rows.start_loads[first + k] += couples[0][k]);
    }
}

//! The exchange of all signals.

use cosimo_nonsmooth::ContactChangeKind;
use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::cost::CallKind;

use super::loops::LoopFailure;
use super::order::Stage;
use crate::execution::clock::ROUND_OFF;
use crate::execution::cost::Account;
use crate::simulation::Simulation;
use crate::{SetupError, StepError};

/// Exchanges the signals for the first time: inputs are held at the values of the initial state.
pub(crate) fn start_signals(sim: &mut Simulation<'_>) -> Result<(), SetupError> {
    evaluate(sim).map_err(|failure| match failure {
        LoopFailure::Subsystem(failure) => SetupError::Subsystem(failure),
        LoopFailure::NotSolved(error) => SetupError::Signals(error),
    })?;
    sim.state.signals.hold(&sim.topology.signals);
    send_courses(sim).map_err(SetupError::Subsystem)
}

/// Evaluates the outputs at the communication point reached.
pub(crate) fn read_signals(sim: &mut Simulation<'_>) -> Result<(), StepError> {
    if sim.topology.signals.is_empty() {
        return Ok(());
    }
    let mut changes = sim.storage.contact_changes.iter();
    sim.state.signals.has_jumped = changes.any(|taken| taken.change.kind == ContactChangeKind::Impact);
    let time = sim.time();
    evaluate(sim).map_err(|failure| match failure {
        LoopFailure::Subsystem(source) => StepError::Subsystem { time, source },
        LoopFailure::NotSolved(source) => StepError::Signals { time, source },
    })
}

/// Sets the courses of the inputs over a macro step of this size (s) from the present communication point.
pub(crate) fn set_signals(sim: &mut Simulation<'_>, size: f64) -> Result<(), StepError> {
    if sim.topology.signals.is_empty() {
        return Ok(());
    }
    if (sim.time() - sim.state.signals.time).abs() > ROUND_OFF * size {
        // The step before failed midway.
        read_signals(sim)?;
    }
    sim.state.signals.extrapolate(&sim.topology.signals, size);
    let time = sim.time();
    send_courses(sim).map_err(|source| StepError::Subsystem { time, source })
}

/// Gives the inputs the courses of the last step again, after a state is restored.
///
/// # Errors
/// A subsystem refuses them.
pub(crate) fn resend_signals(sim: &mut Simulation<'_>) -> Result<(), SubsystemError> {
    send_courses(sim)
}

/// Evaluates all outputs at the present communication point.
fn evaluate(sim: &mut Simulation<'_>) -> Result<(), LoopFailure> {
    let (time, tolerance) = (sim.time(), sim.topology.config.tolerance);
    let (graph, state, storage) = (&sim.topology.signals, &mut sim.state.signals, &mut sim.storage.signals);
    let (values, subsystems) = (&mut storage.values, &mut *sim.subsystems);
    let before = subsystems.costs.enter(Account::SIGNALS);
    values.start(&state.inputs, &state.outputs);
    let mut loops = storage.loops.iter_mut();
    for stage in &graph.stages {
        match stage {
            Stage::Outputs { subsystem, outputs } => values
                .evaluate(&graph.wiring, subsystems, *subsystem, outputs)
                .map_err(LoopFailure::Subsystem)?,
            Stage::Loop(_) => {
                let Some(solver) = loops.next() else { continue };
                solver.solve(&graph.wiring, subsystems, values, tolerance)?;
            }
        }
    }
    state.take(time, &values.inputs, &values.outputs);
    subsystems.costs.enter(before);
    Ok(())
}

fn send_courses(sim: &mut Simulation<'_>) -> Result<(), SubsystemError> {
    let (members, courses) = (&sim.topology.signals.wiring.members, &sim.state.signals.courses);
    let before = sim.subsystems.costs.enter(Account::SIGNALS);
    for (i, member) in members.iter().enumerate() {
        if !member.inputs.is_empty() {
            let inputs = &courses[member.inputs.clone()];
            sim.subsystems.call((i, &member.name), CallKind::Other, |own| own.set_inputs(inputs))?;
        }
    }
    sim.subsystems.costs.enter(before);
    Ok(())
}

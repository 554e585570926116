//! The exchange of all signals.

use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::cost::CallKind;

use super::Signals;
use super::loops::LoopFailure;
use crate::execution::cost::Account;
use crate::execution::subsystems::Subsystems;
use crate::time::clock::ROUND_OFF;
use crate::topology::Topology;
use crate::topology::signals::order::Stage;
use crate::{SetupError, StepError};

impl Signals {
    /// Exchanges the signals for the first time: inputs are held at the values of the initial state.
    ///
    /// # Errors
    /// A subsystem fails, or a loop has no solution.
    pub(crate) fn start(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        time: f64,
    ) -> Result<(), SetupError> {
        self.evaluate(topology, subsystems, time).map_err(|failure| match failure {
            LoopFailure::Subsystem(failure) => SetupError::Subsystem(failure),
            LoopFailure::NotSolved(error) => SetupError::Signals(error),
        })?;
        self.state.hold(&topology.signals);
        self.send_courses(topology, subsystems).map_err(SetupError::Subsystem)
    }

    /// Evaluates the outputs at the communication point reached (s), on the way to which velocities have jumped or not.
    ///
    /// # Errors
    /// A subsystem fails, or a loop has no solution.
    pub(crate) fn read(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        has_jumped: bool,
        time: f64,
    ) -> Result<(), StepError> {
        self.state.has_jumped = has_jumped;
        self.evaluate(topology, subsystems, time).map_err(|failure| match failure {
            LoopFailure::Subsystem(source) => StepError::Subsystem { time, source },
            LoopFailure::NotSolved(source) => StepError::Signals { time, source },
        })
    }

    /// Sets the courses of the inputs over a macro step of this size (s) from the present communication point (s).
    ///
    /// # Errors
    /// A subsystem refuses them.
    pub(crate) fn set(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        time: f64,
        size: f64,
    ) -> Result<(), StepError> {
        self.state.extrapolate(&topology.signals, size);
        self.send_courses(topology, subsystems).map_err(|source| StepError::Subsystem { time, source })
    }

    /// Whether the values are not those of this communication point (s), before a step of this size (s): the step before failed midway.
    pub(crate) fn are_old(&self, time: f64, size: f64) -> bool {
        (time - self.state.time).abs() > ROUND_OFF * size
    }

    /// Evaluates all outputs at the present communication point (s).
    fn evaluate(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        time: f64,
    ) -> Result<(), LoopFailure> {
        let (graph, tolerance) = (&topology.signals, topology.config.tolerance);
        let Self { state, work } = self;
        let values = &mut work.values;
        let before = subsystems.costs.enter(Account::SIGNALS);
        values.start(&state.inputs, &state.outputs);
        let mut loops = work.loops.iter_mut();
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

    /// Gives the inputs the courses of the present step, again after a state is restored.
    ///
    /// # Errors
    /// A subsystem refuses them.
    pub(crate) fn send_courses(
        &self,
        topology: &Topology,
        subsystems: &mut Subsystems,
    ) -> Result<(), SubsystemError> {
        let (members, courses) = (&topology.signals.wiring.members, &self.state.courses);
        let before = subsystems.costs.enter(Account::SIGNALS);
        for (i, member) in members.iter().enumerate() {
            if !member.inputs.is_empty() {
                let inputs = &courses[member.inputs.clone()];
                subsystems.call((i, &member.name), CallKind::Other, |own| own.set_inputs(inputs))?;
            }
        }
        subsystems.costs.enter(before);
        Ok(())
    }
}

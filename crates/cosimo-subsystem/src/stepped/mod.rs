//! The step protocol, once for all kinds of subsystems: which calls follow which, what is checked, counted, saved and put back.

mod kind;

pub use kind::{Failure, Kind, TrialLoads, Wanted};

use cosimo_mechanics::{Energy, StepEnergy};
use std::ops::{Deref, DerefMut};

use cosimo_scene::Sight;

use crate::{
    Begun, Description, ExpectedLoads, LoadResponse, MacroStep, PortMotion, RowMatrix, RowState, Saved,
    Signal, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

/// A kind of subsystem under the step protocol: a [`Subsystem`].
///
/// It reads as the kind that it holds.
#[derive(Debug)]
pub struct Stepped<K> {
    kind: K,
    begun: Option<MacroStep>,
    jump_is_prepared: bool,
    /// Steps, evaluations and rollbacks.
    counts: Statistics,
}

impl<K> Deref for Stepped<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.kind
    }
}

impl<K> DerefMut for Stepped<K> {
    fn deref_mut(&mut self) -> &mut K {
        &mut self.kind
    }
}

impl<K: Kind> Stepped<K> {
    /// Carries the protocol for this kind.
    pub fn new(kind: K) -> Self {
        Self { kind, begun: None, jump_is_prepared: false, counts: Statistics::default() }
    }

    /// Forgets the step begun and the jump prepared, if there are any.
    fn give_up(&mut self) {
        self.counts.rollbacks += u64::from(self.begun.take().is_some());
        self.jump_is_prepared = false;
    }

    fn begin_step(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, SubsystemError> {
        self.check_step(step)?;
        self.give_up();
        let begun =
            self.kind.begin(step, start_loads, expected).map_err(|failure| self.failed(step, failure))?;
        self.begun = Some(step);
        self.counts.evaluations += 1;
        Ok(begun)
    }

    fn evaluate_step(
        &mut self,
        call: &'static str,
        impulses: &[f64],
        wanted: Wanted,
    ) -> Result<&StepResponse, SubsystemError> {
        self.check_loads(impulses)?;
        let step = self.step_begun(call)?;
        self.kind.evaluate(step, impulses, wanted).map_err(|failure| self.failed(step, failure))?;
        self.counts.evaluations += 1;
        Ok(self.kind.response())
    }

    #[inline]
    fn check_loads(&self, loads: &[f64]) -> Result<(), SubsystemError> {
        self.kind.description().check_loads_on(self.kind.rows().positions.len(), loads)
    }

    fn check_step(&self, step: MacroStep) -> Result<(), SubsystemError> {
        self.kind.description().check_step(step, self.kind.time().unwrap_or(step.time))
    }

    #[inline]
    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        self.begun.ok_or_else(|| self.not_begun(call))
    }

    #[cold]
    fn not_begun(&self, call: &'static str) -> SubsystemError {
        SubsystemError::NotBegun { subsystem: self.name(), call: call.into() }
    }

    fn check_jumps(&self) -> Result<(), SubsystemError> {
        if self.kind.can_jump() { Ok(()) } else { Err(self.unsupported("take impulses between steps")) }
    }

    /// The present instant, for messages about what happens between steps.
    fn instant(&self) -> MacroStep {
        MacroStep { time: self.kind.time().unwrap_or_default(), size: 0.0 }
    }

    #[cold]
    fn failed(&self, MacroStep { time, size }: MacroStep, failure: Failure) -> SubsystemError {
        let subsystem = self.name();
        match failure {
            Failure::Step(reason) => SubsystemError::StepFailed { subsystem, time, size, reason },
            Failure::HoldsEvent(reason) => SubsystemError::StepHoldsEvent { subsystem, time, size, reason },
            Failure::BadStep(reason) => {
                SubsystemError::BadStep { subsystem, time, size, reason: reason.into() }
            }
            Failure::Unsupported(action) => SubsystemError::Unsupported { subsystem, action: action.into() },
            Failure::Named(error) => *error,
        }
    }

    fn name(&self) -> String {
        self.kind.description().name.clone()
    }

    /// Changes the state between steps, as prepared.
    fn change(
        &mut self,
        call: &'static str,
        loads: &[f64],
        change: impl Fn(&mut K, &[f64]) -> Result<(), Failure>,
    ) -> Result<(), SubsystemError> {
        self.check_loads(loads)?;
        self.check_jumps()?;
        if !self.jump_is_prepared {
            return Err(self.not_begun(call));
        }
        let instant = self.instant();
        change(&mut self.kind, loads).map_err(|failure| self.failed(instant, failure))
    }

    fn saved(&self) -> Result<Saved, SubsystemError> {
        self.kind.save().map_err(|failure| match failure {
            Failure::Unsupported(action) => self.unsupported(action),
            Failure::Named(error) => *error,
            Failure::Step(reason) | Failure::HoldsEvent(reason) | Failure::BadStep(reason) => {
                SubsystemError::BadSnapshot { subsystem: self.name(), reason }
            }
        })
    }
}

impl<K: Kind> Subsystem for Stepped<K> {
    fn description(&self) -> &Description {
        self.kind.description()
    }

    fn rows(&self) -> &RowState {
        self.kind.rows()
    }

    fn energy(&self) -> Energy {
        self.kind.energy()
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.give_up();
        self.kind.set_active_rows(needed);
    }

    fn report_moves(&mut self, wanted: bool) {
        self.give_up();
        self.kind.report_moves(wanted);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_loads(start_loads)?;
        self.begin_step(step, start_loads, None)?;
        Ok(self.kind.response())
    }

    fn begin_predicted(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        for loads in [start_loads, expected.start, expected.end, expected.momenta] {
            self.check_loads(loads)?;
        }
        let begun = self.begin_step(step, start_loads, Some(expected))?;
        let response = self.kind.response();
        Ok(match begun {
            TrialLoads::None => Begun::Free(response),
            TrialLoads::Expected => Begun::UnderLoads(response),
        })
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.evaluate_step("evaluate", impulses, Wanted::Matrices)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.evaluate_step("evaluate_rows", impulses, Wanted::Rows)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        self.kind.description().check_motion(motion)?;
        let step = self.step_begun("respond")?;
        self.kind.respond(step, motion).map_err(|failure| self.failed(step, failure))?;
        self.counts.evaluations += 1;
        Ok(self.kind.load_response())
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.kind.description().check_step_loads_on(self.kind.rows().positions.len(), loads)?;
        let step = self.step_begun("commit")?;
        let ledger = self.kind.take(step, loads).map_err(|failure| self.failed(step, failure))?;
        self.begun = None;
        self.counts.steps += 1;
        Ok(ledger)
    }

    fn discard(&mut self) {
        self.give_up();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        let step = MacroStep { size, ..self.instant() };
        self.check_jumps()?;
        self.check_step(step)?;
        self.give_up();
        self.kind.prepare_jump(size).map_err(|failure| self.failed(step, failure))?;
        self.jump_is_prepared = true;
        Ok(self.kind.inverse_mass_of_jump())
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.change("jump", impulses, K::jump)
    }

    fn jump_work(&self) -> f64 {
        self.kind.jump_work()
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.change("project_positions", weights, K::project_positions)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.kind.description().check_inputs(inputs)?;
        self.kind.set_inputs(inputs);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.kind.description().check_outputs(inputs, out)?;
        self.kind.outputs(inputs, out).map_err(|failure| self.failed(self.instant(), failure))
    }

    fn observe(&self, out: &mut [f64]) {
        self.kind.observe(out);
    }

    fn look(&self, loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        self.check_loads(loads)?;
        out.clear();
        self.kind.look(loads, out);
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::of(&self.name(), self.saved()?)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let bad = |own: &Self, reason| SubsystemError::BadSnapshot { subsystem: own.name(), reason };
        let saved = snapshot.saved(&self.kind.description().name)?;
        if saved.numbers.iter().any(|value| !value.is_finite()) {
            return Err(bad(self, "its numbers are not finite".to_owned()));
        }
        let present = self.saved()?;
        if let Err(reason) = self.kind.restore(&saved) {
            // What fitted once fits again.
            let _ = self.kind.restore(&present);
            return Err(bad(self, reason));
        }
        (self.begun, self.jump_is_prepared) = (None, false);
        self.counts.rollbacks += 1;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.kind.effort().plus(self.counts)
    }
}

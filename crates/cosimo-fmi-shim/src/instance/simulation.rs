//! Initialisation, steps, events, reset.

use super::core::{Instance, Mode};
use crate::protocol::{Call, EventOutcome, Reply, Step, StepOutcome};

/// By how much of a step its start may differ from the time of the instance.
const SLACK: f64 = 1e-3;

/// By how much of a step its end may differ by rounding.
const ROUNDING: f64 = 1e-6;

impl Instance {
    pub(crate) fn enter_initialisation(&mut self) -> Result<(), String> {
        self.require("an initialisation", &[Mode::Instantiated])?;
        self.ask_values(Call::EnterInitialisation(self.experiment.clone()))?;
        self.set_time(self.experiment.start);
        self.mode = Mode::Initialising;
        Ok(())
    }

    pub(crate) fn exit_initialisation(&mut self) -> Result<(), String> {
        self.require("the end of an initialisation", &[Mode::Initialising])?;
        self.ask_values(Call::ExitInitialisation)?;
        self.mode = if self.experiment.events { Mode::Events } else { Mode::Stepping };
        let reached = self.experiment.start;
        self.last_step = StepOutcome { reached, event: false, terminate: false };
        Ok(())
    }

    /// Steps from `time` to `time + size`. Tells whether the unit has stopped before.
    pub(crate) fn step(&mut self, time: f64, size: f64) -> Result<bool, String> {
        self.require("a step", &[Mode::Stepping])?;
        if !(size > 0.0 && size.is_finite()) {
            return Err(format!("a step of size {size} is not possible"));
        }
        let own = self.time;
        if !((time - own).abs() <= SLACK * size) {
            return Err(format!("a step from {time} is not possible: the instance is at {own}"));
        }
        let step = Step { time, size, may_end_early: self.may_end_early };
        match self.ask(Call::Step(step))? {
            Reply::Stepped(outcome, values) => {
                let short = outcome.reached < time + size - ROUNDING * size;
                self.set_time(outcome.reached);
                self.last_step = outcome;
                self.learn(values).map(|()| short)
            }
            other => Err(self.misunderstood(&other)),
        }
    }

    pub(crate) fn enter_events(&mut self) -> Result<(), String> {
        self.require("event mode", &[Mode::Stepping])?;
        if !self.experiment.events {
            return Err("the instance was made without event mode".to_owned());
        }
        self.ask_values(Call::EnterEvents)?;
        self.mode = Mode::Events;
        Ok(())
    }

    pub(crate) fn update_discrete_states(&mut self) -> Result<EventOutcome, String> {
        self.require("an update of discrete states", &[Mode::Events])?;
        match self.ask(Call::UpdateDiscreteStates)? {
            Reply::Updated(outcome, values) => self.learn(values).map(|()| outcome),
            other => Err(self.misunderstood(&other)),
        }
    }

    pub(crate) fn leave_events(&mut self) -> Result<(), String> {
        self.require("step mode", &[Mode::Events])?;
        self.ask_values(Call::LeaveEvents)?;
        self.mode = Mode::Stepping;
        Ok(())
    }

    pub(crate) fn terminate(&mut self) -> Result<(), String> {
        let usual = matches!(self.mode, Mode::Initialising | Mode::Stepping | Mode::Events);
        let asked = if usual { self.ask_values(Call::Terminate) } else { Ok(()) };
        if asked.is_ok() {
            self.mode = Mode::Terminated;
        }
        asked
    }

    /// Back to how the instance was made; with a new process where the old one has ended.
    pub(crate) fn reset(&mut self) -> Result<(), String> {
        self.changes.clear();
        if !self.server.alive() || self.ask_values(Call::Reset).is_err() {
            self.released.clear();
            self.restart()?;
        }
        self.mode = Mode::Instantiated;
        self.set_time(0.0);
        Ok(())
    }
}

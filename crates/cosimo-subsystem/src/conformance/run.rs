//! One instance, driven as a master does.

use cosimo_mechanics::{ImpulseMoments, StepEnergy};

use crate::{Capabilities, MacroStep, Signal, Snapshot, StepLoads, StepResponse, Subsystem, SubsystemError};

use super::Conformance;
use super::motion::motion_over;
use super::portrait::Portrait;
use super::report::Finding;

/// One instance and how far it has come.
///
/// A run is a sequence of events: the steps, and one velocity jump before the step in the middle where the subsystem
/// takes impulses.
pub(super) struct Run<'a> {
    setup: &'a Conformance<'a>,
    pub(super) subsystem: Box<dyn Subsystem>,
    pub(super) capabilities: Capabilities,
    pub(super) rows: usize,
    /// Coordinates of its load ports.
    pub(super) load_coordinates: usize,
    /// Events so far.
    events: usize,
    /// Time since the start in units of the step size: exact also where sizes change by powers of two.
    clock: f64,
}

/// A place in a run to come back to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    events: usize,
    clock: f64,
}

impl<'a> Run<'a> {
    /// A new instance.
    pub(super) fn new(setup: &'a Conformance<'a>) -> Self {
        let subsystem = setup.make();
        let description = subsystem.description();
        let (capabilities, rows) = (description.capabilities, description.rows());
        let load_coordinates = description.load_coordinates();
        Self { setup, subsystem, capabilities, rows, load_coordinates, events: 0, clock: 0.0 }
    }

    /// A new instance after this many events.
    pub(super) fn at(setup: &'a Conformance<'a>, events: usize) -> Result<Self, Finding> {
        let mut run = Self::new(setup);
        while run.events < events {
            run.advance()?;
        }
        Ok(run)
    }

    /// Number of events in a whole run.
    pub(super) fn length(&self) -> usize {
        self.setup.steps + usize::from(self.capabilities.takes_impulses)
    }

    /// Whether the next event is the jump.
    pub(super) fn is_before_jump(&self) -> bool {
        self.capabilities.takes_impulses && self.events == self.setup.steps / 2
    }

    /// The next event.
    pub(super) fn advance(&mut self) -> Result<(), Finding> {
        if self.is_before_jump() {
            let inverse_mass = self.subsystem.prepare_jump(self.setup.size)?;
            let kicks = self.setup.kicks(inverse_mass, 1.0);
            self.subsystem.jump(&kicks)?;
            self.events += 1;
            return Ok(());
        }
        self.step().map(|_| ())
    }

    /// The next step, with the loads of the run.
    pub(super) fn step(&mut self) -> Result<StepEnergy, Finding> {
        let step = self.next_step();
        let response = self.begin()?;
        let loads = self.loads(step, &response);
        if !self.capabilities.is_affine {
            self.answer(&loads)?;
        }
        Ok(self.commit(&loads)?)
    }

    /// Asks for the answer of the step begun to these loads: of the rows, or of the load ports.
    pub(super) fn answer(&mut self, loads: &StepLoads) -> Result<(), SubsystemError> {
        if self.load_coordinates == 0 {
            return self.subsystem.evaluate(&loads.impulses).map(|_| ());
        }
        self.subsystem.respond(&loads.motion).map(|_| ())
    }

    /// Impulses on the rows without moments, and the motion of the load ports over a step.
    pub(super) fn plain_loads(&self, impulses: Vec<f64>, step: MacroStep) -> StepLoads {
        let motion = motion_over(self.setup, self.subsystem.description(), step);
        StepLoads { impulses, motion, ..StepLoads::zeros(self.rows) }
    }

    /// Commits the step begun, of the usual size.
    pub(super) fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.commit_sized(loads, 1.0)
    }

    /// Commits the step begun, `share` of the usual size.
    pub(super) fn commit_sized(
        &mut self,
        loads: &StepLoads,
        share: f64,
    ) -> Result<StepEnergy, SubsystemError> {
        let ledger = self.subsystem.commit(loads)?;
        self.events += 1;
        self.clock += share;
        Ok(ledger)
    }

    /// Begins the next step with the loads of the run.
    pub(super) fn begin(&mut self) -> Result<StepResponse, SubsystemError> {
        self.begin_sized(1.0)
    }

    /// Begins the next step, `share` of the usual size.
    pub(super) fn begin_sized(&mut self, share: f64) -> Result<StepResponse, SubsystemError> {
        let step = MacroStep { size: share * self.setup.size, ..self.next_step() };
        let start_loads = self.loads_at(step.time);
        self.set_inputs(step)?;
        self.subsystem.begin(step, &start_loads).cloned()
    }

    /// Gives the inputs the linear courses between their values at both ends of a step.
    fn set_inputs(&mut self, step: MacroStep) -> Result<(), SubsystemError> {
        let value = |input, time| self.setup.signal(input, time);
        let course = |input: usize| {
            let (start, end) = (value(input, step.time), value(input, step.time + step.size));
            Signal::linear(step.time, start, (end - start) / step.size)
        };
        let inputs = 0..self.subsystem.description().inputs.len();
        let courses: Vec<Signal> = inputs.map(course).collect();
        self.subsystem.set_inputs(&courses)
    }

    /// Values of the inputs at the present communication point.
    pub(super) fn input_values(&self) -> Vec<f64> {
        let time = self.next_step().time;
        (0..self.subsystem.description().inputs.len()).map(|input| self.setup.signal(input, time)).collect()
    }

    /// The step that comes next.
    pub(super) fn next_step(&self) -> MacroStep {
        MacroStep { time: self.setup.start + self.clock * self.setup.size, size: self.setup.size }
    }

    /// Finite loads at a time.
    pub(super) fn loads_at(&self, time: f64) -> Vec<f64> {
        (0..self.rows).map(|row| self.setup.load(row, time)).collect()
    }

    /// Impulses of the finite loads of the run over a step.
    pub(super) fn loads(&self, step: MacroStep, response: &StepResponse) -> StepLoads {
        let (start, end) = (self.loads_at(step.time), self.loads_at(step.time + step.size));
        let weights = response.weights;
        let mut loads = self.plain_loads(vec![0.0; self.rows], step);
        for (impulse, (start, end)) in loads.impulses.iter_mut().zip(start.iter().zip(&end)) {
            *impulse = weights.start * start + weights.end * end;
        }
        loads
    }

    /// Impulses inside a step, a third of its size before its end.
    pub(super) fn moments(&self, response: &StepResponse, share: f64) -> ImpulseMoments {
        let (s, c) = (self.setup.size / 3.0, response.weights.damping);
        let velocity = self.setup.kicks(&response.inverse_mass, share);
        let scaled = |factor: f64| velocity.iter().map(|xi| factor * xi).collect();
        ImpulseMoments {
            velocity_damped: scaled(c - s),
            position: scaled(s),
            position_damped: scaled(s * (c - 0.5 * s)),
            velocity,
        }
    }

    /// What shows of the present state.
    pub(super) fn portrait(&self) -> Result<Portrait, SubsystemError> {
        Portrait::of(self.subsystem.as_ref())
    }

    /// The present place.
    pub(super) fn mark(&self) -> Mark {
        Mark { events: self.events, clock: self.clock }
    }

    /// Goes back to a place by its snapshot.
    pub(super) fn restore(&mut self, mark: Mark, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        self.subsystem.restore(snapshot)?;
        self.events = mark.events;
        self.clock = mark.clock;
        Ok(())
    }
}

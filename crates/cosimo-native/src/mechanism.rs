//! A linear system with a step rule, as a subsystem.

use cosimo_dynamics::{DynamicsError, Stepper, TakenLoads};
use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::scene::Sight;
use cosimo_subsystem::{
    Begun, Description, ExpectedLoads, LoadWeights, MacroStep, RowMatrix, RowState, Snapshot, Statistics,
    StepLoads, StepResponse, Subsystem, SubsystemError,
};
use nalgebra::DMatrix;

use crate::Channel;
use crate::seen::{self, SeenBodies};

/// A subsystem stepped by one of Cosimo's own solvers. Built by [`MechanismBuilder`](crate::MechanismBuilder).
#[derive(Debug)]
pub struct Mechanism {
    description: Box<Description>,
    channels: Vec<Channel>,
    stepper: Stepper,
    rows: RowState,
    response: StepResponse,
    begun: Option<MacroStep>,
    jump_is_prepared: bool,
    statistics: Statistics,
    residual: Vec<f64>,
    seen: SeenBodies,
}

impl Mechanism {
    pub(crate) fn new(
        description: Description,
        channels: Vec<Channel>,
        (stepper, seen): (Stepper, SeenBodies),
    ) -> Self {
        let r = description.rows();
        let mut mechanism = Self {
            rows: RowState {
                positions: vec![0.0; r],
                velocities: vec![0.0; r],
                own_velocities: stepper.own_velocities().to_vec(),
                ..RowState::default()
            },
            response: StepResponse { revision: u64::MAX, ..StepResponse::zeros(r) },
            begun: None,
            jump_is_prepared: false,
            statistics: Statistics::default(),
            residual: vec![0.0; stepper.system().constraints()],
            description: Box::new(description),
            channels,
            stepper,
            seen,
        };
        mechanism.read_rows();
        mechanism
    }

    /// The stepper with the present state.
    #[must_use]
    pub fn stepper(&self) -> &Stepper {
        &self.stepper
    }

    fn read_rows(&mut self) {
        if !self.residual.is_empty() {
            let state = self.stepper.state();
            self.stepper.system().constraint(&state.q, &mut self.residual);
        }
        let starts = self.stepper.start_positions().iter().zip(self.stepper.start_velocities());
        for ((z, rate), start) in self.rows.positions.iter_mut().zip(&mut self.rows.velocities).zip(starts) {
            (*z, *rate) = (*start.0, *start.1);
        }
        if !self.rows.own_velocities.is_empty() {
            self.rows.own_velocities.copy_from_slice(self.stepper.own_velocities());
        }
    }

    fn read_response(&mut self) {
        let (response, stepper) = (&mut self.response, &self.stepper);
        let ends = stepper.end_positions().iter().zip(stepper.end_velocities());
        for ((z, rate), end) in response.positions.iter_mut().zip(&mut response.velocities).zip(ends) {
            (*z, *rate) = (*end.0, *end.1);
        }
        if response.revision != stepper.revision() {
            response.revision = stepper.revision();
            response.inverse_mass.dense_mut().copy_from(stepper.inverse_mass());
            copy_resized(stepper.damped_inverse_mass(), response.damped_inverse_mass.dense_mut());
            copy_resized(stepper.move_mass(), response.move_mass.dense_mut());
            let stage = stepper.stage();
            response.weights = LoadWeights {
                end: stage.end_load,
                start: stage.start_load,
                position: stage.position_weight(),
                damping: stage.velocity,
            };
        }
    }

    /// Forgets the step begun, if there is one.
    fn give_up(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    #[inline]
    fn check_loads(&self, loads: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads_on(self.rows.positions.len(), loads)
    }

    #[cold]
    fn failed(&self, step: MacroStep, error: DynamicsError) -> SubsystemError {
        SubsystemError::StepFailed {
            subsystem: self.description.name.clone(),
            time: step.time,
            size: step.size,
            reason: SubsystemError::chain(&error),
        }
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        self.begun.ok_or_else(|| self.not_begun(call))
    }

    #[cold]
    fn not_begun(&self, call: &'static str) -> SubsystemError {
        SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() }
    }
}

impl Subsystem for Mechanism {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.stepper.energy()
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_loads(start_loads)?;
        self.begin_step(step, start_loads, None)
    }

    fn begin_under_loads(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        self.check_loads(start_loads)?;
        self.check_loads(expected.momenta)?;
        self.begin_step(step, start_loads, Some(expected.momenta)).map(Begun::Free)
    }

    fn report_moves(&mut self, wanted: bool) {
        self.give_up();
        self.stepper.report_moves(wanted);
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_loads(impulses)?;
        self.begun("evaluate")?;
        self.stepper.evaluate(impulses);
        self.statistics.evaluations += 1;
        self.read_response();
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.check_loads(&loads.impulses)?;
        if !loads.momenta.is_empty() {
            self.check_loads(&loads.momenta)?;
        }
        if loads.has_moves {
            self.check_loads(&loads.moves)?;
        }
        let step = self.begun("commit")?;
        let moments = if loads.has_moments {
            self.description.check_moments(&loads.moments)?;
            Some(loads.moments.view())
        } else {
            None
        };
        let taken = TakenLoads {
            impulses: &loads.impulses,
            momenta: &loads.momenta,
            moves: loads.has_moves.then_some(&loads.moves),
            moments,
        };
        let work = self.stepper.take(&taken).map_err(|error| self.failed(step, error))?;
        self.stepper.set_time(step.time + step.size);
        self.begun = None;
        self.statistics.steps += 1;
        self.read_rows();
        Ok(work)
    }

    fn discard(&mut self) {
        self.give_up();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        let step = MacroStep { time: self.stepper.state().time, size };
        self.description.check_step(step, self.stepper.state().time)?;
        self.give_up();
        self.stepper.prepare_jump(size).map_err(|error| self.failed(step, error))?;
        self.jump_is_prepared = true;
        self.read_response();
        Ok(&self.response.inverse_mass)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.check_loads(impulses)?;
        self.move_prepared("jump", impulses, Stepper::jump)
    }

    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.check_loads(weights)?;
        self.move_prepared("shift", weights, Stepper::shift)
    }

    fn observe(&self, out: &mut [f64]) {
        let state = self.stepper.state();
        let (ports, gaps) = (self.description.port_rows(), self.description.contacts.len());
        for (value, channel) in out.iter_mut().zip(&self.channels) {
            *value = match *channel {
                Channel::Position(i) => state.q[i],
                Channel::Velocity(i) => state.v[i],
                Channel::Gap(c) => self.rows.positions[ports + c],
                Channel::Slip(k) => self.rows.velocities[ports + gaps + k],
                Channel::Residual(k) => self.residual[k],
            };
        }
    }

    fn look(&self, loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        self.check_loads(loads)?;
        let state = self.stepper.state();
        seen::look(&self.seen, state.time, &state.q, self.description.contact_loads(loads), out);
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut values = Vec::new();
        self.stepper.save(&mut values);
        Snapshot::encode(&self.description.name, &values)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let name = &self.description.name;
        let values = snapshot.decode(name)?;
        self.stepper.restore(&values).ok_or_else(|| SubsystemError::BadSnapshot {
            subsystem: name.clone(),
            reason: format!("{} numbers do not fit its state", values.len()),
        })?;
        self.begun = None;
        self.statistics.rollbacks += 1;
        self.read_rows();
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics { factorizations: self.stepper.factorizations(), ..self.statistics }
    }
}

impl Mechanism {
    fn begin_step(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        momenta: Option<&[f64]>,
    ) -> Result<&StepResponse, SubsystemError> {
        self.description.check_step(step, self.stepper.state().time)?;
        self.give_up();
        self.jump_is_prepared = false;
        let begun = self.stepper.begin_with(step.size, start_loads, momenta);
        begun.map_err(|error| self.failed(step, error))?;
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        self.read_response();
        Ok(&self.response)
    }

    fn move_prepared(
        &mut self,
        call: &'static str,
        loads: &[f64],
        action: impl Fn(&mut Stepper, &[f64]) -> Result<(), DynamicsError>,
    ) -> Result<(), SubsystemError> {
        if !self.jump_is_prepared {
            return Err(self.not_begun(call));
        }
        let step = MacroStep { time: self.stepper.state().time, size: 0.0 };
        action(&mut self.stepper, loads).map_err(|error| self.failed(step, error))?;
        self.read_rows();
        Ok(())
    }
}

fn copy_resized(source: &DMatrix<f64>, target: &mut DMatrix<f64>) {
    if target.shape() == source.shape() {
        target.copy_from(source);
    } else {
        target.clone_from(source);
    }
}

//! A linear system with a step rule, as a subsystem.

use cosimo_dynamics::{Stepper, TakenLoads};
use cosimo_mechanics::{Energy, ImpulseMoments, StepEnergy};
use cosimo_subsystem::scene::Sight;
use cosimo_subsystem::{
    Description, ExpectedLoads, Failure, Kind, LoadWeights, MacroStep, RowState, Saved, Statistics,
    StepLoads, StepResponse, Stepped, TrialLoads, Wanted,
};
use nalgebra::DMatrix;

use crate::Channel;
use crate::seen::{self, SeenBodies};

/// A linear system with ports and contacts. Built by [`MechanismBuilder`](crate::MechanismBuilder).
pub type Mechanism = Stepped<LinearMotion>;

/// The motion of a [`Mechanism`].
#[derive(Debug)]
pub struct LinearMotion {
    description: Box<Description>,
    channels: Vec<Channel>,
    stepper: Stepper,
    rows: RowState,
    response: StepResponse,
    residual: Vec<f64>,
    seen: SeenBodies,
}

impl LinearMotion {
    pub(crate) fn new(
        description: Description,
        channels: Vec<Channel>,
        (stepper, seen): (Stepper, SeenBodies),
    ) -> Mechanism {
        let r = description.rows();
        let mut own = Self {
            rows: RowState {
                positions: vec![0.0; r],
                velocities: vec![0.0; r],
                surface_velocities: stepper.surface_velocities().to_vec(),
                ..RowState::default()
            },
            response: StepResponse { revision: u64::MAX, ..StepResponse::zeros(r) },
            residual: vec![0.0; stepper.system().constraints()],
            description: Box::new(description),
            channels,
            stepper,
            seen,
        };
        own.read_rows();
        Stepped::new(own)
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
        if !self.rows.surface_velocities.is_empty() {
            self.rows.surface_velocities.copy_from_slice(self.stepper.surface_velocities());
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
            let formula = stepper.formula();
            response.weights = LoadWeights {
                end: formula.end_load,
                start: formula.start_load,
                position: formula.position_weight(),
                damping: formula.stage_velocity(),
            };
        }
    }
}

impl Kind for LinearMotion {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        Some(self.stepper.state().time)
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.stepper.energy()
    }

    fn response(&self) -> &StepResponse {
        &self.response
    }

    fn report_moves(&mut self, wanted: bool) {
        self.stepper.report_moves(wanted);
    }

    fn begin(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        self.stepper.begin_with(step.size, start_loads, expected.map(|expected| expected.momenta))?;
        self.read_response();
        Ok(TrialLoads::None)
    }

    fn evaluate(&mut self, _step: MacroStep, impulses: &[f64], _wanted: Wanted) -> Result<(), Failure> {
        self.stepper.evaluate(impulses);
        self.read_response();
        Ok(())
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        let m = &loads.moments;
        let moments = ImpulseMoments {
            velocity: m.velocity.as_slice(),
            velocity_damped: &m.velocity_damped,
            position: &m.position,
            position_damped: &m.position_damped,
        };
        let work = self.stepper.take(&TakenLoads {
            impulses: &loads.impulses,
            momenta: &loads.momenta,
            moves: loads.has_moves.then_some(&loads.moves),
            moments: loads.has_moments.then_some(moments),
        })?;
        self.stepper.set_time(step.time + step.size);
        self.read_rows();
        Ok(work)
    }

    fn can_jump(&self) -> bool {
        true
    }

    fn prepare_jump(&mut self, size: f64) -> Result<(), Failure> {
        self.stepper.prepare_jump(size)?;
        self.read_response();
        Ok(())
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), Failure> {
        self.stepper.jump(impulses)?;
        self.read_rows();
        Ok(())
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), Failure> {
        self.stepper.project_positions(weights)?;
        self.read_rows();
        Ok(())
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

    fn look(&self, loads: &[f64], out: &mut Sight) {
        let state = self.stepper.state();
        seen::look(&self.seen, state.time, &state.q, self.description.contact_loads(loads), out);
    }

    fn save(&self) -> Result<Saved, Failure> {
        let mut values = Vec::new();
        self.stepper.save(&mut values);
        Ok(values.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let misfit = || format!("{} numbers do not fit its state", saved.numbers.len());
        self.stepper.restore(&saved.numbers).ok_or_else(misfit)?;
        self.read_rows();
        Ok(())
    }

    fn effort(&self) -> Statistics {
        Statistics { factorizations: self.stepper.factorizations(), ..Statistics::default() }
    }
}

fn copy_resized(source: &DMatrix<f64>, target: &mut DMatrix<f64>) {
    if target.shape() == source.shape() {
        target.copy_from(source);
    } else {
        target.clone_from(source);
    }
}

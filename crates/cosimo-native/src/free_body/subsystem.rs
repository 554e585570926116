//! The body behind the subsystem contract.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_multibody::spatial::{BodyState, FreeStep, PointImpulse, RigidBody, SpatialError};
use cosimo_subsystem::scene::{Pose, Sight};
use cosimo_subsystem::{
    Description, LoadWeights, MacroStep, RowMatrix, RowState, Snapshot, Statistics, StepLoads, StepResponse,
    Subsystem, SubsystemError,
};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::observe::observe;
use super::ports::PortRows;

/// A rigid body in space. Built by [`FreeBodyBuilder`](crate::FreeBodyBuilder).
#[derive(Debug)]
pub struct FreeBody {
    description: Box<Description>,
    body: RigidBody,
    ports: PortRows,
    time: f64,
    state: BodyState,
    rows: RowState,
    begun: Option<MacroStep>,
    /// The trial step and the impulses that it carries.
    trial: Option<FreeStep>,
    loads: Vec<f64>,
    /// The impulses at the ports, and those inside a step.
    impulses: Vec<PointImpulse>,
    inside: Vec<PointImpulse>,
    response: StepResponse,
    jump_is_prepared: bool,
    statistics: Statistics,
}

impl FreeBody {
    pub(super) fn new(
        description: Description,
        body: RigidBody,
        ports: PortRows,
        (time, state): (f64, BodyState),
    ) -> Self {
        let r = ports.len();
        let mut subsystem = Self {
            rows: RowState {
                positions: vec![0.0; r],
                velocities: vec![0.0; r],
                orientations: Vec::with_capacity(description.ports.len()),
                ..RowState::default()
            },
            impulses: Vec::with_capacity(description.ports.len()),
            inside: Vec::with_capacity(description.ports.len()),
            response: StepResponse::zeros(r),
            description: Box::new(description),
            body,
            ports,
            time,
            state,
            begun: None,
            trial: None,
            loads: vec![0.0; r],
            jump_is_prepared: false,
            statistics: Statistics::default(),
        };
        subsystem.read_rows();
        subsystem
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &BodyState {
        &self.state
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &RigidBody {
        &self.body
    }

    fn read_rows(&mut self) {
        self.ports.positions(&self.state, &Vector3::zeros(), &mut self.rows.positions);
        self.ports.velocities(&self.state, &mut self.rows.velocities);
        self.ports.orientations(&self.state, &mut self.rows.orientations);
    }

    fn energy_of(&self, state: &BodyState) -> Energy {
        Energy { kinetic: self.body.kinetic_energy(state), potential: self.body.potential_energy(state) }
    }

    #[inline]
    fn check_loads(&self, loads: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads_on(self.loads.len(), loads)
    }

    /// Forgets the step begun and the jump prepared, if there are any.
    fn give_up(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
        self.jump_is_prepared = false;
    }

    /// Solves the step begun with the loads set.
    fn solve(&mut self, step: MacroStep) -> Result<(), SubsystemError> {
        self.ports.impulses(&self.loads, &mut self.impulses);
        self.trial = None;
        let solved = self
            .body
            .step(&self.state, step.size, &self.impulses)
            .map_err(|error| self.failed(step, error))?;
        self.statistics.evaluations += 1;
        self.statistics.newton_iterations += solved.iterations() as u64;
        self.statistics.factorizations += solved.iterations() as u64;
        self.trial = Some(solved);
        Ok(())
    }

    /// Fills the response with the trial step.
    fn respond(&mut self, size: f64) {
        let Some(trial) = &self.trial else { return };
        let response = &mut self.response;
        self.ports.positions(trial.end(), &trial.rotation(), &mut response.positions);
        self.ports.velocities(trial.end(), &mut response.velocities);
        let (ports, inverse_mass) = (&self.ports, response.inverse_mass.dense_mut());
        ports.units(|row, unit| {
            ports.changes(trial.end(), &trial.answer(&unit), inverse_mass.column_mut(row).as_mut_slice());
        });
        let half = 0.5 * size;
        response.weights = LoadWeights { end: half, start: half, position: half, damping: half };
        response.revision += 1;
    }

    /// Moves the trial step's end by impulses inside the step.
    fn apply_moments(&mut self, loads: &StepLoads) {
        let Some(trial) = &mut self.trial else { return };
        // Nothing damps the body: the damped moments have nothing to act on.
        self.ports.impulses(&loads.moments.velocity, &mut self.inside);
        trial.push(&self.inside);
        self.ports.impulses(&loads.moments.position, &mut self.inside);
        trial.shift(&self.inside);
    }

    /// Moves the trial step's end by weights of the rows: no force depends on its position.
    fn apply_moves(&mut self, moves: &[f64]) {
        let Some(trial) = &mut self.trial else { return };
        self.ports.impulses(moves, &mut self.inside);
        trial.shift(&self.inside);
    }

    fn failed(&self, step: MacroStep, error: SpatialError) -> SubsystemError {
        SubsystemError::StepFailed {
            subsystem: self.description.name.clone(),
            time: step.time,
            size: step.size,
            reason: SubsystemError::chain(&error),
        }
    }

    fn not_begun(&self, call: &'static str) -> SubsystemError {
        SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() }
    }

    /// What impulses on the rows do at an instant: to the velocity of the centre of mass and the angular velocity.
    fn instant_change(&mut self, impulses: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        self.ports.impulses(impulses, &mut self.impulses);
        let changes = self.impulses.iter().map(|impulse| self.body.jump(&self.state, impulse));
        changes.fold((Vector3::zeros(), Vector3::zeros()), |(velocity, spin), change| {
            (velocity + change.velocity, spin + change.angular_velocity)
        })
    }

    /// Takes over a state that a jump or a shift leads to.
    fn move_to(&mut self, state: BodyState) -> Result<(), SubsystemError> {
        if !state.is_finite() {
            let step = MacroStep { time: self.time, size: 0.0 };
            let (quantity, rule) = ("state after a jump", "finite");
            let error = SpatialError::OutOfRange { quantity, found: f64::NAN, rule };
            return Err(self.failed(step, error));
        }
        self.state = state;
        self.read_rows();
        Ok(())
    }

    fn numbers(&self) -> [f64; 14] {
        let s = &self.state;
        let (x, v, w) = (s.position, s.velocity, s.angular_velocity);
        let q = s.orientation;
        [self.time, x.x, x.y, x.z, q.w, q.i, q.j, q.k, v.x, v.y, v.z, w.x, w.y, w.z]
    }
}

impl Subsystem for FreeBody {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy_of(&self.state)
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_loads(start_loads)?;
        self.description.check_step(step, self.time)?;
        self.give_up();
        self.loads.fill(0.0);
        self.solve(step)?;
        self.begun = Some(step);
        self.respond(step.size);
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_loads(impulses)?;
        let step = self.begun.ok_or_else(|| self.not_begun("evaluate"))?;
        self.loads.copy_from_slice(impulses);
        self.solve(step)?;
        self.respond(step.size);
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.check_loads(&loads.impulses)?;
        self.description.check_momenta(&loads.momenta)?;
        if loads.has_moves {
            self.check_loads(&loads.moves)?;
        }
        if loads.has_moments {
            self.description.check_moments(&loads.moments)?;
        }
        let step = self.begun.ok_or_else(|| self.not_begun("commit"))?;
        let before = self.energy();
        if self.trial.is_none() || self.loads != loads.impulses {
            self.loads.copy_from_slice(&loads.impulses);
            self.solve(step)?;
        }
        let Some(trial) = &self.trial else { return Err(self.not_begun("commit")) };
        let smooth = self.energy_of(trial.end());
        self.ports.positions(trial.end(), &trial.rotation(), &mut self.response.positions);
        let ways = self.response.positions.iter().zip(&self.rows.positions);
        let port_work =
            loads.impulses.iter().zip(ways).map(|(x, (end, start))| x / step.size * (end - start)).sum();
        if loads.has_moves {
            self.apply_moves(&loads.moves);
        }
        if loads.has_moments {
            self.apply_moments(loads);
        }
        let Some(trial) = self.trial.take() else { return Err(self.not_begun("commit")) };
        self.move_to(*trial.end())?;
        (self.time, self.begun) = (step.time + step.size, None);
        self.statistics.steps += 1;
        let energy = self.energy();
        Ok(StepEnergy {
            energy,
            port_work,
            jumps: energy.total() - smooth.total(),
            numerical: smooth.total() - before.total() - port_work,
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        self.give_up();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.description.check_step(MacroStep { time: self.time, size }, self.time)?;
        self.give_up();
        self.jump_is_prepared = true;
        let (ports, body, state) = (&self.ports, &self.body, &self.state);
        let inverse_mass = self.response.inverse_mass.dense_mut();
        ports.units(|row, unit| {
            ports.changes(state, &body.jump(state, &unit), inverse_mass.column_mut(row).as_mut_slice());
        });
        self.response.revision += 1;
        Ok(&self.response.inverse_mass)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.check_loads(impulses)?;
        if !self.jump_is_prepared {
            return Err(self.not_begun("jump"));
        }
        let (velocity, spin) = self.instant_change(impulses);
        let mut state = self.state;
        state.velocity += velocity;
        state.angular_velocity += state.orientation.inverse() * spin;
        self.move_to(state)
    }

    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.check_loads(weights)?;
        if !self.jump_is_prepared {
            return Err(self.not_begun("shift"));
        }
        let (way, turn) = self.instant_change(weights);
        let mut state = self.state;
        state.move_by(&way, &turn);
        self.move_to(state)
    }

    fn observe(&self, out: &mut [f64]) {
        observe(&self.state, out);
    }

    fn look(&self, _loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        out.clear();
        out.poses.push(Pose { position: self.state.position, orientation: self.state.orientation });
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &self.numbers())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let name = &self.description.name;
        let values = snapshot.decode(name)?;
        let bad = |reason: String| SubsystemError::BadSnapshot { subsystem: name.clone(), reason };
        let &[time, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = values.as_slice() else {
            return Err(bad(format!("{} numbers instead of 14", values.len())));
        };
        let orientation = Quaternion::new(qw, qx, qy, qz);
        let is_unit = (orientation.norm() - 1.0).abs() < 1e-9;
        if !is_unit || values.iter().any(|value| !value.is_finite()) {
            return Err(bad("its numbers are not finite, or its orientation is none".to_owned()));
        }
        self.time = time;
        self.state = BodyState {
            position: Vector3::new(x, y, z),
            orientation: UnitQuaternion::new_unchecked(orientation),
            velocity: Vector3::new(vx, vy, vz),
            angular_velocity: Vector3::new(wx, wy, wz),
        };
        (self.begun, self.jump_is_prepared) = (None, false);
        self.statistics.rollbacks += 1;
        self.read_rows();
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

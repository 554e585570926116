//! The body behind the subsystem contract.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_multibody::spatial::{BodyState, FreeStep, PointImpulse, RigidBody, SpatialError};
use cosimo_subsystem::scene::{Pose, Sight};
use cosimo_subsystem::{
    Description, ExpectedLoads, Failure, Kind, LoadWeights, MacroStep, RowState, Saved, Statistics,
    StepLoads, StepResponse, Stepped, TrialLoads, Wanted,
};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::observe::observe;
use super::ports::PortRows;

/// A rigid body in space. Built by [`FreeBodyBuilder`](crate::FreeBodyBuilder).
pub type FreeBody = Stepped<RigidMotion>;

/// The motion of a [`FreeBody`].
#[derive(Debug)]
pub struct RigidMotion {
    description: Box<Description>,
    body: RigidBody,
    ports: PortRows,
    time: f64,
    state: BodyState,
    rows: RowState,
    /// The trial step and the impulses that it carries.
    trial: Option<FreeStep>,
    loads: Vec<f64>,
    /// The impulses at the ports, and those inside a step.
    impulses: Vec<PointImpulse>,
    inside: Vec<PointImpulse>,
    response: StepResponse,
    /// Newton iterations so far.
    iterations: u64,
}

impl RigidMotion {
    pub(super) fn new(
        description: Description,
        body: RigidBody,
        ports: PortRows,
        (time, state): (f64, BodyState),
    ) -> FreeBody {
        let r = ports.len();
        let mut own = Self {
            rows: RowState {
                orientations: Vec::with_capacity(description.ports.len()),
                ..RowState::zeros(r, 0)
            },
            impulses: Vec::with_capacity(description.ports.len()),
            inside: Vec::with_capacity(description.ports.len()),
            response: StepResponse::zeros(r),
            description: Box::new(description),
            body,
            ports,
            time,
            state,
            trial: None,
            loads: vec![0.0; r],
            iterations: 0,
        };
        own.read_rows();
        Stepped::new(own)
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

    /// Solves a step of size `h` (s) with the loads set.
    fn solve(&mut self, h: f64) -> Result<FreeStep, Failure> {
        self.ports.impulses(&self.loads, &mut self.impulses);
        self.trial = None;
        let solved = self.body.step(&self.state, h, &self.impulses)?;
        self.iterations += solved.iterations() as u64;
        Ok(solved)
    }

    /// Solves a trial step of size `h` (s) with the loads set, and fills the response with it.
    fn try_step(&mut self, h: f64) -> Result<(), Failure> {
        let trial = self.solve(h)?;
        let response = &mut self.response;
        self.ports.positions(trial.end(), &trial.rotation(), &mut response.positions);
        self.ports.velocities(trial.end(), &mut response.velocities);
        let (ports, inverse_mass) = (&self.ports, response.inverse_mass.dense_mut());
        ports.units(|row, unit| {
            ports.changes(trial.end(), &trial.answer(&unit), inverse_mass.column_mut(row).as_mut_slice());
        });
        let half = 0.5 * h;
        response.weights = LoadWeights { end: half, start: half, position: half, damping: half };
        response.revision += 1;
        self.trial = Some(trial);
        Ok(())
    }

    /// Takes the trial step with these impulses, solved if it has others.
    fn take_trial(&mut self, h: f64, impulses: &[f64]) -> Result<FreeStep, Failure> {
        if let Some(trial) = self.trial.take().filter(|_| self.loads == impulses) {
            return Ok(trial);
        }
        self.loads.copy_from_slice(impulses);
        self.solve(h)
    }

    /// Moves the end of a step by impulses inside it.
    fn apply_moments(&mut self, trial: &mut FreeStep, loads: &StepLoads) {
        // Nothing damps the body: the damped moments have nothing to act on.
        self.ports.impulses(&loads.moments.velocity, &mut self.inside);
        trial.push(&self.inside);
        self.ports.impulses(&loads.moments.position, &mut self.inside);
        trial.project_positions(&self.inside);
    }

    /// Moves the end of a step by weights of the rows: no force depends on its position.
    fn apply_moves(&mut self, trial: &mut FreeStep, moves: &[f64]) {
        self.ports.impulses(moves, &mut self.inside);
        trial.project_positions(&self.inside);
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
    fn move_to(&mut self, state: BodyState) -> Result<(), Failure> {
        if !state.is_finite() {
            let (quantity, rule) = ("state after a jump", "finite");
            return Err(SpatialError::OutOfRange { quantity, found: f64::NAN, rule }.into());
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

impl Kind for RigidMotion {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        Some(self.time)
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy_of(&self.state)
    }

    fn response(&self) -> &StepResponse {
        &self.response
    }

    fn begin(
        &mut self,
        step: MacroStep,
        _start_loads: &[f64],
        _expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        self.loads.fill(0.0);
        self.try_step(step.size)?;
        Ok(TrialLoads::None)
    }

    fn evaluate(&mut self, step: MacroStep, impulses: &[f64], _wanted: Wanted) -> Result<(), Failure> {
        self.loads.copy_from_slice(impulses);
        self.try_step(step.size)
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        let before = self.energy();
        let mut trial = self.take_trial(step.size, &loads.impulses)?;
        let smooth = self.energy_of(trial.end());
        self.ports.positions(trial.end(), &trial.rotation(), &mut self.response.positions);
        let port_work = work_of(&loads.impulses, [&self.rows.positions, &self.response.positions], step.size);
        if loads.has_moves {
            self.apply_moves(&mut trial, &loads.moves);
        }
        if loads.has_moments {
            self.apply_moments(&mut trial, loads);
        }
        self.move_to(*trial.end())?;
        self.time = step.time + step.size;
        let energy = self.energy();
        Ok(StepEnergy {
            energy,
            port_work,
            jumps: energy.total() - smooth.total(),
            numerical: smooth.total() - before.total() - port_work,
            ..StepEnergy::default()
        })
    }

    fn can_jump(&self) -> bool {
        true
    }

    fn prepare_jump(&mut self, _size: f64) -> Result<(), Failure> {
        let (ports, body, state) = (&self.ports, &self.body, &self.state);
        let inverse_mass = self.response.inverse_mass.dense_mut();
        ports.units(|row, unit| {
            ports.changes(state, &body.jump(state, &unit), inverse_mass.column_mut(row).as_mut_slice());
        });
        self.response.revision += 1;
        Ok(())
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), Failure> {
        let (velocity, spin) = self.instant_change(impulses);
        let mut state = self.state;
        state.velocity += velocity;
        state.angular_velocity += state.orientation.inverse() * spin;
        self.move_to(state)
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), Failure> {
        let (displacement, turn) = self.instant_change(weights);
        let mut state = self.state;
        state.move_by(&displacement, &turn);
        self.move_to(state)
    }

    fn observe(&self, out: &mut [f64]) {
        observe(&self.state, out);
    }

    fn look(&self, _loads: &[f64], out: &mut Sight) {
        out.poses.push(Pose { position: self.state.position, orientation: self.state.orientation });
    }

    fn save(&self) -> Result<Saved, Failure> {
        Ok(self.numbers().to_vec().into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let &[time, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = saved.numbers.as_slice() else {
            return Err(format!("{} numbers instead of 14", saved.numbers.len()));
        };
        let orientation = Quaternion::new(qw, qx, qy, qz);
        if !((orientation.norm() - 1.0).abs() < 1e-9) {
            return Err("its orientation is none".to_owned());
        }
        self.time = time;
        self.state = BodyState {
            position: Vector3::new(x, y, z),
            orientation: UnitQuaternion::new_unchecked(orientation),
            velocity: Vector3::new(vx, vy, vz),
            angular_velocity: Vector3::new(wx, wy, wz),
        };
        self.read_rows();
        Ok(())
    }

    fn effort(&self) -> Statistics {
        let iterations = self.iterations;
        Statistics { newton_iterations: iterations, factorizations: iterations, ..Statistics::default() }
    }
}

/// Work (J) of mean loads over a step of this size (s), by the rows at its start and end.
fn work_of(impulses: &[f64], [start, end]: [&[f64]; 2], size: f64) -> f64 {
    let displacements = end.iter().zip(start);
    impulses.iter().zip(displacements).map(|(x, (end, start))| x / size * (end - start)).sum()
}

//! A reference subsystem whose contact vanishes and comes back.

use cosimo_mechanics::{Energy, StepEnergy};

use crate::{
    Capabilities, ContactSpec, Description, InverseMass, LoadWeights, MacroStep, PortSpec, RowMatrix,
    RowState, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

/// A ball that slides over a table, falls off its end and lands on a lower table, stepped by the implicit midpoint rule: a
/// subsystem to test masters and transports with.
///
/// ```text
///   ──────────┐        x < 0.5 m: the upper table, height 0
///             └╌╌╌╌    up to 0.75 m: no table, the contact is absent
///                  ──────────   the lower table, height −0.5 m
/// ```
///
/// The ball has 1 kg; port `x` is its way along the tables (m), at first 0.25 m with 1 m/s; the contact `table` has the restitution
/// 0.5 and no friction. Gravity is 10 m/s². Over the hole the gap is that over the upper table, and negative.
#[derive(Debug, Clone)]
pub struct TwoTables {
    description: Description,
    /// Way along the tables and height (m), and their rates (m/s).
    position: [f64; 2],
    velocity: [f64; 2],
    rows: RowState,
    begun: Option<MacroStep>,
    response: StepResponse,
    prepared: Option<RowMatrix>,
    statistics: Statistics,
}

const MASS: f64 = 1.0;
const GRAVITY: f64 = 10.0;
/// Where the upper table ends and the lower one begins, and the height of the latter (m).
const EDGES: [f64; 2] = [0.5, 0.75];
const LOWER: f64 = -0.5;

impl Default for TwoTables {
    fn default() -> Self {
        let identity = || RowMatrix::Dense(nalgebra::DMatrix::identity(2, 2) / MASS);
        let mut new = Self {
            description: description(),
            position: [0.25, 0.0],
            velocity: [1.0, 0.0],
            rows: RowState {
                positions: vec![0.0; 2],
                velocities: vec![0.0; 2],
                absent: vec![false],
                ..RowState::default()
            },
            begun: None,
            response: StepResponse { inverse_mass: identity(), ..StepResponse::zeros(2) },
            prepared: None,
            statistics: Statistics::default(),
        };
        new.show();
        new
    }
}

fn description() -> Description {
    Description {
        name: "two-tables".into(),
        ports: vec![PortSpec::new("x", 1)],
        contacts: vec![ContactSpec::frictionless("table", 0.5)],
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: true,
            can_roll_back: true,
            takes_impulses: true,
            takes_jumps: false,
            has_variable_step: true,
            takes_moves: true,
            lacks_momenta: false,
            captures_impacts: false,
            keeps_impacts: false,
            is_strain_free: true,
        },
        ..Description::default()
    }
}

impl TwoTables {
    /// Height of the table that the gap is measured from (m): a step keeps that of its start.
    fn table(&self) -> f64 {
        if self.position[0] < EDGES[1] { 0.0 } else { LOWER }
    }

    fn show(&mut self) {
        let [x, z] = self.position;
        self.rows.absent[0] = (EDGES[0]..EDGES[1]).contains(&x);
        let gap = z - self.table();
        self.rows.positions.copy_from_slice(&[x, gap]);
        self.rows.velocities.copy_from_slice(&self.velocity);
    }

    /// Position and velocity at the end of a step with these impulses.
    fn end(&self, h: f64, impulses: &[f64]) -> [[f64; 2]; 2] {
        let change = [impulses[0] / MASS, impulses[1] / MASS - h * GRAVITY];
        let velocity = [0, 1].map(|k| self.velocity[k] + change[k]);
        [[0, 1].map(|k| self.position[k] + h * (self.velocity[k] + 0.5 * change[k])), velocity]
    }

    fn respond(&mut self, h: f64, impulses: &[f64]) -> &StepResponse {
        let [[x, z], velocity] = self.end(h, impulses);
        let gap = z - self.table();
        self.statistics.evaluations += 1;
        self.response.positions.copy_from_slice(&[x, gap]);
        self.response.velocities.copy_from_slice(&velocity);
        &self.response
    }

    fn check_step(&self, MacroStep { time, size }: MacroStep) -> Result<(), SubsystemError> {
        if time.is_finite() && size.is_finite() && size > 0.0 {
            return Ok(());
        }
        let (subsystem, reason) =
            (self.description.name.clone(), "time and size must be finite, size positive");
        Err(SubsystemError::BadStep { subsystem, time, size, reason: reason.into() })
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    /// Changes of position and velocity between steps.
    fn nudge(&mut self, call: &'static str, [position, velocity]: [&[f64]; 2]) -> Result<(), SubsystemError> {
        [position, velocity].into_iter().try_for_each(|loads| self.description.check_loads(loads))?;
        if self.prepared.is_none() {
            let subsystem = self.description.name.clone();
            return Err(SubsystemError::NotBegun { subsystem, call: call.into() });
        }
        for k in 0..2 {
            self.position[k] += position[k] / MASS;
            self.velocity[k] += velocity[k] / MASS;
        }
        self.show();
        Ok(())
    }
}

impl Subsystem for TwoTables {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        let square: f64 = self.velocity.iter().map(|v| v * v).sum();
        Energy { kinetic: 0.5 * MASS * square, potential: MASS * GRAVITY * self.position[1] }
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_step(step)?;
        self.description.check_loads(start_loads)?;
        let half = 0.5 * step.size;
        if self.response.weights.end != half {
            self.response.weights = LoadWeights { end: half, start: half, position: half, damping: half };
            self.response.revision += 1;
        }
        self.begun = Some(step);
        Ok(self.respond(step.size, &[0.0; 2]))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let step = self.begun("evaluate")?;
        self.description.check_loads(impulses)?;
        Ok(self.respond(step.size, impulses))
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let h = self.begun("commit")?.size;
        self.description.check_step_loads(loads)?;
        let before = self.energy().total();
        let [mut position, velocity] = self.end(h, &loads.impulses);
        if loads.has_moves {
            position.iter_mut().zip(&loads.moves).for_each(|(own, weight)| *own += weight / MASS);
        }
        let work = |k: usize| loads.impulses[k] / h * (position[k] - self.position[k]);
        let [port_work, contact_work] = [work(0), work(1)];
        (self.position, self.velocity, self.begun) = (position, velocity, None);
        let smooth = self.energy().total();
        if loads.has_moments {
            for k in 0..2 {
                self.position[k] += loads.moments.position[k] / MASS;
                self.velocity[k] += loads.moments.velocity[k] / MASS;
            }
        }
        self.show();
        self.statistics.steps += 1;
        Ok(StepEnergy {
            energy: self.energy(),
            port_work,
            contact_work,
            jumps: self.energy().total() - smooth,
            numerical: smooth - before - port_work - contact_work,
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.check_step(MacroStep { time: 0.0, size })?;
        Ok(self.prepared.get_or_insert_with(|| self.response.inverse_mass.clone()))
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.nudge("jump", [&[0.0; 2], impulses])
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.nudge("project_positions", [weights, &[0.0; 2]])
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let ([x, z], [u, w]) = (self.position, self.velocity);
        Snapshot::encode(&self.description.name, &[x, z, u, w])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let &[x, z, u, w] = values.as_slice() else {
            let reason = format!("{} numbers instead of 4", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        };
        (self.position, self.velocity, self.begun) = ([x, z], [u, w], None);
        self.statistics.rollbacks += 1;
        self.show();
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

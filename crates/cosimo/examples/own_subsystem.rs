//! A subsystem written from scratch: a damped pendulum whose port is its angle.

use cosimo::author::*;

/// Moment of inertia (kg m²), damping (N m s) and `m g l` (N m).
const INERTIA: f64 = 0.5;
const DAMPING: f64 = 0.1;
const GRAVITY: f64 = 9.81;

/// `I φ̈ + d φ̇ + m g l sin φ = moment`, stepped by the implicit midpoint rule.
struct Pendulum {
    description: Description,
    angle: f64,
    rate: f64,
    rows: RowState,
    begun: Option<MacroStep>,
    response: StepResponse,
    prepared: RowMatrix,
    statistics: Statistics,
}

/// The end of a step, and the inverse mass there.
struct End {
    angle: f64,
    rate: f64,
    inverse_mass: f64,
}

impl Pendulum {
    fn new(name: &str, angle: f64) -> Self {
        let quantity = |name: &str, unit: &str| Quantity { name: name.into(), unit: unit.into() };
        let description = Description {
            name: name.into(),
            ports: vec![PortSpec::new("angle", 1)],
            contacts: Vec::new(),
            quantities: vec![quantity("angle", "rad"), quantity("rate", "rad/s")],
            capabilities: Capabilities {
                inverse_mass: InverseMass::Exact,
                is_affine: false,
                can_roll_back: true,
                takes_impulses: true,
                has_variable_step: true,
                ..Capabilities::default()
            },
            ..Description::default()
        };
        Self {
            description,
            angle,
            rate: 0.0,
            rows: RowState { positions: vec![angle], velocities: vec![0.0], ..RowState::default() },
            begun: None,
            response: StepResponse { damped_inverse_mass: RowMatrix::zeros(1), ..StepResponse::zeros(1) },
            prepared: RowMatrix::zeros(1),
            statistics: Statistics::default(),
        }
    }

    /// Newton's method for the change `Δ` of the rate; it starts at zero, so that only state and impulse decide.
    ///
    /// ```text
    ///   I Δ + h d φ̇_m + h m g l sin φ_m = X      φ̇_m = φ̇₀ + Δ/2      φ_m = φ₀ + (h/2) φ̇_m
    /// ```
    fn solve(&mut self, h: f64, impulse: f64) -> End {
        let (mut change, mut slope) = (0.0, INERTIA);
        for _ in 0..20 {
            let mean_rate = self.rate + 0.5 * change;
            let mean_angle = self.angle + 0.5 * h * mean_rate;
            slope = INERTIA + 0.5 * h * DAMPING + 0.25 * h * h * GRAVITY * mean_angle.cos();
            let force = DAMPING * mean_rate + GRAVITY * mean_angle.sin();
            let correction = (impulse - INERTIA * change - h * force) / slope;
            change += correction;
            self.statistics.newton_iterations += 1;
            if correction.abs() <= 1e-14 * (1.0 + self.rate.abs()) {
                break;
            }
        }
        let rate = self.rate + change;
        End { angle: self.angle + 0.5 * h * (self.rate + rate), rate, inverse_mass: 1.0 / slope }
    }

    /// Fills the response with the answer to this impulse.
    fn respond(&mut self, h: f64, impulse: f64) -> &StepResponse {
        let end = self.solve(h, impulse);
        let response = &mut self.response;
        response.positions[0] = end.angle;
        response.velocities[0] = end.rate;
        response.inverse_mass.dense_mut()[(0, 0)] = end.inverse_mass;
        response.damped_inverse_mass.dense_mut()[(0, 0)] = end.inverse_mass * DAMPING * end.inverse_mass;
        response.weights = LoadWeights { end: 0.5 * h, start: 0.5 * h, position: 0.5 * h, damping: 0.5 * h };
        response.revision += 1;
        self.statistics.evaluations += 1;
        &self.response
    }

    fn energy_of(angle: f64, rate: f64) -> Energy {
        Energy { kinetic: 0.5 * INERTIA * rate * rate, potential: GRAVITY * (1.0 - angle.cos()) }
    }

    fn move_to(&mut self, angle: f64, rate: f64) {
        (self.angle, self.rate) = (angle, rate);
        (self.rows.positions[0], self.rows.velocities[0]) = (angle, rate);
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        match self.begun {
            Some(step) => Ok(step),
            None => {
                Err(SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() })
            }
        }
    }

    fn check_step(&self, MacroStep { time, size }: MacroStep) -> Result<(), SubsystemError> {
        if time.is_finite() && size.is_finite() && size > 0.0 {
            return Ok(());
        }
        let reason = "time must be finite, size positive and finite";
        Err(SubsystemError::BadStep {
            subsystem: self.description.name.clone(),
            time,
            size,
            reason: reason.into(),
        })
    }
}

impl Subsystem for Pendulum {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        Self::energy_of(self.angle, self.rate)
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_step(step)?;
        self.description.check_loads(start_loads)?;
        self.begun = Some(step);
        Ok(self.respond(step.size, 0.0))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let step = self.begun("evaluate")?;
        self.description.check_loads(impulses)?;
        Ok(self.respond(step.size, impulses[0]))
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let h = self.begun("commit")?.size;
        self.description.check_step_loads(loads)?;
        let moments = &loads.moments;
        let before = self.energy().total();
        let end = self.solve(h, loads.impulses[0]);
        let smooth = Self::energy_of(end.angle, end.rate).total();
        let turned = end.angle - self.angle;
        let port_work = loads.impulses[0] / h * turned;
        let dissipated = DAMPING * turned * turned / h;
        self.move_to(end.angle, end.rate);
        if loads.has_moments {
            let w = end.inverse_mass;
            let change = |direct: f64, damped: f64| w * direct + w * DAMPING * w * damped;
            self.move_to(
                end.angle + change(moments.position[0], moments.position_damped[0]),
                end.rate + change(moments.velocity[0], moments.velocity_damped[0]),
            );
        }
        self.begun = None;
        self.statistics.steps += 1;
        Ok(StepEnergy {
            energy: self.energy(),
            port_work,
            dissipated,
            jumps: self.energy().total() - smooth,
            numerical: smooth - before - port_work + dissipated,
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        self.begun = None;
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.check_step(MacroStep { time: 0.0, size })?;
        let slope = INERTIA + 0.5 * size * DAMPING + 0.25 * size * size * GRAVITY * self.angle.cos();
        self.prepared.dense_mut()[(0, 0)] = 1.0 / slope;
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(impulses)?;
        self.move_to(self.angle, self.rate + self.prepared[(0, 0)] * impulses[0]);
        Ok(())
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(weights)?;
        self.move_to(self.angle + self.prepared[(0, 0)] * weights[0], self.rate);
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        out.copy_from_slice(&[self.angle, self.rate]);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &[self.angle, self.rate])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let &[angle, rate] = values.as_slice() else {
            let reason = format!("{} numbers instead of 2", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        };
        self.begun = None;
        self.move_to(angle, rate);
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

fn main() {
    // The midpoint rule conserves quadratic energies only: that of a pendulum up to the third order of the step.
    let report = Conformance::new(|| Pendulum::new("pendulum", 0.8))
        .step(1e-3)
        .steps(100)
        .loads(|_, time| 2.0 * (7.0 * time).sin())
        .ledger_tolerance(1e-5)
        .check();
    report.assert_passed();
}

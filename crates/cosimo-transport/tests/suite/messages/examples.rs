//! The two subsystems of the description.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    Capabilities, Description, Hold, InverseMass, LoadWeights, MacroStep, PortSpec, RowMatrix, RowState,
    Signal, SignalInput, SignalOutput, Snapshot, StepLoads, StepResponse, Subsystem, SubsystemError,
};

fn capabilities() -> Capabilities {
    Capabilities {
        inverse_mass: InverseMass::Exact,
        is_affine: true,
        has_variable_step: true,
        ..Capabilities::default()
    }
}

/// A sampled PI control of 20 rad/s, with gains 3 N m s/rad and 4 N m/rad: that of `examples/python-controller`.
pub(super) struct Governor {
    description: Description,
    integral: f64,
    measurement: f64,
    size: f64,
    response: StepResponse,
}

impl Default for Governor {
    fn default() -> Self {
        let input =
            SignalInput { name: "measurement".into(), unit: "rad/s".into(), hold: Hold::Held, default: None };
        let output = SignalOutput { name: "output".into(), unit: "N m".into(), feed_through: vec![0] };
        let capabilities = Capabilities { can_roll_back: true, takes_impulses: true, ..capabilities() };
        let description = Description {
            inputs: vec![input],
            outputs: vec![output],
            capabilities,
            ..Description::new("governor")
        };
        let response = StepResponse::zeros(0);
        Self { description, integral: 0.0, measurement: 0.0, size: 0.0, response }
    }
}

impl Subsystem for Governor {
    fn description(&self) -> &Description {
        &self.description
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.measurement = inputs[0].value(inputs[0].time);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        out[0] = 3.0 * (20.0 - inputs[0]) + self.integral;
        Ok(())
    }

    fn begin(&mut self, step: MacroStep, _start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.size = step.size;
        Ok(&self.response)
    }

    fn commit(&mut self, _loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.integral += 4.0 * self.size * (20.0 - self.measurement);
        Ok(StepEnergy::default())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Ok(Snapshot::from_bytes(self.integral.to_le_bytes().to_vec()))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        self.integral = f64::from_le_bytes(snapshot.as_bytes().try_into().unwrap());
        Ok(())
    }
}

/// A mass of 2 kg at a hook, at 1 m and 0.5 m/s at the start, by the trapezoidal rule.
pub(super) struct Cart {
    description: Description,
    rows: RowState,
    response: StepResponse,
    size: f64,
}

const MASS: f64 = 2.0;

impl Default for Cart {
    fn default() -> Self {
        let ports = vec![PortSpec::new("hook", 1)];
        let description = Description { ports, capabilities: capabilities(), ..Description::new("cart") };
        let rows = RowState { positions: vec![1.0], velocities: vec![0.5], ..RowState::default() };
        let mut inverse_mass = RowMatrix::zeros(1);
        if let RowMatrix::Dense(matrix) = &mut inverse_mass {
            matrix[(0, 0)] = 1.0 / MASS;
        }
        let response = StepResponse { inverse_mass, ..StepResponse::zeros(1) };
        Self { description, rows, response, size: 0.0 }
    }
}

impl Subsystem for Cart {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        Energy { kinetic: 0.5 * MASS * self.rows.velocities[0].powi(2), potential: 0.0 }
    }

    fn begin(&mut self, step: MacroStep, _start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let (half, velocity) = (0.5 * step.size, self.rows.velocities[0]);
        self.size = step.size;
        self.response.positions[0] = self.rows.positions[0] + step.size * velocity;
        self.response.velocities[0] = velocity;
        self.response.weights = LoadWeights { end: half, start: half, position: half, damping: half };
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let (before, impulse) = (self.rows.velocities[0], loads.impulses[0]);
        let velocity = before + impulse / MASS;
        let displacement = 0.5 * self.size * (before + velocity);
        self.rows.positions[0] += displacement;
        self.rows.velocities[0] = velocity;
        let port_work = impulse / self.size * displacement;
        Ok(StepEnergy { energy: self.energy(), port_work, ..StepEnergy::default() })
    }
}

//! A force law as a subsystem.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    Capabilities, Description, Failure, InverseMass, Kind, LoadResponse, MacroStep, PortMotion, Quantity,
    Saved, StepLoads, Stepped,
};

use super::law::{ForceLaw, LawDerivatives, instant};
use super::trapezoidal::StateStep;

/// A force law as a subsystem with load ports.
///
/// ```
/// use cosimo_native::{ForceElement, QuadraticDrag};
/// use cosimo_subsystem::{MacroStep, PortMotion, Subsystem};
/// let mut drag = ForceElement::new("drag", QuadraticDrag { coefficient: 0.5, size: 1 });
/// let mut motion = PortMotion::zeros(1, 0);
/// motion.end.velocities[0] = -2.0;
/// drag.begin(MacroStep { time: 0.0, size: 1e-3 }, &[])?;
/// assert_eq!(drag.respond(&motion)?.end, [2.0]);
/// # Ok::<(), cosimo_subsystem::SubsystemError>(())
/// ```
pub struct ForceElement {
    description: Description,
    law: Box<dyn ForceLaw>,
    states: Vec<f64>,
    /// Energy stored (J), once the first motion has shown it.
    energy: Option<f64>,
    /// Loads at the present communication point, as of the last commit.
    loads: Vec<f64>,
    response: LoadResponse,
    derivatives: LawDerivatives,
    state_step: StateStep,
}

impl ForceElement {
    /// A law with its states at zero.
    #[must_use]
    pub fn new(name: impl Into<String>, law: impl ForceLaw + 'static) -> Stepped<Self> {
        let ports = law.ports();
        let load = |port: &cosimo_subsystem::PortSpec, k: usize| Quantity {
            name: if port.size == 1 {
                format!("{}.load", port.name)
            } else {
                format!("{}.load_{k}", port.name)
            },
            unit: "N".to_owned(),
        };
        let quantity = |(name, unit): (&str, &str)| Quantity { name: name.into(), unit: unit.into() };
        let loads = ports.iter().flat_map(|port| (0..port.size).map(|k| load(port, k)).collect::<Vec<_>>());
        let description = Description {
            quantities: loads.chain(law.states().into_iter().map(quantity)).collect(),
            capabilities: Capabilities {
                inverse_mass: InverseMass::Exact,
                is_affine: law.is_affine(),
                can_roll_back: true,
                takes_impulses: false,
                has_variable_step: true,
                ..Capabilities::default()
            },
            load_ports: ports,
            ..Description::new(name)
        };
        let (d, n) = (description.load_coordinates(), law.states().len());
        Stepped::new(Self {
            states: vec![0.0; n],
            energy: None,
            loads: vec![0.0; d],
            response: LoadResponse::with_tangents(d),
            derivatives: LawDerivatives::zeros(d, n),
            state_step: StateStep::new(d, n),
            description,
            law: Box::new(law),
        })
    }

    /// Finds states, loads and tangents for a motion over the step begun.
    fn follow(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), Failure> {
        let MacroStep { time, size } = step;
        let found =
            self.state_step.solve(self.law.as_ref(), (&self.states, motion), step, &mut self.derivatives);
        if !found {
            return Err(Failure::Step("the states of the law were not found".to_owned()));
        }
        self.law.loads(&instant(time, &motion.start, &self.states), &mut self.response.start);
        self.law.loads(&instant(time + size, &motion.end, &self.state_step.end), &mut self.response.end);
        let (response, of, by) = (&mut self.response, &self.derivatives, &self.state_step);
        if !response.has_tangents() {
            return Ok(());
        }
        let position = response.position_tangent.dense_mut();
        position.copy_from(&of.load_position);
        position.gemm(1.0, &of.load_state, &by.by_position, 1.0);
        let velocity = response.velocity_tangent.dense_mut();
        velocity.copy_from(&of.load_velocity);
        velocity.gemm(1.0, &of.load_state, &by.by_velocity, 1.0);
        Ok(())
    }

    /// Work of the ports on the law: mean load times displacement.
    fn port_work(&self, motion: &PortMotion) -> f64 {
        let loads = self.response.start.iter().zip(&self.response.end);
        let moved = motion.start.positions.iter().zip(&motion.end.positions);
        loads.zip(moved).map(|((start, end), (from, to))| -0.5 * (start + end) * (to - from)).sum()
    }
}

impl Kind for ForceElement {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        None
    }

    fn energy(&self) -> Energy {
        Energy { kinetic: 0.0, potential: self.energy.unwrap_or(0.0) }
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.response.limit(needed);
    }

    fn respond(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), Failure> {
        self.follow(step, motion)
    }

    fn load_response(&self) -> &LoadResponse {
        &self.response
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        if loads.has_moments {
            return Err(Failure::Unsupported("take impulses inside a step"));
        }
        self.follow(step, &loads.motion)?;
        let port_work = self.port_work(&loads.motion);
        let before = self.energy_at(step.time, &loads.motion.start, &self.states);
        let after = self.energy_at(step.time + step.size, &loads.motion.end, &self.state_step.end);
        self.states.copy_from_slice(&self.state_step.end);
        self.loads.copy_from_slice(&self.response.end);
        // What the law stores at the very start shows with the first motion. Later the master may have moved the start a
        // little, to close a joint.
        let (shown, moved) = self.energy.map_or((before, 0.0), |known| (0.0, before - known));
        self.energy = Some(after);
        Ok(StepEnergy {
            energy: self.energy(),
            port_work,
            dissipated: port_work - (after - before),
            external_work: shown,
            numerical: moved,
            ..StepEnergy::default()
        })
    }

    fn observe(&self, out: &mut [f64]) {
        let (loads, states) = out.split_at_mut(self.loads.len());
        loads.copy_from_slice(&self.loads);
        states.copy_from_slice(&self.states);
    }

    fn save(&self) -> Result<Saved, Failure> {
        let mut values = vec![f64::from(u8::from(self.energy.is_some())), self.energy.unwrap_or(0.0)];
        values.extend(self.loads.iter().chain(&self.states));
        Ok(values.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let values = &saved.numbers;
        let expected = 2 + self.loads.len() + self.states.len();
        if values.len() != expected {
            return Err(format!("{} numbers instead of {expected}", values.len()));
        }
        self.energy = (values[0] != 0.0).then_some(values[1]);
        let (loads, states) = values[2..].split_at(self.loads.len());
        self.loads.copy_from_slice(loads);
        self.states.copy_from_slice(states);
        Ok(())
    }
}

impl ForceElement {
    fn energy_at(&self, time: f64, state: &cosimo_subsystem::PortState, states: &[f64]) -> f64 {
        self.law.energy(&instant(time, state, states))
    }
}

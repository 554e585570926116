//! A force law as a subsystem.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    Capabilities, Description, InverseMass, LoadResponse, MacroStep, PortMotion, Quantity, Snapshot,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
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
    begun: Option<MacroStep>,
    response: LoadResponse,
    empty: StepResponse,
    derivatives: LawDerivatives,
    state_step: StateStep,
    statistics: Statistics,
}

impl ForceElement {
    /// A law with its states at zero.
    #[must_use]
    pub fn new(name: impl Into<String>, law: impl ForceLaw + 'static) -> Self {
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
        Self {
            states: vec![0.0; n],
            energy: None,
            loads: vec![0.0; d],
            begun: None,
            response: LoadResponse::with_tangents(d),
            empty: StepResponse::zeros(0),
            derivatives: LawDerivatives::zeros(d, n),
            state_step: StateStep::new(d, n),
            statistics: Statistics::default(),
            description,
            law: Box::new(law),
        }
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let not_begun =
            || SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() };
        self.begun.ok_or_else(not_begun)
    }

    /// Finds states, loads and tangents for a motion over the step begun.
    fn follow(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), SubsystemError> {
        self.description.check_motion(motion)?;
        let MacroStep { time, size } = step;
        let found =
            self.state_step.solve(self.law.as_ref(), (&self.states, motion), step, &mut self.derivatives);
        if !found {
            let (subsystem, reason) = (self.description.name.clone(), "the states of the law were not found");
            return Err(SubsystemError::StepFailed { subsystem, time, size, reason: reason.to_owned() });
        }
        self.law.loads(&instant(time, &motion.start, &self.states), &mut self.response.start);
        self.law.loads(&instant(time + size, &motion.end, &self.state_step.end), &mut self.response.end);
        self.statistics.evaluations += 1;
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

impl Subsystem for ForceElement {
    fn description(&self) -> &Description {
        &self.description
    }

    fn energy(&self) -> Energy {
        Energy { kinetic: 0.0, potential: self.energy.unwrap_or(0.0) }
    }

    fn limit_response(&mut self, needed: &[bool]) {
        self.response.limit(needed);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, step.time)?;
        self.begun = Some(step);
        Ok(&self.empty)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        let step = self.begun("respond")?;
        self.follow(step, motion)?;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let step = self.begun("commit")?;
        self.description.check_step_loads(loads)?;
        if loads.has_moments {
            let subsystem = self.description.name.clone();
            return Err(SubsystemError::Unsupported {
                subsystem,
                action: "take impulses inside a step".into(),
            });
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
        self.begun = None;
        self.statistics.steps += 1;
        Ok(StepEnergy {
            energy: self.energy(),
            port_work,
            dissipated: port_work - (after - before),
            external_work: shown,
            numerical: moved,
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        self.begun = None;
    }

    fn observe(&self, out: &mut [f64]) {
        let (loads, states) = out.split_at_mut(self.loads.len());
        loads.copy_from_slice(&self.loads);
        states.copy_from_slice(&self.states);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut values = vec![f64::from(u8::from(self.energy.is_some())), self.energy.unwrap_or(0.0)];
        values.extend(self.loads.iter().chain(&self.states));
        Snapshot::encode(&self.description.name, &values)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let expected = 2 + self.loads.len() + self.states.len();
        if values.len() != expected {
            let reason = format!("{} numbers instead of {expected}", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        }
        self.energy = (values[0] != 0.0).then_some(values[1]);
        let (loads, states) = values[2..].split_at(self.loads.len());
        self.loads.copy_from_slice(loads);
        self.states.copy_from_slice(states);
        self.begun = None;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

impl ForceElement {
    fn energy_at(&self, time: f64, state: &cosimo_subsystem::PortState, states: &[f64]) -> f64 {
        self.law.energy(&instant(time, state, states))
    }
}

//! Systems of the tests.

use cosimo_first_order::{FirstOrderSystem, LoadPort, MotionPort, Point, PortMap, SystemError, SystemSize};
use cosimo_subsystem::{Hold, Quantity, SignalInput, SignalOutput};

/// A mass on a spring that hardens and a damper: `x = (q, v)`, `u = (F, a)`, `y = (q, v, a spring force, E_k, E_p)`.
pub(crate) struct Oscillator {
    pub(crate) mass: f64,
    pub(crate) damping: f64,
    pub(crate) stiffness: f64,
    pub(crate) hardening: f64,
}

impl Default for Oscillator {
    fn default() -> Self {
        Self { mass: 2.0, damping: 3.0, stiffness: 500.0, hardening: 0.0 }
    }
}

impl Oscillator {
    fn spring(&self, q: f64) -> f64 {
        -self.stiffness * q - self.hardening * q * q * q
    }
}

impl FirstOrderSystem for Oscillator {
    fn size(&self) -> SystemSize {
        SystemSize { states: 2, inputs: 2, outputs: 5, indicators: 0 }
    }

    fn nominals(&self) -> &[f64] {
        &[1.0, 1.0]
    }

    fn rates(&mut self, at: Point<'_>, rates: &mut [f64]) -> Result<(), SystemError> {
        let (&[q, v], &[force, acceleration]) = (at.states, at.inputs) else { unreachable!("two of each") };
        rates[0] = v;
        rates[1] = (force + self.spring(q) - self.damping * v) / self.mass + acceleration;
        Ok(())
    }

    fn outputs(&mut self, at: Point<'_>, outputs: &mut [f64]) -> Result<(), SystemError> {
        let &[q, v] = at.states else { unreachable!("two states") };
        let potential = 0.5 * self.stiffness * q * q + 0.25 * self.hardening * q.powi(4);
        outputs.copy_from_slice(&[q, v, self.spring(q) + at.inputs[1], 0.5 * self.mass * v * v, potential]);
        Ok(())
    }
}

/// Its port `tip`, signal `a`, outputs and energies.
pub(crate) fn oscillator_map() -> PortMap {
    let quantity = |name: &str, unit: &str| Quantity { name: name.into(), unit: unit.into() };
    PortMap {
        motion_ports: vec![MotionPort {
            name: "tip".into(),
            positions: vec![0],
            velocities: vec![1],
            loads: vec![0],
            rotation: None,
        }],
        inputs: vec![(
            SignalInput { name: "a".into(), unit: "m/s2".into(), hold: Hold::Linear, default: Some(0.0) },
            1,
        )],
        outputs: vec![(SignalOutput { name: "spring".into(), unit: "N".into(), feed_through: vec![0] }, 2)],
        quantities: vec![(quantity("q", "m"), 0), (quantity("v", "m/s"), 1)],
        energy: [Some(3), Some(4)],
        ..PortMap::default()
    }
}

/// A spring and a Maxwell element between a port and the ground: `x` the stretch of the dashpot's spring, `u = (z, ż)`, `y = (λ)`.
pub(crate) struct Support;

impl FirstOrderSystem for Support {
    fn size(&self) -> SystemSize {
        SystemSize { states: 1, inputs: 2, outputs: 1, indicators: 0 }
    }

    fn nominals(&self) -> &[f64] {
        &[1.0]
    }

    fn rates(&mut self, at: Point<'_>, rates: &mut [f64]) -> Result<(), SystemError> {
        rates[0] = at.inputs[1] - 40.0 * at.states[0];
        Ok(())
    }

    fn outputs(&mut self, at: Point<'_>, outputs: &mut [f64]) -> Result<(), SystemError> {
        outputs[0] = -300.0 * at.inputs[0] - 2.0 * at.inputs[1] - 800.0 * at.states[0];
        Ok(())
    }
}

/// Its load port `foot`.
pub(crate) fn support_map() -> PortMap {
    let port = LoadPort {
        name: "foot".into(),
        positions: vec![0],
        velocities: vec![1],
        loads: vec![0],
        rotation: None,
    };
    PortMap { load_ports: vec![port], ..PortMap::default() }
}

/// A ball over a floor: `x = (q, v)`, an event where `q` passes zero, at which `v` turns by `e`.
#[derive(Default)]
pub(crate) struct Ball {
    pub(crate) bounces: u32,
    pub(crate) marked: (u32, Option<f64>),
    /// An instant at which the ball is kicked by 1 m/s (s).
    pub(crate) kick: Option<f64>,
}

impl FirstOrderSystem for Ball {
    fn size(&self) -> SystemSize {
        SystemSize { states: 2, inputs: 1, outputs: 2, indicators: 1 }
    }

    fn nominals(&self) -> &[f64] {
        &[1.0, 1.0]
    }

    fn rates(&mut self, at: Point<'_>, rates: &mut [f64]) -> Result<(), SystemError> {
        rates.copy_from_slice(&[at.states[1], at.inputs[0] - 9.81]);
        Ok(())
    }

    fn outputs(&mut self, at: Point<'_>, outputs: &mut [f64]) -> Result<(), SystemError> {
        outputs.copy_from_slice(at.states);
        Ok(())
    }

    fn indicators(&mut self, at: Point<'_>, indicators: &mut [f64]) -> Result<(), SystemError> {
        indicators[0] = at.states[0];
        Ok(())
    }

    fn next_event(&self) -> Option<f64> {
        self.kick
    }

    fn take_event(&mut self, at: Point<'_>, states: &mut [f64]) -> Result<(), SystemError> {
        if self.kick.is_some_and(|time| time <= at.time) {
            self.kick = None;
            states[1] += 1.0;
        }
        if states[0] <= 0.0 && states[1] < 0.0 {
            states[1] *= -0.8;
            self.bounces += 1;
        }
        Ok(())
    }

    fn mark(&mut self) -> Result<(), SystemError> {
        self.marked = (self.bounces, self.kick);
        Ok(())
    }

    fn go_back(&mut self) -> Result<(), SystemError> {
        (self.bounces, self.kick) = self.marked;
        Ok(())
    }

    fn save(&mut self, _at: Point<'_>) -> Result<Vec<u8>, SystemError> {
        Ok(self.bounces.to_le_bytes().to_vec())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SystemError> {
        let bytes =
            saved.try_into().map_err(|_| SystemError::Failed { reason: "four bytes are needed".into() })?;
        self.bounces = u32::from_le_bytes(bytes);
        Ok(())
    }
}

/// Its port `centre`.
pub(crate) fn ball_map() -> PortMap {
    let port = MotionPort {
        name: "centre".into(),
        positions: vec![0],
        velocities: vec![1],
        loads: vec![0],
        rotation: None,
    };
    PortMap { motion_ports: vec![port], ..PortMap::default() }
}

//! What a force law is.

use cosimo_subsystem::{PortSpec, PortState};
use nalgebra::DMatrix;

/// Motion of the load ports and states of a law at an instant.
#[derive(Debug, Clone, Copy)]
pub struct LawInstant<'a> {
    /// Time (s).
    pub time: f64,
    /// Coordinates of all load ports (m, rad).
    pub positions: &'a [f64],
    /// Their rates (m/s, rad/s).
    pub velocities: &'a [f64],
    /// The law's states.
    pub states: &'a [f64],
}

/// Derivatives of a law at an instant: `d` coordinates, `n` states.
#[derive(Debug, Clone, PartialEq)]
pub struct LawDerivatives {
    /// `∂f/∂z`, `d × d`.
    pub load_position: DMatrix<f64>,
    /// `∂f/∂ż`, `d × d`.
    pub load_velocity: DMatrix<f64>,
    /// `∂f/∂s`, `d × n`.
    pub load_state: DMatrix<f64>,
    /// `∂g/∂z`, `n × d`.
    pub rate_position: DMatrix<f64>,
    /// `∂g/∂ż`, `n × d`.
    pub rate_velocity: DMatrix<f64>,
    /// `∂g/∂s`, `n × n`.
    pub rate_state: DMatrix<f64>,
}

impl LawDerivatives {
    /// All zero.
    #[must_use]
    pub fn zeros(coordinates: usize, states: usize) -> Self {
        let (d, n) = (coordinates, states);
        Self {
            load_position: DMatrix::zeros(d, d),
            load_velocity: DMatrix::zeros(d, d),
            load_state: DMatrix::zeros(d, n),
            rate_position: DMatrix::zeros(n, d),
            rate_velocity: DMatrix::zeros(n, d),
            rate_state: DMatrix::zeros(n, n),
        }
    }
}

/// The law at one end of a step.
pub(super) fn instant<'a>(time: f64, state: &'a PortState, states: &'a [f64]) -> LawInstant<'a> {
    LawInstant { time, positions: &state.positions, velocities: &state.velocities, states }
}

/// A force law. Methods write into their last argument and do not allocate.
pub trait ForceLaw: Send {
    /// The load ports, in the order of the coordinates.
    fn ports(&self) -> Vec<PortSpec>;

    /// Names and units of the states. Default: none.
    fn states(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Writes the loads on the bodies at the ports (N, N m).
    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]);

    /// Writes the rates of the states. Default, for laws without states: nothing.
    fn rates(&self, _at: &LawInstant<'_>, _out: &mut [f64]) {}

    /// Writes all derivatives; those that are zero may be left out.
    fn derivatives(&self, at: &LawInstant<'_>, out: &mut LawDerivatives);

    /// Energy stored (J). What the ports put in beyond its change is dissipated. Default: none.
    fn energy(&self, _at: &LawInstant<'_>) -> f64 {
        0.0
    }

    /// Whether the loads are affine in the motion at the end of a step. Default: no.
    fn is_affine(&self) -> bool {
        false
    }
}

/// A boxed law is one too.
impl<L: ForceLaw + ?Sized> ForceLaw for Box<L> {
    fn ports(&self) -> Vec<PortSpec> {
        (**self).ports()
    }

    fn states(&self) -> Vec<(&'static str, &'static str)> {
        (**self).states()
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        (**self).loads(at, out);
    }

    fn rates(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        (**self).rates(at, out);
    }

    fn derivatives(&self, at: &LawInstant<'_>, out: &mut LawDerivatives) {
        (**self).derivatives(at, out);
    }

    fn energy(&self, at: &LawInstant<'_>) -> f64 {
        (**self).energy(at)
    }

    fn is_affine(&self) -> bool {
        (**self).is_affine()
    }
}

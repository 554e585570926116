//! The equations of motion a system provides.

use nalgebra::DMatrix;

use crate::{Energy, LinearSystem};

/// A mechanical system `M(q) a = f(t, q, v) − Φ_qᵀ μ`, `φ(t, q) = 0`, with `q̇ = v`.
///
/// Shapes: `n = coordinates()`, `m = constraints()`. Methods write into their last argument, must not allocate and
/// must be pure: the same arguments give the same bits. SI units.
pub trait EquationsOfMotion: Send {
    /// Number of coordinates `n`.
    fn coordinates(&self) -> usize;

    /// Number of bilateral constraints `m`. Default: none.
    fn constraints(&self) -> usize {
        0
    }

    /// The system itself when all its matrices are constant: it is then stepped without iterations.
    fn as_linear(&self) -> Option<&LinearSystem> {
        None
    }

    /// Writes the mass matrix `M(q)`, `n × n`, symmetric.
    fn mass(&self, q: &[f64], out: &mut DMatrix<f64>);

    /// Writes the applied force `f(t, q, v)`, length `n`.
    fn force(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]);

    /// Writes `K = ∂(M a − f)/∂q` and `C = −∂f/∂v`, both `n × n`, at acceleration `a`.
    fn tangents(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        stiffness: &mut DMatrix<f64>,
        damping: &mut DMatrix<f64>,
    );

    /// Writes the constraint residual `φ(t, q)`, length `m`.
    fn constraint(&self, _t: f64, _q: &[f64], _out: &mut [f64]) {}

    /// Writes the constraint Jacobian `Φ_q = ∂φ/∂q`, `m × n`.
    fn constraint_jacobian(&self, _t: f64, _q: &[f64], _out: &mut DMatrix<f64>) {}

    /// Writes `∂φ/∂t`, the part of `φ̇` without velocities, length `m`; zero for constraints fixed in time.
    fn constraint_rate(&self, _t: f64, _q: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }

    /// Writes the part of `φ̈` without accelerations, `φ̈ − Φ_q a`, length `m`.
    fn constraint_curvature(&self, _t: f64, _q: &[f64], _v: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }

    /// Adds `∂(Φ_qᵀ μ)/∂q` to `out`, `n × n`.
    fn constraint_stiffness(&self, _t: f64, _q: &[f64], _mu: &[f64], _out: &mut DMatrix<f64>) {}

    /// Kinetic and potential energy (J).
    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Energy;

    /// Power that the damping takes out (W), not negative for a passive system.
    fn dissipated_power(&self, _t: f64, _q: &[f64], _v: &[f64]) -> f64 {
        0.0
    }

    /// Power that time-dependent loads put in (W), linear in `v`: with a way (m) in place of it, their work (J).
    fn external_power(&self, _t: f64, _q: &[f64], _v: &[f64]) -> f64 {
        0.0
    }
}

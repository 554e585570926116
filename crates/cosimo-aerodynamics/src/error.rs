//! Errors of an evaluation.

use thiserror::Error;

/// Why aerodynamic loads could not be computed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum AerodynamicError {
    /// A wind whose velocity, or its gradient, is not finite.
    #[error("the wind at ({x:.6}, {y:.6}, {z:.6}) m and {time} s is not finite")]
    WindNotFinite {
        /// Place (m).
        x: f64,
        /// Place (m).
        y: f64,
        /// Place (m).
        z: f64,
        /// Time (s).
        time: f64,
    },
    /// A rotor axis along the direction that the axes of its disk are counted from.
    #[error(
        "the rotor axis lies along the reference direction of its disk; choose another `reference`, across all axes of the run"
    )]
    AxisAlongReference,
    /// An equation of the inflow that was not solved.
    #[error(
        "the inflow was not found at {time} s: {what}; the step may be too large, or the flow is that of a vortex ring"
    )]
    InflowNotFound {
        /// Time (s).
        time: f64,
        /// Which equation.
        what: &'static str,
    },
}

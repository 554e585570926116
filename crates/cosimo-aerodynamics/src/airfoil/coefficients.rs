//! What an airfoil gives.

use std::fmt::Debug;

/// A coefficient and its slopes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coefficient {
    /// The coefficient (–).
    pub value: f64,
    /// Its derivative with respect to the angle of attack (1/rad).
    pub by_alpha: f64,
    /// Its derivative with respect to the Mach number (–).
    pub by_mach: f64,
}

/// The coefficients of a section, per unit span: force over `½ ρ V² c`, moment over `½ ρ V² c²`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coefficients {
    /// Lift, perpendicular to the flow, towards the suction side positive.
    pub lift: Coefficient,
    /// Drag, along the flow.
    pub drag: Coefficient,
    /// Moment about the quarter chord, nose up positive.
    pub moment: Coefficient,
}

/// Static coefficients of a section. An evaluation does not allocate.
pub trait Airfoil: Debug + Send + Sync {
    /// The coefficients at an angle of attack in \[−π, π\] (rad) and a Mach number, not negative.
    fn coefficients(&self, alpha: f64, mach: f64) -> Coefficients;

    /// The largest Mach number that the data cover; beyond it they are those of it. Default: no bound.
    fn largest_mach(&self) -> f64 {
        f64::INFINITY
    }
}

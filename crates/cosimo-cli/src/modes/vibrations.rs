//! The modes at one speed.

use cosimo::model::SteadyChange;
use cosimo::multibody::modes::{FreeMotion, Mode};
use cosimo::nalgebra::{DVector, Vector3};

use super::blades::{Blade, Placed};

/// The modes at one speed.
#[derive(Debug)]
pub(super) struct Vibrations {
    /// Speed of the turn (rad/s).
    pub(super) speed: f64,
    /// The modes wanted, and some more, which are followed too.
    pub(super) modes: Vec<Mode>,
    /// Motions that nothing holds, which are left out.
    pub(super) free: Vec<FreeMotion>,
    /// What differs from the system that runs.
    pub(super) changes: Vec<SteadyChange>,
    pub(super) bodies: Vec<Placed>,
    /// Axis of the turn, of length one, about which it is positive.
    pub(super) axis: Vector3<f64>,
    /// Blades about the axis, if there are some.
    pub(super) blades: Vec<Blade>,
    /// Mass and moments of inertia of every increment.
    pub(super) masses: DVector<f64>,
    /// Why there is no air, where the subsystem has some.
    pub(super) airless: Option<String>,
}

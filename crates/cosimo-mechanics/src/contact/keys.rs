//! The keys of a contact law.

use serde::{Deserialize, Serialize};

use super::activation::Activation;
use super::impact_law::ImpactLaw;

/// A contact law by its keys; what has no effect, or is the default of a rarely used key, is not told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Keys {
    pub(super) restitution: f64,
    pub(super) friction: f64,
    pub(super) static_friction: Option<f64>,
    pub(super) stribeck_speed: Option<f64>,
    pub(super) stribeck_exponent: Option<f64>,
    pub(super) tangential_restitution: Option<f64>,
    pub(super) facets: Option<usize>,
    pub(super) impact_law: ImpactLaw,
    pub(super) activation: Option<Activation>,
}

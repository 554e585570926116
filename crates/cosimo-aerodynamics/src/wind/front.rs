//! A front that travels.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::Wind;

/// The shape of a front over the length `s` (m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrontProfile {
    /// `g = a/2 (1 − cos(2π s/l))` within one length `l`, zero elsewhere.
    OneMinusCosine {
        /// `a` (m/s).
        peak: f64,
        /// `l` (m), positive.
        length: f64,
    },
    /// From zero to `a` over the length `l`, as half a period of a cosine, then `a`.
    Step {
        /// `a` (m/s).
        peak: f64,
        /// `l` (m), positive.
        length: f64,
    },
}

impl FrontProfile {
    /// The velocity (m/s) and its slope (1/s) at a length (m).
    fn at(&self, s: f64) -> (f64, f64) {
        let wave = |peak: f64, period: f64| {
            let phase = 2.0 * PI * s / period;
            (0.5 * peak * (1.0 - phase.cos()), peak * PI / period * phase.sin())
        };
        match *self {
            Self::OneMinusCosine { peak, length } if s > 0.0 && s < length => wave(peak, length),
            Self::Step { peak, length } if s > 0.0 && s < length => wave(peak, 2.0 * length),
            Self::Step { peak, length } if s >= length => (peak, 0.0),
            _ => (0.0, 0.0),
        }
    }
}

/// A front of eq. 6.2 of M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody Problems*,
/// Politecnico di Milano 2012:
///
/// ```text
///   u(x, t) = n g(f·x + V t)
/// ```
///
/// The argument of the profile is a length. A point meets `s = 0` at `t = −f·x/V`, so that the front travels along `−f` for a
/// positive `V`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TravellingFront {
    /// `n`, unit vector of the velocity.
    pub perturbation_direction: Vector3<f64>,
    /// `f`, unit vector.
    pub front_direction: Vector3<f64>,
    /// `V` (m/s).
    pub front_velocity: f64,
    /// `g`.
    pub profile: FrontProfile,
}

impl Wind for TravellingFront {
    fn velocity(&self, position: &Vector3<f64>, time: f64) -> Vector3<f64> {
        let s = self.front_direction.dot(position) + self.front_velocity * time;
        self.perturbation_direction * self.profile.at(s).0
    }

    fn gradient(&self, position: &Vector3<f64>, time: f64) -> Matrix3<f64> {
        let s = self.front_direction.dot(position) + self.front_velocity * time;
        self.perturbation_direction * self.profile.at(s).1 * self.front_direction.transpose()
    }
}

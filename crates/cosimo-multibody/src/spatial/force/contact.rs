//! Penalty laws of contacts.

use serde::Serialize;

/// Contact force as a function of the penetration `δ` (m), its rate and the [onset](Onset) of the contact: the speed `v` of
/// impact and the depth `δ₀` at which it began, zero unless it was closed from the start. A contact never pulls: forces below
/// zero are zero.
///
/// | law | force |
/// |---|---|
/// | Kelvin-Voigt | `K δ + D δ̇` |
/// | Hertz | `K δⁿ` |
/// | Hunt-Crossley | `K δⁿ + χ K (δⁿ − δ₀ⁿ) δ̇/v`, `χ = 3 (1 − e)/2`; `K δⁿ (1 + χ δ̇/v)` of an impact |
/// | Lankarani-Nikravesh | the same with `χ = 3 (1 − e²)/4` |
/// | Flores | the same with `χ = 8 (1 − e)/(5 e)` |
///
/// At a hinge stop metres become radians and forces moments.
///
/// References: K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42, 1975; H. M. Lankarani, P. E. Nikravesh, J. Mech. Des. 112,
/// 1990; P. Flores et al., Multibody Syst. Dyn. 25, 2011.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum PenaltyLaw {
    /// Linear spring and damper.
    KelvinVoigt {
        /// `K` (N/m).
        stiffness: f64,
        /// `D` (N s/m).
        damping: f64,
    },
    /// Elastic.
    Hertz {
        /// `K` (N/mⁿ).
        stiffness: f64,
        /// `n`, 1.5 for spheres.
        exponent: f64,
    },
    /// For restitution near one.
    HuntCrossley {
        /// `K` (N/mⁿ).
        stiffness: f64,
        /// `n`.
        exponent: f64,
        /// `e` in \[0, 1\].
        restitution: f64,
    },
    /// For restitution near one.
    LankaraniNikravesh {
        /// `K` (N/mⁿ).
        stiffness: f64,
        /// `n`.
        exponent: f64,
        /// `e` in \[0, 1\].
        restitution: f64,
    },
    /// For any restitution above zero.
    Flores {
        /// `K` (N/mⁿ).
        stiffness: f64,
        /// `n`.
        exponent: f64,
        /// `e` in (0, 1\].
        restitution: f64,
    },
}

impl PenaltyLaw {
    /// Stiffness, exponent and `χ`; Kelvin-Voigt apart.
    fn power(&self) -> (f64, f64, f64) {
        match *self {
            Self::KelvinVoigt { stiffness, .. } => (stiffness, 1.0, 0.0),
            Self::Hertz { stiffness, exponent } => (stiffness, exponent, 0.0),
            Self::HuntCrossley { stiffness, exponent, restitution: e } => {
                (stiffness, exponent, 1.5 * (1.0 - e))
            }
            Self::LankaraniNikravesh { stiffness, exponent, restitution: e } => {
                (stiffness, exponent, 0.75 * (1.0 - e * e))
            }
            Self::Flores { stiffness, exponent, restitution: e } => {
                (stiffness, exponent, 1.6 * (1.0 - e) / e)
            }
        }
    }

    /// Force, and its derivatives by penetration and rate. Zero without penetration. Where the velocity of impact is zero
    /// the contact is elastic.
    #[must_use]
    pub fn force(&self, penetration: f64, rate: f64, onset: &Onset) -> [f64; 3] {
        if !(penetration > 0.0) {
            return [0.0; 3];
        }
        let (stiffness, exponent, chi) = self.power();
        let elastic = |depth: f64| stiffness * depth.max(0.0).powf(exponent);
        let of_depth = elastic(penetration);
        let slope = exponent * of_depth / penetration;
        let [force, by_depth, by_rate] = match self {
            Self::KelvinVoigt { damping, .. } => [of_depth + damping * rate, slope, *damping],
            _ if onset.velocity > 0.0 && penetration > onset.depth => {
                let damping = chi / onset.velocity * (of_depth - elastic(onset.depth));
                [of_depth + damping * rate, slope * (1.0 + chi / onset.velocity * rate), damping]
            }
            _ => [of_depth, slope, 0.0],
        };
        if force > 0.0 { [force, by_depth, by_rate] } else { [0.0; 3] }
    }

    /// Whether the force is above zero at once where a contact closes.
    pub(super) fn jumps(&self) -> bool {
        matches!(self, Self::KelvinVoigt { damping, .. } if *damping > 0.0)
    }

    /// Energy of the elastic part (J).
    #[must_use]
    pub fn potential(&self, penetration: f64) -> f64 {
        let (stiffness, exponent, _) = self.power();
        if penetration > 0.0 { stiffness * penetration.powf(exponent + 1.0) / (exponent + 1.0) } else { 0.0 }
    }

    pub(super) fn check(&self) -> Result<(), (&'static str, f64, &'static str)> {
        let (stiffness, exponent, chi) = self.power();
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            return Err(("contact stiffness", stiffness, "positive and finite"));
        }
        if !(exponent >= 1.0 && exponent.is_finite()) {
            return Err(("contact exponent", exponent, "finite and at least 1"));
        }
        match *self {
            Self::KelvinVoigt { damping, .. } if !(damping >= 0.0 && damping.is_finite()) => {
                Err(("contact damping", damping, "finite and not negative"))
            }
            Self::HuntCrossley { restitution, .. }
            | Self::LankaraniNikravesh { restitution, .. }
            | Self::Flores { restitution, .. }
                if !(chi >= 0.0 && chi.is_finite() && restitution >= 0.0) =>
            {
                Err(("restitution", restitution, "in [0, 1], above 0 for the law of Flores"))
            }
            _ => Ok(()),
        }
    }
}

/// How a contact began: what the laws of impact need to know beside depth and rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Onset {
    /// Speed of approach (m/s) where the contact was open last, and from then on the largest met. Of a free impact that is
    /// the first; of a contact begun at rest it is what the motion itself reaches, so that damping stays of the order of the
    /// elastic force. Zero before any approach.
    pub velocity: f64,
    /// Depth at which the contact began (m): zero where it closed; where it was closed from the start, the least depth
    /// since. Damping grows from there, so that a load on a contact at rest meets its elastic force first.
    pub depth: f64,
}

impl Onset {
    /// Before any state was seen.
    pub(super) const UNKNOWN: Self = Self { velocity: 0.0, depth: f64::INFINITY };

    /// Takes note of an accepted state.
    pub(super) fn note(&mut self, penetration: f64, rate: f64) {
        if penetration > 0.0 {
            self.velocity = self.velocity.max(rate);
            self.depth = self.depth.min(penetration);
        } else {
            *self = Self { velocity: rate.max(0.0), depth: 0.0 };
        }
    }
}

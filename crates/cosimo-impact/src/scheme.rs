//! The schemes by name, with all their parameters.

use cosimo_dynamics::GeneralizedAlphaParameters;
use cosimo_mechanics::Restitution;
use serde::{Deserialize, Serialize};

use crate::contact_problem::ContactAccuracy;
use crate::contacts::ContactLayout;
use crate::error::ImpactError;

/// How velocity-level schemes find the contacts of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Activation {
    /// `γ`: contacts with `g₀ + γ h U₀ ≤ 0` take part. Default: ½.
    pub gamma: f64,
    /// Which approach speed restitution sees. Default: that of contacts that approach.
    pub restitution: Restitution,
}

impl Default for Activation {
    fn default() -> Self {
        Self { gamma: 0.5, restitution: Restitution::Approaching }
    }
}

/// Whether a scheme may be run with parameters that do not guarantee dissipation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dissipation {
    /// It may, with a [warning](Scheme::warning).
    #[default]
    AsItIs,
    /// It may not.
    Guaranteed,
}

/// At which levels the smooth motion of the nonsmooth generalized-α method satisfies constraints and contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SmoothConstraints {
    /// PVA: constraints and closed contacts at the level of accelerations.
    #[default]
    Acceleration,
    /// PVV: constraints at the level of velocities, no contacts.
    Velocity,
}

/// How the three parts of a step of the nonsmooth generalized-α method are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// One after the other, each with its own matrix.
    #[default]
    Decoupled,
    /// All at once.
    Full,
}

/// A nonsmooth integrator. See the page *Nonsmooth integrators* of the documentation for the equations.
///
/// ```
/// use cosimo_impact::Scheme;
/// assert!(Scheme::moreau_jean(0.5).warning(0.9).is_none());
/// assert!(Scheme::moreau_jean(1.0).warning(0.9).is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Scheme {
    /// Moreau and Jean's θ rule.
    MoreauJean {
        /// `θ`, in \[0, 1\], default ½.
        #[serde(default = "half")]
        theta: f64,
        /// Contacts of a step.
        #[serde(default)]
        activation: Activation,
        /// Whether `θ ≤ 1/(1 + e)` is required.
        #[serde(default)]
        dissipation: Dissipation,
    },
    /// The variant of it that dissipates for every restitution.
    DissipativeMoreauJean {
        /// `θ`, in \[½, 1\], default ½.
        #[serde(default = "half")]
        theta: f64,
        /// Contacts of a step.
        #[serde(default)]
        activation: Activation,
    },
    /// Moreau and Jean's rule with positions put back on constraints and contacts; contacts that this closes take part.
    ProjectedMoreauJean {
        /// `θ`, in \[0, 1\], default ½.
        #[serde(default = "half")]
        theta: f64,
        /// Contacts of a step, before the projection.
        #[serde(default)]
        activation: Activation,
    },
    /// The two-step rule of Schatzman and Paoli, contacts at the level of positions. Without friction.
    SchatzmanPaoli {
        /// `θ` of the forces, in \[0, 1\]; 0 is explicit. Default: ½.
        #[serde(default = "half")]
        theta: f64,
    },
    /// The two-step rule with tunable spectral radius, restarted after every impulse.
    Multistep {
        /// Spectral radius at infinite frequency, in \[0, 1\], default 0.6.
        #[serde(default = "radius_of_multistep")]
        spectral_radius: f64,
        /// Contacts of a step.
        #[serde(default)]
        activation: Activation,
    },
    /// Newmark's family, contacts at the level of velocities.
    Newmark {
        /// `αm, αf, β, γ`.
        parameters: GeneralizedAlphaParameters,
        /// Contacts of a step.
        #[serde(default)]
        activation: Activation,
    },
    /// The rule of Hilber, Hughes and Taylor, one of Newmark's family.
    Hht {
        /// `α`, in \[−⅓, 0\], default −0.1; lower values damp more.
        #[serde(default = "alpha_of_hht")]
        alpha: f64,
        /// Contacts of a step.
        #[serde(default)]
        activation: Activation,
    },
    /// The nonsmooth generalized-α method with constraints and contacts at all levels.
    NonsmoothGeneralizedAlpha {
        /// Spectral radius at infinite frequency, in \[0, 1\], default 0.8.
        #[serde(default = "radius_of_alpha")]
        spectral_radius: f64,
        /// Levels of the smooth motion.
        #[serde(default)]
        smooth: SmoothConstraints,
        /// How a step is corrected.
        #[serde(default)]
        correction: Correction,
        /// Which approach speed restitution sees.
        #[serde(default)]
        restitution: Restitution,
    },
    /// The half-implicit Euler rule, contacts stabilised at the level of velocities. Without restitution; takes starts in which
    /// bodies overlap.
    HalfImplicitEuler {
        /// Gap (m) up to which a contact takes part; infinity for all.
        distance: f64,
        /// Speed (m/s) at which bodies that overlap are pushed apart at most; infinity to do it in one step. Default: 0.1.
        #[serde(default = "default_correction_speed")]
        correction_speed: f64,
        /// Residual of Coulomb's law to be met, relative to the velocities without impulses. Default: 1e-12.
        #[serde(default = "default_contact_tolerance")]
        contact_tolerance: f64,
        /// Iterations of the solver of a contact problem with friction, of all its methods together, after which it gives up. Default:
        /// those of the methods.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contact_iterations: Option<u32>,
    },
}

fn alpha_of_hht() -> f64 {
    -0.1
}

fn default_correction_speed() -> f64 {
    0.1
}

fn default_contact_tolerance() -> f64 {
    ContactAccuracy::default().tolerance
}

fn half() -> f64 {
    0.5
}

fn radius_of_multistep() -> f64 {
    0.6
}

fn radius_of_alpha() -> f64 {
    0.8
}

/// Dissipation is not guaranteed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DissipationWarning {
    /// `θ`.
    pub theta: f64,
    /// `1/(1 + e)`, which `θ` must not exceed.
    pub bound: f64,
}

impl std::fmt::Display for DissipationWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { theta, bound } = self;
        write!(f, "theta = {theta} is above 1/(1 + e) = {bound}: impacts may create energy")
    }
}

/// How a scheme takes loads from outside, over a step of size `h`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OuterWeights {
    /// Weight of a load at the end of the step in its impulse (s); that of the load at the start is the rest of `h`.
    pub end: f64,
    /// Change of the end position for one of the end velocity (s).
    pub position: f64,
}

impl Scheme {
    /// How it takes loads from outside over a step of size `h` (s).
    #[must_use]
    pub fn outer_weights(&self, h: f64) -> OuterWeights {
        let (end, position) = match *self {
            Self::MoreauJean { theta, .. } | Self::ProjectedMoreauJean { theta, .. } => (theta, theta),
            Self::DissipativeMoreauJean { theta, .. } => (theta, 0.5),
            Self::HalfImplicitEuler { .. } => (1.0, 1.0),
            Self::SchatzmanPaoli { .. } => (0.5, 1.0),
            Self::Multistep { .. }
            | Self::Newmark { .. }
            | Self::Hht { .. }
            | Self::NonsmoothGeneralizedAlpha { .. } => (0.5, 0.5),
        };
        OuterWeights { end: end * h, position: position * h }
    }

    /// Whether it takes impulses from outside.
    ///
    /// # Errors
    /// It does not: why, and the way out.
    pub fn takes_outer_impulses(&self) -> Result<(), ImpactError> {
        let scheme = self.name();
        match self {
            Self::NonsmoothGeneralizedAlpha { correction: Correction::Full, .. } => {
                let why = "where all parts are corrected at once the position does not see them";
                Err(ImpactError::NoOuterRows { scheme, why, way_out: "set `correction` to `decoupled`" })
            }
            _ => Ok(()),
        }
    }

    /// Moreau and Jean's rule with this `θ`.
    #[must_use]
    pub fn moreau_jean(theta: f64) -> Self {
        Self::MoreauJean { theta, activation: Activation::default(), dissipation: Dissipation::AsItIs }
    }

    /// The two-step rule with this spectral radius at infinite frequency.
    #[must_use]
    pub fn multistep(spectral_radius: f64) -> Self {
        Self::Multistep { spectral_radius, activation: Activation::default() }
    }

    /// Newmark's family with these parameters.
    #[must_use]
    pub fn newmark(parameters: GeneralizedAlphaParameters) -> Self {
        Self::Newmark { parameters, activation: Activation::default() }
    }

    /// The half-implicit Euler rule of contacts up to this gap (m), the rest by default.
    #[must_use]
    pub fn half_implicit_euler(distance: f64) -> Self {
        Self::HalfImplicitEuler {
            distance,
            correction_speed: default_correction_speed(),
            contact_tolerance: default_contact_tolerance(),
            contact_iterations: None,
        }
    }

    /// Whether bodies may overlap at the start.
    pub(crate) fn takes_overlaps(&self) -> bool {
        matches!(self, Self::HalfImplicitEuler { .. })
    }

    /// How accurately contacts with friction are solved.
    pub(crate) fn contact_accuracy(&self) -> ContactAccuracy {
        match *self {
            Self::HalfImplicitEuler { contact_tolerance: tolerance, contact_iterations, .. } => {
                ContactAccuracy { tolerance, max_iterations: contact_iterations.map(|most| most as usize) }
            }
            _ => ContactAccuracy::default(),
        }
    }

    /// The nonsmooth generalized-α method, PVA or PVV, with this spectral radius at infinite frequency.
    #[must_use]
    pub fn generalized_alpha(spectral_radius: f64, smooth: SmoothConstraints) -> Self {
        let (correction, restitution) = (Correction::default(), Restitution::default());
        Self::NonsmoothGeneralizedAlpha { spectral_radius, smooth, correction, restitution }
    }

    /// Name in model files and messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::MoreauJean { .. } => "moreau-jean",
            Self::DissipativeMoreauJean { .. } => "dissipative-moreau-jean",
            Self::ProjectedMoreauJean { .. } => "projected-moreau-jean",
            Self::SchatzmanPaoli { .. } => "schatzman-paoli",
            Self::Multistep { .. } => "multistep",
            Self::Newmark { .. } => "newmark",
            Self::Hht { .. } => "hht",
            Self::NonsmoothGeneralizedAlpha { .. } => "nonsmooth-generalized-alpha",
            Self::HalfImplicitEuler { .. } => "half-implicit-euler",
        }
    }

    /// Whether impacts with this restitution may create energy: `θ` of Moreau and Jean's rule above `1/(1 + e)`
    /// (V. Acary, *The nonsmooth dynamics framework*, 2019, eq. 95).
    #[must_use]
    pub fn warning(&self, restitution: f64) -> Option<DissipationWarning> {
        let (Self::MoreauJean { theta, .. } | Self::ProjectedMoreauJean { theta, .. }) = *self else {
            return None;
        };
        let bound = (1.0 + restitution).recip();
        (theta > bound).then_some(DissipationWarning { theta, bound })
    }

    /// Checks the parameters, also against the contacts.
    ///
    /// # Errors
    /// A parameter is out of range, or the scheme does not take such contacts.
    pub fn check(&self, layout: &ContactLayout) -> Result<(), ImpactError> {
        self.check_ranges()?;
        for (contact, own) in layout.contacts().iter().enumerate() {
            own.law.check().map_err(|source| ImpactError::BadLaw { contact, source })?;
        }
        let laws = || layout.contacts().iter().map(|contact| contact.law);
        let restitution = laws().fold(0.0_f64, |e, own| e.max(own.restitution));
        let of_slips = laws().fold(0.0_f64, |e, own| e.max(own.slip_restitution()));
        let has_friction = laws().any(|own| own.friction > 0.0);
        let scheme = self.name();
        match *self {
            Self::MoreauJean { theta, dissipation: Dissipation::Guaranteed, .. } => {
                match self.warning(restitution) {
                    Some(DissipationWarning { bound, .. }) => {
                        Err(ImpactError::NotDissipative { theta, restitution, bound })
                    }
                    None => {
                        within("theta of a scheme that dissipates", theta, 0.5, 1.0, "in [1/2, 1/(1 + e)]")
                    }
                }
            }
            Self::SchatzmanPaoli { .. } if has_friction => {
                let way_out = "use `moreau-jean`";
                Err(ImpactError::Unsupported { scheme, what: "friction", way_out })
            }
            Self::NonsmoothGeneralizedAlpha { correction: Correction::Full, .. }
                if layout.dimension() > 1 =>
            {
                let what = "friction where all parts are corrected at once";
                Err(ImpactError::Unsupported { scheme, what, way_out: "set `correction` to `decoupled`" })
            }
            Self::HalfImplicitEuler { .. } if restitution > 0.0 || of_slips > 0.0 => {
                let way_out = "set it to 0, or use `moreau-jean`";
                Err(ImpactError::Unsupported { scheme, what: "restitution", way_out })
            }
            _ => Ok(()),
        }
    }

    /// Checks the parameters alone.
    ///
    /// # Errors
    /// A parameter is out of range.
    pub fn check_ranges(&self) -> Result<(), ImpactError> {
        let unit = |quantity, found| within(quantity, found, 0.0, 1.0, "in [0, 1]");
        let gamma = |activation: Activation| match activation.gamma {
            found if found >= 0.0 && found.is_finite() => Ok(()),
            found => Err(ImpactError::OutOfRange {
                quantity: "gamma of the activation",
                found,
                rule: "not negative",
            }),
        };
        match *self {
            Self::MoreauJean { theta, activation, .. } | Self::ProjectedMoreauJean { theta, activation } => {
                gamma(activation)?;
                unit("theta", theta)
            }
            Self::DissipativeMoreauJean { theta, activation } => {
                gamma(activation)?;
                within("theta of a scheme that dissipates", theta, 0.5, 1.0, "in [1/2, 1]")
            }
            Self::SchatzmanPaoli { theta } => unit("theta", theta),
            Self::Multistep { spectral_radius, activation } => {
                gamma(activation)?;
                unit("spectral radius", spectral_radius)
            }
            Self::Newmark {
                parameters: GeneralizedAlphaParameters { alpha_m, alpha_f, beta, gamma: own },
                activation,
            } => {
                gamma(activation)?;
                within("alpha_m", alpha_m, -1.0, 0.5, "in [-1, 1/2]")?;
                within("alpha_f", alpha_f, 0.0, 0.5, "in [0, 1/2]")?;
                within("gamma of Newmark's family", own, 0.5, 2.0, "in [1/2, 2]")?;
                within("beta of Newmark's family", beta, f64::MIN_POSITIVE, 2.0, "positive, at most 2")
            }
            Self::NonsmoothGeneralizedAlpha { spectral_radius, .. } => {
                unit("spectral radius", spectral_radius)
            }
            Self::Hht { alpha, activation } => {
                gamma(activation)?;
                within("alpha", alpha, -1.0 / 3.0, 0.0, "in [-1/3, 0]")
            }
            Self::HalfImplicitEuler { distance, correction_speed, contact_tolerance, contact_iterations } => {
                let (most, all) = ("positive, at most 1e-3", f64::INFINITY);
                within("distance", distance, 0.0, all, "not negative")?;
                within("correction_speed", correction_speed, 0.0, all, "not negative")?;
                within("contact_tolerance", contact_tolerance, f64::MIN_POSITIVE, 1e-3, most)?;
                let iterations = contact_iterations.map_or(1.0, f64::from);
                within("contact_iterations", iterations, 1.0, all, "positive")
            }
        }
    }
}

fn within(
    quantity: &'static str,
    found: f64,
    low: f64,
    high: f64,
    rule: &'static str,
) -> Result<(), ImpactError> {
    if (low..=high).contains(&found) {
        Ok(())
    } else {
        Err(ImpactError::OutOfRange { quantity, found, rule })
    }
}

//! What every kind of subsystem is built with.

use cosimo_dynamics::{GeneralizedAlpha, Multistep};
use cosimo_dynamics::{LinearRow, StepRule, SystemError, Theta, TimeLoad};
use cosimo_impact::ImpactSettings;
use cosimo_mechanics::{Activation, ContactLaw};
use cosimo_smooth::dae::Method;

use crate::build_error::BuildError;
use crate::spec::{SizeOverTime, SolverSpec};

/// Name, solver and start of a subsystem, whatever its kind.
pub(crate) struct Frame<'a> {
    /// Name of the subsystem.
    pub(crate) name: &'a str,
    /// What solves it.
    pub(crate) solver: SolverSpec,
    /// How contacts enter the problem of a step, where a scheme says so.
    pub(crate) activation: Option<Activation>,
    /// Time of the initial state (s).
    pub(crate) start_time: f64,
    /// Time at which the run ends (s).
    pub(crate) end_time: f64,
    /// The longest macro step of the run (s).
    pub(crate) longest_step: f64,
    /// Whether a start that violates constraints or contacts is moved to the next one that fits.
    pub(crate) is_projected: bool,
    /// What a start may miss (m and m/s).
    pub(crate) initial_tolerance: f64,
}

impl Frame<'_> {
    /// The step rule of the solver. That of Moreau and Jean is the theta rule: the contacts are the master's.
    pub(crate) fn rule(&self) -> Result<Box<dyn StepRule>, BuildError> {
        let rule: Result<Box<dyn StepRule>, SystemError> = match self.solver {
            SolverSpec::Theta { theta } => Theta::new(theta).map(|rule| Box::new(rule) as _),
            SolverSpec::Multistep { spectral_radius } => {
                Multistep::new(spectral_radius).map(|rule| Box::new(rule) as _)
            }
            SolverSpec::GeneralizedAlpha { spectral_radius } => {
                GeneralizedAlpha::new(spectral_radius).map(|rule| Box::new(rule) as _)
            }
            SolverSpec::Hht { .. }
            | SolverSpec::Newmark { .. }
            | SolverSpec::ImplicitEuler
            | SolverSpec::Nonsmooth(_)
            | SolverSpec::Bdf { .. }
            | SolverSpec::AdaptiveBdf { .. } => return Err(self.refuse_solver()),
        };
        rule.map_err(BuildError::part(self.name))
    }

    /// The same for constrained systems.
    pub(crate) fn method(&self) -> Result<Method, BuildError> {
        Ok(match self.solver {
            SolverSpec::Theta { theta } => Method::Theta { theta },
            SolverSpec::Multistep { spectral_radius } => Method::Multistep { spectral_radius },
            SolverSpec::GeneralizedAlpha { spectral_radius } => Method::GeneralizedAlpha { spectral_radius },
            SolverSpec::Hht { alpha } => Method::Hht { alpha },
            SolverSpec::Newmark { gamma } => Method::Newmark { gamma },
            SolverSpec::ImplicitEuler => Method::ImplicitEuler,
            SolverSpec::Bdf { order } => Method::Bdf { order: order as usize },
            SolverSpec::AdaptiveBdf { largest_order, .. } => {
                Method::AdaptiveBdf { largest_order: largest_order as usize }
            }
            SolverSpec::Nonsmooth(_) => return Err(self.refuse_solver()),
        })
    }

    /// The law of a contact that the master solves.
    pub(crate) fn law(&self, law: ContactLaw) -> ContactLaw {
        ContactLaw { activation: self.activation.unwrap_or(law.activation), ..law }
    }

    /// Settings of a scheme.
    pub(crate) fn impact_settings(&self) -> ImpactSettings {
        ImpactSettings {
            start_tolerance: self.initial_tolerance,
            projects_start: self.is_projected,
            ..ImpactSettings::default()
        }
    }

    /// The error that the solver cannot serve.
    pub(crate) fn refuse_solver(&self) -> BuildError {
        BuildError::Solver { subsystem: self.name.to_owned(), solver: self.solver }
    }

    /// A force over time.
    pub(crate) fn load(&self, direction: LinearRow, size: &SizeOverTime) -> Result<TimeLoad, BuildError> {
        let size =
            size.function().map_err(|source| BuildError::Load { subsystem: self.name.to_owned(), source })?;
        Ok(TimeLoad { direction, size })
    }
}

//! The rules that the settings of the master obey.

use std::fmt;

use cosimo_subsystem::SubsystemError;
use serde::Serialize;
use thiserror::Error;

use crate::config::{Acceleration, EnergyAction, Impacts, MasterConfig, Tangent};

/// A setting that breaks its rule.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A number outside its range.
    #[error("`{setting}` is {found}, must be {rule}")]
    OutOfRange {
        /// Name of the setting; that of a parameter follows after a point.
        setting: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// A setting that does not go with another.
    #[error("`{setting}` is {found}, {reason}; {help}")]
    Conflict {
        /// Name of the setting.
        setting: &'static str,
        /// Value found.
        found: String,
        /// Why it does not go.
        reason: String,
        /// What to change.
        help: &'static str,
    },
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

impl ConfigError {
    /// Name of the setting; that of a parameter follows after a point, as in `acceleration.factor`.
    #[must_use]
    pub fn setting(&self) -> &'static str {
        match self {
            Self::OutOfRange { setting, .. } | Self::Conflict { setting, .. } => setting,
        }
    }
}

/// Micro steps that a subsystem may take in a macro step.
const MOST_MICRO_STEPS: u32 = 100_000;

impl MasterConfig {
    /// Checks every rule stated on the settings.
    ///
    /// # Errors
    /// The first rule broken, naming the setting and the value found.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.mistakes().into_iter().next().map_or(Ok(()), Err)
    }

    /// Every rule that is broken: ranges first, then settings that do not go together.
    #[must_use]
    pub fn mistakes(&self) -> Vec<ConfigError> {
        let settings = self.outside_ranges().into_iter().chain([self.parameter_outside_range()]);
        let settings = settings.chain([self.forecast_outside_range()]);
        let conflicts = [self.impossible_halving(), self.needless_tangent(), self.impossible_impacts()];
        settings.chain(conflicts).chain([self.needless_acceleration()]).flatten().collect()
    }

    fn outside_ranges(&self) -> [Option<ConfigError>; 10] {
        let counts = self.micro_steps.values().copied();
        let micro_steps = counts.clone().find(|count| !(1..=MOST_MICRO_STEPS).contains(count)).unwrap_or(1);
        [
            positive("tolerance", self.tolerance),
            at_least_one("max_iterations", self.max_iterations),
            positive("energy_tolerance", self.energy_tolerance),
            positive("error_tolerance", self.error_tolerance),
            not_negative("energy_limit", self.energy_limit),
            positive("initial_tolerance", self.initial_tolerance),
            unless(self.contact_reach > 0.0, ("contact_reach", self.contact_reach, "positive")),
            within("max_refinements", self.max_refinements, (0, 60), "at most 60"),
            at_least_one("threads", self.threads),
            within("micro_steps", micro_steps, (1, MOST_MICRO_STEPS), "at least 1 and at most 100000"),
        ]
    }

    fn forecast_outside_range(&self) -> Option<ConfigError> {
        let Impacts::Plain { gamma: Some(gamma), .. } = self.impacts else { return None };
        not_negative("impacts.gamma", gamma)
    }

    fn parameter_outside_range(&self) -> Option<ConfigError> {
        match self.acceleration {
            Acceleration::None => None,
            Acceleration::Relaxation { factor } => positive("acceleration.factor", factor),
            Acceleration::Aitken { first } => positive("acceleration.first", first),
            Acceleration::IqnIls { filter, .. } => {
                let rule = "in [0, 1)";
                unless((0.0..1.0).contains(&filter), ("acceleration.filter", filter, rule))
            }
        }
    }

    fn impossible_halving(&self) -> Option<ConfigError> {
        (self.energy_action == EnergyAction::Halve && self.max_halvings == 0).then(|| ConfigError::Conflict {
            setting: "energy_action",
            found: Name(self.energy_action).to_string(),
            reason: "but no step may be halved".to_owned(),
            help: "set max_halvings to 1 or more",
        })
    }

    fn needless_tangent(&self) -> Option<ConfigError> {
        (self.tangent == Tangent::Frozen && self.scheme.is_iterative()).then(|| ConfigError::Conflict {
            setting: "tangent",
            found: Name(self.tangent).to_string(),
            reason: format!("but there is no tangent in scheme = {}", Name(self.scheme)),
            help: "leave tangent out, or use scheme = \"condensed\"",
        })
    }

    fn impossible_impacts(&self) -> Option<ConfigError> {
        let is_possible = Impacts::default_with(self.scheme) == Impacts::SubStep;
        (self.impacts == Impacts::SubStep && !is_possible).then(|| ConfigError::Conflict {
            setting: "impacts",
            found: Name(self.impacts).to_string(),
            reason: format!("which scheme = {} cannot do", Name(self.scheme)),
            help: "use impacts = \"plain\", or scheme = \"condensed\"",
        })
    }

    fn needless_acceleration(&self) -> Option<ConfigError> {
        let is_needless = self.acceleration != Acceleration::None && !self.scheme.is_iterative();
        is_needless.then(|| ConfigError::Conflict {
            setting: "acceleration",
            found: format!("{:?}", self.acceleration),
            reason: format!("but scheme = {} has no iteration to accelerate", Name(self.scheme)),
            help: "use acceleration = \"none\", or scheme = \"gauss-seidel\" or \"jacobi\"",
        })
    }
}

/// A value of a setting by its name in files, in quotation marks.
struct Name<T>(T);

impl<T: Serialize> fmt::Display for Name<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        self.0.serialize(&mut *f)?;
        f.write_str("\"")
    }
}

fn unless(is_right: bool, (setting, found, rule): (&'static str, f64, &'static str)) -> Option<ConfigError> {
    (!is_right).then_some(ConfigError::OutOfRange { setting, found, rule })
}

fn positive(setting: &'static str, found: f64) -> Option<ConfigError> {
    unless(found > 0.0 && found.is_finite(), (setting, found, "positive and finite"))
}

fn not_negative(setting: &'static str, found: f64) -> Option<ConfigError> {
    unless(found >= 0.0 && found.is_finite(), (setting, found, "zero or positive, and finite"))
}

fn at_least_one(setting: &'static str, found: u32) -> Option<ConfigError> {
    within(setting, found, (1, u32::MAX), "at least 1")
}

fn within(
    setting: &'static str,
    found: u32,
    (low, high): (u32, u32),
    rule: &'static str,
) -> Option<ConfigError> {
    unless((low..=high).contains(&found), (setting, f64::from(found), rule))
}

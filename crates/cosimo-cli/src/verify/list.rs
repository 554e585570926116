//! The list of checks, as TOML.

use cosimo::master::ContactEventKind;
use cosimo::model::Override;
use serde::Deserialize;

use super::expression::Expression;

/// All cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    #[serde(rename = "case")]
    pub(super) cases: Vec<Case>,
}

/// A model with changes, and what is checked of its run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// Unique.
    pub(super) name: String,
    /// Path of the model file.
    pub(super) model: String,
    /// Changes of it, as `--set` has them.
    #[serde(default)]
    set: Vec<String>,
    #[serde(rename = "check")]
    pub(super) checks: Vec<Check>,
}

/// A quantity, its reference, and how far they may be apart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// Of quantities of the run by their full names; of an event by `time`, `before`, `after` (velocities) and `impulse`; at the
    /// end also of `energy.start`, `energy.end` and `energy.contact`.
    pub(super) quantity: Expression,
    /// Of columns of the table, if there is one.
    pub(super) reference: Expression,
    /// Path of a table; without one the check is of the end of the run.
    pub(super) table: Option<String>,
    /// Without a table: what is taken of the quantity over the run. Default: its value at the end.
    #[serde(default)]
    pub(super) take: Take,
    /// Which events are compared with the rows of the table; without them its column `t` has times.
    pub(super) events: Option<Events>,
    /// Last time (s) of the table, or of what is taken over the run, that counts. Default: all within the run.
    pub(super) until: Option<f64>,
    /// Which measure of the differences is reported. Default: the largest.
    #[serde(default)]
    pub(super) norm: Norm,
    /// Largest error, in the unit of the quantity.
    pub(super) tolerance: f64,
    /// Where the tolerance comes from.
    pub(super) why: String,
}

/// Events of a contact, in their order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Events {
    /// `subsystem.contact`.
    pub(super) contact: String,
    #[serde(default)]
    pub(super) kind: EventKind,
    /// How many, from the first on.
    pub(super) count: usize,
}

/// What happens at a contact.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EventKind {
    #[default]
    Impact,
    Release,
    Stick,
    Slip,
}

/// What is taken of a quantity over a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Take {
    /// The value at the end.
    #[default]
    End,
    /// The mean over the communication points after the start.
    Mean,
    Least,
    Most,
    /// The first time (s) at which it is above zero.
    Begins,
    /// The last time (s) at which it is above zero.
    Ends,
}

/// Which measure of differences is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Norm {
    /// The largest magnitude.
    #[default]
    Max,
    /// The mean magnitude.
    Mean,
}

impl EventKind {
    pub(super) fn is(self, kind: ContactEventKind) -> bool {
        kind == match self {
            Self::Impact => ContactEventKind::Impact,
            Self::Release => ContactEventKind::Release,
            Self::Stick => ContactEventKind::Stick,
            Self::Slip => ContactEventKind::Slip,
        }
    }
}

impl Take {
    /// Of values at times (s); `None` where there are none, or none above zero.
    pub(super) fn of(self, points: &[(f64, f64)]) -> Option<f64> {
        let mut values = points.iter().map(|(_, x)| *x);
        let mut above = points.iter().filter(|(_, x)| *x > 0.0).map(|(t, _)| *t);
        match self {
            Self::End => values.next_back(),
            Self::Mean if points.is_empty() => None,
            Self::Mean => Some(values.sum::<f64>() / points.len() as f64),
            Self::Least => values.reduce(f64::min),
            Self::Most => values.reduce(f64::max),
            Self::Begins => above.next(),
            Self::Ends => above.next_back(),
        }
    }

    /// What is put before the quantity.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::End => "last ",
            Self::Mean => "mean of ",
            Self::Least => "least ",
            Self::Most => "most ",
            Self::Begins => "begin of ",
            Self::Ends => "end of ",
        }
    }
}

impl Norm {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Max => "largest",
            Self::Mean => "mean",
        }
    }

    /// Of at least one difference; what is no number counts as infinite.
    pub(super) fn of(self, differences: &[f64]) -> f64 {
        if differences.iter().any(|x| x.is_nan()) {
            return f64::INFINITY;
        }
        let sizes = differences.iter().map(|x| x.abs());
        match self {
            Self::Max => sizes.fold(0.0, f64::max),
            Self::Mean => sizes.sum::<f64>() / differences.len() as f64,
        }
    }
}

impl List {
    /// Reads a list and checks it.
    pub(super) fn read(name: &str, text: &str) -> Result<Self, String> {
        let list: Self = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        for (k, case) in list.cases.iter().enumerate() {
            if list.cases[..k].iter().any(|before| before.name == case.name) {
                return Err(format!("{name}: there are two cases `{}`", case.name));
            }
            case.changes().map_err(|error| format!("{name}: case `{}`: {error}", case.name))?;
            for check in &case.checks {
                check.mistake().map_or(Ok(()), |mistake| {
                    Err(format!("{name}: case `{}`, `{}`: {mistake}", case.name, check.quantity.text()))
                })?;
            }
        }
        Ok(list)
    }
}

impl Case {
    /// The changes of the model.
    pub(super) fn changes(&self) -> Result<Vec<Override>, String> {
        self.set.iter().map(|text| Override::parse(text).map_err(|error| error.to_string())).collect()
    }
}

impl Check {
    fn mistake(&self) -> Option<&'static str> {
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            Some("tolerance must be positive")
        } else if self.events.as_ref().is_some_and(|events| events.count == 0) {
            Some("count must be one at least")
        } else if self.events.is_some() && self.table.is_none() {
            Some("events need a table")
        } else if self.take != Take::End && self.table.is_some() {
            Some("take is for checks without a table")
        } else if self.take != Take::End && self.quantity.names().is_empty() {
            Some("take needs a quantity")
        } else if self.table.is_none() && !self.reference.names().is_empty() {
            Some("without a table the reference is a number")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{List, Norm, Take};

    #[test]
    fn mistakes_are_reported_with_their_place() {
        let text = |more: &str| {
            format!(
                "[[case]]\nname = \"ball\"\nmodel = \"ball.toml\"\n[[case.check]]\nquantity = \"ball.z\"\n\
                 reference = 1.0\nwhy = \"exact\"\n{more}"
            )
        };
        let mistake = |more: &str| List::read("list", &text(more)).unwrap_err();
        assert!(List::read("list", &text("tolerance = 1e-9")).is_ok());
        assert_eq!(mistake("tolerance = 0"), "list: case `ball`, `ball.z`: tolerance must be positive");
        assert!(mistake("tolerance = 1\nnrom = \"max\"").contains("nrom"));
        assert!(mistake("").contains("tolerance"));
        assert!(mistake("tolerance = 1\ntable = \"x.csv\"\ntake = \"mean\"").contains("without a table"));
    }

    #[test]
    fn what_is_taken_of_a_run() {
        let points = [(1.0, 0.0), (2.0, 3.0), (3.0, 1.0), (4.0, -2.0)];
        let taken = [Take::End, Take::Mean, Take::Least, Take::Most, Take::Begins, Take::Ends]
            .map(|take| take.of(&points));
        assert_eq!(taken, [-2.0, 0.5, -2.0, 3.0, 2.0, 3.0].map(Some));
        assert_eq!((Take::Ends.of(&points[..1]), Take::Mean.of(&[])), (None, None));
    }

    #[test]
    fn what_is_no_number_is_no_small_error() {
        assert_eq!(Norm::Max.of(&[1.0, f64::NAN]), f64::INFINITY);
        assert_eq!((Norm::Max.of(&[1.0, -3.0]), Norm::Mean.of(&[1.0, -3.0])), (3.0, 2.0));
    }
}

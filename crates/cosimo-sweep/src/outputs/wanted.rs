//! What a text asks for.

use cosimo_model::hint;
use thiserror::Error;

use super::output::{KINDS, Occurrence, Statistic};

/// An output as it is asked for: `NAME[:STATISTIC]`, or `CONTACT:EVENT`.
///
/// ```
/// use cosimo_sweep::Wanted;
/// for text in ["ball.z", "ball.*:max", "ball.floor:first-impact", "*:impacts"] {
///     assert!(text.parse::<Wanted>().is_ok());
/// }
/// let error = "ball.z:meen".parse::<Wanted>().unwrap_err();
/// assert_eq!(error.to_string(), "`ball.z:meen`: nothing is called `meen`; did you mean `mean`?");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub(super) pattern: String,
    pub(super) what: What,
}

/// The number that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Statistic(Statistic),
    /// The name of a kind of event.
    Event(&'static str, Occurrence),
}

/// A text that asks for no output.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}`: nothing is called `{name}`{}", .help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
pub struct WantedError {
    /// The text.
    pub text: String,
    /// What is none.
    pub name: String,
    /// The nearest name, or those there are.
    pub help: Option<String>,
}

impl Wanted {
    /// The last value of a quantity.
    pub(crate) fn last(name: impl Into<String>) -> Self {
        Self { pattern: name.into(), what: What::Statistic(Statistic::Last) }
    }
}

impl std::str::FromStr for Wanted {
    type Err = WantedError;

    fn from_str(text: &str) -> Result<Self, WantedError> {
        let Some((pattern, name)) = text.split_once(':') else { return Ok(Self::last(text.trim())) };
        let name = name.trim();
        let known = choices();
        let Some((_, what)) = known.iter().find(|(own, _)| own == name) else {
            let near = hint(name, known.iter().map(|(own, _)| own.as_str()));
            let help = near.filter(|_| name.len() > 2);
            let statistics = Statistic::ALL.map(|(_, name)| name).join(", ");
            let all = format!(
                "there are {statistics}, first-impact, last-impact, impacts and those of other events"
            );
            return Err(WantedError {
                text: text.to_owned(),
                name: name.to_owned(),
                help: help.filter(|help| help.starts_with("did")).or(Some(all)),
            });
        };
        Ok(Self { pattern: pattern.trim().to_owned(), what: *what })
    }
}

/// All that stands behind a colon.
fn choices() -> Vec<(String, What)> {
    let statistics = Statistic::ALL.into_iter().map(|(own, name)| (name.to_owned(), What::Statistic(own)));
    let events = KINDS.into_iter().flat_map(|(kind, several)| {
        let name = kind.name();
        [
            (format!("first-{name}"), What::Event(name, Occurrence::First)),
            (format!("last-{name}"), What::Event(name, Occurrence::Last)),
            (several.to_owned(), What::Event(name, Occurrence::Count)),
        ]
    });
    statistics.chain(events).collect()
}

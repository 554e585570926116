//! What instances are made with.

use std::path::Path;

/// The interface type of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The unit computes steps. Variables that a unit requires in the middle of steps are not supported.
    CoSimulation {
        /// FMI 3: the master handles events (event mode and step mode).
        event_mode: bool,
        /// FMI 3: a step may end early.
        early_return: bool,
    },
    /// The unit computes derivatives. Numbers of the description, which FMI 2 cannot tell otherwise; FMI 3 is asked.
    ModelExchange {
        /// The number of continuous states.
        states: usize,
        /// The number of event indicators.
        event_indicators: usize,
    },
}

impl Kind {
    /// The same without event mode, if there is one.
    pub(super) fn without_event_mode(self) -> Option<Self> {
        match self {
            Self::CoSimulation { event_mode: true, early_return } => {
                Some(Self::CoSimulation { event_mode: false, early_return })
            }
            _ => None,
        }
    }
}

/// What an instance is made with.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The name of the instance, in messages.
    pub name: &'a str,
    /// The `guid` (FMI 2) or `instantiationToken` (FMI 3) of the description.
    pub token: &'a str,
    /// The folder `resources` of the unpacked FMU; FMI 3 is told nothing where it is missing.
    pub resources: &'a Path,
    /// The interface type.
    pub kind: Kind,
    /// Whether the unit may show windows.
    pub visible: bool,
    /// Whether the unit gives messages beside those of errors.
    pub logging_on: bool,
}

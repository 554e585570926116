//! Which output feeds which input.

use cosimo_subsystem::Subsystem;

use crate::Interface;

/// Feeds an output of a subsystem to an input, of another subsystem or its own.
///
/// One output may feed several inputs; an input has one source at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Subsystem and output.
    pub from: (String, String),
    /// Subsystem and input.
    pub to: (String, String),
}

impl Connection {
    /// A connection; both ends are given as `subsystem.signal`, split at the first dot.
    ///
    /// ```
    /// use cosimo_master::Connection;
    /// let speed = Connection::new("crank.shaft.rate", "governor.measurement");
    /// assert_eq!(speed.from, ("crank".to_owned(), "shaft.rate".to_owned()));
    /// ```
    #[must_use]
    pub fn new(from: &str, to: &str) -> Self {
        let split = |text: &str| {
            let (subsystem, signal) = text.split_once('.').unwrap_or((text, ""));
            (subsystem.to_owned(), signal.to_owned())
        };
        Self { from: split(from), to: split(to) }
    }
}

/// What is coupled, and how: everything a [`Master`](crate::Master) is assembled from but its settings.
#[derive(Default)]
pub struct Assembly {
    /// The subsystems.
    pub subsystems: Vec<Box<dyn Subsystem>>,
    /// The joints between their ports.
    pub interfaces: Vec<Interface>,
    /// The connections between their signals.
    pub connections: Vec<Connection>,
    /// Subsystem and port of those on which loads from outside act, by load interfaces, and whose response to them will be
    /// [asked for](crate::Master::step_response).
    pub open: Vec<(String, String)>,
}

//! Interfaces between ports.

use serde::Serialize;

use super::MatrixSpec;
use crate::toml::uniform;

/// One interface: it joins two ports of equal size of different subsystems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InterfaceSpec {
    /// Name, unique among subsystems and interfaces.
    pub name: String,
    /// The two ports, `a` and `b`. Several interfaces may share a port, but a load port belongs to one.
    pub between: [PortRef; 2],
    /// What holds the ports together.
    #[serde(flatten)]
    pub law: LawSpec,
    /// `q_a − q_b` at rest (m), one per coordinate of the ports. Default: zero.
    #[serde(serialize_with = "uniform")]
    pub offset: Vec<f64>,
}

impl InterfaceSpec {
    /// Number of coordinates: 1, 3 or 6.
    #[must_use]
    pub fn size(&self) -> usize {
        self.offset.len()
    }
}

/// Law of an interface of `n` coordinates.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "law", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LawSpec {
    /// A spring and a damper.
    Compliant {
        /// Stiffness (N/m), `n × n`.
        stiffness: MatrixSpec,
        /// Damping (N s/m), `n × n`. Default: zero.
        damping: MatrixSpec,
    },
    /// The ports move together.
    Rigid,
    /// As rigid, relaxed: the gap is `constant` times the force.
    Tikhonov {
        /// Relaxation (m/N), positive.
        constant: f64,
    },
    /// One port is a load port: it takes the motion of the other and answers with loads on it.
    Load,
}

impl LawSpec {
    /// Name in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Compliant { .. } => "compliant",
            Self::Rigid => "rigid",
            Self::Tikhonov { .. } => "tikhonov",
            Self::Load => "load",
        }
    }
}

/// A port by position: subsystem in [`ModelSpec::subsystems`](crate::ModelSpec::subsystems), port in the ports of that subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PortRef {
    /// Index of the subsystem.
    pub subsystem: usize,
    /// Index of the port in [`SubsystemKind::ports`](crate::SubsystemKind::ports).
    pub port: usize,
}

//! How the master can couple a unit.

use std::fmt;

use cosimo_first_order::PortMap;

use super::FaceKind;
use crate::description::Face;

/// How the master can couple a unit, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CouplingMode {
    /// It exchanges signals only: nothing has to be coupled.
    Signals,
    /// Our rules integrate it, and its responses are derivatives of its equations.
    Exact,
    /// It tells directional derivatives: responses follow from them where a repeated step confirms them, else by differences.
    Told,
    /// Its steps are repeated from saved states: responses by differences.
    Differenced,
    /// Its steps are taken once: explicit, on joints that give way.
    Explicit,
}

impl CouplingMode {
    pub(crate) fn new(kind: FaceKind, face: &Face, map: &PortMap) -> Self {
        match kind {
            _ if map.motion_ports.is_empty() && map.load_ports.is_empty() && map.contacts.is_empty() => {
                Self::Signals
            }
            FaceKind::ModelExchange => Self::Exact,
            FaceKind::CoSimulation
                if face.can_get_and_set_state
                    && face.provides_directional_derivatives
                    && map.load_ports.is_empty() =>
            {
                Self::Told
            }
            FaceKind::CoSimulation if face.can_get_and_set_state => Self::Differenced,
            FaceKind::CoSimulation => Self::Explicit,
        }
    }
}

impl fmt::Display for CouplingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signals => "signals only: it has no mechanical ports",
            Self::Exact => {
                "exact: model exchange is integrated here, and its responses follow from its derivatives"
            }
            Self::Told => {
                "by its directional derivatives, if a repeated step confirms that they are those of a step; else by differences"
            }
            Self::Differenced => "by differences: its steps can be repeated from saved states",
            Self::Explicit => {
                "explicit, on joints that give way: it cannot go back to a saved state (canGetAndSetFMUState)"
            }
        })
    }
}

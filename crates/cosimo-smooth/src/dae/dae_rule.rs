//! What a step rule does.

use cosimo_dynamics::{Coordinates, LoadQuadrature};

use super::plan::Plan;
use super::state::DaeState;

/// A step rule and its past.
pub(super) trait DaeRule: Send + std::fmt::Debug {
    /// Points before the start that the rule wants at a start: the number and what they are for is its own.
    fn wanted_past(&self) -> usize {
        0
    }

    /// Hands a point of the past to the rule, latest first.
    fn take_past(&mut self, _point: &DaeState) {}

    /// Sets the order of the next step; `false` where it is not free.
    fn set_order(&mut self, _order: usize) -> bool {
        false
    }

    /// Estimates of the error of a step for this order, of positions and of velocities; `None` where too few points are
    /// known.
    fn local_errors(
        &mut self,
        _h: f64,
        _order: usize,
        _ends: (&DaeState, &DaeState),
        _coordinates: &Coordinates,
    ) -> Option<[f64; 2]> {
        None
    }

    /// Writes the explicit parts of a step of size `h` (s).
    fn plan(&mut self, h: f64, state: &DaeState, coordinates: &Coordinates, out: &mut Plan);

    /// Takes the step from `before` to `after`.
    fn accept(&mut self, h: f64, before: &DaeState, after: &DaeState);

    /// Whether the next step begins without a past, so that it depends on the acceleration of its start.
    fn is_at_start(&self) -> bool;

    /// Of rules whose accelerations and multipliers are means over a step, which nothing depends on: the share of the step where
    /// forces balance.
    fn mean_share(&self) -> Option<f64> {
        None
    }

    /// How it passes on a momentum in a step of size `h` (s) from `state`. Default, for rules whose loads are means: as it comes.
    fn quadrature(&self, _h: f64, _state: &DaeState) -> LoadQuadrature {
        LoadQuadrature::default()
    }

    /// Moves the positions that it remembers, those of the step just [accepted](Self::accept), by the increment `way`. Default: there
    /// are none.
    fn move_past(&mut self, _way: &[f64], _coordinates: &Coordinates) {}

    /// Forgets the past.
    fn restart(&mut self, state: &DaeState);

    /// Appends the past.
    fn save(&self, out: &mut Vec<f64>);

    /// Reads back what [`save`](Self::save) wrote and returns how many numbers it took.
    fn restore(&mut self, saved: &[f64]) -> Option<usize>;
}

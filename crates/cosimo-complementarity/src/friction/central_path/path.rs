//! Steps along the central path: by its tangent, and back to it.

use super::point::{Pair, Point};
use crate::friction::FrictionProblem;

/// Share of the way to the boundary of the cones that a step goes.
const BACK_OFF: f64 = 0.9;
/// `t` after a step, in units of that before: least and most.
const SMALLEST: f64 = 0.03;
const LARGEST: f64 = 3.0;
/// Distance at which a place is on the path, and at which it is lost.
const NEAR: f64 = 0.2;
const LOST: f64 = 1e3;
/// Newton steps back to the path; from the given one on they must bring it nearer by this factor.
const CORRECTIONS: usize = 8;
const PATIENCE: usize = 2;
const PROGRESS: f64 = 0.9;
/// By how much a step is cut if it loses the path, how often, the least share of the way to the cones that is worth
/// while, and growth of a step after one that was not cut.
const SHORTER: f64 = 0.5;
const MAX_CUTS: usize = 8;
const LEAST: f64 = 1e-3;
const LONGER: f64 = 1.5;
/// Growth of `t` over its least at which a path leads back to where it came from.
const TURNED_BACK: f64 = 100.0;

/// A change of the point and of `t` relative to it, in scaled numbers.
struct Direction<const D: usize> {
    changes: Vec<Pair<D>>,
    share: f64,
}

/// The path from one start.
pub(super) struct Path<'a, const D: usize> {
    point: Point<'a, D>,
    /// The last direction, in impulses and velocities, which tells forth from back.
    last: Option<Direction<D>>,
    /// Share of the way to the cones that steps take.
    boldness: f64,
    /// The least `t` so far.
    least: f64,
}

impl<'a, const D: usize> Path<'a, D> {
    pub(super) fn new(problem: &'a FrictionProblem<'a, D>, start: u64) -> Self {
        Self { point: Point::new(problem, start), last: None, boldness: 1.0, least: 1.0 }
    }

    pub(super) fn impulses(&self) -> &[f64] {
        &self.point.place.r
    }

    pub(super) fn residual(&mut self) -> f64 {
        self.point.residual()
    }

    /// Factorisations so far.
    pub(super) fn factorizations(&self) -> usize {
        self.point.factorizations
    }

    /// Weight of `t` in lengths: as much as all contacts.
    fn weight(&self) -> f64 {
        self.point.contacts() as f64
    }

    /// A step to another place on the path; false where it cannot go on, or leads back.
    pub(super) fn advance(&mut self) -> bool {
        if !self.point.factorize() {
            return false;
        }
        let direction = self.direction();
        let changes = self.point.unscaled(&direction.changes);
        let towards = Direction { changes, share: direction.share };
        let limit = if direction.share < 0.0 { (SMALLEST - 1.0) / direction.share } else { f64::MAX };
        let limit = limit.min((LARGEST - 1.0) / direction.share.abs());
        let farthest = limit.min(BACK_OFF * self.point.largest_step(&direction.changes, limit / BACK_OFF));
        let from = self.point.place.clone();
        for cut in 0..MAX_CUTS {
            if self.boldness < LEAST {
                break;
            }
            self.point.place = from.clone();
            self.point.place.go(&towards.changes, towards.share, farthest * self.boldness);
            if self.return_to_path(&towards) {
                if cut == 0 {
                    self.boldness = (LONGER * self.boldness).min(1.0);
                }
                self.last = Some(towards);
                self.least = self.least.min(self.point.place.share);
                return self.point.place.share < TURNED_BACK * self.least;
            }
            self.boldness *= SHORTER;
        }
        self.point.place = from;
        false
    }

    /// The tangent, of length 1, that leads on.
    fn direction(&mut self) -> Direction<D> {
        let mut changes = self.point.tangent();
        let mut length = (self.point.inner(&changes, &changes) + self.weight()).sqrt();
        let forth = match &self.last {
            // Downwards at the start.
            None => false,
            Some(last) => {
                let before = self.point.scaled(&last.changes);
                self.point.inner(&changes, &before) + self.weight() * last.share >= 0.0
            }
        };
        if !forth {
            length = -length;
        }
        for change in &mut changes {
            change.impulse /= length;
            change.velocity /= length;
        }
        Direction { changes, share: 1.0 / length }
    }

    /// Newton's method across the tangent; false where it does not come near the path.
    fn return_to_path(&mut self, tangent: &Direction<D>) -> bool {
        let mut last = f64::INFINITY;
        for correction in 0..CORRECTIONS {
            if !self.point.factorize() {
                return false;
            }
            let distance = self.point.distance();
            if distance < NEAR {
                return true;
            }
            if !(distance < LOST) || (correction > PATIENCE && distance > PROGRESS * last) {
                return false;
            }
            last = distance;
            self.correct(tangent);
        }
        false
    }

    /// A Newton step for a place whose difference to this one is across the tangent.
    fn correct(&mut self, tangent: &Direction<D>) {
        let mut changes = self.point.correction();
        let along = self.point.tangent();
        let across = self.point.scaled(&tangent.changes);
        let slope = self.point.inner(&across, &along) + self.weight() * tangent.share;
        let share = -self.point.inner(&across, &changes) / slope;
        for (change, along) in changes.iter_mut().zip(&along) {
            change.impulse += along.impulse * share;
            change.velocity += along.velocity * share;
        }
        let limit = if share < 0.0 { -BACK_OFF / share } else { (LARGEST - 1.0) / share };
        let limit = limit.min(1.0);
        let length = limit.min(BACK_OFF * self.point.largest_step(&changes, limit / BACK_OFF));
        let changes = self.point.unscaled(&changes);
        self.point.place.go(&changes, share, length);
    }
}

//! Coefficients of friction that depend on the slip, found together with the impulses.
//!
//! A problem over a step, a part of it or an impact takes for every contact one coefficient. Where that depends on the
//! [slip](cosimo_mechanics::StaticFriction) the problem is solved again with others:
//!
//! ```text
//!   a contact that sticks at the start     μ(0); if it slides all the same, μ(s̄)
//!   one that slides                        μ(s₀); if its slip turns back, μ(0) once, which may hold it; else μ(s̄)
//! ```
//!
//! with the slip `s₀` at the start and the mean `s̄ = ‖U₀ + U₁‖/2` of the last solution, which makes the coefficient exact to second
//! order. No contact is asked more than three times, so that this ends.

use crate::laws::ActiveContacts;
use crate::thresholds::{HELD_SLIP, NEAR_BOUND, STICKING};
use cosimo_mechanics::StaticFriction;

use crate::ContactLaws;

/// The slips before a problem.
pub(crate) trait SlipsBefore {
    /// Velocity of a slip row (m/s).
    fn rate(&self, row: usize) -> f64;

    /// Whether a contact is known to stick, whatever round-off its slip has.
    fn sticks(&self, contact: usize) -> bool;

    /// Whether a contact is loaded over the whole span and may slide in it, see [`mean_slip`](crate::mean_slip).
    fn slides_under_load(&self, _contact: usize) -> bool {
        false
    }
}

/// Slips by row, of which nothing more is known.
impl<F: Fn(usize) -> f64> SlipsBefore for F {
    fn rate(&self, row: usize) -> f64 {
        self(row)
    }

    fn sticks(&self, _contact: usize) -> bool {
        false
    }
}

/// How far the coefficient of a contact is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trial {
    /// It is that of a contact that sticks at the start.
    Sticks,
    /// It is that of the slip at the start.
    Slides,
    /// It is that of a contact whose slip vanishes on the way.
    Stops,
    /// It is that of the mean slip.
    Final,
}

/// The coefficients of the contacts of one problem.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coefficients {
    /// By place in the set.
    values: Vec<f64>,
    trials: Vec<Trial>,
}

impl Coefficients {
    /// The coefficient of the contact at this place of the set.
    pub(crate) fn of(&self, place: usize, ActiveContacts { set, laws }: ActiveContacts<'_>) -> f64 {
        self.values.get(place).copied().unwrap_or(laws.of(set[place]).friction)
    }

    /// The coefficients of laws that do not depend on the slip.
    pub(crate) fn constant(&mut self) {
        self.values.clear();
    }

    /// The coefficients at the start, for a problem with this `offset`.
    pub(crate) fn start(
        &mut self,
        ActiveContacts { set, laws }: ActiveContacts<'_>,
        before: &impl SlipsBefore,
        offset: &impl Fn(usize) -> f64,
    ) {
        let rows = |c: usize| std::iter::once(c).chain(laws.slips(c));
        let largest = set.iter().flat_map(|&c| rows(c)).fold(0.0_f64, |m, row| m.max(offset(row).abs()));
        self.values.clear();
        self.trials.clear();
        for &contact in set {
            let speed = laws.slips(contact).map(|row| before.rate(row)).fold(0.0, f64::hypot);
            let sticks = before.sticks(contact) || speed <= STICKING * largest;
            self.trials.push(if sticks { Trial::Sticks } else { Trial::Slides });
            self.values.push(laws.of(contact).friction_at(if sticks { 0.0 } else { speed }));
        }
    }

    /// Takes other coefficients after a solution; says whether any is another. `after` gives the slip that the solution leaves and
    /// the size of what it is the sum of.
    pub(crate) fn revise(
        &mut self,
        ActiveContacts { set, laws }: ActiveContacts<'_>,
        before: &impl SlipsBefore,
        impulses: &[f64],
        after: impl Fn(usize) -> (f64, f64),
    ) -> bool {
        let mut is_another = false;
        for (place, &contact) in set.iter().enumerate() {
            let Some(law) = laws.of(contact).static_friction.filter(|_| laws.is_frictional(contact)) else {
                continue;
            };
            let end = EndOfSlip::of((contact, laws), before, &after);
            let bound = (1.0 - NEAR_BOUND) * self.values[place] * impulses[contact];
            let friction = laws.slips(contact).map(|row| impulses[row]).fold(0.0, f64::hypot);
            if !(impulses[contact] > 0.0) || end.is_none || friction < bound {
                continue;
            }
            let sliding = laws.of(contact).friction;
            let (trial, value) = self.trials[place].after(end, law, sliding);
            is_another |= value.is_some_and(|value| value != self.values[place]);
            self.trials[place] = trial;
            self.values[place] = value.unwrap_or(self.values[place]);
        }
        is_another
    }
}

impl Trial {
    /// What comes after a solution in which the contact slides, and its coefficient then, if that is another.
    fn after(self, end: EndOfSlip, law: StaticFriction, sliding: f64) -> (Self, Option<f64>) {
        match self {
            Self::Slides if end.turns_back => (Self::Stops, Some(law.coefficient)),
            Self::Slides | Self::Stops => (Self::Final, Some(law.at(sliding, end.mean))),
            Self::Sticks => (Self::Final, Some(law.at(sliding, end.mean_from_rest))),
            Self::Final => (Self::Final, None),
        }
    }
}

/// How the slip of a contact ends.
#[derive(Debug, Clone, Copy)]
struct EndOfSlip {
    is_none: bool,
    turns_back: bool,
    /// Mean speeds: with the slip at the start, and with none (m/s).
    mean: f64,
    mean_from_rest: f64,
}

impl EndOfSlip {
    fn of(
        (contact, laws): (usize, &ContactLaws),
        before: &impl SlipsBefore,
        after: &impl Fn(usize) -> (f64, f64),
    ) -> Self {
        let (mut speed, mut mean, mut scale, mut along) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0);
        for row in laws.slips(contact) {
            let (start, (end, terms)) = (before.rate(row), after(row));
            speed = speed.hypot(end);
            mean = mean.hypot(0.5 * (start + end));
            scale = scale.max(terms).max(start.abs());
            along += start * end;
        }
        Self {
            is_none: speed <= HELD_SLIP * scale,
            turns_back: along < 0.0,
            mean,
            mean_from_rest: 0.5 * speed,
        }
    }
}

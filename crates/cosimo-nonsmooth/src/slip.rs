//! Slips along the tangents of frictional contacts inside a step.

use crate::contact_rows::{jump_of, product};
use crate::thresholds::{HELD_SLIP, ROUND_OFF, STICKING};
use crate::{ContactRows, FrictionState};

/// The most that one of these loads alone changes the rate of its row by (m/s).
pub(crate) fn change_by(rows: &ContactRows<'_>, loads: &[f64]) -> f64 {
    let alone = loads.iter().enumerate().map(|(k, load)| rows.delassus[(k, k)] * load.abs());
    alone.fold(0.0, f64::max)
}

impl FrictionState {
    /// This state, but stick where friction at its bound holds a contact all the same, as others may share what it holds:
    /// where the slip is none after loads of which one alone changes a rate by `change` (m/s) at most.
    pub(crate) fn with_slip(
        self,
        rows: &ContactRows<'_>,
        contact: usize,
        (change, rate_after): (f64, impl Fn(usize) -> f64),
    ) -> Self {
        if self != Self::Slip {
            return self;
        }
        let slips = rows.laws.slips(contact);
        let before = slips.clone().map(|row| rows.start_rates[row]).fold(0.0, f64::hypot);
        let speed = slips.map(rate_after).fold(0.0, f64::hypot);
        if speed <= ROUND_OFF * (before + change) { Self::Stick } else { Self::Slip }
    }
}

/// A slip row: its rate changes linearly between impacts.
#[derive(Debug, Clone, Copy, Default)]
struct Slip {
    rate: f64,
    acceleration: f64,
    /// Friction impulse over the rest of the step.
    load: f64,
}

/// The slips of all contacts; rows are counted with the gaps before them.
#[derive(Debug, Clone)]
pub(crate) struct Slips {
    gaps: usize,
    slips: Vec<Slip>,
}

impl Slips {
    pub(crate) fn new(gaps: usize, rows: usize) -> Self {
        Self { gaps, slips: vec![Slip::default(); rows - gaps] }
    }

    pub(crate) fn start(&mut self, rows: &ContactRows<'_>) {
        let rates = rows.start_rates.iter().zip(rows.end_rates).skip(self.gaps);
        for (slip, (start, end)) in self.slips.iter_mut().zip(rates) {
            *slip = Slip { rate: *start, acceleration: (end - start) / rows.step, load: 0.0 };
        }
    }

    pub(crate) fn rate(&self, row: usize) -> f64 {
        self.slips[row - self.gaps].rate
    }

    /// Friction impulse of a row over the rest of the step.
    pub(crate) fn load_of(&self, row: usize) -> f64 {
        self.slips[row - self.gaps].load
    }

    /// Rate at the end of the `s` that remain.
    pub(crate) fn end_rate(&self, row: usize, s: f64) -> f64 {
        let slip = &self.slips[row - self.gaps];
        slip.rate + s * slip.acceleration
    }

    /// Writes what takes the loads back into the rows of `change`.
    pub(crate) fn take_back(&self, change: &mut [f64]) {
        change.iter_mut().skip(self.gaps).zip(&self.slips).for_each(|(x, slip)| *x = -slip.load);
    }

    /// Takes over the loads over the `s` that remain; `change` is by how much all rows' loads have changed.
    pub(crate) fn load(&mut self, rows: &ContactRows<'_>, (loads, change): (&[f64], &[f64]), s: f64) {
        for (k, slip) in self.slips.iter_mut().enumerate() {
            slip.load = loads[self.gaps + k];
            slip.acceleration += product(rows.delassus, self.gaps + k, change) / s;
        }
    }

    /// Acceleration while the loads of all rows over the `s` that remain are larger by `change`.
    fn acceleration(&self, rows: &ContactRows<'_>, row: usize, (change, s): (&[f64], f64)) -> f64 {
        self.slips[row - self.gaps].acceleration + product(rows.delassus, row, change) / s
    }

    /// Whether the slip of a contact turns round or stops in the `s` that remain, with these loads, of which `change` is not
    /// taken over yet. Their friction, of one direction, is then wrong from the start: it pushes, or holds a contact that
    /// still slides. Whether it holds is decided by the slip at the end, not by the friction, which others may share.
    pub(crate) fn turns(
        &self,
        rows: &ContactRows<'_>,
        contact: usize,
        (loads, change): (&[f64], &[f64]),
        s: f64,
    ) -> bool {
        let slips = rows.laws.slips(contact);
        let power: f64 = slips.clone().map(|row| loads[row] * self.rate(row)).sum();
        let at_end = |row: usize| self.rate(row) + s * self.acceleration(rows, row, (change, s));
        let end_speed = slips.clone().map(at_end).fold(0.0, f64::hypot);
        let speed = slips.map(|row| self.rate(row)).fold(0.0, f64::hypot);
        let largest = change_by(rows, loads);
        let is_held = loads[contact] > 0.0 && end_speed <= HELD_SLIP * (speed + largest);
        (power > 0.0 || is_held) && speed > STICKING * largest
    }

    /// What friction can change the slip of a contact by (m/s).
    fn change_by_friction(&self, rows: &ContactRows<'_>, contact: usize, loads: &[f64]) -> f64 {
        let largest = rows.laws.slips(contact).fold(0.0_f64, |m, row| m.max(rows.delassus[(row, row)]));
        largest * rows.laws.of(contact).friction_at(0.0) * loads[contact]
    }

    /// A time (s) in which the slip of a contact cannot turn with normal loads as they are, whatever its friction does.
    pub(crate) fn least_time_to_turn(
        &self,
        rows: &ContactRows<'_>,
        contact: usize,
        (loads, change): (&[f64], &[f64]),
        s: f64,
    ) -> f64 {
        let length = |of: &dyn Fn(usize) -> f64| rows.laws.slips(contact).map(of).fold(0.0, f64::hypot);
        let speed = length(&|row| self.rate(row));
        let acceleration = length(&|row| self.acceleration(rows, row, (change, s)));
        speed / (acceleration + 2.0 * self.change_by_friction(rows, contact, loads) / s)
    }

    /// When (s from now) the slip of a contact will stop or be at right angles to what it is now.
    pub(crate) fn time_to_turn(
        &self,
        rows: &ContactRows<'_>,
        contact: usize,
        change: &[f64],
        s: f64,
    ) -> Option<f64> {
        let slips = rows.laws.slips(contact);
        let square: f64 = slips.clone().map(|row| self.rate(row).powi(2)).sum();
        let along: f64 = slips.map(|row| self.rate(row) * self.acceleration(rows, row, (change, s))).sum();
        (along < 0.0).then(|| -square / along)
    }

    /// Work (J) of the loads over the next `t` of the `s` that remain.
    pub(crate) fn work(&self, t: f64, s: f64) -> f64 {
        if s <= 0.0 {
            return 0.0;
        }
        let of = |slip: &Slip| slip.load * (t / s) * (slip.rate + 0.5 * t * slip.acceleration);
        self.slips.iter().map(of).sum()
    }

    /// Advances by `t` of the `s` that remain.
    pub(crate) fn advance(&mut self, t: f64, s: f64) {
        for slip in &mut self.slips {
            slip.rate += t * slip.acceleration;
            slip.load *= (s - t) / s;
        }
    }

    /// Takes this from the rate of each row.
    pub(crate) fn slow_down(&mut self, by: impl Fn(usize) -> f64) {
        self.slips.iter_mut().enumerate().for_each(|(k, slip)| slip.rate -= by(self.gaps + k));
    }

    /// Changes the rates by the impulses of all rows.
    pub(crate) fn jump(&mut self, rows: &ContactRows<'_>, impulse: &[f64]) {
        for (k, slip) in self.slips.iter_mut().enumerate() {
            slip.rate += jump_of(rows, self.gaps + k, impulse);
            if !rows.damped.is_empty() {
                slip.acceleration -= product(rows.damped, self.gaps + k, impulse);
            }
        }
    }

    /// Slip or stick by the speed at which a contact slides, against that at the start of the step.
    pub(crate) fn state_by_speed(
        &self,
        rows: &ContactRows<'_>,
        contact: usize,
        round_off: f64,
    ) -> FrictionState {
        if !rows.laws.is_frictional(contact) {
            return FrictionState::None;
        }
        let slips = rows.laws.slips(contact);
        let is_sliding = |row: usize| self.rate(row).abs() > round_off * rows.start_rates[row].abs();
        if slips.into_iter().any(is_sliding) { FrictionState::Slip } else { FrictionState::Stick }
    }
}

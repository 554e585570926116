//! Slips along the tangents of frictional contacts inside a step.

use crate::impact_sequence::{jump_of, product};
use crate::{ContactRows, FrictionState};

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

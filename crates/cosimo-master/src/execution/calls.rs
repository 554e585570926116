//! A round of calls: the same call to some subsystems, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use cosimo_subsystem::Subsystem;

use super::faults::panicked;
use super::slot::{CallSlot, SubsystemCall};
use crate::linearisation::affine_model::AffineModel;
use crate::topology::subsystem::SubsystemLayout;

/// One round of calls: what is called, and how.
pub(crate) struct Round<'a, F> {
    pub(crate) call: F,
    pub(crate) is_backward: bool,
    pub(crate) has_failed: &'a AtomicBool,
}

/// Subsystems with all that a call changes.
pub(crate) struct SubsystemCalls<'a> {
    pub(crate) subsystems: &'a mut [Box<dyn Subsystem>],
    pub(crate) layouts: &'a [SubsystemLayout],
    pub(crate) models: &'a mut [AffineModel],
    pub(crate) slots: &'a mut [CallSlot],
    /// Positions and velocities of their rows, which are those from `first_row` on.
    pub(crate) rows: (&'a mut [f64], &'a mut [f64]),
    pub(crate) first_row: usize,
    /// Number of the first of them.
    pub(crate) first: usize,
}

impl SubsystemCalls<'_> {
    /// Calls one after the other. A panic is the failure of the subsystem, and the others are called all the same.
    pub(crate) fn call(&mut self, round: &Round<'_, impl Fn(SubsystemCall<'_>)>) {
        let mut done = 0;
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.call_from(&mut done, round))) {
            let i = self.turn(done - 1, round.is_backward);
            self.slots[i].failure = Some(Box::new(panicked(&self.layouts[i].name, &*panic)));
            round.has_failed.store(true, Ordering::Relaxed);
        }
    }

    /// Whose turn it is after so many others.
    #[inline]
    fn turn(&self, done: usize, is_backward: bool) -> usize {
        if is_backward { self.models.len() - 1 - done } else { done }
    }

    /// Calls those whose turn it is after `done` others; the current one counts as done.
    #[inline]
    fn call_from(&mut self, done: &mut usize, round: &Round<'_, impl Fn(SubsystemCall<'_>)>) {
        let first_row = self.first_row;
        while *done < self.models.len() {
            let i = self.turn(*done, round.is_backward);
            *done += 1;
            let model = &mut self.models[i];
            let rows = model.rows.start - first_row..model.rows.end - first_row;
            (round.call)(SubsystemCall {
                index: self.first + i,
                subsystem: self.subsystems[i].as_mut(),
                layout: &self.layouts[i],
                model,
                slot: &mut self.slots[i],
                positions: &mut self.rows.0[rows.clone()],
                velocities: &mut self.rows.1[rows],
            });
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.models.len()
    }

    /// The same calls, for a while.
    pub(crate) fn reborrow(&mut self) -> SubsystemCalls<'_> {
        SubsystemCalls {
            subsystems: self.subsystems,
            layouts: self.layouts,
            models: self.models,
            slots: self.slots,
            rows: (self.rows.0, self.rows.1),
            ..*self
        }
    }

    /// The first `count`, and the others.
    pub(crate) fn split_at(self, count: usize) -> (Self, Self) {
        let row = self.models.get(count).map_or(self.rows.0.len(), |model| model.rows.start - self.first_row);
        let (subsystems, models) = (self.subsystems.split_at_mut(count), self.models.split_at_mut(count));
        let (layouts, slots) = (self.layouts.split_at(count), self.slots.split_at_mut(count));
        let (positions, velocities) = (self.rows.0.split_at_mut(row), self.rows.1.split_at_mut(row));
        let first = Self {
            subsystems: subsystems.0,
            layouts: layouts.0,
            models: models.0,
            slots: slots.0,
            rows: (positions.0, velocities.0),
            ..self
        };
        let others = Self {
            subsystems: subsystems.1,
            layouts: layouts.1,
            models: models.1,
            slots: slots.1,
            rows: (positions.1, velocities.1),
            first_row: self.first_row + row,
            first: self.first + count,
        };
        (first, others)
    }
}

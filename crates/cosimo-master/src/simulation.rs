//! A coupled model in the hands of an algorithm.

use crate::contacts::names::ContactNames;
use crate::execution::spans;
use crate::execution::subsystems::Subsystems;
use crate::laws::equation::Mode;
use crate::state::State;
use crate::step::part::StepPart;
use crate::storage::Storage;
use crate::storage::linearisation::LinearisedModel;
use crate::topology::Topology;
use crate::{Warning, WarningPlace};

/// The parts of a [`Master`](crate::Master), borrowed by the algorithms: what never changes, whom to call, what
/// influences the future, and work arrays.
pub(crate) struct Simulation<'a> {
    pub(crate) topology: &'a Topology,
    pub(crate) subsystems: &'a mut Subsystems,
    pub(crate) state: &'a mut State,
    pub(crate) storage: &'a mut Storage,
}

impl Simulation<'_> {
    /// The model as it is linearised at present.
    pub(crate) fn model(&self) -> LinearisedModel<'_> {
        self.storage.linearisation.of(self.topology)
    }

    /// What contacts are called.
    pub(crate) fn contact_names(&self) -> ContactNames<'_> {
        ContactNames { topology: self.topology, subsystems: &self.subsystems.all }
    }

    /// Does a whole step as one of the threads that share its calls, where they do: to hand over one call after the other
    /// from outside would put a thread to sleep, and wake another, as often.
    #[inline]
    pub(crate) fn among_threads<T: Send>(&mut self, step: impl FnOnce(&mut Self) -> T + Send) -> T {
        match self.subsystems.executor.sharing(self.subsystems.all.len()) {
            None => step(self),
            Some(pool) => {
                let watched = spans::Watched::here();
                pool.install(|| watched.follow(|| step(self)))
            }
        }
    }

    /// The part of the current macro step of this size (s) from the present communication point on.
    pub(crate) fn part(&self, size: f64) -> StepPart {
        StepPart { time: self.time(), size, macro_size: self.storage.macro_size, mode: Mode::Step(size) }
    }

    /// Warns, at the present communication point.
    #[cold]
    pub(crate) fn warn(&mut self, place: WarningPlace, text: String) {
        let time = self.time();
        self.state.warnings.push(Warning { time, place, text });
    }

    /// Time of the present communication point (s).
    pub(crate) fn time(&self) -> f64 {
        self.state.clock.now
    }
}

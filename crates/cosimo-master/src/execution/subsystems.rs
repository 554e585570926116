//! The subsystems of a coupled model, as they are called.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cosimo_subsystem::cost::{CallKind, processor_seconds};
use cosimo_subsystem::{Statistics, Subsystem, SubsystemError};

use super::cost::{Account, Costs, Spent};
use super::coupling_mode::CouplingMode;
use super::executor::Executor;
use super::faults::{check_inverse_mass, check_orientations, first_not_finite, guarded};
use super::slot::{CallSlot, slots};
use super::team::Team;
use crate::SetupError;
use crate::linearisation::affine_model::AffineModel;
use crate::motion::Motion;
use crate::rows::StepRows;
use crate::topology::Topology;

/// A subsystem that has panicked.
#[derive(Debug, Clone)]
struct Panicked {
    subsystem: usize,
    message: String,
}

/// The subsystems, with what is needed to call them.
pub(crate) struct Subsystems {
    pub(crate) all: Vec<Box<dyn Subsystem>>,
    pub(crate) slots: Vec<CallSlot>,
    pub(crate) executor: Executor,
    pub(crate) costs: Costs,
    /// Whether the motion of any subsystem is extrapolated.
    pub(crate) are_extrapolated: bool,
    /// Whether loads of the step at hand may hold impulses inside it, and whether they hold moves.
    pub(crate) has_moments: bool,
    pub(crate) has_moves: bool,
    /// Whether any subsystem starts on a call that is prefetched to it.
    pub(crate) run_ahead: bool,
    panicked: Vec<Panicked>,
}

impl Subsystems {
    /// The subsystems of a model, called by so many threads.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub(crate) fn new(
        all: Vec<Box<dyn Subsystem>>,
        topology: &Topology,
        modes: &[CouplingMode],
        is_affine: bool,
    ) -> Result<Self, SetupError> {
        Ok(Self {
            slots: slots(topology, is_affine),
            costs: Costs::new(all.len()),
            executor: Executor::new(topology.config.threads, all.len())?,
            run_ahead: all.iter().any(|subsystem| subsystem.is_asynchronous()),
            are_extrapolated: modes.contains(&CouplingMode::Explicit),
            has_moments: false,
            has_moves: false,
            panicked: Vec::new(),
            all,
        })
    }

    /// The threads that share the calls, where they do.
    #[inline]
    pub(crate) fn sharing(&self) -> Option<Team> {
        self.executor.sharing(self.all.len())
    }

    /// Removes the impulses inside the step from the loads of all subsystems.
    pub(crate) fn clear_moments(&mut self) {
        if std::mem::take(&mut self.has_moments) {
            self.slots.iter_mut().for_each(|slot| slot.loads.clear_moments());
        }
    }

    /// Of the calls just made to the subsystems `group`, the first failure in the order of the subsystems is the step's.
    #[inline(always)]
    pub(crate) fn finish_calls(&mut self, group: Range<usize>, has_failed: bool) -> Option<SubsystemError> {
        if has_failed { self.first_failure(group) } else { None }
    }

    /// Makes a call to subsystem `i` outside of the rounds of calls; a panic is its failure.
    #[inline]
    pub(crate) fn call<T>(
        &mut self,
        (i, name): (usize, &str),
        kind: CallKind,
        call: impl FnOnce(&mut dyn Subsystem) -> Result<T, SubsystemError>,
    ) -> Result<T, SubsystemError> {
        let before = self.costs.enter(Account::call(i, kind));
        let called = guarded(self.all[i].as_mut(), name, call);
        self.costs.enter(before);
        called.inspect_err(|failure| self.note_panic(i, failure))
    }

    /// Processor time so far.
    pub(crate) fn spent(&self) -> Spent {
        let elsewhere =
            (0..self.all.len()).map(|i| self.ask(i, |subsystem| subsystem.remote_cost())).collect();
        Spent { here: processor_seconds() + self.executor.seconds(), elsewhere }
    }

    #[cold]
    fn first_failure(&mut self, group: Range<usize>) -> Option<SubsystemError> {
        let mut found = None;
        for i in group {
            if let Some(failure) = self.slots[i].failure.take() {
                self.note_panic(i, &failure);
                found = found.or(Some(*failure));
            }
        }
        found
    }

    /// Forgets the step that was begun in all subsystems that can still be called.
    pub(crate) fn discard(&mut self) {
        let before = self.costs.enter(Account::OTHER);
        for i in 0..self.all.len() {
            if !self.has_panicked(i) {
                self.costs.enter(Account::call(i, CallKind::Other));
                self.all[i].discard();
            }
        }
        self.costs.enter(before);
    }

    /// Notes a subsystem that has panicked: it is not called any more.
    fn note_panic(&mut self, i: usize, failure: &SubsystemError) {
        if let SubsystemError::Panicked { message, .. } = failure {
            self.panicked.push(Panicked { subsystem: i, message: message.clone() });
        }
    }

    /// Whether subsystem `i` has panicked.
    pub(crate) fn has_panicked(&self, i: usize) -> bool {
        self.panicked.iter().any(|panicked| panicked.subsystem == i)
    }

    /// Refuses to step a model in which a subsystem has panicked.
    pub(crate) fn check_panicked(&self, topology: &Topology) -> Result<(), SubsystemError> {
        match self.panicked.first() {
            None => Ok(()),
            Some(Panicked { subsystem, message }) => {
                let subsystem = topology.subsystems[*subsystem].name.clone();
                Err(SubsystemError::Panicked { subsystem, message: message.clone() })
            }
        }
    }

    /// Work that subsystem `i` has counted, as far as it can be asked.
    pub(crate) fn statistics_of(&self, i: usize) -> Statistics {
        self.ask(i, |subsystem| subsystem.statistics())
    }

    /// Asks subsystem `i` for what it tells of itself, also after a panic as far as it can tell.
    fn ask<T: Default>(&self, i: usize, question: impl Fn(&dyn Subsystem) -> T) -> T {
        let subsystem = self.all[i].as_ref();
        if !self.has_panicked(i) {
            return question(subsystem);
        }
        catch_unwind(AssertUnwindSafe(|| question(subsystem))).unwrap_or_default()
    }

    /// Work that the subsystems themselves have counted.
    pub(crate) fn counted(&self) -> impl Iterator<Item = Statistics> {
        self.all.iter().map(|subsystem| subsystem.statistics())
    }

    /// Refuses rows at the present communication point that are not finite.
    pub(crate) fn check_rows(&self, topology: &Topology, rows: &StepRows) -> Result<(), SubsystemError> {
        for (layout, subsystem) in topology.subsystems.iter().zip(&self.all) {
            let own = layout.rows.clone();
            let rows = Motion {
                positions: &rows.start_positions[own.clone()],
                velocities: &rows.start_velocities[own],
            };
            if let Some(error) = first_not_finite(subsystem.description(), rows) {
                return Err(error);
            }
            check_orientations(subsystem.as_ref())?;
        }
        Ok(())
    }

    /// Refuses inverse masses and weights that are not finite.
    pub(crate) fn check_inverse_masses(&self, models: &[AffineModel]) -> Result<(), SubsystemError> {
        let mut all = models.iter().zip(&self.all);
        all.try_for_each(|(model, subsystem)| check_inverse_mass(subsystem.description(), model))
    }
}

//! States saved and restored.
//!
//! A saved state holds everything that influences the future of a coupled model, and everything that its report contains
//! of the past. A model built anew that takes it up goes on with the same bits:
//!
//! | part | why |
//! |---|---|
//! | snapshots of the subsystems | their states, histories of multistep methods included |
//! | control of the step, with what it knows of the past | sizes of the steps to come |
//! | coupling modes | what the first step found of the subsystems' claims |
//! | clock | communication points are counted from an origin |
//! | signals at the last two communication points | courses of the inputs |
//! | memory of the contacts | loads carried, rate jumps whose aftermath is due |
//! | forces, the scheme's history | start values of the next step |
//! | counters and energies | the report; the forces at the start are found in step 0 only |
//! | whether inverse masses are kept, and what that has cost | the choice for the next steps |
//! | inverse masses that are kept | the next steps are solved with them |
//!
//! All of it is three things: the snapshots, [`State`], and what algorithms carry in their work arrays, [`Carried`]. Other matrices, and
//! factorisations, are not part of it: they follow from the state. What the first ones decided for good, which joints are redundant, is.

use std::fmt;

use cosimo_subsystem::{Snapshot, SubsystemError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::carried::Carried;
use crate::communication_point::read_communication_point;
use crate::execution::subsystems::Subsystems;
use crate::master::Master;
use crate::setup::verify::restore_couplings;
use crate::simulation::StepContext;
use crate::state::State;
use crate::statistics::seconds::CostSeconds;
use crate::time::position::RunPosition;

/// Why a saved state cannot be taken up; the master is as it was.
#[derive(Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The state belongs to another model.
    #[error(
        "the state belongs to another model: its {what} differ; restore it into the model it was saved from"
    )]
    Foreign {
        /// What differs.
        what: &'static str,
    },
    /// A subsystem refuses its part, or cannot be saved and restored at all.
    #[error(transparent)]
    Subsystem(#[from] SubsystemError),
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

/// The state of a [`Master`], to be written with [`cosimo_subsystem::codec`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MasterState {
    subsystems: Vec<(String, Snapshot)>,
    coupling: State,
    carried: Carried,
}

impl MasterState {
    /// Without what the report tells of costs: what is left is the same for the same steps, however long they took and whatever was tried
    /// beside them.
    #[must_use]
    pub fn without_costs(self) -> Self {
        Self { coupling: self.coupling.without_costs(), ..self }
    }
}

/// A run as it stands at a communication point.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunState {
    /// How far it is.
    pub position: RunPosition,
    /// The coupled model.
    pub master: MasterState,
}

impl Master {
    /// The state at the present communication point.
    ///
    /// # Errors
    /// A subsystem cannot be saved, or no longer answers.
    pub fn save(&self) -> Result<MasterState, SubsystemError> {
        let saved = self.sim.subsystems.all.iter().map(|s| Ok((s.description().name.clone(), s.save()?)));
        let StepContext { schemes, condensation, linearisation, .. } = &self.sim;
        Ok(MasterState {
            subsystems: saved.collect::<Result<_, SubsystemError>>()?,
            coupling: State::of(&self.sim, costs_so_far(self)),
            carried: Carried::of(schemes, condensation, &linearisation.models),
        })
    }

    /// Goes to a state that was saved from this model, in this process or another; what follows has the same bits.
    ///
    /// ```
    /// use cosimo_master::{Master, MasterConfig};
    /// # use cosimo_subsystem::{Subsystem, conformance::TwoMasses};
    /// # fn build() -> Result<Master, Box<dyn std::error::Error>> {
    /// # let masses: Box<dyn Subsystem> = Box::new(TwoMasses::default());
    /// # Ok(Master::new(vec![masses], Vec::new(), MasterConfig::default(), 0.0)?)
    /// # }
    /// let mut master = build()?;
    /// master.step(1e-3)?;
    /// let saved = master.save()?;
    /// master.step(1e-3)?;
    ///
    /// let mut other = build()?;
    /// other.restore(&saved)?;
    /// other.step(1e-3)?;
    /// assert_eq!(other.subsystems()[0].rows(), master.subsystems()[0].rows());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The state belongs to another model, or a subsystem refuses it. The master is then as it was, unless a
    /// subsystem no longer answers.
    pub fn restore(&mut self, state: &MasterState) -> Result<(), RestoreError> {
        check_fit(self, state)?;
        let sim = &mut self.sim;
        restore_couplings(
            &sim.topology,
            &mut sim.subsystems,
            &mut sim.linearisation,
            &mut sim.coupling,
            &sim.loads.history,
            &state.coupling.coupling,
        );
        restore_subsystems(&mut sim.subsystems, &state.subsystems)?;
        state.coupling.restore(sim);
        let models = &mut sim.linearisation.models;
        sim.loads.take_up_tangents(&sim.topology, &mut sim.subsystems, models);
        read_communication_point(
            &sim.topology,
            &sim.subsystems.all,
            &mut sim.rows,
            &mut sim.linearisation,
            &mut sim.condensation,
            &mut sim.joints,
        );
        sim.signals.send_courses(&sim.topology, &mut sim.subsystems)?;
        let models = &mut sim.linearisation.models;
        state.carried.restore(&mut sim.schemes, &mut sim.condensation, models);
        sim.contacts.changes.clear();
        sim.progress.whole_step = None;
        Ok(())
    }
}

/// What all runs so far have cost.
pub(super) fn costs_so_far(master: &Master) -> CostSeconds {
    let mut costs = master.sim.counters.seconds.clone();
    master.sim.subsystems.costs.add_to(&mut costs, || master.sim.subsystems.spent());
    costs
}

/// Checks names and sizes before anything is changed.
fn check_fit(master: &Master, state: &MasterState) -> Result<(), RestoreError> {
    let StepContext { topology, subsystems, signals, coupling, schemes, linearisation, .. } = &master.sim;
    let names = subsystems.all.iter().map(|subsystem| &subsystem.description().name);
    let mut checks = vec![("subsystems", names.eq(state.subsystems.iter().map(|(name, _)| name)))];
    checks.extend(state.coupling.compare(topology, &signals.state, coupling));
    checks.extend(state.carried.compare(schemes, &linearisation.models, topology));
    match checks.iter().find(|(_, fits)| !fits) {
        Some((what, _)) => Err(RestoreError::Foreign { what }),
        None => Ok(()),
    }
}

/// Restores the subsystems; if one refuses, those before it go back to where they were.
fn restore_subsystems(
    subsystems: &mut Subsystems,
    snapshots: &[(String, Snapshot)],
) -> Result<(), SubsystemError> {
    let mut before = Vec::with_capacity(subsystems.all.len());
    for (subsystem, (_, snapshot)) in subsystems.all.iter_mut().zip(snapshots) {
        let restored =
            subsystem.save().and_then(|own| subsystem.restore(snapshot).map(|()| before.push(own)));
        if let Err(refused) = restored {
            for (subsystem, own) in subsystems.all.iter_mut().zip(&before) {
                subsystem.restore(own)?;
            }
            return Err(refused);
        }
    }
    Ok(())
}

//! States saved and restored.
//!
//! A saved state holds everything that influences the future of a coupled model, and everything that its report tells
//! of the past. A model built anew that takes it up goes on with the same bits:
//!
//! | part | why |
//! |---|---|
//! | snapshots of the subsystems | their states, histories of multistep methods included |
//! | control of the step, with what it knows of the past | sizes of the steps to come |
//! | ladder | what the first step found of the subsystems' claims |
//! | clock | communication points are counted from an origin |
//! | memory of the contacts | loads carried, rate jumps whose aftermath is due |
//! | unknowns, forces, the scheme's history | start values of the next step |
//! | counters and energies | the report; position rows find their first forces in step 0 only |
//! | frozen compliances | the next steps are solved with them |
//!
//! Other matrices, and factorisations, are not part of it: they follow from the state. What the first ones decided for
//! good, which joints are redundant and which subsystems are hubs, is.

use cosimo_nonsmooth::ContactMemory;
use cosimo_subsystem::{Snapshot, Statistics, SubsystemError};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::condensation::Decisions;
use crate::energy_guard::EnergyGuard;
use crate::frozen::FrozenTangent;
use crate::ladder::Ladder;
use crate::monitor::Monitor;
use crate::schemes::SchemeState;
use crate::statistics::Counters;
use crate::step_control::Control;
use crate::{Master, RestoreError, RunPosition};

/// The state of a [`Master`], to be written with [`cosimo_subsystem::codec`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MasterState {
    subsystems: Vec<(String, Snapshot)>,
    ladder: Ladder,
    step_control: Option<Control>,
    clock: Clock,
    contacts: Vec<[f64; 6]>,
    /// Impulses of contacts and joints in the last macro step, to be shown (N s).
    contact_impulses: Vec<f64>,
    joint_impulses: Vec<f64>,
    unknowns: Vec<f64>,
    end_forces: Vec<f64>,
    scheme: Option<SchemeState>,
    matrices: Vec<Decisions>,
    frozen: Vec<FrozenTangent>,
    monitor: Monitor,
    energy_guard: EnergyGuard,
    counters: Counters,
    warnings: Vec<String>,
    warned: bool,
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
        Ok(MasterState {
            subsystems: self.save_subsystems()?,
            ladder: self.ladder.clone(),
            step_control: self.step_control.clone(),
            clock: self.clock,
            contacts: self.memory.iter().map(|memory| memory.to_values()).collect(),
            contact_impulses: self.rows.contact_impulses.clone(),
            joint_impulses: self.rows.joint_impulses.clone(),
            unknowns: self.rows.unknowns.clone(),
            end_forces: self.rows.end_forces.clone(),
            scheme: self.iteration.as_ref().map(|scheme| scheme.state()),
            matrices: self.condensation.decisions(),
            frozen: self.frozen_tangents(),
            monitor: self.monitor.clone(),
            energy_guard: self.energy_guard.clone(),
            counters: self.counters.saved(self.counted()),
            warnings: self.warnings.clone(),
            warned: self.warned,
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
        self.check_fit(state)?;
        self.restore_ladder(&state.ladder);
        self.step_control.clone_from(&state.step_control);
        self.restore_subsystems(state)?;
        self.clock = state.clock;
        self.memory
            .iter_mut()
            .zip(&state.contacts)
            .for_each(|(memory, values)| *memory = ContactMemory::from_values(*values));
        self.rows.contact_impulses.copy_from_slice(&state.contact_impulses);
        self.rows.has_contact_impulses = true;
        self.rows.joint_impulses.copy_from_slice(&state.joint_impulses);
        self.rows.unknowns.copy_from_slice(&state.unknowns);
        self.rows.end_forces.copy_from_slice(&state.end_forces);
        if let (Some(scheme), Some(saved)) = (&mut self.iteration, &state.scheme) {
            scheme.restore(saved);
        }
        self.monitor = state.monitor.clone();
        self.energy_guard = self.energy_guard.restored(&state.energy_guard);
        self.warnings.clone_from(&state.warnings);
        self.warned = state.warned;
        self.contact_changes.clear();
        self.read_rows();
        self.layout.members.iter_mut().for_each(|member| member.revision = None);
        state.frozen.iter().for_each(|tangent| tangent.restore(&mut self.layout.members));
        self.condensation.decide(&self.layout, &state.matrices);
        let counted: Vec<_> = self.counted().collect();
        self.counters.restore(&state.counters, counted.into_iter());
        Ok(())
    }

    fn save_subsystems(&self) -> Result<Vec<(String, Snapshot)>, SubsystemError> {
        self.subsystems.iter().map(|s| Ok((s.description().name.clone(), s.save()?))).collect()
    }

    /// Work that the subsystems themselves have counted.
    fn counted(&self) -> impl Iterator<Item = Statistics> {
        self.subsystems.iter().map(|subsystem| subsystem.statistics())
    }

    /// Checks names and sizes before anything is changed.
    fn check_fit(&self, state: &MasterState) -> Result<(), RestoreError> {
        let names = self.subsystems.iter().map(|subsystem| &subsystem.description().name);
        let scheme_fits = match (&self.iteration, &state.scheme) {
            (Some(scheme), Some(saved)) => scheme.fits(saved),
            (own, other) => own.is_none() && other.is_none(),
        };
        let joint_values = [&state.unknowns, &state.end_forces, &state.joint_impulses];
        let checks = [
            ("subsystems", names.eq(state.subsystems.iter().map(|(name, _)| name))),
            ("sizes", state.step_control.as_ref().is_none_or(|control| control.fits(&self.layout))),
            ("couplings", self.ladder.fits(&state.ladder)),
            ("contacts", self.memory.len() == state.contacts.len()),
            ("contacts", self.layout.contact_rows.len() == state.contact_impulses.len()),
            ("interfaces", joint_values.iter().all(|values| values.len() == self.layout.unknowns)),
            ("schemes", scheme_fits),
            ("clusters", state.matrices.len() == self.layout.clusters.len()),
            ("energies", state.monitor.fits(&self.layout) && state.energy_guard.fits(&self.layout)),
            ("tangents", state.frozen.iter().all(|tangent| tangent.fits(&self.layout.members))),
            ("counts", state.counters.fits(&self.layout)),
        ];
        match checks.iter().find(|(_, fits)| !fits) {
            Some((what, _)) => Err(RestoreError::Foreign { what }),
            None => Ok(()),
        }
    }

    /// Restores the subsystems; if one refuses, those before it go back to where they were.
    fn restore_subsystems(&mut self, state: &MasterState) -> Result<(), SubsystemError> {
        let mut before = Vec::with_capacity(self.subsystems.len());
        for (subsystem, (_, snapshot)) in self.subsystems.iter_mut().zip(&state.subsystems) {
            let restored =
                subsystem.save().and_then(|own| subsystem.restore(snapshot).map(|()| before.push(own)));
            if let Err(refused) = restored {
                for (subsystem, own) in self.subsystems.iter_mut().zip(&before) {
                    subsystem.restore(own)?;
                }
                return Err(refused);
            }
        }
        Ok(())
    }
}

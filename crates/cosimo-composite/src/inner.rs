//! The model inside, which goes ahead under trial and comes back.

use std::collections::BTreeSet;

use cosimo_master::{Master, MasterState, RowChanges, RowLoad, StepError};
use cosimo_mechanics::{Energy, EnergyBalance};
use cosimo_subsystem::{LoadWeights, MacroStep, Signal, SubsystemError};
use tracing::subscriber::{NoSubscriber, with_default};

use crate::open_rows::OpenRows;
use crate::outside::Given;
use crate::outside_loads::SharedLoads;
use crate::weighing::Weighing;

/// The model, and how far it has gone ahead of the communication point.
pub(crate) struct Inner {
    pub(crate) master: Master,
    pub(crate) given: Given,
    pub(crate) open: OpenRows,
    /// Number of open inputs.
    pub(crate) inputs: usize,
    pub(crate) can_save: bool,
    pub(crate) weighing: Weighing,
    pub(crate) outside: SharedLoads,
    /// The state at the communication point, once it was saved there.
    start: Option<MasterState>,
    /// The step, the impulses and the momenta among them with which the model has gone to its end.
    ahead: Option<(MacroStep, Vec<f64>, Vec<f64>)>,
    /// Size (s) of the steps for which a jump is prepared.
    size: f64,
    /// Warnings that were passed on.
    told: usize,
}

impl Inner {
    pub(crate) fn new(
        master: Master,
        (given, outside): (Given, SharedLoads),
        open: OpenRows,
        inputs: usize,
    ) -> Self {
        Self {
            can_save: master.save().is_ok(),
            weighing: Weighing::MEAN,
            outside,
            master,
            given,
            open,
            inputs,
            start: None,
            ahead: None,
            size: 0.0,
            told: 0,
        }
    }

    /// Takes the model back to the communication point.
    pub(crate) fn go_back(&mut self) -> Result<(), String> {
        match (self.ahead.take(), &self.start) {
            (Some(_), Some(start)) => {
                self.master.restore(start).map_err(|error| SubsystemError::chain(&error))
            }
            _ => Ok(()),
        }
    }

    /// Takes the model to the end of the step under these impulses (N s), with these momenta among them, or none; nothing to do where it is
    /// there already.
    pub(crate) fn go_ahead(
        &mut self,
        step: MacroStep,
        impulses: &[f64],
        momenta: &[f64],
    ) -> Result<(), String> {
        let is_there =
            self.ahead.as_ref().is_some_and(|own| own.0 == step && own.1 == impulses && own.2 == momenta);
        if is_there {
            return Ok(());
        }
        self.go_back()?;
        if self.can_save && self.start.is_none() {
            self.start = Some(self.master.save().map_err(|error| SubsystemError::chain(&error))?);
        }
        let mut outside = self.outside.now();
        outside.size = step.size;
        outside.impulses.copy_from_slice(impulses);
        outside.momenta.fill(0.0);
        outside.momenta.iter_mut().zip(momenta).for_each(|(own, momentum)| *own = *momentum);
        drop(outside);
        // Nothing that the step begins with stands any more, even if it fails.
        self.ahead = Some((step, vec![f64::NAN], Vec::new()));
        // What a trial warns of has not happened.
        let taken = with_default(NoSubscriber::new(), || self.take_step(step.size));
        taken.map_err(|error| SubsystemError::chain(&error))?;
        self.ahead = Some((step, impulses.to_vec(), momenta.to_vec()));
        Ok(())
    }

    /// Takes the model to the end of a step under no impulses, from these loads (N) on the rows and the part of them that belongs to momenta,
    /// and finds how it weighs loads.
    pub(crate) fn go_free(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        start_momenta: Option<&[f64]>,
    ) -> Result<(), String> {
        self.go_back()?;
        let mut outside = self.outside.now();
        outside.start_loads.copy_from_slice(start_loads);
        outside.start_momenta = start_momenta.map(<[f64]>::to_vec);
        drop(outside);
        self.go_ahead(step, &vec![0.0; start_loads.len()], &[])?;
        self.weighing = self.found_weighing(step.size)?;
        Ok(())
    }

    /// How the step just taken has weighed loads; as before where it does not tell, having been taken in parts.
    fn found_weighing(&mut self, size: f64) -> Result<Weighing, String> {
        let owners: BTreeSet<usize> = self.open.ports.iter().map(|port| port.subsystem).collect();
        let weights: Option<Vec<LoadWeights>> =
            owners.iter().map(|owner| self.master.load_weights(*owner)).collect();
        let Some(weights) = weights else { return Ok(self.weighing) };
        Weighing::of(&weights, size).ok_or_else(|| {
            let names = owners.iter().map(|owner| self.master.subsystems()[*owner].description().name.clone());
            let names = names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            format!(
                "its open ports belong to {names}, whose rules differ and remember loads; give them the same solver, or one whose loads act by \
                 their means, as \"theta\""
            )
        })
    }

    fn take_step(&mut self, size: f64) -> Result<(), StepError> {
        if self.inputs > 0 {
            self.master.refresh_signals()?;
        }
        self.master.step(size).map(drop)
    }

    /// The end of the step is the communication point from now on.
    pub(crate) fn stay(&mut self, name: &str) {
        (self.ahead, self.start) = (None, None);
        for warning in self.master.warnings().iter().skip(self.told) {
            tracing::warn!("in subsystem `{name}`: {warning}");
        }
        self.told = self.master.warnings().len();
    }

    /// Energies so far, and those of the present state (J).
    pub(crate) fn energies(&self) -> (EnergyBalance, Energy) {
        let balance = self.master.energy();
        let kinetic = self.master.subsystems().iter().map(|own| own.energy().kinetic).sum();
        (balance, Energy { kinetic, potential: balance.end - kinetic })
    }

    /// How velocities answer at the communication point to a unit impulse on a row, for steps of this size (s).
    pub(crate) fn impulse_response(&mut self, row: usize, size: f64) -> Result<RowChanges, String> {
        self.size = size;
        let load: Vec<RowLoad> = self.open.load(row, 1.0).into_iter().collect();
        self.master.impulse_response(&load, size).map_err(|error| SubsystemError::chain(&error))
    }

    /// Lets impulses act at the communication point, as the response was asked for.
    pub(crate) fn act(&mut self, loads: &[RowLoad]) -> Result<(), String> {
        self.master.act(loads, self.size).map_err(|error| SubsystemError::chain(&error))
    }

    /// Moves positions at the communication point, as the response was asked for.
    pub(crate) fn project_positions(&mut self, weights: &[RowLoad]) -> Result<(), String> {
        self.master.project_positions(weights, self.size).map_err(|error| SubsystemError::chain(&error))
    }

    /// Sets the courses of the open inputs.
    pub(crate) fn set_inputs(&mut self, courses: &[Signal]) -> Result<(), String> {
        // A trial under other inputs is none.
        self.go_back()?;
        courses.iter().enumerate().for_each(|(k, course)| self.given.set_course(k, *course));
        Ok(())
    }

    /// Reads signals under these values of the open inputs, which then follow their courses again.
    pub(crate) fn outputs(
        &mut self,
        values: &[f64],
        names: &[String],
        out: &mut [f64],
    ) -> Result<(), String> {
        self.go_back()?;
        if self.inputs == 0 {
            read(&self.master, names, out);
            return Ok(());
        }
        let courses: Vec<Signal> = (0..self.inputs).map(|k| self.given.course(k)).collect();
        for (k, value) in values.iter().enumerate() {
            self.given.set(k, *value);
        }
        let shown = self.master.refresh_signals();
        read(&self.master, names, out);
        courses.into_iter().enumerate().for_each(|(k, course)| self.given.set_course(k, course));
        let back = self.master.refresh_signals();
        shown.and(back).map_err(|error| SubsystemError::chain(&error))
    }

    /// Goes to a saved state.
    pub(crate) fn restore(&mut self, state: &MasterState) -> Result<(), String> {
        self.master.restore(state).map_err(|error| SubsystemError::chain(&error))?;
        (self.ahead, self.start) = (None, None);
        self.told = self.master.warnings().len();
        Ok(())
    }
}

fn read(master: &Master, names: &[String], out: &mut [f64]) {
    out.iter_mut().zip(names).for_each(|(out, name)| *out = master.signal(name).unwrap_or(f64::NAN));
}

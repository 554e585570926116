//! The subsystem.

use std::cell::RefCell;

use cosimo_master::{Assembly, Master, MasterConfig, MasterState, RowLoad, Tangent};
use cosimo_mechanics::{Energy, EnergyBalance, StepEnergy};
use cosimo_subsystem::scene::Sight;
use cosimo_subsystem::{
    Begun, Description, ExpectedLoads, InverseMass, MacroStep, RowMatrix, RowState, Signal, Snapshot,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError, codec,
};
use serde::{Deserialize, Serialize};

use crate::CompositeError;
use crate::describe::{describe, quantities};
use crate::inner::Inner;
use crate::opened::RowWork;
use crate::opening::{Opening, open_ends};
use crate::response::Columns;

/// A coupled model as a subsystem of another one.
///
/// Its ports are the open ports of the model, named `subsystem.port`; its signals are the inputs that nothing feeds and all outputs, named
/// `subsystem.signal`. It takes one macro step of its own per step, in parts where its settings say so. A step under trial is taken by the whole
/// model, which then goes back: a step saves the states of all its subsystems, and allocates for them. What is not affine inside, contacts
/// included, is solved inside.
///
/// ```
/// use cosimo_composite::Composite;
/// use cosimo_master::{Assembly, MasterConfig};
/// # use cosimo_subsystem::{Subsystem, conformance::TwoMasses};
/// let masses: Box<dyn Subsystem> = Box::new(TwoMasses::default());
/// let port = masses.description().ports[0].name.clone();
/// let open = vec![("two-masses".to_owned(), port)];
/// let model = Assembly { subsystems: vec![masses], open, ..Assembly::default() };
/// let composite = Composite::new("pair", model, MasterConfig::default(), (0.0, 1e-3))?;
/// assert_eq!(composite.description().rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Composite {
    description: Description,
    inner: RefCell<Inner>,
    time: f64,
    begun: Option<MacroStep>,
    rows: RowState,
    /// Energies at the communication point (J): those so far, and those of the state.
    balance: EnergyBalance,
    energy: Energy,
    response: StepResponse,
    columns: Columns,
    prepared: RowMatrix,
    /// Names of the outputs, and the places of the quantities among the labels of the master.
    outputs: Vec<String>,
    quantities: Vec<usize>,
    labels: usize,
    jump_work: f64,
    statistics: Statistics,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    subsystem: String,
    master: MasterState,
}

impl Composite {
    /// A model as a subsystem of this name, at a time (s), for steps of about this size (s). The ports that [`Assembly::open`] names are open.
    /// A step is taken on trial.
    ///
    /// # Errors
    /// What is wrong with the model, or a port that cannot be open.
    pub fn new(
        name: &str,
        mut model: Assembly,
        config: MasterConfig,
        (time, step): (f64, f64),
    ) -> Result<Self, CompositeError> {
        let Opening { open, inputs, given, outside, connections } = open_ends(name, &mut model)?;
        let setup = |source| CompositeError::Setup { composite: name.to_owned(), source: Box::new(source) };
        // Others ask how the open ports answer now.
        let config = MasterConfig { tangent: Tangent::Exact, ..config };
        let master = Master::assemble(model, config, time).map_err(setup)?;
        let mut inner = Inner::new(master, (given, outside), open, inputs.len());
        if inner.can_save {
            let none = vec![0.0; inner.open.count()];
            let tried =
                inner.go_free(MacroStep { time, size: step }, &none, None).and_then(|()| inner.go_back());
            tried.map_err(|reason| CompositeError::FirstStep { composite: name.to_owned(), reason })?;
        }
        let ends = (&inner.master, &inner.open, inputs.as_slice());
        let description = describe(name, ends, &connections, [inner.can_save, inner.weighing.is_one]);
        Ok(Self::of(description, inner, time))
    }

    fn of(description: Description, inner: Inner, time: f64) -> Self {
        let (rows, frames) = (description.rows(), description.frames().count());
        let moving = if inner.open.move_by_themselves(&inner.master) { rows } else { 0 };
        let mut state = RowState { surface_velocities: vec![0.0; moving], ..RowState::zeros(rows, frames) };
        inner.open.write_state(&inner.master, &mut state);
        let (balance, energy) = inner.energies();
        Self {
            balance,
            energy,
            outputs: description.outputs.iter().map(|output| output.name.clone()).collect(),
            quantities: quantities(&inner.master).map(|(place, _)| place).collect(),
            labels: inner.master.labels().len(),
            time,
            begun: None,
            rows: state,
            response: StepResponse::zeros(rows),
            columns: Columns::new(rows),
            prepared: RowMatrix::zeros(rows),
            jump_work: 0.0,
            statistics: Statistics::default(),
            inner: RefCell::new(inner),
            description,
        }
    }

    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    fn failed(&self, step: MacroStep, reason: String) -> SubsystemError {
        let subsystem = self.description.name.clone();
        match self.description.capabilities.can_roll_back {
            true => SubsystemError::StepFailed { subsystem, time: step.time, size: step.size, reason },
            false => {
                SubsystemError::BadStep { subsystem, time: step.time, size: step.size, reason: reason.into() }
            }
        }
    }

    /// An error between steps.
    fn failed_now(&self, reason: String) -> SubsystemError {
        self.failed(MacroStep { time: self.time, size: 0.0 }, reason)
    }

    fn bad_snapshot(&self, reason: String) -> SubsystemError {
        SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason }
    }

    /// The end rows under these impulses, and what they answer where that is asked for.
    fn try_step(
        &mut self,
        step: MacroStep,
        (impulses, momenta): (&[f64], &[f64]),
        is_asked: bool,
    ) -> Result<(), SubsystemError> {
        let inner = self.inner.get_mut();
        let StepResponse { positions, velocities, .. } = &mut self.response;
        let mut tried = inner.go_ahead(step, impulses, momenta);
        inner.open.write_end(&inner.master, &self.rows, positions, velocities);
        if tried.is_ok() && is_asked && self.description.capabilities.inverse_mass == InverseMass::Exact {
            tried = self.columns.write(inner, (step, &self.rows), impulses, &mut self.response);
        }
        tried.map_err(|reason| self.failed(step, reason))
    }

    /// Work (J) of the loads on the ports over the step to whose end the model has gone.
    fn port_work(&self, step: MacroStep, loads: &StepLoads) -> f64 {
        let inner = self.inner.borrow();
        let outside = inner.outside.now();
        let frames: Vec<usize> = self.description.frames().map(|(row, _)| row + 3).collect();
        let is_turn = |row: usize| frames.iter().any(|first| (*first..first + 3).contains(&row));
        let work = |row: usize| {
            // Rotations are increments from the start.
            let from = if is_turn(row) { 0.0 } else { self.rows.positions[row] };
            let momentum = loads.momenta.get(row).copied().unwrap_or(0.0);
            let own = RowWork {
                loads: [loads.impulses[row], momentum, outside.start_loads[row]],
                displacement: self.response.positions[row] - from,
                rates: [self.rows.velocities[row], self.response.velocities[row]],
            };
            own.by(self.response.weights, step.size)
        };
        (0..self.description.rows()).map(work).sum()
    }

    fn begin_step(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        momenta: Option<&[f64]>,
    ) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.time)?;
        self.discard();
        self.statistics.evaluations += 1;
        if self.description.rows() > 0 && self.description.capabilities.can_roll_back {
            let inner = self.inner.get_mut();
            inner.go_free(step, start_loads, momenta).map_err(|reason| self.failed(step, reason))?;
            self.weigh(step);
            let none = vec![0.0; self.description.rows()];
            self.try_step(step, (&none, &[]), true)?;
        } else {
            self.weigh(step);
        }
        self.begun = Some(step);
        Ok(&self.response)
    }

    /// Takes up how the open ports weigh loads in a step.
    fn weigh(&mut self, step: MacroStep) {
        let weights = self.inner.get_mut().weighing.at(step.size);
        self.response.revision += u64::from(weights != self.response.weights);
        self.response.weights = weights;
    }

    fn check_jumps(&self) -> Result<(), SubsystemError> {
        if self.description.capabilities.takes_jumps {
            return Ok(());
        }
        Err(self.unsupported("take impulses between steps: a subsystem of its model does not"))
    }

    /// Lets loads (N s, kg m) change the state at the communication point.
    fn change_state(
        &mut self,
        loads: &[f64],
        change: fn(&mut Inner, &[RowLoad]) -> Result<(), String>,
    ) -> Result<(), SubsystemError> {
        self.check_jumps()?;
        self.description.check_loads(loads)?;
        let inner = self.inner.get_mut();
        let all: Vec<RowLoad> =
            loads.iter().enumerate().filter_map(|(row, own)| inner.open.load(row, *own)).collect();
        let changed = inner.go_back().and_then(|()| change(inner, &all));
        changed.map_err(|reason| self.failed_now(reason))?;
        self.inner.get_mut().stay(&self.description.name);
        self.take_up();
        Ok(())
    }

    /// Goes on from the present state of the model.
    fn take_up(&mut self) {
        let inner = self.inner.get_mut();
        inner.open.write_state(&inner.master, &mut self.rows);
        (self.balance, self.energy) = inner.energies();
        self.time = inner.master.time();
        self.begun = None;
    }
}

impl Subsystem for Composite {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        let own = self.columns.needed.iter_mut();
        own.zip(needed).for_each(|(own, needed)| *own = *needed);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.begin_step(step, start_loads, None)
    }

    fn begin_predicted(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        self.description.check_momenta(expected.momenta)?;
        self.begin_step(step, start_loads, Some(expected.momenta)).map(Begun::Free)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.step_begun("evaluate")?;
        if !self.description.capabilities.can_roll_back {
            return Err(self.unsupported("evaluate a step before it is taken"));
        }
        self.try_step(step, (impulses, &[]), true)?;
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.step_begun("evaluate_rows")?;
        if !self.description.capabilities.can_roll_back {
            return Err(self.unsupported("evaluate a step before it is taken"));
        }
        self.try_step(step, (impulses, &[]), false)?;
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let step = self.step_begun("commit")?;
        if loads.has_moments {
            return Err(self.unsupported("take impulses inside a step"));
        }
        let before = self.balance;
        // Momenta are others only for rules that remember loads.
        let remembers = !self.response.weights.are_of_mean(step.size);
        let has_momenta = remembers && loads.momenta.iter().any(|own| *own != 0.0);
        let momenta: &[f64] = if has_momenta { &loads.momenta } else { &[] };
        self.try_step(step, (&loads.impulses, momenta), false)?;
        let port_work = self.port_work(step, loads);
        let inner = self.inner.get_mut();
        inner.stay(&self.description.name);
        self.take_up();
        self.statistics.steps += 1;
        let after = self.balance;
        Ok(StepEnergy {
            energy: self.energy,
            port_work,
            external_work: after.external - before.external - port_work,
            dissipated: after.dissipated - before.dissipated,
            inner_contacts: after.contact - before.contact,
            numerical: after.monitor_sum - before.monitor_sum,
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        // The model itself goes back when the next call needs it to.
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.check_jumps()?;
        let inner = self.inner.get_mut();
        let mut prepared = inner.go_back();
        let rows = inner.open.count();
        let (mut none, mut column) = (vec![0.0; rows], vec![0.0; rows]);
        for row in 0..rows {
            let told = prepared.and_then(|()| inner.impulse_response(row, size));
            prepared = told.map(|changes| {
                inner.open.write_changes(&changes, &mut none, &mut column);
                self.prepared.dense_mut().column_mut(row).copy_from_slice(&column);
            });
        }
        prepared.map_err(|reason| self.failed_now(reason))?;
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.change_state(impulses, Inner::act)?;
        self.jump_work = self.inner.get_mut().master.subsystems().iter().map(|own| own.jump_work()).sum();
        Ok(())
    }

    fn jump_work(&self) -> f64 {
        self.jump_work
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.change_state(weights, Inner::project_positions)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        let set = self.inner.get_mut().set_inputs(inputs);
        set.map_err(|reason| self.failed_now(reason))
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        let shown = self.inner.borrow_mut().outputs(inputs, &self.outputs, out);
        shown.map_err(|reason| self.failed_now(reason))
    }

    fn observe(&self, out: &mut [f64]) {
        let mut inner = self.inner.borrow_mut();
        let mut all = vec![f64::NAN; self.labels];
        if inner.go_back().is_ok() && inner.master.observe(&mut all).is_err() {
            all.fill(f64::NAN);
        }
        out.iter_mut().zip(&self.quantities).for_each(|(out, place)| *out = all[*place]);
    }

    fn look(&self, _loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        let mut inner = self.inner.borrow_mut();
        let back = inner.go_back();
        inner.master.look(out);
        back.map_err(|reason| self.failed_now(reason))
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        if !self.description.capabilities.can_roll_back {
            return Err(self.unsupported("be saved: a subsystem of its model cannot"));
        }
        let mut inner = self.inner.borrow_mut();
        inner.go_back().map_err(|reason| self.bad_snapshot(reason))?;
        let saved =
            Saved { subsystem: self.description.name.clone(), master: inner.master.save()?.without_costs() };
        let bytes = codec::encode(&saved).map_err(|error| self.bad_snapshot(error.to_string()))?;
        Ok(Snapshot::from_bytes(bytes))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        if !self.description.capabilities.can_roll_back {
            return Err(self.unsupported("be restored: a subsystem of its model cannot"));
        }
        let saved: Saved =
            codec::decode(snapshot.as_bytes()).map_err(|error| self.bad_snapshot(error.to_string()))?;
        if saved.subsystem != self.description.name {
            return Err(self.bad_snapshot(format!("the snapshot is of `{}`", saved.subsystem)));
        }
        let restored = self.inner.get_mut().restore(&saved.master);
        restored.map_err(|reason| self.bad_snapshot(reason))?;
        self.take_up();
        self.statistics.rollbacks += 1;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        let inner = self.inner.borrow();
        let own = inner.master.subsystems().iter().map(|own| own.statistics());
        let all = own.fold(Statistics::default(), Statistics::plus);
        Statistics {
            newton_iterations: all.newton_iterations,
            factorizations: all.factorizations,
            refreshes: all.refreshes,
            ..self.statistics
        }
    }
}

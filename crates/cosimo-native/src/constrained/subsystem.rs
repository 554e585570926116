//! A constrained system behind the subsystem contract.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_smooth::dae::{DaeError, DaeState, RedundantRow};
use cosimo_subsystem::scene::{ContactForce, Sight};
use cosimo_subsystem::{
    Begun, ContactScale, Description, ExpectedLoads, MacroStep, RowMatrix, RowState, Signal, Snapshot,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

use super::contacts;
use super::energy::energy;
use super::pools::ContactPools;
use super::rows::{Increment, Rows};
use super::steps::Stepping;
use super::wanted::Wanted;

/// A constrained system with the rows through which others act on it. [`Multibody`](crate::Multibody) and
/// [`Planar`](crate::Planar) are such.
#[derive(Debug)]
pub struct Constrained<R: Rows> {
    pub(super) description: Description,
    pub(super) stepping: Stepping<R>,
    rows: RowState,
    pub(super) wanted: Wanted,
    begun: Option<MacroStep>,
    jump_is_prepared: bool,
    statistics: Statistics,
}

impl<R: Rows> Constrained<R> {
    pub(super) fn new(description: Description, stepping: Stepping<R>) -> Self {
        let (r, contacts) = (description.rows(), description.contacts.len());
        let pooled = if description.pools.is_empty() { 0 } else { contacts };
        let mut constrained = Self {
            rows: RowState {
                positions: vec![0.0; r],
                velocities: vec![0.0; r],
                orientations: Vec::with_capacity(description.ports.len()),
                scales: vec![ContactScale::default(); contacts],
                absent: vec![false; pooled],
                holders: vec![[0; 2]; pooled],
                ..RowState::default()
            },
            description,
            stepping,
            wanted: if pooled > 0 { Wanted::all(r) } else { Wanted::default() },
            begun: None,
            jump_is_prepared: false,
            statistics: Statistics::default(),
        };
        constrained.read_rows();
        constrained
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &DaeState {
        self.stepping.solver.state()
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &R::System {
        self.stepping.solver.system().unloaded()
    }

    /// The constraints that others imply and that are left out.
    #[must_use]
    pub fn redundant_rows(&self) -> Vec<RedundantRow> {
        self.stepping.solver.redundant_rows()
    }

    fn read_rows(&mut self) {
        let (state, rows) = (self.stepping.solver.state(), &mut self.rows);
        let system = self.stepping.solver.system();
        let all = system.rows();
        all.positions(
            system.unloaded(),
            &state.q,
            Increment { start: &state.q, by: &[] },
            &mut rows.positions,
        );
        self.stepping.write_slips(&mut rows.positions);
        all.velocities(&state.q, &state.v, &mut rows.velocities);
        all.scales(&state.q, &state.v, &mut rows.scales);
        all.orientations(&state.q, &mut rows.orientations);
        if let Some(pools) = all.pools() {
            pools.write_state(rows);
        }
    }

    fn failed(&self, step: MacroStep, error: DaeError) -> SubsystemError {
        let (subsystem, MacroStep { time, size }) = (self.description.name.clone(), step);
        let reason = SubsystemError::chain(&error);
        match error {
            DaeError::ForceJumps { .. } => SubsystemError::StepHoldsEvent { subsystem, time, size, reason },
            _ => SubsystemError::StepFailed { subsystem, time, size, reason },
        }
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        self.begun.ok_or_else(|| self.not_begun(call))
    }

    fn not_begun(&self, call: &'static str) -> SubsystemError {
        SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() }
    }

    /// The present instant, for messages about what happens between steps.
    fn instant(&self) -> MacroStep {
        MacroStep { time: self.state().time, size: 0.0 }
    }

    /// Changes the state between steps, as prepared.
    fn move_prepared(
        &mut self,
        call: &'static str,
        loads: &[f64],
        action: impl Fn(&mut Stepping<R>, &[f64]) -> Result<(), DaeError>,
    ) -> Result<(), SubsystemError> {
        self.description.check_loads(loads)?;
        if !self.jump_is_prepared {
            return Err(self.not_begun(call));
        }
        let instant = self.instant();
        action(&mut self.stepping, loads).map_err(|error| self.failed(instant, error))?;
        self.find_pairs(true);
        self.read_rows();
        Ok(())
    }

    /// Forgets the step begun and the jump prepared, if there are any.
    fn give_up(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
        self.jump_is_prepared = false;
    }

    fn bad_snapshot(&self, reason: String) -> SubsystemError {
        SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason }
    }
}

impl<R: Rows + 'static> Subsystem for Constrained<R> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        energy(&self.stepping.solver, self.state())
    }

    fn limit_response(&mut self, needed: &[bool]) {
        if needed.len() != self.rows.positions.len() {
            return;
        }
        self.give_up();
        if self.description.pools.is_empty() {
            self.stepping.limit_response(needed);
        } else {
            self.wanted.needed.copy_from_slice(needed);
            self.wanted.is_stale = true;
        }
    }

    fn report_moves(&mut self, wanted: bool) {
        self.give_up();
        self.stepping.report_moves(wanted);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.state().time)?;
        self.give_up();
        self.choose_response()?;
        self.stepping.begin(step.size, start_loads).map_err(|error| self.failed(step, error))?;
        self.look_out(step)?;
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        Ok(&self.stepping.response)
    }

    fn begin_under_loads(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        if self.stepping.follows_error() {
            return self.begin(step, start_loads).map(Begun::Free);
        }
        for loads in [start_loads, expected.start, expected.end, expected.momenta] {
            self.description.check_loads(loads)?;
        }
        self.description.check_step(step, self.state().time)?;
        self.give_up();
        self.choose_response()?;
        let begun = self.stepping.begin_under_loads(step.size, start_loads, expected);
        begun.map_err(|error| self.failed(step, error))?;
        self.look_out(step)?;
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        Ok(Begun::UnderLoads(&self.stepping.response))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.begun("evaluate")?;
        self.stepping.evaluate(step.size, impulses).map_err(|error| self.failed(step, error))?;
        self.look_out(step)?;
        self.statistics.evaluations += 1;
        Ok(&self.stepping.response)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.begun("evaluate_rows")?;
        self.stepping.evaluate_rows(step.size, impulses).map_err(|error| self.failed(step, error))?;
        self.look_out(step)?;
        self.statistics.evaluations += 1;
        Ok(&self.stepping.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let step = self.begun("commit")?;
        if !self.description.pools.is_empty() {
            let evaluated = self.stepping.evaluate_rows(step.size, &loads.impulses);
            evaluated.map_err(|error| self.failed(step, error))?;
            self.look_out(step)?;
        }
        let times = (step.size, step.time + step.size);
        let taken = self.stepping.commit(times, &self.rows, loads);
        let ledger = taken.map_err(|error| self.failed(step, error))?;
        self.begun = None;
        self.statistics.steps += 1;
        self.find_pairs(false);
        self.read_rows();
        Ok(ledger)
    }

    fn discard(&mut self) {
        self.give_up();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        let step = MacroStep { size, ..self.instant() };
        self.description.check_step(step, self.state().time)?;
        self.give_up();
        self.choose_response()?;
        self.stepping.prepare_jump(size).map_err(|error| self.failed(step, error))?;
        self.jump_is_prepared = true;
        Ok(&self.stepping.response.inverse_mass)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.move_prepared("jump", impulses, Stepping::jump)
    }

    fn jump_work(&self) -> f64 {
        self.stepping.jump_work
    }

    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.move_prepared("shift", weights, Stepping::shift)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.stepping.solver.system().rows().set_inputs(inputs);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        let system = self.stepping.solver.system();
        system.rows().write_outputs(system.unloaded(), self.state(), out);
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        let (system, description) = (self.stepping.solver.system(), &self.description);
        let of_pools = out.len().saturating_sub(description.pools.len());
        let (own, of_pools) = out.split_at_mut(of_pools);
        let of_contacts = own.len().saturating_sub(contacts::counted(description));
        let (own, of_contacts) = own.split_at_mut(of_contacts);
        let stage = self.stepping.stage_of_reactions();
        system.rows().observe(system.unloaded(), self.state(), stage, own);
        contacts::observe(description, &self.rows, of_contacts);
        system.rows().pools().into_iter().for_each(|pools| pools.observe(of_pools));
    }

    fn look(&self, loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        self.description.check_loads(loads)?;
        out.clear();
        let (system, q) = (self.stepping.solver.system(), &self.state().q);
        system.rows().add_poses(system.unloaded(), q, &mut out.poses);
        let force = |(contact, loads): (usize, [f64; 3])| {
            if loads == [0.0; 3] {
                None
            } else {
                ContactForce::of(contact, system.rows().place(contact, q)?, loads)
            }
        };
        out.forces.extend(self.description.contact_loads(loads).filter_map(force));
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut values = self.stepping.save();
        self.stepping.solver.system().rows().pools().into_iter().for_each(|pools| pools.save(&mut values));
        Snapshot::encode(&self.description.name, &values)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let present = self.stepping.save();
        let pools = self.stepping.solver.system().rows().pools();
        let expected = present.len() + pools.map_or(0, ContactPools::saved_length);
        if values.len() != expected {
            let reason = format!("{} numbers instead of {expected}", values.len());
            return Err(self.bad_snapshot(reason));
        }
        let (values, of_pools) = values.split_at(present.len());
        if values.iter().any(|value| !value.is_finite()) {
            return Err(self.bad_snapshot("its numbers are not finite".to_owned()));
        }
        if !pools.is_none_or(|pools| pools.fits(of_pools)) {
            return Err(self.bad_snapshot("its numbers do not fit the pools of contacts".to_owned()));
        }
        if self.stepping.restore(values).is_none() {
            // What fitted once fits again.
            let _ = self.stepping.restore(&present);
            return Err(self.bad_snapshot("its numbers do not fit the state".to_owned()));
        }
        (self.begun, self.jump_is_prepared) = (None, false);
        self.statistics.rollbacks += 1;
        self.restore_pools(of_pools);
        self.read_rows();
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        let (_, effort) = self.stepping.solver.effort();
        Statistics {
            newton_iterations: effort.iterations as u64,
            factorizations: effort.factorizations as u64,
            refreshes: self.stepping.refreshes,
            ..self.statistics
        }
    }
}

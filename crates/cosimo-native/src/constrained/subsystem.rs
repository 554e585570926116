//! A constrained system behind the subsystem contract.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_smooth::dae::{DaeError, DaeState, RedundantRow};
use cosimo_subsystem::scene::{ContactForce, Sight};
use cosimo_subsystem::{
    ContactScale, Description, ExpectedLoads, Failure, Kind, MacroStep, RowState, Saved, Signal, Statistics,
    StepLoads, StepResponse, Stepped, SubsystemError, TrialLoads, Wanted as WantedPart,
};

use super::contacts;
use super::energy::energy;
use super::pools::ContactPools;
use super::rows::{ConstrainedRows, Increment};
use super::steps::Stepping;
use super::wanted::Wanted;

/// A constrained system with the rows through which others act on it. [`Multibody`](crate::Multibody) and
/// [`Planar`](crate::Planar) are such.
pub type Constrained<R> = Stepped<ConstrainedMotion<R>>;

/// The motion of a [`Constrained`] system.
#[derive(Debug)]
pub struct ConstrainedMotion<R: ConstrainedRows> {
    pub(super) description: Description,
    pub(super) stepping: Stepping<R>,
    rows: RowState,
    pub(super) wanted: Wanted,
}

impl<R: ConstrainedRows + 'static> ConstrainedMotion<R> {
    pub(super) fn new(description: Description, stepping: Stepping<R>) -> Constrained<R> {
        let (r, contacts) = (description.rows(), description.contacts.len());
        let pooled = if description.pools.is_empty() { 0 } else { contacts };
        let mut own = Self {
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
        };
        own.read_rows();
        Stepped::new(own)
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

    /// Changes the state between steps.
    fn change(
        &mut self,
        loads: &[f64],
        action: impl Fn(&mut Stepping<R>, &[f64]) -> Result<(), DaeError>,
    ) -> Result<(), Failure> {
        action(&mut self.stepping, loads).map_err(failure)?;
        self.find_pairs(true);
        self.read_rows();
        Ok(())
    }
}

/// Why a step failed: where a force jumps, shorter steps separate what comes before and after.
pub(super) fn failure(error: DaeError) -> Failure {
    match error {
        DaeError::ForceJumps { .. } => Failure::HoldsEvent(SubsystemError::chain(&error)),
        _ => error.into(),
    }
}

impl<R: ConstrainedRows + 'static> Kind for ConstrainedMotion<R> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        Some(self.state().time)
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        energy(&self.stepping.solver, self.state())
    }

    fn response(&self) -> &StepResponse {
        &self.stepping.response
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        if needed.len() != self.rows.positions.len() {
            return;
        }
        if self.description.pools.is_empty() {
            self.stepping.set_active_rows(needed);
        } else {
            self.wanted.needed.copy_from_slice(needed);
            self.wanted.is_stale = true;
        }
    }

    fn report_moves(&mut self, wanted: bool) {
        self.stepping.report_moves(wanted);
    }

    fn begin(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        self.choose_response()?;
        let expected = expected.filter(|_| !self.stepping.follows_error());
        match expected {
            None => self.stepping.begin(step.size, start_loads),
            Some(expected) => self.stepping.begin_predicted(step.size, start_loads, expected),
        }
        .map_err(failure)?;
        self.look_out(step)?;
        Ok(expected.map_or(TrialLoads::None, |_| TrialLoads::Expected))
    }

    fn evaluate(&mut self, step: MacroStep, impulses: &[f64], wanted: WantedPart) -> Result<(), Failure> {
        match wanted {
            WantedPart::Rows => self.stepping.evaluate_rows(step.size, impulses),
            WantedPart::Matrices => self.stepping.evaluate(step.size, impulses),
        }
        .map_err(failure)?;
        self.look_out(step)
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        if !self.description.pools.is_empty() {
            self.evaluate(step, &loads.impulses, WantedPart::Rows)?;
        }
        let times = (step.size, step.time + step.size);
        let ledger = self.stepping.commit(times, &self.rows, loads).map_err(failure)?;
        self.find_pairs(false);
        self.read_rows();
        Ok(ledger)
    }

    fn can_jump(&self) -> bool {
        true
    }

    fn prepare_jump(&mut self, size: f64) -> Result<(), Failure> {
        self.choose_response()?;
        self.stepping.prepare_jump(size).map_err(failure)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), Failure> {
        self.change(impulses, Stepping::jump)
    }

    fn jump_work(&self) -> f64 {
        self.stepping.jump_work
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), Failure> {
        self.change(weights, Stepping::project_positions)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) {
        self.stepping.solver.system().rows().set_inputs(inputs);
    }

    fn outputs(&self, _inputs: &[f64], out: &mut [f64]) -> Result<(), Failure> {
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

    fn look(&self, loads: &[f64], out: &mut Sight) {
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
    }

    fn save(&self) -> Result<Saved, Failure> {
        let mut values = self.stepping.save();
        self.stepping.solver.system().rows().pools().into_iter().for_each(|pools| pools.save(&mut values));
        Ok(values.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let pools = self.stepping.solver.system().rows().pools();
        let of_pools = pools.map_or(0, ContactPools::saved_length);
        let own = saved.numbers.len().checked_sub(of_pools).ok_or("there are too few numbers")?;
        let (values, of_pools) = saved.numbers.split_at(own);
        if !pools.is_none_or(|pools| pools.fits(of_pools)) {
            return Err("its numbers do not fit the pools of contacts".to_owned());
        }
        self.stepping.restore(values).ok_or("its numbers do not fit the state")?;
        self.restore_pools(of_pools);
        self.read_rows();
        Ok(())
    }

    fn effort(&self) -> Statistics {
        let (_, effort) = self.stepping.solver.effort();
        Statistics {
            newton_iterations: effort.iterations as u64,
            factorizations: effort.factorizations as u64,
            refreshes: self.stepping.refreshes,
            ..Statistics::default()
        }
    }
}

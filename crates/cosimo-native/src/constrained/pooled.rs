//! What pools of contacts ask of a constrained system.
//!
//! At every communication point the pairs that may touch before the next one are found and get contacts; after a jump of velocities
//! contacts come and none goes. The response is that of the rows that are needed and there. A trial step that brings a pair without a
//! contact to touch holds an event: the master takes it in parts, and finds the pair at a communication point on the way.

use cosimo_multibody::spatial::Exhausted;
use cosimo_subsystem::{Failure, MacroStep, SubsystemError};

use super::pools::ContactPools;
use super::rows::ConstrainedRows;
use super::steps::Stepping;
use super::subsystem::ConstrainedMotion;

impl<R: ConstrainedRows> ConstrainedMotion<R> {
    /// Finds the pairs that may touch from here on.
    pub(super) fn find_pairs(&mut self, is_jump: bool) {
        self.wanted.is_stale |= self.stepping.find_pairs(is_jump);
    }

    /// Goes back to the pairs that had contacts, by what was saved of them; the motion is the one restored.
    pub(super) fn restore_pools(&mut self, saved: &[f64]) {
        let state = self.stepping.solver.state();
        let (q, v) = (state.q.clone(), state.v.clone());
        if let Some(pools) = self.stepping.solver.system_mut().rows_mut().pools_mut() {
            pools.restore(saved, &q, &v);
            self.wanted.is_stale = true;
        }
    }

    /// Refuses to go on where more pairs may touch than a pool has contacts for.
    pub(crate) fn check_pools(&self) -> Result<(), SubsystemError> {
        let exhausted = self.stepping.solver.system().rows().pools().and_then(ContactPools::exhausted);
        let Some(Exhausted { pool, capacity, near }) = exhausted else { return Ok(()) };
        let subsystem = self.description.name.clone();
        Err(SubsystemError::PoolExhausted { subsystem, pool, capacity, near })
    }

    /// Makes the response that of the rows that are needed and there, before a step or a jump.
    pub(super) fn choose_response(&mut self) -> Result<(), Failure> {
        self.check_pools()?;
        let Some(pools) = self.stepping.solver.system().rows().pools() else { return Ok(()) };
        if std::mem::take(&mut self.wanted.is_stale) {
            self.wanted.present.copy_from_slice(&self.wanted.needed);
            pools.leave_out_absent(&mut self.wanted.present);
            self.stepping.set_active_rows(&self.wanted.present);
        }
        Ok(())
    }

    /// Refuses a trial step in which a pair without a contact meets.
    pub(super) fn look_out(&mut self, step: MacroStep) -> Result<(), Failure> {
        let Some(reason) = self.stepping.missed_pair(step.size) else { return Ok(()) };
        self.stepping.forget_trial();
        Err(Failure::HoldsEvent(reason))
    }
}

impl<R: ConstrainedRows> Stepping<R> {
    /// Finds the pairs that may touch from the present communication point on; says whether contacts have come or gone. What is
    /// remembered of the rows of those that have belongs to others.
    pub(super) fn find_pairs(&mut self, is_jump: bool) -> bool {
        let Self { solver, aim: q, change: v, slips, momenta, .. } = self;
        if solver.system().rows().pools().is_none() {
            return false;
        }
        q.copy_from_slice(&solver.state().q);
        v.copy_from_slice(&solver.state().v);
        let Some(pools) = solver.system_mut().rows_mut().pools_mut() else { return false };
        pools.find_pairs(q, v, is_jump);
        let mut has_changed = false;
        for row in pools.changed_rows() {
            slips[row] = 0.0;
            has_changed = true;
            momenta.iter_mut().for_each(|momenta| momenta.forget_row(row));
        }
        has_changed
    }

    /// The pair without a contact that the trial step brings to touch, in words.
    fn missed_pair(&self, h: f64) -> Option<String> {
        let pools = self.solver.system().rows().pools().filter(|_| !self.follows_error())?;
        pools.missed(self.solver.trial_increment(), h)
    }
}

//! Prescribed motions that leave what the mechanism reaches.

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};

use super::error::DaeError;
use super::names::constraint_of_row;
use super::solver::DaeSolver;

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Why a step of size `h` (s) cannot be solved, if constraints prescribe motions and no position near its start closes at its
    /// end: they are named.
    pub(super) fn out_of_reach(&mut self, h: f64) -> Option<DaeError> {
        let mut end = self.state.clone();
        end.time += h;
        let constraints = self.driven(end.time, &end.q);
        if constraints.is_empty() {
            return None;
        }
        let Self { system, closing, kkt, .. } = self;
        if closing.close_positions(system, kkt, &mut end).is_ok() {
            return None;
        }
        let left_out = kkt.left_out().to_vec();
        end.q.copy_from_slice(&self.state.q);
        let approached = closing.approach(system, kkt, &mut end);
        left_out.iter().enumerate().for_each(|(row, is_out)| kkt.leave_out(row, *is_out));
        let residual = approached.ok().filter(|residual| *residual > closing.allowed(&end.q))?;
        Some(DaeError::Unreachable { constraints: constraints.join(", "), residual, time: end.time })
    }

    /// Names of the constraints that prescribe a motion at this time (s) and position.
    fn driven(&mut self, t: f64, q: &[f64]) -> Vec<String> {
        let still = vec![0.0; self.state.v.len()];
        let rates = &mut self.closing.rows;
        self.system.constraints(Level::Velocity, Motion { t, q, v: &still }, &still, rates);
        let driven = rates.iter().enumerate().filter(|(_, rate)| **rate != 0.0);
        let mut names: Vec<String> =
            driven.map(|(row, _)| format!("`{}`", constraint_of_row(&self.system, row))).collect();
        names.dedup();
        names
    }
}

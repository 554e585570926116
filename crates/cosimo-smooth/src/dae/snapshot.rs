//! Saves a solver and goes back to what was saved.

use cosimo_dynamics::ConstrainedSystem;

use super::solver::DaeSolver;
use super::state::DaeState;

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Everything that influences the future as numbers: a restored solver goes on with the same bits.
    #[must_use]
    pub fn save(&self) -> Vec<f64> {
        let mut out = Vec::new();
        self.save_into(&mut out);
        out
    }

    /// Appends what [`save`](Self::save) returns.
    pub fn save_into(&self, out: &mut Vec<f64>) {
        let DaeState { time, q, v, a, mu } = &self.state;
        out.extend([*time, f64::from(u8::from(self.lacks_past))]);
        [q, v, a, mu].into_iter().for_each(|part| out.extend_from_slice(part));
        self.rule.save(out);
        self.system.save_memory(out);
        self.save_rows(out);
        self.save_factors(out);
    }

    /// Goes back to what [`save`](Self::save) wrote; `None`, and an unspecified state, where the numbers do not fit.
    pub fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let [time, lacks_past, rest @ ..] = saved else { return None };
        let mut rest = rest;
        let DaeState { q, v, a, mu, .. } = &mut self.state;
        for part in [q, v, a, mu] {
            let (own, others) = rest.split_at_checked(part.len())?;
            part.copy_from_slice(own);
            rest = others;
        }
        rest = rest.get(self.rule.restore(rest)?..)?;
        rest = rest.get(self.system.restore_memory(rest)?..)?;
        rest = rest.get(self.restore_rows(rest)?..)?;
        rest = rest.get(self.restore_factors(rest)?..)?;
        (self.state.time, self.lacks_past) = (*time, *lacks_past != 0.0);
        rest.is_empty().then_some(())
    }
}

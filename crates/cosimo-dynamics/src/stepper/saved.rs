//! What a stepper saves and takes back.

use super::{HEAD, Stepper};
use crate::MotionState;

impl Stepper {
    /// Appends everything that influences the future to `out`.
    pub fn save(&self, out: &mut Vec<f64>) {
        out.push(self.state.time);
        self.linear.save(out);
        for part in [&self.state.q[..], &self.state.v, &self.state.a] {
            out.extend_from_slice(part);
        }
        if let Some(momenta) = &self.momenta {
            momenta.save(out);
        }
        self.rule.save(out);
    }

    /// Reads back what [`save`](Self::save) wrote; `None`, and no change, when it does not fit.
    pub fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let mut present = Vec::with_capacity(saved.len());
        self.save(&mut present);
        if saved.len() != present.len() {
            return None;
        }
        let own = HEAD + 3 * self.state.q.len();
        let of_momenta = match &mut self.momenta {
            Some(momenta) => momenta.restore(&saved[own..])?,
            None => 0,
        };
        if self.rule.restore(&saved[own + of_momenta..])? != saved.len() - own - of_momenta {
            return None;
        }
        let (head, mut rest) = saved[..own].split_at(HEAD);
        self.state.time = head[0];
        self.linear.restore(&head[1..]);
        let MotionState { q, v, a, .. } = &mut self.state;
        for part in [&mut **q, v, a] {
            let (values, after) = rest.split_at(part.len());
            part.copy_from_slice(values);
            rest = after;
        }
        // Of this system, whose parameters may be others.
        self.energy = self.system.energy(&self.state.q, &self.state.v);
        self.power = None;
        self.ahead.forget();
        self.observe_start();
        Some(())
    }
}

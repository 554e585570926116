//! Steps saved and restored.

use super::{MeanStage, Stepping};
use crate::constrained::rows::ConstrainedRows;

impl<R: ConstrainedRows> Stepping<R> {
    /// Everything that influences the future.
    pub(crate) fn save(&self) -> Vec<f64> {
        let mut out = self.solver.save();
        self.controlled.iter().for_each(|controlled| controlled.save(&mut out));
        if let Some(MeanStage { time, q }) = &self.means {
            out.extend_from_slice(q);
            out.push(*time);
        }
        out.extend_from_slice(&self.slips[self.solver.system().rows().slips()]);
        // Read back before all else: the numbers of what follows are counted from its end.
        if let Some(momenta) = &self.momenta {
            momenta.save(&mut out);
        }
        out
    }

    /// Goes back to what [`save`](Self::save) wrote; `None`, and an unspecified state, where the numbers do not fit.
    pub(crate) fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let saved = match &mut self.momenta {
            Some(momenta) => {
                let (rest, own) = saved.split_at_checked(saved.len().checked_sub(momenta.saved_length())?)?;
                momenta.restore(own)?;
                rest
            }
            None => saved,
        };
        let own = self.solver.system().rows().slips();
        let (saved, slips) = saved.split_at_checked(saved.len().checked_sub(own.len())?)?;
        self.slips[own].copy_from_slice(slips);
        let rest = match &mut self.means {
            Some(means) => {
                let (time, rest) = saved.split_last()?;
                let (rest, q) = rest.split_at_checked(rest.len().checked_sub(means.q.len())?)?;
                means.time = *time;
                means.q.copy_from_slice(q);
                rest
            }
            None => saved,
        };
        let rest = match &mut self.controlled {
            Some(controlled) => controlled.restore(rest)?,
            None => rest,
        };
        self.solver.restore(rest)
    }
}

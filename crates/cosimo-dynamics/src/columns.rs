//! The motions that loads on the rows cause, one per row.

use cosimo_linear::InlineVector;

/// A matrix of `n` coordinates by columns, one per row of the ports and contacts.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    n: usize,
    /// In place for a point with two ports.
    entries: InlineVector<18>,
}

impl Columns {
    /// `count` zero columns of length `n`.
    pub(crate) fn zeros(n: usize, count: usize) -> Self {
        Self { n, entries: InlineVector::zeros(n * count) }
    }

    /// Number of columns.
    pub(crate) fn count(&self) -> usize {
        self.entries.len() / self.n.max(1)
    }

    pub(crate) fn column(&self, k: usize) -> &[f64] {
        &self.entries[k * self.n..(k + 1) * self.n]
    }

    pub(crate) fn column_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.entries[k * self.n..(k + 1) * self.n]
    }

    /// `target ← target + factor · columns · loads`, for one or two targets.
    pub(crate) fn apply(&self, loads: &[f64], first: (f64, &mut [f64]), second: Option<(f64, &mut [f64])>) {
        let mut targets = [Some(first), second];
        let targets = targets.iter_mut().flatten();
        match self.n {
            1 => targets.for_each(|target| apply_short::<1>(&self.entries, loads, target)),
            3 => targets.for_each(|target| apply_short::<3>(&self.entries, loads, target)),
            n => targets.for_each(|target| apply_long(n, &self.entries, loads, target)),
        }
    }
}

/// The sum for motions of `N` coordinates, whose loops need no counter.
fn apply_short<const N: usize>(motion: &[f64], loads: &[f64], (factor, target): &mut (f64, &mut [f64])) {
    let Some((target, [])) = target.split_first_chunk_mut::<N>() else { return };
    let mut sum = *target;
    for (column, load) in motion.as_chunks::<N>().0.iter().zip(loads) {
        let scaled = *factor * load;
        sum.iter_mut().zip(column).for_each(|(x, c)| *x += scaled * c);
    }
    *target = sum;
}

fn apply_long(n: usize, motion: &[f64], loads: &[f64], (factor, target): &mut (f64, &mut [f64])) {
    for (column, load) in motion.chunks_exact(n.max(1)).zip(loads).filter(|(_, load)| **load != 0.0) {
        let scaled = *factor * load;
        target.iter_mut().zip(column).for_each(|(x, c)| *x += scaled * c);
    }
}

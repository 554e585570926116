//! Rows of a system on which others act from outside: joints to other systems.

use nalgebra::DMatrix;

/// Rows `z(q)` of a system with `ż = Z v`, on which impulses `X` act from outside by `Zᵀ X`. SI units. Methods must not allocate.
pub trait OuterRows: std::fmt::Debug + Send {
    /// Number of rows.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes `Zᵀ` at these positions, a column for each row.
    fn unit_forces(&self, q: &[f64], out: &mut DMatrix<f64>);
}

/// What acts on the rows in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outside<'a> {
    pub(crate) rows: &'a dyn OuterRows,
    /// `X` (N s), one per row.
    pub(crate) impulses: &'a [f64],
}

//! Several row sets as one.

use cosimo_dynamics::Kinematics;
use nalgebra::DMatrix;

/// The rows of several [`Kinematics`] one below the other, in the given order: the ports, or the contacts, of one
/// subsystem.
#[derive(Default)]
pub struct StackedRows {
    parts: Vec<Box<dyn Kinematics>>,
}

impl StackedRows {
    /// Stacks these row sets; all must observe the same `n` coordinates.
    #[must_use]
    pub fn new(parts: Vec<Box<dyn Kinematics>>) -> Self {
        Self { parts }
    }

    /// Calls `visit` for every part with the number of rows before it.
    fn for_each(&self, mut visit: impl FnMut(usize, &dyn Kinematics)) {
        let mut first = 0;
        for part in &self.parts {
            visit(first, part.as_ref());
            first += part.rows();
        }
    }
}

impl Kinematics for StackedRows {
    fn rows(&self) -> usize {
        self.parts.iter().map(|part| part.rows()).sum()
    }

    fn is_constant(&self) -> bool {
        self.parts.iter().all(|part| part.is_constant())
    }

    fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        self.for_each(|first, part| part.positions(t, q, &mut out[first..first + part.rows()]));
    }

    fn velocities(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.for_each(|first, part| part.velocities(t, q, v, &mut out[first..first + part.rows()]));
    }

    fn jacobian(&self, t: f64, q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        self.for_each(|before, part| part.jacobian(t, q, first + before, out));
    }

    fn velocity_gradient(&self, t: f64, q: &[f64], v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        self.for_each(|before, part| part.velocity_gradient(t, q, v, first + before, out));
    }
}

impl std::fmt::Debug for StackedRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StackedRows")
            .field("parts", &self.parts.len())
            .field("rows", &self.rows())
            .finish_non_exhaustive()
    }
}

//! The solvers of contacts that act together, and where they begin.

use cosimo_complementarity::friction::{
    AlartCurnier, BlockMatrix, Delassus, FrictionConfig, FrictionError, GaussSeidel, GaussSeidelConfig,
    solve_contact,
};
use nalgebra::Vector3;

use crate::thresholds::Accuracy;

/// Sweeps before Newton's method is tried, its steps, and those without progress after which it gives up.
const SWEEPS: usize = 48;
const NEWTON_STEPS: usize = 40;
const PATIENCE: usize = 12;

/// The solvers of contacts that act together.
#[derive(Debug, Clone)]
pub(super) struct Solvers {
    pub(super) sweeps: GaussSeidel,
    pub(super) newton: AlartCurnier,
}

impl Solvers {
    pub(super) fn new(tolerance: f64) -> Result<Self, FrictionError> {
        let sweeps = GaussSeidelConfig { tolerance, max_sweeps: SWEEPS, ..Default::default() };
        let newton = FrictionConfig { tolerance, max_iterations: Some(NEWTON_STEPS) };
        let newton = AlartCurnier::new(newton)?.with_patience(PATIENCE);
        Ok(Self { sweeps: GaussSeidel::new(sweeps)?, newton })
    }
}

/// The solvers of contacts that act together, made when they are needed.
pub(super) fn made(solvers: &mut Option<Solvers>, accuracy: Accuracy) -> Result<&mut Solvers, FrictionError> {
    match solvers {
        Some(solvers) => Ok(solvers),
        none => Ok(none.insert(Solvers::new(accuracy.goal)?)),
    }
}

/// Where Newton's method begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guess {
    /// At the impulses at hand.
    AsIs,
    /// Without impulses.
    Zero,
    /// With the impulse that each contact would have alone.
    Alone,
}

impl Guess {
    /// Overwrites the impulses by the guess for these blocks, offsets and coefficients of friction.
    pub(super) fn write(
        self,
        (delassus, offset, friction): (&BlockMatrix<3>, &[f64], &[f64]),
        impulses: &mut [f64],
    ) {
        match self {
            Self::AsIs => {}
            Self::Zero => impulses.fill(0.0),
            Self::Alone => {
                for (contact, out) in impulses.chunks_exact_mut(3).enumerate() {
                    let velocity = Vector3::from_column_slice(&offset[3 * contact..3 * contact + 3]);
                    let alone = solve_contact(&delassus.block(contact), &velocity, friction[contact]);
                    out.copy_from_slice(alone.unwrap_or_default().as_slice());
                }
            }
        }
    }
}

//! The two saddle points of a step.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_smooth::dae::{DaeError, SaddlePoint, TangentPoint};

use super::contact_jacobian::ContactJacobian;
use super::tangent_blocks::TangentBlocks;

/// Share of its free mobility below which nothing gives way at a contact.
pub(crate) const HELD: f64 = 1e-12;
/// Rate (m/s), relative to `1 + max |v|`, up to which such a contact closes by round-off.
pub(crate) const CLOSING: f64 = 1e-9;

/// The matrices of a step, factorised where their entries have changed:
///
/// ```text
///   step   [ M + c_v C + c_q K   Φᵀ; Φ  0 ]        mass   [ M   Φᵀ; Φ  0 ]
/// ```
///
/// Those of linear systems are taken once, and factorised anew only for steps of another size.
#[derive(Debug)]
pub(crate) struct StepMatrices {
    pub(crate) step: SaddlePoint,
    pub(crate) mass: SaddlePoint,
    /// First velocity and size of every block of coordinates.
    blocks: Vec<(usize, usize)>,
    taken: TangentBlocks,
    kept: TangentBlocks,
    /// Diagonal of `M`.
    masses: Vec<f64>,
    /// Weights with which the factors were made.
    weights: Option<(f64, f64)>,
    /// Factorisations of the matrix of the step so far; what was solved with both holds until there is another.
    pub(crate) factorizations: usize,
}

impl StepMatrices {
    pub(crate) fn new(system: &dyn ConstrainedSystem, t: f64, q: &[f64]) -> Result<Self, DaeError> {
        let blocks = system.structure().coordinates().blocks();
        Ok(Self {
            step: SaddlePoint::new(system, t, q)?,
            mass: SaddlePoint::new(system, t, q)?,
            blocks: blocks.iter().map(|block| (block.velocity, block.kind.velocities())).collect(),
            taken: TangentBlocks::default(),
            kept: TangentBlocks::default(),
            masses: vec![0.0; system.structure().velocities()],
            weights: None,
            factorizations: 0,
        })
    }

    /// Brings both up to date with these weights `c_v` (s) and `c_q` (s²).
    pub(crate) fn refresh(
        &mut self,
        system: &dyn ConstrainedSystem,
        weights: (f64, f64),
        at: TangentPoint<'_>,
    ) -> Result<(), DaeError> {
        let had_mass = self.weights.is_some();
        let is_same = had_mass && (system.is_linear() || self.is_unchanged(system, at));
        if is_same && self.weights == Some(weights) {
            return Ok(());
        }
        self.weights = None;
        self.step.factorize(system, weights, at)?;
        if !is_same {
            self.mass.factorize(system, (0.0, 0.0), at)?;
            self.take(system, at);
        }
        self.weights = Some(weights);
        self.factorizations += 1;
        Ok(())
    }

    /// Factorises the matrix of the mass alone.
    pub(crate) fn take_mass(
        &mut self,
        system: &dyn ConstrainedSystem,
        at: TangentPoint<'_>,
    ) -> Result<(), DaeError> {
        self.weights = None;
        self.mass.factorize(system, (0.0, 0.0), at)?;
        self.take(system, at);
        Ok(())
    }

    /// Takes the tangents without factorising.
    pub(crate) fn take(&mut self, system: &dyn ConstrainedSystem, at: TangentPoint<'_>) {
        self.kept.take(system, at);
        self.kept.mass_diagonal(&self.blocks, &mut self.masses);
    }

    /// What this mobility (1/kg) of a row is to that which it would have if no constraint held it, about.
    pub(crate) fn share_of_free(&self, jacobian: &ContactJacobian, row: usize, mobility: f64) -> f64 {
        let free = jacobian.square(row, &self.masses);
        if free > 0.0 { mobility.abs() / free } else { 0.0 }
    }

    /// Mobility (1/kg) along a force of this unit, if no constraint held it, about.
    pub(crate) fn free_mobility(&self, force: &[f64]) -> f64 {
        let entries = force.iter().zip(&self.masses).filter(|(_, mass)| **mass > 0.0);
        entries.map(|(x, mass)| x * x / mass).sum()
    }

    fn is_unchanged(&mut self, system: &dyn ConstrainedSystem, at: TangentPoint<'_>) -> bool {
        self.taken.take(system, at);
        self.taken == self.kept
    }

    /// The tangents that were factorised.
    pub(crate) fn tangents(&self) -> &TangentBlocks {
        &self.kept
    }

    /// Writes `(damping C + stiffness K) x`.
    pub(crate) fn tangent_product(&self, weights: (f64, f64), x: &[f64], out: &mut [f64]) {
        self.kept.product(weights, &self.blocks, x, out);
    }
}

//! ConstrainedRows of bodies that nothing moves: held by prescribed motions or by joints.
//!
//! Round-off leaves of their inverse mass a number that is not zero, and an impact would take it for that of a very heavy body.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Structure};

/// Share of the inverse mass without joints below which a row is held.
const HELD: f64 = 1e-13;

/// Finds rows that are held, by the inverse masses that they have without joints.
#[derive(Debug)]
pub(super) struct HeldRows {
    /// Diagonal of the mass matrix.
    masses: Vec<f64>,
    /// `Σ fᵢ²/Mᵢᵢ` of unit forces on the rows (1/kg).
    free: Vec<f64>,
}

impl HeldRows {
    /// For a system at these positions, with room for `rows` rows.
    pub(super) fn new(system: &dyn ConstrainedSystem, q: &[f64], rows: usize) -> Self {
        let structure = system.structure();
        let mut diagonal = Diagonal { structure, values: vec![0.0; structure.velocities()] };
        system.masses(q, &mut diagonal);
        Self { masses: diagonal.values, free: Vec::with_capacity(rows) }
    }

    /// Takes the forces of unit loads on the rows, one after the other.
    pub(super) fn take<'a>(&mut self, forces: impl Iterator<Item = &'a [f64]>) {
        let square = |(force, mass): (&f64, &f64)| if *mass > 0.0 { force * force / mass } else { 0.0 };
        self.free.clear();
        self.free.extend(forces.map(|forces| forces.iter().zip(&self.masses).map(square).sum::<f64>()));
    }

    /// Clears the answer of a row to a unit impulse on it, `change`, if it is held.
    pub(super) fn clear(&self, (k, row): (usize, usize), change: &mut [f64]) {
        if change[row].abs() <= HELD * self.free[k] {
            change.fill(0.0);
        }
    }
}

/// Takes up the diagonal of the mass matrix.
struct Diagonal<'a> {
    structure: &'a Structure,
    values: Vec<f64>,
}

impl MatrixSink for Diagonal<'_> {
    fn mass(&mut self, block: usize, values: &[f64]) {
        let block = &self.structure.coordinates().blocks()[block];
        let diagonal = values.iter().step_by(block.kind.velocities() + 1);
        self.values[block.velocity..].iter_mut().zip(diagonal).for_each(|(mass, x)| *mass += x);
    }

    fn jacobian(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
    fn mass_coupling(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn damping(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

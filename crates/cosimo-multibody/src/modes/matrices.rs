//! Dense matrices of a system at one state.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Motion, Structure};
use nalgebra::DMatrix;

use super::turning::Turning;

/// Collects blocks.
struct Collector<'a> {
    structure: &'a Structure,
    mass: DMatrix<f64>,
    damping: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    jacobian: DMatrix<f64>,
}

impl Collector<'_> {
    /// First row and rows of a block of coordinates.
    fn place(&self, block: usize) -> (usize, usize) {
        let block = &self.structure.coordinates().blocks()[block];
        (block.velocity, block.kind.velocities())
    }

    fn places(&self, row: usize, column: usize) -> [(usize, usize); 2] {
        [self.place(row), self.place(column)]
    }
}

fn add(matrix: &mut DMatrix<f64>, [row, column]: [(usize, usize); 2], values: &[f64]) {
    let mut view = matrix.view_mut((row.0, column.0), (row.1, column.1));
    view.iter_mut().zip(values).for_each(|(own, x)| *own += x);
}

impl MatrixSink for Collector<'_> {
    fn mass(&mut self, block: usize, values: &[f64]) {
        let places = self.places(block, block);
        add(&mut self.mass, places, values);
    }
    fn mass_coupling(&mut self, row: usize, column: usize, values: &[f64]) {
        let places = self.places(row, column);
        add(&mut self.mass, places, values);
    }
    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        let places = self.places(row, column);
        add(&mut self.damping, places, values);
    }
    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        let places = self.places(row, column);
        add(&mut self.stiffness, places, values);
    }
    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let own = &self.structure.constraints()[constraint];
        let places = [(own.first, own.rows), self.place(block)];
        add(&mut self.jacobian, places, values);
    }
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

/// Matrices in axes that turn with the system.
#[derive(Debug)]
pub(super) struct Linearised {
    pub(super) mass: DMatrix<f64>,
    /// `C + M G`.
    pub(super) damping: DMatrix<f64>,
    /// `K + C S + M Z`.
    pub(super) stiffness: DMatrix<f64>,
    /// `Φ`.
    pub(super) jacobian: DMatrix<f64>,
    /// Coordinates of which the rate alone matters: `y` is their rate.
    pub(super) states: Vec<usize>,
}

impl Linearised {
    pub(super) fn at(
        system: &dyn ConstrainedSystem,
        turning: &Turning,
        motion: Motion<'_>,
        (a, mu): (&[f64], &[f64]),
    ) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        let square = || DMatrix::zeros(n, n);
        let (mass, damping, stiffness) = (square(), square(), square());
        let mut of = Collector { structure, mass, damping, stiffness, jacobian: DMatrix::zeros(m, n) };
        system.tangents(motion, a, mu, &mut of);
        system.jacobian(motion.t, motion.q, &mut of);
        let Collector { mut mass, mut damping, mut stiffness, jacobian, .. } = of;
        if turning.spin.norm() > 0.0 {
            let [of_velocity, by_rate, by_position] = turning.derivatives(structure.coordinates(), motion.q);
            stiffness += &damping * of_velocity + &mass * by_position;
            damping += &mass * by_rate;
        }
        let states = states(structure, &stiffness, &jacobian);
        for &k in &states {
            // δv = y, δa = ẏ.
            stiffness.set_column(k, &damping.column(k));
            damping.set_column(k, &mass.column(k));
            mass.column_mut(k).fill(0.0);
        }
        Self { mass, damping, stiffness, jacobian, states }
    }
}

/// Coordinates of vector spaces on whose positions nothing depends, such as the integrals of the states of elements.
fn states(structure: &Structure, stiffness: &DMatrix<f64>, jacobian: &DMatrix<f64>) -> Vec<usize> {
    let blocks = structure.coordinates().blocks().iter().filter(|block| !block.kind.turns());
    let all = blocks.flat_map(|block| block.velocity..block.velocity + block.kind.velocities());
    all.filter(|&k| stiffness.column(k).amax() == 0.0 && jacobian.column(k).iter().all(|x| *x == 0.0))
        .collect()
}

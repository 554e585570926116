//! Motions that nothing holds.
//!
//! A direction `n` is free where the stiffness along it is round-off of the entries that it is made of:
//!
//! ```text
//!   |nᵀ K n| ≤ tiny · |n|ᵀ |K| |n|
//! ```
//!
//! which no choice of units changes; or of the error of `n` itself, which is that of the directions found, where `K` has no entries along
//! it. Such directions are found by inverse iteration of a subspace with `K + σ M`, and made
//! orthonormal by the masses.

use cosimo_dynamics::{ConstrainedSystem, CoordinateBlock};
use nalgebra::{DMatrix, DVector, DVectorView};

use super::constraints::Constraints;
use super::matrices::{Linearised, Of};
use super::saddle::Saddle;

/// Stiffness relative to that of its parts which is round-off.
const TINY: f64 = 1e-12;

/// `ω²` relative to the largest of an increment alone, of the size of the square of the error of a direction.
const STRAY: f64 = 1e-22;

/// `σ` relative to the largest stiffness over the largest mass.
const SHIFT: f64 = 1e-13;

/// Directions with which the iteration begins, and how often it is done.
const FIRST: usize = 8;
const ITERATIONS: usize = 4;

/// Increment, relative to the largest of a motion, from which a body takes part in it.
const SEEN: f64 = 1e-6;

/// Directions of the six increments of a body.
const DIRECTIONS: [&str; 6] = ["along x", "along y", "along z", "about its x", "about its y", "about its z"];

/// A motion that nothing holds.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeMotion {
    /// Increments of all bodies, and of states of elements, of length one.
    pub shape: DVector<f64>,
    /// What moves, as "body `hub` about its z, and 3 others with it".
    pub name: String,
}

/// The motions that nothing holds.
pub(super) fn free_motions(
    system: &dyn ConstrainedSystem,
    all: &Linearised,
    constraints: &Constraints,
) -> Vec<FreeMotion> {
    let mass = all.diagonal(Of::Mass);
    let shapes = apart(free_directions(all, constraints), &mass);
    let motion = |shape: DVectorView<'_, f64>| {
        let shape = shape.normalize();
        FreeMotion { name: leader(system, &mass, &shape).0, shape }
    };
    shapes.column_iter().map(motion).collect()
}

/// Combinations of the columns each of which has an increment of its own, by the masses the largest one: what moves by itself is a
/// column by itself.
fn apart(mut shapes: DMatrix<f64>, mass: &DVector<f64>) -> DMatrix<f64> {
    let (rows, columns) = shapes.shape();
    for own in 0..columns {
        let size = |row: usize, column: usize| mass[row].sqrt() * shapes[(row, column)].abs();
        let places = (own..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
        let largest = places.max_by(|a, b| size(a.0, a.1).total_cmp(&size(b.0, b.1)));
        let Some((row, column)) = largest.filter(|(row, column)| size(*row, *column) > 0.0) else { break };
        shapes.swap_columns(own, column);
        let pivot = shapes.column(own) / shapes[(row, own)];
        for other in (0..columns).filter(|other| *other != own) {
            let share = shapes[(row, other)];
            shapes.column_mut(other).axpy(-share, &pivot, 1.0);
        }
    }
    shapes
}

/// What moves: the first body that does, and how many others; with the increment that it moves by most.
pub(super) fn leader(
    system: &dyn ConstrainedSystem,
    mass: &DVector<f64>,
    shape: &DVector<f64>,
) -> (String, usize) {
    let energy = |k: usize| mass[k] * shape[k] * shape[k];
    let least = SEEN * shape.amax();
    let blocks = system.structure().coordinates().blocks().iter().enumerate();
    let moving: Vec<_> = blocks
        .filter(|(_, block)| {
            let mut own = block.velocity..block.velocity + block.kind.velocities();
            own.any(|k| shape[k].abs() > least)
        })
        .collect();
    let Some((number, first)) = moving.first() else { return ("nothing".to_owned(), 0) };
    let size = |k: &usize| energy(first.velocity + k);
    let largest = (0..first.kind.velocities()).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0);
    let is_rigid = first.kind == CoordinateBlock::Rigid;
    let direction = if is_rigid { format!(" {}", DIRECTIONS[largest]) } else { String::new() };
    let others = with_others(moving.len() - 1);
    let name = format!("{}{direction}{others}", system.coordinate_name(*number));
    (name, first.velocity + largest)
}

fn with_others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", and 1 other with it".to_owned(),
        count => format!(", and {count} others with it"),
    }
}

/// A basis of the directions that nothing holds, orthonormal by the masses.
pub(super) fn free_directions(all: &Linearised, constraints: &Constraints) -> DMatrix<f64> {
    let (n, free) = (all.size(), constraints.free());
    let none = DMatrix::zeros(n, 0);
    if free == 0 {
        return none;
    }
    let largest = all.largest(Of::Stiffness);
    let shift = if largest > 0.0 { SHIFT * largest / all.largest(Of::Mass) } else { 1.0 };
    let shifted = all.sum(&[(Of::Stiffness, 1.0), (Of::Mass, shift)]);
    let Some(saddle) = Saddle::new(shifted, constraints, &none) else { return none };
    let mut count = FIRST.min(free);
    loop {
        let start = |i: usize, j: usize| ((i + 1) as f64 * (1.0 + 0.37 * j as f64)).sin();
        let mut x: Vec<DVector<f64>> = (0..count).map(|j| DVector::from_fn(n, |i, _| start(i, j))).collect();
        for iteration in 0..ITERATIONS {
            let forces = |x: DVector<f64>| if iteration == 0 { x } else { all.product(Of::Mass, &x) };
            x = orthonormal(x.into_iter().map(|x| saddle.increment(&forces(x))), all);
        }
        let found = softest(&x, all);
        // Where as many are free as were looked for there may be more.
        if found.len() < count || count == free {
            return if found.is_empty() { none } else { DMatrix::from_columns(&found) };
        }
        count = (2 * count).min(free);
    }
}

/// Those combinations of the vectors along which the stiffness is round-off.
fn softest(x: &[DVector<f64>], all: &Linearised) -> Vec<DVector<f64>> {
    let images: Vec<DVector<f64>> = x.iter().map(|x| all.product(Of::Stiffness, x)).collect();
    let along =
        DMatrix::from_fn(x.len(), x.len(), |i, j| 0.5 * (x[i].dot(&images[j]) + x[j].dot(&images[i])));
    let turns = along.symmetric_eigen().eigenvectors;
    let (mass, stiffness) = (all.diagonal(Of::Mass), all.diagonal(Of::Stiffness));
    let square = |k: usize| if mass[k] > 0.0 { stiffness[k].abs() / mass[k] } else { 0.0 };
    let stray = STRAY * (0..mass.len()).map(square).fold(0.0, f64::max);
    let is_free = |column: &DVector<f64>| {
        let own = column.dot(&all.product(Of::Stiffness, column)).abs();
        own <= stray.max(TINY * all.size_along(Of::Stiffness, &column.abs()))
    };
    let turned = |turn: DVectorView<'_, f64>| {
        let parts = x.iter().zip(turn.iter());
        parts.fold(DVector::zeros(all.size()), |sum, (x, share)| sum + x * *share)
    };
    turns.column_iter().map(turned).filter(is_free).collect()
}

/// The vectors made orthonormal by the masses, without those that add nothing.
fn orthonormal(x: impl Iterator<Item = DVector<f64>>, all: &Linearised) -> Vec<DVector<f64>> {
    let mut found: Vec<DVector<f64>> = Vec::new();
    let length = |x: &DVector<f64>| x.dot(&all.product(Of::Mass, x)).max(0.0).sqrt();
    for mut rest in x {
        let before = length(&rest);
        for _ in 0..2 {
            let weighted = all.product(Of::Mass, &rest);
            let shares: Vec<f64> = found.iter().map(|other| other.dot(&weighted)).collect();
            found.iter().zip(shares).for_each(|(other, share)| rest.axpy(-share, other, 1.0));
        }
        let left = length(&rest);
        if left > 1e-10 * before && left.is_finite() {
            found.push(rest / left);
        }
    }
    found
}

//! The matrices of a solved step, found once, and their products with the answer.

use cosimo_dynamics::{MatrixSink, Structure};

use super::columns::Columns;
use crate::dae::formulation::Formulation;
use crate::dae::solved::Solved;

/// Velocities of a body.
const BODY: usize = 6;

/// Matrices where forces balance, and at the end of a step.
#[derive(Debug)]
pub(super) struct Matrices {
    /// `M`, `C`, `K` and `Φ`.
    pub(super) stage: Recorded,
    /// `Φ`, and `∂φ̇/∂q` where the formulation asks for rates.
    pub(super) end: Recorded,
}

impl Matrices {
    /// Room for those of a system.
    pub(super) fn of(structure: &Structure) -> Self {
        Self { stage: Recorded::of(structure), end: Recorded::of(structure) }
    }

    /// Finds those of a step. Where several forces act between the same bodies, storage grows with the first.
    pub(super) fn find(&mut self, solved: &Solved<'_>) {
        let (system, end, stage) = (solved.problem.system, solved.end, solved.stage);
        let structure = system.structure();
        let mut at_stage = Recorder::new(structure, &mut self.stage);
        system.tangents(stage, &end.a, &end.mu, &mut at_stage);
        system.jacobian(stage.t, stage.q, &mut at_stage);
        let mut at_end = Recorder::new(structure, &mut self.end);
        system.jacobian(end.time, &end.q, &mut at_end);
        if takes_rates(solved.problem.formulation()) {
            system.rate_gradient(solved.motion(), &mut at_end);
        }
    }
}

/// Whether the derivative of `φ̇` is part of an answer.
fn takes_rates(formulation: Formulation) -> bool {
    use cosimo_dynamics::Level::Velocity;
    formulation.level() == Velocity || formulation.projects_velocities() || formulation.feedback().is_some()
}

/// Matrices at one point of a motion.
#[derive(Debug)]
pub(super) struct Recorded {
    /// `M`, `C` and `K`, and what each of their blocks is multiplied by.
    tangents: Blocks,
    of_tangents: Vec<Of>,
    jacobian: Blocks,
    /// `Φᵀ`.
    reactions: Blocks,
    gradient: Blocks,
}

/// What a block is multiplied by.
#[derive(Debug, Clone, Copy)]
enum Of {
    Acceleration,
    Velocity,
    Position,
}

impl Recorded {
    /// Room for the masses, some stiffnesses and dampings of every body and coupling, the stiffness of every constraint, and
    /// the rows.
    fn of(structure: &Structure) -> Self {
        let bodies = structure.coordinates().blocks().len();
        let of_constraints = structure.constraints().iter();
        let pairs: usize = of_constraints.clone().map(|rows| rows.touches.len().pow(2)).sum();
        let tangents = 8 * bodies + pairs + 8 * structure.couplings().len();
        let touched: usize = of_constraints.clone().map(|rows| rows.touches.len()).sum();
        let numbers: usize = of_constraints.map(|rows| BODY * rows.rows * rows.touches.len()).sum();
        let rows = || Blocks::with_room(touched, numbers);
        Self {
            tangents: Blocks::with_room(tangents, tangents * BODY * BODY),
            of_tangents: Vec::with_capacity(tangents),
            jacobian: rows(),
            reactions: rows(),
            gradient: rows(),
        }
    }

    /// Adds `M δa + C δv + K δq`, with these three as `[δa, δv, δq]`.
    pub(super) fn add_balance<const L: usize>(&self, [a, v, q]: [&Columns<L>; 3], out: &mut Columns<L>) {
        for group in 0..out.groups() {
            for (place, of) in self.tangents.places.iter().zip(&self.of_tangents) {
                let x = match of {
                    Of::Acceleration => a,
                    Of::Velocity => v,
                    Of::Position => q,
                };
                self.tangents.add_block(place, x.group(group), out.group_mut(group));
            }
        }
    }

    /// Adds `Φᵀ δμ`.
    pub(super) fn add_reactions<const L: usize>(&self, multipliers: &Columns<L>, out: &mut Columns<L>) {
        for group in 0..out.groups() {
            let (mu, out) = (multipliers.group(group), out.group_mut(group));
            self.reactions.places.iter().for_each(|place| self.reactions.add_sums(place, mu, out));
        }
    }

    /// Adds `Φ x`.
    pub(super) fn add_rows<const L: usize>(&self, x: &Columns<L>, out: &mut Columns<L>) {
        self.jacobian.add_product(x, out);
    }

    /// Adds `(∂φ̇/∂q) x`.
    pub(super) fn add_gradient<const L: usize>(&self, x: &Columns<L>, out: &mut Columns<L>) {
        self.gradient.add_product(x, out);
    }
}

/// Dense blocks of a matrix, each by rows.
#[derive(Debug)]
struct Blocks {
    places: Vec<Place>,
    values: Vec<f64>,
}

/// Where a block stands in its matrix, and where its numbers begin.
#[derive(Debug)]
struct Place {
    row: Range,
    column: Range,
    start: usize,
}

/// So many rows or columns from a first on.
#[derive(Debug, Clone, Copy)]
struct Range {
    first: usize,
    count: usize,
}

impl Range {
    /// The part of a vector that these rows or columns are.
    fn of<T>(self, x: &[T]) -> &[T] {
        &x[self.first..self.first + self.count]
    }

    fn of_mut<T>(self, x: &mut [T]) -> &mut [T] {
        &mut x[self.first..self.first + self.count]
    }
}

impl Blocks {
    fn with_room(blocks: usize, numbers: usize) -> Self {
        Self { places: Vec::with_capacity(blocks), values: Vec::with_capacity(numbers) }
    }

    fn clear(&mut self) {
        self.places.clear();
        self.values.clear();
    }

    /// Takes a block that is given by columns.
    fn push(&mut self, row: Range, column: Range, values: &[f64]) {
        self.places.push(Place { row, column, start: self.values.len() });
        for r in 0..row.count {
            self.values.extend(values[r..].iter().step_by(row.count));
        }
    }

    /// Takes the transpose of a block that is given by columns.
    fn push_transposed(&mut self, row: Range, column: Range, values: &[f64]) {
        self.places.push(Place { row: column, column: row, start: self.values.len() });
        self.values.extend_from_slice(values);
    }

    fn add_product<const L: usize>(&self, x: &Columns<L>, out: &mut Columns<L>) {
        for group in 0..out.groups() {
            let (x, out) = (x.group(group), out.group_mut(group));
            self.places.iter().for_each(|place| self.add_block(place, x, out));
        }
    }

    /// The rows of a block.
    fn rows(&self, place: &Place) -> impl Iterator<Item = &[f64]> {
        let Place { row, column, start } = place;
        self.values[*start..start + row.count * column.count].chunks_exact(column.count.max(1))
    }

    /// Adds the product of a block, number by number.
    fn add_block<const L: usize>(&self, place: &Place, x: &[[f64; L]], out: &mut [[f64; L]]) {
        let x = place.column.of(x);
        for (out, values) in place.row.of_mut(out).iter_mut().zip(self.rows(place)) {
            *out = add_row(*out, values, x);
        }
    }

    /// Adds the product of a block, row by row.
    fn add_sums<const L: usize>(&self, place: &Place, x: &[[f64; L]], out: &mut [[f64; L]]) {
        let x = place.column.of(x);
        for (out, values) in place.row.of_mut(out).iter_mut().zip(self.rows(place)) {
            let sums = add_row([-0.0; L], values, x);
            out.iter_mut().zip(&sums).for_each(|(out, sum)| *out += sum);
        }
    }
}

/// Sums and a row of a block times some rows of `x`.
#[inline]
fn add_row<const L: usize>(mut sums: [f64; L], values: &[f64], x: &[[f64; L]]) -> [f64; L] {
    for (value, x) in values.iter().zip(x) {
        sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += value * x);
    }
    sums
}

/// Records what a system reports.
struct Recorder<'a> {
    structure: &'a Structure,
    recorded: &'a mut Recorded,
}

impl<'a> Recorder<'a> {
    fn new(structure: &'a Structure, recorded: &'a mut Recorded) -> Self {
        let Recorded { tangents, of_tangents, jacobian, reactions, gradient } = recorded;
        [tangents, jacobian, reactions, gradient].into_iter().for_each(Blocks::clear);
        of_tangents.clear();
        Self { structure, recorded }
    }

    fn coordinates(&self, block: usize) -> Range {
        let block = &self.structure.coordinates().blocks()[block];
        Range { first: block.velocity, count: block.kind.velocities() }
    }

    fn rows(&self, constraint: usize) -> Range {
        let rows = &self.structure.constraints()[constraint];
        Range { first: rows.first, count: rows.rows }
    }

    fn tangent(&mut self, of: Of, [row, column]: [usize; 2], values: &[f64]) {
        let (row, column) = (self.coordinates(row), self.coordinates(column));
        self.recorded.tangents.push(row, column, values);
        self.recorded.of_tangents.push(of);
    }
}

impl MatrixSink for Recorder<'_> {
    fn mass(&mut self, block: usize, values: &[f64]) {
        self.tangent(Of::Acceleration, [block, block], values);
    }

    fn mass_coupling(&mut self, row: usize, column: usize, values: &[f64]) {
        self.tangent(Of::Acceleration, [row, column], values);
    }

    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        self.tangent(Of::Velocity, [row, column], values);
    }

    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        self.tangent(Of::Position, [row, column], values);
    }

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let (row, column) = (self.rows(constraint), self.coordinates(block));
        self.recorded.jacobian.push(row, column, values);
        self.recorded.reactions.push_transposed(row, column, values);
    }

    fn rate_gradient(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let (row, column) = (self.rows(constraint), self.coordinates(block));
        self.recorded.gradient.push(row, column, values);
    }
}

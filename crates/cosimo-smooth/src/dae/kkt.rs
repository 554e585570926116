//! The saddle-point matrix of a step: assembled in a fixed pattern, factorised in place.

mod assembly;
mod solve;

use cosimo_dynamics::{ConstrainedSystem, ConstraintBlock, Structure};
use cosimo_linear::{BlockLu, BlockPattern, DenseLu, FactorizationError};
use nalgebra::{DMatrix, Matrix3};

use super::scales::scales;

/// Unknowns up to which the matrix is dense.
const LARGEST_DENSE: usize = 48;

/// Factors with which the matrices of a system enter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights {
    /// `c_v` (s), of the damping.
    pub(super) damping: f64,
    /// `c_q` (s²), of the stiffness.
    pub(super) stiffness: f64,
    /// Whether constraint rows are those of rates, `Φ G + χ P`, or of positions, `Φ`.
    pub(super) rate_rows: bool,
    /// `χ` (s), of the gradient of rates.
    pub(super) gradient: f64,
}

impl Weights {
    /// The matrix `[M, Φᵀ; Φ, 0]`.
    pub(super) const MASS: Self = Self { damping: 0.0, stiffness: 0.0, rate_rows: false, gradient: 0.0 };
}

/// Which blocks a Jacobian goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Rows and reactions.
    Both,
    /// The rows of the constraints, `Φ`.
    Rows,
    /// The columns of the multipliers, `Φᵀ`.
    Reactions,
}

/// The matrix
///
/// ```text
///   [ M G + c_v C G + c_q K    Φᵀ ]
///   [ Φ  or  Φ G + χ P          0 ]
/// ```
///
/// for unknowns `z = δq/c_q` and multipliers. `G` is how the acceleration answers to a turn, the identity but for
/// rotations. Rows of constraints that are left out have a unit diagonal. It is stored and factorised as `S A S` with the
/// [`scales`] of the start, in which no entry has a unit: what is singular does not depend on units, nor do exchanges of rows.
#[derive(Debug)]
pub(super) struct Kkt {
    /// First unknown and size of every block, those of the constraints after those of the coordinates.
    pub(super) blocks: Vec<(usize, usize)>,
    pub(super) bodies: usize,
    /// Diagonal of `S`.
    pub(super) scales: Vec<f64>,
    pub(super) storage: Storage,
    weights: Weights,
    side: Side,
    /// Rotational part of `G`, where it is not the identity.
    turns: Vec<Option<Matrix3<f64>>>,
    pub(super) is_left_out: Vec<bool>,
    misfit: f64,
    buffer: Vec<f64>,
    kept: Vec<f64>,
    transposed: Vec<f64>,
    /// Unknowns of one of several right-hand sides.
    lane: Vec<f64>,
    /// Factorisations so far.
    count: usize,
    /// What was factorised last, if it is kept: the entries, then the rotational parts of `G`.
    pub(super) assembled: Option<Vec<f64>>,
    /// Largest entry of `c_v C + c_q K` of this assembly, scaled.
    pub(super) stiffness: f64,
    /// The matrix of the projections, where it is another.
    pub(super) metric: Metric,
}

/// Numbers that stand for a rotational part of `G`: whether there is one, and its entries.
const OF_TURN: usize = 10;

#[derive(Debug)]
pub(super) enum Storage {
    Dense { matrix: DMatrix<f64>, lu: DenseLu },
    Sparse(Box<BlockLu>),
}

/// The matrix `[M, Φᵀ; Φ, 0]`, made when it is needed for the first time.
#[derive(Debug, Default)]
pub(super) struct Metric {
    pub(super) kkt: Option<Box<Kkt>>,
    /// Whether its factors belong to those of the step.
    pub(super) is_used: bool,
}

impl Kkt {
    /// Storage for the matrices of a system that is near this position at the time `t` (s).
    pub(super) fn new(system: &dyn ConstrainedSystem, t: f64, q: &[f64]) -> Self {
        let structure = system.structure();
        let n = structure.velocities();
        let coordinates = structure.coordinates().blocks();
        let mut blocks: Vec<(usize, usize)> =
            coordinates.iter().map(|block| (block.velocity, block.kind.velocities())).collect();
        let bodies = blocks.len();
        blocks.extend(structure.constraints().iter().map(|block| (n + block.first, block.rows)));
        let size = n + structure.rows();
        let storage = if size <= LARGEST_DENSE {
            Storage::Dense { matrix: DMatrix::zeros(size, size), lu: DenseLu::default() }
        } else {
            Storage::Sparse(Box::new(BlockLu::new(pattern(structure, &blocks, bodies))))
        };
        Self::with_storage(storage, blocks, bodies, scales(system, t, q))
    }

    /// A matrix of these blocks, those of the coordinates first, with the diagonal of `S`; all rows are kept.
    pub(super) fn with_storage(
        storage: Storage,
        blocks: Vec<(usize, usize)>,
        bodies: usize,
        scales: Vec<f64>,
    ) -> Self {
        let largest = blocks.iter().map(|block| block.1).max().unwrap_or(0);
        let rows = blocks[bodies..].iter().map(|block| block.1).sum();
        Self {
            turns: vec![None; bodies],
            is_left_out: vec![false; rows],
            misfit: 0.0,
            buffer: vec![0.0; largest * largest],
            kept: vec![0.0; largest * largest],
            transposed: vec![0.0; largest * largest],
            lane: vec![0.0; scales.len()],
            count: 0,
            assembled: None,
            weights: Weights::MASS,
            side: Side::Both,
            blocks,
            bodies,
            scales,
            storage,
            stiffness: 0.0,
            metric: Metric::default(),
        }
    }

    /// Whether each constraint row is left out.
    pub(super) fn left_out(&self) -> &[bool] {
        &self.is_left_out
    }

    pub(super) fn leave_out(&mut self, row: usize, is_left_out: bool) {
        self.is_left_out[row] = is_left_out;
    }

    /// The largest share of a row left out that is outside the span of the others: zero but for rounding, or what axes and
    /// points that were given in few digits fail to be parallel or in place. So much of it may stay open.
    pub(super) fn misfit(&self) -> f64 {
        self.misfit
    }

    pub(super) fn set_misfit(&mut self, misfit: f64) {
        self.misfit = misfit;
    }

    /// Scales of the coordinates and of the constraint rows.
    pub(super) fn scales(&self) -> (&[f64], &[f64]) {
        self.scales.split_at(self.dimension_of_bodies())
    }

    /// Appends the scales, those of rows left out with a minus.
    pub(super) fn save_rows(&self, out: &mut Vec<f64>) {
        let (coordinates, rows) = self.scales();
        out.extend_from_slice(coordinates);
        out.extend(rows.iter().zip(&self.is_left_out).map(|(scale, out)| if *out { -scale } else { *scale }));
    }

    /// Reads back what [`save_rows`](Self::save_rows) wrote and returns how many numbers it took.
    pub(super) fn restore_rows(&mut self, saved: &[f64]) -> Option<usize> {
        let saved = saved.get(..self.scales.len()).filter(|saved| saved.iter().all(|x| x.is_normal()))?;
        self.scales.iter_mut().zip(saved).for_each(|(scale, saved)| *scale = saved.abs());
        let rows = saved[self.dimension_of_bodies()..].iter();
        self.is_left_out.iter_mut().zip(rows).for_each(|(out, saved)| *out = saved.is_sign_negative());
        Some(saved.len())
    }

    pub(super) fn is_dense(&self) -> bool {
        matches!(self.storage, Storage::Dense { .. })
    }

    /// Begins an assembly with these weights and rotational parts of `G`.
    pub(super) fn begin(&mut self, weights: Weights, turn: impl Fn(usize) -> Option<Matrix3<f64>>) {
        (self.weights, self.side, self.stiffness) = (weights, Side::Both, 0.0);
        match &mut self.storage {
            Storage::Dense { matrix, .. } => matrix.fill(0.0),
            Storage::Sparse(lu) => lu.clear(),
        }
        for (block, own) in self.turns.iter_mut().enumerate() {
            *own = turn(block);
        }
        for constraint in self.bodies..self.blocks.len() {
            let (first, rows) = self.blocks[constraint];
            let row = first - self.dimension_of_bodies();
            self.buffer[..rows * rows].fill(0.0);
            let mut has_any = false;
            for k in (0..rows).filter(|k| self.is_left_out[row + k]) {
                self.buffer[k * rows + k] = self.scales[first + k].powi(-2);
                has_any = true;
            }
            if has_any {
                let buffer = std::mem::take(&mut self.buffer);
                self.add(constraint, constraint, 1.0, &buffer[..rows * rows]);
                self.buffer = buffer;
            }
        }
    }

    /// Gives every row that is kept its own diagonal entry, `−softness` times its length in the metric of the mass squared.
    pub(super) fn soften(&mut self, softness: f64) {
        let mut buffer = std::mem::take(&mut self.buffer);
        for constraint in self.bodies..self.blocks.len() {
            let (first, rows) = self.blocks[constraint];
            let row = first - self.dimension_of_bodies();
            buffer[..rows * rows].fill(0.0);
            for k in (0..rows).filter(|k| !self.is_left_out[row + k]) {
                buffer[k * rows + k] = self.scales[first + k].powi(-2);
            }
            self.add(constraint, constraint, -softness, &buffer[..rows * rows]);
        }
        self.buffer = buffer;
    }

    /// Where the Jacobians that follow go, until the next assembly begins.
    pub(super) fn take(&mut self, side: Side) {
        self.side = side;
    }

    /// Factorises what was assembled.
    pub(super) fn factorize(&mut self) -> Result<(), FactorizationError> {
        self.count += 1;
        self.note_assembled();
        match &mut self.storage {
            Storage::Dense { matrix, lu } => lu.factorize(matrix),
            Storage::Sparse(lu) => lu.factorize(),
        }
    }

    /// Factorisations so far of this matrix.
    pub(super) fn factorizations(&self) -> usize {
        self.count
    }

    /// Keeps from now on what is factorised, and returns how many numbers that is, those of the projections included.
    pub(super) fn keep_assembled(&mut self) -> usize {
        let count = self.entries().len() + OF_TURN * self.bodies;
        self.assembled = Some(vec![0.0; count]);
        2 * count + 1
    }

    /// Writes what was factorised last, and what for the projections.
    pub(super) fn copy_assembled(&self, out: &mut [f64]) {
        let (own, metric) = out.split_at_mut(out.len() / 2);
        self.copy_entries(own);
        self.copy_metric(metric);
    }

    /// Factorises again what [`copy_assembled`](Self::copy_assembled) wrote.
    pub(super) fn reload(&mut self, assembled: &[f64]) -> Result<(), FactorizationError> {
        let (own, metric) = assembled.split_at(assembled.len() / 2);
        self.reload_metric(metric)?;
        self.reload_entries(own)
    }

    pub(super) fn copy_entries(&self, out: &mut [f64]) {
        if let Some(assembled) = &self.assembled {
            out.copy_from_slice(assembled);
        }
    }

    pub(super) fn reload_entries(&mut self, assembled: &[f64]) -> Result<(), FactorizationError> {
        let (entries, turns) = assembled.split_at(self.entries().len());
        match &mut self.storage {
            Storage::Dense { matrix, .. } => matrix.as_mut_slice().copy_from_slice(entries),
            Storage::Sparse(lu) => lu.set_entries(entries),
        }
        for (own, saved) in self.turns.iter_mut().zip(turns.chunks_exact(OF_TURN)) {
            *own = (saved[0] != 0.0).then(|| Matrix3::from_column_slice(&saved[1..]));
        }
        self.factorize()
    }

    fn entries(&self) -> &[f64] {
        match &self.storage {
            Storage::Dense { matrix, .. } => matrix.as_slice(),
            Storage::Sparse(lu) => lu.entries(),
        }
    }

    fn note_assembled(&mut self) {
        let Some(mut assembled) = self.assembled.take() else { return };
        let (entries, turns) = assembled.split_at_mut(self.entries().len());
        entries.copy_from_slice(self.entries());
        for (saved, own) in turns.chunks_exact_mut(OF_TURN).zip(&self.turns) {
            saved[0] = f64::from(u8::from(own.is_some()));
            saved[1..].copy_from_slice(own.unwrap_or_default().as_slice());
        }
        self.assembled = Some(assembled);
    }

    pub(super) fn dimension_of_bodies(&self) -> usize {
        self.bodies.checked_sub(1).map_or(0, |last| self.blocks[last].0 + self.blocks[last].1)
    }
}

/// Coordinates meet their constraints, and each other where forces couple them. The stiffness of reactions across bodies is
/// left out, which is of order `h²` and would fill the factors by half.
fn pattern(structure: &Structure, blocks: &[(usize, usize)], bodies: usize) -> BlockPattern {
    let sizes: Vec<usize> = blocks.iter().map(|block| block.1).collect();
    let touches = |(k, constraint): (usize, &'_ ConstraintBlock)| {
        constraint.touches.iter().map(|&body| (body, bodies + k)).collect::<Vec<_>>()
    };
    let pairs = structure.couplings().iter().copied();
    let pairs = pairs.chain(structure.constraints().iter().enumerate().flat_map(touches));
    BlockPattern::with_late(&sizes, pairs, |block| block >= bodies)
}

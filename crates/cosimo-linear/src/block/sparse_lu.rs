//! LU factorisation of a sparse matrix of fixed pattern by the crate `faer`, with pivots that are looked at.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::lu::{
    LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu, simplicial,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par};

use super::fronts::{Entry, Fronts};
use super::kernels::{SMALLEST_PIVOT, is_zero};

/// Products per number of the factors above which columns of the same pattern are factorised together: by fronts, and with
/// exchanges between all rows.
const PRODUCTS_FOR_FRONTS: f64 = 10.0;
const PRODUCTS_FOR_SUPERNODES: f64 = 40.0;

/// Share by which a known solution may be missed before the matrix counts as singular.
const WORST_SOLUTION: f64 = 1e-3;

/// Sparse LU factorisation with row exchanges, columns in the order of approximate minimum degree.
pub(super) struct SparseLu {
    pattern: SymbolicSparseColMat<u32>,
    by_columns: ByColumns,
    /// Where there are so many products that supernodes pay.
    pub(super) together: Option<Together>,
}

impl SparseLu {
    /// Storage for a matrix with these rows in its columns, each by rows ascending; its blocks, where it needs no exchanges
    /// between them.
    pub(super) fn new(
        (begins, indices): (Vec<u32>, Vec<u32>),
        blocks: Option<(Vec<usize>, Vec<Entry>)>,
    ) -> Self {
        let n = begins.len() - 1;
        let pattern = SymbolicSparseColMat::new_checked(n, n, begins, None, indices);
        let (by_columns, work) = ByColumns::new(&pattern);
        let least = if blocks.is_some() { PRODUCTS_FOR_FRONTS } else { PRODUCTS_FOR_SUPERNODES };
        let together = (work > least).then(|| Together::new(&pattern, blocks)).flatten();
        Self { pattern, by_columns, together }
    }

    /// Factorises the matrix of these values; gives the column without a pivot of use beside these scales where there is
    /// one. A scale of zero stands for that of the column.
    pub(super) fn factorize(&mut self, values: &[f64], scales: &[f64]) -> Result<(), usize> {
        let matrix = SparseColMatRef::new(self.pattern.as_ref(), values);
        if let Some(together) = &mut self.together
            && together.factorize(matrix)
        {
            return Ok(());
        }
        // By columns the pivots can be looked at one by one.
        self.by_columns.factorize(matrix, scales)
    }

    /// Overwrites `x` with `A⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        match &mut self.together {
            Some(together) if together.is_factorized => together.factors.solve(x),
            _ => self.by_columns.solve(x),
        }
    }

    /// The same for several right-hand sides.
    #[inline(always)]
    pub(super) fn solve_lanes<const L: usize>(&mut self, x: &mut [[f64; L]]) {
        match &mut self.together {
            Some(Together { factors, is_factorized: true, probe }) => {
                for lane in 0..L {
                    probe.iter_mut().zip(&*x).for_each(|(own, lanes)| *own = lanes[lane]);
                    factors.solve(probe);
                    x.iter_mut().zip(&*probe).for_each(|(lanes, own)| lanes[lane] = *own);
                }
            }
            _ => self.by_columns.solve_lanes(x),
        }
    }
}

/// Factors column by column.
struct ByColumns {
    columns: Vec<u32>,
    columns_inverse: Vec<u32>,
    rows: Vec<u32>,
    rows_inverse: Vec<u32>,
    factors: simplicial::SimplicialLu<u32, f64>,
    memory: MemBuffer,
    /// Unknowns of several right-hand sides in the order of the factors.
    lanes: Vec<f64>,
}

impl ByColumns {
    /// Finds the order; returns the products of a factorisation per number of the factors.
    fn new(pattern: &SymbolicSparseColMat<u32>) -> (Self, f64) {
        let n = pattern.ncols();
        let mut columns: Vec<u32> = (0..n as u32).collect();
        let mut columns_inverse = columns.clone();
        let mut memory = MemBuffer::new(amd::order_scratch::<u32>(n, pattern.row_idx().len()));
        let stack = MemStack::new(&mut memory);
        // An order that cannot be found leaves the given one, which is as valid.
        let count =
            amd::order(&mut columns, &mut columns_inverse, pattern.as_ref(), amd::Control::default(), stack);
        let work = count.map_or(0.0, |count| count.n_mult_subs_lu / (2.0 * count.n_div + n as f64).max(1.0));
        let memory = MemBuffer::new(StackReq::any_of(&[
            simplicial::factorize_simplicial_numeric_lu_scratch::<u32, f64>(n, n),
            simplicial::solve_in_place_scratch::<u32, f64>(n, 1, Par::Seq),
        ]));
        let (rows, factors) = (columns.clone(), simplicial::SimplicialLu::new());
        let rows_inverse = rows.clone();
        (Self { columns, columns_inverse, rows, rows_inverse, factors, memory, lanes: Vec::new() }, work)
    }

    fn factorize(&mut self, matrix: SparseColMatRef<'_, u32, f64>, scales: &[f64]) -> Result<(), usize> {
        let Self { columns, columns_inverse, rows, rows_inverse, factors, memory, .. } = self;
        let order = PermRef::new_checked(columns, columns_inverse, columns.len());
        let stack = MemStack::new(memory);
        let outcome =
            simplicial::factorize_simplicial_numeric_lu(rows, rows_inverse, factors, matrix, order, stack);
        if let Err(error) = outcome {
            use faer::sparse::linalg::LuError::{Generic, SymbolicSingular};
            return Err(match error {
                SymbolicSingular { index } => columns[index] as usize,
                Generic(_) => 0,
            });
        }
        let upper = factors.u_factor_unsorted();
        for (place, &column) in columns.iter().enumerate() {
            // The pivot is the last number of its column.
            let pivot = upper.val_of_col(place).last().map_or(f64::NAN, |pivot| pivot.abs());
            let own = scales[column as usize];
            let scale = if own == 0.0 { largest(matrix.val_of_col(column as usize)) } else { own };
            if !(pivot > SMALLEST_PIVOT * scale) || !pivot.is_finite() {
                return Err(column as usize);
            }
        }
        Ok(())
    }

    fn solve(&mut self, x: &mut [f64]) {
        let Self { columns, columns_inverse, rows, rows_inverse, factors, memory, .. } = self;
        let n = x.len();
        let order = PermRef::new_checked(columns, columns_inverse, n);
        let rows = PermRef::new_checked(rows, rows_inverse, n);
        let x = MatMut::from_column_major_slice_mut(x, n, 1);
        factors.solve_in_place_with_conj(rows, order, Conj::No, x, Par::Seq, MemStack::new(memory));
    }
}

impl ByColumns {
    /// The same for several right-hand sides: every entry of the factors is read once.
    #[inline(always)]
    fn solve_lanes<const L: usize>(&mut self, x: &mut [[f64; L]]) {
        let Self { columns_inverse, rows, factors, lanes, .. } = self;
        lanes.resize(L * x.len(), 0.0);
        let (lanes, _) = lanes.as_chunks_mut::<L>();
        lanes.iter_mut().zip(&*rows).for_each(|(own, row)| *own = x[*row as usize]);
        let (lower, upper) = (factors.l_factor_unsorted(), factors.u_factor_unsorted());
        for column in 0..lanes.len() {
            // The diagonal is the first entry of its column, and one.
            let entries = lower.row_idx_of_col_raw(column).iter().zip(lower.val_of_col(column));
            subtract_column(lanes, column, entries.skip(1));
        }
        for column in (0..lanes.len()).rev() {
            let (rows, values) = (upper.row_idx_of_col_raw(column), upper.val_of_col(column));
            let Some((pivot, values)) = values.split_last() else { continue };
            let factor = 1.0 / pivot;
            lanes[column].iter_mut().for_each(|x| *x *= factor);
            subtract_column(lanes, column, rows.iter().zip(values));
        }
        x.iter_mut().zip(&*columns_inverse).for_each(|(x, place)| *x = lanes[*place as usize]);
    }
}

/// Subtracts the entries of a column of a factor times the unknown of this place from the unknowns of their rows.
#[inline(always)]
fn subtract_column<'a, const L: usize>(
    lanes: &mut [[f64; L]],
    place: usize,
    entries: impl Iterator<Item = (&'a u32, &'a f64)>,
) {
    let own = lanes[place];
    if is_zero(&[own]) {
        return;
    }
    for (row, factor) in entries {
        lanes[*row as usize].iter_mut().zip(&own).for_each(|(x, own)| *x -= factor * own);
    }
}

/// Factors of columns of the same pattern together.
pub(super) struct Together {
    factors: Factors,
    is_factorized: bool,
    probe: Vec<f64>,
}

/// Without exchanges between blocks, and with them.
enum Factors {
    Fronts(Fronts),
    Supernodes(Box<Supernodes>),
}

impl Factors {
    fn factorize(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> bool {
        match self {
            Self::Fronts(fronts) => {
                fronts.factorize(matrix.val());
                true
            }
            Self::Supernodes(supernodes) => supernodes.factorize(matrix),
        }
    }

    fn solve(&mut self, x: &mut [f64]) {
        match self {
            Self::Fronts(fronts) => fronts.solve(x),
            Self::Supernodes(supernodes) => supernodes.solve(x),
        }
    }
}

impl Together {
    fn new(pattern: &SymbolicSparseColMat<u32>, blocks: Option<(Vec<usize>, Vec<Entry>)>) -> Option<Self> {
        let factors = match blocks {
            Some((sizes, entries)) => Factors::Fronts(Fronts::new(&sizes, &entries)),
            None => Factors::Supernodes(Box::new(Supernodes::new(pattern)?)),
        };
        Some(Self { factors, is_factorized: false, probe: vec![0.0; pattern.ncols()] })
    }

    /// Whether there are factors that solve the system of a known solution.
    fn factorize(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> bool {
        self.is_factorized = self.factors.factorize(matrix);

        if !self.is_factorized {
            return false;
        }
        let Self { factors, probe, .. } = self;
        probe.fill(0.0);
        for column in 0..probe.len() {
            for (row, x) in matrix.row_idx_of_col_raw(column).iter().zip(matrix.val_of_col(column)) {
                probe[*row as usize] += x;
            }
        }
        factors.solve(probe);
        self.is_factorized = probe.iter().all(|x| (x - 1.0).abs() < WORST_SOLUTION);
        self.is_factorized
    }
}

/// Factors with exchanges between all rows.
struct Supernodes {
    symbolic: SymbolicLu<u32>,
    factors: NumericLu<u32, f64>,
    memory: MemBuffer,
}

impl Supernodes {
    fn new(pattern: &SymbolicSparseColMat<u32>) -> Option<Self> {
        let threshold = SupernodalThreshold::FORCE_SUPERNODAL;
        let parameters =
            LuSymbolicParams { supernodal_flop_ratio_threshold: threshold, ..LuSymbolicParams::default() };
        let symbolic = factorize_symbolic_lu(pattern.as_ref(), parameters).ok()?;
        let memory = MemBuffer::new(StackReq::any_of(&[
            symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, faer::Spec::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        ]));
        Some(Self { symbolic, factors: NumericLu::new(), memory })
    }

    fn factorize(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> bool {
        let (stack, settings) = (MemStack::new(&mut self.memory), faer::Spec::default());
        self.symbolic.factorize_numeric_lu(&mut self.factors, matrix, Par::Seq, stack, settings).is_ok()
    }

    fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        let x = MatMut::from_column_major_slice_mut(x, n, 1);
        let factors = LuRef::new_unchecked(&self.symbolic, &self.factors);
        factors.solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(&mut self.memory));
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

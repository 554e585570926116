//! The problem of the contacts that act together: complementarity without friction, Coulomb's law with it.

use cosimo_complementarity::friction::{
    Delassus, FrictionProblem, FrictionSolver, GaussSeidel, GaussSeidelConfig, solve_contact,
};
use nalgebra::{Matrix3, Vector3};

use crate::active_set::ActiveSet;
use crate::faceted::FacetedSet;
use crate::friction_newton::{Blocks, FrictionNewton};
use crate::{ContactLaws, OneStepError};

/// Residual aimed at: round-off, so that a model does not depend on how it is cut into subsystems.
const GOAL: f64 = 1e-14;
/// Residual accepted where round-off is out of reach.
const ACCEPTED: f64 = 1e-9;
/// Sweeps before Newton's method is tried.
const SWEEPS: usize = 50;

/// Solves for the impulses of a set of contacts.
#[derive(Debug, Clone)]
pub(crate) struct ContactSet {
    pub(crate) lcp: ActiveSet,
    delassus: DenseBlocks,
    offset: Vec<f64>,
    friction: Vec<f64>,
    impulses: Vec<f64>,
    improved: Vec<f64>,
    /// Made when they are needed for the first time.
    sweeps: Option<GaussSeidel>,
    last_resort: Option<FrictionSolver>,
    newton: FrictionNewton,
    faceted: FacetedSet,
}

impl ContactSet {
    pub(crate) fn with_capacity(contacts: usize) -> Self {
        Self {
            lcp: ActiveSet::with_capacity(contacts),
            delassus: DenseBlocks::default(),
            offset: Vec::new(),
            friction: Vec::new(),
            impulses: Vec::new(),
            improved: Vec::new(),
            sweeps: None,
            last_resort: None,
            newton: FrictionNewton::default(),
            faceted: FacetedSet::default(),
        }
    }

    /// Solves the law on `set` for `u = W P + b`, matrix and vector given by row, and overwrites the impulses `out` of all
    /// rows; those of other contacts are zero.
    pub(crate) fn solve(
        &mut self,
        (set, laws): (&[usize], &ContactLaws),
        matrix: impl Fn(usize, usize) -> f64,
        offset: impl Fn(usize) -> f64,
        out: &mut [f64],
    ) -> Result<(), OneStepError> {
        out.fill(0.0);
        if !set.iter().any(|&c| laws.is_frictional(c)) {
            self.lcp.solve(set, matrix, offset)?;
            set.iter().zip(self.lcp.values()).for_each(|(&c, p)| out[c] = *p);
            return Ok(());
        }
        if set.iter().any(|&c| laws.is_faceted(c)) {
            return self.faceted.solve((set, laws), &mut self.lcp, (matrix, offset), out);
        }
        if let &[contact] = set {
            let r = self::single(contact, laws, matrix, offset)?;
            write(laws, contact, r.as_slice(), out);
            return Ok(());
        }
        self.fill((set, laws), matrix, offset);
        self.solve_together(set.len())?;
        set.iter().zip(self.impulses.chunks_exact(3)).for_each(|(&c, r)| write(laws, c, r, out));
        Ok(())
    }

    fn fill(
        &mut self,
        (set, laws): (&[usize], &ContactLaws),
        matrix: impl Fn(usize, usize) -> f64,
        offset: impl Fn(usize) -> f64,
    ) {
        self.delassus.contacts = set.len();
        self.delassus.blocks.clear();
        self.offset.clear();
        self.friction.clear();
        for &a in set {
            self.delassus.blocks.extend(set.iter().map(|&b| block(laws, (a, b), &matrix)));
            self.offset.extend_from_slice(velocity(laws, a, &offset).as_slice());
            self.friction.push(if laws.is_frictional(a) { laws.of(a).friction } else { 0.0 });
        }
        self.impulses.clear();
        self.impulses.resize(3 * set.len(), 0.0);
    }

    /// Sweeps with exact contacts, whose end Newton's method takes to round-off; where that fails, Newton's method from
    /// simpler guesses, and the solvers for hard problems.
    fn solve_together(&mut self, contacts: usize) -> Result<(), OneStepError> {
        let Self { delassus, offset, friction, impulses, improved, sweeps, last_resort, newton, .. } = self;
        let problem = FrictionProblem::new(&*delassus, offset, friction)?;
        let blocks = Blocks { blocks: &delassus.blocks, offset, friction };
        let mut best = f64::INFINITY;
        let mut improve = |guess: Guess, impulses: &mut Vec<f64>, best: &mut f64| {
            improved.clone_from(impulses);
            guess.write(&blocks, improved);
            newton.improve(blocks, improved);
            let residual = problem.residual(improved);
            if residual < *best {
                *best = residual;
                impulses.copy_from_slice(improved);
            }
            *best <= ACCEPTED
        };
        let solver = match sweeps {
            Some(solver) => solver,
            none => {
                let config = GaussSeidelConfig { tolerance: GOAL, max_sweeps: SWEEPS, ..Default::default() };
                none.insert(GaussSeidel::new(config)?)
            }
        };
        best = best.min(solver.solve(&problem, impulses)?.residual);
        let guesses = [Guess::AsIs, Guess::Zero, Guess::Alone];
        if best <= GOAL || guesses.into_iter().any(|guess| improve(guess, impulses, &mut best)) {
            return Ok(());
        }
        let solver = match last_resort {
            Some(solver) => solver,
            none => none.insert(FrictionSolver::new(GOAL)?),
        };
        let found = solver.solve(&problem, impulses)?.residual;
        if found <= ACCEPTED || improve(Guess::AsIs, impulses, &mut best) {
            return Ok(());
        }
        Err(OneStepError::FrictionNotSolved { contacts, residual: best })
    }
}

/// Where Newton's method begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    /// At the impulses at hand.
    AsIs,
    /// Without impulses.
    Zero,
    /// With the impulse that each contact would have alone.
    Alone,
}

impl Guess {
    fn write(self, problem: &Blocks<'_>, impulses: &mut [f64]) {
        match self {
            Self::AsIs => {}
            Self::Zero => impulses.fill(0.0),
            Self::Alone => {
                for (contact, out) in impulses.chunks_exact_mut(3).enumerate() {
                    out.copy_from_slice(problem.alone(contact).as_slice());
                }
            }
        }
    }
}

/// The problem of one contact alone, without a matrix to be filled.
fn single(
    contact: usize,
    laws: &ContactLaws,
    matrix: impl Fn(usize, usize) -> f64,
    offset: impl Fn(usize) -> f64,
) -> Result<Vector3<f64>, OneStepError> {
    let velocity = velocity(laws, contact, &offset);
    if velocity[0] >= 0.0 {
        return Ok(Vector3::zeros());
    }
    let block = block(laws, (contact, contact), &matrix);
    let found = solve_contact(&block, &velocity, laws.of(contact).friction);
    found.filter(|r| r.iter().all(|x| x.is_finite())).ok_or(OneStepError::NotFinite { contact })
}

/// Row of component `k` of a contact: its gap, then its slips; `None` for a tangent that it does not have.
fn row(laws: &ContactLaws, contact: usize, k: usize) -> Option<usize> {
    if k == 0 { Some(contact) } else { laws.slips(contact).nth(k - 1) }
}

/// The block of two contacts; zero along tangents that a contact does not have.
fn block(laws: &ContactLaws, (a, b): (usize, usize), matrix: &impl Fn(usize, usize) -> f64) -> Matrix3<f64> {
    let rows = [0, 1, 2].map(|k| row(laws, a, k));
    let columns = [0, 1, 2].map(|k| row(laws, b, k));
    Matrix3::from_fn(|i, j| match (rows[i], columns[j]) {
        (Some(row), Some(column)) => matrix(row, column),
        _ => 0.0,
    })
}

fn velocity(laws: &ContactLaws, contact: usize, offset: &impl Fn(usize) -> f64) -> Vector3<f64> {
    Vector3::from_fn(|k, _| row(laws, contact, k).map_or(0.0, offset))
}

fn write(laws: &ContactLaws, contact: usize, r: &[f64], out: &mut [f64]) {
    for (k, x) in r.iter().enumerate() {
        if let Some(row) = row(laws, contact, k) {
            out[row] = *x;
        }
    }
}

/// A full matrix by blocks, row by row.
#[derive(Debug, Clone, Default)]
struct DenseBlocks {
    contacts: usize,
    blocks: Vec<Matrix3<f64>>,
}

impl Delassus<3> for DenseBlocks {
    fn contacts(&self) -> usize {
        self.contacts
    }

    fn block(&self, contact: usize) -> Matrix3<f64> {
        self.blocks[contact * self.contacts + contact]
    }

    fn row(&self, contact: usize, r: &[f64], _trail: &[f64]) -> Vector3<f64> {
        let row = &self.blocks[contact * self.contacts..(contact + 1) * self.contacts];
        row.iter().zip(r.chunks_exact(3)).map(|(block, x)| block * Vector3::from_column_slice(x)).sum()
    }
}

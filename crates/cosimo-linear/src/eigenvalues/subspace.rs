//! The largest eigenvalues of a large operator, by Rayleigh and Ritz in block Krylov spaces.
//!
//! A block Krylov space `X, A X, A² X, …` of random vectors finds a repeated eigenvalue as often as the block has columns. Therefore
//! another random block is begun, across all that was found, until one finds nothing new. Of a basis `V` of all spaces with
//! `Vᵀ W V = 1` the eigenvalues of `Vᵀ W A V` are those of `A` that are sought. The weights `W` are to make `A` nearly normal: else some
//! of the eigenvalues found are none of `A` for long.
//!
//! References: Y. Saad, *Numerical Methods for Large Eigenvalue Problems*, 2nd ed., SIAM 2011, chapter 6.

use nalgebra::{Complex, DMatrix, DVector};

use super::dense::eigenvalues;

/// Dimensions up to which the whole space is taken.
const WHOLE: usize = 160;

/// Columns of a block, and how often it is multiplied until eigenvalues are looked at.
const BLOCK: usize = 8;
const PRODUCTS: usize = 4;

/// Directions per eigenvalue wanted, and besides, in which they would have converged.
const MOST_PER_WANTED: usize = 10;
const MOST_BESIDES: usize = 400;

/// Share of a vector that must be outside the space for it to be another direction.
const OUTSIDE: f64 = 1e-10;

/// Difference, relative to their size, up to which eigenvalues are a group, and the means of groups are the same; and that relative to
/// the largest which is round-off.
const GROUP: f64 = 1e-6;
const SAME: f64 = 1e-11;
const ROUND_OFF: f64 = 1e-13;

/// An operator on a subspace of a space of vectors, which it does not leave.
pub trait Operator {
    /// Numbers of the subspace's basis.
    fn dimension(&self) -> usize;
    /// The weights, which are symmetric and positive definite in the subspace, times a vector.
    fn weigh(&self, x: &DVector<f64>) -> DVector<f64>;
    /// The operator times each column.
    fn apply(&mut self, x: &DMatrix<f64>) -> DMatrix<f64>;
    /// So many vectors of the subspace, in general position; others at every call.
    fn start(&mut self, columns: usize) -> DMatrix<f64>;
}

/// Whether so many eigenvalues of an operator are found in the whole of its space, without iterations.
#[must_use]
pub fn needs_whole(dimension: usize, wanted: usize) -> bool {
    dimension <= WHOLE.max(2 * wanted)
}

/// The eigenvalues of largest size, by size, each as often as it is one, and those of the same group as the last. How many, at least
/// `least`, `wanted` says of estimates of the largest ones, by size, whenever these get better. All of the operator where there are not
/// more, or where the whole space is taken. `None` where they do not converge in a space of some multiple of `least`, or weights are not
/// positive.
#[must_use]
pub fn largest_eigenvalues(
    operator: &mut dyn Operator,
    least: usize,
    wanted: &dyn Fn(&[Complex<f64>]) -> usize,
) -> Option<Vec<Complex<f64>>> {
    let dimension = operator.dimension();
    let mut space = Space::default();
    if needs_whole(dimension, least) {
        let all = operator.start(dimension);
        space.extend(all, operator)?;
        return space.eigenvalues();
    }
    let sought = Sought { least, wanted };
    let mut verified: Option<Vec<Vec<Complex<f64>>>> = None;
    loop {
        let found = round(&mut space, operator, &sought)?;
        if space.vectors.len() >= dimension {
            return space.eigenvalues();
        }
        if verified.is_some_and(|before| agree(&before, &found)) {
            return Some(found.into_iter().flatten().collect());
        }
        verified = Some(found);
    }
}

/// Which eigenvalues are sought.
struct Sought<'a> {
    least: usize,
    wanted: &'a dyn Fn(&[Complex<f64>]) -> usize,
}

impl Sought<'_> {
    /// Those sought among the estimates of a space, in groups of those that are the same but for round-off.
    fn among(&self, space: &Space) -> Option<Vec<Vec<Complex<f64>>>> {
        let all = space.eigenvalues()?;
        Some(groups(&all, (self.wanted)(&all).max(self.least)))
    }

    /// Directions of a space in which they would have converged.
    fn most(&self) -> usize {
        MOST_PER_WANTED * self.least + MOST_BESIDES
    }
}

/// Adds the Krylov space of a random block until the eigenvalues sought do not change any more.
fn round(
    space: &mut Space,
    operator: &mut dyn Operator,
    sought: &Sought<'_>,
) -> Option<Vec<Vec<Complex<f64>>>> {
    let mut before: Option<Vec<Vec<Complex<f64>>>> = None;
    let any = operator.start(BLOCK);
    let mut next = operator.apply(&any);
    loop {
        for _ in 0..PRODUCTS {
            next = space.extend(next, operator)?;
        }
        let is_closed = next.ncols() == 0;
        if space.vectors.len() < sought.least + BLOCK && !is_closed {
            continue;
        }
        let found = sought.among(space)?;
        if is_closed || before.is_some_and(|before| agree(&before, &found)) {
            return Some(found);
        }
        if space.vectors.len() > sought.most() {
            return None;
        }
        before = Some(found);
    }
}

/// A basis, and what weights and operator make of it.
#[derive(Default)]
struct Space {
    vectors: Vec<DVector<f64>>,
    weighted: Vec<DVector<f64>>,
    images: Vec<DVector<f64>>,
    /// `Vᵀ W A V`.
    along: DMatrix<f64>,
}

impl Space {
    /// Adds the columns; returns the images of what they added. `None` where weights are not positive.
    fn extend(&mut self, columns: DMatrix<f64>, operator: &mut dyn Operator) -> Option<DMatrix<f64>> {
        let first = self.vectors.len();
        for column in columns.column_iter().filter(|column| column.amax() > 0.0) {
            let mut rest = column.into_owned();
            let before = length(&rest, &operator.weigh(&rest))?;
            for _ in 0..2 {
                for (own, weighted) in self.vectors.iter().zip(&self.weighted) {
                    let share = weighted.dot(&rest);
                    rest.axpy(-share, own, 1.0);
                }
            }
            let weighted = operator.weigh(&rest);
            let Some(left) = length(&rest, &weighted).filter(|left| *left > OUTSIDE * before) else {
                continue;
            };
            if self.vectors.len() < operator.dimension() {
                self.vectors.push(rest / left);
                self.weighted.push(weighted / left);
            }
        }
        if self.vectors.len() == first {
            return Some(DMatrix::zeros(columns.nrows(), 0));
        }
        let images = operator.apply(&DMatrix::from_columns(&self.vectors[first..]));
        self.images.extend(images.column_iter().map(|image| image.into_owned()));
        self.append_products();
        Some(images)
    }

    /// Adds the rows and columns of `Vᵀ W A V` that are not there yet.
    fn append_products(&mut self) {
        let (size, before) = (self.vectors.len(), self.along.nrows());
        self.along.resize_mut(size, size, 0.0);
        for (j, image) in self.images.iter().enumerate() {
            let first = if j < before { before } else { 0 };
            for (i, weighted) in self.weighted.iter().enumerate().skip(first) {
                self.along[(i, j)] = weighted.dot(image);
            }
        }
    }

    /// The eigenvalues of `Vᵀ W A V`, by size.
    fn eigenvalues(&self) -> Option<Vec<Complex<f64>>> {
        let mut all = eigenvalues(&self.along)?;
        all.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
        Some(all)
    }
}

/// The length of a vector by its weighted one; `None` where that is not positive.
fn length(x: &DVector<f64>, weighted: &DVector<f64>) -> Option<f64> {
    let square = x.dot(weighted);
    (square > 0.0 && square.is_finite()).then(|| square.sqrt())
}

/// Groups of eigenvalues that are close to each other, the largest first, until there are as many as wanted.
fn groups(all: &[Complex<f64>], wanted: usize) -> Vec<Vec<Complex<f64>>> {
    let mut groups: Vec<Vec<Complex<f64>>> = Vec::new();
    for (count, value) in all.iter().enumerate() {
        let is_near = |other: &Complex<f64>| (other - value).norm() <= GROUP * value.norm();
        match groups.iter_mut().find(|group| group.iter().any(is_near)) {
            Some(group) => group.push(*value),
            // A number and its conjugate count together.
            None if count >= wanted && value.im >= 0.0 => break,
            None => groups.push(vec![*value]),
        }
    }
    groups
}

/// Whether the groups have the same means and sizes.
fn agree(before: &[Vec<Complex<f64>>], now: &[Vec<Complex<f64>>]) -> bool {
    let mean = |group: &[Complex<f64>]| group.iter().sum::<Complex<f64>>() / group.len() as f64;
    let largest = now.first().map_or(0.0, |group| mean(group).norm());
    let has_equal = |group: &Vec<Complex<f64>>| {
        let own = mean(group);
        let allowed = SAME * own.norm() + ROUND_OFF * largest;
        let is_same =
            |other: &Vec<Complex<f64>>| other.len() == group.len() && (mean(other) - own).norm() <= allowed;
        before.iter().any(is_same)
    };
    before.len() == now.len() && now.iter().all(has_equal)
}

#[cfg(test)]
mod tests;

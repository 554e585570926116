//! Which mode at one speed continues which at the speed before: the one with the most similar shape.
//!
//! Shapes of one eigenvalue, such as the same motion of three blades, are combinations of each other, and so are in practice those
//! whose eigenvalues are close. Modes are therefore compared in groups of close eigenvalues, by the angles `ϑ` between the subspaces
//! that their shapes span:
//!
//! ```text
//!   similarity of groups A, B:   Σ cos² ϑ_k / max(|A|, |B|)        cos ϑ_k: singular values of Q_Aᴴ M Q_B
//! ```
//!
//! with shapes `Q` that are orthonormal by the masses. It is one where they span the same, and the modal assurance criterion of two modes
//! where each is alone. Inside of groups modes continue those of the most similar shape.
//!
//! Reference: Å. Björck, G. H. Golub, *Numerical methods for computing angles between linear subspaces*, Math. Comp. 27, 1973.

use cosimo::nalgebra::{Complex, DMatrix, DVector};

use super::shape::similarity;
use super::vibrations::Vibrations;

/// Difference of eigenvalues, relative to their size, up to which modes are a group.
const CLOSE: f64 = 0.01;

/// Least similarity of groups of which modes continue each other.
const ALIKE: f64 = 0.3;

/// Share of a shape that others must leave for it to span another direction.
const INDEPENDENT: f64 = 1e-6;

/// For every speed the numbers of the tracks of its first `count` modes, in the order in which they come up; a mode that continues none
/// begins a track. The modes behind them, which are followed too, are removed.
pub(super) fn tracks(found: &mut [Vibrations], count: usize) -> Vec<Vec<usize>> {
    let mut tracks: Vec<Vec<usize>> = Vec::new();
    let mut begun = 0;
    for (index, own) in found.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| (&found[before], &tracks[before]));
        let mut now = vec![None; own.modes.len()];
        if let Some((before, numbers)) = before {
            for (old, new) in pairs(before, own) {
                now[new] = Some(numbers[old]);
            }
        }
        let mut begin = || {
            begun += 1;
            begun - 1
        };
        tracks.push(now.into_iter().map(|track| track.unwrap_or_else(&mut begin)).collect());
    }
    for (own, tracks) in found.iter_mut().zip(&mut tracks) {
        own.modes.truncate(count);
        tracks.truncate(count);
    }
    renumbered(&tracks)
}

/// The same tracks, numbered as they come up.
fn renumbered(tracks: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    let mut number = |track: &usize| {
        order.iter().position(|known| known == track).unwrap_or_else(|| {
            order.push(*track);
            order.len() - 1
        })
    };
    tracks.iter().map(|own| own.iter().map(&mut number).collect()).collect()
}

/// The group of every mode: neighbours in the order of size whose eigenvalues are close.
fn groups(own: &Vibrations) -> Vec<usize> {
    let mut group = 0;
    let eigenvalue = |k: usize| own.modes[k].eigenvalue;
    let next = |k: usize| {
        let is_close = k > 0 && (eigenvalue(k) - eigenvalue(k - 1)).norm() <= CLOSE * eigenvalue(k).norm();
        group += usize::from(k > 0 && !is_close);
        group
    };
    (0..own.modes.len()).map(next).collect()
}

/// Pairs of modes at two speeds, those of the most similar groups first and of these the most similar; a mode is in one pair at most.
fn pairs(before: &Vibrations, after: &Vibrations) -> Vec<(usize, usize)> {
    let (of_old, of_new) = (groups(before), groups(after));
    let criteria = |a| after.modes.iter().map(move |b| similarity(a, b, &after.masses)).collect();
    let alike: Vec<Vec<f64>> = before.modes.iter().map(criteria).collect();
    let members = |groups: &[usize], of: usize| -> Vec<usize> {
        (0..groups.len()).filter(|k| groups[*k] == of).collect()
    };
    let bases = [(before, &of_old), (after, &of_new)].map(|(own, groups)| -> Vec<DMatrix<Complex<f64>>> {
        let last = groups.last().map_or(0, |last| last + 1);
        let shapes = |of: usize| members(groups, of).into_iter().map(|k| &own.modes[k].shape).collect();
        (0..last).map(|of| orthonormal(shapes(of), &after.masses)).collect()
    });
    let of_groups = |a: usize, b: usize| {
        let (old, new) = (&bases[0][a], &bases[1][b]);
        let cosines = old.adjoint() * new;
        cosines.norm_squared() / old.ncols().max(new.ncols()).max(1) as f64
    };
    let count = |groups: &[usize]| groups.last().map_or(0, |last| last + 1);
    let by_group: Vec<Vec<f64>> =
        (0..count(&of_old)).map(|a| (0..count(&of_new)).map(|b| of_groups(a, b)).collect()).collect();
    let mut all = Vec::new();
    for (old, row) in alike.iter().enumerate() {
        for (new, own) in row.iter().enumerate() {
            all.push((by_group[of_old[old]][of_new[new]], *own, old, new));
        }
    }
    all.retain(|(alike, ..)| *alike >= ALIKE);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    one_by_one(all.into_iter().map(|(.., old, new)| (old, new)))
}

/// The pairs whose members are in none before.
fn one_by_one(pairs: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (old, new) in pairs {
        if taken.iter().all(|(a, b)| *a != old && *b != new) {
            taken.push((old, new));
        }
    }
    taken
}

/// What shapes span, orthonormal, in units of the root of the energy.
fn orthonormal(shapes: Vec<&DVector<Complex<f64>>>, masses: &DVector<f64>) -> DMatrix<Complex<f64>> {
    let bodies = masses.len();
    let mut found: Vec<DVector<Complex<f64>>> = Vec::new();
    for shape in shapes {
        let mut rest = DVector::from_fn(bodies, |k, _| shape[k] * masses[k].sqrt());
        let before = rest.norm();
        for _ in 0..2 {
            for other in &found {
                let share = other.dotc(&rest);
                rest.axpy(-share, other, Complex::new(1.0, 0.0));
            }
        }
        let left = rest.norm();
        if left > INDEPENDENT * before {
            found.push(rest / Complex::new(left, 0.0));
        }
    }
    if found.is_empty() { DMatrix::zeros(bodies, 0) } else { DMatrix::from_columns(&found) }
}

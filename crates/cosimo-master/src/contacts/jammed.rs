//! Contacts that bodies without way out press together: why a contact problem has no solution.
//!
//! Impulses change gap rates by `W P`. With `z ≥ 0` and `W z = 0` no impulses, frictional ones included as `W` is symmetric and
//! semidefinite, change `z·U`: bodies between what is held or driven are jammed where that is negative.

use cosimo_nonsmooth::ContactRows;
use nalgebra::{DMatrix, SymmetricEigen};

/// Share of the largest eigenvalue below which one is zero.
const NOTHING: f64 = 1e-10;
/// Share of the largest component of `z` below which a contact takes no part, and to which another sign is round-off.
const NO_PART: f64 = 1e-6;

/// The contacts that are jammed, and the mean rate at which they close (m/s).
pub(super) struct Jammed {
    pub(super) contacts: Vec<usize>,
    pub(super) rate: f64,
}

/// The contacts of these rows that are jammed, if any are. For messages: it takes its time.
pub(super) fn find_clamped(rows: &ContactRows<'_>) -> Option<Jammed> {
    let rate = |c: usize| rows.start_rates[c].min(rows.end_rates[c]);
    let closes = |c: &usize| {
        let gap = rows.start_gaps[*c];
        gap.is_finite() && (rows.end_gaps[*c] <= 0.0 || gap + rows.step * rate(*c) <= 0.0 || gap <= 0.0)
    };
    let set: Vec<usize> = (0..rows.start_gaps.len()).filter(closes).collect();
    let matrix = symmetric_part(rows, &set);
    if set.is_empty() || !matrix.iter().all(|w| w.is_finite()) {
        return None;
    }
    let SymmetricEigen { eigenvalues, eigenvectors } = matrix.symmetric_eigen();
    let bound = NOTHING * eigenvalues.max();
    let null = (0..set.len()).filter(|k| eigenvalues[*k] <= bound).map(|k| {
        let z = eigenvectors.column(k);
        z / z[z.iamax()]
    });
    let of = |z: nalgebra::DVector<f64>| {
        let closing: f64 = set.iter().zip(z.iter()).map(|(c, z)| z * rate(*c)).sum();
        let is_clamp = z.min() >= -NO_PART && closing < 0.0;
        let part = set.iter().zip(z.iter()).filter(|(_, z)| **z > NO_PART).map(|(c, _)| *c);
        is_clamp.then(|| Jammed { contacts: part.collect(), rate: closing / z.sum() })
    };
    null.filter_map(of).next()
}

/// The symmetric part of the effective inverse mass of some contacts.
fn symmetric_part(rows: &ContactRows<'_>, set: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(set.len(), set.len(), |i, j| {
        0.5 * (rows.delassus[(set[i], set[j])] + rows.delassus[(set[j], set[i])])
    })
}

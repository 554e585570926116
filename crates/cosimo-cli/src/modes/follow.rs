//! Which mode at one speed continues which at the speed before: the one with the most similar shape.
//!
//! Shapes of one eigenvalue, such as the same motion of three blades, are combinations of each other, and so are in practice those
//! whose eigenvalues are close. Modes are therefore compared in groups of close eigenvalues:
//!
//! ```text
//!   similarity of groups A, B:   Σ MAC(a, b) / max(|A|, |B|)        a ∈ A, b ∈ B
//! ```
//!
//! which is one where they span the same shapes, and the criterion of two modes where each is alone.

use super::shape::similarity;
use super::solve::Vibrations;

/// Difference of eigenvalues, relative to their size, up to which modes are a group.
const CLOSE: f64 = 0.01;

/// Least similarity of groups of which modes continue each other.
const ALIKE: f64 = 0.3;

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
    let of_groups = |a: usize, b: usize| {
        let (rows, columns) = (members(&of_old, a), members(&of_new, b));
        let sum: f64 = rows.iter().flat_map(|k| columns.iter().map(|l| alike[*k][*l])).sum();
        sum / rows.len().max(columns.len()) as f64
    };
    let mut all = Vec::new();
    for (old, row) in alike.iter().enumerate() {
        for (new, own) in row.iter().enumerate() {
            all.push((of_groups(of_old[old], of_new[new]), *own, old, new));
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

//! Which mode at one speed continues which at the speed before: the one with the most similar shape.

use super::shape::similarity;
use super::solve::Vibrations;

/// Least similarity of a continuation: more alike than not.
const ALIKE: f64 = 0.5;

/// For every speed the numbers of the tracks of its modes. A mode that continues none begins a track.
pub(super) fn tracks(found: &[Vibrations]) -> Vec<Vec<usize>> {
    let mut tracks: Vec<Vec<usize>> = Vec::new();
    let mut count = 0;
    for (index, own) in found.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| (&found[before], &tracks[before]));
        let mut now = vec![None; own.modes.len()];
        if let Some((before, numbers)) = before {
            for (old, new) in pairs(before, own) {
                now[new] = Some(numbers[old]);
            }
        }
        let mut begin = || {
            count += 1;
            count - 1
        };
        tracks.push(now.into_iter().map(|track| track.unwrap_or_else(&mut begin)).collect());
    }
    tracks
}

/// Pairs of modes at two speeds, the most similar ones first; a mode is in one pair at most.
fn pairs(before: &Vibrations, after: &Vibrations) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for (old, a) in before.modes.iter().enumerate() {
        for (new, b) in after.modes.iter().enumerate() {
            all.push((similarity(a, b, &after.masses), old, new));
        }
    }
    all.retain(|(alike, ..)| *alike >= ALIKE);
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (_, old, new) in all {
        if taken.iter().all(|(a, b)| *a != old && *b != new) {
            taken.push((old, new));
        }
    }
    taken
}

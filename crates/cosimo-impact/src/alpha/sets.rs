//! Sets of active contacts.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Totals over a step that decide which contacts are active.
#[derive(Debug, Clone, Default)]
pub(crate) struct Augmented<'a> {
    /// `ν*` (kg m), `Λ*` (N s) and `λ` (N), one per contact.
    pub(crate) multipliers: [&'a [f64]; 3],
    /// `g`, `U + e U⁻` and `g̈`, one per contact.
    pub(crate) rows: [&'a [f64]; 3],
    /// `r` (kg): what a unit of a row weighs against a multiplier.
    pub(crate) weights: &'a [f64],
}

/// Which contacts are active at the level of positions, velocities and accelerations, each a subset of the one before.
///
/// A force of the set C opens the gap that has put its contact into A, so that a step may have no sets that agree with what they
/// lead to. Sets that keep changing are therefore made [safe](Self::make_safe).
#[derive(Debug, Clone, Default)]
pub(crate) struct ActiveSets {
    pub(crate) sets: [Vec<usize>; 3],
    pub(crate) is_safe: bool,
    /// Contacts at which nothing gives way, which no set has.
    pub(crate) held: Vec<usize>,
}

impl ActiveSets {
    /// Takes the sets
    ///
    /// ```text
    ///   A: ν* − r g ≥ 0        B ⊂ A: Λ* − r (U + e U⁻) ≥ 0        C ⊂ B: λ − r g̈ ≥ 0
    /// ```
    pub(crate) fn update(&mut self, augmented: &Augmented<'_>, has_accelerations: bool) {
        let [positions, velocities, accelerations] = &mut self.sets;
        let is_active = |level: usize, contact: usize| {
            let Augmented { multipliers, rows, weights } = augmented;
            multipliers[level][contact] - weights[contact] * rows[level][contact] >= 0.0
        };
        if !self.is_safe {
            positions.clear();
        }
        let kept = positions.len();
        for contact in (0..augmented.weights.len()).filter(|contact| is_active(0, *contact)) {
            if !positions[..kept].contains(&contact) && !self.held.contains(&contact) {
                positions.push(contact);
            }
        }
        velocities.clear();
        velocities.extend(positions.iter().copied().filter(|contact| is_active(1, *contact)));
        if self.is_safe {
            return;
        }
        accelerations.clear();
        if has_accelerations {
            accelerations.extend(velocities.iter().copied().filter(|contact| is_active(2, *contact)));
        }
    }

    /// From now on A only grows, and C is what these sets and the last ones have in common: contacts of A then satisfy
    /// complementarity at every level, and what a contact outside C has of a force is in its impulse.
    pub(crate) fn make_safe(&mut self, last: &Self) {
        let [positions, _, accelerations] = &mut self.sets;
        accelerations.retain(|contact| last.sets[2].contains(contact));
        positions.extend_from_slice(&last.sets[0]);
        positions.sort_unstable();
        positions.dedup();
        self.is_safe = true;
    }

    /// Makes the sets safe with forces on these contacts, as the step without impulses from outside has them: what such impulses do to contacts is
    /// then in the levels of positions and velocities, where it is continuous.
    pub(crate) fn keep_forces(&mut self, resting: &[usize]) {
        self.sets[0].clear();
        self.sets[2].clear();
        self.sets[2].extend_from_slice(resting);
        self.is_safe = true;
    }

    /// Forgets what the last step has made of the sets.
    pub(crate) fn begin(&mut self) {
        self.is_safe = false;
        self.held.clear();
    }

    /// Takes a contact out of all sets.
    pub(crate) fn hold(&mut self, contact: usize) {
        self.held.push(contact);
        self.sets.iter_mut().for_each(|set| set.retain(|own| *own != contact));
    }

    /// A number that equal sets have in common.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.sets.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether corrections for these sets solve the same equations as for those.
    pub(crate) fn agree(&self, other: &Self) -> bool {
        if self.is_safe { self.sets[0] == other.sets[0] } else { self.sets == other.sets }
    }

    /// Contacts that are in a set here and not there, or the other way round, ascending.
    pub(crate) fn differing(&self, other: &Self) -> Vec<usize> {
        let pairs = || self.sets.iter().zip(&other.sets);
        let only =
            |a: &[usize], b: &[usize]| a.iter().filter(|c| !b.contains(c)).copied().collect::<Vec<_>>();
        let mut all: Vec<usize> =
            pairs().flat_map(|(a, b)| only(a, b).into_iter().chain(only(b, a))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Takes over another's.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.sets.iter_mut().zip(&other.sets).for_each(|(own, other)| own.clone_from(other));
        self.is_safe = other.is_safe;
    }
}

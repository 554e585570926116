//! Sets of active contacts.

/// Totals over a step that decide which contacts are active.
#[derive(Debug, Clone, Default)]
pub(crate) struct Augmented<'a> {
    /// `ν*` (kg m), `Λ*` (N s) and `λ` (N), one a contact.
    pub(crate) multipliers: [&'a [f64]; 3],
    /// `g`, `U + e U⁻` and `g̈`, one a contact.
    pub(crate) rows: [&'a [f64]; 3],
    /// `r` (kg): what a unit of a row weighs against a multiplier.
    pub(crate) weights: &'a [f64],
}

/// Which contacts are active at the level of positions, velocities and accelerations, each a subset of the one before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ActiveSets {
    pub(crate) sets: [Vec<usize>; 3],
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
        positions.clear();
        positions.extend((0..augmented.weights.len()).filter(|contact| is_active(0, *contact)));
        velocities.clear();
        velocities.extend(positions.iter().copied().filter(|contact| is_active(1, *contact)));
        accelerations.clear();
        if has_accelerations {
            accelerations.extend(velocities.iter().copied().filter(|contact| is_active(2, *contact)));
        }
    }

    /// Takes over another's.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.sets.iter_mut().zip(&other.sets).for_each(|(own, other)| own.clone_from(other));
    }
}

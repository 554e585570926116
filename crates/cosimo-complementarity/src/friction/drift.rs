//! Sweeps that all change the impulses alike, taken many at once.
//!
//! Where the contacts as they stand, sticking, sliding or open, cannot carry the load, sweep after sweep adds the same
//! change to the impulses until one of them opens or slides. That takes thousands of sweeps, and gives the acceleration
//! nothing to learn from: the corrections differ by nothing.

/// Corrections of two sweeps that differ by less than this share of their size are alike.
const ALIKE: f64 = 0.1;
/// Growth of the correction at which a leap is taken back.
const SETBACK: f64 = 1.1;
/// Sweeps of the first leap; of each that succeeds twice as many follow, of one that fails an eighth.
const FIRST: f64 = 4.0;
const LONGER: f64 = 2.0;
const SHORTER: f64 = 0.125;

/// What it remembers of the sweeps before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drift {
    /// Sweeps of the next leap.
    stride: f64,
    /// The correction of the sweep before; empty if there is none.
    last: Vec<f64>,
    /// Where the last leap began, and the size of the correction there, if its success is not known yet.
    start: Vec<f64>,
    size: Option<f64>,
}

impl Drift {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.last.clear();
        (self.size, self.stride) = (None, FIRST);
    }

    /// After a sweep from `before` to `r`: leaps ahead where the sweep was like the one before it, or takes back a leap
    /// that was bad. True where `r` was moved ahead, perhaps out of the cones.
    pub(crate) fn leap(&mut self, before: &[f64], r: &mut [f64]) -> bool {
        let (mut square, mut difference) = (0.0, 0.0);
        let last = self.last.iter().copied().chain(std::iter::repeat(0.0));
        for ((new, old), last) in r.iter().zip(before).zip(last) {
            square += (new - old) * (new - old);
            difference += (new - old - last) * (new - old - last);
        }
        if let Some(size) = self.size.take() {
            self.last.clear();
            let is_bad = square.sqrt() > SETBACK * size;
            if is_bad {
                r.copy_from_slice(&self.start);
            }
            self.stride = (self.stride * if is_bad { SHORTER } else { LONGER }).max(1.0);
            return false;
        }
        let is_alike = !self.last.is_empty() && difference <= ALIKE * ALIKE * square;
        self.last.clear();
        self.last.extend(r.iter().zip(before).map(|(new, old)| new - old));
        if is_alike {
            self.start.clear();
            self.start.extend_from_slice(r);
            self.size = Some(square.sqrt());
            r.iter_mut().zip(&self.last).for_each(|(r, change)| *r += self.stride * change);
        }
        is_alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sweeps until a drift of 1e-3 a sweep has come to its end at 1, where the impulse stays.
    fn sweeps(drift: &mut Option<Drift>) -> usize {
        let mut r = [0.0, 0.5];
        for sweep in 1..5000 {
            let before = r;
            r = [f64::min(r[0] + 1e-3, 1.0), 0.5];
            if r[0] >= 1.0 && before[0] >= 1.0 {
                return sweep;
            }
            if let Some(drift) = drift
                && drift.leap(&before, &mut r)
            {
                r[0] = r[0].min(1.2);
            }
        }
        5000
    }

    #[test]
    fn a_steady_drift_is_run_through_in_leaps() {
        assert_eq!(sweeps(&mut None), 1001);
        let mut drift = Drift::default();
        drift.clear();
        let found = sweeps(&mut Some(drift));
        assert!(found < 60, "{found}");
    }

    #[test]
    fn a_leap_after_which_corrections_grow_is_taken_back() {
        let mut drift = Drift::default();
        drift.clear();
        let mut r = [1.0];
        assert!(!drift.leap(&[0.0], &mut r));
        r = [2.0];
        assert!(drift.leap(&[1.0], &mut r) && r[0] == 2.0 + FIRST);
        let before = r;
        r = [before[0] + 5.0];
        assert!(!drift.leap(&before, &mut r));
        assert_eq!(r, [2.0]);
    }
}

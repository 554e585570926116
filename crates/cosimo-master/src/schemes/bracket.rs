//! A single force between an iterate whose answer is larger and one whose answer is smaller.
//!
//! The answer of a sweep falls with the force, `dH/dx = −ρ ≤ 0`, and where a contact closes its slope jumps to zero. The residual
//! `r = H(x) − x` therefore falls throughout, and has one root, on whichever side `r` points to. Accelerators that extrapolate over the
//! jump are thrown to and fro; a next iterate outside the bracket, or one after a sweep that has not halved the residual, is replaced by the secant over it, with the value of an end that stays
//! halved (M. Dowell, P. Jarratt, *A modified regula falsi method for computing the root of an equation*, BIT 11, 1971).

/// The ends of the bracket, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Bracket {
    /// Iterate and residual below the root, and above it.
    low: Option<(f64, f64)>,
    high: Option<(f64, f64)>,
    /// The last residual.
    last: Option<f64>,
}

impl Bracket {
    /// Begins the iteration of a step.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes an iterate with its residual, and keeps the next one within the bracket.
    pub(super) fn guard(&mut self, (x, residual): (f64, f64), next: &mut f64) {
        let last = self.last.replace(residual);
        let has_halved = last.is_none_or(|last| residual.abs() <= 0.5 * last.abs());
        let is_same_side = last.is_some_and(|last| (last > 0.0) == (residual > 0.0));
        let (own, other) =
            if residual > 0.0 { (&mut self.low, &mut self.high) } else { (&mut self.high, &mut self.low) };
        if is_same_side && let Some((_, residual)) = other {
            *residual *= 0.5;
        }
        *own = Some((x, residual));
        let (Some((a, of_a)), Some((b, of_b))) = (self.low, self.high) else { return };
        if !(a < b) {
            // Not a map of this kind: a subsystem that is not affine has moved.
            self.clear();
        } else if !(has_halved && a < *next && *next < b) {
            *next = a + (b - a) * of_a / (of_a - of_b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bracket;

    /// Iterates with the fixed point map itself, which alone diverges, kept in the bracket.
    fn sweeps(answer: impl Fn(f64) -> f64, mut x: f64) -> usize {
        let mut bracket = Bracket::default();
        for sweep in 1..200 {
            let residual = answer(x) - x;
            if residual.abs() < 1e-9 * (1.0 + x.abs()) {
                return sweep;
            }
            let mut next = x + residual;
            bracket.guard((x, residual), &mut next);
            x = next;
        }
        200
    }

    #[test]
    fn the_root_of_a_map_whose_slope_jumps_is_found_at_large_ratios() {
        for ratio in [0.5, 2.0, 100.0, 1e4] {
            for kink in [-3.0, -0.1, 0.2, 5.0] {
                for start in [-10.0, 0.0, 7.0] {
                    let answer = |x: f64| 1.0 - ratio * (x - kink).min(0.0);
                    assert!(sweeps(answer, start) < 60, "{ratio} {kink} {start}");
                    let answer = |x: f64| 1.0 - ratio * (x - kink).max(0.0);
                    assert!(sweeps(answer, start) < 60, "{ratio} {kink} {start}");
                }
            }
        }
    }
}

//! Where in a step an event lies.

use crate::SystemError;

/// Iterations until the bracket is small.
const ITERATIONS: u32 = 60;

/// Which indicator has changed its sign first, as far as the ends tell: the one whose straight line crosses zero earliest.
pub(crate) fn crossing(before: &[f64], after: &[f64]) -> Option<usize> {
    let crossed = before.iter().zip(after).enumerate().filter(|(_, (a, b))| (**a > 0.0) != (**b > 0.0));
    let share = |a: f64, b: f64| if a == b { 0.0 } else { a / (a - b) };
    crossed.map(|(k, (a, b))| (k, share(*a, *b))).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
}

/// The size of the step (s) that ends right after the first change of sign within `size`, to within `resolution` (s).
///
/// `indicators_after` answers with the indicators after a step of a size. The bracket closes by the Illinois method, and by halving where that is slow.
pub(crate) fn locate(
    size: f64,
    resolution: f64,
    before: &[f64],
    after: &mut [f64],
    mut indicators_after: impl FnMut(f64, &mut [f64]) -> Result<(), SystemError>,
) -> Result<f64, SystemError> {
    let Some(mut watched) = crossing(before, after) else { return Ok(size) };
    let (mut low, mut high) = (0.0, size);
    let (mut low_value, mut high_value) = (before[watched], after[watched]);
    let (mut last, mut is_slow) = (None, false);
    for _ in 0..ITERATIONS {
        let width = high - low;
        if width <= resolution {
            break;
        }
        let secant = low + width * low_value / (low_value - high_value);
        // A point beside the end that stays is of no use: at least half of the resolution away.
        let inside = secant.clamp(low + 0.5 * resolution, high - 0.5 * resolution);
        let next = if is_slow || !inside.is_finite() { 0.5 * (low + high) } else { inside };
        indicators_after(next, after)?;
        let first = crossing(before, after);
        match first {
            Some(first) if first != watched => (watched, low_value) = (first, before[first]),
            // The end that stays a second time counts half.
            Some(_) if last == Some(true) => low_value *= 0.5,
            None if last == Some(false) => high_value *= 0.5,
            _ => {}
        }
        if first.is_some() {
            (high, high_value) = (next, after[watched]);
        } else {
            (low, low_value) = (next, after[watched]);
        }
        last = Some(first.is_some());
        is_slow = !is_slow && high - low > 0.5 * width;
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_crossings_is_found_right_after_it() {
        let z = |t: f64| [0.3 - t * t, (t - 0.71).exp() - 1.0];
        let (before, mut after) = (z(0.0), z(1.0));
        let mut calls = 0;
        let found = locate(1.0, 1e-14, &before, &mut after, |t, out| {
            calls += 1;
            out.copy_from_slice(&z(t));
            Ok(())
        });
        let found = found.unwrap();
        assert!(found >= 0.3f64.sqrt() && found - 0.3f64.sqrt() < 3e-14, "{found}");
        assert!(calls < 20, "{calls}");
    }

    #[test]
    fn a_jump_is_found_too() {
        let z = |t: f64| if t < 0.123 { 1.0 } else { -1.0 };
        let mut after = [-1.0];
        let found = locate(1.0, 1e-12, &[1.0], &mut after, |t, out| {
            out[0] = z(t);
            Ok(())
        });
        assert!((found.unwrap() - 0.123).abs() < 2e-12);
    }
}

//! Roots of a function that goes from negative to positive.

/// Doublings of the first step before no root counts as found.
const EXPANSIONS: usize = 60;
/// Steps of Newton's method or of bisection.
const ITERATIONS: usize = 200;
/// Last step, relative.
const TOLERANCE: f64 = 1e-14;

/// A root near `start` of a function that gives its value and slope, and is negative far below the root and positive far above:
/// Newton's method within a bracket that is found by steps of `scale`, doubled.
pub(crate) fn root(function: impl Fn(f64) -> (f64, f64), start: f64, scale: f64) -> Option<f64> {
    let (mut value, mut slope) = function(start);
    if value == 0.0 {
        return Some(start);
    }
    let (mut lower, mut upper) = bracket(&function, start, value, scale)?;
    let mut x = start;
    for _ in 0..ITERATIONS {
        if value > 0.0 {
            upper = x;
        } else {
            lower = x;
        }
        let newton = x - value / slope;
        let next = if newton > lower && newton < upper { newton } else { 0.5 * (lower + upper) };
        let step = (next - x).abs();
        x = next;
        (value, slope) = function(x);
        if value == 0.0 || step <= TOLERANCE * (x.abs() + 1e-3 * scale) {
            return value.is_finite().then_some(x);
        }
    }
    None
}

/// Two places about `start` between which the sign changes.
fn bracket(function: &impl Fn(f64) -> (f64, f64), start: f64, value: f64, scale: f64) -> Option<(f64, f64)> {
    let direction = if value > 0.0 { -1.0 } else { 1.0 };
    let (mut near, mut step) = (start, scale);
    for _ in 0..EXPANSIONS {
        let far = near + direction * step;
        let there = function(far).0;
        if !there.is_finite() {
            return None;
        }
        if there * direction >= 0.0 {
            return Some(if direction > 0.0 { (near, far) } else { (far, near) });
        }
        (near, step) = (far, 2.0 * step);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_from_afar_and_over_flat_places() {
        let cube = |x: f64| ((x - 3.0).powi(3), 3.0 * (x - 3.0).powi(2));
        assert!((root(cube, -50.0, 0.1).unwrap() - 3.0).abs() < 1e-4);
        let line = |x: f64| (2.0 * x + 1.0, 2.0);
        assert!((root(line, 10.0, 1.0).unwrap() + 0.5).abs() < 1e-14);
        assert_eq!(root(|_| (-1.0, 0.0), 0.0, 1.0), None);
    }
}

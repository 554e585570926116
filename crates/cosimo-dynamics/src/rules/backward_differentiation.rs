//! Coefficients of linear multistep rules: backward differentiation on steps of any sizes.

/// Most points that a rule uses or judges its error by, the present one included.
pub(super) const MOST: usize = 6;

/// Weights of the values and rates of the points `0, −1, …`, and of the rate at the end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Coefficients {
    /// `aⱼ`.
    pub(super) value: [f64; MOST],
    /// `bⱼ` (s).
    pub(super) rate: [f64; MOST],
    /// `b` (s).
    pub(super) end: f64,
}

/// The polynomial through the end and these points, whose times `ages` (s) count back from the end, has the right rate at the end.
pub(super) fn backward_differentiation(ages: &[f64]) -> Coefficients {
    let mut own = Coefficients::default();
    let slope: f64 = ages.iter().map(|age| 1.0 / age).sum();
    own.end = 1.0 / slope;
    for (j, age) in ages.iter().enumerate() {
        let others = ages.iter().enumerate().filter(|(m, _)| *m != j);
        let product: f64 = others.map(|(_, other)| other / (other - age)).product();
        own.value[j] = own.end * product / age;
    }
    own
}

/// Weight of the point `j` in the polynomial through the first `count` points of these ages (s), at the end.
pub(super) fn extrapolation_weight(ages: &[f64; MOST], count: usize, j: usize) -> f64 {
    (0..count).filter(|m| *m != j).map(|m| ages[m] / (ages[m] - ages[j])).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_give_the_known_formulas() {
        let known: [&[f64]; 5] = [
            &[1.0],
            &[4.0 / 3.0, -1.0 / 3.0],
            &[18.0 / 11.0, -9.0 / 11.0, 2.0 / 11.0],
            &[48.0 / 25.0, -36.0 / 25.0, 16.0 / 25.0, -3.0 / 25.0],
            &[300.0 / 137.0, -300.0 / 137.0, 200.0 / 137.0, -75.0 / 137.0, 12.0 / 137.0],
        ];
        let ends = [1.0, 2.0 / 3.0, 6.0 / 11.0, 12.0 / 25.0, 60.0 / 137.0];
        for (k, (values, end)) in known.iter().zip(ends).enumerate() {
            let ages: Vec<f64> = (0..=k).map(|j| 0.1 * (j + 1) as f64).collect();
            let found = backward_differentiation(&ages);
            assert!((found.end - 0.1 * end).abs() < 1e-15);
            assert!(found.value.iter().zip(*values).all(|(a, b)| (a - b).abs() < 1e-13), "{found:?}");
        }
    }

    #[test]
    fn polynomials_of_the_order_are_met_on_any_steps() {
        let ages = [0.1, 0.15, 0.4, 0.45, 0.7];
        let found = backward_differentiation(&ages);
        for power in 0..=5 {
            // x = tᵖ with t = 1 at the end.
            let sum: f64 = found.value.iter().zip(ages).map(|(a, age)| a * (1.0 - age).powi(power)).sum();
            let end = sum + found.end * f64::from(power);
            assert!((end - 1.0).abs() < 1e-13, "{power}: {end}");
        }
    }
}

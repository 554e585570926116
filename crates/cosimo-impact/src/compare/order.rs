//! Mean distances and orders.

/// `h Σ |fᵢ − f(tᵢ)|` of a trajectory on equal steps `h` (s).
///
/// ```
/// use cosimo_impact::compare::l1_distance;
/// assert_eq!(l1_distance(0.5, &[1.0, 2.0, 3.0], &[1.0, 2.5, 3.0]), 0.25);
/// ```
#[must_use]
pub fn l1_distance(h: f64, found: &[f64], exact: &[f64]) -> f64 {
    h * found.iter().zip(exact).map(|(found, exact)| (found - exact).abs()).sum::<f64>()
}

/// Orders between neighbours of a sequence of step sizes (s) and errors: `log(E₁/E₂)/log(h₁/h₂)`.
///
/// ```
/// use cosimo_impact::compare::observed_orders;
/// assert_eq!(observed_orders(&[(0.2, 0.4), (0.1, 0.1)]), [2.0]);
/// ```
#[must_use]
pub fn observed_orders(errors: &[(f64, f64)]) -> Vec<f64> {
    let order = |pair: &[(f64, f64)]| (pair[0].1 / pair[1].1).ln() / (pair[0].0 / pair[1].0).ln();
    errors.windows(2).map(order).collect()
}

//! Which iterate is taken of an iteration that does not converge.

/// How much more than the least residual of the first half of an iteration may be left (–).
const NEAR_LEAST: f64 = 1.5;

/// Which iterate is taken of an iteration that does not converge. The first half of its iterations shows what is within reach; of the
/// second half the first iterate is taken that comes near to that, or else the last one, where its residual is within the bound.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fallback {
    bound: f64,
    half: u32,
    last: u32,
    least: f64,
}

impl Fallback {
    /// Of so many iterations, up to this relative residual (–); zero for none.
    pub(crate) fn new(bound: f64, iterations: u32) -> Self {
        Self { bound, half: iterations / 2, last: iterations, least: f64::INFINITY }
    }

    /// Whether this iterate, the first being number 1, is taken with its relative residual (–).
    pub(crate) fn takes(&mut self, iteration: u32, residual: f64) -> bool {
        if iteration <= self.half {
            self.least = self.least.min(residual);
            return false;
        }
        let is_near = residual <= NEAR_LEAST * self.least || iteration == self.last;
        is_near && residual <= self.bound
    }
}

#[cfg(test)]
mod tests {
    use super::Fallback;

    fn taken(bound: f64, residuals: &[f64]) -> Option<usize> {
        let mut fallback = Fallback::new(bound, residuals.len() as u32);
        (1..=residuals.len()).find(|k| fallback.takes(*k as u32, residuals[k - 1]))
    }

    #[test]
    fn of_a_cycle_the_best_iterate_is_taken() {
        assert_eq!(taken(1e-2, &[8e-3, 1e-4, 5e-3, 8e-3, 5e-3, 1.2e-4, 8e-3, 5e-3]), Some(6));
    }

    #[test]
    fn the_last_iterate_is_taken_where_none_comes_near_to_the_best() {
        assert_eq!(taken(1e-2, &[1e-6, 1e-3, 2e-3, 3e-3]), Some(4));
        assert_eq!(taken(1e-2, &[3e-3]), Some(1));
        assert_eq!(taken(1e-2, &[f64::INFINITY, 3e-3]), Some(2));
    }

    #[test]
    fn nothing_is_taken_above_the_bound() {
        assert_eq!(taken(1e-2, &[1e-3, 2e-2]), None);
        assert_eq!(taken(1e-2, &[f64::NAN, f64::NAN]), None);
        assert_eq!(taken(0.0, &[1e-12, 1e-12]), None);
    }
}

//! Errors of a mechanism whose motion is known, and how they fall with the step.

use cosimo_multibody::spatial::{SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

use crate::mechanisms::start;

/// What is compared, by name.
pub(crate) type Quantities = Vec<(&'static str, Vec<f64>)>;

/// A mechanism whose motion is known: what the solver finds, and what is right, at given times.
pub(crate) struct Case<'a> {
    pub(crate) model: &'a dyn Fn() -> SpatialModel,
    pub(crate) exact: &'a [(f64, Quantities)],
    pub(crate) found: &'a dyn Fn(&DaeSolver<SpatialSystem>) -> Quantities,
    /// Of Newton's method.
    pub(crate) tolerance: f64,
}

impl Case<'_> {
    /// Largest errors of all quantities.
    pub(crate) fn errors(
        &self,
        method: Method,
        formulation: Formulation,
        h: f64,
    ) -> Vec<(&'static str, f64)> {
        let settings = DaeSettings { formulation, tolerance: self.tolerance, ..DaeSettings::default() };
        let mut solver = start((self.model)(), method, settings);
        let mut errors: Vec<(&'static str, f64)> =
            self.exact[0].1.iter().map(|(name, _)| (*name, 0.0)).collect();
        for (time, exact) in self.exact {
            solver.advance_to(*time, h).unwrap();
            let found = (self.found)(&solver);
            for ((error, (_, exact)), (_, found)) in errors.iter_mut().zip(exact).zip(&found) {
                assert_eq!(exact.len(), found.len());
                error.1 = exact.iter().zip(found).fold(error.1, |m, (a, b)| m.max((a - b).abs()));
            }
        }
        errors
    }

    /// Halves the step: all errors must fall with the order, within `slack`.
    #[track_caller]
    pub(crate) fn check(&self, method: Method, formulation: Formulation, (h, order, slack): (f64, f64, f64)) {
        let [coarse, fine] = [h, 0.5 * h].map(|h| self.errors(method, formulation, h));
        for ((name, coarse), (_, fine)) in coarse.iter().zip(fine) {
            let found = (coarse / fine).log2();
            let rule = format!("{method:?} {formulation:?}");
            assert!((found - order).abs() < slack, "{rule} {name}: {found:.2}, {coarse:.2e} to {fine:.2e}");
        }
    }
}

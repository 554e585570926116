//! Friction that holds a contact better than it brakes a sliding one.

/// Friction of contacts that stick, and how it falls to that of sliding as they slide faster:
///
/// ```text
///   μ(0) = μ_s        μ(s) = μ                                        without Stribeck's curve
///                     μ(s) = μ + (μ_s − μ) exp(−(s/v)^p)              with it
/// ```
///
/// at the slip speed `s`, with the coefficient `μ` of the [law](crate::ContactLaw).
///
/// Reference: B. Armstrong-Hélouvry, P. Dupont, C. Canudas de Wit, *A survey of models, analysis tools and compensation methods
/// for the control of machines with friction*, Automatica 30 (1994), eq. 6.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticFriction {
    /// Coefficient `μ_s` of a contact that sticks, at least that of one that slides (–).
    pub coefficient: f64,
    /// How it falls; `None` for at once.
    pub stribeck: Option<Stribeck>,
}

/// Stribeck's curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stribeck {
    /// Slip speed `v` at which `1/e` of the difference is left (m/s).
    pub speed: f64,
    /// Exponent `p` (–): 1 of Tustin's curve, 2 of Gauss'.
    pub exponent: f64,
}

impl StaticFriction {
    /// `μ(s)` above the coefficient `sliding` of fast slip.
    pub(crate) fn at(&self, sliding: f64, speed: f64) -> f64 {
        match self.stribeck {
            _ if speed == 0.0 => self.coefficient,
            None => sliding,
            Some(Stribeck { speed: of_curve, exponent }) => {
                sliding + (self.coefficient - sliding) * (-(speed / of_curve).powf(exponent)).exp()
            }
        }
    }

    /// The first rule that the numbers break beside the coefficient of sliding, in words.
    pub(crate) fn broken_rule(&self, sliding: f64) -> Option<&'static str> {
        if !(self.coefficient >= sliding && self.coefficient.is_finite()) {
            return Some("its static friction is smaller than that of sliding, or not finite");
        }
        if sliding == 0.0 {
            return Some("its friction is zero where it slides, but not where it sticks");
        }
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        if self.stribeck.is_some_and(|curve| !is_positive(curve.speed) || !is_positive(curve.exponent)) {
            return Some("speed or exponent of its Stribeck curve is not positive and finite");
        }
        None
    }
}

//! From an iterate and the sweep's answer to the next iterate.
//!
//! A sweep maps interface unknowns `x` to the subsystems' answer `H(x)`; the solution is the fixed point `x = H(x)`, and
//! the residual `r = H(x) − x`. An accelerator sees these vectors only: it knows nothing of subsystems, and moves the
//! iterates, not the fixed point.

mod aitken;
mod iqn_ils;
mod relaxation;
pub(crate) mod secant;

#[cfg(test)]
mod tests;

use crate::Acceleration;
use aitken::Aitken;
use iqn_ils::IqnIls;
use relaxation::relax;
use secant::Secant;

/// The accelerator of an iteration, with its memory.
#[derive(Debug)]
pub(crate) enum Accelerator {
    None,
    Relaxation(f64),
    Aitken(Aitken),
    IqnIls(IqnIls),
}

impl Accelerator {
    /// The accelerator of vectors of length `size`.
    pub(crate) fn new(acceleration: Acceleration, size: usize) -> Self {
        match acceleration {
            Acceleration::None => Self::None,
            Acceleration::Relaxation { factor } => Self::Relaxation(factor),
            Acceleration::Aitken { first } => Self::Aitken(Aitken::new(first, size)),
            Acceleration::IqnIls { reuse, filter } => Self::IqnIls(IqnIls::new(reuse, filter, size)),
        }
    }

    /// Begins the iteration of a step.
    pub(crate) fn begin(&mut self) {
        match self {
            Self::None | Self::Relaxation(_) => {}
            Self::Aitken(aitken) => aitken.reset(),
            Self::IqnIls(iqn) => iqn.begin(),
        }
    }

    /// Forgets everything: the map has changed, by another contact status or another step size.
    pub(crate) fn reset(&mut self) {
        match self {
            Self::None | Self::Relaxation(_) => {}
            Self::Aitken(aitken) => aitken.reset(),
            Self::IqnIls(iqn) => iqn.reset(),
        }
    }

    /// Overwrites the iterate `x`, whose answer is `answer`, with the next one.
    pub(crate) fn advance(&mut self, x: &mut [f64], answer: &[f64]) {
        match self {
            Self::None => x.copy_from_slice(answer),
            Self::Relaxation(factor) => relax(x, answer, *factor),
            Self::Aitken(aitken) => aitken.advance(x, answer),
            Self::IqnIls(iqn) => iqn.advance(x, answer),
        }
    }

    /// Ends the iteration of a step at the iterate `x`, whose answer is the solution.
    pub(crate) fn accept(&mut self, x: &[f64], answer: &[f64]) {
        if let Self::IqnIls(iqn) = self {
            iqn.accept(x, answer);
        }
    }

    /// What is carried over to the next step, the latest first.
    pub(crate) fn secants(&self) -> &[Secant] {
        if let Self::IqnIls(iqn) = self { iqn.secants() } else { &[] }
    }

    /// Whether these are secants of this acceleration.
    pub(crate) fn fits(&self, secants: &[Secant]) -> bool {
        match self {
            Self::IqnIls(iqn) => iqn.fits(secants),
            _ => secants.is_empty(),
        }
    }

    /// Takes over what another accelerator of the same settings carried.
    pub(crate) fn restore(&mut self, secants: &[Secant]) {
        if let Self::IqnIls(iqn) = self {
            iqn.restore(secants);
        }
    }
}

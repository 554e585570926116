//! The algorithmic acceleration of the generalized-α family, carried from steps of one size to steps of another.

use super::parameters::GeneralizedAlphaParameters;
use crate::{LoadMemory, LoadQuadrature};

/// The algorithmic acceleration `a` and what it needs to go on with another step size.
///
/// `a` is the true acceleration `Δ h` earlier, `Δ = αf − αm`. Where the step changes from `h₋₁` to `h`, the step therefore
/// starts from
///
/// ```text
///   a₀ = a − Δ (h/h₋₁ − 1) r − λ (a − u₀ + Δ r)        r = w (u₀ − u₋₁) + (1 − w)(a − a₋₁)
///   w = max(0, 1 − ½ (1 + αm)/Δ)                       λ = w max(0, 1 − h₋₁/h)
/// ```
///
/// where `a₋₁` is what the last step started from. Both differences are `h₋₁ u̇`, and what `λ` stands before is nothing, up to
/// terms of second order, so that the order two is kept whatever `w` and `λ`. What they decide is what becomes of the rest `p` that
/// a jump of `u` leaves in `a`. Of a free mass, with `u = 0` from then on and `w = 0`, a step makes of it
///
/// ```text
///   p ← [−αm + Δ (h/h₋₁ − 1)]/(1 − αm) p
/// ```
///
/// and the velocity is wrong by about `(½ − αf) h p`. With `w = 0` stiff motions die out best, and they do on steps that change by
/// up to two in either direction; but for small `ρ` the error of the velocity grows while the steps do. `w` is the smallest for
/// which steps that double do not let `h p` grow, `(1 − w) Δ = ½ (1 + αm)`, and `λ` lets it die out. It is zero for generalized-α
/// from `ρ = 0.4` on, for HHT and for Newmark. Below `ρ = 0.2` motions far too fast for the step grow by up to 7 % per step where
/// steps double and halve in turn for ever.
///
/// Where impulses have acted in a step, and the next one is more than twice as long, the rule begins anew: what a short step says of
/// the slope of `u` is then round-off, and forces that have jumped.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Algorithmic {
    /// `a` and `r` of every coordinate.
    points: Vec<[f64; 2]>,
    /// Size of the last step (s); zero where the past was forgotten.
    previous_step: f64,
    /// Whether impulses acted in it.
    has_jumped: bool,
}

/// The largest growth of a step over which the past goes on after impulses (–).
const LARGEST_GROWTH: f64 = 2.0;

/// Weights of the algorithmic acceleration, from the parameters of a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlgorithmicWeights {
    /// `κ = (1 − αf)/(1 − αm)`: share of `u₁` in `a₁`.
    pub kappa: f64,
    /// `αf/(1 − αm)` and `−αm/(1 − αm)`: shares of `u₀` and `a₀` in `a₁`.
    pub known: [f64; 2],
    /// `Δ = αf − αm`: the instant of `a` lies `Δ h` before that of `u`.
    delay: f64,
    /// `w` of [`Algorithmic`].
    true_share: f64,
}

impl AlgorithmicWeights {
    /// Those of a rule with these parameters.
    #[must_use]
    pub fn new(parameters: &GeneralizedAlphaParameters) -> Self {
        let GeneralizedAlphaParameters { alpha_m, alpha_f, .. } = *parameters;
        let (scale, delay) = (1.0 - alpha_m, alpha_f - alpha_m);
        Self {
            kappa: (1.0 - alpha_f) / scale,
            known: [alpha_f / scale, -alpha_m / scale],
            delay,
            true_share: if delay > 0.0 { (1.0 - 0.5 * (1.0 + alpha_m) / delay).max(0.0) } else { 0.0 },
        }
    }

    /// `a₁` that follows `a₀` between the true accelerations `u₀` and `u₁`.
    #[must_use]
    pub fn follow(&self, a0: f64, [u0, u1]: [f64; 2]) -> f64 {
        self.known[0] * u0 + self.known[1] * a0 + self.kappa * u1
    }
}

/// The passage from the last step to one of a given size: `a₀ = a − shift r − fading (a − u₀)`, or `a₀ = u₀` at a start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Passage(Option<[f64; 2]>);

impl Passage {
    fn start(self, &[a, rise]: &[f64; 2], u: f64) -> f64 {
        self.0.map_or(u, |[shift, fading]| a - shift * rise - fading * (a - u))
    }
}

impl Algorithmic {
    /// Forgets the past of so many coordinates: `a = u` at the start.
    pub fn restart(&mut self, coordinates: usize) {
        self.points.clear();
        self.points.resize(coordinates, [0.0; 2]);
        (self.previous_step, self.has_jumped) = (0.0, false);
    }

    /// Whether there is a past.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.previous_step > 0.0
    }

    /// `a` of all coordinates (m/s² or rad/s²); at a start nothing that counts.
    pub fn accelerations(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().map(|[a, _]| *a)
    }

    /// The passage to a step of size `h` (s).
    #[must_use]
    pub fn passage(&self, weights: &AlgorithmicWeights, h: f64) -> Passage {
        let AlgorithmicWeights { delay, true_share, .. } = *weights;
        let growth = h / self.previous_step;
        if !self.is_started() || (self.has_jumped && growth > LARGEST_GROWTH) {
            return Passage(None);
        }
        let fading = true_share * (1.0 - self.previous_step / h).max(0.0);
        Passage(Some([delay * (growth - 1.0) + fading * delay, fading]))
    }

    /// `a₀` of one coordinate whose true acceleration at the start is `u`.
    #[must_use]
    pub fn start_of(&self, passage: Passage, coordinate: usize, u: f64) -> f64 {
        passage.start(&self.points[coordinate], u)
    }

    /// `a₀` of all coordinates, from the true accelerations at the start.
    pub fn at_start<'s>(
        &'s self,
        passage: Passage,
        accelerations: &'s [f64],
    ) -> impl Iterator<Item = f64> + 's {
        self.points.iter().zip(accelerations).map(move |(point, u)| passage.start(point, *u))
    }

    /// The quadrature of a load in a step of size `h` (s).
    #[must_use]
    pub fn quadrature(&self, weights: &AlgorithmicWeights, gamma: f64, h: f64) -> LoadQuadrature {
        let AlgorithmicWeights { kappa, known: [share_u, share_a], true_share, .. } = *weights;
        let at_start = match self.passage(weights, h).0 {
            Some([shift, fading]) => [fading, 1.0 - fading, -shift],
            None => [1.0, 0.0, 0.0],
        };
        // p̂ = h [(1 − γ) a₀ + γ (share_u ℓ₀ + share_a a₀)]
        let of_start = h * (1.0 - gamma + gamma * share_a);
        LoadQuadrature {
            end: kappa * gamma * h,
            start: of_start * at_start[0] + h * gamma * share_u,
            past: [of_start * at_start[1], of_start * at_start[2]],
            memory: LoadMemory::Algorithmic { at_start, shares: [share_u, share_a, kappa], true_share },
        }
    }

    /// Takes a step of size `h` (s) between these true accelerations.
    pub fn accept(
        &mut self,
        weights: &AlgorithmicWeights,
        h: f64,
        [before, after]: [&[f64]; 2],
        jumped: bool,
    ) {
        let (passage, true_share) = (self.passage(weights, h), weights.true_share);
        for ((point, &u0), &u1) in self.points.iter_mut().zip(before).zip(after) {
            let a0 = passage.start(point, u0);
            let a1 = weights.follow(a0, [u0, u1]);
            *point = [a1, true_share * (u1 - u0) + (1.0 - true_share) * (a1 - a0)];
        }
        (self.previous_step, self.has_jumped) = (h, jumped);
    }

    /// Appends the past.
    pub fn save(&self, out: &mut Vec<f64>) {
        // A step with impulses has a negative size here.
        out.push(if self.has_jumped { -self.previous_step } else { self.previous_step });
        out.extend_from_slice(self.points.as_flattened());
    }

    /// Reads back what [`save`](Self::save) wrote and returns how many numbers it took.
    pub fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let length = 1 + 2 * self.points.len();
        let (step, points) = saved.get(..length)?.split_first()?;
        (self.previous_step, self.has_jumped) = (step.abs(), *step < 0.0);
        self.points.as_flattened_mut().copy_from_slice(points);
        Some(length)
    }
}

//! The algorithmic acceleration of Newmark's family, carried from steps of one size to steps of another.

use cosimo_dynamics::{LoadMemory, LoadQuadrature};

/// Parameters of Newmark's family, with the algorithmic acceleration `a` that follows the true one, `u`:
///
/// ```text
///   (1 − αm) a₁ + αm a₀ = (1 − αf) u + αf u₀
///   v₁ = v₀ + h [(1 − γ) a₀ + γ a₁]        q₁ = q₀ + h v₀ + h² [(½ − β) a₀ + β a₁]
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parameters {
    pub(crate) beta: f64,
    pub(crate) gamma: f64,
    /// `κ = (1 − αf)/(1 − αm)`.
    pub(crate) kappa: f64,
    /// `αf/(1 − αm)` and `−αm/(1 − αm)`: shares of `u₀` and `a₀` in `a*`.
    pub(crate) past: [f64; 2],
    /// `Δ = αf − αm`: the instant of `a` lies `Δ h` before that of `u`.
    delay: f64,
    /// `w` of [`Algorithmic`].
    true_share: f64,
}

impl Parameters {
    /// Those of generalized-α with the spectral radius `rho`.
    pub(crate) fn new(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Self::with(alpha_m, alpha_f, 0.5 + alpha_f - alpha_m)
    }

    /// Those of HHT with this `α`.
    pub(crate) fn hht(alpha: f64) -> Self {
        Self::with(0.0, -alpha, 0.5 - alpha)
    }

    /// The family's member with these parameters, damped as evenly as `γ` allows.
    pub(crate) fn with(alpha_m: f64, alpha_f: f64, gamma: f64) -> Self {
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        let (scale, delay) = (1.0 - alpha_m, alpha_f - alpha_m);
        Self {
            beta,
            gamma,
            kappa: (1.0 - alpha_f) / scale,
            past: [alpha_f / scale, -alpha_m / scale],
            delay,
            true_share: if delay > 0.0 { (1.0 - 0.5 * (1.0 + alpha_m) / delay).max(0.0) } else { 0.0 },
        }
    }
}

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
/// from `ρ = 0.4` on, for HHT and for Newmark. Below `ρ = 0.2` motions far too fast for the step grow by up to 7 % a step where
/// steps double and halve in turn for ever.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Algorithmic {
    /// `a` and `r` of every coordinate.
    points: Vec<[f64; 2]>,
    /// Size of the last step (s); zero where the past was forgotten.
    previous_step: f64,
}

impl Algorithmic {
    /// Forgets the past of so many coordinates: `a = u` at the start.
    pub(crate) fn restart(&mut self, coordinates: usize) {
        self.points.clear();
        self.points.resize(coordinates, [0.0; 2]);
        self.previous_step = 0.0;
    }

    pub(crate) fn is_started(&self) -> bool {
        self.previous_step > 0.0
    }

    /// `a₀` of a step of size `h` (s) of all coordinates, from the true accelerations at its start.
    pub(crate) fn at_start<'s>(
        &'s self,
        parameters: &Parameters,
        h: f64,
        accelerations: &'s [f64],
    ) -> impl Iterator<Item = f64> + 's {
        let passage = self.passage(parameters, h);
        self.points.iter().zip(accelerations).map(move |(point, u)| start(passage, point, *u))
    }

    /// The quadrature of a load in a step of size `h` (s).
    pub(crate) fn quadrature(&self, parameters: &Parameters, h: f64) -> LoadQuadrature {
        let Parameters { gamma, kappa, past: [share_u, share_a], true_share, .. } = *parameters;
        let at_start = match self.passage(parameters, h) {
            Some(Passage { shift, fading }) => [fading, 1.0 - fading, -shift],
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
    pub(crate) fn accept(&mut self, parameters: &Parameters, h: f64, before: &[f64], after: &[f64]) {
        let Parameters { kappa, past: [share_u, share_a], true_share, .. } = *parameters;
        let passage = self.passage(parameters, h);
        for ((point, &u0), &u1) in self.points.iter_mut().zip(before).zip(after) {
            let a0 = start(passage, point, u0);
            let a1 = share_u * u0 + share_a * a0 + kappa * u1;
            *point = [a1, true_share * (u1 - u0) + (1.0 - true_share) * (a1 - a0)];
        }
        self.previous_step = h;
    }

    /// Passage to a step of size `h` (s); none at a start.
    fn passage(&self, parameters: &Parameters, h: f64) -> Option<Passage> {
        let Parameters { delay, true_share, .. } = *parameters;
        let fading = true_share * (1.0 - self.previous_step / h).max(0.0);
        let shift = delay * (h / self.previous_step - 1.0) + fading * delay;
        self.is_started().then_some(Passage { shift, fading })
    }

    /// Appends the past.
    pub(crate) fn save(&self, out: &mut Vec<f64>) {
        out.push(self.previous_step);
        out.extend_from_slice(self.points.as_flattened());
    }

    /// Reads back what [`save`](Self::save) wrote and returns how many numbers it took.
    pub(crate) fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let length = 1 + 2 * self.points.len();
        let (step, points) = saved.get(..length)?.split_first()?;
        self.previous_step = *step;
        self.points.as_flattened_mut().copy_from_slice(points);
        Some(length)
    }
}

/// `a₀ = a − shift r − fading (a − u₀)`.
#[derive(Debug, Clone, Copy)]
struct Passage {
    /// `Δ (h/h₋₁ − 1) + λ Δ`.
    shift: f64,
    /// `λ`.
    fading: f64,
}

/// `a₀` of one coordinate; the true acceleration `u` at a start.
fn start(passage: Option<Passage>, &[a, rise]: &[f64; 2], u: f64) -> f64 {
    passage.map_or(u, |Passage { shift, fading }| a - shift * rise - fading * (a - u))
}

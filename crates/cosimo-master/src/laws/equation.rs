//! The interface equations of a step, row by row.
//!
//! Every law is one form. For joint `j` with gap `g = Σ sᵢ zᵢ − offset` the equation is
//!
//! ```text
//!   Q g₁ + V ġ₁ + κ − C x = 0        x: impulse unknown,  λ₁ = x / w̄  the force at the end of the step
//! ```
//!
//! | law | `Q` | `V` | `κ` | `C` |
//! |---|---|---|---|---|
//! | compliant, `λ = k g + d ġ` | `N k` | `N d` | – | `N / w̄`, `N = (χ̄ k + d)⁻¹` |
//! | rigid | `G` | `I` | – | – |
//! | Tikhonov, `g = c λ` | `G` | `I` | `(c/h) λ₀ − ½ c G λ₀` | `c/h² + (c/2h) G` |
//! | at the start of a motion, by a tiny step `τ`: rigid or Tikhonov | – | `I` | `τ c/h² λ₀` | `c/h²` |
//! | Tikhonov, as impacts see it | – | `I` | – | – |
//! | at an instant: rigid or Tikhonov | – | `I` | – | – |
//! | at an instant: compliant (no impulse passes) | – | – | – | `I` |
//!
//! `w̄` and `χ̄` are the load and position weights of side `a`. On side `i` the unknown acts as the impulse
//! `Xᵢ = ρᵢ x + startᵢ λ₀`: of a compliant joint, whose force is known at the start from the state, `ρᵢ = endᵢ / w̄`. With equal rules on
//! both sides the compliant row is the trapezoidal rule, `ġ₁ + ġ₀ + 4k g₀/(hk + 2d) = 4/(h(hk + 2d)) X`.
//!
//! **Momentum rows.** The unknown of a rigid or Tikhonov joint is the momentum that passes in the step, the same on both sides whatever
//! their rules: `ρᵢ = 1`, no start force, and `λ = x/h` its mean. Every rule weighs its own load so that it receives just that (see
//! [`StepLoads`](cosimo_subsystem::StepLoads)), so that it integrates `v − M⁻¹Zᵀp` with a `p` that is known at communication points, and
//! nothing rings. Rates meet at the end of the step, or differ by `(c/h)(λ − λ₀)`: `λ₀` is the force by which a Tikhonov joint is open at
//! the start of the step, that of the step before. Its own vibration is damped; where the steps resolve that, it is of first order.
//!
//! **Gaps** are closed by moves `m = ∓y` of the ends, `g₁ = ĝ = c (λ₀ + λ)/2`, which is what the rates make of them by the trapezoidal
//! rule. Where the stage of a rule sees them, they change the rates,
//!
//! ```text
//!   Σ Y y = g₁ − ĝ        ġ ← ġ + Σ (W − Y)/χ y        G = [Σ (W − Y)/χ] [Σ Y]⁻¹
//! ```
//!
//! with sums over the sides that move. Eliminated they leave `ġ₁ + G (g₁ − ĝ) = (c/h)(λ − λ₀)` in the ends without moves.

use nalgebra::DMatrix;

use super::closing_moves::{gain_of_moves, moving_sides};
use crate::InterfaceLaw;
use crate::linearisation::LinearisedModel;
use crate::linearisation::frame::FrameState;
use crate::time::part::Mode;
use crate::topology::joint::Closing;
use crate::topology::joint::Joint;

/// Share of the largest eigenvalue below which there is no stiffness in a direction.
const NO_STIFFNESS: f64 = 1e-13;

/// Coefficients of one joint's equation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InterfaceRow {
    /// `Q` (1/s), `d × d`.
    pub(crate) position: DMatrix<f64>,
    /// `V` (–), `d × d`.
    pub(crate) velocity: DMatrix<f64>,
    /// Factor of `λ₀` in `κ` (s/kg).
    pub(crate) lag: f64,
    /// `C` (1/kg), `d × d`.
    pub(crate) relaxation: DMatrix<f64>,
    /// `ρ` of each side (–).
    pub(crate) share: [f64; 2],
    /// Weight of the start force on each side (s).
    pub(crate) start: [f64; 2],
    /// `N` of a bushing, `6 × 6`; `0 × 0` of other joints.
    pub(crate) scaling: DMatrix<f64>,
    /// `w̄` (s): the force at the end of the step, or its mean in momentum rows, is `x / w̄`.
    pub(crate) load_weight: f64,
}

impl InterfaceRow {
    pub(crate) fn new(joint: &Joint) -> Self {
        let size = if joint.frame.is_some() { joint.size } else { 0 };
        Self { scaling: DMatrix::zeros(size, size), ..Self::zeros(joint.size) }
    }

    fn zeros(size: usize) -> Self {
        let zero = DMatrix::zeros(size, size);
        Self {
            position: zero.clone(),
            velocity: zero.clone(),
            lag: 0.0,
            relaxation: zero,
            share: [1.0; 2],
            start: [0.0; 2],
            scaling: DMatrix::zeros(0, 0),
            load_weight: 1.0,
        }
    }

    /// Sets the coefficients; does not allocate for scalar joints.
    pub(crate) fn set(&mut self, model: LinearisedModel<'_>, joint: &Joint, mode: Mode) {
        let weights = [0, 1].map(|side: usize| model.models[joint.sides[side].subsystem].weights);
        self.position.fill(0.0);
        self.velocity.fill(0.0);
        self.relaxation.fill(0.0);
        self.lag = 0.0;
        self.share = [1.0; 2];
        self.start = [0.0; 2];
        self.load_weight = weights[0].end;
        match (mode, &joint.law) {
            (Mode::Instant, InterfaceLaw::Compliant { .. }) => self.relaxation.fill_diagonal(1.0),
            (Mode::Instant, _) => self.velocity.fill_diagonal(1.0),
            (_, InterfaceLaw::Compliant { stiffness, damping }) => {
                self.share = weights.map(|w| w.end / weights[0].end);
                self.start = weights.map(|w| w.start);
                if let Some(frame) = &joint.frame {
                    self.set_bushing(&model.frames[frame.index], weights[0].position);
                    return;
                }
                self.set_compliant(stiffness, damping, weights[0].position);
            }
            (Mode::Locked(h), _) => {
                self.velocity.fill_diagonal(1.0);
                self.load_weight = h;
            }
            (Mode::Start { size, step }, law) => {
                self.velocity.fill_diagonal(1.0);
                let relaxation = constant_of(law) / (step * step);
                (self.lag, self.load_weight) = (size * relaxation, size);
                self.relaxation.fill_diagonal(relaxation);
            }
            (Mode::Step(h), law) => self.set_momentum(model, joint, (h, constant_of(law))),
        }
    }

    /// Sets the momentum row of a step of size `h` (s), with the constant `c` (m/N).
    fn set_momentum(&mut self, model: LinearisedModel<'_>, joint: &Joint, (h, c): (f64, f64)) {
        self.velocity.fill_diagonal(1.0);
        (self.lag, self.load_weight) = (c / h, h);
        self.relaxation.fill_diagonal(c / (h * h));
        if let Closing::Seen(sides) = joint.closing {
            let gain = gain_of_moves(model, joint, moving_sides(model, joint, sides));
            let gain = gain.view((0, 0), (joint.size, joint.size));
            self.position.copy_from(&gain);
            self.relaxation.zip_apply(&gain, |own, gain| *own += gain * (0.5 * c / h));
        }
    }

    /// Sets the equation of a bushing, `N (K g₁ + D ġ₁ + excess) − N x / w̄ = 0`, with a regular `N`: directions without
    /// stiffness and damping transmit what the excess says, nothing.
    fn set_bushing(&mut self, frame: &FrameState, chi: f64) {
        let sum = frame.stiffness * chi + frame.damping;
        let mut eigen = (0.5 * (sum + sum.transpose())).symmetric_eigen();
        let largest = eigen.eigenvalues.amax();
        for value in &mut eigen.eigenvalues {
            *value = 1.0 / if *value > NO_STIFFNESS * largest { *value } else { largest };
        }
        let scaling = eigen.recompose();
        self.scaling.copy_from(&scaling);
        self.position.copy_from(&(scaling * frame.stiffness));
        self.velocity.copy_from(&(scaling * frame.damping));
        self.relaxation.copy_from(&(scaling / self.load_weight));
    }

    fn set_compliant(&mut self, stiffness: &DMatrix<f64>, damping: &DMatrix<f64>, chi: f64) {
        if is_diagonal(stiffness) && is_diagonal(damping) {
            for i in 0..stiffness.nrows() {
                let (k, d) = (stiffness[(i, i)], damping[(i, i)]);
                // Where there is neither stiffness nor damping nothing is transmitted.
                let n = if k == 0.0 && d == 0.0 { 0.0 } else { 1.0 / (chi * k + d) };
                self.position[(i, i)] = n * k;
                self.velocity[(i, i)] = n * d;
                self.relaxation[(i, i)] = if n == 0.0 { 1.0 } else { n / self.load_weight };
            }
            return;
        }
        // A semidefinite sum (no stiffness nor damping in some direction) transmits nothing there: pseudo-inverse.
        let sum = stiffness * chi + damping;
        let scale = sum.amax();
        let inverse = sum.pseudo_inverse(1e-13 * scale).unwrap_or_else(|_| DMatrix::zeros(0, 0));
        if inverse.is_empty() {
            return;
        }
        let null = DMatrix::identity(joint_size(stiffness), joint_size(stiffness))
            - &inverse * (stiffness * chi + damping);
        self.position = &inverse * stiffness;
        self.velocity = &inverse * damping;
        self.relaxation = inverse / self.load_weight + null;
    }

    /// `½ c` (m/N), from the lag `c/h` and `w̄ = h`.
    pub(crate) fn half_constant(&self) -> f64 {
        0.5 * self.lag * self.load_weight
    }

    /// `½ c λ₀` (m): the part of the gap `ĝ` that the force at the start makes.
    pub(crate) fn known_gap(&self, start_force: f64) -> f64 {
        self.half_constant() * start_force
    }

    /// Coefficient of the velocity answer of a side with position weight `chi` in row `k`, column `l`.
    pub(crate) fn answer(&self, chi: f64, k: usize, l: usize) -> f64 {
        self.position[(k, l)] * chi + self.velocity[(k, l)]
    }
}

/// Whether nothing but the diagonal of a square matrix is other than zero.
pub(crate) fn is_diagonal(matrix: &DMatrix<f64>) -> bool {
    let n = matrix.nrows();
    (0..n).all(|k| (0..n).all(|l| k == l || matrix[(k, l)] == 0.0))
}

/// `c` (m/N), zero of a rigid joint.
fn constant_of(law: &InterfaceLaw) -> f64 {
    if let InterfaceLaw::Tikhonov { constant } = law { *constant } else { 0.0 }
}

fn joint_size(matrix: &DMatrix<f64>) -> usize {
    matrix.nrows()
}

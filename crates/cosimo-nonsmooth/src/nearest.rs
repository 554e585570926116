//! Of the impulses that solve a problem those near others.

use crate::thresholds::Accuracy;

/// Proximal steps allowed.
pub(crate) const PROXIMAL_STEPS: usize = 20;
/// Weight of the distance beside the inverse mass of a contact (–).
const PROXIMITY: f64 = 1e-6;
/// What may be left of the law, as a share of the offset, and the contraction above which it falls no further.
const LEFT: f64 = 1e-12;
const STUCK: f64 = 0.5;

/// Which of the impulses that solve a problem are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Wanted {
    /// Any.
    #[default]
    Any,
    /// Those of least norm, `Σ tr(Wᵢᵢ) |Pᵢ|²`: contacts share what mechanics does not determine by symmetry.
    Least,
    /// Those nearest to the solution before on the same contacts: an iteration would else go back and forth between them.
    Nearest,
}

/// The proximal point method about impulses `P̄`, none or those of the pass before: each step solves the law with
///
/// ```text
///   W + ε R,   b − ε R P̄        R = diag (tr Wᵢᵢ / D)
/// ```
///
/// which has one solution even where contacts share their load in many ways, and takes it for `P̄`. What the impulses leave of the
/// law is `ε R ΔP`: a few steps do, and along what the law does not determine the impulses stay.
///
/// Reference: R. T. Rockafellar, *Monotone operators and the proximal point algorithm*, SIAM J. Control Optim. 14 (1976).
#[derive(Debug, Clone, Default)]
pub(crate) struct Nearest {
    wanted: Wanted,
    /// The contacts of the solution before, ascending, and their impulses (N s).
    set: Vec<usize>,
    before: Vec<f64>,
    /// `P̄` (N s).
    pub(crate) centre: Vec<f64>,
    /// `ε R` (1/kg), by contact.
    pub(crate) weights: Vec<f64>,
    /// `b` (m/s), and its largest number.
    pub(crate) offset: Vec<f64>,
    scale: f64,
    /// What the last step has left of the law (m/s).
    left: f64,
}

impl Nearest {
    /// Says which are wanted from now on; where they are not the nearest, those before are forgotten.
    pub(crate) fn look_for(&mut self, wanted: Wanted) {
        self.wanted = wanted;
        if wanted != Wanted::Nearest {
            self.set.clear();
            self.before.clear();
        }
    }

    /// Makes the centre for these contacts, so many numbers, if there is one and it matters.
    pub(crate) fn centre_for(&mut self, set: &[usize], numbers: usize) -> Option<&mut Self> {
        if set.len() < 2 || self.wanted == Wanted::Any {
            return None;
        }
        let is_known = self.wanted == Wanted::Nearest && self.set == set && self.before.len() == numbers;
        if is_known {
            self.centre.clone_from(&self.before);
        } else {
            self.centre.clear();
            self.centre.resize(numbers, 0.0);
        }
        Some(self)
    }

    /// Writes the impulses before of those of these contacts, each with so many rows, that had any.
    pub(crate) fn guess(&self, set: &[usize], rows: usize, out: &mut [f64]) {
        if self.before.len() != rows * self.set.len() {
            return;
        }
        for (contact, out) in set.iter().zip(out.chunks_exact_mut(rows)) {
            if let Ok(place) = self.set.binary_search(contact) {
                out.copy_from_slice(&self.before[rows * place..rows * (place + 1)]);
            }
        }
    }

    /// Takes the impulses for those before from now on.
    pub(crate) fn take(&mut self, set: &[usize], impulses: &[f64]) {
        if set.len() > 1 && self.wanted != Wanted::Any {
            self.set.clear();
            self.set.extend_from_slice(set);
            self.before.clear();
            self.before.extend_from_slice(impulses);
        }
    }

    /// Begins with the offset of a problem, the largest velocity (m/s) in it, and inverse masses of its contacts.
    pub(crate) fn begin(&mut self, (offset, largest): (&[f64], f64), masses: impl Iterator<Item = f64>) {
        self.offset.clear();
        self.offset.extend_from_slice(offset);
        self.scale = largest;
        self.left = f64::INFINITY;
        self.weights.clear();
        self.weights.extend(masses.map(|mass| PROXIMITY * mass));
    }

    /// Writes the offset of the next step; each contact has so many rows.
    pub(crate) fn project_positions(&self, rows: usize, out: &mut [f64]) {
        for (k, (out, own)) in out.iter_mut().zip(&self.offset).enumerate() {
            *out = own - self.weights[k / rows] * self.centre[k];
        }
    }

    /// Takes the solution of a step; says whether it is the last, and if so whether what is left of the law is accepted. An inverse
    /// mass that turning bodies make unsymmetric by a little lets that fall no further.
    pub(crate) fn step(&mut self, rows: usize, impulses: &[f64], accuracy: Accuracy) -> Option<bool> {
        let mut left = 0.0_f64;
        for (k, (centre, x)) in self.centre.iter_mut().zip(impulses).enumerate() {
            left = left.max(self.weights[k / rows] * (x - *centre).abs());
            *centre = *x;
        }
        let is_stuck = left > STUCK * self.left;
        self.left = left;
        let is_last = left <= accuracy.goal.max(LEFT) * self.scale || is_stuck;
        is_last.then_some(left <= accuracy.accepted * self.scale)
    }
}

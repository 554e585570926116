//! What one iteration of a step hands to that of the next: first guesses, and what the accelerator knows.

use super::acceleration::Accelerator;
use super::state::StageState;
use crate::Acceleration;

/// Switches of the contact status in a step at which the accelerator forgets what it knows. A contact that goes on
/// switching from sweep to sweep would leave it nothing to learn from.
const MAX_RESETS: u32 = 2;

/// What one stage of a step hands to the same stage of the next.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) accelerator: Accelerator,
    pub(crate) history: StageState,
    /// Switches of the contact status in this step.
    switches: u32,
}

impl Stage {
    /// A stage of iterates of length `size` and this many interface unknowns and contacts.
    pub(crate) fn new(acceleration: Acceleration, size: usize, (unknowns, contacts): (usize, usize)) -> Self {
        Self {
            accelerator: Accelerator::new(acceleration, size),
            history: StageState {
                solutions: [vec![0.0; unknowns], vec![0.0; unknowns]],
                loaded: vec![false; contacts],
                ..StageState::default()
            },
            switches: 0,
        }
    }

    pub(crate) fn state(&self) -> StageState {
        StageState { secants: self.accelerator.secants().to_vec(), ..self.history.clone() }
    }

    pub(crate) fn fits(&self, state: &StageState) -> bool {
        let own = &self.history;
        let lengths = |state: &StageState| [0, 1].map(|k: usize| state.solutions[k].len());
        lengths(own) == lengths(state)
            && own.loaded.len() == state.loaded.len()
            && self.accelerator.fits(&state.secants)
    }

    pub(crate) fn restore(&mut self, state: &StageState) {
        self.accelerator.restore(&state.secants);
        self.history.clone_from(state);
        self.history.secants.clear();
    }

    /// Begins a step of size `h`: adds to `guess` what the last steps let expect.
    pub(crate) fn begin(&mut self, h: f64, guess: &mut [f64]) {
        let StageState { solutions: [last, older], known, step, .. } = &self.history;
        let is_same = h.to_bits() == step.to_bits();
        for (k, x) in guess.iter_mut().enumerate() {
            *x += match known {
                0 => 0.0,
                _ if !is_same => last[k] * h / step,
                1 => last[k],
                _ => 2.0 * last[k] - older[k],
            };
        }
        if !is_same {
            self.accelerator.reset();
        }
        self.accelerator.begin();
        self.switches = 0;
    }

    /// The size of the interface unknowns, which the tolerance refers to: the largest of an answer and of the solution of
    /// the step before, which counts on top of `base`.
    pub(crate) fn size(&self, answer: &[f64], base: &[f64]) -> f64 {
        let all = answer.iter().chain(base).chain(&self.history.solutions[0]);
        all.fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()))
    }

    /// Ends a step of size `h` with a solution.
    pub(crate) fn end(&mut self, h: f64, solution: impl Iterator<Item = f64>) {
        let history = &mut self.history;
        let is_same = h.to_bits() == history.step.to_bits();
        history.known = if is_same { (history.known + 1).min(2) } else { 1 };
        history.step = h;
        history.solutions.swap(0, 1);
        history.solutions[0].iter_mut().zip(solution).for_each(|(last, x)| *last = x);
    }

    /// Notes which contacts carry an impulse; forgets the map of another contact status.
    pub(crate) fn note_contacts(&mut self, impulses: impl Iterator<Item = (usize, f64)>) {
        let mut is_other = false;
        for (contact, impulse) in impulses {
            let loaded = &mut self.history.loaded[contact];
            is_other |= *loaded != (impulse > 0.0);
            *loaded = impulse > 0.0;
        }
        self.switches += u32::from(is_other);
        if is_other && self.switches <= MAX_RESETS {
            self.accelerator.reset();
        }
    }
}

//! Whether the inverse masses of subsystems that are not affine are kept from step to step: as the settings say or, by themselves, where
//! that costs less.
//!
//! The work of a step is counted,
//!
//! ```text
//!   c = R e + r
//! ```
//!
//! with its evaluations `e` of such subsystems and the rows `r` of the inverse masses that were taken from them. An evaluation is a
//! solution of the subsystem's own equations, in two or three iterations, most of them with a factorisation that is there; a row of the inverse
//! mass is one more right-hand side, and a row and column of all matrices of the interfaces. `R` rows count as much as an evaluation; of
//! subsystems whose inverse mass is found by differences of evaluations, a single one.
//!
//! Both ways are tried, some steps each, and the one of less work is followed; it is given up as soon as it takes more than the other
//! did, and the other is tried again from time to time, the more seldom the more often that was in vain. Counts alone decide, and they are
//! part of the state: a run that is restored goes on with the same bits.

use serde::{Deserialize, Serialize};

use crate::condensation::Condensation;
use crate::contacts::near_rows::is_selective;
use crate::execution::coupling_mode::CouplingMode;
use crate::execution::slot::CallSlot;
use crate::topology::Topology;
use crate::topology::joint::{Joint, Side};
use crate::{Scheme, Tangent};

/// Rows of an inverse mass that cost as much as an evaluation.
const ROWS: u64 = 6;
/// Steps of a trial.
const TRIAL: u32 = 8;
/// Steps after which the work is looked at again.
const WINDOW: u32 = 64;
/// Windows from one trial to the next: at first, and at most.
const WAIT: [u32; 2] = [2, 64];

/// Which inverse masses the next step is solved with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TangentChoice {
    keeps: bool,
    trials: Option<Trials>,
}

impl TangentChoice {
    /// As the settings say. Nothing is chosen where no subsystem has an inverse mass that changes and costs more than an evaluation; where a rigid joint holds two that do,
    /// whose present ones say how the gap between them is closed; and where far contacts are left out, since other rows take part in
    /// every step there.
    pub(crate) fn new(topology: &Topology) -> Self {
        let tangent = topology.config.tangent;
        let is_nonlinear = |side: &Side| !topology.subsystems[side.subsystem].is_declared_affine;
        let holds_nonlinear =
            |joint: &Joint| joint.law.passes_impulses() && joint.sides.iter().all(is_nonlinear);
        let is_free = tangent == Tangent::Auto
            && topology.config.scheme == Scheme::Condensed
            && topology.subsystems.iter().any(|own| !own.is_declared_affine && own.rows.len() as u64 > ROWS)
            && !topology.joints.iter().any(holds_nonlinear)
            && !topology.clusters.iter().any(|cluster| is_selective(topology, cluster));
        Self { keeps: tangent == Tangent::Frozen, trials: is_free.then(Trials::default) }
    }

    /// Whether inverse masses are kept as long as they serve.
    pub(crate) fn keeps(&self) -> bool {
        self.keeps
    }

    /// Counts evaluations of subsystems that are not affine, where that matters.
    pub(crate) fn count_evaluations(&mut self, evaluations: impl FnOnce() -> usize) {
        if let Some(trials) = &mut self.trials {
            trials.work += ROWS * evaluations() as u64;
        }
    }

    /// Counts rows of a new inverse mass, one evaluation each where it is differenced.
    fn count_rows(&mut self, rows: usize, mode: CouplingMode) {
        if let Some(trials) = &mut self.trials {
            trials.work += rows as u64 * if mode == CouplingMode::Differenced { ROWS } else { 1 };
        }
    }

    /// Notes the clusters of the subsystems whose inverse mass has changed in the calls just made.
    pub(crate) fn note_changed(
        &mut self,
        topology: &Topology,
        slots: &[CallSlot],
        modes: &[CouplingMode],
        condensation: &mut Condensation,
    ) {
        for ((layout, slot), mode) in topology.subsystems.iter().zip(slots).zip(modes) {
            condensation.note(layout.cluster, slot.has_changed);
            if slot.has_changed && !layout.is_declared_affine {
                self.count_rows(layout.rows.len(), *mode);
            }
        }
    }

    /// Ends a macro step: chooses for the next.
    pub(crate) fn end_step(&mut self) {
        if let Some(trials) = &mut self.trials {
            self.keeps = trials.end_step(self.keeps);
        }
    }
}

/// What is known of the two ways.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Trials {
    /// Work of a step with new inverse masses, and with those that are kept; where known.
    costs: [Option<f64>; 2],
    /// Work, and steps, since it was last looked at.
    work: u64,
    steps: u32,
    /// Whether the present way is followed, and no trial.
    is_followed: bool,
    /// Windows since the last trial, and those to wait for the next.
    waited: u32,
    wait: u32,
}

impl Trials {
    /// Ends a step of this way; gives that of the next.
    fn end_step(&mut self, keeps: bool) -> bool {
        self.steps += 1;
        if self.steps < if self.is_followed { WINDOW } else { TRIAL } {
            return keeps;
        }
        self.costs[usize::from(keeps)] = Some(self.work as f64 / f64::from(self.steps));
        (self.work, self.steps) = (0, 0);
        let [Some(exact), Some(frozen)] = self.costs else { return !keeps };
        let best = frozen < exact;
        if !self.is_followed {
            self.end_trial(best != keeps);
            return best;
        }
        self.waited += 1;
        if best != keeps {
            (self.waited, self.wait) = (0, WAIT[0]);
            return best;
        }
        if self.waited < self.wait {
            return keeps;
        }
        self.is_followed = false;
        !keeps
    }

    /// Ends a trial: of the other way in vain, if the way before is followed again.
    fn end_trial(&mut self, is_given_up: bool) {
        let is_in_vain = is_given_up && self.wait > 0;
        self.wait = if is_in_vain { (2 * self.wait).min(WAIT[1]) } else { WAIT[0] };
        (self.is_followed, self.waited) = (true, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of each way out of `steps`, where a step of either takes this work.
    fn followed(steps: usize, work: impl Fn(usize, bool) -> u64) -> [usize; 2] {
        let (mut trials, mut keeps, mut taken) = (Trials::default(), false, [0, 0]);
        for step in 0..steps {
            taken[usize::from(keeps)] += 1;
            trials.work += work(step, keeps);
            keeps = trials.end_step(keeps);
        }
        taken
    }

    #[test]
    fn the_way_of_less_work_is_followed_but_for_a_few_trials() {
        for (exact, frozen) in [(48, 24), (25, 24)] {
            assert!(followed(5000, |_, keeps| if keeps { frozen } else { exact })[0] <= 60);
            assert!(followed(5000, |_, keeps| if keeps { exact } else { frozen })[1] <= 60);
        }
    }

    #[test]
    fn what_is_no_better_is_not_followed() {
        assert!(followed(5000, |_, _| 24)[1] <= 60);
    }

    #[test]
    fn a_way_that_gets_worse_is_given_up() {
        let [exact, frozen] = followed(4000, |step, keeps| match keeps {
            true if step >= 2000 => 72,
            true => 24,
            false => 48,
        });
        assert!((1900..2100).contains(&exact) && (1900..2100).contains(&frozen), "{exact}, {frozen}");
    }
}

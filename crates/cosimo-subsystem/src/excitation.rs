//! Inputs over time that are known before a run.

use serde::{Deserialize, Serialize};

use crate::{MacroStep, SubsystemError};

/// An acceleration (m/s², rad/s²) that an input known beforehand gives, such as a load from a table: linear between its
/// entries, constant before the first and after the last. Two entries at one time are a jump.
///
/// A solver samples its inputs where its steps end. What lies between is lost, and nothing that comes out of the step shows
/// so; the excitation does.
///
/// ```
/// use cosimo_subsystem::{Excitation, MacroStep};
/// // A pulse of 0.5 m/s within 10 ms.
/// let pulse = Excitation::new(vec![0.5, 0.505, 0.51], vec![0.0, 100.0, 0.0])?;
/// assert_eq!(pulse.unseen(MacroStep { time: 0.0, size: 0.4 }), 0.0);
/// assert!((pulse.unseen(MacroStep { time: 0.4, size: 0.2 }) - 0.2 * 0.5).abs() < 1e-12);
/// # Ok::<(), cosimo_subsystem::SubsystemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Excitation {
    times: Vec<f64>,
    accelerations: Vec<f64>,
    /// Steps a macro step at whose ends it is sampled.
    samples: u32,
    /// Share of the end of a step in the mean that the solver takes.
    end_share: f64,
}

impl Excitation {
    /// Accelerations (m/s², rad/s²) at these times (s), which do not decrease.
    ///
    /// # Errors
    /// [`SubsystemError::BadExcitation`]: not as many of both, none, times that decrease, or numbers that are not finite.
    pub fn new(times: Vec<f64>, accelerations: Vec<f64>) -> Result<Self, SubsystemError> {
        let is_finite = times.iter().chain(&accelerations).all(|x| x.is_finite());
        let is_ordered = times.windows(2).all(|pair| pair[0] <= pair[1]);
        if times.is_empty() || times.len() != accelerations.len() || !is_finite || !is_ordered {
            return Err(SubsystemError::BadExcitation { times: times.len(), values: accelerations.len() });
        }
        Ok(Self { times, accelerations, samples: 1, end_share: 0.5 })
    }

    /// The same, sampled by so many equal steps a macro step.
    #[must_use]
    pub fn sampled(mut self, count: u32) -> Self {
        self.samples = self.samples.saturating_mul(count.max(1));
        self
    }

    /// The same, for a solver that weighs the end of a step by this share, in \[0, 1\], and what was before by the rest: ½ by
    /// the trapezoidal rule, and without this; 1 by the implicit Euler rule.
    #[must_use]
    pub fn weighing_ends(mut self, end_share: f64) -> Self {
        self.end_share = end_share.clamp(0.0, 1.0);
        self
    }

    /// The way (m, rad) that a step misses because it sees the input at its ends only: its size times the largest velocity
    /// between which the input and the line through both ends differ, and by which the solver's mean of both ends differs from
    /// that of the line. Zero without entries inside the step where that is ½.
    #[must_use]
    pub fn unseen(&self, step: MacroStep) -> f64 {
        if self.end_share == 0.5 && self.inside(step.time, step.time + step.size).is_empty() {
            return 0.0;
        }
        let time = |k: u32| step.time + step.size * f64::from(k) / f64::from(self.samples);
        let velocities = (0..self.samples).map(|k| self.unseen_velocity(time(k), time(k + 1)));
        step.size * velocities.fold(0.0, f64::max)
    }

    /// The entries between two times (s), without those at them.
    fn inside(&self, from: f64, to: f64) -> std::ops::Range<usize> {
        let first = self.times.partition_point(|time| *time <= from);
        let end = self.times.partition_point(|time| *time < to);
        first..end.max(first)
    }

    /// Largest velocity (m/s) by which the input and the line through its values at both ends differ.
    fn unseen_velocity(&self, from: f64, to: f64) -> f64 {
        let inside = self.inside(from, to);
        let (start, end) = (self.after(from), self.before(to));
        let misjudged = ((self.end_share - 0.5) * (to - from) * (end - start)).abs();
        if inside.is_empty() {
            return misjudged;
        }
        let slope = (end - start) / (to - from);
        let (mut time, mut before, mut velocity, mut largest) = (from, 0.0, 0.0_f64, 0.0_f64);
        let entries = self.times[inside.clone()].iter().zip(&self.accelerations[inside]);
        for (&next, &acceleration) in entries.chain([(&to, &end)]) {
            let (size, after) = (next - time, acceleration - (start + slope * (next - from)));
            if before * after < 0.0 {
                // Where the input crosses the line the velocity turns round.
                let crossing = size * before / (before - after);
                largest = largest.max((velocity + 0.5 * crossing * before).abs());
            }
            velocity += 0.5 * size * (before + after);
            largest = largest.max(velocity.abs());
            (time, before) = (next, after);
        }
        largest + misjudged
    }

    /// Acceleration just after `t` (s).
    fn after(&self, t: f64) -> f64 {
        self.between(self.times.partition_point(|time| *time <= t), t)
    }

    /// Acceleration just before `t` (s).
    fn before(&self, t: f64) -> f64 {
        self.between(self.times.partition_point(|time| *time < t), t)
    }

    /// Acceleration at `t` (s), before the entry of this index and after the one before it.
    fn between(&self, index: usize, t: f64) -> f64 {
        let (Some(&end), true) = (self.accelerations.get(index), index > 0) else {
            return self.accelerations[index.min(self.times.len()).saturating_sub(1)];
        };
        let (from, to, start) = (self.times[index - 1], self.times[index], self.accelerations[index - 1]);
        start + (end - start) * ((t - from) / (to - from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unseen(input: &Excitation, time: f64, size: f64) -> f64 {
        input.unseen(MacroStep { time, size })
    }

    #[test]
    fn a_pulse_inside_a_step_is_missed_as_a_whole() {
        let pulse = Excitation::new(vec![1.0, 1.1, 1.2], vec![0.0, 30.0, 0.0]).unwrap();
        assert!((unseen(&pulse, 0.5, 1.0) - 3.0).abs() < 1e-12);
        assert!((unseen(&pulse, 1.0, 0.2) - 0.2 * 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_the_ends_show_is_not_missed() {
        let pulse = Excitation::new(vec![1.0, 1.1, 1.2], vec![0.0, 30.0, 0.0]).unwrap();
        for (time, size) in [(0.0, 1.0), (1.0, 0.1), (1.02, 0.05), (1.2, 5.0)] {
            assert_eq!(unseen(&pulse, time, size), 0.0, "from {time}");
        }
        // Entries on a line are no news.
        let ramp = Excitation::new(vec![0.0, 0.3, 1.0], vec![0.0, 3.0, 10.0]).unwrap();
        assert!(unseen(&ramp, 0.0, 1.0) < 1e-14);
    }

    #[test]
    fn a_kink_costs_what_the_trapezoidal_rule_misses() {
        // ½ s (h − s) Δ, with the slope changing by Δ at s.
        let kink = Excitation::new(vec![1.0, 2.0], vec![0.0, 50.0]).unwrap();
        let (h, s) = (0.01, 0.004);
        let exact = h * 0.5 * s * (h - s) * 50.0;
        assert!((unseen(&kink, 1.0 - s, h) / exact - 1.0).abs() < 1e-10);
    }

    #[test]
    fn pulses_that_cancel_are_missed_all_the_same() {
        let pair = Excitation::new(vec![0.1, 0.2, 0.3, 0.4, 0.5], vec![0.0, 10.0, 0.0, -10.0, 0.0]).unwrap();
        assert!((unseen(&pair, 0.0, 1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn motions_that_come_back_are_missed() {
        // Up by a cubic and down by another, 0.01 m within 0.1 s each: 1.5 times the mean speed at most.
        let a = 6.0 * 0.01 / 0.01;
        let bump = Excitation::new(vec![0.2, 0.2, 0.3, 0.4, 0.4], vec![0.0, a, -a, a, 0.0]).unwrap();
        assert!((unseen(&bump, 0.0, 1.0) - 0.15).abs() < 1e-12);
    }

    #[test]
    fn a_jump_at_an_end_is_none_inside() {
        let jump = Excitation::new(vec![1.0, 1.0], vec![0.0, 8.0]).unwrap();
        assert_eq!(unseen(&jump, 0.5, 0.5), 0.0);
        assert_eq!(unseen(&jump, 1.0, 0.5), 0.0);
        // From the line between both, the half of the way has 8/8 · h.
        assert!((unseen(&jump, 0.5, 1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn rules_that_weigh_the_ends_unevenly_miss_a_share_of_every_slope() {
        // The implicit Euler rule takes the end: ½ h² a′ of the velocity, times the step.
        let ramp = Excitation::new(vec![0.0, 1.0], vec![0.0, 10.0]).unwrap();
        let by = |share: f64| unseen(&ramp.clone().weighing_ends(share), 0.2, 0.1);
        assert!((by(1.0) - 0.1 * 0.5 * 0.1 * 1.0).abs() < 1e-15);
        assert!((by(0.0) - by(1.0)).abs() < 1e-15);
        assert!((by(0.6) - 0.2 * by(1.0)).abs() < 1e-15);
        assert_eq!(by(0.5), 0.0);
        assert_eq!(unseen(&ramp.weighing_ends(1.0), 2.0, 0.1), 0.0);
    }

    #[test]
    fn micro_steps_see_more() {
        let pulse = Excitation::new(vec![1.0, 1.1, 1.2], vec![0.0, 30.0, 0.0]).unwrap();
        assert!(unseen(&pulse.sampled(2), 1.0, 0.2) < 1e-12);
    }

    #[test]
    fn what_is_none_is_refused() {
        assert!(Excitation::new(vec![], vec![]).is_err());
        assert!(Excitation::new(vec![1.0, 0.5], vec![0.0, 1.0]).is_err());
        assert!(Excitation::new(vec![1.0], vec![f64::NAN]).is_err());
        assert!(Excitation::new(vec![1.0], vec![0.0, 1.0]).is_err());
    }
}

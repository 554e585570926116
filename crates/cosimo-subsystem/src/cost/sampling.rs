//! Which steps are measured.

use std::time::Instant;

/// Share of the time of a run that measuring takes at most (–), and what it may take at the beginning besides (s).
const SHARE: f64 = 0.003;
const ALLOWANCE: f64 = 2e-4;
/// A step is short where measuring it takes this share of it (–).
const SHORT: f64 = 0.05;

/// Chooses the steps of a run that are measured: all of them where that costs next to nothing, and otherwise many at the
/// beginning and then as many as are worth three thousandths of the run. They follow each other at random distances, so that
/// no pattern of the steps is in time with them; the random numbers are the same in every run.
///
/// Where steps are short, the one before a measured one is measured too, and does not count: code that runs once in a thousand
/// steps would be slow.
#[derive(Debug, Clone)]
pub struct Sampling {
    /// Steps up to the next one that is measured, that one included.
    left: u64,
    /// Steps that it stands for: those since the last one measured.
    gap: u64,
    /// Steps up to the last one measured.
    covered: u64,
    /// Whether the step before it is measured too.
    warms_up: bool,
    spent: f64,
    random: u64,
    started: Option<Instant>,
}

impl Sampling {
    /// No step is measured.
    #[must_use]
    pub fn off() -> Self {
        Self { left: u64::MAX, gap: 0, covered: 0, warms_up: false, spent: 0.0, random: 0, started: None }
    }

    /// The next step is the first of a run.
    #[must_use]
    pub fn start() -> Self {
        let started = Some(Instant::now());
        Self {
            left: 1,
            gap: 1,
            covered: 0,
            warms_up: false,
            spent: 0.0,
            random: 0x9e37_79b9_7f4a_7c15,
            started,
        }
    }

    /// Whether steps are measured at all.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.started.is_some()
    }

    /// Begins a step; says whether it is to be measured.
    #[inline]
    pub fn begin_step(&mut self) -> bool {
        self.left = self.left.wrapping_sub(1);
        self.left <= u64::from(self.warms_up)
    }

    /// Steps that the one being measured stands for, itself included; zero of one that does not count.
    #[must_use]
    pub fn weight(&self) -> f64 {
        if self.left == 0 { self.gap as f64 } else { 0.0 }
    }

    /// Ends a step that was measured, for which clocks were read for so long (s).
    #[cold]
    pub fn end_step(&mut self, cost: f64) {
        if let Some(started) = self.started {
            self.end_step_at(cost, started.elapsed().as_secs_f64());
        }
    }

    /// The same so long (s) after the start of the run.
    fn end_step_at(&mut self, cost: f64, elapsed: f64) {
        self.spent += cost;
        if self.left > 0 {
            return;
        }
        self.covered += self.gap;
        let mean = elapsed / self.covered as f64;
        self.warms_up = cost > SHORT * mean;
        let next = if self.warms_up { 2.0 * cost } else { cost };
        // The steps by the end of which one more is paid for.
        let paid = (self.spent + next - ALLOWANCE) / (SHARE * mean.max(f64::MIN_POSITIVE));
        // A run that is twice as long has been seen once more, whatever that costs.
        let gap = (paid - self.covered as f64).clamp(1.0, self.covered.max(1) as f64);
        self.gap = (gap * (0.5 + self.next_random()) + 0.5) as u64;
        self.left = self.gap.max(1);
        self.gap = self.left;
    }

    /// By how much sums over all measured steps, each by its weight, fall short of all steps begun (–).
    #[must_use]
    pub fn scale(&self) -> f64 {
        let begun = self.covered + self.gap.saturating_sub(self.left);
        if self.covered == 0 { 1.0 } else { begun as f64 / self.covered as f64 }
    }

    /// A number from 0 to 1 (xorshift).
    fn next_random(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measured steps that count, by number and weight, of so many, each of which takes `step` (s), where one measured takes `cost` (s)
    /// more; and what measuring has taken (s).
    fn measured(steps: u64, step: f64, cost: f64) -> (Vec<(u64, f64)>, f64) {
        let mut sampling = Sampling::start();
        let mut found = Vec::new();
        for k in 0..steps {
            if sampling.begin_step() {
                if sampling.weight() > 0.0 {
                    found.push((k, sampling.weight()));
                }
                sampling.end_step_at(cost, step * (k + 1) as f64);
            }
        }
        let weights: f64 = found.iter().map(|(_, weight)| weight).sum();
        assert!((weights * sampling.scale() - steps as f64).abs() < 1.0, "{weights} of {steps}");
        (found, sampling.spent)
    }

    #[test]
    fn long_steps_are_all_measured() {
        assert_eq!(measured(300, 1e-3, 2e-6).0.len(), 300);
    }

    #[test]
    fn of_short_steps_a_small_share_goes_into_measuring() {
        let (steps, step) = (1_000_000, 2e-7);
        let share = (measured(steps, step, 1e-6).1 - ALLOWANCE) / (steps as f64 * step);
        assert!((0.8 * SHARE..1.2 * SHARE).contains(&share), "{share}");
    }

    #[test]
    fn a_short_run_of_many_subsystems_is_seen_at_several_steps() {
        let (found, _) = measured(100, 5e-3, 1e-3);
        assert!((5..=12).contains(&found.len()), "{found:?}");
        assert_eq!(found[0], (0, 1.0));
    }

    /// Of every second, third … eighth step as many are measured as there are.
    #[test]
    fn no_pattern_of_steps_is_in_time_with_the_measured_ones() {
        let (found, _) = measured(3_000_000, 2e-7, 1e-6);
        for period in 2..=8 {
            let at: f64 = found.iter().filter(|(k, _)| k % period == 0).map(|(_, weight)| weight).sum();
            let share = at / 3e6 * period as f64;
            assert!((0.85..1.15).contains(&share), "{share} of every {period}th");
        }
    }

    #[test]
    fn nothing_is_measured_outside_of_a_run() {
        let mut sampling = Sampling::off();
        assert!((0..1000).all(|_| !sampling.begin_step()) && !sampling.is_on());
    }
}

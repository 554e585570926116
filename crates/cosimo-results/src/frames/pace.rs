//! At which instants frames are recorded.

/// Frames per simulated second, and least number of a run, by default.
const PER_SECOND: f64 = 60.0;
const OF_A_RUN: f64 = 500.0;

/// Share of an interval by which an instant may come early: round-off of times.
const EARLY: f64 = 1e-6;

/// How many frames are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum FrameRate {
    /// 60 per simulated second, or 500 per run, whichever is more.
    #[default]
    Usual,
    /// So many per simulated second.
    PerSecond(f64),
    /// None.
    Never,
}

/// The grid of instants of a run: the first communication point at or behind each is recorded, and the last one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrameGrid {
    origin: f64,
    interval: f64,
}

impl FrameGrid {
    /// Of a run over this time span (s); `None` without frames.
    pub(crate) fn new(rate: FrameRate, (start, end): (f64, f64)) -> Option<Self> {
        let of_rate = |rate: f64| (rate > 0.0).then(|| 1.0 / rate);
        let interval = match rate {
            FrameRate::Usual => (1.0 / PER_SECOND).min((end - start) / OF_A_RUN),
            FrameRate::PerSecond(rate) => of_rate(rate)?,
            FrameRate::Never => return None,
        };
        Some(Self { origin: start, interval })
    }

    /// Number of the last instant of the grid up to this time (s).
    pub(crate) fn number(&self, time: f64) -> u64 {
        let number = (time - self.origin) / self.interval + EARLY;
        // A run of no length has one instant; numbers beyond those of integers end.
        if number.is_finite() { number as u64 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(rate: FrameRate, end: f64, step: f64) -> usize {
        let grid = FrameGrid::new(rate, (0.0, end)).unwrap();
        let steps = (end / step).round() as usize;
        let is_new = |k: &usize| Some(grid.number(*k as f64 * step)) != last_of(&grid, *k, step);
        (0..=steps).filter(is_new).count()
    }

    fn last_of(grid: &FrameGrid, k: usize, step: f64) -> Option<u64> {
        k.checked_sub(1).map(|k| grid.number(k as f64 * step))
    }

    #[test]
    fn there_are_sixty_a_second_or_five_hundred_a_run() {
        assert_eq!(recorded(FrameRate::Usual, 10.0, 1e-3), 601);
        assert_eq!(recorded(FrameRate::Usual, 1.0, 1e-3), 501);
        assert_eq!(recorded(FrameRate::Usual, 0.1, 1e-3), 101);
        assert_eq!(recorded(FrameRate::PerSecond(25.0), 2.0, 1e-3), 51);
        assert_eq!(FrameGrid::new(FrameRate::Never, (0.0, 1.0)), None);
    }
}

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
    /// So many per simulated second; infinitely many stand for every communication point.
    PerSecond(f64),
    /// None.
    Never,
}

impl FrameRate {
    /// As many per simulated second as a model asks for: the usual rate where it does not, none for zero.
    #[must_use]
    pub fn wanted(per_second: Option<f64>) -> Self {
        match per_second {
            None => Self::Usual,
            Some(0.0) => Self::Never,
            Some(rate) => Self::PerSecond(rate),
        }
    }
}

/// The grid of instants of a run: the first communication point at or behind each is recorded, and the last one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FrameGrid {
    origin: f64,
    interval: f64,
}

impl FrameGrid {
    /// Of a run over this time span (s); `None` without frames.
    fn new(rate: FrameRate, (start, end): (f64, f64)) -> Option<Self> {
        let of_rate = |rate: f64| (rate > 0.0).then(|| 1.0 / rate);
        let interval = match rate {
            FrameRate::Usual => (1.0 / PER_SECOND).min((end - start) / OF_A_RUN),
            FrameRate::PerSecond(rate) => of_rate(rate)?,
            FrameRate::Never => return None,
        };
        Some(Self { origin: start, interval })
    }

    /// Number of the last instant of the grid up to this time (s).
    fn number(&self, time: f64) -> u64 {
        if self.interval == 0.0 {
            return time.to_bits();
        }
        let number = (time - self.origin) / self.interval + EARLY;
        // A run of no length has one instant; numbers beyond those of integers end.
        if number.is_finite() { number as u64 } else { 0 }
    }
}

/// Which communication points of a run are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct FramePace {
    grid: Option<FrameGrid>,
    /// Step and number on the grid of the last frame.
    pub(crate) last: Option<(u64, u64)>,
}

impl FramePace {
    /// Of a run that goes on after this frame.
    pub(crate) fn after(last: Option<(u64, u64)>) -> Self {
        Self { grid: None, last }
    }

    /// Chooses the instants of a run over this time span (s).
    pub(crate) fn start(&mut self, rate: FrameRate, span: (f64, f64)) {
        self.grid = FrameGrid::new(rate, span);
    }

    /// Whether any are recorded.
    pub(crate) fn records(&self) -> bool {
        self.grid.is_some()
    }

    /// Whether this communication point is recorded.
    pub(crate) fn want(&self, step: u64, time: f64, is_last: bool) -> bool {
        let Some(grid) = self.grid else { return false };
        match self.last {
            None => true,
            Some((last_step, number)) => step != last_step && (is_last || grid.number(time) != number),
        }
    }

    /// Takes note of a frame.
    pub(crate) fn take(&mut self, step: u64, time: f64) {
        self.last = self.grid.map(|grid| (step, grid.number(time)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(rate: FrameRate, end: f64, step: f64) -> usize {
        let mut pace = FramePace::default();
        pace.start(rate, (0.0, end));
        let steps = (end / step).round() as u64;
        let mut count = 0;
        for k in 0..=steps {
            let time = k as f64 * step;
            if pace.want(k, time, k == steps) {
                pace.take(k, time);
                count += 1;
            }
        }
        count
    }

    #[test]
    fn there_are_sixty_a_second_or_five_hundred_a_run() {
        assert_eq!(recorded(FrameRate::Usual, 10.0, 1e-3), 601);
        assert_eq!(recorded(FrameRate::Usual, 1.0, 1e-3), 501);
        assert_eq!(recorded(FrameRate::Usual, 0.1, 1e-3), 101);
        assert_eq!(recorded(FrameRate::PerSecond(25.0), 2.0, 1e-3), 51);
        assert_eq!(recorded(FrameRate::PerSecond(f64::INFINITY), 1.0, 1e-3), 1001);
        assert_eq!(recorded(FrameRate::Never, 1.0, 1e-3), 0);
    }
}

//! Numbers that look random and are the same everywhere: Steele's SplitMix64.

/// A sequence that depends on its seed alone.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of one model of a seed.
    #[must_use]
    pub fn new(seed: u64, model: u64) -> Self {
        let mut first = Self(seed);
        Self(first.next() ^ model.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in `[a, b)`.
    pub fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.next() >> 11) as f64 / 2.0_f64.powi(53)
    }

    /// With a logarithm that is uniform, in `[a, b)`.
    pub fn scale(&mut self, a: f64, b: f64) -> f64 {
        self.between(a.ln(), b.ln()).exp()
    }

    /// True so often.
    pub fn chance(&mut self, share: f64) -> bool {
        self.between(0.0, 1.0) < share
    }

    /// Below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// One of these or, as likely as each, one between `a` and 1.
    pub fn of_or_above(&mut self, all: &[f64], a: f64) -> f64 {
        let other = self.between(a, 1.0);
        all.get(self.below(all.len() + 1)).copied().unwrap_or(other)
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

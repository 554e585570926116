//! Random numbers that are the same everywhere.

/// Generator xorshift64* (Marsaglia, Vigna).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
        (0..4).for_each(|_| _ = random.next());
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number in `[low, high)`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between `low` and `high`, evenly spread in the logarithm.
    pub(crate) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// A whole number in `low..=high`.
    pub(crate) fn index(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() >> 33) as usize % (high - low + 1)
    }

    /// A coefficient of restitution; the ends 0 and 1 are frequent.
    pub(crate) fn restitution(&mut self) -> f64 {
        match self.index(0, 3) {
            0 => 0.0,
            1 => 1.0,
            _ => self.between(0.0, 1.0),
        }
    }
}

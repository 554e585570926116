//! Numbers of a seed, by their position.
//!
//! SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014): the n-th number is
//! a function of `n`, so that any case of a study can be made by itself, with the same bits on all machines.

/// Odd number next to 2⁶⁴ over the golden ratio: what the state grows by.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64.
fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A sequence of numbers that is independent of others of the same seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream {
    start: u64,
}

impl Stream {
    /// The sequence of this seed and number.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let of_seed = mixed(seed.wrapping_add(GOLDEN));
        Self { start: mixed(of_seed.wrapping_add(GOLDEN.wrapping_mul(number.wrapping_add(1)))) }
    }

    /// A number between zero and one, both excluded, evenly distributed.
    pub(crate) fn unit(self, position: u64) -> f64 {
        let bits = mixed(self.start.wrapping_add(GOLDEN.wrapping_mul(position.wrapping_add(1))));
        ((bits >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_that_of_its_authors() {
        // First numbers of the seed 1234567, as published with the reference implementation.
        let stream = Stream { start: 1_234_567 };
        let bits = |n: u64| mixed(stream.start.wrapping_add(GOLDEN.wrapping_mul(n + 1)));
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([0, 1, 2].map(bits), expected);
    }
}

//! What the equations of joint coordinates have in common.
//!
//! Of very many joints most have one law and are stepped alike. What their equations share is kept once, so that a pass
//! through all coordinates reads little more than their places: from some thousand joints on a step takes as long as
//! its data take to come from the memory.

use super::equation::InterfaceRow;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::takes_means;
use crate::time::part::Mode;
use crate::topology::joint::Joint;

/// The weights of a joint's equation, see `equation`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointWeights {
    /// Factor of `λ₀` (s/kg).
    pub(crate) lag: f64,
    share: [f64; 2],
    start: [f64; 2],
    /// `w̄` (s).
    pub(crate) load_weight: f64,
    /// `½ c` (m/N), which follows from the lag and the load weight.
    half_constant: f64,
    /// Factors of the impulse and of the force at the start in the mean force on either side.
    mean: [[f64; 2]; 2],
}

impl JointWeights {
    /// Those of a joint of which no step is known.
    const UNKNOWN: Self = Self {
        lag: 0.0,
        share: [1.0; 2],
        start: [0.0; 2],
        load_weight: 1.0,
        half_constant: 0.0,
        mean: [[0.0; 2]; 2],
    };

    /// Those of the equation of a joint; without a step, of an instant, the means of the last one stay.
    pub(crate) fn of_row(
        self,
        row: &InterfaceRow,
        joint: &Joint,
        models: &[AffineModel],
        mode: Mode,
    ) -> Self {
        let mean = match mode {
            Mode::Instant => self.mean,
            Mode::Step(size) | Mode::Start { size, .. } | Mode::Locked(size) => [0, 1].map(|side: usize| {
                let weights = models[joint.sides[side].subsystem].weights;
                let is_mean = joint.law.passes_impulses() || takes_means(weights, size);
                if is_mean { [1.0 / size, 0.0] } else { [0.5 / weights.end, 0.5] }
            }),
        };
        Self {
            lag: row.lag,
            share: row.share,
            start: row.start,
            load_weight: row.load_weight,
            half_constant: row.half_constant(),
            mean,
        }
    }

    /// Impulse (N s) on a side for the unknown `x` and the force at the start.
    #[inline]
    pub(crate) fn impulse(&self, side: usize, x: f64, start_force: f64) -> f64 {
        self.share[side] * x + self.start[side] * start_force
    }

    /// [`InterfaceRow::known_gap`] of this joint.
    #[inline]
    pub(crate) fn known_gap(&self, start_force: f64) -> f64 {
        self.half_constant * start_force
    }

    /// Mean force (N) on a side over the step that this impulse stands for.
    #[inline]
    pub(crate) fn mean_force(&self, side: usize, impulse: f64, start_force: f64) -> f64 {
        let [of_impulse, of_start] = self.mean[side];
        of_impulse * impulse + of_start * start_force
    }
}

/// The law and the equation of a coordinate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoordinateLaw {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// `Q`, `V` and `C` of a single coordinate, see `equation`.
    pub(crate) position: f64,
    pub(crate) velocity: f64,
    pub(crate) relaxation: f64,
    pub(crate) weights: JointWeights,
}

/// The bits of a law.
type Key = [u64; 15];

impl CoordinateLaw {
    /// A coordinate with this stiffness (N/m) and damping (N s/m) of whose equation nothing is known.
    pub(crate) fn new(stiffness: f64, damping: f64) -> Self {
        let weights = JointWeights::UNKNOWN;
        Self { stiffness, damping, position: 0.0, velocity: 0.0, relaxation: 0.0, weights }
    }

    /// Whether it is the same law, bit by bit.
    pub(crate) fn has_bits_of(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> Key {
        let JointWeights { lag, share, start, load_weight, mean, .. } = self.weights;
        let [a, b] = mean;
        let own = [self.stiffness, self.damping, self.position, self.velocity, self.relaxation];
        let [of_stiffness, of_damping, of_position, of_velocity, of_relaxation] = own;
        [
            of_stiffness,
            of_damping,
            of_position,
            of_velocity,
            of_relaxation,
            lag,
            share[0],
            share[1],
            start[0],
            start[1],
            load_weight,
            a[0],
            a[1],
            b[0],
            b[1],
        ]
        .map(f64::to_bits)
    }
}

/// All laws of a model, each once.
#[derive(Debug)]
pub(crate) struct CoordinateLaws {
    laws: Vec<CoordinateLaw>,
    /// Index of the law whose bits lead here, or to a slot before; a power of two of slots, at least half of them free.
    slots: Vec<u32>,
    /// The place found last, most often the next one.
    last: u32,
    /// Those kept before, while others are chosen.
    before: Vec<CoordinateLaw>,
}

/// The slot of no law.
const FREE: u32 = u32::MAX;
/// Laws kept out of use, at least: those of a few sizes of the step.
const SPARE: usize = 16;

impl CoordinateLaws {
    /// No laws yet, with room for those of so many coordinates before and after they change.
    pub(crate) fn with_room(coordinates: usize) -> Self {
        let room = 2 * coordinates + SPARE;
        Self {
            laws: Vec::with_capacity(room),
            slots: vec![FREE; (2 * room).next_power_of_two()],
            last: 0,
            before: Vec::with_capacity(room),
        }
    }

    /// The law of this index.
    #[inline]
    pub(crate) fn at(&self, place: u32) -> &CoordinateLaw {
        &self.laws[place as usize]
    }

    /// The index of a law, which is added if it is new.
    pub(crate) fn index_of(&mut self, law: CoordinateLaw) -> u32 {
        let key = law.key();
        if self.laws.get(self.last as usize).is_some_and(|last| last.key() == key) {
            return self.last;
        }
        let mut slot = self.slot_of(&key);
        while self.slots[slot] != FREE && self.at(self.slots[slot]).key() != key {
            slot = (slot + 1) % self.slots.len();
        }
        if self.slots[slot] == FREE {
            self.slots[slot] = u32::try_from(self.laws.len()).unwrap_or(FREE - 1);
            self.laws.push(law);
        }
        self.last = self.slots[slot];
        self.last
    }

    /// Where to look for a law first.
    fn slot_of(&self, key: &Key) -> usize {
        // The odd number of Knuth's multiplicative hashing, 2⁶⁴ over the golden ratio.
        let mixed = key
            .iter()
            .fold(0_u64, |sum, bits| (sum ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
        // There are far fewer slots than numbers of 64 bits.
        mixed as usize % self.slots.len()
    }

    /// Whether there may be no room left for new laws of so many coordinates.
    pub(crate) fn is_full(&self, coordinates: usize) -> bool {
        self.laws.len() > coordinates + SPARE
    }

    /// Keeps only the laws of these places, and renumbers them.
    pub(crate) fn retain<'a>(&mut self, places: impl Iterator<Item = &'a mut u32>) {
        std::mem::swap(&mut self.laws, &mut self.before);
        self.laws.clear();
        self.slots.fill(FREE);
        for place in places {
            *place = self.index_of(self.before[*place as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_laws_have_one_place() {
        let mut laws = CoordinateLaws::with_room(5);
        let places =
            [1.0, 2.0, 1.0, 2.0, 2.0].map(|stiffness| laws.index_of(CoordinateLaw::new(stiffness, 0.0)));
        assert_eq!(places, [0, 1, 0, 1, 1]);
        assert!(laws.at(1).stiffness.to_bits() == 2.0_f64.to_bits());
    }

    #[test]
    fn laws_out_of_use_are_forgotten_and_the_others_stay() {
        let mut laws = CoordinateLaws::with_room(3);
        let mut used: Vec<u32> =
            (0..3).map(|k| laws.index_of(CoordinateLaw::new(f64::from(k), 0.5))).collect();
        for k in 0..17 {
            laws.index_of(CoordinateLaw::new(1.0, f64::from(k)));
        }
        assert!(laws.is_full(used.len()));
        laws.retain(used.iter_mut());
        assert!(!laws.is_full(used.len()));
        for (k, place) in (0..3).zip(used) {
            assert!(laws.at(place).stiffness.to_bits() == f64::from(k).to_bits());
        }
    }
}

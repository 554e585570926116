//! Pools: contacts of many bodies, of which few are near at a time.
//!
//! `n` spheres have `n (n − 1)/2` pairs, of which at most about `6 n` touch. A pool has so many **slots**, and each is a contact with
//! rows of its own. At every communication point the pairs that may touch before the next one are found and each gets a slot; it keeps
//! it as long as it stays near. Slots that no pair holds are absent.
//!
//! **Near.** A member, a sphere or a plane, is foreseen to go on straight at its velocity `v` over the longest step `h`, but for a leeway
//! `a` of its point: what its acceleration may add and what turning does to an arm,
//!
//! ```text
//!   p(t) = p + t v ± a        a = δ + h² g + |arm| θ        θ = 1.1 h |ω| + 0.01
//! ```
//!
//! with a slack `δ` that is a share of the radii. A pair is near where the least gap of both on these ways is no more than both leeways.
//! The pairs are those whose boxes about the ways overlap, found by a tree of boxes, of which the exact test leaves those that are near:
//! which these are depends on the motion alone, not on the tree.
//!
//! **Certified.** A trial step shows the motion that loads have made of it. Where no member strays from what was foreseen by more than
//! its leeway, no pair without a slot has touched. Those that stray are tested with all others on the motion found, and a pair that has
//! met without a slot is [`missed`](PoolSlots::missed): the step holds an event, and is to be taken in parts.
//!
//! **Freed.** A pair loses its slot when it is not near after two steps in succession: rules that remember loads do so over one step. A
//! slot that is freed is absent at that communication point, and serves another pair from the next one on.
//!
//! | file | subject |
//! |---|---|
//! | `members.rs` | what touches, and which pairs there are |
//! | `foresight.rs` | how members go on, and the least gap of two |
//! | `broad_phase.rs` | boxes that overlap |
//! | `slots.rs` | which pair holds which slot |
//! | `saved.rs` | the same as numbers |
//! | `missed.rs` | whether a pair without a slot has met |
//!
//! Sources: C. Ericson, *Real-Time Collision Detection*, Morgan Kaufmann 2005, ch. 5 and 6 (swept spheres, trees of boxes);
//! G. Kuperberg, O. Schramm, *Average kissing numbers for non-congruent sphere packings*, Math. Res. Lett. 1, 1994 (the
//! capacity).

mod broad_phase;
mod foresight;
mod members;
mod missed;
mod saved;
mod slots;

pub(crate) use members::PlacedPool;
pub use slots::{Exhausted, PoolSlots};

use super::ContactShape;
use crate::spatial::joint::Frame;

/// Slots for every body by default: spheres of any radii touch 7.47 times their number at most, since each touches fewer than
/// `8 + 4√3` others in the mean.
const SLOTS_OF_A_BODY: usize = 8;

/// Contacts of every one of some frames with every one of others: each pair of frames on different bodies, once.
#[derive(Debug, Clone)]
pub struct ContactPool {
    /// Name.
    pub name: String,
    /// What touches: [`SphereSphere`](ContactShape::SphereSphere) or [`SpherePlane`](ContactShape::SpherePlane).
    pub shape: ContactShape,
    /// The first frames of the pairs.
    pub firsts: Vec<Frame>,
    /// The second ones.
    pub seconds: Vec<Frame>,
    /// Pairs that may be near at a time, at least 1.
    pub capacity: usize,
}

impl ContactPool {
    /// A pool of a capacity that [suffices](Self::ample) for bodies that touch.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        shape: ContactShape,
        firsts: Vec<Frame>,
        seconds: Vec<Frame>,
    ) -> Self {
        let capacity = Self::ample(&shape, firsts.len() + seconds.len(), firsts.len() * seconds.len());
        Self { name: name.into(), shape, firsts, seconds, capacity }
    }

    /// Sets the capacity.
    #[must_use]
    pub fn with_capacity(self, capacity: usize) -> Self {
        Self { capacity, ..self }
    }

    /// A capacity for so many bodies and pairs of them that bodies which touch do not exhaust: every pair with a plane, and eight
    /// times the number of spheres. Bodies so fast that they pass many others in a step may ask for more.
    #[must_use]
    pub fn ample(shape: &ContactShape, bodies: usize, pairs: usize) -> usize {
        match shape {
            ContactShape::SphereSphere { .. } => pairs.min(SLOTS_OF_A_BODY.saturating_mul(bodies)),
            _ => pairs,
        }
    }
}

//! What the loads of a section depend on.

use crate::number::{Dual, Number};

/// Number of variables of a [`SectionFlow`].
pub(crate) const VARIABLES: usize = 10;

/// The flow at a section, and what momentum theory needs to know of the rotor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SectionFlow<T> {
    /// `w·e_c` (m/s), without induced velocity.
    pub(crate) chordwise: T,
    /// `w·e_n` (m/s), at the quarter chord.
    pub(crate) normal: T,
    /// `ω·e_p` (rad/s), nose up.
    pub(crate) pitch_rate: T,
    /// `k·e_c` (–), with the rotor axis `k`.
    pub(crate) axis_chordwise: T,
    /// `k·e_n` (–).
    pub(crate) axis_normal: T,
    /// Distance from the rotor axis (m).
    pub(crate) radius: T,
    /// Induced velocity (m/s), along `−k`.
    pub(crate) induced: T,
    /// Velocity of the hub along the axis, through the air (m/s).
    pub(crate) climb: T,
    /// Velocity of the hub across the axis, through the air (m/s).
    pub(crate) edgewise: T,
    /// Speed of the rotor (rad/s), in its direction of rotation.
    pub(crate) speed: T,
}

impl SectionFlow<f64> {
    /// The same with every entry a variable, numbered in the order of the fields.
    pub(crate) fn variables(&self) -> SectionFlow<Dual<VARIABLES>> {
        let mut index = 0;
        let mut next = |value: f64| {
            index += 1;
            Dual::variable(value, index - 1)
        };
        SectionFlow {
            chordwise: next(self.chordwise),
            normal: next(self.normal),
            pitch_rate: next(self.pitch_rate),
            axis_chordwise: next(self.axis_chordwise),
            axis_normal: next(self.axis_normal),
            radius: next(self.radius),
            induced: next(self.induced),
            climb: next(self.climb),
            edgewise: next(self.edgewise),
            speed: next(self.speed),
        }
    }

    /// The same with the induced velocity the only variable.
    pub(crate) fn induced_variable(&self, induced: f64) -> SectionFlow<Dual<1>> {
        SectionFlow {
            chordwise: Dual::constant(self.chordwise),
            normal: Dual::constant(self.normal),
            pitch_rate: Dual::constant(self.pitch_rate),
            axis_chordwise: Dual::constant(self.axis_chordwise),
            axis_normal: Dual::constant(self.axis_normal),
            radius: Dual::constant(self.radius),
            induced: Dual::variable(induced, 0),
            climb: Dual::constant(self.climb),
            edgewise: Dual::constant(self.edgewise),
            speed: Dual::constant(self.speed),
        }
    }
}

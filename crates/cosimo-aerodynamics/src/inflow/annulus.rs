//! Momentum theory of an annulus.
//!
//! The force of `N` blades per unit span along the axis, `f_k`, changes the momentum of what flows through the ring at their radius:
//!
//! ```text
//!   4π r ρ F V_T v = b N f_k(v)          V_T = √(U² + (W + v)²)
//! ```
//!
//! `v` is the induced velocity at the blade, `F v` the mean over the ring, `F` Prandtl's factor. Every section of every blade solves
//! its own equation, as if all blades met the flow that it meets.

use std::f64::consts::PI;

use super::{DiskFlow, Momentum, momentum};
use crate::number::{Dual, Number, root};
use crate::section::{Section, SectionFlow, SectionLoads, TipLoss, VARIABLES};

/// Place of the induced velocity among the variables of a section.
const INDUCED: usize = 6;

/// What momentum theory knows of the rings of a rotor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Annulus {
    /// The whole disk.
    pub momentum: Momentum,
    /// Number of blades `N`.
    pub blades: f64,
    /// Loss of lift at the tip, if there is any; it enters the momentum, not the loads.
    pub tip_loss: Option<TipLoss>,
}

impl Annulus {
    /// `4π r ρ F V_T v − b N f_k` (N/m).
    fn balance<T: Number>(&self, section: &Section<'_>, flow: &SectionFlow<T>) -> (T, SectionLoads<T>) {
        let loads = section.loads(flow);
        let factor = match &self.tip_loss {
            Some(tip) => tip.factor(flow.radius, section.velocity(flow).sine),
            None => T::constant(1.0),
        };
        let through = momentum::speed(flow.edgewise * flow.edgewise, flow.climb + flow.induced);
        let mass = flow.radius * factor * (4.0 * PI * self.momentum.density);
        let forced = self.momentum.blend(flow.speed) * loads.along_axis(flow) * self.blades;
        (mass * through * flow.induced - forced, loads)
    }

    /// The induced velocity (m/s) at a section; the one in `flow` does not matter.
    pub(crate) fn induced(&self, section: &Section<'_>, flow: &SectionFlow<f64>) -> Option<f64> {
        let scale = 0.02 * flow.chordwise.hypot(flow.normal) + 0.1;
        let balance = |v: f64| {
            let found = self.balance(section, &flow.induced_variable(v)).0;
            (found.value, found.by[0])
        };
        root(balance, 0.0, scale)
    }

    /// The loads with the induced velocity eliminated from the derivatives; `flow` holds the solution.
    pub(crate) fn loads(
        &self,
        section: &Section<'_>,
        flow: &SectionFlow<f64>,
    ) -> SectionLoads<Dual<VARIABLES>> {
        let (balance, mut loads) = self.balance(section, &flow.variables());
        let slope = balance.by[INDUCED];
        for load in [&mut loads.chordwise, &mut loads.normal, &mut loads.moment] {
            if slope > 0.0 {
                let by_induced = load.by[INDUCED];
                load.by -= balance.by * (by_induced / slope);
            }
            load.by[INDUCED] = 0.0;
        }
        loads
    }
}

impl DiskFlow<f64> {
    /// Writes what momentum theory needs into the flow of a section.
    pub(crate) fn write(&self, flow: &mut SectionFlow<f64>) {
        (flow.climb, flow.edgewise, flow.speed) = (self.climb, self.edgewise(), self.speed);
    }
}

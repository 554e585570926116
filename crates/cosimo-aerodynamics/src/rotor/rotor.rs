//! What a rotor is made of.

use std::ops::Range;

use nalgebra::{SVector, Vector3};

use crate::blade::{Blade, BladeMemory, Induced, Surroundings, wind_gradient, wind_velocity};
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;
use crate::inflow::{Annulus, Disk, DiskAxes, Ground, InflowModel, Momentum, UNKNOWNS};
use crate::section::{Air, TipLoss, Unsteady};
use crate::wind::Wind;

/// A rotor of equal blades. Its frames are that of the hub, then those of each blade from the root outwards.
#[derive(Debug)]
pub struct Rotor {
    /// Axis, direction of rotation, axes of the disk.
    pub axes: DiskAxes,
    /// A blade.
    pub blade: Blade,
    /// Number of blades.
    pub blades: usize,
    /// Radius and nominal speed, for momentum theory.
    pub momentum: Momentum,
    /// The air; its density is that of momentum theory.
    pub air: Air,
    /// The inflow.
    pub inflow: InflowModel,
    /// Whether the lift is lost at the tips (Prandtl).
    pub has_tip_loss: bool,
    /// What lags behind in the sections.
    pub unsteady: Unsteady,
    /// The ground below, if its wake meets any; annuli do not know it.
    pub ground: Option<Ground>,
    /// The wind.
    pub wind: Box<dyn Wind>,
}

impl Rotor {
    /// Number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        1 + self.blades * self.blade.stations()
    }

    /// Number of sections that remember.
    pub(crate) fn sections_with_memory(&self) -> usize {
        if self.unsteady.is_steady() { 0 } else { self.blades * self.blade.sections() }
    }

    /// The frames of a blade.
    pub(crate) fn frames_of(&self, blade: usize) -> Range<usize> {
        let count = self.blade.stations();
        1 + blade * count..1 + (blade + 1) * count
    }

    /// The disk for this motion of the hub, its axes counted from `reference`.
    pub(crate) fn disk(
        &self,
        (hub, reference): (&FrameMotion, &Vector3<f64>),
        time: f64,
    ) -> Result<Disk, AerodynamicError> {
        let velocity = wind_velocity(self.wind.as_ref(), &hub.position, time)?;
        let gradient = wind_gradient(self.wind.as_ref(), &hub.position, time)?;
        Disk::new((&self.axes, reference), hub, (velocity, gradient), self.ground.as_ref())
    }

    /// What surrounds the blades, for mean and gradients of the field.
    pub(crate) fn surroundings<'a>(
        &'a self,
        (disk, time): (&'a Disk, f64),
        values: SVector<f64, UNKNOWNS>,
        memory: BladeMemory<'a>,
    ) -> Surroundings<'a> {
        let radius = self.momentum.radius;
        let blades = self.blades as f64;
        let tip_loss = self.has_tip_loss.then_some(TipLoss { blades, radius });
        let induced = match self.inflow {
            InflowModel::Annular => Induced::Annulus(Annulus { momentum: self.momentum, blades, tip_loss }),
            _ => Induced::Field { values, radius, tip_loss },
        };
        Surroundings {
            wind: self.wind.as_ref(),
            time,
            air: self.air,
            disk,
            induced,
            unsteady: self.unsteady,
            memory,
        }
    }
}

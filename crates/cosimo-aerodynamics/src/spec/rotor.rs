//! Rotors in plain words.

use serde::{Deserialize, Serialize};

use super::error::{finite, positive};
use super::wind::direction;
use super::{BladeSpec, SpecError, WindSpec};
use crate::inflow::{DiskAxes, Ground, InflowModel, Momentum, Rotation};
use crate::rotor::Rotor;
use crate::section::{Air, Unsteady};
use crate::wind::Wind;

/// How far the span may reach beyond the radius of the rotor, as a share of it.
const BEYOND: f64 = 1e-9;

/// A plane that the wake of a rotor meets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundSpec {
    /// Direction upwards, in space. Default: z.
    #[serde(default = "z")]
    pub up: [f64; 3],
    /// Height (m) of the plane along it. Default: zero.
    #[serde(default)]
    pub height: f64,
}

/// A rotor of equal blades.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotorSpec {
    /// Number of blades.
    pub blades: usize,
    /// A blade.
    pub blade: BladeSpec,
    /// Radius (m) for momentum theory and the loss of lift at the tips.
    pub radius: f64,
    /// Nominal speed (rad/s), positive.
    pub nominal_speed: f64,
    /// Direction of rotation, seen from the tip of the axis. Default: counter-clockwise.
    #[serde(default)]
    pub rotation: Rotation,
    /// Rotor axis in the frame of the hub; positive thrust acts along it. Default: z.
    #[serde(default = "z")]
    pub axis: [f64; 3],
    /// A direction in space that the rotor axis does not come near to in the run: the axes of the disk are counted from it.
    /// Default: x, and z where the axis is within 26° of x at the start.
    #[serde(default)]
    pub reference: Option<[f64; 3]>,
    /// The air. Default: the standard atmosphere at sea level.
    #[serde(default)]
    pub air: Air,
    /// The inflow. Default: Pitt and Peters.
    #[serde(default)]
    pub inflow: InflowModel,
    /// Whether lift is lost at the tips (Prandtl). Default: no.
    #[serde(default)]
    pub tip_loss: bool,
    /// Lag of the separation points in chords travelled (dynamic stall after Øye, who has 4). Default: no dynamic stall.
    #[serde(default)]
    pub stall_time_constant: Option<f64>,
    /// Whether the circulation of attached flow lags behind (Wagner). Default: no.
    #[serde(default)]
    pub wagner: bool,
    /// The ground below. Default: none.
    #[serde(default)]
    pub ground: Option<GroundSpec>,
    /// The wind. Default: still air.
    #[serde(default)]
    pub wind: WindSpec,
    /// Whether the angles of attack of all sections are recorded. Default: no.
    #[serde(default)]
    pub records_sections: bool,
}

fn z() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

impl RotorSpec {
    /// A rotor with these blades and defaults for the rest.
    #[must_use]
    pub fn new(blades: usize, blade: BladeSpec, radius: f64, nominal_speed: f64) -> Self {
        Self {
            blades,
            blade,
            radius,
            nominal_speed,
            rotation: Rotation::default(),
            axis: z(),
            reference: None,
            air: Air::default(),
            inflow: InflowModel::default(),
            tip_loss: false,
            stall_time_constant: None,
            wagner: false,
            ground: None,
            wind: WindSpec::Still,
            records_sections: false,
        }
    }

    /// Sets the inflow.
    #[must_use]
    pub fn with_inflow(mut self, inflow: InflowModel) -> Self {
        self.inflow = inflow;
        self
    }

    /// Sets the wind.
    #[must_use]
    pub fn with_wind(mut self, wind: WindSpec) -> Self {
        self.wind = wind;
        self
    }

    /// Sets the air.
    #[must_use]
    pub fn with_air(mut self, air: Air) -> Self {
        self.air = air;
        self
    }

    /// Sets the ground below.
    #[must_use]
    pub fn with_ground(mut self, ground: GroundSpec) -> Self {
        self.ground = Some(ground);
        self
    }

    /// The rotor.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn build(&self) -> Result<Rotor, SpecError> {
        self.build_in(self.wind.build()?)
    }

    /// The rotor in a wind of your own; that of the description does not count.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_in(&self, wind: Box<dyn Wind>) -> Result<Rotor, SpecError> {
        self.check()?;
        Ok(Rotor {
            axes: DiskAxes {
                axis: direction("axis", &self.axis)?,
                reference: self.reference.map(|given| direction("reference", &given)).transpose()?,
                rotation: self.rotation,
            },
            blade: self.blade.build()?,
            blades: self.blades,
            momentum: Momentum {
                radius: self.radius,
                density: self.air.density,
                nominal_speed: self.nominal_speed,
            },
            air: self.air,
            inflow: self.inflow,
            has_tip_loss: self.tip_loss,
            unsteady: Unsteady { stall_time_constant: self.stall_time_constant, has_wagner: self.wagner },
            ground: self.ground()?,
            wind,
        })
    }

    /// Checks the numbers of the rotor as a whole.
    fn check(&self) -> Result<(), SpecError> {
        if self.blades == 0 {
            return Err(SpecError::OutOfRange { parameter: "blades", found: 0.0, rule: "at least 1" });
        }
        for (parameter, found) in [
            ("radius", self.radius),
            ("nominal_speed", self.nominal_speed),
            ("air.density", self.air.density),
            ("air.sound_speed", self.air.sound_speed),
        ] {
            positive(parameter, found)?;
        }
        if let Some(found) = self.stall_time_constant {
            positive("stall_time_constant", found)?;
        }
        let tip = self.blade.span[1];
        if tip > self.radius * (1.0 + BEYOND) {
            let rule = "within the radius of the rotor";
            return Err(SpecError::OutOfRange { parameter: "blade.span", found: tip, rule });
        }
        Ok(())
    }

    fn ground(&self) -> Result<Option<Ground>, SpecError> {
        let Some(GroundSpec { up, height }) = &self.ground else { return Ok(None) };
        if self.inflow == InflowModel::Annular {
            return Err(SpecError::GroundOfAnnuli);
        }
        finite("ground.height", *height)?;
        Ok(Some(Ground { up: direction("ground.up", up)?, height: *height }))
    }
}

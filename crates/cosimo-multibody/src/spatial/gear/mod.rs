//! Gears and cams: what one coordinate says another one is.
//!
//! A [`Gear`] holds `φ = s₂ − f(s₁) = 0` between two numbers that sensors measure, angles with their turns counted: of a gear
//! `f = r s₁ + f₀`, of a rack and pinion the same between an angle and a displacement, of a cam a curve over an angle. The multiplier is the
//! load on the second coordinate, and `−f'` of it acts on the first: nothing is lost. [`GearMesh`] has losses, and teeth that give.
//!
//! | file | subject |
//! |---|---|
//! | `transfer.rs` | the function and its derivatives |
//! | `placed.rs` | a gear among the bodies of a system |
//! | `mesh.rs` | gears with losses, as an element |
//!
//! The rows of gears in the equations of motion are in `gear_rows.rs`, beside the folder.

mod mesh;
mod placed;
mod transfer;

use super::coordinate::Coordinate;
use super::model_error::SpatialModelError;
use super::pose::Pair;
use super::sensor::PlacedSensor;

pub use mesh::GearMesh;
pub(super) use placed::{PlacedGear, SideRow};
pub use transfer::Transfer;

/// A gear or a cam between the numbers that two sensors measure.
///
/// ```
/// use cosimo_multibody::spatial::{Body, Frame, Gear, RigidBody, Sensor, SensorKind, SpatialModel};
/// use nalgebra::Matrix3;
///
/// let wheel = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01))?;
/// let turn = |name: &str| Sensor::new(name, SensorKind::Angle, Frame::ground([0.0; 3]), Frame::on(name, [0.0; 3]));
/// let system = SpatialModel::new()
///     .with_body(Body::new("pinion", wheel.clone()))
///     .with_body(Body::new("wheel", wheel))
///     .with_sensor(turn("pinion"))
///     .with_sensor(turn("wheel"))
///     .with_gear(Gear::new("stage", ["pinion", "wheel"], -0.25))
///     .build()?;
/// assert_eq!(system.gear_names().collect::<Vec<_>>(), ["stage"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gear {
    /// Name, unique among joints and gears.
    pub name: String,
    /// The sensors, each of one number: that of `s₁`, and that of `s₂`.
    pub sensors: [String; 2],
    /// `f`.
    pub transfer: Transfer,
}

impl Gear {
    /// A gear with the ratio `ds₂/ds₁`, which is closed where it starts.
    #[must_use]
    pub fn new(name: impl Into<String>, [first, second]: [&str; 2], ratio: f64) -> Self {
        let sensors = [first.to_owned(), second.to_owned()];
        Self { name: name.into(), sensors, transfer: Transfer::Ratio { ratio, offset: None } }
    }

    /// Another function.
    #[must_use]
    pub fn with_transfer(mut self, transfer: Transfer) -> Self {
        self.transfer = transfer;
        self
    }

    /// The gear between these sensors, closed at these positions where it has no offset.
    pub(super) fn placed(
        &self,
        sensors: &[PlacedSensor],
        q: &[f64],
    ) -> Result<PlacedGear, SpatialModelError> {
        let owner = format!("gear `{}`", self.name);
        if let Some((quantity, found, rule)) = self.transfer.broken_rule() {
            return Err(SpatialModelError::OutOfRange { owner, quantity, found, rule });
        }
        let [first, second] = &self.sensors;
        let sides = [Coordinate::of(&owner, first, sensors)?, Coordinate::of(&owner, second, sensors)?];
        if first == second {
            return Err(SpatialModelError::SameOwner { owner });
        }
        let at_start = |side: &Coordinate| {
            let value = side.geometry().value(&Pair::read(q, &[], side.bodies()));
            sensors[side.sensor()].counted(value)
        };
        let transfer = self.transfer.clone().closed([at_start(&sides[0]), at_start(&sides[1])]);
        Ok(PlacedGear::new(&self.name, sides, transfer))
    }
}

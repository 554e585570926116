//! The element as part of a model.

use std::sync::Arc;

use cosimo_multibody::spatial::{Element, ElementKind, Marker, SpatialModelError};

use super::placed::PlacedRotor;
use crate::rotor::Rotor;

/// The air on a rotor whose blades are bodies, or nodes of beams. The nodes of the element are the frames of the rotor: that of the
/// hub, which has no load, then those of each blade from the root outwards.
///
/// ```
/// use cosimo_aerodynamics::RotorElement;
/// use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec};
/// use cosimo_multibody::spatial::{Body, Frame, JointKind, RigidBody, SpatialModel};
/// use nalgebra::Matrix3;
///
/// let blade = BladeSpec::straight(vec![1.0, 6.0], [1.0, 6.0], 0.4, AirfoilSpec::Naca0012);
/// let rotor = RotorSpec::new(1, blade, 6.0, 36.0).build()?;
/// let body = RigidBody::new(60.0, Matrix3::from_diagonal_element(180.0))?;
/// let at = |radius| Frame::on("blade", [radius, 0.0, 0.0]);
/// let system = SpatialModel::new()
///     .with_body(Body::new("blade", body))
///     .with_joint_at("shaft", JointKind::Revolute, [None, Some("blade")], ([0.0; 3], [0.0, 0.0, 1.0]))
///     .with_element("air", vec![at(0.0), at(1.0), at(6.0)], RotorElement::new(rotor))
///     .build()?;
/// assert_eq!(system.element_quantities()[0].1.name, "thrust");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RotorElement {
    rotor: Arc<Rotor>,
    records_sections: bool,
}

impl RotorElement {
    /// The air on this rotor.
    #[must_use]
    pub fn new(rotor: Rotor) -> Self {
        Self { rotor: Arc::new(rotor), records_sections: false }
    }

    /// Shows the angles of attack of all sections, too.
    #[must_use]
    pub fn with_sections(self) -> Self {
        Self { records_sections: true, ..self }
    }
}

impl ElementKind for RotorElement {
    fn place(&self, owner: &str, markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError> {
        if markers.len() != self.rotor.frames() {
            return Err(SpatialModelError::OutOfRange {
                owner: owner.to_owned(),
                quantity: "number of nodes",
                found: markers.len() as f64,
                rule: "one for the hub and as many for every blade as it has stations",
            });
        }
        Ok(Box::new(PlacedRotor::new(owner, self.rotor.clone(), markers, self.records_sections)))
    }
}

//! Rows that observe body points: ports, gaps and slips.

use cosimo_dynamics::{State, StateChange};
use nalgebra::Vector2;

use super::attachment::{Attachment, perpendicular};
use super::checks::{check_finite, check_unique, unit};
use super::{Owner, PlanarError, PlanarSystem, Point};

/// What errors call a port: its name is known to the caller only.
const PORT: &str = "a port";

/// A body point that stays on the outer side of a fixed half-plane.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaneContact {
    /// Unique name.
    pub name: String,
    /// The point, of a body.
    pub point: Point,
    /// A point of the boundary (m), world axes.
    pub plane: [f64; 2],
    /// Outward normal, world axes; its length does not matter.
    pub normal: [f64; 2],
}

/// A body point along a direction fixed in the world,
///
/// ```text
///   z = e · p_wp − z₀        ż = Z v        (m, m/s)
/// ```
///
/// a coordinate of a port, or the gap or the slip of a [`PlaneContact`]. A load `ℓ` (N) on it is the force `ℓ e` at the point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointRow {
    attachment: Attachment,
    /// `e`, world axes; a unit vector or zero.
    axis: Vector2<f64>,
    /// `z₀` (m).
    offset: f64,
}

impl PointRow {
    /// The point along `direction`, which is normalised.
    ///
    /// # Errors
    /// The body does not exist, a number is not finite, or the direction is zero.
    pub fn along(system: &PlanarSystem, point: &Point, direction: [f64; 2]) -> Result<Self, PlanarError> {
        let attachment = system.attach(PORT, point)?;
        Ok(Self { attachment, axis: unit(PORT, "direction", direction)?, offset: 0.0 })
    }

    /// Three rows, `(x, y, 0)` of `p_wp`, for ports that meet those of spatial systems.
    ///
    /// The third row is the height above the plane: it is always zero, and so is its Jacobian, because a planar
    /// body takes any force across the plane without moving. A compliant or regularised interface may join any two
    /// such ports. A rigid one needs a partner that can move across the plane: it solves with the sum of both
    /// inverse masses, and between two planar systems their third row is zero: the force across the plane is then
    /// undetermined and the solution fails as singular. Join those by two directions instead.
    ///
    /// # Errors
    /// The body does not exist or a number is not finite.
    pub fn spatial(system: &PlanarSystem, point: &Point) -> Result<[Self; 3], PlanarError> {
        let attachment = system.attach(PORT, point)?;
        let axes = [Vector2::x(), Vector2::y(), Vector2::zeros()];
        Ok(axes.map(|axis| Self { attachment, axis, offset: 0.0 }))
    }

    /// The gaps (open positive) of these contacts, in this order: `z = n · (p_wp − p_plane)`, `n` the unit outward normal.
    ///
    /// # Errors
    /// A name given twice, a body that does not exist, a point of the ground, a number that is not finite, or a
    /// normal of length zero.
    pub fn gaps(system: &PlanarSystem, contacts: &[PlaneContact]) -> Result<Vec<Self>, PlanarError> {
        check_unique("contacts", &contacts.iter().map(|c| c.name.as_str()).collect::<Vec<_>>())?;
        contacts.iter().map(|contact| Self::gap(system, contact)).collect()
    }

    fn gap(system: &PlanarSystem, contact: &PlaneContact) -> Result<Self, PlanarError> {
        if contact.point.owner == Owner::Ground {
            return Err(PlanarError::ContactOnGround { contact: contact.name.clone() });
        }
        let owner = format!("contact `{}`", contact.name);
        let attachment = system.attach(&owner, &contact.point)?;
        check_finite(&owner, "plane", &contact.plane)?;
        let axis = unit(&owner, "normal", contact.normal)?;
        Ok(Self { attachment, axis, offset: axis.dot(&Vector2::from(contact.plane)) })
    }

    /// Of a gap, the slip: `t · p_wp`, `t` the normal turned by −90°, to the right where it points upwards.
    #[must_use]
    pub fn slip(&self) -> Self {
        Self { axis: -perpendicular(self.axis), offset: 0.0, ..*self }
    }

    /// Whether `Z` does not depend on the positions: the point does not turn with a body, or the row sees none of it.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.attachment.body.is_none()
            || self.attachment.point == Vector2::zeros()
            || self.axis == Vector2::zeros()
    }

    pub(super) fn attachment(&self) -> &Attachment {
        &self.attachment
    }

    /// The point in world axes (m).
    #[must_use]
    pub fn point(&self, q: &[f64]) -> Vector2<f64> {
        self.attachment.position(q)
    }

    /// `e`, in world axes; a unit vector or zero.
    #[must_use]
    pub fn axis(&self) -> &Vector2<f64> {
        &self.axis
    }

    /// `z` (m).
    #[must_use]
    pub fn position(&self, q: &[f64]) -> f64 {
        self.axis.dot(&self.attachment.position(q)) - self.offset
    }

    /// `ż` (m/s).
    #[must_use]
    pub fn velocity(&self, q: &[f64], v: &[f64]) -> f64 {
        self.axis.dot(&self.attachment.velocity(q, v))
    }

    /// The largest length (m) that `z` is a difference of, and the largest speed (m/s) of its rate.
    #[must_use]
    pub fn scale(&self, q: &[f64], v: &[f64]) -> [f64; 2] {
        let ([at, own], reach) = ([q, v].map(|x| self.attachment.part(x)), self.attachment.point.norm());
        let length = at.xy().amax().max(reach).max(self.offset.abs());
        [length, own.xy().norm() + own.z.abs() * reach]
    }

    /// Adds `Zᵀ ℓ`.
    pub fn add_force(&self, q: &[f64], load: f64, out: &mut [f64]) {
        self.attachment.add_force(q, &(load * self.axis), out);
    }

    /// Gives the diagonal block of `∂(Zᵀ ℓ)/∂q`: body and 9 numbers by columns.
    pub fn give_stiffness(&self, q: &[f64], load: f64, mut give: impl FnMut(usize, &[f64])) {
        if let Some(body) = self.attachment.body {
            give(body, &self.attachment.stiffness(q, &(load * self.axis)));
        }
    }

    /// Change of `ż` with the changes `dq`, `dv` of positions and velocities.
    #[must_use]
    pub fn velocity_change(&self, State { q, v }: State<'_>, StateChange { dq, dv }: StateChange<'_>) -> f64 {
        let turned = self.attachment.velocity_gradient(q, v) * self.attachment.part(dq).z;
        self.axis.dot(&(self.attachment.velocity(q, dv) + turned))
    }
}

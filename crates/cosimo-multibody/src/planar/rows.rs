//! Rows that observe body points: ports and gaps.

use cosimo_dynamics::Kinematics;
use nalgebra::{DMatrix, Vector2};

use super::attachment::{Attachment, perpendicular};
use super::checks::{check_finite, check_unique, unit};
use super::{Owner, PlanarError, PlanarSystem, Point};

/// What errors call a port: its name is known to the caller only.
const PORT: &str = "a port";

/// A body point observed by a port: along one direction, or by three coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct PointRows(Vec<AxisRow>);

impl PointRows {
    /// One row, `z = e · p_wp` (m): the point observed along a direction fixed in the world; `e` is `direction`
    /// normalised.
    ///
    /// # Errors
    /// The body does not exist, a number is not finite, or the direction is zero.
    pub fn along(system: &PlanarSystem, point: &Point, direction: [f64; 2]) -> Result<Self, PlanarError> {
        let attachment = system.attach(PORT, point)?;
        Ok(Self(vec![AxisRow { attachment, axis: unit(PORT, "direction", direction)?, offset: 0.0 }]))
    }

    /// Three rows, `z = (x, y, 0)` of `p_wp` (m), for ports that meet those of spatial systems.
    ///
    /// The third row is the height above the plane: it is always zero, and so is its Jacobian, because a planar
    /// body takes any force across the plane without moving. A compliant or regularised interface may join any two
    /// such ports. A rigid one needs a partner that can move across the plane: it solves with the sum of both
    /// inverse masses, and between two planar systems their third row is zero: the force across the plane is then
    /// undetermined and the solution fails as singular. Join those by two directions instead.
    ///
    /// # Errors
    /// The body does not exist or a number is not finite.
    pub fn spatial(system: &PlanarSystem, point: &Point) -> Result<Self, PlanarError> {
        let attachment = system.attach(PORT, point)?;
        let axes = [Vector2::x(), Vector2::y(), Vector2::zeros()];
        Ok(Self(axes.map(|axis| AxisRow { attachment, axis, offset: 0.0 }).to_vec()))
    }
}

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

/// Gaps of body points against fixed half-planes, one row a contact (m, open positive), and the slips of some along the
/// boundary:
///
/// ```text
///   z = n · (p_wp − p_plane),        n the unit outward normal
///   s = t · p_wp,                    t = n turned by −90°: for n upwards, to the right
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlaneContactRows(Vec<AxisRow>);

impl PlaneContactRows {
    /// The gaps of these contacts, in this order.
    ///
    /// # Errors
    /// A name given twice, a body that does not exist, a point of the ground, a number that is not finite, or a
    /// normal of length zero.
    pub fn new(system: &PlanarSystem, contacts: &[PlaneContact]) -> Result<Self, PlanarError> {
        check_unique("contacts", &contacts.iter().map(|c| c.name.as_str()).collect::<Vec<_>>())?;
        contacts.iter().map(|contact| contact_row(system, contact)).collect::<Result<_, _>>().map(Self)
    }

    /// Adds the slips of the contacts with these indices, in their order, after the gaps; an index out of range adds none.
    #[must_use]
    pub fn with_slips(mut self, contacts: impl IntoIterator<Item = usize>) -> Self {
        let slip = |gap: &AxisRow| {
            let axis = -perpendicular(gap.axis);
            AxisRow { attachment: gap.attachment, axis, offset: 0.0 }
        };
        let slips: Vec<_> = contacts.into_iter().filter_map(|index| self.0.get(index).map(slip)).collect();
        self.0.extend(slips);
        self
    }
}

fn contact_row(system: &PlanarSystem, contact: &PlaneContact) -> Result<AxisRow, PlanarError> {
    if contact.point.owner == Owner::Ground {
        return Err(PlanarError::ContactOnGround { contact: contact.name.clone() });
    }
    let owner = format!("contact `{}`", contact.name);
    let attachment = system.attach(&owner, &contact.point)?;
    check_finite(&owner, "plane", &contact.plane)?;
    let axis = unit(&owner, "normal", contact.normal)?;
    Ok(AxisRow { attachment, axis, offset: axis.dot(&Vector2::from(contact.plane)) })
}

/// One row `z = axis · p_wp − offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct AxisRow {
    attachment: Attachment,
    /// World axes; a unit vector or zero.
    axis: Vector2<f64>,
    /// (m).
    offset: f64,
}

impl AxisRow {
    /// Whether the point does not turn with a body, or the row sees none of it.
    fn is_constant(&self) -> bool {
        self.attachment.column.is_none()
            || self.attachment.point == Vector2::zeros()
            || self.axis == Vector2::zeros()
    }

    fn write_jacobian(&self, q: &[f64], row: usize, out: &mut DMatrix<f64>) {
        out.row_mut(row).fill(0.0);
        let Some(c) = self.attachment.column else { return };
        out[(row, c)] = self.axis.x;
        out[(row, c + 1)] = self.axis.y;
        out[(row, c + 2)] = self.axis.dot(&perpendicular(self.attachment.arm(q)));
    }

    /// `ż = axis · (ṗ_wb + θ̇ ∂p_wp/∂θ)` changes only with `θ`, at the rate `−θ̇ axis · p_bp_w`.
    fn write_velocity_gradient(&self, q: &[f64], v: &[f64], row: usize, out: &mut DMatrix<f64>) {
        out.row_mut(row).fill(0.0);
        let Some(c) = self.attachment.column else { return };
        out[(row, c + 2)] = -v[c + 2] * self.axis.dot(&self.attachment.arm(q));
    }
}

/// Both public row types are lists of [`AxisRow`] and differ only in how they are made.
macro_rules! impl_kinematics {
    ($rows:ty) => {
        impl Kinematics for $rows {
            fn rows(&self) -> usize {
                self.0.len()
            }

            fn is_constant(&self) -> bool {
                self.0.iter().all(AxisRow::is_constant)
            }

            fn positions(&self, _t: f64, q: &[f64], out: &mut [f64]) {
                for (z, row) in out.iter_mut().zip(&self.0) {
                    *z = row.axis.dot(&row.attachment.position(q)) - row.offset;
                }
            }

            fn velocities(&self, _t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
                for (rate, row) in out.iter_mut().zip(&self.0) {
                    *rate = row.axis.dot(&row.attachment.velocity(q, v));
                }
            }

            fn jacobian(&self, _t: f64, q: &[f64], first: usize, out: &mut DMatrix<f64>) {
                for (i, row) in self.0.iter().enumerate() {
                    row.write_jacobian(q, first + i, out);
                }
            }

            fn velocity_gradient(&self, _t: f64, q: &[f64], v: &[f64], first: usize, out: &mut DMatrix<f64>) {
                for (i, row) in self.0.iter().enumerate() {
                    row.write_velocity_gradient(q, v, first + i, out);
                }
            }
        }
    };
}

impl_kinematics!(PointRows);
impl_kinematics!(PlaneContactRows);

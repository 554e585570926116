//! Coordinates and contacts of a system: what rows of the outside are made of.

use super::contact::{PlacedContact, PoolSlots};
use super::coordinate::Coordinate;
use super::pose::Pair;
use super::system::SpatialSystem;

impl SpatialSystem {
    /// The coordinate that the sensor of this name measures; `None` where there is no such sensor, or it measures the three
    /// numbers of a way.
    #[must_use]
    pub fn coordinate(&self, name: &str) -> Option<Coordinate> {
        Coordinate::measured_by(&self.sensors, name)
    }

    /// Names of the sensors that measure one number.
    pub fn coordinate_names(&self) -> impl Iterator<Item = &str> {
        self.sensors.iter().filter(|sensor| sensor.is_scalar()).map(|sensor| sensor.name.as_str())
    }

    /// Makes room in the tangents for a load along this coordinate.
    #[must_use]
    pub fn loaded_along(mut self, coordinate: &Coordinate) -> Self {
        if let [Some(a), Some(b)] = coordinate.bodies() {
            self.structure = self.structure.with_coupling(a, b);
        }
        self
    }

    /// `θ` at these positions (m or rad); of an angle with the turns counted up to the state accepted last.
    #[must_use]
    pub fn coordinate_value(&self, coordinate: &Coordinate, q: &[f64]) -> f64 {
        let value = coordinate.geometry().value(&Pair::read(q, &[], coordinate.bodies()));
        self.sensors[coordinate.sensor()].counted(value)
    }
}

impl SpatialSystem {
    /// Names of the contacts.
    pub fn contact_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.contacts.iter().map(|contact| contact.name.as_str())
    }

    /// The contact of this name, if there is one.
    #[must_use]
    pub fn contact(&self, name: &str) -> Option<PlacedContact> {
        self.contacts.iter().find(|contact| contact.name == name).map(|named| named.contact.clone())
    }

    /// Names of the pools of contacts.
    pub fn pool_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.pools.iter().map(|pool| pool.name.as_str())
    }

    /// The slots of the pool of this name, if there is one, for steps of at most this size (s).
    #[must_use]
    pub fn pool_slots(&self, name: &str, step: f64) -> Option<PoolSlots> {
        let pool = self.pools.iter().find(|pool| pool.name == name)?;
        Some(PoolSlots::new(pool.clone(), &self.gravity, step))
    }

    /// The gap at these positions (m; rad of an angle's stop).
    #[must_use]
    pub fn gap(&self, contact: &PlacedContact, q: &[f64]) -> f64 {
        contact.gap(q, |coordinate| self.coordinate_value(coordinate, q))
    }

    /// The same contact for use without the system: the limit of a stop of an angle is moved by the whole turns that the angle has
    /// at these positions, and [`gap_near`](PlacedContact::gap_near) counts none.
    #[must_use]
    pub fn without_turns(&self, contact: PlacedContact, q: &[f64]) -> PlacedContact {
        let turned = self.gap(&contact, q) - contact.gap_near(q);
        if turned.abs() < 1.0 {
            return contact;
        }
        // Of an upper stop the gap falls with the angle.
        let sign = contact.sign_of_stop();
        contact.with_limit_moved(-sign * turned)
    }
}

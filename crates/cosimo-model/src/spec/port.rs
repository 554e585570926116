//! Ports as interfaces see them.

use cosimo_fmi::description::InnerImpacts;

/// Name and size of a port, the same for every kind of subsystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortShape {
    /// Name, unique in the subsystem.
    pub name: String,
    /// Number of coordinates: 1, 3 or 6.
    pub size: usize,
    /// Whether the third coordinate is always zero, as that of a point which cannot leave its plane.
    pub is_flat: bool,
    /// Whether the six coordinates are those of a frame that may turn by any angle.
    pub is_frame: bool,
    /// Whether its one coordinate is an angle (rad), as far as it is known.
    pub is_angle: bool,
    /// Whether its one coordinate is measured between bodies: it is the same wherever they stand together.
    pub is_relative: bool,
    /// Whether it is a load port: it takes motion and answers with loads.
    pub is_load: bool,
    /// Contacts of an FMU behind it, where the FMU keeps some.
    pub kept_impacts: Option<InnerImpacts>,
}

impl PortShape {
    /// Coordinates of which nothing else is known.
    pub fn new(name: impl Into<String>, size: usize) -> Self {
        let name = name.into();
        Self {
            name,
            size,
            is_flat: false,
            is_frame: false,
            is_angle: false,
            is_relative: false,
            is_load: false,
            kept_impacts: None,
        }
    }
}

//! Names of the convention of mechanical ports (`docs/reference/fmi-convention.md`), for those who read it and those who write it.

/// Kind of terminals that are mechanical ports, and name of the annotation.
pub const MECHANICAL: &str = "org.cosimo.mechanical";
/// Kind of terminals that are contacts.
pub const CONTACT: &str = "org.cosimo.contact";
/// Member of a terminal that is the clock of its impulses.
pub const CLOCK: &str = "impact";

//! Names of what can be recorded.

/// A quantity that can be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityName {
    /// Full name, such as `lower.floor.gap`.
    pub name: String,
    /// Unit, such as `m/s`.
    pub unit: String,
    /// What it is.
    pub role: QuantityRole,
}

/// What a quantity is, whatever its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuantityRole {
    /// A coordinate.
    Position,
    /// A rate of a coordinate.
    Velocity,
    /// An acceleration.
    Acceleration,
    /// A distance that a contact keeps positive, or that an interface keeps at zero.
    Gap,
    /// An impulse of a contact or an interface in the step.
    Impulse,
    /// A force of an interface.
    Force,
    /// What remains of a constraint, or of the iteration of an interface, that should be zero.
    Residual,
    /// A number of iterations.
    Count,
    /// An energy.
    Energy,
    /// A signal or a state of a controller.
    Signal,
}

/// A quantity of a subsystem, not yet preceded by the name of the subsystem.
pub(crate) fn quantity(name: impl Into<String>, unit: impl Into<String>, role: QuantityRole) -> QuantityName {
    QuantityName { name: name.into(), unit: unit.into(), role }
}

/// Quantities that belong together: their names, separated by blanks, their unit and what they are.
pub(crate) type Group = (&'static str, &'static str, QuantityRole);

/// The quantities of an owner, `OWNER.NAME`; by their names alone where it has none.
pub(crate) fn grouped(owner: &str, groups: &[Group]) -> Vec<QuantityName> {
    let prefix = if owner.is_empty() { String::new() } else { format!("{owner}.") };
    let of_group = |(names, unit, role): &Group| {
        let (prefix, unit, role) = (prefix.clone(), *unit, *role);
        names.split(' ').map(move |name| quantity(format!("{prefix}{name}"), unit, role))
    };
    groups.iter().flat_map(of_group).collect()
}

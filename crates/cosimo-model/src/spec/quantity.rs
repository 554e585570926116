//! Names of what can be recorded.

use std::collections::{BTreeMap, BTreeSet};

use super::{InterfaceSpec, LawSpec, ModelSpec, PLOT_LIMIT};

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
pub enum QuantityRole {
    /// A coordinate.
    Position,
    /// A rate of a coordinate.
    Velocity,
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

impl ModelSpec {
    /// Everything that can be recorded: the quantities of the subsystems, then of the interfaces, in their order, those of
    /// load ports last.
    #[must_use]
    pub fn quantities(&self) -> Vec<QuantityName> {
        let of_subsystems = self.subsystems.iter().flat_map(|subsystem| {
            let local = subsystem.kind.quantities();
            local.into_iter().map(|quantity| within(&subsystem.name, quantity))
        });
        let is_frame = |interface: &InterfaceSpec| {
            let port = self.port(interface.between[0]);
            port.is_some_and(|(_, shape)| shape.is_frame)
        };
        let (loads, joints): (Vec<_>, Vec<_>) =
            self.interfaces.iter().partition(|interface| interface.law == LawSpec::Load);
        let of_joints = joints.into_iter().flat_map(|joint| interface_quantities(joint, is_frame(joint)));
        let of_loads = loads.into_iter().flat_map(|load| load_quantities(load, is_frame(load)));
        of_subsystems.chain(of_joints).chain(of_loads).collect()
    }

    /// What is recorded, in the order of [`ModelSpec::quantities`].
    #[must_use]
    pub fn recorded_quantities(&self) -> Vec<QuantityName> {
        let recorded = Patterns::new(&self.record.quantities);
        self.quantities().into_iter().filter(|quantity| recorded.match_any(&quantity.name)).collect()
    }

    /// What is plotted, in the order of [`RecordSpec::plot`](crate::RecordSpec::plot), each quantity once.
    #[must_use]
    pub fn plotted_quantities(&self) -> Vec<QuantityName> {
        let recorded = self.recorded_quantities();
        let known = KnownNames::new(&recorded);
        let mut is_plotted = vec![false; recorded.len()];
        let found = self.record.plot.iter().flat_map(|pattern| known.matching(pattern));
        let first = found.filter(|index| !std::mem::replace(&mut is_plotted[*index], true));
        first.map(|index| recorded[index].clone()).collect()
    }

    /// What is plotted if the file does not say: the first recorded positions (m).
    pub(crate) fn default_plot(&self) -> Vec<String> {
        let is_shown =
            |quantity: &QuantityName| quantity.role == QuantityRole::Position && quantity.unit == "m";
        let shown = self.recorded_quantities().into_iter().filter(is_shown);
        shown.take(PLOT_LIMIT).map(|quantity| quantity.name).collect()
    }
}

fn within(owner: &str, quantity: QuantityName) -> QuantityName {
    QuantityName { name: format!("{owner}.{}", quantity.name), ..quantity }
}

/// Loads of an interface to a load port; the last three coordinates of frames are moments.
fn load_quantities(interface: &InterfaceSpec, is_frame: bool) -> Vec<QuantityName> {
    let force = |index: usize| {
        let unit = if is_frame && index >= 3 { "N m" } else { "N" };
        let name = if interface.size() == 1 { "force".to_owned() } else { format!("force_{index}") };
        within(&interface.name, quantity(name, unit, QuantityRole::Force))
    };
    let created = within(&interface.name, quantity("created", "J", QuantityRole::Energy));
    (0..interface.size()).map(force).chain([created]).collect()
}

/// Force, gap and impulse of an interface; the last three coordinates of frames are rotations.
fn interface_quantities(interface: &InterfaceSpec, is_frame: bool) -> Vec<QuantityName> {
    let mut found = Vec::new();
    let kinds = [
        ("force", "N", QuantityRole::Force),
        ("gap", "m", QuantityRole::Gap),
        ("impulse", "N s", QuantityRole::Impulse),
    ];
    for (name, unit, role) in kinds {
        if interface.size() == 1 {
            found.push(within(&interface.name, quantity(name, unit, role)));
        } else {
            let unit_of = |index| match unit {
                "m" if is_frame && index >= 3 => "rad",
                "N" if is_frame && index >= 3 => "N m",
                "N s" if is_frame && index >= 3 => "N m s",
                _ => unit,
            };
            let numbered =
                (0..interface.size()).map(|index| quantity(format!("{name}_{index}"), unit_of(index), role));
            found.extend(numbered.map(|quantity| within(&interface.name, quantity)));
        }
    }
    let of_step = [
        ("iterations", "", QuantityRole::Count),
        ("residual", "", QuantityRole::Residual),
        ("created", "J", QuantityRole::Energy),
    ];
    found.extend(of_step.map(|(name, unit, role)| within(&interface.name, quantity(name, unit, role))));
    found
}

/// Patterns of which a name may match any; those without `*` are looked up.
struct Patterns<'p> {
    names: BTreeSet<&'p str>,
    globs: Vec<&'p str>,
}

impl<'p> Patterns<'p> {
    fn new(patterns: &'p [String]) -> Self {
        let (globs, names): (Vec<&str>, Vec<&str>) =
            patterns.iter().map(String::as_str).partition(|pattern| pattern.contains('*'));
        Self { names: names.into_iter().collect(), globs }
    }

    fn match_any(&self, name: &str) -> bool {
        self.names.contains(name) || self.globs.iter().any(|pattern| matches(pattern, name))
    }
}

/// Quantities by name, for finding those that a pattern matches.
pub(crate) struct KnownNames<'q> {
    quantities: &'q [QuantityName],
    index_of: BTreeMap<&'q str, usize>,
}

impl<'q> KnownNames<'q> {
    /// Names differ; of equal ones, in models with mistakes, the last is found.
    pub(crate) fn new(quantities: &'q [QuantityName]) -> Self {
        let names = quantities.iter().enumerate().map(|(index, quantity)| (quantity.name.as_str(), index));
        Self { quantities, index_of: names.collect() }
    }

    /// Indices of the quantities that a pattern matches, ascending.
    pub(crate) fn matching(&self, pattern: &str) -> Vec<usize> {
        if !pattern.contains('*') {
            return self.index_of.get(pattern).copied().into_iter().collect();
        }
        let fits = |index: &usize| matches(pattern, &self.quantities[*index].name);
        (0..self.quantities.len()).filter(fits).collect()
    }

    /// Whether a pattern matches any.
    pub(crate) fn has_match(&self, pattern: &str) -> bool {
        if pattern.contains('*') {
            return self.quantities.iter().any(|quantity| matches(pattern, &quantity.name));
        }
        self.index_of.contains_key(pattern)
    }
}

/// Whether a name fits a pattern, in which `*` stands for any text.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            let cuts = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            cuts.into_iter().any(|at| matches(rest, &tail[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        assert!(matches("*", "lower.z"));
        assert!(matches("lower.*", "lower.floor.gap"));
        assert!(matches("*.gap", "lower.floor.gap"));
        assert!(matches("l*.f*.gap", "lower.floor.gap"));
        assert!(!matches("lower.", "lower.z"));
        assert!(!matches("lower.*x", "lower.z"));
        assert!(!matches("ower.*", "lower.z"));
    }
}

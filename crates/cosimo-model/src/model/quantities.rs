//! What of a model can be recorded.

use super::ModelSpec;
use super::patterns::{KnownNames, Patterns};
use crate::spec::{InterfaceSpec, LawSpec, PLOT_LIMIT, QuantityName, QuantityRole, SolverSpec, quantity};

/// The owner of the quantities of all contacts together.
pub(crate) const CONTACTS: &str = "contacts";

impl ModelSpec {
    /// Everything that can be recorded: the quantities of the subsystems, then of the interfaces, in their order, those of
    /// load ports last; then the residual of all contacts together, where the master has some.
    #[must_use]
    pub fn quantities(&self) -> Vec<QuantityName> {
        let of_subsystems = self.subsystems.iter().flat_map(|subsystem| {
            let mut local = subsystem.kind.quantities();
            let kind = subsystem.kind.as_kind();
            if let (SolverSpec::Nonsmooth(_), _) = kind.stepped_by(&subsystem.solver) {
                local.extend(kind.nonsmooth_quantities());
            }
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
        let of_contacts =
            self.has_contacts().then(|| within(CONTACTS, quantity("residual", "", QuantityRole::Residual)));
        of_subsystems.chain(of_joints).chain(of_loads).chain(of_contacts).collect()
    }

    /// Whether the master has contacts: a scheme keeps its own to itself.
    fn has_contacts(&self) -> bool {
        self.subsystems.iter().any(|subsystem| {
            let kind = subsystem.kind.as_kind();
            kind.has_contacts()
                && !matches!(kind.stepped_by(&subsystem.solver), (SolverSpec::Nonsmooth(_), _))
        })
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

    /// What is plotted if the file does not say: the first recorded positions (m), or, where there are none, the first recorded signals, all in
    /// the unit of the first.
    pub(crate) fn default_plot(&self) -> Vec<String> {
        let recorded = self.recorded_quantities();
        let of = |role: QuantityRole, unit: &str| -> Vec<String> {
            let shown = recorded.iter().filter(|own| own.role == role && own.unit == unit);
            shown.take(PLOT_LIMIT).map(|own| own.name.clone()).collect()
        };
        let positions = of(QuantityRole::Position, "m");
        match recorded.iter().find(|own| own.role == QuantityRole::Signal) {
            Some(first) if positions.is_empty() => of(QuantityRole::Signal, &first.unit),
            _ => positions,
        }
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

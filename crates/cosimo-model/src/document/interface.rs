//! Reads the interfaces.

use serde::{Deserialize, Serialize};

use super::interface_rules::InterfaceRules;
use super::ports::{Joint, Ports};
use super::subsystem::SubsystemDraft;
use crate::spec::{Coordinates, InterfaceSpec, LawSpec, MatrixSpec, check_semidefinite};
use crate::toml::{Choice, Names, Reader, Value};

/// The interfaces as read.
pub(crate) struct InterfaceDrafts {
    /// Those whose ports are right.
    pub(crate) list: Vec<InterfaceSpec>,
    /// Names of the others, and of those without a name; empty where unreadable.
    pub(crate) incomplete: Vec<String>,
}

/// Reads every `[[interface]]`.
pub(crate) fn read_interfaces(
    root: &Reader<'_>,
    names: &mut Names,
    subsystems: &[SubsystemDraft],
) -> InterfaceDrafts {
    let mut ports = Ports::new(subsystems);
    let mut incomplete = Vec::new();
    let drafts = root.tables("interface", |interface| {
        let name = interface.name(names);
        let joints = ports.read_between(interface, &name);
        let coordinates = Coordinates::indexed(joints.first().and_then(|joint| joint.size));
        let law = read_law(interface, &coordinates);
        let offset = interface.entry("offset", "a number or a list", |value| coordinates.vector(value));
        let offset = offset.or(vec![0.0; coordinates.count().unwrap_or(0)]);
        if let Some(law) = &law {
            check_not_slack(interface, &name, law);
        }
        let has_pattern = interface.value("between").is_some_and(|between| is_pattern(&between));
        let law = law.as_ref();
        let of_joint = |(number, joint): (usize, &Joint)| {
            let name = if has_pattern { numbered(interface, names, &name, number) } else { name.clone() };
            if let Some(law) = law {
                let rules = InterfaceRules { ports: &ports };
                rules.check(interface, &name, joint, (law, &offset));
            }
            let between = joint.between().filter(|_| joint.size.is_some());
            if between.is_none() || name.is_empty() {
                incomplete.push(name.clone());
            }
            let law = law.cloned().unwrap_or(LawSpec::Rigid);
            Some(InterfaceSpec { name, between: between?, law, offset: offset.clone() })
        };
        joints.iter().enumerate().filter_map(of_joint).collect::<Vec<_>>()
    });
    if incomplete.is_empty() {
        check_load_ports_are_joined(root, subsystems, &ports);
    }
    InterfaceDrafts { list: drafts.into_iter().flatten().collect(), incomplete }
}

/// Records a mistake at every subsystem that has load ports which nothing moves.
fn check_load_ports_are_joined(root: &Reader<'_>, subsystems: &[SubsystemDraft], ports: &Ports<'_>) {
    for (index, subsystem) in subsystems.iter().enumerate() {
        let free = ports.free_load_ports(index);
        let Some(first) = free.first() else { continue };
        let others = if free.len() > 1 { format!(" (and {} more)", free.len() - 1) } else { String::new() };
        let message =
            format!("load port `{first}`{others} of subsystem `{}` is joined to nothing", subsystem.name);
        let help = "add an [[interface]] with law = \"load\" to a port of a subsystem that moves";
        root.log().error_with_help(&subsystem.header, message, help);
    }
}

/// Whether the ports of an interface are named by patterns.
fn is_pattern(between: &Value<'_>) -> bool {
    let items = between.as_list().map(|_| between.items("two ports").unwrap_or_default());
    items.into_iter().flatten().any(|item| item.as_text().is_some_and(|text| text.contains('*')))
}

/// Name of one of the interfaces that an entry with patterns stands for, entered into the names.
fn numbered(interface: &Reader<'_>, names: &mut Names, name: &str, number: usize) -> String {
    let numbered = format!("{name}_{number}");
    if !name.is_empty() {
        names.claim(interface.log(), &numbered, &interface.span("name"));
    }
    numbered
}

/// Records a mistake if a compliant interface holds nothing.
fn check_not_slack(interface: &Reader<'_>, name: &str, law: &LawSpec) {
    if let LawSpec::Compliant { stiffness, damping } = law
        && stiffness.size() > 0
        && stiffness.is_zero()
        && damping.is_zero()
    {
        let message = format!("interface `{name}` has neither stiffness nor damping");
        interface.log().error_with_help(&interface.span("stiffness"), message, "remove it, or give it one");
    }
}

/// Name of a law.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LawName {
    #[default]
    Compliant,
    Rigid,
    Tikhonov,
    Load,
}

/// The law with its parameters; `None` if it is not known which. Parameters of other laws are mistakes.
fn read_law(interface: &Reader<'_>, coordinates: &Coordinates) -> Option<LawSpec> {
    let name = interface.choice::<LawName>("law").required_option();
    // Wrong under any law: read before it is known which parameters belong to it.
    let stiffness = read_matrix(interface, "stiffness", coordinates);
    let damping = read_matrix(interface, "damping", coordinates);
    let constant = interface.number("constant").positive();
    let name = name?;
    forbid_parameters_of_others(interface, name);
    Some(match name {
        LawName::Compliant => LawSpec::Compliant {
            stiffness: stiffness.required_option().unwrap_or_else(zero),
            damping: damping.or(MatrixSpec::Diagonal(vec![0.0; coordinates.count().unwrap_or(0)])),
        },
        LawName::Rigid => LawSpec::Rigid,
        LawName::Load => LawSpec::Load,
        LawName::Tikhonov => LawSpec::Tikhonov { constant: constant.required() },
    })
}

fn forbid_parameters_of_others(interface: &Reader<'_>, name: LawName) {
    if name != LawName::Compliant {
        let reason = format!("belongs to law = \"compliant\", this one is \"{}\"", name.name());
        interface.forbid("stiffness", &reason);
        interface.forbid("damping", &reason);
    }
    if name != LawName::Tikhonov {
        let reason = format!("belongs to law = \"tikhonov\", this one is \"{}\"", name.name());
        interface.forbid("constant", &reason);
    }
}

fn zero() -> MatrixSpec {
    MatrixSpec::Diagonal(Vec::new())
}

fn read_matrix<'r, 'a>(
    interface: &'r Reader<'a>,
    key: &'static str,
    coordinates: &Coordinates,
) -> crate::toml::Entry<'r, 'a, MatrixSpec> {
    interface.entry(key, "a number, a list of one per coordinate, or a list of rows", |value| {
        coordinates.checked_matrix(value, check_semidefinite)
    })
}

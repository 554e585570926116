//! Reads the interfaces.

use std::collections::BTreeMap;

use cosimo_master::Discretisation;
use serde::{Deserialize, Serialize};

use super::coordinates::{Coordinates, check_semidefinite};
use super::log::Span;
use super::names::{Names, find};
use super::reader::Reader;
use super::subsystem::SubsystemDraft;
use super::value::Value;
use crate::model::matches;
use crate::named::Choice;
use crate::spec::{InterfaceSpec, LawSpec, MatrixSpec, PortRef, PortShape, SolverSpec};

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
    discretisation: Discretisation,
) -> InterfaceDrafts {
    let mut ports = Ports::new(subsystems, discretisation);
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
            ports.check(interface, &name, joint, (law, &offset));
            let between = joint.between().filter(|_| joint.size.is_some());
            if between.is_none() || name.is_empty() {
                incomplete.push(name.clone());
            }
            let law = law.cloned().unwrap_or(LawSpec::Rigid);
            Some(InterfaceSpec { name, between: between?, law, offset: offset.clone() })
        };
        joints.iter().enumerate().filter_map(of_joint).collect::<Vec<_>>()
    });
    InterfaceDrafts { list: drafts.into_iter().flatten().collect(), incomplete }
}

/// Whether the ports of an interface are told by patterns.
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

/// What an interface joins, as far as it is known.
#[derive(Default)]
struct Joint {
    sides: [Option<Side>; 2],
    /// Common size of the ports; that of the one port that is known, if the other is not.
    size: Option<usize>,
}

/// One side of an interface: a subsystem, and the index of its port if there is one of the name.
#[derive(Clone, Copy)]
struct Side {
    subsystem: usize,
    port: Option<usize>,
}

impl Side {
    fn port(self) -> Option<PortRef> {
        Some(PortRef { subsystem: self.subsystem, port: self.port? })
    }
}

impl Joint {
    /// The two ports, if both are known.
    fn between(&self) -> Option<[PortRef; 2]> {
        let [a, b] = self.sides;
        Some([a?.port()?, b?.port()?])
    }
}

/// The ports there are, and which load ports are joined already.
pub(super) struct Ports<'d> {
    subsystems: &'d [SubsystemDraft],
    discretisation: Discretisation,
    /// Index of the first subsystem of each name.
    index_of: BTreeMap<&'d str, usize>,
    /// Index of the first port of each name, of each subsystem.
    port_of: Vec<BTreeMap<&'d str, usize>>,
    joined: BTreeMap<PortRef, (String, Span)>,
}

impl<'d> Ports<'d> {
    pub(super) fn new(subsystems: &'d [SubsystemDraft], discretisation: Discretisation) -> Self {
        let ports = |draft: &'d SubsystemDraft| draft.ports.iter().flatten().map(|port| port.name.as_str());
        Self {
            subsystems,
            discretisation,
            index_of: first_of_each(subsystems.iter().map(|draft| draft.name.as_str())),
            port_of: subsystems.iter().map(|draft| first_of_each(ports(draft))).collect(),
            joined: BTreeMap::new(),
        }
    }

    /// Index of the subsystem of this name; records a mistake if there is none.
    fn subsystem(&self, value: &Value<'_>, name: &str) -> Option<usize> {
        self.index_of.get(name).copied().or_else(|| {
            let names: Vec<&str> = self.subsystems.iter().map(|draft| draft.name.as_str()).collect();
            find(value.log, &value.span(), "subsystem", name, &names)
        })
    }

    /// The pairs of ports that an entry joins: one, or as many as its patterns match; one of nothing after a mistake.
    fn read_between(&mut self, interface: &Reader<'_>, name: &str) -> Vec<Joint> {
        let expected = "two ports, [\"subsystem.port\", \"subsystem.port\"]";
        let joints = interface.entry("between", expected, |value| self.joints(value, name));
        joints.required_option().unwrap_or_else(|| vec![Joint::default()])
    }

    fn joints(&mut self, value: &Value<'_>, name: &str) -> Option<Vec<Joint>> {
        let items = value.items("two ports, [\"subsystem.port\", \"subsystem.port\"]")?;
        let found: Vec<_> = items.iter().map(|item| self.sides(item, name)).collect();
        let [a, b] = &found[..] else {
            value.wrong_length(found.len(), 2, ", two ports");
            return None;
        };
        if let (Some(a), Some(b)) = (a.first(), b.first())
            && a.subsystem == b.subsystem
        {
            let joined = self.subsystems.get(a.subsystem).map_or("", |subsystem| &subsystem.name);
            value.log.error(&value.span(), format!("subsystem `{joined}` is joined to itself"));
        }
        if let ([_, ..], [_, ..]) = (&a[..], &b[..])
            && a.len() != b.len()
        {
            let name = |item: &Value<'_>| item.as_text().unwrap_or_default().to_owned();
            let message = format!(
                "the patterns match different numbers of ports: `{}` {}, `{}` {}",
                name(&items[0]),
                a.len(),
                name(&items[1]),
                b.len()
            );
            value.log.error(&value.span(), message);
            return None;
        }
        let count = a.len().max(b.len()).max(1);
        let pair = |k: usize| self.joint(value, [a.get(k).copied(), b.get(k).copied()]);
        let joints: Vec<Joint> = (0..count).map(pair).collect();
        if joints.iter().any(|joint| joint.size != joints[0].size) {
            value.error("matches ports of different sizes");
            return None;
        }
        Some(joints)
    }

    fn joint(&self, value: &Value<'_>, sides: [Option<Side>; 2]) -> Joint {
        let sizes = sides.map(|side| self.size(side?.port()?));
        let [Some(of_a), Some(of_b)] = sizes else { return Joint { sides, size: sizes[0].or(sizes[1]) } };
        if of_a == of_b {
            return Joint { sides, size: Some(of_a) };
        }
        let [a, b] = sides.map(|side| self.path(side));
        let message =
            format!("the ports differ in size: `{a}` has {}, `{b}` has {}", in_words(of_a), in_words(of_b));
        value.log.error(&value.span(), message);
        Joint { sides, size: None }
    }

    /// The port as it is written.
    fn path(&self, side: Option<Side>) -> String {
        let found = side.and_then(|side| {
            let subsystem = self.subsystems.get(side.subsystem)?;
            let port = subsystem.ports.as_ref()?.get(side.port?)?;
            Some(format!("{}.{}", subsystem.name, port.name))
        });
        found.unwrap_or_default()
    }

    /// The ports that a string or a pattern names; none after a mistake.
    fn sides(&mut self, value: &Value<'_>, interface: &str) -> Vec<Side> {
        let pattern = value.as_text().and_then(|text| text.split_once('.'));
        let Some((subsystem, pattern)) = pattern.filter(|(_, port)| port.contains('*')) else {
            return self.side(value, interface).into_iter().collect();
        };
        let Some(subsystem) = self.subsystem(value, subsystem) else { return Vec::new() };
        let draft = &self.subsystems[subsystem];
        let ports = draft.ports.iter().flatten();
        let names: Vec<&str> =
            ports.map(|port| port.name.as_str()).filter(|name| matches(pattern, name)).collect();
        if names.is_empty() && draft.ports.is_some() {
            value.error(format_args!("matches no port of subsystem `{}`", draft.name));
        }
        let side = |name: &&str| Side { subsystem, port: self.port(value, (subsystem, name), interface) };
        names.iter().map(side).collect()
    }

    /// Records what the ports of a joint cannot do with its law.
    fn check(
        &self,
        interface: &Reader<'_>,
        name: &str,
        joint: &Joint,
        (law, offset): (Option<&LawSpec>, &[f64]),
    ) {
        let Some(law) = law else { return };
        if *law != LawSpec::Load {
            self.check_solvers(interface, name, joint, law);
        }
        if let Some(between) = joint.between() {
            self.check_load_ports(interface, name, between, (law, offset));
            self.check_flat_ports(interface, name, between, law);
            self.check_frames(interface, name, between, (law, offset));
        }
    }

    /// What a string names; a load port must not be joined already. `None` if the subsystem is not known.
    fn side(&mut self, value: &Value<'_>, interface: &str) -> Option<Side> {
        let text = value.text()?;
        let Some((subsystem, port)) = text.split_once('.') else {
            value.error(format_args!("is \"{text}\", must be \"subsystem.port\""));
            return None;
        };
        let index = self.subsystem(value, subsystem)?;
        Some(Side { subsystem: index, port: self.port(value, (index, port), interface) })
    }

    /// The port of one coordinate that a stop is on, and that has a solver which can hold it.
    pub(super) fn of_one_coordinate(&mut self, value: &Value<'_>, stop: &str) -> Option<PortRef> {
        let port = self.side(value, stop)?.port()?;
        let shape = self.shape(port)?;
        let text = value.as_text().unwrap_or_default();
        if shape.size != 1 || shape.is_load {
            let found = if shape.is_load { "a load port".to_owned() } else { in_words(shape.size) };
            let message = format!("a stop is on a port of one coordinate, `{text}` is {found}");
            let help = "add a port with a `direction`, or one with the `sensor` of an angle, a displacement or a distance";
            value.log.error_with_help(&value.span(), message, help);
            return None;
        }
        Some(port)
    }

    /// Index of the port of this name in the subsystem of this index.
    fn port(
        &mut self,
        value: &Value<'_>,
        (subsystem, port): (usize, &str),
        interface: &str,
    ) -> Option<usize> {
        let draft = self.subsystems.get(subsystem)?;
        let ports = draft.ports.as_ref()?;
        if ports.is_empty() {
            let message = format!("subsystem `{}` has no ports", draft.name);
            value.log.error_with_help(&value.span(), message, "add a [[subsystem.port]] to it");
            return None;
        }
        let known = self.port_of.get(subsystem).and_then(|ports| ports.get(port).copied());
        let port = known.or_else(|| {
            let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
            let what = format!("port of subsystem `{}` named", draft.name);
            find(value.log, &value.span(), &what, port, &names)
        })?;
        let found = PortRef { subsystem, port };
        if !ports[port].is_load {
            return Some(port);
        }
        if let Some((first, span)) = self.joined.get(&found) {
            let place = value.log.mention(span);
            let text = value.as_text().unwrap_or_default();
            value.log.error(
                &value.span(),
                format!("load port `{text}` is joined twice, first by interface `{first}` ({place})"),
            );
        } else {
            self.joined.insert(found, (interface.to_owned(), value.span()));
        }
        Some(port)
    }

    fn size(&self, port: PortRef) -> Option<usize> {
        let shape = self.subsystems.get(port.subsystem)?.ports.as_ref()?.get(port.port)?;
        // An unreadable port has no coordinates; a mistake was recorded there.
        Some(shape.size).filter(|size| *size > 0)
    }

    /// Records a mistake if a rigid interface joins two points that cannot leave their plane: the force across it is
    /// not determined.
    fn check_flat_ports(&self, interface: &Reader<'_>, name: &str, between: [PortRef; 2], law: &LawSpec) {
        if *law != LawSpec::Rigid || !between.iter().all(|port| self.is_flat(*port)) {
            return;
        }
        let message = format!(
            "interface `{name}` joins two points of rigid bodies in a plane, which cannot be held together across it"
        );
        let help = "give each body two ports of one `direction`, [1, 0] and [0, 1], and join them in pairs";
        interface.log().error_with_help(&interface.span("law"), message, help);
    }

    /// Records a mistake if the law does not fit the causality of the ports.
    fn check_load_ports(
        &self,
        interface: &Reader<'_>,
        name: &str,
        between: [PortRef; 2],
        (law, offset): (&LawSpec, &[f64]),
    ) {
        let is_load = |port| self.shape(port).is_some_and(|port| port.is_load);
        let mistake = match (between.map(is_load), law) {
            ([true, true], _) => Some((
                "between",
                "joins two load ports, neither of which moves".to_owned(),
                "join each to a port of a subsystem with mass",
            )),
            ([true, false] | [false, true], LawSpec::Load) if offset.iter().any(|x| *x != 0.0) => Some((
                "offset",
                "has an offset, which a load port does not take".to_owned(),
                "leave it out; the law sees the motion of the port as it is",
            )),
            ([false, false], LawSpec::Load) => Some((
                "law",
                "has law = \"load\", but neither port is a load port".to_owned(),
                "use \"compliant\", \"rigid\" or \"tikhonov\"",
            )),
            ([true, false] | [false, true], law) if *law != LawSpec::Load => Some((
                "law",
                format!("is {}, but one of its ports is a load port, which holds nothing", law.name()),
                "use law = \"load\"",
            )),
            _ => None,
        };
        if let Some((key, what, help)) = mistake {
            interface.log().error_with_help(&interface.span(key), format!("interface `{name}` {what}"), help);
        }
    }

    pub(super) fn shape(&self, port: PortRef) -> Option<&PortShape> {
        self.subsystems.get(port.subsystem)?.ports.as_ref()?.get(port.port)
    }

    fn is_flat(&self, port: PortRef) -> bool {
        self.shape(port).is_some_and(|port| port.is_flat)
    }

    /// Records a mistake if a frame is joined to what is none, or two frames rigidly at points that do not coincide.
    fn check_frames(
        &self,
        interface: &Reader<'_>,
        name: &str,
        between: [PortRef; 2],
        (law, offset): (&LawSpec, &[f64]),
    ) {
        match between.map(|port| self.is_frame(port)) {
            [false, false] => {}
            [true, true] => {
                let is_apart = offset.iter().take(3).any(|x| *x != 0.0);
                if is_apart && !matches!(law, LawSpec::Compliant { .. }) {
                    let message =
                        format!("interface `{name}` joins two frames rigidly at points that do not coincide");
                    let help = "the first three entries of the offset must be zero; move the point of a port";
                    interface.log().error_with_help(&interface.span("offset"), message, help);
                }
            }
            _ => {
                let message = format!(
                    "interface `{name}` joins a frame, which may turn by any angle, to small rotations"
                );
                let help = "join two frames of bodies, or points of 3 coordinates";
                interface.log().error_with_help(&interface.span("between"), message, help);
            }
        }
    }

    fn is_frame(&self, port: PortRef) -> bool {
        self.shape(port).is_some_and(|port| port.is_frame)
    }

    /// Records a mistake if the solvers of the two sides cannot hold the interface.
    fn check_solvers(&self, interface: &Reader<'_>, name: &str, joint: &Joint, law: &LawSpec) {
        let is_compliant = matches!(law, LawSpec::Compliant { .. });
        if is_compliant || self.discretisation == Discretisation::Position {
            return;
        }
        let [Some(a), Some(b)] = joint.sides.map(|side| self.subsystems.get(side?.subsystem)) else {
            return;
        };
        let (Some(of_a), Some(of_b)) = (a.solver, b.solver) else {
            return;
        };
        if of_a.shares_impulses_with(&of_b) {
            check_micro_steps(interface, name, [(a, of_a), (b, of_b)], law);
            return;
        }
        let sides = format!("`{}` has {of_a}, `{}` has {of_b}", a.name, b.name);
        let law = law.name();
        let message =
            format!("interface `{name}` is {law}, which the solvers of its sides cannot hold: {sides}");
        let help = "use \"theta\" or \"moreau-jean\" with the same theta on both sides, \
                    or discretisation = \"position\" in [master]";
        interface.log().error_with_help(&interface.span("law"), message, help);
    }
}

/// Records a mistake if one side takes micro steps, with the mean of the force over the step, and the other a single step by a
/// rule that weighs it otherwise.
fn check_micro_steps(
    interface: &Reader<'_>,
    name: &str,
    sides: [(&SubsystemDraft, SolverSpec); 2],
    law: &LawSpec,
) {
    let [(a, of_a), (b, of_b)] = sides;
    let (one, solver, several) = match (a.micro_steps, b.micro_steps) {
        (1, 2..) => (a, of_a, b),
        (2.., 1) => (b, of_b, a),
        _ => return,
    };
    if solver.takes_means() {
        return;
    }
    let message = format!(
        "interface `{name}` is {}, which one step of `{}` with {solver} and {} micro steps of `{}` cannot hold: they weigh its force \
         differently",
        law.name(),
        one.name,
        several.micro_steps,
        several.name
    );
    let help = "give both sides micro_steps, or none, or use \"theta\" or \"moreau-jean\" on both, or discretisation = \
                \"position\" in [master]";
    interface.log().error_with_help(&interface.span("law"), message, help);
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

/// Index of the first of each name.
fn first_of_each<'d>(names: impl Iterator<Item = &'d str>) -> BTreeMap<&'d str, usize> {
    let mut found = BTreeMap::new();
    for (index, name) in names.enumerate() {
        found.entry(name).or_insert(index);
    }
    found
}

fn in_words(size: usize) -> String {
    if size == 1 { "1 coordinate".to_owned() } else { format!("{size} coordinates") }
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
    if name != LawName::Compliant {
        let reason = format!("belongs to law = \"compliant\", this one is \"{}\"", name.name());
        interface.forbid("stiffness", &reason);
        interface.forbid("damping", &reason);
    }
    if name != LawName::Tikhonov {
        let reason = format!("belongs to law = \"tikhonov\", this one is \"{}\"", name.name());
        interface.forbid("constant", &reason);
    }
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

fn zero() -> MatrixSpec {
    MatrixSpec::Diagonal(Vec::new())
}

fn read_matrix<'r, 'a>(
    interface: &'r Reader<'a>,
    key: &'static str,
    coordinates: &Coordinates,
) -> super::entry::Entry<'r, 'a, MatrixSpec> {
    interface.entry(key, "a number, a list of one a coordinate, or a list of rows", |value| {
        coordinates.checked_matrix(value, check_semidefinite)
    })
}

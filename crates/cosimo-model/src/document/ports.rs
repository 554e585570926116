//! What interfaces and stops join: the ports of the subsystems, found by name.

use std::collections::BTreeMap;

use cosimo_subsystem::is_like;

use super::subsystem::SubsystemDraft;
use crate::spec::{PortRef, PortShape};
use crate::toml::{Reader, Span, Value, find};

/// What an interface joins, as far as it is known.
#[derive(Default)]
pub(super) struct Joint {
    pub(super) sides: [Option<Side>; 2],
    /// Common size of the ports; that of the one port that is known, if the other is not.
    pub(super) size: Option<usize>,
}

/// One side of an interface: a subsystem, and the index of its port if there is one of the name.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) subsystem: usize,
    port: Option<usize>,
}

impl Side {
    fn port(self) -> Option<PortRef> {
        Some(PortRef { subsystem: self.subsystem, port: self.port? })
    }
}

impl Joint {
    /// The two ports, if both are known.
    pub(super) fn between(&self) -> Option<[PortRef; 2]> {
        let [a, b] = self.sides;
        Some([a?.port()?, b?.port()?])
    }
}

/// The ports there are, and which load ports are joined already.
pub(super) struct Ports<'d> {
    subsystems: &'d [SubsystemDraft],
    /// Index of the first subsystem of each name.
    index_of: BTreeMap<&'d str, usize>,
    /// Index of the first port of each name, of each subsystem.
    port_of: Vec<BTreeMap<&'d str, usize>>,
    joined: BTreeMap<PortRef, (String, Span)>,
}

impl<'d> Ports<'d> {
    pub(super) fn new(subsystems: &'d [SubsystemDraft]) -> Self {
        let ports = |draft: &'d SubsystemDraft| draft.ports.iter().flatten().map(|port| port.name.as_str());
        Self {
            subsystems,
            index_of: first_of_each(subsystems.iter().map(|draft| draft.name.as_str())),
            port_of: subsystems.iter().map(|draft| first_of_each(ports(draft))).collect(),
            joined: BTreeMap::new(),
        }
    }

    /// Names of the load ports of a subsystem that no interface has joined so far.
    pub(super) fn free_load_ports(&self, subsystem: usize) -> Vec<&str> {
        let ports = self.draft(subsystem).and_then(|draft| draft.ports.as_ref()).into_iter().flatten();
        let is_free = |(port, shape): &(usize, &PortShape)| {
            shape.is_load && !self.joined.contains_key(&PortRef { subsystem, port: *port })
        };
        ports.enumerate().filter(is_free).map(|(_, shape)| shape.name.as_str()).collect()
    }

    pub(super) fn draft(&self, subsystem: usize) -> Option<&SubsystemDraft> {
        self.subsystems.get(subsystem)
    }

    /// Index of the subsystem of this name; records a mistake if there is none.
    fn subsystem(&self, value: &Value<'_>, name: &str) -> Option<usize> {
        self.index_of.get(name).copied().or_else(|| {
            let names: Vec<&str> = self.subsystems.iter().map(|draft| draft.name.as_str()).collect();
            find(value.log, &value.span(), "subsystem", name, &names)
        })
    }

    /// The pairs of ports that an entry joins: one, or as many as its patterns match; one of nothing after a mistake.
    pub(super) fn read_between(&mut self, interface: &Reader<'_>, name: &str) -> Vec<Joint> {
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
            ports.map(|port| port.name.as_str()).filter(|name| is_like(pattern, name)).collect();
        if names.is_empty() && draft.ports.is_some() {
            value.error(format_args!("matches no port of subsystem `{}`", draft.name));
        }
        let side = |name: &&str| Side { subsystem, port: self.port(value, (subsystem, name), interface) };
        names.iter().map(side).collect()
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
        // An unreadable port has no coordinates; a mistake was recorded there.
        Some(self.shape(port)?.size).filter(|size| *size > 0)
    }

    pub(super) fn shape(&self, port: PortRef) -> Option<&PortShape> {
        self.draft(port.subsystem)?.ports.as_ref()?.get(port.port)
    }

    pub(super) fn is_flat(&self, port: PortRef) -> bool {
        self.shape(port).is_some_and(|port| port.is_flat)
    }

    pub(super) fn is_frame(&self, port: PortRef) -> bool {
        self.shape(port).is_some_and(|port| port.is_frame)
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

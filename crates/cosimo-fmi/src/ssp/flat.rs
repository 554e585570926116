//! The levels of a system as lists: elements, connectors, and links from connector to connector.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::error::{SspError, SspProblem, hint};
use super::outline::{Component, ConnectorKind as Kind};
use super::transformation::Transformation;
use super::tree::{Content, Given, Part, Port, Wire, WireEnd};
use crate::description::{Finding, Place};

/// A system as lists.
#[derive(Default)]
pub(super) struct Flat {
    pub(super) nodes: Vec<Node>,
    pub(super) ports: Vec<FlatPort>,
    /// Each leads in the direction of the values.
    pub(super) links: Vec<Link>,
    pub(super) components: Vec<Component>,
    /// Values given to nodes, those of inner levels first.
    pub(super) given: Vec<(usize, Vec<Given>)>,
    pub(super) findings: Vec<Finding>,
    /// Nodes of the components by their names.
    by_name: BTreeMap<String, usize>,
}

/// A system or an element of one.
pub(super) struct Node {
    /// Names from the outermost system, which is left out.
    path: String,
    /// Index of the component, if it is one.
    pub(super) component: Option<usize>,
    dictionary: bool,
    pub(super) children: BTreeMap<String, usize>,
    pub(super) ports: BTreeMap<String, usize>,
}

/// A connector.
pub(super) struct FlatPort {
    /// The path of the node, and the name.
    pub(super) path: String,
    /// Index of the component, if it is of one.
    pub(super) component: Option<usize>,
    pub(super) port: Port,
    /// The link that gives the value.
    pub(super) incoming: Option<usize>,
    /// The links that pass the value on.
    pub(super) outgoing: Vec<usize>,
}

/// A connection of two connectors.
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) transformation: Option<Transformation>,
    pub(super) suppress: bool,
    pub(super) label: String,
    pub(super) place: Place,
}

/// Whether a connector gives or takes values, seen from a connection.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Gives,
    Takes,
    Either,
}

impl Flat {
    /// Adds the outermost system.
    pub(super) fn new(root: Part) -> Result<Self, SspError> {
        let mut flat = Self::default();
        flat.add(root, String::new())?;
        Ok(flat)
    }

    /// The connector of a variable of a component, if there is one.
    pub(super) fn port(&self, component: usize, variable: &str) -> Option<usize> {
        let node = self.by_name.get(&self.components[component].name)?;
        self.nodes[*node].ports.get(variable).copied()
    }

    fn add(&mut self, part: Part, path: String) -> Result<usize, SspError> {
        let index = self.nodes.len();
        let (children, ports) = (BTreeMap::new(), BTreeMap::new());
        let dictionary = matches!(part.content, Content::Dictionary);
        self.nodes.push(Node { path: path.clone(), component: None, dictionary, children, ports });
        if let Content::Fmu { source, implementation } = &part.content {
            if self.by_name.insert(path.clone(), index).is_some() {
                let problem = SspProblem::DuplicateName { element: part.label, name: path };
                return Err(SspError::new(&part.place, problem));
            }
            self.nodes[index].component = Some(self.components.len());
            let connectors = part.ports.iter().map(|port| port.connector.clone()).collect();
            let (name, source, implementation) = (path.clone(), source.clone(), *implementation);
            let parameters = Vec::new();
            self.components.push(Component { name, source, implementation, connectors, parameters });
        }
        for port in part.ports {
            self.add_port(index, port)?;
        }
        match part.content {
            Content::System { parts, wires } => {
                for inner in parts {
                    let path =
                        if path.is_empty() { inner.name.clone() } else { format!("{path}.{}", inner.name) };
                    let (name, label, place) = (inner.name.clone(), inner.label.clone(), inner.place.clone());
                    let child = self.add(inner, path)?;
                    if self.nodes[index].children.insert(name.clone(), child).is_some() {
                        return Err(SspError::new(
                            &place,
                            SspProblem::DuplicateName { element: label, name },
                        ));
                    }
                }
                wires.into_iter().try_for_each(|wire| self.add_link(index, &part.label, wire))?;
            }
            Content::Dictionary => {
                let text = format!("{} is ignored, as nothing is connected to it", part.label);
                self.findings.push(Finding { place: part.place, text });
            }
            Content::Fmu { .. } => {}
        }
        self.given.push((index, part.given));
        Ok(index)
    }

    fn add_port(&mut self, node: usize, port: Port) -> Result<(), SspError> {
        let count = self.ports.len();
        let Node { path, component, ports, .. } = &mut self.nodes[node];
        let name = &port.connector.name;
        match ports.entry(name.clone()) {
            Entry::Occupied(_) => {
                let problem = SspProblem::DuplicateName { element: port.label, name: name.clone() };
                Err(SspError::new(&port.place, problem))
            }
            Entry::Vacant(entry) => {
                entry.insert(count);
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let (component, outgoing) = (*component, Vec::new());
                self.ports.push(FlatPort { path, component, port, incoming: None, outgoing });
                Ok(())
            }
        }
    }

    fn add_link(&mut self, system: usize, around: &str, wire: Wire) -> Result<(), SspError> {
        let label = format!("{wire} of {around}");
        let fail = |problem| SspError::new(&wire.place, problem);
        let start = self.end(system, &wire.start, &label).map_err(fail)?;
        let end = self.end(system, &wire.end, &label).map_err(fail)?;
        let forward = self.forward([start, end], [&wire.start, &wire.end], &label).map_err(fail)?;
        let (from, to) = if forward { (start, end) } else { (end, start) };
        if let Some(first) = self.ports[to].incoming {
            let (to, other) = (self.ports[to].path.clone(), self.links[first].place.clone());
            return Err(fail(SspProblem::TwoSources { connection: label, to, other }));
        }
        let link = self.links.len();
        self.ports[to].incoming = Some(link);
        self.ports[from].outgoing.push(link);
        let Wire { transformation, suppress, place, .. } = wire;
        self.links.push(Link { from, to, transformation, suppress, label, place });
        Ok(())
    }

    /// The connector that an end of a connection names.
    fn end(&self, system: usize, end: &WireEnd, label: &str) -> Result<usize, SspProblem> {
        let unknown = |what: String, name: &str, names: Vec<&String>| SspProblem::Unknown {
            element: label.to_owned(),
            what,
            name: name.to_owned(),
            hint: hint(name, names.into_iter().map(String::as_str)),
        };
        let around = &self.nodes[system];
        let (node, what) = match &end.element {
            None => (around, "connector of the system itself".to_owned()),
            Some(name) => {
                let missing = || unknown("element".to_owned(), name, around.children.keys().collect());
                let child = *around.children.get(name).ok_or_else(missing)?;
                (&self.nodes[child], format!("connector of `{name}`"))
            }
        };
        if node.dictionary {
            let (what, instead) = ("a dictionary of signals", "connect the components directly");
            return Err(SspProblem::Unsupported { element: label.to_owned(), what, instead });
        }
        let missing = || unknown(what, &end.connector, node.ports.keys().collect());
        node.ports.get(&end.connector).copied().ok_or_else(missing)
    }

    /// Whether values go from the first connector to the second.
    fn forward(&self, ports: [usize; 2], ends: [&WireEnd; 2], label: &str) -> Result<bool, SspProblem> {
        let kinds = ports.map(|port| self.ports[port].port.connector.kind);
        let own = ends.map(|end| end.element.is_none());
        let [start, end] = [role(kinds[0], own[0]), role(kinds[1], own[1])];
        let joined = |allowed| {
            let of = |own| if own { " of the system itself" } else { "" };
            let kinds = format!("{}{} and {}{}", kinds[0].word(), of(own[0]), kinds[1].word(), of(own[1]));
            SspProblem::Direction { connection: label.to_owned(), kinds, allowed }
        };
        if start == end && start != Role::Either {
            let allowed = "an output (or an input of the system itself) to an input (or an output of the system itself)";
            return Err(joined(allowed));
        }
        let forward = end == Role::Takes || start == Role::Gives || start == end;
        let (from, to) = if forward { (0, 1) } else { (1, 0) };
        let changes =
            matches!((kinds[from], own[from]), (Kind::Output | Kind::Local, false) | (Kind::Input, true));
        let parameter =
            [Kind::Parameter, Kind::StructuralParameter, Kind::CalculatedParameter].contains(&kinds[to]);
        if changes && parameter {
            return Err(joined("a calculatedParameter to a parameter, which does not change with the time"));
        }
        Ok(forward)
    }
}

/// What a connector does for a connection of the system `own` to it, or of the system around it.
fn role(kind: Kind, own: bool) -> Role {
    let gives = match kind {
        Kind::Output | Kind::CalculatedParameter | Kind::Constant | Kind::Local => true,
        Kind::Input | Kind::Parameter | Kind::StructuralParameter => false,
        Kind::Inout | Kind::Unspecified => return Role::Either,
    };
    if gives == own { Role::Takes } else { Role::Gives }
}

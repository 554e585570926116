//! Which variables are read and written, and what they are to the master.

use std::collections::{BTreeMap, BTreeSet};

use cosimo_first_order::PortMap;
use cosimo_subsystem::{Hold, Quantity, SignalInput, SignalOutput, is_like};

use super::names::{Crossing, Element, Names};
use super::ports::read_ports;
use super::row_layouts::{AnswerLayout, JumpLayout};
use super::rows::Rows;
use super::{UnitError, UnitOptions, Value};
use crate::description::{Causality, ModelDescription, Start, Variability, Variable, VariableKind};

/// The scalars of one type that cross in one call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub(crate) crossing: Crossing,
    /// Whether they are inputs that change at events alone.
    pub(crate) is_discrete: bool,
    /// Value references, one a variable.
    pub(crate) references: Vec<u32>,
    /// Number of scalars: the elements of arrays count.
    pub(crate) count: usize,
}

/// The variables that are read after a step and written before it, in the order of the groups.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Layout {
    pub(crate) reads: Vec<Group>,
    pub(crate) writes: Vec<Group>,
    /// What they are to the master: indices among the scalars read and written.
    pub(crate) map: PortMap,
    /// Values of those written, at the start.
    pub(crate) start_values: Vec<f64>,
    /// Names of those read.
    pub(crate) read_names: Vec<String>,
    /// Variables of step responses, and of impulses, where it has ports.
    pub(crate) answers: Option<AnswerLayout>,
    pub(crate) jumps: Option<JumpLayout>,
    /// Value reference of the parameter by which the unit leaves its contacts to the master, where it does.
    pub(crate) carried: Option<u32>,
    /// Value references of float variables read, one a scalar; `None` of arrays and others, of which no derivatives are asked.
    pub(crate) read_references: Vec<Option<u32>>,
    /// The same of those written.
    pub(crate) write_references: Vec<Option<u32>>,
}

/// Numbers the elements of variables that cross, group by group.
struct Places {
    first: BTreeMap<usize, usize>,
    groups: Vec<Group>,
    order: Vec<Element>,
}

impl Places {
    fn of(names: &Names<'_>, variables: &BTreeSet<usize>) -> Result<Self, UnitError> {
        let mut places = Self { first: BTreeMap::new(), groups: Vec::new(), order: Vec::new() };
        for ((crossing, is_discrete), members) in by_crossing(names, variables)? {
            let start = places.order.len();
            for index in &members {
                places.first.insert(*index, places.order.len());
                places.order.extend((0..names.count(*index)?).map(|k| (*index, k)));
            }
            let references = members.iter().map(|index| names.variable(*index).reference).collect();
            let count = places.order.len() - start;
            places.groups.push(Group { crossing, is_discrete, references, count });
        }
        Ok(places)
    }

    fn place(&self, (index, k): Element) -> usize {
        self.first.get(&index).map_or(usize::MAX, |first| first + k)
    }
}

/// Variables by what they are to the master.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    pub(crate) inputs: Vec<Element>,
    pub(crate) outputs: Vec<Element>,
    pub(crate) quantities: Vec<Element>,
    pub(crate) energy: [Option<Element>; 2],
}

impl Layout {
    /// The layout of a unit that is used like this.
    pub(crate) fn new(description: &ModelDescription, options: &UnitOptions) -> Result<Self, UnitError> {
        let names = Names::with_sizes(description, &options.parameters);
        let given = &options.parameters;
        let ports = read_ports(&names, options)?;
        let Rows { answers, jumps, contacts } = Rows::read(&names, options, &ports)?;
        let of_contacts = contacts.iter().flat_map(|contact| contact.elements());
        let taken: BTreeSet<Element> =
            ports.iter().flat_map(|port| port.elements()).chain(of_contacts).collect();
        let roles = find_roles(&names, options, &taken)?;
        let ported = |wanted: Causality| {
            let all = taken.iter().map(|(index, _)| *index);
            all.filter(move |index| names_causality(description, *index) == wanted)
        };
        let writes: BTreeSet<usize> =
            roles.inputs.iter().map(|(index, _)| *index).chain(ported(Causality::Input)).collect();
        let read = roles.outputs.iter().chain(&roles.quantities).chain(roles.energy.iter().flatten());
        let shown: Vec<(String, Element)> = contacts.iter().flat_map(|own| own.quantities()).collect();
        let inputs =
            taken.iter().filter(|(index, _)| names_causality(description, *index) != Causality::Input);
        let inputs = inputs.chain(shown.iter().map(|(_, element)| element));
        let reads: BTreeSet<usize> = read.chain(inputs).map(|(index, _)| *index).collect();
        let (reads, writes) = (Places::of(&names, &reads)?, Places::of(&names, &writes)?);
        let mut map = signal_map(&names, &roles, [&reads, &writes], given);
        let (read, write) = (|element| reads.place(element), |element| writes.place(element));
        ports.into_iter().for_each(|port| port.add_to(&mut map, read, write));
        for (name, element) in shown {
            if map.quantities.iter().all(|(own, _)| own.name != name) {
                let quantity = Quantity { name, unit: names.unit_of(element.0) };
                map.quantities.push((quantity, read(element)));
            }
        }
        map.contacts = contacts.iter().map(|contact| contact.placed(read, write)).collect();
        let carried = contacts.first().map(|contact| names.variable(contact.carried).reference);
        let reference = |(index, _): &Element| {
            let variable = names.variable(*index);
            (variable.kind == VariableKind::Float64 && variable.dimensions.is_empty())
                .then_some(variable.reference)
        };
        Ok(Self {
            start_values: writes.order.iter().map(|element| start_value(&names, *element, given)).collect(),
            read_names: reads.order.iter().map(|element| names.element_name(*element)).collect(),
            read_references: reads.order.iter().map(reference).collect(),
            write_references: writes.order.iter().map(reference).collect(),
            reads: reads.groups,
            writes: writes.groups,
            map,
            answers,
            jumps,
            carried,
        })
    }
}

fn names_causality(description: &ModelDescription, index: usize) -> Causality {
    description.variables[index].causality
}

/// What is left for signals and quantities beside the ports.
fn find_roles(
    names: &Names<'_>,
    options: &UnitOptions,
    taken: &BTreeSet<Element>,
) -> Result<Roles, UnitError> {
    let mut roles = Roles::default();
    for (index, variable) in names.description.variables.iter().enumerate() {
        let is_named = options.quantities.iter().any(|pattern| is_like(pattern, &variable.name));
        let is_shown = matches!(variable.causality, Causality::Output) || is_named;
        // Inputs with clocks are set in event mode alone.
        let is_clocked = variable.causality == Causality::Input && !variable.clocks.is_empty();
        let is_wanted = is_shown || variable.causality == Causality::Input;
        if !is_wanted || is_clocked || names.crossing(index).is_none() {
            continue;
        }
        let all = (0..names.count(index)?).map(|k| (index, k));
        if is_named {
            roles.quantities.extend(all.clone().filter(|element| taken.contains(element)));
        }
        let free = all.filter(|element| !taken.contains(element));
        match (variable.causality, variable.kind.is_float()) {
            (Causality::Input, true) => roles.inputs.extend(free),
            (Causality::Output, true) => roles.outputs.extend(free),
            (Causality::Input, false) if !is_named => {}
            _ => roles.quantities.extend(free),
        }
    }
    for pattern in &options.quantities {
        if !pattern.contains('*') {
            let index = names.find(pattern)?;
            if names.crossing(index).is_none() {
                let what = match names.variable(index).kind {
                    VariableKind::String => "a text",
                    VariableKind::Clock => "a clock",
                    _ => "a list of bytes",
                };
                return Err(names.bad(index, format!("is {what}, and only numbers are recorded")));
            }
        }
    }
    for (role, name) in roles.energy.iter_mut().zip(&options.energy) {
        *role = name.as_ref().map(|name| Ok::<_, UnitError>((names.find(name)?, 0))).transpose()?;
    }
    Ok(roles)
}

fn signal_map(
    names: &Names<'_>,
    roles: &Roles,
    [reads, writes]: [&Places; 2],
    given: &BTreeMap<String, Value>,
) -> PortMap {
    let input = |element: &Element| {
        let variable = names.variable(element.0);
        let signal = SignalInput {
            name: names.element_name(*element),
            unit: names.unit_of(element.0),
            hold: if variable.variability == Variability::Continuous { Hold::Linear } else { Hold::Held },
            default: (variable.start.is_some() || given.contains_key(&variable.name))
                .then(|| start_value(names, *element, given)),
        };
        (signal, writes.place(*element))
    };
    let output = |element: &Element| {
        let signal = SignalOutput {
            name: names.element_name(*element),
            unit: names.unit_of(element.0),
            feed_through: feed_through(names, element.0, &roles.inputs),
        };
        (signal, reads.place(*element))
    };
    let quantity = |element: &Element| {
        let quantity = Quantity { name: names.element_name(*element), unit: names.unit_of(element.0) };
        (quantity, reads.place(*element))
    };
    PortMap {
        inputs: roles.inputs.iter().map(input).collect(),
        outputs: roles.outputs.iter().map(output).collect(),
        quantities: roles.quantities.iter().map(quantity).collect(),
        energy: roles.energy.map(|element| element.map(|element| reads.place(element))),
        ..PortMap::default()
    }
}

/// The signal inputs that an output depends on at once: all where the description does not say.
fn feed_through(names: &Names<'_>, output: usize, inputs: &[Element]) -> Vec<usize> {
    let unknown = names.description.structure.outputs.iter().find(|unknown| unknown.variable == output);
    let dependencies = unknown.and_then(|unknown| unknown.dependencies.as_ref());
    let depends = |index: usize| dependencies.is_none_or(|all| all.iter().any(|(on, _)| *on == index));
    (0..inputs.len()).filter(|k| depends(inputs[*k].0)).collect()
}

/// The start value of an element: the one given, or else that of the description; zero where there is none.
fn start_value(names: &Names<'_>, (index, k): Element, given: &BTreeMap<String, Value>) -> f64 {
    let value = match given.get(&names.variable(index).name) {
        Some(Value::List(items)) => items.get(k),
        other => other,
    };
    match value {
        Some(Value::Float(x)) => return *x,
        #[expect(clippy::cast_precision_loss, reason = "what is written as a whole number")]
        Some(Value::Integer(x)) => return *x as f64,
        _ => {}
    }
    let at = |length: usize| if length == 1 { 0 } else { k };
    let found = names.variable(index).start.as_ref().and_then(|start| match start {
        Start::Float(values) => values.get(at(values.len())).copied(),
        #[expect(clippy::cast_precision_loss, reason = "shown as a number")]
        Start::Int(values) => values.get(at(values.len())).map(|x| *x as f64),
        #[expect(clippy::cast_precision_loss, reason = "shown as a number")]
        Start::UInt(values) => values.get(at(values.len())).map(|x| *x as f64),
        Start::Boolean(values) => values.get(at(values.len())).map(|x| f64::from(u8::from(*x))),
        Start::String(_) | Start::Binary(_) => None,
    });
    found.unwrap_or(0.0)
}

/// How variables cross, whether they are discrete inputs, and which they are.
type Members = ((Crossing, bool), Vec<usize>);

/// Variables by the way they cross, numbers first.
fn by_crossing(names: &Names<'_>, variables: &BTreeSet<usize>) -> Result<Vec<Members>, UnitError> {
    let mut groups: Vec<Members> = vec![((Crossing::Float64, false), Vec::new())];
    for index in variables {
        let crossing = names.crossing(*index);
        let crossing = crossing.ok_or_else(|| names.bad(*index, "is no number"))?;
        let Variable { causality, variability, .. } = names.variable(*index);
        let is_discrete = *causality == Causality::Input && *variability != Variability::Continuous;
        let key = (crossing, is_discrete);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, members)) => members.push(*index),
            None => groups.push((key, vec![*index])),
        }
    }
    groups.retain(|(_, members)| !members.is_empty());
    Ok(groups)
}

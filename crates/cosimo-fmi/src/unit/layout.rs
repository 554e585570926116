//! Which variables are read and written, and what they are to the master.

use std::collections::{BTreeMap, BTreeSet};

use cosimo_first_order::PortMap;
use cosimo_subsystem::{Hold, Quantity, SignalInput, SignalOutput};

use super::ports::read_ports;
use super::{UnitError, UnitOptions, Value};
use crate::binary::Width;
use crate::description::{
    Causality, FmiVersion, ModelDescription, Start, Variability, Variable, VariableKind,
};

/// How a variable crosses the C interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crossing {
    Float64,
    Float32,
    Integer(Width),
    Unsigned64,
    Boolean,
}

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

/// An element of a variable: its index in the description, and its place in the array.
pub(crate) type Element = (usize, usize);

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
    /// Value references of float variables read, one a scalar; `None` of arrays and others, of which no derivatives are asked.
    pub(crate) read_references: Vec<Option<u32>>,
    /// The same of those written.
    pub(crate) write_references: Vec<Option<u32>>,
}

/// Finds variables by name.
pub(crate) struct Names<'a> {
    pub(crate) description: &'a ModelDescription,
    names: BTreeMap<&'a str, usize>,
    sizes: Vec<Option<u64>>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(description: &'a ModelDescription) -> Self {
        Self { description, names: description.names(), sizes: description.initial_sizes() }
    }

    /// With the sizes of arrays that follow from these values of structural parameters.
    fn with_sizes(description: &'a ModelDescription, given: &BTreeMap<String, Value>) -> Self {
        let mut names = Self::new(description);
        let structural = given.iter().filter_map(|(name, value)| {
            let index = names.get(name)?;
            let Value::Integer(size) = value else { return None };
            let is_size = description.variables[index].causality == Causality::StructuralParameter;
            is_size.then_some((index, u64::try_from(*size).ok()?))
        });
        let mut changed: Option<ModelDescription> = None;
        for (index, size) in structural {
            changed.get_or_insert_with(|| description.clone()).variables[index].start =
                Some(Start::UInt(vec![size]));
        }
        if let Some(changed) = changed {
            names.sizes = changed.initial_sizes();
        }
        names
    }

    pub(crate) fn unit(&self) -> &'a str {
        &self.description.model_name
    }

    pub(crate) fn variable(&self, index: usize) -> &'a Variable {
        &self.description.variables[index]
    }

    /// The variable of this name, if there is one.
    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    pub(crate) fn find(&self, name: &str) -> Result<usize, UnitError> {
        self.get(name).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> UnitError {
        let similar = |other: &&str| (strsim::jaro_winkler(name, other), (*other).to_owned());
        let best = self.names.keys().map(similar).max_by(|a, b| a.0.total_cmp(&b.0));
        UnitError::UnknownVariable {
            unit: self.unit().to_owned(),
            name: name.to_owned(),
            suggestion: best.filter(|(likeness, _)| *likeness > 0.75).map(|(_, name)| name),
        }
    }

    pub(crate) fn bad(&self, index: usize, reason: impl Into<String>) -> UnitError {
        let (unit, name) = (self.unit().to_owned(), self.variable(index).name.clone());
        UnitError::BadVariable { unit, name, reason: reason.into() }
    }

    /// Number of elements at the start.
    pub(crate) fn count(&self, index: usize) -> Result<usize, UnitError> {
        let count = self.sizes[index].and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.bad(index, "has a size that is not known before the start"))
    }

    /// The elements that a name stands for: one of an array by `name[i]` from 1 on, all of them by the name alone.
    pub(crate) fn elements(&self, name: &str) -> Result<Vec<Element>, UnitError> {
        if let Some(index) = self.get(name) {
            return Ok((0..self.count(index)?).map(|k| (index, k)).collect());
        }
        let parts = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let place =
            parts.and_then(|(base, place)| Some((self.get(base)?, place.trim().parse::<usize>().ok()?)));
        match place {
            Some((index, place)) if (1..=self.count(index)?).contains(&place) => Ok(vec![(index, place - 1)]),
            _ => Err(self.unknown(name)),
        }
    }

    /// The name of an element.
    pub(crate) fn element_name(&self, (index, k): Element) -> String {
        let variable = self.variable(index);
        if variable.dimensions.is_empty() {
            variable.name.clone()
        } else {
            format!("{}[{}]", variable.name, k + 1)
        }
    }

    fn unit_of(&self, index: usize) -> String {
        self.variable(index).unit.clone().filter(|unit| unit != "1").unwrap_or_default()
    }

    /// How a variable crosses the interface; none of texts, bytes and clocks.
    pub(crate) fn crossing(&self, index: usize) -> Option<Crossing> {
        let is_old = self.description.version == FmiVersion::V2;
        Some(match self.variable(index).kind {
            VariableKind::Float64 => Crossing::Float64,
            VariableKind::Float32 => Crossing::Float32,
            VariableKind::Boolean => Crossing::Boolean,
            VariableKind::Enumeration(_) if is_old => Crossing::Integer(Width::I32),
            VariableKind::Enumeration(_) | VariableKind::Int64 => Crossing::Integer(Width::I64),
            VariableKind::Int8 => Crossing::Integer(Width::I8),
            VariableKind::Int16 => Crossing::Integer(Width::I16),
            VariableKind::Int32 => Crossing::Integer(Width::I32),
            VariableKind::UInt8 => Crossing::Integer(Width::U8),
            VariableKind::UInt16 => Crossing::Integer(Width::U16),
            VariableKind::UInt32 => Crossing::Integer(Width::U32),
            VariableKind::UInt64 => Crossing::Unsigned64,
            VariableKind::String | VariableKind::Binary | VariableKind::Clock => return None,
        })
    }
}

/// Numbers the elements of variables that cross, group by group.
struct Places {
    first: BTreeMap<usize, usize>,
    groups: Vec<Group>,
    order: Vec<Element>,
}

impl Places {
    fn of(names: &Names<'_>, variables: &BTreeSet<usize>) -> Result<Self, UnitError> {
        let mut by_crossing: Vec<((Crossing, bool), Vec<usize>)> =
            vec![((Crossing::Float64, false), Vec::new())];
        for index in variables {
            let crossing = names.crossing(*index);
            let crossing = crossing.ok_or_else(|| names.bad(*index, "is no number"))?;
            let Variable { causality, variability, .. } = names.variable(*index);
            let is_discrete = *causality == Causality::Input && *variability != Variability::Continuous;
            let key = (crossing, is_discrete);
            match by_crossing.iter_mut().find(|(other, _)| *other == key) {
                Some((_, members)) => members.push(*index),
                None => by_crossing.push((key, vec![*index])),
            }
        }
        by_crossing.retain(|(_, members)| !members.is_empty());
        let mut places = Self { first: BTreeMap::new(), groups: Vec::new(), order: Vec::new() };
        for ((crossing, is_discrete), members) in by_crossing {
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
        let taken: BTreeSet<Element> = ports.iter().flat_map(|port| port.elements()).collect();
        let roles = find_roles(&names, options, &taken)?;
        let ported = |wanted: Causality| {
            let all = taken.iter().map(|(index, _)| *index);
            all.filter(move |index| names_causality(description, *index) == wanted)
        };
        let writes: BTreeSet<usize> =
            roles.inputs.iter().map(|(index, _)| *index).chain(ported(Causality::Input)).collect();
        let read = roles.outputs.iter().chain(&roles.quantities).chain(roles.energy.iter().flatten());
        let inputs =
            taken.iter().filter(|(index, _)| names_causality(description, *index) != Causality::Input);
        let reads: BTreeSet<usize> = read.chain(inputs).map(|(index, _)| *index).collect();
        let (reads, writes) = (Places::of(&names, &reads)?, Places::of(&names, &writes)?);
        let mut map = signal_map(&names, &roles, [&reads, &writes], given);
        for port in ports {
            port.add_to(&mut map, |element| reads.place(element), |element| writes.place(element));
        }
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
        let is_named = options.quantities.iter().any(|pattern| is_like(&variable.name, pattern));
        let is_shown = matches!(variable.causality, Causality::Output) || is_named;
        if !(is_shown || variable.causality == Causality::Input) || names.crossing(index).is_none() {
            continue;
        }
        let free = (0..names.count(index)?).map(|k| (index, k)).filter(|element| !taken.contains(element));
        match (variable.causality, variable.kind.is_float()) {
            (Causality::Input, true) => roles.inputs.extend(free),
            (Causality::Output, true) => roles.outputs.extend(free),
            (Causality::Input, false) if !is_named => {}
            _ => roles.quantities.extend(free),
        }
    }
    for pattern in &options.quantities {
        if !pattern.contains('*') {
            names.find(pattern)?;
        }
    }
    for (role, name) in roles.energy.iter_mut().zip(&options.energy) {
        *role = name.as_ref().map(|name| Ok::<_, UnitError>((names.find(name)?, 0))).transpose()?;
    }
    Ok(roles)
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((head, tail)) => {
            let rest = name.strip_prefix(head);
            rest.is_some_and(|rest| {
                (0..=rest.len()).any(|k| rest.is_char_boundary(k) && is_like(&rest[k..], tail))
            })
        }
    }
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

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn stars_stand_for_anything() {
        assert!(is_like("body.x", "body.*") && is_like("body.x", "*x") && is_like("body.x", "b*y*"));
        assert!(!is_like("body.x", "body") && !is_like("body.x", "*y"));
    }
}

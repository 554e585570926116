//! Parameter values: from the level where they are given to the components.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::error::{SspError, SspProblem};
use super::flat::Flat;
use super::flow::{self, Step};
use super::load::Loader;
use super::outline::{ConnectorKind as Kind, Parameter};
use super::tree::Given;
use super::units::FmuUnits;
use super::value::ParameterValue;
use crate::description::{Finding, Unit};

/// What the name of a parameter means.
enum Target {
    /// A variable of a component.
    Variable { component: usize, name: String },
    /// A connector of a system.
    Port(usize),
}

/// A value with its unit.
#[derive(Clone)]
struct Amount {
    value: ParameterValue,
    unit: Option<Rc<Unit>>,
}

/// Gives the components their parameters. Those of outer levels override those of inner ones, later ones earlier ones.
pub(super) fn apply(flat: &mut Flat, fmus: &mut FmuUnits, loader: &mut Loader) -> Result<(), SspError> {
    let all = std::mem::take(&mut flat.given);
    let mut applied = Applied { flat, fmus, loader, values: BTreeMap::new() };
    for (node, set) in &all {
        for given in set {
            applied.give(*node, given)?;
        }
    }
    for ((component, _), parameter) in applied.values {
        flat.components[component].parameters.push(parameter);
    }
    Ok(())
}

struct Applied<'a> {
    flat: &'a mut Flat,
    fmus: &'a mut FmuUnits,
    loader: &'a mut Loader,
    /// By the index of the component and the name of the variable.
    values: BTreeMap<(usize, String), Parameter>,
}

impl Applied<'_> {
    fn give(&mut self, node: usize, given: &Given) -> Result<(), SspError> {
        let Some(target) = find(self.flat, node, &given.name) else {
            self.note(given, "no element or connector has this name");
            return Ok(());
        };
        let unit = match &target {
            Target::Variable { component, name } => self.unit_of(*component, name),
            Target::Port(port) => flow::unit(self.flat, self.fmus, *port),
        };
        let amount = Amount { value: given.value.clone(), unit: given.unit.clone() };
        let amount = pass(&amount, (unit, given.suppress, given.transformation.as_ref()), given)?;
        match target {
            Target::Variable { component, name } => self.set(component, name, amount, given)?,
            Target::Port(port) => {
                let kind = self.flat.ports[port].port.connector.kind;
                if matches!(kind, Kind::Output | Kind::CalculatedParameter | Kind::Constant | Kind::Local) {
                    self.note(given, "it is an output of a system, whose value comes from within");
                } else if !self.spread(port, amount, given)? {
                    self.note(given, "no component is connected to this connector");
                }
            }
        }
        Ok(())
    }

    /// Passes the value of a connector of a system on to components; whether there is one.
    fn spread(&mut self, port: usize, amount: Amount, given: &Given) -> Result<bool, SspError> {
        let (mut found, mut seen) = (false, BTreeSet::from([port]));
        let mut open = vec![(port, amount)];
        while let Some((at, amount)) = open.pop() {
            for index in self.flat.ports[at].outgoing.clone() {
                self.loader.count(&given.place, 1 + given.value.len())?;
                let to = self.flat.links[index].to;
                let unit = flow::unit(self.flat, self.fmus, to);
                let link = &self.flat.links[index];
                let next = pass(&amount, (unit, link.suppress, link.transformation.as_ref()), given)?;
                let port = &self.flat.ports[to];
                match port.component {
                    Some(component) => {
                        let name = port.port.connector.name.clone();
                        self.set(component, name, next, given)?;
                        found = true;
                    }
                    None if seen.insert(to) => open.push((to, next)),
                    None => {}
                }
            }
        }
        Ok(found)
    }

    fn set(&mut self, component: usize, name: String, amount: Amount, given: &Given) -> Result<(), SspError> {
        self.loader.count(&given.place, 1)?;
        let real = matches!(amount.value, ParameterValue::Real(_));
        let unit = amount.unit.filter(|_| real).map(|unit| unit.name.clone());
        let dimensions = given.dimensions.clone();
        let parameter = Parameter { name: name.clone(), value: amount.value, unit, dimensions };
        self.values.insert((component, name), parameter);
        Ok(())
    }

    fn unit_of(&mut self, component: usize, variable: &str) -> Option<Rc<Unit>> {
        match self.flat.port(component, variable) {
            Some(port) => flow::unit(self.flat, self.fmus, port),
            None => self.fmus.find(&self.flat.components[component].source, variable),
        }
    }

    fn note(&mut self, given: &Given, why: &str) {
        let text = format!("the parameter `{}` is ignored: {why}", given.name);
        self.flat.findings.push(Finding { place: given.place.clone(), text });
    }
}

/// The value after a step to a place with this unit, without conversion of units, with this transformation.
fn pass(
    amount: &Amount,
    (unit, suppress, then): (Option<Rc<Unit>>, bool, Option<&super::Transformation>),
    given: &Given,
) -> Result<Amount, SspError> {
    let fail = |problem| SspError::new(&given.place, problem);
    let step = Step { from: amount.unit.as_ref(), to: unit.as_ref(), suppress, then };
    let element = format!("the parameter `{}`", given.name);
    let names = || [given.name.clone(), format!("the target of {element}"), element.clone()];
    let value = match step.transformation(None, names).map_err(fail)? {
        None => amount.value.clone(),
        Some(transformation) => {
            let misfit = || fail(SspProblem::Transformation { element: element.clone() });
            transformation.apply(&amount.value).ok_or_else(misfit)?
        }
    };
    Ok(Amount { value, unit: step.unit() })
}

/// What a name means at a node: a connector there, or something within the element of the longest name that fits.
fn find(flat: &Flat, mut node: usize, mut name: &str) -> Option<Target> {
    loop {
        let here = &flat.nodes[node];
        if let Some(component) = here.component {
            return Some(Target::Variable { component, name: name.to_owned() });
        }
        if let Some(port) = here.ports.get(name) {
            return Some(Target::Port(*port));
        }
        let splits = name.match_indices('.').rev();
        (node, name) =
            splits.filter_map(|(at, _)| Some((*here.children.get(&name[..at])?, &name[at + 1..]))).next()?;
    }
}

//! Values on their way: through connectors of systems from component to component, with conversion of units.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::error::{SspError, SspProblem};
use super::flat::{Flat, Link};
use super::load::Loader;
use super::outline::{Connection, Endpoint};
use super::transformation::{Transformation, chain};
use super::units::{Conversion, FmuUnits, convert};
use crate::description::{Finding, Unit};

/// What is known of the value at a connector.
#[derive(Clone)]
struct Flow {
    /// The connector of a component that it comes from, if there is one.
    origin: Option<usize>,
    origin_unit: Option<Rc<Unit>>,
    /// The unit after the transformation.
    unit: Option<Rc<Unit>>,
    transformation: Option<Transformation>,
    suppressed: bool,
}

/// A step of a value from one place to another.
pub(super) struct Step<'a> {
    pub(super) from: Option<&'a Rc<Unit>>,
    pub(super) to: Option<&'a Rc<Unit>>,
    /// Units are not converted.
    pub(super) suppress: bool,
    /// What happens after the conversion of units.
    pub(super) then: Option<&'a Transformation>,
}

impl Step<'_> {
    /// What happens to the value. `names` gives the two places and what leads from one to the other, for errors.
    pub(super) fn transformation(
        &self,
        before: Option<Transformation>,
        names: impl Fn() -> [String; 3],
    ) -> Result<Option<Transformation>, SspProblem> {
        let conversion = match (self.from, self.to) {
            (Some(from), Some(to)) if !self.suppress => match convert(from, to) {
                Conversion::By(transformation) => Some(transformation),
                Conversion::Same | Conversion::Unknown => None,
                Conversion::Impossible => {
                    let ([from_name, to_name, _], from_unit, to_unit) =
                        (names(), from.name.clone(), to.name.clone());
                    return Err(SspProblem::Units { from: from_name, from_unit, to: to_name, to_unit });
                }
            },
            _ => None,
        };
        let all = chain(before, conversion.as_ref()).and_then(|all| chain(all, self.then));
        all.ok_or_else(|| {
            let [.., element] = names();
            SspProblem::Transformation { element }
        })
    }

    /// The unit after it.
    pub(super) fn unit(&self) -> Option<Rc<Unit>> {
        let kept = if self.suppress { None } else { self.from };
        self.to.or(kept).cloned()
    }
}

/// The unit of a connector: as declared, or else that of the variable of the FMU.
pub(super) fn unit(flat: &Flat, fmus: &mut FmuUnits, port: usize) -> Option<Rc<Unit>> {
    let port = &flat.ports[port];
    let connector = &port.port.connector;
    if port.port.unit.is_some() || connector.value_type.is_some_and(|kind| !kind.is_float()) {
        return port.port.unit.clone();
    }
    fmus.find(&flat.components[port.component?].source, &connector.name)
}

/// The connections from component to component.
pub(super) fn connections(
    flat: &mut Flat,
    fmus: &mut FmuUnits,
    loader: &mut Loader,
) -> Result<Vec<Connection>, SspError> {
    let mut findings = Vec::new();
    let mut connections = Vec::new();
    let mut reached = BTreeSet::new();
    for start in 0..flat.ports.len() {
        let port = &flat.ports[start];
        if port.outgoing.is_empty() || port.component.is_none() && port.incoming.is_some() {
            continue;
        }
        let origin = port.component.map(|_| start);
        let unit = unit(flat, fmus, start);
        let flow = Flow { origin, origin_unit: unit.clone(), unit, transformation: None, suppressed: false };
        let mut open = vec![(start, flow)];
        while let Some((at, flow)) = open.pop() {
            for index in flat.ports[at].outgoing.iter().copied() {
                reached.insert(index);
                let link = &flat.links[index];
                let next = pass(flat, fmus, &flow, link)?;
                loader.count(
                    &link.place,
                    next.transformation.as_ref().map_or(1, |table| 1 + table.entries()),
                )?;
                match (flat.ports[link.to].component, next.origin) {
                    (None, _) => open.push((link.to, next)),
                    (Some(_), None) => {}
                    (Some(_), Some(origin)) => {
                        findings.extend(doubt(flat, &next, origin, link, self::unit(flat, fmus, link.to)));
                        let (from, to) = (endpoint(flat, origin), endpoint(flat, link.to));
                        connections.extend(from.zip(to).map(|(from, to)| Connection {
                            from,
                            to,
                            transformation: next.transformation,
                        }));
                    }
                }
            }
        }
    }
    flat.findings.append(&mut findings);
    match (0..flat.links.len()).find(|link| !reached.contains(link)).map(|link| &flat.links[link]) {
        None => Ok(connections),
        Some(link) => Err(SspError::new(&link.place, SspProblem::Circle { connection: link.label.clone() })),
    }
}

/// The flow after a link.
fn pass(flat: &Flat, fmus: &mut FmuUnits, flow: &Flow, link: &Link) -> Result<Flow, SspError> {
    let to = unit(flat, fmus, link.to);
    let (from, then) = (flow.unit.as_ref(), link.transformation.as_ref());
    let step = Step { from, to: to.as_ref(), suppress: link.suppress, then };
    let names = || {
        let from = &flat.ports[flow.origin.unwrap_or(link.from)].path;
        [from.clone(), flat.ports[link.to].path.clone(), link.label.clone()]
    };
    let transformation = step
        .transformation(flow.transformation.clone(), names)
        .map_err(|problem| SspError::new(&link.place, problem))?;
    let suppressed = flow.suppressed || link.suppress;
    Ok(Flow { unit: step.unit(), transformation, suppressed, ..flow.clone() })
}

/// What is to be said of units that could not be converted.
fn doubt(flat: &Flat, flow: &Flow, origin: usize, link: &Link, unit: Option<Rc<Unit>>) -> Option<Finding> {
    let names = [&flat.ports[origin].path, &flat.ports[link.to].path];
    let text = match (&flow.origin_unit, &unit) {
        _ if flow.suppressed => return None,
        (Some(known), None) => {
            format!("`{}` is in `{}`, but no unit is known of `{}`", names[0], known.name, names[1])
        }
        (None, Some(known)) => {
            format!("`{}` is in `{}`, but no unit is known of `{}`", names[1], known.name, names[0])
        }
        (Some(from), Some(to)) if matches!(convert(from, to), Conversion::Unknown) => {
            format!(
                "`{}` is in `{}` and `{}` in `{}`, which is not defined",
                names[0], from.name, names[1], to.name
            )
        }
        _ => return None,
    };
    Some(Finding { place: link.place.clone(), text: format!("{text}; the value is not converted") })
}

fn endpoint(flat: &Flat, port: usize) -> Option<Endpoint> {
    let port = &flat.ports[port];
    Some(Endpoint { component: port.component?, connector: port.port.connector.name.clone() })
}

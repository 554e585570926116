//! Signals of all subsystems by number, and what feeds what.

use std::collections::BTreeMap;
use std::ops::Range;

use cosimo_subsystem::{Description, Hold, SignalInput, SignalOutput};

use crate::connection::Connection;
use crate::error::signals::SignalError;

/// One subsystem's signals among all.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) inputs: Range<usize>,
    pub(crate) outputs: Range<usize>,
}

/// An input of any subsystem.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    pub(crate) hold: Hold,
    /// The output that feeds it.
    pub(crate) source: Option<usize>,
    /// Its value as long as nothing does.
    pub(crate) default: Option<f64>,
}

/// An output of any subsystem.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// `subsystem.output`.
    pub(crate) name: String,
    /// Name within the subsystem and unit, where no quantity has that name.
    pub(crate) shown: Option<(String, String)>,
    pub(crate) subsystem: usize,
    /// The outputs on which it depends at once, through connected inputs that feed through to it.
    pub(crate) sources: Vec<usize>,
    /// The inputs that it feeds.
    pub(crate) targets: Vec<usize>,
}

/// All signals in the order of the subsystems.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wiring {
    pub(crate) members: Vec<Member>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
}

/// Numbers and units of outputs or inputs, by subsystem and name.
type Signals<'a> = BTreeMap<(&'a str, &'a str), (usize, &'a str)>;

impl Wiring {
    pub(crate) fn new(
        descriptions: &[&Description],
        connections: &[Connection],
    ) -> Result<Self, SignalError> {
        let mut wiring = Self::default();
        descriptions.iter().enumerate().for_each(|(i, description)| wiring.add_member(i, description));
        wiring.connect(descriptions, connections)?;
        wiring.check_required(descriptions)?;
        wiring.find_sources(descriptions);
        Ok(wiring)
    }

    fn add_member(&mut self, subsystem: usize, description: &Description) {
        let (inputs, outputs) = (self.inputs.len(), self.outputs.len());
        let input = |own: &SignalInput| Input { hold: own.hold, source: None, default: own.default };
        self.inputs.extend(description.inputs.iter().map(input));
        self.outputs.extend(description.outputs.iter().map(|own| Output {
            name: format!("{}.{}", description.name, own.name),
            shown: shown(description, own),
            subsystem,
            sources: Vec::new(),
            targets: Vec::new(),
        }));
        self.members.push(Member {
            name: description.name.clone(),
            inputs: inputs..self.inputs.len(),
            outputs: outputs..self.outputs.len(),
        });
    }

    fn connect(
        &mut self,
        descriptions: &[&Description],
        connections: &[Connection],
    ) -> Result<(), SignalError> {
        let of_outputs = |d: &&'_ Description| -> Vec<(String, String)> {
            d.outputs.iter().map(|o| (o.name.clone(), o.unit.clone())).collect()
        };
        let of_inputs = |d: &&'_ Description| -> Vec<(String, String)> {
            d.inputs.iter().map(|i| (i.name.clone(), i.unit.clone())).collect()
        };
        let listed = [
            descriptions.iter().map(of_outputs).collect::<Vec<_>>(),
            descriptions.iter().map(of_inputs).collect(),
        ];
        let [outputs, inputs] = listed.each_ref().map(|lists| by_name(descriptions, lists));
        for connection in connections {
            let text = text_of(connection);
            let (from, from_unit) = find(&outputs, &connection.from, ("output", &text))?;
            let (to, to_unit) = find(&inputs, &connection.to, ("input", &text))?;
            if from_unit != to_unit {
                let [from, to] = [from_unit, to_unit].map(unit_in_words);
                return Err(SignalError::Units { connection: text, from, to });
            }
            if let Some(other) = self.inputs[to].source {
                let other = self.outputs[other].name.clone();
                return Err(SignalError::ConnectedTwice { connection: text, other });
            }
            self.inputs[to].source = Some(from);
            self.outputs[from].targets.push(to);
        }
        Ok(())
    }

    /// Refuses an input without source and default.
    fn check_required(&self, descriptions: &[&Description]) -> Result<(), SignalError> {
        let inputs = descriptions.iter().flat_map(|d| d.inputs.iter().map(move |input| (d, input)));
        let missing = |((_, input), own): &((&&Description, &SignalInput), &Input)| {
            input.default.is_none() && own.source.is_none()
        };
        let Some(((description, input), _)) = inputs.zip(&self.inputs).find(missing) else { return Ok(()) };
        let outputs = descriptions.iter().flat_map(|d| &d.outputs).zip(&self.outputs);
        let fitting = outputs.filter(|(output, _)| output.unit == input.unit);
        Err(SignalError::NotConnected {
            input: format!("{}.{}", description.name, input.name),
            unit: unit_in_words(&input.unit),
            known: listed(fitting.map(|(_, own)| own.name.clone())),
        })
    }

    fn find_sources(&mut self, descriptions: &[&Description]) {
        for (member, description) in self.members.iter().zip(descriptions) {
            for (own, output) in member.outputs.clone().zip(&description.outputs) {
                let fed = output.feed_through.iter();
                let sources = fed.filter_map(|input| self.inputs[member.inputs.start + input].source);
                let mut sources: Vec<usize> = sources.collect();
                sources.sort_unstable();
                sources.dedup();
                self.outputs[own].sources = sources;
            }
        }
    }

    /// Whether an output is of use: it feeds an input, or no quantity shows it.
    pub(crate) fn is_needed(&self, output: usize) -> bool {
        let Output { shown, targets, .. } = &self.outputs[output];
        shown.is_some() || !targets.is_empty()
    }

    /// Names of outputs in a row.
    pub(crate) fn names(&self, outputs: &[usize]) -> String {
        let names: Vec<&str> = outputs.iter().map(|output| self.outputs[*output].name.as_str()).collect();
        crate::error::list_names(&names)
    }
}

/// An output that is no quantity of the same name.
fn shown(description: &Description, output: &SignalOutput) -> Option<(String, String)> {
    let is_quantity = description.quantities.iter().any(|quantity| quantity.name == output.name);
    (!is_quantity).then(|| (output.name.clone(), output.unit.clone()))
}

fn by_name<'a>(descriptions: &[&'a Description], lists: &'a [Vec<(String, String)>]) -> Signals<'a> {
    let mut signals = BTreeMap::new();
    let mut next = 0;
    for (description, list) in descriptions.iter().zip(lists) {
        for (name, unit) in list {
            signals.insert((description.name.as_str(), name.as_str()), (next, unit.as_str()));
            next += 1;
        }
    }
    signals
}

fn find<'a>(
    signals: &Signals<'a>,
    (subsystem, signal): &(String, String),
    (what, connection): (&'static str, &str),
) -> Result<(usize, &'a str), SignalError> {
    signals.get(&(subsystem.as_str(), signal.as_str())).copied().ok_or_else(|| {
        let mut all: Vec<_> = signals.iter().collect();
        all.sort_by_key(|(_, (number, _))| *number);
        SignalError::Unknown {
            connection: connection.to_owned(),
            what,
            name: format!("{subsystem}.{signal}"),
            known: listed(all.into_iter().map(|((subsystem, signal), _)| format!("{subsystem}.{signal}"))),
        }
    })
}

/// Names in a row, or that there are none.
fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn text_of(connection: &Connection) -> String {
    let Connection { from, to } = connection;
    format!("`{}.{}` → `{}.{}`", from.0, from.1, to.0, to.1)
}

fn unit_in_words(unit: &str) -> String {
    if unit.is_empty() { "no unit".to_owned() } else { format!("`{unit}`") }
}

//! Reads the connections between signals.

use std::collections::BTreeMap;

use super::subsystem::SubsystemDraft;
use crate::spec::{ConnectionSpec, SignalShape};
use crate::toml::{Reader, Span, Value};

/// Reads every `[[connection]]`, and records inputs that must be connected and are not.
pub(crate) fn read_connections(root: &Reader<'_>, subsystems: &[SubsystemDraft]) -> Vec<ConnectionSpec> {
    let mistakes = root.log().error_count();
    let mut signals = Signals::new(subsystems);
    let connections = root.tables("connection", |connection| {
        let from = signals.end(connection, "from", End::Output);
        let to = signals.end(connection, "to", End::Input);
        let (from, to) = (from?, to?);
        signals.check_units(connection, &from, &to);
        signals.claim(connection, &to);
        Some(ConnectionSpec { from, to })
    });
    // What is open in a model that is exported comes from outside.
    if root.log().error_count() == mistakes && !root.has("export") {
        signals.check_required(root);
    }
    connections.into_iter().flatten().collect()
}

/// Which end of a connection.
#[derive(Clone, Copy)]
enum End {
    Output,
    Input,
}

/// The signals there are, and the connections of the inputs.
struct Signals<'d> {
    subsystems: &'d [SubsystemDraft],
    outputs: BTreeMap<String, SignalShape>,
    inputs: BTreeMap<String, SignalShape>,
    connected: BTreeMap<String, Span>,
}

impl<'d> Signals<'d> {
    fn new(subsystems: &'d [SubsystemDraft]) -> Self {
        let named = |of: fn(&SubsystemDraft) -> &[SignalShape]| {
            let all = subsystems.iter().flat_map(|draft| of(draft).iter().map(move |shape| (draft, shape)));
            all.map(|(draft, shape)| (format!("{}.{}", draft.name, shape.name), shape.clone())).collect()
        };
        Self {
            subsystems,
            outputs: named(|draft| &draft.outputs),
            inputs: named(|draft| &draft.inputs),
            connected: BTreeMap::new(),
        }
    }

    /// The name of an end that exists, or that may be hidden by mistakes of its subsystem.
    fn end(&self, connection: &Reader<'_>, key: &'static str, end: End) -> Option<String> {
        let (what, known) = match end {
            End::Output => ("output", &self.outputs),
            End::Input => ("input", &self.inputs),
        };
        let expected = format!("an {what}, \"subsystem.{what}\"");
        let find = |value: &Value<'_>| {
            let name = value.text()?;
            if !known.contains_key(name) && !self.may_be_hidden(name) {
                value.log.unknown(&value.span(), what, name, known.keys().map(String::as_str));
                return None;
            }
            Some(name.to_owned())
        };
        connection.entry(key, &expected, find).required_option()
    }

    /// Whether a signal may belong to a subsystem whose signals are not known because of mistakes.
    fn may_be_hidden(&self, name: &str) -> bool {
        let owner = name.split_once('.').map_or(name, |(owner, _)| owner);
        self.subsystems
            .iter()
            .any(|draft| !draft.has_all_names() && (draft.name == owner || draft.name.is_empty()))
    }

    fn check_units(&self, connection: &Reader<'_>, from: &str, to: &str) {
        let (Some(output), Some(input)) = (self.outputs.get(from), self.inputs.get(to)) else { return };
        if output.unit != input.unit {
            let [given, taken] = [output, input].map(|shape| match shape.unit.as_str() {
                "" => "no unit".to_owned(),
                unit => format!("`{unit}`"),
            });
            let message = format!("output `{from}` is in {given}, input `{to}` takes {taken}");
            let help = "give both the same unit, or put a controller between them that converts it";
            connection.log().error_with_help(&connection.span("to"), message, help);
        }
    }

    /// Notes that an input is connected, which it may be once.
    fn claim(&mut self, connection: &Reader<'_>, to: &str) {
        let (log, span) = (connection.log(), connection.span("to"));
        if let Some(first) = self.connected.get(to) {
            let message = format!("input `{to}` is connected already ({})", log.mention(first));
            log.error_with_help(&span, message, "add the signals up before it");
            return;
        }
        self.connected.insert(to.to_owned(), span);
    }

    /// Records every input without a value that nothing is connected to.
    fn check_required(&self, root: &Reader<'_>) {
        for draft in self.subsystems {
            for input in draft.inputs.iter().filter(|input| input.is_required) {
                let name = format!("{}.{}", draft.name, input.name);
                if !self.connected.contains_key(&name) {
                    let message = format!("input `{name}` is not connected");
                    let help = format!(
                        "add [[connection]] with to = \"{name}\", from an output in `{}`",
                        input.unit
                    );
                    root.log().error_with_help(&draft.header, message, help);
                }
            }
        }
    }
}

//! What is told of a unit, as a text.

use std::fmt::Write;

use super::dry_run::DryRun;
use super::faces::count;
use super::report::{Report, Role};
use super::shape::{Shape, SignalReport};
use super::table::{Align, Table, number, shortened};
use super::variables::{VariableReport, plain};

/// Variables listed where not all are asked for.
const LISTED: usize = 100;
/// Signals named where there are many.
const NAMED: usize = 8;
/// Longest description of a variable (characters).
const DESCRIPTION: usize = 48;

/// What is in the unit, and what it will be.
pub(super) fn contents(report: &Report, all: bool) -> String {
    let mut text = heading(report);
    text += &section("faces", &faces(report));
    text += &section("terminals", &terminals(report));
    text += &section("tolerated mistakes", &findings(report));
    text += &section("as a subsystem", &role(&report.subsystem));
    text + &variables(report, all)
}

/// A heading with the lines below, or nothing where there are none.
fn section(title: &str, lines: &[(String, String)]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&[("", Align::Left), ("", Align::Left)]);
    lines.iter().for_each(|(key, value)| table.push([key.clone(), value.clone()]));
    format!("\n{title}\n{}", table.text())
}

fn heading(report: &Report) -> String {
    let mut text = format!("{}, FMI {}\n", report.model_name, report.fmi_version);
    if let Some(description) = report.description.as_deref().filter(|text| !text.is_empty()) {
        let _ = writeln!(text, "{description}");
    }
    let given = [
        ("version", &report.model_version),
        ("author", &report.author),
        ("copyright", &report.copyright),
        ("license", &report.license),
        ("tool", &report.generation_tool),
        ("exported", &report.generation_date),
    ];
    let given = given.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
    let further = [("experiment", experiment(report)), ("platforms", platforms(report))];
    let mut table = Table::new(&[("", Align::Left), ("", Align::Left)]);
    for (key, value) in given.chain(further).filter(|(_, value)| !value.is_empty()) {
        table.push([key.to_owned(), value]);
    }
    text + &table.text()
}

fn experiment(report: &Report) -> String {
    let given = &report.default_experiment;
    let named = [
        ("from", given.start, " s"),
        ("to", given.stop, " s"),
        ("by steps of", given.step, " s"),
        ("with the tolerance", given.tolerance, ""),
    ];
    let given =
        named.into_iter().filter_map(|(word, value, unit)| Some(format!("{word} {}{unit}", plain(value?))));
    given.collect::<Vec<_>>().join(" ")
}

fn platforms(report: &Report) -> String {
    match (report.platforms.join(", "), report.runs_here) {
        (names, _) if names.is_empty() => "none: it has no binaries".to_owned(),
        (names, true) => format!("{names}; this machine is among them"),
        (names, false) => format!("{names}; this machine is not among them"),
    }
}

fn faces(report: &Report) -> Vec<(String, String)> {
    let own = report.faces.iter().map(|face| (face.face.name().to_owned(), face.words().join("; ")));
    let scheduled = report
        .has_scheduled_execution
        .then(|| ("scheduled-execution".to_owned(), "not supported".to_owned()));
    own.chain(scheduled).collect()
}

fn terminals(report: &Report) -> Vec<(String, String)> {
    let line = |terminal: &super::report::TerminalReport| {
        let members = terminal.members.iter().map(|member| match &member.name {
            Some(name) if *name != member.variable => format!("{name} = {}", member.variable),
            _ => member.variable.clone(),
        });
        let kind = terminal.kind.as_ref().unwrap_or(&terminal.matching_rule);
        (terminal.name.clone(), format!("{kind}: {}", some(members.collect())))
    };
    report.terminals.iter().map(line).collect()
}

fn findings(report: &Report) -> Vec<(String, String)> {
    report.findings.iter().map(|finding| (finding.place.clone(), finding.text.clone())).collect()
}

fn role(role: &Role) -> Vec<(String, String)> {
    let shape = match role {
        Role::Subsystem(shape) => shape,
        Role::None { error } => return vec![("none".to_owned(), error.clone())],
    };
    let line = |key: &str, value: String| (key.to_owned(), value);
    let resumed = match (shape.can_resume, shape.face.name()) {
        (true, _) => "yes: its state can be serialised".to_owned(),
        (false, _) => "no: its state cannot be serialised (canSerializeFMUState)".to_owned(),
    };
    vec![
        line("face", shape.face.name().to_owned()),
        line("coupled", shape.coupling.clone()),
        line("ports", ports(shape)),
        line("inputs", signals(&shape.inputs)),
        line("outputs", signals(&shape.outputs)),
        line("can be resumed", resumed),
    ]
}

fn ports(shape: &Shape) -> String {
    let port = |port: &super::shape::PortReport| {
        let size = if port.is_frame { "a frame".to_owned() } else { count(port.coordinates, "coordinate") };
        let gives =
            if port.gives == "motion" { "gives motion, takes loads" } else { "takes motion, gives loads" };
        format!("{} ({size}; {gives})", port.name)
    };
    some(shape.ports.iter().map(port).collect())
}

fn signals(signals: &[SignalReport]) -> String {
    let signal = |signal: &SignalReport| match signal.unit.as_str() {
        "" => signal.name.clone(),
        unit => format!("{} ({unit})", signal.name),
    };
    some(signals.iter().map(signal).collect())
}

/// The first few names, and how many there are besides.
fn some(names: Vec<String>) -> String {
    match names.len() {
        0 => "none".to_owned(),
        count if count <= NAMED + 1 => names.join(", "),
        count => format!("{} and {} more", names[..NAMED].join(", "), count - NAMED),
    }
}

fn variables(report: &Report, all: bool) -> String {
    let mut order: Vec<&VariableReport> = report.variables.iter().collect();
    let total = order.len();
    let title = if total > LISTED && !all {
        order.sort_by_key(|variable| variable.rank());
        order.truncate(LISTED);
        format!("{LISTED} of {total} variables")
    } else {
        count(total, "variable")
    };
    let rest = if order.len() < total { rest(report, total - order.len()) } else { String::new() };
    format!("\n{title}\n{}{rest}", variable_table(&order).text())
}

fn variable_table(variables: &[&VariableReport]) -> Table {
    let columns = ["name", "causality", "variability", "type", "unit", "start", "description"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Left)));
    for variable in variables {
        let optional = |text: &Option<String>| text.clone().unwrap_or_default();
        table.push([
            shortened(&variable.name, 40),
            variable.causality.to_owned(),
            variable.variability.to_owned(),
            shortened(&variable.kind, 24),
            optional(&variable.unit),
            shortened(&optional(&variable.start), 24),
            shortened(&optional(&variable.description), DESCRIPTION),
        ]);
    }
    table
}

/// How many variables are left out, and of what causality those are that are not connected.
fn rest(report: &Report, left: usize) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for variable in &report.variables {
        match counts.iter_mut().find(|(causality, _)| *causality == variable.causality) {
            Some((_, count)) => *count += 1,
            None => counts.push((variable.causality, 1)),
        }
    }
    let counts = counts.into_iter().map(|(causality, count)| format!("{count} {causality}"));
    format!("  … {left} more with --all; there are {}\n", counts.collect::<Vec<_>>().join(", "))
}

/// What came of a dry run.
pub(super) fn dry_run(run: &DryRun) -> String {
    let [start, end, step] = [run.start, run.end, run.step].map(plain);
    let mut text =
        format!("\ndry run from {start} to {end} s by steps of {step} s, in a process of its own\n");
    if !run.quantities.is_empty() {
        let columns = [("quantity", Align::Left), ("unit", Align::Left)];
        let numbers = ["min", "max", "last"].map(|name| (name, Align::Right));
        let mut table = Table::new(&[&columns[..], &numbers].concat());
        for own in run.quantities.iter().take(LISTED) {
            let name = shortened(&own.name, 40);
            table.push([name, own.unit.clone(), number(own.min), number(own.max), number(own.last)]);
        }
        text += &table.text();
    }
    if run.quantities.len() > LISTED {
        let _ = writeln!(text, "  … {} more in results.csv", run.quantities.len() - LISTED);
    }
    if run.steps > 0 {
        let _ = writeln!(text, "  {} steps in {:.3} s", run.steps, run.wall_seconds);
    }
    text
}

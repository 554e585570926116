//! Reads the subsystems.

use std::mem;

use cosimo_master::Coupling;
use cosimo_subsystem::RowMatrix;

use super::remote::read_remote;
use super::scheme::check_scheme;
use super::solver::read_solver;
use super::unseen::warn_of_unseen;
use crate::kinds::{Diagnostic, Frame, KINDS, KindDraft, ReadKind, Rejection, Start, SubsystemKind};
use crate::model::SubsystemSpec;
use crate::spec::{PortShape, RemoteSpec, SignalShape, SolverSpec};
use crate::toml::{Names, Reader, Span, Value};

/// A subsystem as read, possibly with mistakes.
pub(crate) struct SubsystemDraft {
    /// Name; empty if unreadable.
    pub(crate) name: String,
    /// Solver, if readable.
    pub(crate) solver: Option<SolverSpec>,
    /// Ports as far as readable; none if the kind, or every port, is not known.
    pub(crate) ports: Option<Vec<PortShape>>,
    /// Position of its header.
    pub(crate) header: Span,
    /// Signals as far as readable.
    pub(crate) inputs: Vec<SignalShape>,
    pub(crate) outputs: Vec<SignalShape>,
    coupling: Coupling,
    /// Micro steps a macro step.
    pub(crate) micro_steps: u32,
    remote: Option<RemoteSpec>,
    kind: Option<KindDraft>,
}

/// How a port of one coordinate starts.
pub(crate) struct PortStart {
    /// Position (m or rad).
    pub(crate) position: f64,
    /// Velocity (m/s or rad/s).
    pub(crate) velocity: f64,
    /// Inverse effective mass (1/kg or 1/(kg m²)), where impulses can act.
    pub(crate) inverse_mass: Option<f64>,
}

/// How the ports of a subsystem start, as reported by the built subsystem.
pub(crate) struct PortStarts {
    /// First row of every port.
    first_rows: Vec<usize>,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    inverse_mass: Option<RowMatrix>,
}

impl PortStarts {
    /// How the port of this index starts, of one coordinate.
    pub(crate) fn of(&self, port: usize) -> Option<PortStart> {
        let row = *self.first_rows.get(port)?;
        Some(PortStart {
            position: *self.positions.get(row)?,
            velocity: *self.velocities.get(row)?,
            inverse_mass: self.inverse_mass.as_ref().map(|matrix| matrix.entry(row, row)),
        })
    }
}

impl SubsystemDraft {
    /// Whether the names of all its quantities are known in spite of mistakes.
    pub(crate) fn has_all_names(&self) -> bool {
        self.kind.as_ref().is_some_and(|kind| kind.has_all_names)
    }

    /// How its ports start; `None` where the subsystem cannot be built, which is reported when the model is. Building solves for the
    /// equilibrium, if one is asked for.
    pub(crate) fn starts(&self, start: &Start) -> Option<PortStarts> {
        let ports = self.ports.as_ref()?.iter();
        let first_rows = ports.scan(0, |next, port| Some(mem::replace(next, *next + port.size))).collect();
        let (kind, solver) = (self.kind.as_ref()?.kind.as_kind(), self.solver?);
        let (solver, activation) = kind.stepped_by(&solver);
        let frame = Frame {
            name: &self.name,
            solver,
            activation,
            start_time: start.time,
            end_time: start.end,
            longest_step: start.longest_step,
            is_projected: start.is_projected,
            initial_tolerance: start.tolerance,
        };
        let mut built = kind.build(&frame).ok()?;
        let rows = built.rows();
        let (positions, velocities) = (rows.positions.to_vec(), rows.velocities.to_vec());
        let inverse_mass = built.prepare_jump(start.smallest_step).ok().cloned();
        Some(PortStarts { first_rows, positions, velocities, inverse_mass })
    }

    /// A subsystem that another entry of the file stands for.
    pub(crate) fn implied(name: String, header: Span, kind: SubsystemKind) -> Self {
        let ports = kind.ports();
        Self {
            name,
            solver: Some(SolverSpec::DEFAULT),
            ports: Some(ports),
            header,
            inputs: kind.inputs(),
            outputs: kind.outputs(),
            coupling: Coupling::default(),
            micro_steps: 1,
            remote: None,
            kind: Some(KindDraft { kind, has_all_names: true }),
        }
    }

    /// The subsystem, if its kind is known.
    pub(crate) fn into_spec(self) -> Option<SubsystemSpec> {
        Some(SubsystemSpec {
            name: self.name,
            solver: self.solver.unwrap_or(SolverSpec::DEFAULT),
            coupling: self.coupling,
            micro_steps: self.micro_steps,
            remote: self.remote,
            kind: self.kind?.kind,
        })
    }
}

/// Reads every `[[subsystem]]`.
pub(crate) fn read_subsystems(root: &Reader<'_>, names: &mut Names, start: &Start) -> Vec<SubsystemDraft> {
    let list = root.value("subsystem");
    if list.is_none_or(|list| list.as_list().is_some_and(|list| list.is_empty())) {
        let message = format!("{} has no subsystem", root.what());
        root.log().error_with_help(&root.header(), message, "add at least one [[subsystem]]");
    }
    root.tables("subsystem", |subsystem| {
        let name = subsystem.name(names);
        let Some(read) = read_kind(subsystem) else {
            return of_unknown_kind(subsystem, name);
        };
        let mistakes = subsystem.log().error_count();
        let draft = read(subsystem, start);
        check_port_count(subsystem, &draft.kind.ports());
        let reads_well = subsystem.log().error_count() == mistakes;
        if reads_well {
            record_findings(subsystem, &draft, start);
        }
        let coupling = subsystem.choice("coupling").or(Coupling::default());
        let (solver, micro_steps) = read_stepping(subsystem, &draft);
        if reads_well && !matches!(solver, Some(SolverSpec::AdaptiveBdf { .. })) {
            let step = start.smallest_step / f64::from(micro_steps.max(1));
            warn_of_unseen(subsystem, draft.kind.as_kind(), (step, start));
        }
        SubsystemDraft {
            name,
            solver,
            ports: Some(draft.kind.ports()).filter(|ports| reads_well || !ports.is_empty()),
            header: subsystem.header(),
            inputs: draft.kind.inputs(),
            outputs: draft.kind.outputs(),
            coupling,
            micro_steps,
            remote: read_remote(subsystem),
            kind: Some(draft),
        }
    })
}

/// Reads `solver` and `micro_steps`, as far as they belong to the kind.
fn read_stepping(subsystem: &Reader<'_>, draft: &KindDraft) -> (Option<SolverSpec>, u32) {
    let kind = draft.kind.as_kind();
    if let Some(rule) = kind.own_rule() {
        for key in ["solver", "micro_steps"] {
            subsystem.forbid(key, &format!("does not belong to {}, which {rule}", subsystem.what()));
        }
        return (Some(SolverSpec::DEFAULT), 1);
    }
    let solver = read_solver(subsystem);
    if let Some(solver) = &solver
        && let Some(Rejection { key, help }) = kind.refuses(solver)
    {
        let message = format!("{} cannot be stepped by the solver {solver}", subsystem.what());
        let key = if subsystem.has("solver") { "solver" } else { key };
        subsystem.log().error_with_help(&subsystem.span(key), message, help);
    } else if let Some(SolverSpec::Nonsmooth(scheme)) = &solver {
        check_scheme(subsystem, kind, scheme);
    }
    (solver, read_micro_steps(subsystem, draft))
}

/// Port coordinates of one subsystem at most: every matrix of its response has the square of so many numbers, 128 MB, and a run
/// keeps about ten of them.
const MOST_PORT_COORDINATES: usize = 4000;

/// Records a mistake at the first port beyond the bound of memory.
fn check_port_count(subsystem: &Reader<'_>, ports: &[PortShape]) {
    let count: usize = ports.iter().map(|port| port.size).sum();
    if count <= MOST_PORT_COORDINATES {
        return;
    }
    let ends = ports.iter().scan(0, |sum, port| {
        *sum += port.size;
        Some(*sum)
    });
    let first = ends.take_while(|end| *end <= MOST_PORT_COORDINATES).count();
    let items = subsystem.value("port").and_then(|list| list.items("a list of tables"));
    let place = items.and_then(|items| items.get(first).map(Value::span));
    let gigabytes = 8e-9 * (count as f64).powi(2);
    let message = format!(
        "{} has ports of {count} coordinates together, at most {MOST_PORT_COORDINATES} are possible: each of the dense matrices of its \
         response would take {gigabytes:.2} GB",
        subsystem.what()
    );
    let help = "leave out ports that nothing is joined to, or divide the subsystem";
    subsystem.log().error_with_help(&place.unwrap_or_else(|| subsystem.header()), message, help);
}

/// What can be read of a subsystem whatever its kind.
fn of_unknown_kind(subsystem: &Reader<'_>, name: String) -> SubsystemDraft {
    let solver = subsystem.value("solver");
    let names_method =
        solver.is_some_and(|solver| solver.as_text().is_some() || solver.member("method").is_some());
    let solver = names_method.then(|| read_solver(subsystem)).flatten();
    let coupling = subsystem.choice("coupling").or(Coupling::default());
    let micro_steps =
        subsystem.count("micro_steps").check(MICRO_STEPS, |count| (1..=100_000).contains(count)).or(1);
    subsystem.abandon();
    let (header, inputs, outputs) = (subsystem.header(), Vec::new(), Vec::new());
    let remote = read_remote(subsystem);
    SubsystemDraft {
        name,
        solver,
        ports: None,
        header,
        inputs,
        outputs,
        coupling,
        micro_steps,
        remote,
        kind: None,
    }
}

/// How many micro steps there may be.
const MICRO_STEPS: &str = "at least 1 and at most 100000";

/// Reads `micro_steps`, which subsystems with contacts, frames or load ports cannot take.
fn read_micro_steps(subsystem: &Reader<'_>, draft: &KindDraft) -> u32 {
    let count =
        subsystem.count("micro_steps").check(MICRO_STEPS, |count| (1..=100_000).contains(count)).or(1);
    if count > 1 && draft.kind.has_contacts() {
        let message = format!("{} has contacts, which act between micro steps", subsystem.what());
        let help = "leave out micro_steps, or move the contacts to a subsystem of their own";
        subsystem.log().error_with_help(&subsystem.span("micro_steps"), message, help);
    }
    if count > 1 {
        refuse_ports(subsystem, draft, count);
    }
    count
}

/// Refuses ports that cannot take several micro steps.
fn refuse_ports(subsystem: &Reader<'_>, draft: &KindDraft, count: u32) {
    if let Some(port) = draft.kind.ports().iter().find(|port| port.is_frame) {
        let message = format!(
            "port `{}` of {} is a frame, whose rotations of {count} micro steps do not add up",
            port.name,
            subsystem.what()
        );
        let help = "leave out micro_steps, or give it points as ports";
        subsystem.log().error_with_help(&subsystem.span("micro_steps"), message, help);
    } else if let Some(port) = draft.kind.ports().iter().find(|port| port.is_load) {
        let message = format!(
            "port `{}` of {} is a load port, which answers a motion of whole steps, not of {count} micro steps",
            port.name,
            subsystem.what()
        );
        subsystem.log().error_with_help(&subsystem.span("micro_steps"), message, "leave out micro_steps");
    }
}

/// Records what a subsystem without mistakes shows when it is complete.
fn record_findings(subsystem: &Reader<'_>, draft: &KindDraft, start: &Start) {
    for finding in draft.kind.as_kind().findings(start) {
        let Diagnostic { key, index, name, message, help, is_warning } = finding;
        let items = subsystem.value(key).and_then(|list| list.items("a list of tables"));
        // Of arrays the table that has the name without its number.
        let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_called = |item: &&Value<'_>, name: &str| {
            item.member("name").is_some_and(|own| own.as_text() == Some(name))
        };
        let place = items.and_then(|items| {
            let named = |name: &str| items.iter().find(|item| is_called(item, name));
            named(&name).or_else(|| named(base)).or_else(|| items.get(index)).map(Value::span)
        });
        let place = place.unwrap_or_else(|| subsystem.header());
        let message = format!("{key} `{name}` of {} {message}", subsystem.what());
        if is_warning {
            subsystem.log().warning(&place, message, help);
        } else {
            subsystem.log().error_with_help(&place, message, help);
        }
    }
}

fn read_kind(subsystem: &Reader<'_>) -> Option<ReadKind> {
    let names = || KINDS.iter().map(|(name, _)| *name);
    let expected = names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let entry = subsystem.entry("kind", &expected, |value| {
        let name = value.text()?;
        let found = KINDS.iter().find(|(known, _)| *known == name);
        if found.is_none() {
            let message = format!(
                "no kind `{name}`; the other keys of this subsystem are checked once it has one of {expected}"
            );
            value.log.error_with_hint(&value.span(), message, name, names());
        }
        found.map(|(_, read)| *read)
    });
    entry.required_option()
}

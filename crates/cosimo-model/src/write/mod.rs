//! Writes a model as TOML, with every default filled in.

mod writer;

use crate::model::{ModelSpec, SubsystemSpec};
use crate::spec::{
    AccelerationSpec, Choice, InterfaceSpec, LawSpec, MasterSpec, PortRef, SolverSpec, TimeTable,
};

pub(crate) use writer::{Literal, Writer, list, matrix, uniform};

impl ModelSpec {
    /// The model as the text of a model file in which nothing is left to a default.
    ///
    /// The text reads back to an equal model.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut writer = Writer::new();
        writer.entry("schema", crate::read::SCHEMA);
        writer.entry("title", &self.title);
        writer.section("[time]");
        writer.entry("start", self.time.start);
        writer.entry("end", self.time.end);
        writer.entry("step", self.time.step);
        write_master(&self.master, &mut writer);
        writer.section("[record]");
        writer.entry("every", self.record.every);
        writer.entry("quantities", &self.record.quantities);
        writer.entry("plot", &self.record.plot);
        writer.section("[checkpoint]");
        writer.entry("every_steps", self.checkpoint.every_steps);
        writer.entry("every_seconds", self.checkpoint.every_seconds);
        writer.entry("keep", self.checkpoint.keep);
        for subsystem in &self.subsystems {
            write_subsystem(subsystem, &mut writer);
        }
        for interface in &self.interfaces {
            self.write_interface(interface, &mut writer);
        }
        for connection in &self.connections {
            writer.section("[[connection]]");
            writer.entry("from", &connection.from);
            writer.entry("to", &connection.to);
        }
        writer.finish()
    }

    fn write_interface(&self, interface: &InterfaceSpec, writer: &mut Writer) {
        writer.section("[[interface]]");
        writer.entry("name", &interface.name);
        writer.entry("between", interface.between.map(|port| self.port_path(port)));
        writer.entry("law", interface.law.name());
        match &interface.law {
            LawSpec::Compliant { stiffness, damping } => {
                writer.raw("stiffness", &matrix(stiffness));
                writer.raw("damping", &matrix(damping));
            }
            LawSpec::Rigid | LawSpec::Load => {}
            LawSpec::Tikhonov { constant } => writer.entry("constant", *constant),
        }
        writer.raw("offset", &uniform(&interface.offset));
    }

    fn port_path(&self, port: PortRef) -> String {
        self.port(port)
            .map(|(subsystem, shape)| format!("{}.{}", subsystem.name, shape.name))
            .unwrap_or_default()
    }
}

fn write_master(master: &MasterSpec, writer: &mut Writer) {
    writer.section("[master]");
    writer.entry("scheme", master.scheme.name());
    writer.raw("acceleration", &acceleration(&master.acceleration));
    writer.entry("tangent", master.tangent.name());
    writer.entry("load_tangents", master.load_tangents.name());
    writer.entry("discretisation", master.discretisation.name());
    writer.entry("impacts", master.impacts.name());
    writer.entry("signal_loops", master.signal_loops.name());
    writer.entry("tolerance", master.tolerance);
    writer.entry("max_iterations", master.max_iterations);
    writer.entry("max_halvings", master.max_halvings);
    writer.entry("step_control", master.step_control.name());
    writer.entry("energy_tolerance", master.energy_tolerance);
    writer.entry("error_tolerance", master.error_tolerance);
    writer.entry("max_refinements", master.max_refinements);
    writer.entry("energy_action", master.energy_action.name());
    writer.entry("energy_limit", master.energy_limit);
    writer.entry("initial_state", master.initial_state.name());
    writer.entry("initial_tolerance", master.initial_tolerance);
    writer.entry("execution", master.execution.name());
    writer.entry("deadline", master.deadline);
    writer.entry("threads", master.threads);
}

fn acceleration(acceleration: &AccelerationSpec) -> String {
    let name = acceleration.name();
    let parameters = match acceleration {
        AccelerationSpec::None => return format!("\"{name}\""),
        AccelerationSpec::Relaxation { factor } => format!("factor = {}", factor.literal()),
        AccelerationSpec::Aitken { first } => format!("first = {}", first.literal()),
        AccelerationSpec::IqnIls { reuse, filter } => {
            format!("reuse = {reuse}, filter = {}", filter.literal())
        }
    };
    format!("{{ method = \"{name}\", {parameters} }}")
}

fn write_subsystem(subsystem: &SubsystemSpec, writer: &mut Writer) {
    writer.section("[[subsystem]]");
    writer.entry("name", &subsystem.name);
    writer.entry("kind", subsystem.kind.name());
    writer.raw("solver", &solver(&subsystem.solver));
    writer.entry("coupling", subsystem.coupling.name());
    writer.entry("micro_steps", subsystem.micro_steps);
    subsystem.kind.as_kind().write(writer);
}

fn solver(solver: &SolverSpec) -> String {
    let parameters = solver.parameters();
    let parameters = parameters.iter().map(|parameter| format!(", {} = {parameter}", parameter.name));
    format!("{{ method = \"{}\"{} }}", solver.name(), parameters.collect::<String>())
}

/// Writes `time` and `value` of a load.
pub(crate) fn write_time_table(table: &TimeTable, writer: &mut Writer) {
    writer.entry("time", &table.time);
    writer.entry("value", &table.value);
}

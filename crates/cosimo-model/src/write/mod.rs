//! Writes a model as TOML, with every default filled in.

mod settings;
mod writer;

use crate::model::{ModelSpec, SubsystemSpec};
use crate::named::Choice;
use crate::spec::{InterfaceSpec, LawSpec, PortRef, SolverSpec, TimeTable};

pub(crate) use settings::setting;
use settings::write_settings;
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
        writer.section("[master]");
        write_settings(&self.master, &mut writer);
        write_settings(&self.placement, &mut writer);
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

fn write_subsystem(subsystem: &SubsystemSpec, writer: &mut Writer) {
    writer.section("[[subsystem]]");
    writer.entry("name", &subsystem.name);
    writer.entry("kind", subsystem.kind.name());
    let has_solver = subsystem.kind.as_kind().own_rule().is_none();
    if has_solver {
        writer.raw("solver", &solver(&subsystem.solver));
    }
    writer.entry("coupling", subsystem.coupling.name());
    if has_solver {
        writer.entry("micro_steps", subsystem.micro_steps);
    }
    subsystem.kind.as_kind().write(writer);
}

fn solver(solver: &SolverSpec) -> String {
    if let SolverSpec::Nonsmooth(scheme) = solver {
        return settings::scheme(scheme);
    }
    let parameters = solver.parameters();
    let parameters = parameters.iter().map(|parameter| format!(", {} = {parameter}", parameter.name));
    format!("{{ method = \"{}\"{} }}", solver.name(), parameters.collect::<String>())
}

/// Writes `time` and `value` of a load.
pub(crate) fn write_time_table(table: &TimeTable, writer: &mut Writer) {
    writer.entry("time", &table.time);
    writer.entry("value", &table.value);
}

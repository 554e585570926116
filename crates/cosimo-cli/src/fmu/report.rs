//! What is told of a unit, as data: printed as text or as JSON.

use cosimo_fmi::Fmu;
use cosimo_fmi::description::{FmiVersion, ModelDescription, Terminal};
use serde::Serialize;

use super::dry_run::DryRun;
use super::faces::FaceReport;
use super::shape::Shape;
use super::variables::VariableReport;

/// What is told of a unit.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) file: String,
    pub(crate) model_name: String,
    pub(crate) fmi_version: &'static str,
    pub(crate) description: Option<String>,
    pub(crate) model_version: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) copyright: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) generation_tool: Option<String>,
    pub(crate) generation_date: Option<String>,
    pub(crate) default_experiment: Experiment,
    pub(crate) platforms: Vec<String>,
    /// Whether one of them is that of this machine.
    pub(crate) runs_here: bool,
    pub(crate) faces: Vec<FaceReport>,
    pub(crate) has_scheduled_execution: bool,
    pub(crate) terminals: Vec<TerminalReport>,
    /// Mistakes of the description that were tolerated.
    pub(crate) findings: Vec<FindingReport>,
    pub(crate) variables: Vec<VariableReport>,
    pub(crate) subsystem: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dry_run: Option<DryRun>,
}

/// What it will be, or why it cannot be a subsystem.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Role {
    /// What it will be.
    Subsystem(Shape),
    /// Why it cannot be one.
    None { error: String },
}

/// The simulation that the author suggests (s).
#[derive(Debug, Serialize)]
pub(crate) struct Experiment {
    pub(crate) start: Option<f64>,
    pub(crate) stop: Option<f64>,
    pub(crate) step: Option<f64>,
    pub(crate) tolerance: Option<f64>,
}

/// A group of variables that are connected together.
#[derive(Debug, Serialize)]
pub(crate) struct TerminalReport {
    /// With the names of those around it.
    pub(crate) name: String,
    pub(crate) kind: Option<String>,
    pub(crate) matching_rule: String,
    pub(crate) members: Vec<MemberReport>,
}

/// A variable of a terminal.
#[derive(Debug, Serialize)]
pub(crate) struct MemberReport {
    /// Its name in the terminal.
    pub(crate) name: Option<String>,
    pub(crate) variable: String,
    pub(crate) kind: String,
}

/// A mistake that was tolerated.
#[derive(Debug, Serialize)]
pub(crate) struct FindingReport {
    /// File, line and column.
    pub(crate) place: String,
    pub(crate) text: String,
}

impl Report {
    /// What is in a unit; nothing of it is loaded.
    pub(crate) fn of(fmu: &Fmu, file: &str, subsystem: Role) -> Self {
        let description = fmu.description();
        let experiment = &description.default_experiment;
        Self {
            file: file.to_owned(),
            model_name: description.model_name.clone(),
            fmi_version: if description.version == FmiVersion::V2 { "2.0" } else { "3.0" },
            description: description.description.clone(),
            model_version: description.model_version.clone(),
            author: description.author.clone(),
            copyright: description.copyright.clone(),
            license: description.license.clone(),
            generation_tool: description.generation_tool.clone(),
            generation_date: description.generation_date.clone(),
            default_experiment: Experiment {
                start: experiment.start,
                stop: experiment.stop,
                step: experiment.step,
                tolerance: experiment.tolerance,
            },
            platforms: fmu.platforms(),
            runs_here: fmu.runs_here(),
            faces: FaceReport::all(description),
            has_scheduled_execution: description.has_scheduled_execution,
            terminals: terminals(description),
            findings: findings(description),
            variables: VariableReport::all(description),
            subsystem,
            dry_run: None,
        }
    }
}

fn findings(description: &ModelDescription) -> Vec<FindingReport> {
    let findings = description.findings.iter();
    findings
        .map(|finding| FindingReport { place: finding.place.to_string(), text: finding.text.clone() })
        .collect()
}

/// All terminals, those within others after them.
fn terminals(description: &ModelDescription) -> Vec<TerminalReport> {
    let mut found = Vec::new();
    add(description, &description.terminals, "", &mut found);
    found
}

fn add(
    description: &ModelDescription,
    terminals: &[Terminal],
    around: &str,
    found: &mut Vec<TerminalReport>,
) {
    let variable = |index: usize| description.variables[index].name.clone();
    for terminal in terminals {
        let name = format!("{around}{}", terminal.name);
        let members = terminal.members.iter().map(|member| MemberReport {
            name: member.member_name.clone(),
            variable: variable(member.variable),
            kind: member.kind.clone(),
        });
        let streams = terminal.stream_members.iter().flat_map(|member| {
            let sides = [
                (&member.in_member_name, member.in_variable),
                (&member.out_member_name, member.out_variable),
            ];
            sides.map(|(name, index)| MemberReport {
                name: Some(name.clone()),
                variable: variable(index),
                kind: "stream".to_owned(),
            })
        });
        let inner = format!("{name}.");
        found.push(TerminalReport {
            name,
            kind: terminal.kind.clone(),
            matching_rule: terminal.matching_rule.clone(),
            members: members.chain(streams).collect(),
        });
        add(description, &terminal.terminals, &inner, found);
    }
}

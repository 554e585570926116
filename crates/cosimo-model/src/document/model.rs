//! Reads the document as a whole.

use std::path::PathBuf;

use super::connection::read_connections;
use super::interface::read_interfaces;
use super::master::read_master;
use super::settings::{read_checkpoint, read_export, read_record, read_time};
use super::stop::read_stops;
use super::subsystem::{SubsystemDraft, read_subsystems};
use crate::toml::{Names, Reader};
use cosimo_master::{InitialState, MasterConfig, StepControl};

use crate::kinds::Start;
use crate::kinds::coupled_model::OpenModel;
use crate::model::ModelSpec;
use crate::model::quantities::CONTACTS;
use crate::spec::{CheckpointSpec, PlacementSpec, RecordSpec, TimeSpec};

/// Version of the format that is read and written.
pub(super) const SCHEMA: u32 = 1;

/// The document up to its subsystems.
struct Beginning {
    title: String,
    time: TimeSpec,
    master: MasterConfig,
    placement: PlacementSpec,
    names: Names,
    start: Start,
    subsystems: Vec<SubsystemDraft>,
}

/// Reads up to the subsystems.
fn read_beginning(root: &Reader<'_>, (files, open_model): (Vec<PathBuf>, OpenModel)) -> Beginning {
    root.count("schema").check("1, the version this program reads", |schema| *schema == SCHEMA).required();
    let title = root.text("title").or(String::new());
    let mistakes = root.log().error_count();
    let time = read_time(root);
    // Of steps that were not understood nothing is reported.
    let step = if root.log().error_count() == mistakes { time.step } else { 0.0 };
    let (master, placement) = read_master(root);
    let mut names = Names::without(
        CONTACTS,
        "belongs to the quantities of all contacts together, as `contacts.residual`",
    );
    let follows_error = master.step_control == StepControl::Error;
    let refinements = if follows_error { master.max_refinements } else { 0 };
    let start = Start {
        time: time.start,
        end: time.end,
        tolerance: master.initial_tolerance,
        is_projected: master.initial_state == InitialState::Project,
        longest_step: step,
        smallest_step: step * 0.5_f64.powi(refinements as i32),
        follows_error,
        files,
        open_model,
    };
    let subsystems = read_subsystems(root, &mut names, &start);
    Beginning { title, time, master, placement, names, start, subsystems }
}

/// Reads the model; where mistakes were recorded it has placeholders or gaps.
pub(crate) fn read(root: &Reader<'_>, nesting: (Vec<PathBuf>, OpenModel)) -> ModelSpec {
    let Beginning { title, time, master, placement, mut names, start, subsystems: mut drafts } =
        read_beginning(root, nesting);
    let stops = read_stops(root, &mut names, &mut drafts, &start);
    let interfaces = read_interfaces(root, &mut names, &drafts);
    let connections = read_connections(root, &drafts);
    let incomplete = drafts.iter().filter(|draft| !draft.has_all_names()).map(|draft| draft.name.clone());
    let unnamed = drafts.iter().filter(|draft| draft.name.is_empty()).map(|_| String::new());
    let incomplete: Vec<String> = incomplete.chain(unnamed).chain(interfaces.incomplete).collect();
    let mut model = ModelSpec {
        title,
        time,
        master,
        placement,
        checkpoint: read_checkpoint(root),
        record: RecordSpec::default(),
        export: read_export(root),
        subsystems: drafts.into_iter().filter_map(SubsystemDraft::into_spec).collect(),
        interfaces: interfaces.list.into_iter().chain(stops).collect(),
        connections,
    };
    read_record(root, &mut model, &incomplete);
    root.finish();
    model
}

/// Reads the subsystems, whatever they are joined to: of a model that others have checked as a whole.
pub(crate) fn read_parts(root: &Reader<'_>, nesting: (Vec<PathBuf>, OpenModel)) -> ModelSpec {
    let Beginning { title, time, master, placement, subsystems, .. } = read_beginning(root, nesting);
    root.abandon();
    ModelSpec {
        title,
        time,
        master,
        placement,
        checkpoint: CheckpointSpec::default(),
        record: RecordSpec::default(),
        export: None,
        subsystems: subsystems.into_iter().filter_map(SubsystemDraft::into_spec).collect(),
        interfaces: Vec::new(),
        connections: Vec::new(),
    }
}

//! One subsystem as a unit.

use std::sync::Arc;

use cosimo_master::MasterConfig;
use cosimo_model::{CheckpointSpec, ExportSpec, ModelSpec, PlacementSpec, RecordSpec, TimeSpec};
use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::ExportModelError;
use crate::source::Source;
use crate::unit::ModelUnit;

impl ModelUnit {
    /// The unit of one subsystem, of any make: its ports and inputs are open, its outputs are shown, and of its quantities those that match
    /// one of these patterns, in which `*` stands for anything. It begins at `time.start`, and takes steps of at most `time.step`.
    ///
    /// `make` makes the subsystem at its start, whenever the unit begins anew. It has no parameters. An FMU of it needs a server:
    /// [`write_fmu`](cosimo_fmi_export::write_fmu) with a program that gives the unit to [`serve_host`](cosimo_fmi_export::serve_host).
    ///
    /// # Errors
    /// The subsystem cannot be made, or has load ports, which must be joined.
    pub fn of_subsystem(
        time: TimeSpec,
        quantities: &[&str],
        make: impl Fn() -> Result<Box<dyn Subsystem>, SubsystemError> + Send + Sync + 'static,
    ) -> Result<Self, ExportModelError> {
        let name = make()?.description().name.clone();
        let export = ExportSpec {
            parameters: Vec::new(),
            quantities: quantities.iter().map(|pattern| (*pattern).to_owned()).collect(),
            ports: None,
        };
        let around = ModelSpec {
            title: name.clone(),
            time,
            master: MasterConfig::default(),
            placement: PlacementSpec::default(),
            record: RecordSpec::default(),
            checkpoint: CheckpointSpec::default(),
            export: Some(export),
            subsystems: Vec::new(),
            interfaces: Vec::new(),
            connections: Vec::new(),
        };
        Self::of_source(&name, Source::Subsystem(Arc::new(make), Box::new(around)))
    }
}

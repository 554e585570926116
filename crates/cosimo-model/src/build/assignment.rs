//! What somebody who serves a subsystem is told of it: a model of this subsystem alone.

use std::io::{Read, Write};

use cosimo_master::MasterConfig;
use cosimo_subsystem::{Subsystem, SubsystemError, codec};
use cosimo_transport::{TransportError, serve_assigned};

use crate::document::read_subsystems;
use crate::model::{ModelSpec, SubsystemSpec};
use crate::spec::{CheckpointSpec, PlacementSpec, RecordSpec};

/// Serves the subsystem of a model that the master at the other end of these streams assigns, until it closes them: what
/// a process of [`ModelSpec::build_served`] does with its standard input and output.
///
/// # Errors
/// See [`cosimo_transport::serve`].
pub fn serve_model(reader: impl Read + Send, writer: impl Write + Send) -> Result<(), TransportError> {
    serve_assigned(build_assigned, reader, writer)
}

/// Builds the subsystem that a master assigns.
///
/// # Errors
/// [`SubsystemError::Protocol`]: it assigns none. [`SubsystemError::BadDescription`]: it cannot be built.
pub fn build_assigned(assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
    let text: String = codec::decode(assignment).map_err(|error| SubsystemError::Protocol {
        subsystem: "assigned".to_owned(),
        reason: format!("it was assigned no model: {error}"),
    })?;
    let bad = |subsystem: &str, reason: String| SubsystemError::BadDescription {
        subsystem: subsystem.to_owned(),
        reason,
    };
    let model = read_subsystems("model", &text).map_err(|mistakes| bad("assigned", mistakes.to_string()))?;
    let Some(subsystem) = model.subsystems.first() else {
        return Err(bad("assigned", "its model is empty".to_owned()));
    };
    model
        .build_subsystem(&subsystem.name)
        .map_err(|error| bad(&subsystem.name, SubsystemError::chain(&error)))
}

impl ModelSpec {
    /// The assignment of a subsystem of this name, for [`serve_model`] and [`build_offered`](Self::build_offered).
    ///
    /// # Errors
    /// It is longer than messages can be.
    pub fn assignment(&self, subsystem: &SubsystemSpec) -> Result<Vec<u8>, SubsystemError> {
        codec::encode(&self.around(subsystem).to_toml()).map_err(|error| SubsystemError::Protocol {
            subsystem: subsystem.name.clone(),
            reason: error.to_string(),
        })
    }

    /// Builds the subsystem of this name for a master whose model has the same one.
    ///
    /// # Errors
    /// [`SubsystemError::BadDescription`]: there is no such subsystem, that of the master is another one, or it cannot be built.
    pub fn build_offered(&self, name: &str, assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
        let bad = |reason: String| SubsystemError::BadDescription { subsystem: name.to_owned(), reason };
        let known = self.subsystems.iter().find(|subsystem| subsystem.name == name);
        let known = known.ok_or_else(|| bad("it is not in the model that is served".to_owned()))?;
        let own = self.around(known).to_toml();
        let asked: String = codec::decode(assignment).map_err(|error| bad(error.to_string()))?;
        if own != asked {
            return Err(bad(format!("it is served from another model: {}", difference(&own, &asked))));
        }
        self.build_subsystem(name).map_err(|error| bad(SubsystemError::chain(&error)))
    }

    /// The model of this subsystem alone, of which the other end builds the same one.
    fn around(&self, subsystem: &SubsystemSpec) -> Self {
        let (own, default) = (&self.master, MasterConfig::default());
        Self {
            title: String::new(),
            time: self.time,
            master: MasterConfig {
                initial_state: own.initial_state,
                initial_tolerance: own.initial_tolerance,
                step_control: own.step_control,
                max_refinements: own.max_refinements,
                ..default
            },
            placement: PlacementSpec::default(),
            record: RecordSpec::default(),
            checkpoint: CheckpointSpec::default(),
            export: None,
            subsystems: vec![SubsystemSpec { remote: None, ..subsystem.clone() }],
            interfaces: Vec::new(),
            connections: Vec::new(),
        }
    }
}

/// The first lines in which two models differ.
fn difference(own: &str, asked: &str) -> String {
    let (mut here, mut there) = (own.lines(), asked.lines());
    loop {
        match (here.next(), there.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                let [a, b] = [a, b].map(|line| line.unwrap_or("nothing"));
                return format!("it has `{a}`, and that of the master `{b}`");
            }
        }
    }
}

//! What somebody who serves a subsystem is told of it: a model of this subsystem alone.

use std::io::{Read, Write};

use cosimo_master::MasterConfig;
use cosimo_subsystem::{Subsystem, SubsystemError, codec};
use cosimo_transport::{TransportError, serve_assigned};

use crate::document::{file_hash, read_subsystems, subsystem_files};
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
    /// The assignment of a subsystem for [`serve_model`].
    ///
    /// # Errors
    /// It is longer than messages can be.
    pub fn assignment(&self, subsystem: &SubsystemSpec) -> Result<Vec<u8>, SubsystemError> {
        encode(&subsystem.name, &self.around(subsystem).to_toml())
    }

    /// The assignment of a subsystem for [`Offered`]: other files of the same names are another model.
    ///
    /// # Errors
    /// It is longer than messages can be.
    pub fn assignment_elsewhere(&self, subsystem: &SubsystemSpec) -> Result<Vec<u8>, SubsystemError> {
        encode(&subsystem.name, &self.portable(subsystem))
    }

    /// Offers the subsystem of this name, as it and the files that it is read from are now.
    ///
    /// # Errors
    /// [`SubsystemError::BadDescription`]: there is no such subsystem.
    pub fn offered(&self, name: &str) -> Result<Offered<'_>, SubsystemError> {
        let subsystem = self.subsystems.iter().find(|subsystem| subsystem.name == name);
        let subsystem = subsystem.ok_or_else(|| SubsystemError::BadDescription {
            subsystem: name.to_owned(),
            reason: "it is not in the model that is served".to_owned(),
        })?;
        Ok(Offered { model: self, own: self.portable(subsystem), name: subsystem.name.clone() })
    }

    /// The model of this subsystem alone, in which every file stands by its name and what is in it, wherever it is.
    fn portable(&self, subsystem: &SubsystemSpec) -> String {
        let mut text = self.around(subsystem).to_toml();
        let mut marks = Vec::new();
        // Long paths first: others may be the beginnings of them.
        let files = subsystem_files(&text);
        for path in files.iter().rev() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let contents =
                file_hash(path).map_or_else(|| "unreadable".to_owned(), |hash| format!("{hash:016x}"));
            let mark = format!("{name} with the contents {contents}");
            text = text.replace(&path.display().to_string(), &mark);
            marks.push(mark);
        }
        marks.sort();
        marks.iter().for_each(|mark| text += &format!("# {mark}\n"));
        text
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

fn encode(subsystem: &str, text: &String) -> Result<Vec<u8>, SubsystemError> {
    codec::encode(text).map_err(|error| SubsystemError::Protocol {
        subsystem: subsystem.to_owned(),
        reason: error.to_string(),
    })
}

/// A subsystem of a model for masters whose models have the same one.
#[derive(Debug)]
pub struct Offered<'m> {
    model: &'m ModelSpec,
    name: String,
    own: String,
}

impl Offered<'_> {
    /// Whether a master with this [assignment](ModelSpec::assignment_elsewhere) has the same one.
    ///
    /// # Errors
    /// [`SubsystemError::BadDescription`]: that of the master is another one.
    pub fn check(&self, assignment: &[u8]) -> Result<(), SubsystemError> {
        let asked: String = codec::decode(assignment).map_err(|error| self.bad(error.to_string()))?;
        if self.own == asked {
            return Ok(());
        }
        Err(self.bad(format!("it is served from another model: {}", difference(&self.own, &asked))))
    }

    /// Builds it for a master with this assignment.
    ///
    /// # Errors
    /// [`SubsystemError::BadDescription`]: that of the master is another one, or it cannot be built.
    pub fn build(&self, assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
        self.check(assignment)?;
        self.model.build_subsystem(&self.name).map_err(|error| self.bad(SubsystemError::chain(&error)))
    }

    fn bad(&self, reason: String) -> SubsystemError {
        SubsystemError::BadDescription { subsystem: self.name.clone(), reason }
    }
}

/// The first lines in which two models differ, and the table that they are in.
fn difference(own: &str, asked: &str) -> String {
    let (mut here, mut there, mut table) = (own.lines(), asked.lines(), "");
    loop {
        match (here.next(), there.next()) {
            (Some(a), Some(b)) if a == b => {
                if a.starts_with('[') {
                    table = a;
                }
            }
            (a, b) => {
                let [a, b] = [a, b].map(|line| line.unwrap_or("nothing"));
                let place = if table.is_empty() { String::new() } else { format!(" in {table}") };
                return format!("it has `{a}`{place}, and that of the master `{b}`");
            }
        }
    }
}

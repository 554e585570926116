//! The instance itself: what it knows, and how it asks the server.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use crate::log::Log;
use crate::protocol::{
    Call, Change, Experiment, Reply, Request, SHEET_FILE, Sheet, StepOutcome, VERSION, Value,
};
use crate::server::Server;

/// Where in the life of an instance it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Instantiated,
    Initialising,
    Stepping,
    Events,
    Terminated,
    /// After an error: to be reset, or set to a kept state.
    Failed,
}

/// What the host has said when it made an instance.
pub(crate) struct Order<'a> {
    pub(crate) token: &'a str,
    pub(crate) resources: &'a Path,
    /// Whether the host handles events, and takes steps that end early.
    pub(crate) events: bool,
    pub(crate) may_end_early: bool,
}

/// An instance of the FMU.
pub(crate) struct Instance {
    pub(crate) log: Log,
    pub(crate) experiment: Experiment,
    pub(crate) may_end_early: bool,
    /// What became of the last step.
    pub(crate) last_step: StepOutcome,
    /// Texts that were read, as long as the host may use them.
    pub(crate) texts: Vec<CString>,
    resources: PathBuf,
    pub(super) sheet: Sheet,
    pub(super) server: Server,
    /// How often a server was started: kept states are those of one.
    pub(super) generation: u64,
    pub(super) mode: Mode,
    pub(super) time: f64,
    /// By value reference: the time, and the scalars.
    pub(super) values: Vec<Value>,
    pub(super) changes: Vec<Change>,
    pub(super) released: Vec<u64>,
    /// Whether inputs, and parameters, were set since the last values came.
    pub(super) inputs_set: bool,
    pub(super) parameters_set: bool,
}

impl Instance {
    /// Starts an instance. What goes wrong is told to the log.
    pub(crate) fn new(order: &Order<'_>, log: Log) -> Option<Self> {
        let (resources, sheet, server) = Self::started(order).map_err(|text| log.error(&text)).ok()?;
        let mut instance = Self {
            log,
            experiment: Experiment { start: 0.0, stop: None, tolerance: None, events: order.events },
            may_end_early: order.may_end_early,
            last_step: StepOutcome { reached: 0.0, event: false, terminate: false },
            texts: Vec::new(),
            resources,
            sheet,
            server,
            generation: 1,
            mode: Mode::Instantiated,
            time: 0.0,
            values: vec![Value::Real(0.0)],
            changes: Vec::new(),
            released: Vec::new(),
            inputs_set: false,
            parameters_set: false,
        };
        let greeted = instance.greet();
        greeted.map_err(|text| instance.log.error(&text)).ok()?;
        Some(instance)
    }

    fn started(order: &Order<'_>) -> Result<(PathBuf, Sheet, Server), String> {
        let resources = order.resources;
        let resources = resources
            .canonicalize()
            .map_err(|error| format!("the resources {}: {error}", resources.display()))?;
        let file = resources.join(SHEET_FILE);
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let sheet = Sheet::parse(&text)?;
        if sheet.token != order.token {
            return Err(format!("the FMU has the token {}, the host knows {}", sheet.token, order.token));
        }
        let server = Server::start(&sheet, &resources)?;
        Ok((resources, sheet, server))
    }

    fn greet(&mut self) -> Result<(), String> {
        self.ask_values(Call::Hello(VERSION))
    }

    /// Replaces a server that has ended.
    pub(super) fn restart(&mut self) -> Result<(), String> {
        self.server = Server::start(&self.sheet, &self.resources)?;
        self.generation += 1;
        self.greet()
    }

    /// Sends what was set, and a call.
    pub(super) fn ask(&mut self, call: Call) -> Result<Reply, String> {
        let released = std::mem::take(&mut self.released);
        let changes = std::mem::take(&mut self.changes);
        let answer = match self.server.ask(&Request { released, changes, call }) {
            Ok(answer) => answer,
            Err(text) => {
                self.mode = Mode::Failed;
                return Err(text);
            }
        };
        for message in &answer.messages {
            self.log.tell(&message.severity, &message.text);
        }
        answer.result.map_err(|failure| {
            if failure.broken {
                self.mode = Mode::Failed;
            }
            failure.text
        })
    }

    /// Asks for what has values for an answer.
    pub(super) fn ask_values(&mut self, call: Call) -> Result<(), String> {
        match self.ask(call)? {
            Reply::Values(values) => self.learn(values),
            other => Err(self.misunderstood(&other)),
        }
    }

    /// Takes the values of an answer.
    pub(super) fn learn(&mut self, values: Vec<Value>) -> Result<(), String> {
        let kinds = self.sheet.scalars.iter().map(|scalar| scalar.kind);
        if !values.iter().map(Value::kind).eq(kinds) {
            self.mode = Mode::Failed;
            return Err("the process of the model has other variables than the FMU".to_owned());
        }
        self.values.truncate(1);
        self.values.extend(values);
        (self.inputs_set, self.parameters_set) = (false, false);
        Ok(())
    }

    /// For answers that the protocol does not have.
    pub(super) fn misunderstood(&mut self, reply: &Reply) -> String {
        self.mode = Mode::Failed;
        format!("the process of the model gave another answer than was asked for: {reply:?}")
    }

    /// An error unless the instance is in one of `modes`.
    pub(super) fn require(&self, what: &str, modes: &[Mode]) -> Result<(), String> {
        if modes.contains(&self.mode) {
            return Ok(());
        }
        let mode = match self.mode {
            Mode::Instantiated => "not initialised",
            Mode::Initialising => "in initialization mode",
            Mode::Stepping => "in step mode",
            Mode::Events => "in event mode",
            Mode::Terminated => "terminated",
            Mode::Failed => "out of order after an error",
        };
        Err(format!("{what} is not possible: the instance is {mode}"))
    }

    pub(super) fn set_time(&mut self, time: f64) {
        self.time = time;
        self.values[0] = Value::Real(time);
    }
}

//! The FMUs, and where they are unpacked.

use std::io::Read;
use std::path::{Path, PathBuf};

use cosimo_fmi_export::{
    Capabilities, Causality, DefaultExperiment, ExportedVariable, FmiVersion, TerminalMember, TerminalSpec,
    UnitDescription, Value, Variability, write_fmu,
};

/// Value references of the oscillator: its scalars from 1 on.
pub(crate) mod reference {
    pub(crate) const TIME: u32 = 0;
    pub(crate) const FORCE: u32 = 1;
    pub(crate) const IMPULSE: u32 = 2;
    pub(crate) const HELD: u32 = 3;
    pub(crate) const MASS: u32 = 4;
    pub(crate) const STIFFNESS: u32 = 5;
    pub(crate) const START_POSITION: u32 = 7;
    pub(crate) const ALARM: u32 = 8;
    pub(crate) const LIMIT: u32 = 9;
    pub(crate) const TROUBLE: u32 = 10;
    pub(crate) const START: u32 = 11;
    pub(crate) const POSITION: u32 = 13;
    pub(crate) const VELOCITY: u32 = 14;
    pub(crate) const ACCELERATION: u32 = 15;
    pub(crate) const STATE: u32 = 16;
    pub(crate) const STEPS: u32 = 18;
    pub(crate) const MOVING: u32 = 19;
    pub(crate) const PHASE: u32 = 20;
    pub(crate) const ENERGY: u32 = 21;
    pub(crate) const ANSWERS: u32 = 22;
}

fn real(name: &str, causality: Causality, start: f64, unit: &str) -> ExportedVariable {
    ExportedVariable::new(name, causality, Value::Real(start)).with_unit(unit)
}

/// The oscillator of the server.
pub(crate) fn oscillator() -> UnitDescription {
    use Causality::{Input, Local, Output, Parameter};
    let text = |text: &str| Value::Text(text.to_owned());
    let variables = vec![
        real("force", Input, 0.0, "N").described("Force on the mass, \"along\" x & <only> there"),
        real("impulse", Input, 0.0, "N s").with_variability(Variability::Discrete),
        ExportedVariable::new("held", Input, Value::Boolean(false)),
        real("mass", Parameter, 2.0, "kg"),
        real("spring.stiffness", Parameter, 8.0, "N/m").with_variability(Variability::Tunable),
        real("damping", Parameter, 0.0, "N s/m").with_variability(Variability::Tunable),
        real("start_position", Parameter, 1.0, "m"),
        real("alarm", Parameter, -1.0, "s"),
        ExportedVariable::new("limit", Parameter, Value::Integer(1_000_000)),
        ExportedVariable::new("trouble", Parameter, text("")).with_variability(Variability::Tunable),
        ExportedVariable::vector("start", Parameter, vec![Value::Real(0.0); 2]),
        real("position", Output, 1.0, "m"),
        real("velocity", Output, 0.0, "m/s"),
        real("acceleration", Output, 0.0, "m/s2").depending_on(&[0, 2]),
        ExportedVariable::vector("state", Output, vec![Value::Real(0.0); 2]),
        ExportedVariable::new("steps", Output, Value::Integer(0)),
        ExportedVariable::new("moving", Output, Value::Boolean(false)),
        ExportedVariable::new("phase", Output, text("")),
        real("energy", Local, 0.0, "J"),
        ExportedVariable::new("answers", Local, Value::Integer(0)),
    ];
    let member =
        |variable, name: &str| TerminalMember { variable, name: name.to_owned(), kind: "signal".to_owned() };
    let terminal = TerminalSpec {
        name: "port".to_owned(),
        matching_rule: "plug".to_owned(),
        kind: None,
        description: "Where others push".to_owned(),
        members: vec![member(0, "force"), member(12, "velocity")],
    };
    UnitDescription {
        description: "A mass on a spring and a damper".to_owned(),
        variables,
        terminals: vec![terminal],
        experiment: DefaultExperiment {
            start: Some(0.0),
            stop: Some(2.0),
            step: Some(0.01),
            tolerance: None,
        },
        capabilities: Capabilities {
            can_save: true,
            can_serialise: true,
            derivatives: true,
            has_event_mode: true,
            might_return_early: true,
        },
        ..UnitDescription::new("oscillator")
    }
}

/// Writes the FMU of the oscillator.
pub(crate) fn export(path: &Path, version: FmiVersion) {
    let server = Path::new(env!("CARGO_BIN_EXE_cosimo-fmi-test-server"));
    let payload = [("models/model.txt".to_owned(), b"an oscillator".to_vec())];
    let arguments = ["{resources}/models/model.txt".to_owned()];
    write_fmu(path, version, &oscillator(), server, &arguments, &payload).unwrap();
}

/// An unpacked FMU, removed when dropped.
pub(crate) struct Unpacked {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) description: String,
}

/// Exports the oscillator and unpacks it in a folder whose name has spaces and umlauts.
pub(crate) fn unpacked(version: FmiVersion) -> Unpacked {
    let folder = tempfile::Builder::new().prefix("FMU für 100% ").tempdir().unwrap();
    let path = folder.path().join("oscillator.fmu");
    export(&path, version);
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
    archive.extract(folder.path()).unwrap();
    let mut description = String::new();
    archive.by_name("modelDescription.xml").unwrap().read_to_string(&mut description).unwrap();
    Unpacked { folder, description }
}

impl Unpacked {
    pub(crate) fn resources(&self) -> PathBuf {
        self.folder.path().join("resources")
    }

    pub(crate) fn server(&self) -> PathBuf {
        self.resources().join("cosimo-fmi-test-server")
    }

    pub(crate) fn binary(&self) -> PathBuf {
        let folders = std::fs::read_dir(self.folder.path().join("binaries")).unwrap();
        let folder = folders.map(|entry| entry.unwrap().path()).next().unwrap();
        folder.join("oscillator").with_extension(std::env::consts::DLL_EXTENSION)
    }

    /// The token in the description.
    pub(crate) fn token(&self) -> &str {
        let begin = self.description.find('{').unwrap();
        let end = self.description.find('}').unwrap();
        &self.description[begin..=end]
    }
}

/// Position and velocity of the oscillator without damping after a start from rest, under a constant force.
pub(crate) fn closed_form(start: f64, force: f64, stiffness: f64, time: f64) -> (f64, f64) {
    let frequency = (stiffness / 2.0).sqrt();
    let centre = force / stiffness;
    let amplitude = start - centre;
    (centre + amplitude * (frequency * time).cos(), -amplitude * frequency * (frequency * time).sin())
}

pub(crate) fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

//! Model files: reading, complete checking with positions, and building subsystems and interfaces from them.
//!
//! [`read_model`] turns the text of a TOML model file, with the `--set` overrides of the command line, into a
//! [`ModelSpec`]: plain data, every default filled in, every rule of the format checked. Mistakes are collected,
//! not thrown: the [`Diagnostics`] hold all of them with their positions and what would be right.
//! [`ModelSpec::to_toml`] prints the complete model, which reads back to an equal one.
//!
//! ```
//! use cosimo_model::{Override, read_model};
//!
//! let text = r#"
//! schema = 1
//! time = { end = 1.0, step = 1e-3 }
//! [[subsystem]]
//! name = "ball"
//! kind = "node"
//! mass = 2.0
//! "#;
//! let finer = Override::parse("time.step=1e-4").unwrap();
//! let (model, warnings) = read_model("model.toml", text, &[finer]).unwrap();
//! assert_eq!(model.time.step, 1e-4);
//! assert!(warnings.is_empty());
//!
//! let mistakes = read_model("model.toml", &text.replace("2.0", "-2.0"), &[]).unwrap_err();
//! assert!(mistakes.to_string().starts_with("model.toml:7:8: mass is -2.0, must be positive"));
//! ```
//!
//! [`ModelSpec::build`] turns the data into a [`Master`](cosimo_master::Master) that can be stepped.
//!
//! | folder | subject | imports |
//! |---|---|---|
//! | `build` | a model as a master | all below |
//! | `document` | a model file as a whole, read and written | all below |
//! | `model` | a model as plain data | `kinds` |
//! | `kinds` | the kinds of subsystems | `spec` |
//! | `spec` | parts of a model, whatever the kinds | `toml` |
//! | `toml` | tables, keys with positions, numbers and vectors, diagnostics | |
//!
//! Each kind of subsystem is one folder of `kinds` (what it is, how it is read and built) and one row in
//! its table of kinds.

mod build;
mod build_error;
mod document;
mod kinds;
mod model;
mod spec;
mod system;
mod toml;

pub use self::toml::{Diagnostic, Diagnostics, Override, OverrideError, Place, Severity, hint, read_text};
pub use build::{Elsewhere, Offered, build_assigned, serve_model};
pub use build_error::{BuildError, PartError};
pub use cosimo_subsystem::is_like;
pub use document::{Bundle, bundle, file_hash, model_files, read_model};
pub use kinds::SubsystemKind;
pub use kinds::body_ref::BodyRef;
pub use kinds::controller::ControllerSpec;
pub use kinds::fmu::{FmuShape, FmuSpec, Isolation};
pub use kinds::force_law::ForceLawSpec;
pub use kinds::linear::{
    EliminationSpec, LinearConstraintSpec, LinearContactSpec, LinearLoadSpec, LinearPortSpec, LinearSpec,
    LinearSpringSpec, SpringEnds,
};
pub use kinds::multibody::{
    AerodynamicsSpec, BeamSpec, BodyFrameSpec, CamSpec, CarriedFrameSpec, ContactShapeSpec, EquilibriumSpec,
    FilmSpec, ForceLaw, ForceSpec, GearLaw, GearSpec, JointFreedom, JointSpec, LoadActionSpec, LoadAxes,
    LoadSizeSpec, MatchedBodies, MeasureSpec, MotionSpec, MultibodySpec, PlaceSpec, PortPlaceSpec,
    RopePointSpec, RopeSpec, RotorFramesSpec, SectionSpec, SectionTablesSpec, SectionsSpec, SensorSpec, Side,
    SignalSpec, SpatialBodySpec, SpatialContactSpec, SpatialLoadSpec, SpatialPortSpec, SteadyChange,
    SteadySystem, TimeFunctionSpec,
};
pub use kinds::nested::NestedSpec;
pub use kinds::node::{NodeLoadSpec, NodePortSpec, NodeSpec, PlaneSpec};
pub use kinds::planar::{
    BodySpec, PinSpec, PlanarContactSpec, PlanarPortSpec, PlanarSpec, PlanarSpringSpec, PointSpec,
};
pub use kinds::remote::{NamedUnit, RemoteKindSpec, RemotePortSpec};
pub use kinds::rigid_body::{BodyPortShape, BodyPortSpec, RigidBodySpec};
pub use kinds::rotor_aerodynamics::RotorAerodynamicsSpec;
pub use kinds::source::{SourceOutputSpec, SourceSpec};
pub use model::{ModelSpec, SubsystemSpec};
pub use spec::{
    CheckpointSpec, ConnectionSpec, Execution, ExportSpec, InterfaceSpec, LawSpec, LossAction, MatrixSpec,
    PlacementSpec, PortRef, PortShape, QuantityName, QuantityRole, RESULT_FORMATS, RecordSpec, RemoteSpec,
    RowSpec, SignalShape, SizeOverTime, SolverSpec, TimeSpec,
};
pub use system::{SystemError, system_text};

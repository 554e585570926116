//! Co-simulation of smooth and nonsmooth mechanical subsystems: the facade a master program depends on.
//!
//! A [`Model`] consists of **subsystems**, each with a solver of its own, and of **interfaces** that join their ports. It comes from a
//! model file (`docs/reference/model-file.md`), from parts in Rust, or from both. The **master** steps the subsystems together: it finds the
//! forces and impulses of all interfaces and contacts at once. What is left of a run is a [`Trajectory`].
//!
//! # Two masses as a program
//!
//! A sphere falls to the floor and rebounds, Newton's coefficient of restitution being 0.8; a second mass is on a spring above it. The sphere is
//! the nonsmooth side, with impacts; the other is smooth. Each has a solver of its own:
//!
//! ```
//! use cosimo::prelude::*;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // The nonsmooth part: a sphere above a floor, stepped by Moreau and Jean's rule.
//!     let floor = MovingPlane::at_rest("floor", [0.0; 3], [0.0, 0.0, 1.0], ContactLaw::frictionless(0.8));
//!     let sphere = PointMassBuilder::new("sphere", 1.0)
//!         .with_gravity([0.0, 0.0, -10.0])
//!         .with_initial_state([0.0, 0.0, 0.801], [0.0; 3])
//!         .with_port("top", PointMassPort::along([0.0, 0.0, 1.0]))
//!         .with_plane(floor);
//!
//!     // The smooth part, stepped by the two-step rule with spectral radius 0.6 at infinite frequency.
//!     let mass = MechanismBuilder::new("mass", LinearSystem::masses([1.0])?.with_force([-10.0])?)
//!         .with_rule(Multistep::new(0.6)?)
//!         .with_port("foot", [LinearRow::coordinate(0)])
//!         .with_initial_state([0.801], [0.0])
//!         .with_coordinate_quantities(["z"]);
//!
//!     // A spring of 1000 N/m between them, and two seconds.
//!     let mut model = Model::new();
//!     let sphere = model.add(sphere.build()?)?;
//!     let mass = model.add(mass.build()?)?;
//!     model.spring("spring", sphere.port("top"), mass.port("foot"), 1e3)?;
//!     let trajectory = model.simulate(2.0, 1e-3)?;
//!
//!     let report = trajectory.report();
//!     assert_eq!(report.interface_solves_per_step(), 1.0);
//!     println!("{} impacts, {:.3} J lost", report.impacts, -report.energy.contact);
//!     println!("the mass ends at {:.3} m", trajectory.last(mass.quantity("z"))?);
//!     Ok(())
//! }
//! ```
//!
//! A model of a file is as short:
//!
//! ```no_run
//! let mut model = cosimo::Model::open("model.toml")?;
//! let trajectory = model.set("interface.spring.stiffness", 2e3)?.run()?;
//! println!("{} m", trajectory.last("upper.z")?);
//! # Ok::<(), cosimo::ModelError>(())
//! ```
//!
//! [`prelude`] has what a program needs, [`author`] what a subsystem of one's own does. Below the model, [`Master`](master::Master) can be
//! used by itself.
//!
//! # Layers
//!
//! Each module is one crate; the ones further down know nothing of those above.
//!
//! | module | what |
//! |---|---|
//! | [`model`] | model files, read and built |
//! | [`sweep`] | many runs of a model file, one table |
//! | [`results`] | tables, events, summary and plot of a run |
//! | [`master`] | interfaces, coupling schemes, runs |
//! | [`composite`] | a coupled model as a subsystem |
//! | [`transport`] | subsystems in threads and processes of their own |
//! | [`native`] | Cosimo's own solvers as subsystems |
//! | [`control`] | controllers as subsystems |
//! | [`aerodynamics`] | the aerodynamics of a rotor as a subsystem |
//! | [`subsystem`] | the contract between subsystem and master, and its conformance suite |
//! | [`smooth`], [`nonsmooth`] | step rules; contacts and impacts |
//! | [`impact`] | nonsmooth integrators of one system by itself, side by side |
//! | [`multibody`], [`dynamics`] | rigid bodies; equations of motion and one implicit step of them |
//! | [`mechanics`] | the words they share: contact laws, energies, moments of impulses, functions of time |
//! | [`complementarity`] | linear complementarity and friction-contact problems |
//!
//! Vectors and matrices are those of [`nalgebra`]; an array `[x, y, z]` does for a vector. Its macros, such as `dmatrix!`, name the crate by its own name and so need it as a dependency of the program
//! besides; its constructors do not.

pub mod author;
pub mod prelude;
mod simulation;
mod trajectory;

pub use simulation::{Finding, Findings, Model, ModelError, Part, Run};
pub use trajectory::{Event, Samples, Series, Trajectory, TrajectoryError};

pub use cosimo_aerodynamics as aerodynamics;
pub use cosimo_complementarity as complementarity;
pub use cosimo_composite as composite;
pub use cosimo_control as control;
pub use cosimo_dynamics as dynamics;
pub use cosimo_export as export;
pub use cosimo_first_order as first_order;
pub use cosimo_fmi as fmi;
pub use cosimo_fmi_export as fmi_export;
pub use cosimo_formula as formula;
pub use cosimo_impact as impact;
pub use cosimo_master as master;
pub use cosimo_mechanics as mechanics;
pub use cosimo_model as model;
pub use cosimo_multibody as multibody;
pub use cosimo_native as native;
pub use cosimo_nonsmooth as nonsmooth;
pub use cosimo_results as results;
pub use cosimo_smooth as smooth;
pub use cosimo_subsystem as subsystem;
pub use cosimo_sweep as sweep;
pub use cosimo_transport as transport;
#[cfg(feature = "zenoh")]
pub use cosimo_zenoh as zenoh;
pub use nalgebra;

/// Runs the code of the guide to Rust.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/rust.md")]
struct RustGuide;

/// Runs the code of the guide for those who write a subsystem.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/subsystem.md")]
struct Guide;

/// Runs the code of the guide for those whose subsystem runs elsewhere.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/transport.md")]
struct TransportGuide;

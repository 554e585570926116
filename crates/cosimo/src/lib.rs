//! Co-simulation of smooth and nonsmooth mechanical subsystems: the facade a master program depends on.
//!
//! A model consists of **subsystems**, each with a solver of its own, and of **interfaces** that join their ports.
//! The **master** steps them together: it finds the forces and impulses of all interfaces and contacts at once.
//! Models come from a model file ([`model::read_model`], see `docs/reference/model-file.md`), or from a program like this one.
//!
//! # The two-mass oscillator as a program
//!
//! A sphere of 1 kg falls to the floor and rebounds, Newton's coefficient of restitution being 0.8. On it stands a
//! second mass of 1 kg on a spring. The sphere is the nonsmooth side, with impacts; the upper mass is smooth. Each has
//! a solver of its own, and the spring joins them:
//!
//! ```
//! use cosimo::prelude::*;
//!
//! // The nonsmooth side: a sphere above a floor.
//! let floor = MovingPlane {
//!     name: "floor".to_owned(),
//!     motion: PlaneMotion::at_rest(Vector3::zeros(), Vector3::z()),
//!     law: ContactLaw::frictionless(0.8),
//! };
//! let lower = NodeBuilder::new("lower", 1.0)
//!     .with_radius(0.2)
//!     .with_gravity(Vector3::new(0.0, 0.0, -10.0))
//!     .with_initial_state(Vector3::new(0.0, 0.0, 1.001), Vector3::zeros())
//!     .with_port("top", NodePort::Along(Vector3::z()))
//!     .with_plane(floor)
//!     .build()?;
//!
//! // The smooth side: one coordinate, M a = f. `Multistep::new(0.6)?` in place of the rule is another solver.
//! let equations = LinearSystem::new(DMatrix::from_element(1, 1, 1.0))?.with_force(vec![-10.0])?;
//! let upper = MechanismBuilder::new("upper", equations, Box::new(Theta::default()))
//!     .with_ports(&[("foot", 1)], Box::new(LinearRows(vec![LinearRow::coordinate(0)])))
//!     .with_initial_state(0.0, vec![1.501], vec![0.0])
//!     .with_coordinate_quantities(&["z".to_owned()])
//!     .build()?;
//!
//! // The spring of 1000 N/m, half a metre long, and the master.
//! let spring = Interface::new("spring", "lower.top", "upper.foot", InterfaceLaw::spring(1e3, 0.0, 1))
//!     .with_offset(vec![-0.5]);
//! let mut master =
//!     Master::new(vec![Box::new(lower), Box::new(upper)], vec![spring], MasterConfig::default(), 0.0)?;
//!
//! // An observer sees every step and every event at a contact.
//! #[derive(Default)]
//! struct Impacts(Vec<f64>);
//! impl Observer for Impacts {
//!     fn event(&mut self, event: &ContactEvent<'_>) {
//!         if event.kind == ContactEventKind::Impact {
//!             self.0.push(event.time);
//!         }
//!     }
//! }
//! let mut impacts = Impacts::default();
//! let report = master.run(0.5, 1e-4, &mut impacts)?;
//!
//! // The spring is unstretched until the sphere meets the floor, so both fall freely: t = √(2 · 0.801 / 10).
//! assert!((impacts.0[0] - 0.400_249_921_923_79).abs() < 1e-9);
//! assert_eq!((report.steps, report.impacts), (5000, 2));
//!
//! // Results: quantities by label, and the energies of the run.
//! let mut values = vec![0.0; master.labels().len()];
//! master.observe(&mut values)?;
//! let z = master.labels().iter().position(|label| label.owner == "upper" && label.name == "z").unwrap();
//! assert!((0.5..1.0).contains(&values[z]));
//! assert!(report.energy.contact < 0.0 && report.energy.monitor_sum.abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! Each module is one crate; the ones further down know nothing of those above.
//!
//! | module | what |
//! |---|---|
//! | [`model`] | model files, read and built |
//! | [`results`] | tables, events, summary and plot of a run |
//! | [`master`] | interfaces, coupling schemes, runs |
//! | [`transport`] | subsystems in threads and processes of their own |
//! | [`native`] | Cosimo's own solvers as subsystems |
//! | [`control`] | controllers as subsystems |
//! | [`aerodynamics`] | the aerodynamics of a rotor as a subsystem |
//! | [`subsystem`] | the contract between subsystem and master, and its conformance suite |
//! | [`smooth`], [`nonsmooth`] | step rules; contacts and impacts |
//! | [`impact`] | nonsmooth integrators of one system by itself, side by side |
//! | [`multibody`], [`dynamics`] | rigid bodies; equations of motion and one implicit step of them |
//! | [`complementarity`] | linear complementarity and friction-contact problems |
//!
//! [`prelude`] has what a master program needs, and what a subsystem of one's own does. Vectors and matrices are those of
//! [`nalgebra`]. Its macros, such as `dmatrix!`, name the crate by its own name and so need it as a dependency of the program
//! besides; its constructors do not.

pub mod author;
pub mod prelude;
mod simulation;
mod trajectory;

pub use simulation::{Finding, Findings, Model, ModelError, Part, Run};
pub use trajectory::{Event, Samples, Series, Trajectory, TrajectoryError};

pub use cosimo_aerodynamics as aerodynamics;
pub use cosimo_complementarity as complementarity;
pub use cosimo_control as control;
pub use cosimo_dynamics as dynamics;
pub use cosimo_export as export;
pub use cosimo_first_order as first_order;
pub use cosimo_fmi as fmi;
pub use cosimo_fmi_export as fmi_export;
pub use cosimo_impact as impact;
pub use cosimo_master as master;
pub use cosimo_model as model;
pub use cosimo_multibody as multibody;
pub use cosimo_native as native;
pub use cosimo_nonsmooth as nonsmooth;
pub use cosimo_results as results;
pub use cosimo_smooth as smooth;
pub use cosimo_subsystem as subsystem;
pub use cosimo_transport as transport;
pub use nalgebra;

/// Runs the code of the guide for those who write a subsystem.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/subsystem.md")]
struct Guide;

/// Runs the code of the guide for those whose subsystem runs elsewhere.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/transport.md")]
struct TransportGuide;

//! First-order systems with inputs and outputs as subsystems.
//!
//! ```text
//!   ẋ = f(t, x, u)      y = g(t, x, u)      z(t, x, u): an event where a component changes its sign
//! ```
//!
//! A [`FirstOrderSystem`] is anything of this form: a model-exchange unit, a controller, a network. [`FirstOrderSubsystem`] integrates it by a
//! [`StepRule`](cosimo_dynamics::StepRule), the same rules that integrate mechanical systems, with `x` in the place of velocities:
//! one implicit stage per step
//!
//! ```text
//!   w = f(t₀ + c h, x* + c_v w, u)      x₁ = x̂ + d_v w
//! ```
//!
//! A load `ℓ` on an input acts on it by the impulse `X = d_v ℓ`, and a velocity among the outputs answers by the inverse mass
//!
//! ```text
//!   W = C (I − c_v A)⁻¹ B + D/d_v      A = ∂f/∂x  B = ∂f/∂u  C = ∂g/∂x  D = ∂g/∂u
//! ```
//!
//! exactly as the rows of a mechanical system do, so that joints, contacts beyond them and velocity jumps need no other treatment.
//! [`PortMap`] says which inputs and outputs are ports, signals and quantities.
//!
//! | where | what |
//! |---|---|
//! | `system` | what a system is asked for |
//! | `port_map` | inputs and outputs as rows of ports, signals, quantities |
//! | `linearisation`, `differences` | `A`, `B`, `C`, `D`, by differences where the system does not know them |
//! | `course` | inputs over a step |
//! | `stage` | Newton's method for one stage |
//! | `events` | where in a step the sign changes |
//! | `motion` | the states under a rule: steps, events in them, what is saved |
//! | `response` | how rows and loads answer |
//! | `subsystem` | all of it as a [`Subsystem`](cosimo_subsystem::Subsystem) |

mod course;
mod differences;
mod error;
mod events;
mod linearisation;
mod motion;
mod port_map;
mod response;
mod stage;
mod subsystem;
mod system;

pub use course::InputCourse;
pub use error::SystemError;
pub use linearisation::{Linearisation, Selection};
pub use port_map::{ContactPort, LoadPort, MotionPort, PortMap, PortMapError, Rotation};
pub use subsystem::FirstOrderSubsystem;
pub use system::{FirstOrderSystem, Point, SystemSize};

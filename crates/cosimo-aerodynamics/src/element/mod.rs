//! A rotor as an element of a multibody system: the loads of the air in its own equations of motion.
//!
//! ```text
//!   r = M a + g − f + Φᵀ μ − Σ Nᵀ L(z, ż; y(t), x(t)) = 0        z, ż: motion of the frames, N: of a frame by that of its body
//! ```
//!
//! Every segment between two frames has its loads with exact derivatives by the motion of these two: blocks of neighbours, a chain
//! as that of the beam. The inflow `y` and the lags `x` are foreseen from the start of the step ([`RotorCourse`](crate::rotor::RotorCourse))
//! and do not follow the iterates. The disk does, without derivatives by the motion of the hub. The whole has order two.
//!
//! | file | what |
//! |---|---|
//! | `kind` | the element as part of a model |
//! | `attachment` | a frame on its body: its motion, what increments do to it, loads on the body |
//! | `segments` | loads and tangents of the segments on the bodies |
//! | `placed` | the element as part of the equations of motion |

mod attachment;
mod kind;
mod placed;
mod segments;

pub use kind::RotorElement;

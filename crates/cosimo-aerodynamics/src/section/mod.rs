//! Loads of a blade section, in its own plane.
//!
//! ```text
//!          normal e_n (suction side)
//!               ▲
//!               │   ╭────────╮___
//!               │ ──●───────────────────►  chord e_c (towards the leading edge: drawn to the left of the nose)
//!                   quarter chord          pitch axis e_p = e_c × e_n, nose up positive
//! ```
//!
//! With the velocity of the quarter chord relative to the air at rest `w`, the induced velocity `v` along minus the rotor axis `k`,
//! and the pitch rate `ω_p`, the flow is taken at the three-quarter chord:
//!
//! ```text
//!   w_c = w·e_c + v k·e_c        w_n = w·e_n + v k·e_n − (c/2) ω_p
//!   α = atan2(−w_n, w_c)         V² = w_c² + w_n²        M = V/a
//!   f_c = ½ρc V (−cd w_c − F cl w_n)        f_n = ½ρc V (F cl w_c − cd w_n)        m = ½ρc² V² cm
//! ```
//!
//! per unit span, forces at the quarter chord, `F` Prandtl's factor of the tip or 1. Any direction of the flow is allowed; its
//! component along the span is dropped. The formulas stand in `law`, those of what lags behind in `lag`, `stall` and `wagner`, with all derivatives ([`Dual`](crate::number::Dual)).

mod air;
mod flow;
mod lag;
mod law;
mod stall;
mod tip_loss;
mod wagner;

pub use air::Air;
pub(crate) use flow::{SectionFlow, VARIABLES};
pub(crate) use lag::{LAGS, Memory};
pub use lag::{Lags, Unsteady};
pub(crate) use law::{Section, SectionLoads};
pub use tip_loss::TipLoss;

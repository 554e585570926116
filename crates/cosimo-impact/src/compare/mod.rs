//! Distances between trajectories that jump, and orders of convergence.
//!
//! The maximum norm does not converge where jumps are met to `O(h)` in time only. Two distances do: the mean of the difference
//! ([`l1_distance`]), and the distance of the graphs with their jumps filled in ([`filled_graph_distance`]); [`convergence`] has both of several runs, with their orders.
//!
//! Source: V. Acary, *The nonsmooth dynamics framework*, 2019, eqs. 58 to 64; J. J. Moreau, RAIRO Anal. Numér. 12, 1978.

mod convergence;
mod filled_graph;
mod order;

pub use convergence::{ConvergenceRow, convergence};
pub use filled_graph::{FilledGraph, filled_graph_distance};
pub use order::{l1_distance, observed_orders};

//! What a run has done and cost.
//!
//! | where | what |
//! |---|---|
//! | `counters` | counts of steps, iterations, impacts |
//! | `interfaces` | iterations and residuals of the interfaces |
//! | `sizes` | the sizes that a run took |
//! | `summary` | what a step did |
//! | `seconds` | processor time |

pub(crate) mod counters;
pub(crate) mod interfaces;
pub(crate) mod seconds;
pub(crate) mod sizes;
pub(crate) mod summary;

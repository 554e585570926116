//! Energies: what the coupling creates or loses, and what is done about it.
//!
//! ```text
//!   end − start = contacts + external − dissipated + monitor_sum        monitor_sum = interfaces + subsystems
//! ```
//!
//! | where | what |
//! |---|---|
//! | `monitor` | energies summed over a run, interface by interface |
//! | `books` | the books of a step just taken |
//! | `dashpots`, `inner_impulses` | what damping takes out, impulses inside steps included |
//! | `watch`, `created` | where a run has created energy |
//! | `advice` | which step would do |
//! | `guard`, `limit` | how much an interface may create, and what is done about more |

pub(crate) mod advice;
pub(crate) mod books;
pub(crate) mod created;
pub(crate) mod dashpots;
pub(crate) mod guard;
pub(crate) mod inner_impulses;
pub(crate) mod limit;
pub(crate) mod monitor;
pub(crate) mod watch;

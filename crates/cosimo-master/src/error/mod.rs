//! Errors of the master.
//!
//! | where | what |
//! |---|---|
//! | `setup` | why a coupled model cannot be set up |
//! | `step` | why a step failed |
//! | `signals` | why signals cannot be connected, or not be exchanged |

pub(crate) mod setup;
pub(crate) mod signals;
pub(crate) mod step;

/// The first names of a list, and how many more there are.
pub(crate) fn list_names<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

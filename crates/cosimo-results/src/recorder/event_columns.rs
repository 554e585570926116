//! Columns of `events.csv`.

/// Their names, in the order in which events are written.
pub(super) const EVENT_FIELDS: [&str; 10] = [
    "t",
    "kind",
    "contact",
    "velocity_before",
    "velocity_after",
    "impulse",
    "friction_0",
    "friction_1",
    "friction_state",
    "work",
];

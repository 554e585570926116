//! Columns of `events.csv`.

/// Names and units of the columns of `events.csv`, in the order in which events are written; texts and numbers have no unit.
pub const EVENT_COLUMNS: [(&str, &str); 10] = [
    ("t", "s"),
    ("kind", ""),
    ("contact", ""),
    ("velocity_before", "m/s"),
    ("velocity_after", "m/s"),
    ("impulse", "N s"),
    ("friction_0", "N s"),
    ("friction_1", "N s"),
    ("friction_state", ""),
    ("work", "J"),
];

//! Whether two paths are of one entry.

/// Whether one of two paths leads to the entry of the other, or to a part of it. What stands at a position may have any name.
pub(super) fn overlap(a: &str, b: &str) -> bool {
    let is_same = |(a, b): (&str, &str)| match (a.trim(), b.trim()) {
        (a, b) if a == b => true,
        (a, b) => match (a.parse::<usize>(), b.parse::<usize>()) {
            (Ok(a), Ok(b)) => a == b,
            (a, b) => a.is_ok() || b.is_ok(),
        },
    };
    a.split('.').zip(b.split('.')).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn one_entry_has_several_paths() {
        let same = [
            ("time.end", " time . end"),
            ("time", "time.end"),
            ("subsystem.0.mass", "subsystem.lower.mass"),
            ("subsystem.lower.plane.0.friction", "subsystem.0.plane.floor"),
        ];
        let others = [
            ("time.end", "time.step"),
            ("subsystem.0.mass", "subsystem.1.mass"),
            ("subsystem.0.mass", "subsystem.lower.position"),
            ("subsystem.lower.mass", "subsystem.upper.mass"),
        ];
        for (a, b) in same {
            assert!(overlap(a, b) && overlap(b, a), "{a} {b}");
        }
        for (a, b) in others {
            assert!(!overlap(a, b) && !overlap(b, a), "{a} {b}");
        }
    }
}

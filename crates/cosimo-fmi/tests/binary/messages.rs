//! Messages of units.

use crate::support::{BOTH, STEPS, bad, initialize};
use cosimo_fmi::binary::Version;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

/// Where lines go: kept, or to a panic.
#[derive(Clone, Default)]
struct Lines {
    kept: Arc<Mutex<Vec<u8>>>,
    panics: bool,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert!(!self.panics, "a subscriber that panics");
        self.kept.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The lines of a step in which a unit gives a message of every status; or a panic with each of them.
fn lines_of_a_step(version: Version, panics: bool) -> Option<String> {
    let lines = Lines { panics, ..Lines::default() };
    let mut unit = bad(19, version, STEPS)?.unwrap();
    initialize(&mut unit, &[], &[]);
    unit.set_debug_logging(true, &[]).unwrap();
    let subscriber =
        tracing_subscriber::fmt().with_writer(lines.clone()).with_ansi(false).without_time().finish();
    tracing::subscriber::with_default(subscriber, || unit.do_step(0.0, 0.1, true)).unwrap();
    let kept = lines.kept.lock().unwrap().clone();
    Some(String::from_utf8(kept).unwrap())
}

#[test]
fn messages_have_a_level_by_their_status_and_the_name_of_the_unit() {
    for version in BOTH {
        let Some(lines) = lines_of_a_step(version, false) else { return };
        let lines: Vec<&str> = lines.lines().map(str::trim_start).collect();
        assert_eq!(lines.len(), 5, "{lines:?}");
        for (line, level) in lines.iter().zip(["INFO", "WARN", "WARN", "ERROR", "ERROR"]) {
            assert!(
                line.starts_with(&format!("{level} fmu: log")) && line.contains("instance=\"unit\""),
                "{line}"
            );
        }
        assert!(lines[1].contains("category=\"logStatusWarning\""), "{}", lines[1]);
    }
}

#[test]
fn a_panic_of_a_subscriber_does_not_reach_the_unit() {
    for version in BOTH {
        lines_of_a_step(version, true);
    }
}

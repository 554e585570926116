//! Progress in a terminal, which the command `script` of util-linux plays.
#![cfg(target_os = "linux")]

use std::process::Command;

use super::{MODEL, Scratch, assert_code, stdout};

#[test]
fn progress_tells_time_speed_and_what_remains() {
    let scratch = Scratch::new(&MODEL.replace("end = 0.5", "end = 1000.0"));
    let run = format!("{} run masses.toml --set record.every=1000", env!("CARGO_BIN_EXE_cosimo"));
    let mut terminal = Command::new("script");
    terminal.current_dir(scratch.path(".")).args(["-qec", &run, "/dev/null"]).env("TERM", "xterm");
    // A machine without the command has nothing to play a terminal.
    let Ok(output) = terminal.output() else { return };
    assert_code(&output, 0);
    let shown = stdout(&output);
    let (progress, table) = shown.split_once("completed at t = 1000 s").unwrap_or_default();
    for part in [" of 1000 s", " steps/s", "ETA ", " %"] {
        assert!(progress.contains(part), "`{part}` is not in\n{shown}");
    }
    assert!(table.contains("energy monitor, sum") && !table.contains("ETA"), "{shown}");
}

//! What the crates below tell about their work.

use std::io::IsTerminal;

use tracing_subscriber::filter::LevelFilter;

/// Shows messages on standard error: none, or with each `-v` those of a finer level.
pub(crate) fn start(verbosity: u8) {
    let level = match verbosity {
        0 => return,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let is_coloured = std::io::stderr().is_terminal();
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(is_coloured)
        .with_writer(std::io::stderr)
        .init();
}

//! What the crates below log about their work.

use std::io::IsTerminal;
use std::sync::OnceLock;

use tracing::Subscriber;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::failure::Failure;
use crate::notices::Notices;

/// The filter of what is logged, in the syntax of `tracing_subscriber::EnvFilter`; stronger than `-v`.
pub(crate) const VARIABLE: &str = "COSIMO_LOG";

/// What this process logs.
static FILTER: OnceLock<String> = OnceLock::new();

/// The filter of what this process logs, if it logs anything.
pub(crate) fn filter() -> Option<&'static str> {
    FILTER.get().map(String::as_str)
}

/// Logs nothing, which it returns. The command itself shows the warnings, where they belong; those of units as they come.
pub(crate) fn keep_silent() -> bool {
    tracing_subscriber::registry().with(notices(true)).init();
    false
}

fn notices<S: Subscriber + for<'a> LookupSpan<'a>>(shows: bool) -> impl Layer<S> {
    Notices { shows }.with_filter(Notices::filter())
}

/// Tells messages, and the times of spans, on standard error: with each `-v` those of a finer level, or what the
/// environment asks for. Returns whether it logs anything.
pub(crate) fn start(verbosity: u8) -> Result<bool, Failure> {
    let wanted = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    let text = match (wanted, verbosity) {
        (None, 0) => {
            return Ok(keep_silent());
        }
        (None, 1) => "info".to_owned(),
        (None, 2) => "debug".to_owned(),
        (None, _) => "trace".to_owned(),
        (Some(text), _) => text,
    };
    let bad = |error| format!("{VARIABLE} is `{text}`, which is no filter: {error}");
    let filter = EnvFilter::try_new(&text).map_err(|error| Failure::bad_input(bad(error)))?;
    let _ = FILTER.set(text);
    let written = tracing_subscriber::fmt::layer()
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    tracing_subscriber::registry().with(written.with_filter(filter)).with(notices(false)).init();
    Ok(true)
}

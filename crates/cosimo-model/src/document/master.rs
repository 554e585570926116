//! Reads `[master]` by what the master says of its settings.

use cosimo_master::{ConfigError, Impacts, MasterConfig};
use serde::de::DeserializeOwned;

use crate::spec::PlacementSpec;
use crate::toml::{LeftOut, Reader, Value};

/// Reads `[master]`; all defaults if there is none.
pub(crate) fn read_master(root: &Reader<'_>) -> (MasterConfig, PlacementSpec) {
    let read = root.section("master", |master| {
        refuse_discretisation(master);
        let config = read_settings(master, MasterConfig::mistakes, |config: &mut MasterConfig| {
            if !master.has("impacts") {
                config.impacts = Impacts::default_with(config.scheme);
            }
        });
        (config, read_settings(master, PlacementSpec::mistakes, |_| {}))
    });
    read.unwrap_or_default()
}

/// Tells of a key of former versions what has become of it.
fn refuse_discretisation(master: &Reader<'_>) {
    if let Some(value) = master.value("discretisation") {
        let help = "leave it out: rigid and Tikhonov joints pass momenta between any two solvers";
        master.log().error_with_help(&value.span(), "discretisation is no longer a choice", help);
    }
}

/// Reads those settings of a table that belong to `S` and records which break their rules; these have their defaults then.
fn read_settings<S: DeserializeOwned + Default>(
    table: &Reader<'_>,
    mistakes: impl Fn(&S) -> Vec<ConfigError>,
    complete: impl Fn(&mut S),
) -> S {
    let left_out = LeftOut::default();
    let read = || {
        let mut settings: S = table.settings(&left_out);
        complete(&mut settings);
        settings
    };
    let settings = read();
    let is_readable = left_out.is_empty();
    for mistake in mistakes(&settings) {
        // What belongs together is not known where a part is unreadable.
        let is_located = is_readable || matches!(mistake, ConfigError::OutOfRange { .. });
        if let Some(value) = value_of(table, mistake.setting()).filter(|_| is_located) {
            record(table, &value, &mistake);
            left_out.add(value.span());
        }
    }
    if left_out.is_empty() { settings } else { read() }
}

/// The value of a setting, or of one of its parameters: `acceleration.factor`.
fn value_of<'a>(table: &Reader<'a>, setting: &'static str) -> Option<Value<'a>> {
    match setting.split_once('.') {
        Some((key, parameter)) => table.value(key)?.member(parameter),
        None => table.value(setting),
    }
}

fn record(table: &Reader<'_>, value: &Value<'_>, mistake: &ConfigError) {
    let (log, span) = (table.log(), value.span());
    let (setting, written) = (mistake.setting(), log.quote(&span));
    match mistake {
        ConfigError::OutOfRange { found, rule, .. } => {
            let found = written.unwrap_or_else(|| found.to_string());
            log.error(&span, format!("{setting} is {found}, must be {rule}"));
        }
        ConfigError::Conflict { found, reason, help, .. } => {
            let message = format!("{setting} is {}, {reason}", written.as_deref().unwrap_or(found));
            log.error_with_help(&span, message, *help);
        }
        other => log.error(&span, other.to_string()),
    }
}

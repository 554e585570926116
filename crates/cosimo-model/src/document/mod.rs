//! Reads a model file: every mistake is recorded with its position, then reading goes on.

mod connection;
mod coordinates;
mod deserializer;
mod edit;
mod entry;
mod heading;
mod interface;
mod interface_rules;
mod log;
mod master;
mod model;
mod names;
mod ports;
mod reader;
mod scheme;
mod settings;
mod solver;
mod stop;
mod subsystem;
mod suggestion;
mod text_file;
mod time_table;
mod unseen;
mod value;

use toml::de::DeTable;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::ModelSpec;
use crate::overrides::Override;

pub(crate) use coordinates::{Coordinates, check_mass, check_not_negative, check_semidefinite};
pub(crate) use deserializer::{METHOD, SCHEME, in_words, read_value};
pub(crate) use entry::Entry;
pub(crate) use log::{Log, Sources};
pub(crate) use model::SCHEMA;
pub(crate) use names::{Names, find};
pub(crate) use reader::{Reader, is_name};
pub use suggestion::hint;
pub use text_file::read_text;
pub(crate) use time_table::read_time_table;
pub(crate) use value::{Value, every};

/// Reads and checks the text of a model file, changed by overrides in their order.
///
/// `source_name` is how messages call the file. Returns the complete model and warnings in order of position.
///
/// # Errors
/// Every mistake of the file and of the overrides in one go, with the warnings. A text that is not TOML is not
/// looked into further: its mistakes of syntax are reported alone.
pub fn read_model(
    source_name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<(ModelSpec, Vec<Diagnostic>), Diagnostics> {
    let log = Log::new(Sources::new(source_name, text, overrides));
    let (mut document, syntax) = DeTable::parse_recoverable(text);
    if !syntax.is_empty() {
        let mut last_line = None;
        for mistake in &syntax {
            let span = mistake.span().unwrap_or(0..0);
            let line = log.line(&span);
            // The parser stumbles on over the rest of a line.
            if last_line != Some(line) {
                log.error(&span, mistake.message());
            }
            last_line = Some(line);
        }
        return Err(log.into_diagnostics());
    }
    for (index, change) in overrides.iter().enumerate() {
        edit::apply(document.get_mut(), change, log.base(index), &log);
    }
    let model = model::read(&Reader::root(&log, document.get_ref()));
    log.finish().map(|warnings| (model, warnings))
}
